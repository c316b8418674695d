// What a hand does at the admiral's desk: fleets are chosen, sent, split and merged, orders taken back. Fetched with the first touch.

import { Card, hexAsked } from "./chart_card.js";
import { esc } from "./chart_marks.js";
import { told } from "./chart_told.js";
import { linesToSeal, showFaults } from "./desk_answers.js";
import { Changes } from "./desk_changes.js";
import { arrivals, bands, together, weekWords, weeksTo } from "./desk_ways.js";
import { Keeper } from "./draft_keep.js";
import { kinds } from "./kinds.js";
import { phrase } from "./phrase.js";

const OFFERED = 20; // systems in the list below the field of a place
const SOON = 200; // milliseconds after a change until the draft is saved and its lines are drawn anew

const $ = (what) => document.querySelector(what);

/** The acts of a desk, by name. */
export function acts(desk) {
  const {
    ground,
    moment,
    plan,
    map,
    host,
    form,
    sheet,
    rows,
    fleets,
    pick,
    narrow,
    says,
    refresh,
    draw,
  } = desk;
  const changes = sheet && new Changes(sheet);
  const bringing = new Map();
  const waiting = new Set();
  const list = new Card(map, $("[data-card]"), () => {
    desk.doubted = null;
    draw();
  });
  let faults = null; // what the server finds wrong with the draft; null: nothing was saved yet
  const keeper =
    form &&
    new Keeper(form, {
      faults: (found) => {
        faults = found;
        showFaults(rows.list, found);
      },
      told: (found) => {
        if (found.plans) {
          plan.server = found.plans;
        }
        rows.take(found, keeper.dirty);
        refresh();
        if (!keeper.dirty) {
          document.dispatchEvent(new Event("ordered"));
        } // who hears of it sees the list as it is now
      },
    });

  /** Save the draft: until the server has answered, the lines speak of the one before. */
  function save() {
    rows.wait();
    keeper.later(SOON);
  }

  /** Change something, as a step that can be taken back. The draft is kept. */
  function change(words, act) {
    act();
    step(words);
    refresh(words);
    inSight();
  }

  /** The chosen row, wherever it stands now. On a phone the page would move under the finger; there it comes first instead. */
  function inSight() {
    if (!narrow()) {
      pick(desk.chosen)?.section.scrollIntoView({ block: "nearest" });
    }
  }

  /** Keep what has changed as a step; whether anything has. */
  function step(words) {
    goOn();
    const changed = changes.step(words, desk.chosen);
    if (changed) {
      save();
    }
    return changed;
  }

  /** Plans that waited for ships that cannot jump go on as soon as these are elsewhere. */
  function goOn() {
    for (const line of Object.values(rows.lines)) {
      if (line.waits) {
        waiting.add(line.key);
      }
    }
    if (!waiting.size) {
      return;
    }
    for (const fleet of fleets()) {
      if (!waiting.has(fleet.key) || !fleet.ships.length || fleet.bound.length) {
        continue;
      }
      if (plan.wants(fleet)) {
        plan.ask([fleet]).then(() => {
          if (step(phrase`${fleet.name} goes on with its plan`)) {
            refresh();
          }
        });
        continue;
      }
      waiting.delete(fleet.key);
      const halt = fleet.goals.length && !fleet.end && plan.halts(fleet, fleet.goals[0])[0];
      if (halt) {
        changes.go(fleet.key, halt, fleet.goals);
      }
    }
  }

  if (rows) {
    rows.opened = opened;
  }
  const banded = bands(plan);
  desk.reached = (fleet) => ({ reach: banded(fleet), eta: arrivals(plan, fleet) });

  /** What the chosen fleet is told to do, week by week, in its open row. */
  function opened(fleet, then) {
    const { section } = fleet;
    if (!section.querySelector("[data-more]")) {
      section.append(emptyForm(section));
    }
    const goes = section.querySelector("[data-goes]");
    if ("folded" in section.dataset && !bringing.has(fleet.key)) {
      whole(fleet)?.then(() => {
        if (desk.chosen === fleet.key) {
          desk.listed();
        }
      });
    }
    if (!goes) {
      return;
    }
    for (const part of [goes, section.querySelector(".grid.move")?.parentElement]) {
      if (part) {
        part.hidden = Boolean(fleet.stuck) && !fleet.end;
      }
    }
    if (!goes.children.length) {
      goes.innerHTML = `<div class="legs" data-legs></div><div class="goto"><label class="visually-hidden" for="goto-${section.id}">${phrase`Goes to`}</label><input id="goto-${section.id}" list="places" placeholder="${phrase`system or hex`}" autocomplete="off" data-goto><button type="button" class="plainly" data-go>${phrase`Go`}</button><button type="button" class="plainly" data-then aria-pressed="false">${phrase`Then…`}</button><button type="button" class="plainly" data-stay>${phrase`Stay`}</button></div><p class="quiet reckons"><a data-odds>${phrase`What if it comes to a battle there?`}</a></p>${desk.known[fleet.key] ? `<p class="quiet known">${esc(desk.known[fleet.key])}</p>` : ""}`;
    }
    const legs = plan.legs(fleet).filter((leg) => leg.goal);
    const able = fleet.bound.filter((ship) => changes.sendable(ship));
    const left =
      able.length && able.length < fleet.ships.length
        ? `<div class="cripples"><p><b>${phrase`${able.length} cannot jump:`}</b> ${esc(able.map((ship) => ship.name).join(", "))}</p><button type="button" class="plainly" data-leave>${phrase`Leave behind here`}</button></div>`
        : "";
    goes.querySelector("[data-legs]").innerHTML =
      `${left}${legs.map((leg, n) => `<span class="leg${leg.week === plan.moment.week ? "" : " later"}"><b>${leg.week ? phrase`wk ${leg.week}` : phrase`later`}</b> ${esc(plan.name(leg.end))}<button type="button" data-drop="${n}" aria-label="${phrase`Take ${esc(plan.name(leg.end))} out of the plan`}">✕</button></span>`).join("")}`;
    const there =
      legs.find((leg) => plan.place.has(leg.end))?.end ??
      (plan.place.has(fleet.hex) ? fleet.hex : "");
    const odds = goes.querySelector("[data-odds]");
    const fighters = there ? together(plan, fleet, there, desk.fleets()) : [fleet.key];
    const question = [...(there ? [["hex", there]] : []), ...fighters.map((key) => ["fleet", key])];
    odds.href = `../odds/?${new URLSearchParams(question)}`;
    goes.querySelector("[data-then]").setAttribute("aria-pressed", then);
    goes.querySelector("[data-then]").hidden = !sheet.has(sheet.id("plan", fleet.key));
  }

  function choose(key, words) {
    desk.chosen = key;
    desk.then = false;
    map.cursor = null;
    closeCard();
    const fleet = pick(key);
    refresh(
      words ??
        (fleet
          ? rows.still(fleet)
            ? phrase`${fleet.name} stays where it is.`
            : matchMedia("(pointer: coarse)").matches
              ? phrase`${fleet.name}: choose where it goes. "Then…" adds a further week.`
              : phrase`${fleet.name}: choose where it goes. Shift adds a further week.`
          : phrase`Nothing chosen.`),
    );
    if (fleet && plan.wants(fleet)) {
      plan.ask([fleet]).then(() => {
        if (desk.chosen === key) {
          draw();
        }
      });
    }
    inSight();
  }

  /** Bring the form of a fleet onto the page where it is not there; nothing where it is. */
  function whole({ key, name }) {
    if (!sheet.folds) {
      return null;
    }
    if (!bringing.has(key)) {
      const bring = async () => {
        const { unfold } = await import("./desk_unfold.js");
        await unfold(desk, key);
        if (faults) {
          showFaults(rows.list, faults);
        }
        draggable();
      };
      const lost = (error) => {
        says(phrase`The other orders of ${name} cannot be loaded now.`, true);
        throw error;
      };
      bringing.set(
        key,
        bring()
          .catch(lost)
          .finally(() => bringing.delete(key)),
      );
    }
    return bringing.get(key);
  }

  function send(hex, add) {
    const fleet = pick(desk.chosen);
    if (!fleet) {
      return;
    }
    if (fleet.gone) {
      return says(phrase`${fleet.name}: ${fleet.gone}.`, true);
    }
    if (rows.still(fleet)) {
      return says(
        fleet.stuck
          ? phrase`${fleet.name} stays where it is: ${fleet.stuck}.`
          : phrase`${fleet.name} stays where it is.`,
        true,
      );
    }
    const plans = sheet.has(sheet.id("plan", fleet.key));
    if (hex === fleet.hex && !add) {
      change(phrase`${fleet.name} stays at ${plan.name(hex)}`, () => changes.go(fleet.key, ""));
      stay(fleet.key);
      return save();
    }
    if (add && plans && (fleet.end || fleet.goals.length || desk.then)) {
      const last = plan.legs(fleet).at(-1)?.end ?? fleet.hex;
      if (last === hex) {
        return says(phrase`${fleet.name} is at ${plan.name(hex)} then.`, true);
      }
      return change(phrase`${fleet.name}, then ${plan.name(hex)}`, () =>
        changes.go(fleet.key, fleet.end, [...fleet.goals, hex]),
      );
    }
    if (plan.wants(fleet)) {
      const lost = () => says(phrase`The ways of ${fleet.name} cannot be loaded now.`, true);
      return plan.ask([fleet]).then(() => (plan.wants(fleet) ? lost() : send(hex, add)), lost);
    }
    const week = weeksTo(plan, fleet, hex);
    const arrives = moment.week + week - 1;
    if (!week) {
      return says(phrase`No way leads ${fleet.name} to ${plan.name(hex)}.`, true);
    }
    if (week > 1 && !plans) {
      return says(phrase`${plan.name(hex)} is out of ${fleet.name}'s reach this week.`, true);
    }
    if (arrives > ground.weeks) {
      return says(
        phrase`${plan.name(hex)} is too far away: ${fleet.name} would arrive after the end of the war.`,
        true,
      );
    }
    const halts = plan.halts(fleet, hex);
    change(phrase`${fleet.name} → ${plan.name(hex)}, week ${arrives}`, () =>
      changes.go(fleet.key, halts[0] ?? hex, week > 1 ? [hex] : []),
    );
  }

  /** The player has said that a fleet stays: the server need not ask for its orders. */
  function stay(key) {
    const field = form.querySelector("[data-stays]");
    field.value = [...new Set([...field.value.split(" "), key])].join(" ").trim();
  }

  /** Leave those that cannot jump behind, in a fleet of their own. */
  function leave(fleet) {
    const bound = fleet.bound.filter((ship) => changes.sendable(ship));
    const slot = changes.slot(fleet.hex);
    if (!slot) {
      return says(phrase`There is no room for a further fleet here.`, true);
    }
    change(phrase`${bound.length} of ${fleet.name} left at ${plan.name(fleet.hex)}`, () => {
      const name = sheet.id("name", slot.dataset.fleet);
      if (!sheet.read(name)) {
        changes.write(name, phrase`${fleet.name.slice(0, 26)} (cripples)`);
      }
      changes.send(bound, slot.dataset.fleet);
      stay(slot.dataset.fleet);
    });
  }

  /** Ships to another fleet in their hex, or to a new one (`key` empty). */
  function move(ships, key) {
    if (!ships.length) {
      return;
    }
    const to = key
      ? sheet.byKey.get(key)
      : changes.slot(sheet.byKey.get(ships[0].home).dataset.hex);
    if (!to || to.dataset.hex !== sheet.byKey.get(ships[0].home).dataset.hex) {
      return says(
        to
          ? phrase`Only fleets in the same hex exchange ships.`
          : phrase`There is no room for a further fleet here.`,
        true,
      );
    }
    const names =
      ships.length > 2
        ? phrase`${ships.length} {:ship|ships}`
        : ships.map((ship) => ship.name).join(phrase` and `);
    change(`${names} → ${sheet.name(to)}`, () => changes.send(ships, to.dataset.fleet));
  }

  /** A whole fleet into another in its hex. */
  function merge(fleet, into) {
    const list = fleet.section.querySelector("[data-merge]");
    if (![...(list?.options ?? [])].some((option) => option.value === into.key)) {
      return move(fleet.ships, into.key);
    }
    change(merging(fleet.section, into.key), () =>
      changes.write(sheet.id("merge", fleet.key), into.key),
    );
  }

  const merging = (section, key) =>
    key
      ? phrase`${sheet.name(section)} merged into ${sheet.name(sheet.byKey.get(key))}`
      : phrase`${sheet.name(section)} stays a fleet of its own`;

  function picked({ hex, key, shift, drop, onto, typed }) {
    if (!hex || !desk.weeks.now) {
      return;
    }
    if (!form) {
      return card(hex, typed);
    }
    if (drop && pick(drop)) {
      const fleet = pick(drop);
      const other = onto !== drop && pick(onto);
      desk.chosen = drop;
      if (onto === drop) {
        return refresh(phrase`${fleet.name} stays as it was.`);
      }
      if (other?.hex === fleet.hex) {
        return Promise.resolve(whole(fleet)).then(() => merge(pick(drop), other));
      } // drawn onto its neighbour
      return send(hex, shift);
    }
    if (key && pick(key)) {
      return choose(key);
    }
    const here = fleets().filter(
      (fleet) => fleet.hex === hex && (fleet.ships.length || fleet.dummy),
    );
    if (desk.chosen && !(key === "" && here.length && hex !== pick(desk.chosen)?.hex && !shift)) {
      map.cursor = typed ? hex : null;
      return send(hex, shift || desk.then);
    }
    if (here.length === 1) {
      return choose(here[0].key);
    }
    desk.doubted = moment.contacts.find((one) => one.hex === hex && one.age && !one.gone) ?? null;
    card(hex, typed);
    draw();
  }

  function looked(hex, dragged) {
    if (!hex) {
      return;
    }
    const fleet = pick(dragged ?? desk.chosen);
    const where = told(ground, desk.weeks.moment, hex).join(phrase`; `);
    let words = `${where}.`;
    if (fleet && desk.weeks.now && !rows.still(fleet) && !plan.wants(fleet)) {
      const week = weeksTo(plan, fleet, hex);
      words += ` ${hex === fleet.hex ? phrase`${fleet.name} is here.` : week ? phrase`${fleet.name}: ${weekWords(plan, moment.week + week - 1)}.` : phrase`${fleet.name} does not get there.`}`;
    }
    clearTimeout(desk.resting);
    desk.resting = setTimeout(() => says(words), 80); // spoken where the pointer or the cursor rests
  }

  /** The list of a hex that was asked for, whatever is chosen: by the other button of the mouse, by `i`. */
  function listed(event) {
    const hex = hexAsked(map, event);
    if (!hex || !desk.weeks.now) {
      return;
    }
    desk.doubted = moment.contacts.find((one) => one.hex === hex && one.age && !one.gone) ?? null;
    card(hex, event.type === "keydown", true);
    draw();
  }

  /** A card with everything in a hex. `empty`: also where there is nothing. */
  function card(hex, typed, empty) {
    const here = (form ? fleets() : moment.fleets).filter(
      (fleet) => fleet.hex === hex && (!fleet.ships || fleet.ships.length || fleet.dummy),
    );
    const [title, ...rest] = told(ground, moment, hex);
    const doubt = desk.doubted
      ? ` ${phrase`By now it may be anywhere within ${desk.doubted.age * ground.jump} hexes.`}`
      : "";
    if (!here.length && !rest.length && !empty) {
      return closeCard();
    }
    list.show(
      hex,
      {
        title,
        says: rest.length ? `${rest.join(phrase`; `)}.${doubt}` : "",
        rows: here.map(
          (fleet) =>
            `<button type="button" ${form ? `data-choose="${esc(fleet.key)}"` : "disabled"}>${esc(fleet.name)} <span class="kinds">${rows ? kinds(fleet.n) : esc(fleet.words ?? "")}</span></button>`,
        ),
      },
      typed,
    );
  }

  function closeCard() {
    list.close();
    desk.doubted = null;
  }

  /** One step back, or on again. */
  function again(step, back) {
    if (!step) {
      return;
    }
    save();
    if (back) {
      desk.chosen = step.chosen;
    }
    refresh(back ? phrase`Undone: ${step.words}` : phrase`Redone: ${step.words}`);
  }
  const undo = () => again(changes.back(), true);
  const redo = () => again(changes.on());

  /** A click in the list. */
  function clicked(target) {
    const on = (name) => target.closest(`[data-${name}]`);
    const fleet = pick(desk.chosen);
    if (on("choose")) {
      return choose(
        on("choose").dataset.choose === desk.chosen ? null : on("choose").dataset.choose,
      );
    }
    if (!fleet) {
      return;
    }
    if (on("leave")) {
      return leave(fleet);
    }
    if (on("stay")) {
      return send(fleet.hex);
    }
    if (on("go")) {
      return goTo(on("go").parentElement.querySelector("[data-goto]"));
    }
    if (on("then")) {
      return next(fleet);
    }
    if (on("drop")) {
      const legs = plan.legs(fleet).filter((leg) => leg.goal);
      const kept = legs.slice(0, Number(on("drop").dataset.drop)).map((leg) => leg.end);
      change(phrase`${fleet.name}: plan shortened`, () => {
        const now = kept.length ? fleet.end : "";
        changes.go(
          fleet.key,
          now,
          kept.filter((hex, n) => n > 0 || hex !== fleet.end),
        );
      });
    }
  }

  /** Whether the next goal goes on with the plan, or begins it anew. */
  function next(fleet) {
    desk.then = !desk.then;
    refresh(
      desk.then
        ? phrase`${fleet.name}: choose where it goes after that.`
        : phrase`${fleet.name}: choose where it goes.`,
    );
  }

  /** Send the chosen fleet to a place that was typed in its row. */
  async function goTo(field, add) {
    const { placeTyped } = await import("./desk_typed.js");
    const hex = placeTyped(plan, field.value);
    if (!hex) {
      return says(phrase`No system or hex is called "${field.value}".`, true);
    }
    field.value = "";
    send(hex, add || desk.then);
  }

  /** A field of the form has changed. */
  async function changed({ target }) {
    const section = target.closest("[data-fleet]");
    if (target.matches("[data-goto]")) {
      return;
    }
    if (target.matches("[data-plan]")) {
      // names become hexes; what is no place stays, for the server to say so
      const { THEN, placeTyped } = await import("./desk_typed.js");
      const parts = target.value
        .split(/[,;→>]/)
        .flatMap((part) => part.split(THEN))
        .map((part) => part.trim())
        .filter(Boolean);
      const hexes = parts.map((part) => placeTyped(plan, part) ?? part);
      target.value = hexes.every((part) => /^[\d\s]+$/.test(part))
        ? hexes.join(" ")
        : hexes.join(", ");
    }
    const ship =
      target.matches("[data-to]") && sheet.byShip.get(target.closest("[data-ship]").dataset.ship);
    const words = ship
      ? `${ship.name} → ${sheet.name(sheet.byKey.get(target.value || ship.home))}`
      : target.matches("[data-merge]")
        ? merging(section, target.value)
        : "";
    if (
      step(words || (section ? phrase`${sheet.name(section)} changed` : phrase`orders changed`))
    ) {
      refresh(words);
    }
  }

  /** An order that was typed. */
  function typed({ fleet, intent, to }, words) {
    desk.chosen = fleet.key;
    desk.then = false;
    if (intent) {
      change(words, () => {
        const name = sheet.id("standing", fleet.key);
        if (sheet.has(name)) {
          changes.write(name, intent);
        }
      });
    } else if (!to.length) {
      send(fleet.hex);
    } else {
      to.forEach((hex, n) => send(hex, n > 0));
    }
  }

  /** A key that is the desk's. */
  function keyed(event) {
    const key = event.key.toLowerCase();
    if (key === "z") {
      return event.shiftKey ? redo() : undo();
    }
    if (key === "escape") {
      const inside = $("[data-card]").contains(document.activeElement);
      closeCard();
      if (desk.chosen) {
        choose(null);
      } else {
        draw();
      }
      if (inside) {
        host.focus({ preventScroll: true });
      }
      return;
    }
    if (key === "i") {
      return listed(event);
    }
    if (key === "t") {
      if (pick(desk.chosen)) {
        next(pick(desk.chosen));
      }
      return;
    }
    const all = fleets().filter(
      (fleet) => (fleet.ships.length || fleet.dummy) && !rows.still(fleet),
    );
    const at = all.findIndex((fleet) => fleet.key === desk.chosen);
    const to =
      all[(at + (key === "n" ? 1 : all.length - 1) + (at < 0 && key === "p" ? 1 : 0)) % all.length];
    if (to) {
      choose(to.key);
      map.cursor = to.hex;
      map.shade();
    }
  }

  $("[data-card]").addEventListener("click", (event) => {
    const key = event.target.closest("[data-choose]")?.dataset.choose;
    if (key) {
      choose(key);
      host.focus({ preventScroll: true });
    }
  });
  if (form) {
    const names = document.createElement("datalist");
    names.id = "places";
    form.append(names);
    form.addEventListener("input", ({ target }) => {
      if (target.matches("[data-goto]")) {
        offer(names, target.value);
      }
    });
    $("[data-undo]").addEventListener("click", undo);
    $("[data-redo]").addEventListener("click", redo);
    import("./desk_draw.js").then(({ drawing }) => drawing(desk, move));
    draggable();
  }

  /** Offer the systems that a name may mean which is being typed. */
  function offer(names, typed) {
    const word = typed.trim().toLowerCase();
    const meant = word
      ? ground.systems.filter((system) => system.name.toLowerCase().includes(word))
      : [];
    names.replaceChildren(
      ...meant.slice(0, OFFERED).map((system) => new Option(system.hex, system.name)),
    );
  }

  /** What the eyes on the map mean that was just asked for. */
  function eyes(many) {
    says(
      many
        ? phrase`An eye marks fleets of yours that others may know of, as far as you can tell.`
        : phrase`Nobody knows of your fleets, as far as you can tell.`,
    );
  }

  /** Save the draft; what the server then says of it is read back, line by line, before it is sealed. */
  async function readBack(seal) {
    const reading = import("./readback.js");
    rows.wait();
    const found = await keeper.now();
    if (!found) {
      return says(phrase`The orders cannot be sealed now: the server does not answer.`, true);
    }
    if (found.closed || found.lost) {
      return form.requestSubmit(seal);
    } // the page that answers says why
    const { readBack: show } = await reading;
    const problems = found.faults.length;
    if (!problems) {
      return show(form, seal, phrase`Seal the orders of week ${moment.week}?`, linesToSeal(rows));
    }
    const lines = found.faults.map(({ subject, words }) => ({
      words: subject ? phrase`${subject}: ${words}` : words,
      problem: true,
    }));
    return show(
      form,
      null,
      phrase`${problems} {:problem|problems} to fix before you can seal`,
      lines,
    );
  }

  function draggable() {
    for (const list of form.querySelectorAll("[data-ship] [data-to]")) {
      list.closest("[data-ship]").draggable = true;
    }
  }

  return { choose, picked, looked, listed, clicked, goTo, changed, typed, keyed, eyes, readBack };
}

/** What opens below a line until the form of its fleet is there. */
function emptyForm(section) {
  const more = document.createElement("div");
  const goes = document.createElement("div");
  more.className = "orders-of";
  more.id = `${section.id}-orders`;
  more.dataset.more = "";
  goes.className = "goes";
  goes.dataset.goes = "";
  more.append(goes);
  return more;
}
