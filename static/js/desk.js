// The admiral's desk: a week's orders on the star map, in the list, by keys and by typing. Every way of giving one ends in
// the fields of the plain form (desk_sheet.js), which is all that the server reads, and every step can be taken back.

import { StarMap, tools } from "./chart.js";
import { esc } from "./chart_marks.js";
import { data, layers, told } from "./chart_view.js";
import { Plan, orderTyped, placeTyped } from "./desk_plan.js";
import { Rows } from "./desk_rows.js";
import { Sheet } from "./desk_sheet.js";
import { Keeper } from "./desk_keep.js";
import { readBack } from "./readback.js";

const $ = (what) => document.querySelector(what);
const given = data("desk"), host = $("[data-map]"), form = $("form[data-orders]");
if (given && host) begin();

function begin() {
  document.body.classList.add("live");
  const { ground, moment, me } = given, seat = ground.powers[me].seat;
  const narrow = () => innerWidth <= 820;
  const plan = new Plan(ground, moment, given.reach, given.plans ?? {});
  const shown = { contacts: true, plans: true, routes: true };
  let chosen = null, then = false, doubted = null, resting = 0;

  for (const notice of document.querySelectorAll("main > .notice")) $(".lists").prepend(notice);
  host.setAttribute("role", "application");
  host.setAttribute("aria-roledescription", "star map");
  host.classList.toggle("owns-wheel", !narrow()); // the page itself does not scroll there
  const map = new StarMap(host, ground, { pick: picked, look: looked, drags: Boolean(form), pad: narrow() ? [22, 10, 66, 26] : [84, 16, 64, 26] });
  tools(map, $("[data-tools]"));
  for (const box of document.querySelectorAll("[data-tools], [data-layers]")) box.hidden = false;

  const sheet = form && new Sheet(form), rows = form && new Rows($("[data-list]"), sheet, plan, seat);
  const keeper = form && new Keeper(form, { faults: (found) => { rows.blame(found); refresh(); }, told: (found) => { if (found.plans) { plan.server = found.plans; refresh(); } } });
  // Past weeks are loaded when the slider is first moved, their script with them.
  let weeks = { now: true, moment, ways: () => [] };
  const slider = $("[data-weeks]");
  if (slider) {
    slider.hidden = false;
    slider.addEventListener("input", async () => { const { Weeks } = await import("./desk_weeks.js"); weeks = new Weeks(slider, moment, { show: () => refresh(), says }); weeks.move(); }, { once: true });
  }
  if (rows) rows.blame(given.faults ?? []);

  function says(words, bad) {
    clearTimeout(resting);
    const box = $("[data-map-says]");
    box.textContent = words;
    box.classList.toggle("bad", Boolean(bad));
  }

  const fleets = () => (sheet ? sheet.fleets() : []);
  const pick = (key) => fleets().find((fleet) => fleet.key === key);

  /** Change something, as a step that can be taken back. */
  function change(words, act) {
    act();
    if (sheet.step(words, chosen)) keeper.later();
    refresh(words);
  }

  function choose(key, words) {
    chosen = key;
    then = false;
    map.cursor = null;
    closeCard();
    const fleet = pick(key);
    refresh(words ?? (fleet ? (rows.still(fleet) ? `${fleet.name} stays where it is.` : `${fleet.name}: choose where it goes. Shift adds a further week.`) : "Nothing chosen."));
    // On a phone the page would move under the finger; there the chosen line comes first instead.
    if (!narrow()) fleet?.section.scrollIntoView({ block: "nearest" });
  }

  function send(hex, add) {
    const fleet = pick(chosen);
    if (!fleet) return;
    if (rows.still(fleet)) return says(`${fleet.name} stays where it is${fleet.stuck ? `: ${fleet.stuck}` : ""}.`, true);
    const plans = Boolean(sheet.field(fleet.section, "plan"));
    if (hex === fleet.hex && !add) return change(`${fleet.name} stays at ${plan.name(hex)}`, () => { sheet.go(fleet.section, ""); rows.looked.add(fleet.key); });
    if (add && plans && (fleet.end || fleet.goals.length || then)) {
      const last = plan.legs(fleet).at(-1)?.end ?? fleet.hex;
      if (last === hex) return says(`${fleet.name} is at ${plan.name(hex)} then.`, true);
      return change(`${fleet.name}, then ${plan.name(hex)}`, () => sheet.go(fleet.section, fleet.end, [...fleet.goals, hex]));
    }
    const week = plan.weeks(fleet, hex), arrives = moment.week + week - 1;
    if (!week) return says(`No way leads ${fleet.name} to ${plan.name(hex)}.`, true);
    if (week > 1 && !plans) return says(`${plan.name(hex)} is out of ${fleet.name}'s reach this week.`, true);
    if (arrives > ground.weeks) return says(`${plan.name(hex)} is too far away: ${fleet.name} would arrive after the end of the war.`, true);
    const halts = plan.halts(fleet, hex);
    change(`${fleet.name} → ${plan.name(hex)}, week ${arrives}`, () => sheet.go(fleet.section, halts[0] ?? hex, week > 1 ? [hex] : []));
  }

  /** Leave those that cannot jump behind, in a fleet of their own. */
  function leave(fleet) {
    const bound = fleet.bound.filter((ship) => ship.to), slot = sheet.slot(fleet.hex);
    if (!slot) return says("There is no room for a further fleet here.", true);
    change(`${bound.length} of ${fleet.name} left at ${plan.name(fleet.hex)}`, () => {
      const name = slot.querySelector("input[name^='name-']");
      if (name && !name.value) name.value = `${fleet.name.slice(0, 29)} (cripples)`;
      sheet.send(bound, slot.dataset.fleet);
      rows.looked.add(slot.dataset.fleet);
    });
  }

  /** Ships to another fleet in their hex, or to a new one (`key` empty). */
  function move(ships, key) {
    if (!ships.length) return;
    const to = key ? sheet.byKey.get(key) : sheet.slot(sheet.byKey.get(ships[0].home).dataset.hex);
    if (!to || to.dataset.hex !== sheet.byKey.get(ships[0].home).dataset.hex) return says(to ? "Only fleets in the same hex exchange ships." : "There is no room for a further fleet here.", true);
    const names = ships.length > 2 ? `${ships.length} ships` : ships.map((ship) => ship.name).join(" and ");
    change(`${names} → ${sheet.name(to)}`, () => sheet.send(ships, to.dataset.fleet));
  }

  // ——— the map

  function picked({ hex, key, shift, drop, typed }) {
    if (!hex || !weeks.now) return;
    if (!form) return card(hex, typed);
    if (drop && pick(drop)) {
      const fleet = pick(drop), others = fleets().filter((one) => one.hex === hex && one.key !== drop && one.ships.length);
      chosen = drop;
      if (hex === fleet.hex && others.length === 1) return move(fleet.ships, others[0].key); // drawn onto its neighbour: merged
      return send(hex, shift);
    }
    if (key && pick(key)) return choose(key);
    const here = fleets().filter((fleet) => fleet.hex === hex && (fleet.ships.length || fleet.dummy));
    if (chosen && !(key === "" && here.length && hex !== pick(chosen)?.hex && !shift)) { map.cursor = typed ? hex : null; return send(hex, shift || then); }
    if (here.length === 1) return choose(here[0].key);
    doubted = moment.contacts.find((one) => one.hex === hex && one.age && !one.gone) ?? null;
    card(hex, typed);
    draw();
  }

  function looked(hex, dragged) {
    if (!hex) return;
    const fleet = pick(dragged ?? chosen), where = told(ground, weeks.moment, hex).join("; ");
    let words = `${where}.`;
    if (fleet && weeks.now && !rows.still(fleet)) {
      const week = plan.weeks(fleet, hex);
      words += hex === fleet.hex ? ` ${fleet.name} is here.` : week ? ` ${fleet.name}: ${plan.when(moment.week + week - 1)}.` : ` ${fleet.name} does not get there.`;
    }
    clearTimeout(resting);
    resting = setTimeout(() => says(words), 80); // spoken where the pointer or the cursor rests
  }

  /** A card with everything in a hex. */
  function card(hex, typed) {
    const box = $("[data-card]"), here = (form ? fleets() : moment.fleets).filter((fleet) => fleet.hex === hex && (!fleet.ships || fleet.ships.length || fleet.dummy));
    const [title, ...rest] = told(ground, moment, hex), doubt = doubted ? ` By now it may be anywhere within ${doubted.age * ground.jump} hexes.` : "";
    if (!here.length && !rest.length) return closeCard();
    box.innerHTML = `<h2>${esc(title)}</h2><p>${esc(rest.join("; ") || "Nothing known of it")}.${esc(doubt)}</p><ul>${here.map((fleet) => `<li><button type="button" ${form ? `data-choose="${esc(fleet.key)}"` : "disabled"}>${esc(fleet.name)}<span class="kinds">${rows ? rows.kinds(fleet.n) : esc(fleet.words ?? "")}</span></button></li>`).join("")}</ul><button class="x" type="button" data-close aria-label="Close">✕</button>`;
    box.hidden = false;
    const [x, y] = map.at(hex), [w, h] = map.size();
    box.style.left = `${Math.max(8, Math.min(w - 296, x + 24))}px`;
    box.style.top = `${Math.max(60, Math.min(h - 240, y - 20))}px`;
    if (typed) box.querySelector("button")?.focus();
  }

  function closeCard() { $("[data-card]").hidden = true; doubted = null; }

  function draw() {
    const live = weeks.now, all = live ? fleets() : [], fleet = live ? all.find((one) => one.key === chosen) : null;
    const seen = layers(ground, weeks.moment, me), notes = new Map(moment.fleets.map((one) => [one.key, one]));
    const own = !live || !form ? seen.fleets : [...all.filter((one) => one.ships.length || one.dummy).map((one) => ({
      key: one.key, name: one.name, hex: one.hex, n: one.n, seat, dummy: one.dummy, ftl: notes.get(one.key)?.ftl,
      code: one.dummy ? moment.dummies.find((dummy) => dummy.key === one.key)?.code : undefined,
      on: one.key === chosen, todo: !rows.still(one) && !rows.ordered(one),
    }))];
    const ways = shown.routes ? [...seen.ways, ...weeks.ways(seat)] : [], eta = new Map();
    if (live && shown.plans) {
      for (const one of all) for (const leg of plan.legs(one)) {
        const hexes = leg.path?.length ? [leg.from, ...leg.path] : [leg.from, leg.end], now = leg.week === moment.week;
        ways.push({ hexes, seat, cls: now ? "" : "later", tip: leg.goal, week: leg.week && !plan.place.has(leg.end) ? leg.week : 0 });
      }
      for (const way of given.ways) ways.push({ hexes: way.hexes, seat, tip: true });
      if (!form) for (const told of Object.values(given.plans ?? {})) {
        let at = told.end;
        for (const leg of told.legs) { ways.push({ hexes: [at, leg.end], seat, cls: "later", tip: leg.goal, week: plan.place.has(leg.end) ? 0 : leg.week }); at = leg.end; }
      }
    }
    let reach = null;
    if (fleet && !rows.still(fleet)) {
      reach = plan.bands(fleet);
      for (const system of ground.systems) { const week = system.hex === fleet.hex ? 0 : plan.weeks(fleet, system.hex); if (week) eta.set(system.hex, plan.when(moment.week + week - 1)); }
    }
    const rings = doubted && live ? [{ hex: doubted.hex, far: Math.min(99, doubted.age * ground.jump), seat: ground.powers[doubted.power]?.seat, cls: "doubt" }] : [];
    map.show({ ...seen, fleets: own, contacts: shown.contacts ? seen.contacts : [], ways, reach, eta, rings, fan: fleet?.hex, start: fleet?.hex ?? own[0]?.hex });
    $(".stage").classList.toggle("past", !live);
  }

  // ——— the list

  function refresh(words) {
    if (sheet) {
      const all = fleets(), counts = rows.draw(all, chosen, then), last = (steps) => (steps.length ? steps.at(-1).words : "");
      const ready = counts.done + counts.still;
      $("[data-count]").textContent = counts.troubled ? `${counts.troubled} fleet${counts.troubled > 1 ? "s" : ""} in trouble` : counts.todo ? `${counts.done} of ${counts.done + counts.todo} fleets ordered` : ready ? "Every fleet is ordered" : "";
      for (const [what, steps, verb] of [["undo", sheet.past, "Undo"], ["redo", sheet.future, "Redo"]]) {
        const button = $(`[data-${what}]`);
        button.disabled = !steps.length;
        button.setAttribute("aria-label", steps.length ? `${verb}: ${last(steps)}` : verb);
        button.title = steps.length ? `${verb}: ${last(steps)}` : "";
      }
    }
    if (words) says(words);
    draw();
  }

  if (form) {
    readBack(form, { title: `Seal the orders of week ${moment.week}?`, lines: () => fleets().filter((fleet) => fleet.ships.length || fleet.dummy).map((fleet) => `${fleet.name}: ${plan.sentence(fleet, rows.looked.has(fleet.key)) || `stays at ${plan.name(fleet.hex)}${rows.still(fleet) ? "" : ", no order"}`}`) });
    const list = $("[data-list]");
    $("[data-typing]").hidden = false;
    const names = document.createElement("datalist");
    names.id = "places";
    names.innerHTML = ground.systems.map((system) => `<option value="${esc(system.name)}">${system.hex}</option>`).join("");
    form.append(names);

    const undo = () => { const step = sheet.back(); if (step) { keeper.later(); chosen = step.chosen; refresh(`Undone: ${step.words}`); } };
    const redo = () => { const step = sheet.on(); if (step) { keeper.later(); refresh(`Redone: ${step.words}`); } };
    $("[data-undo]").addEventListener("click", undo);
    $("[data-redo]").addEventListener("click", redo);

    list.addEventListener("click", (event) => {
      const on = (name) => event.target.closest(`[data-${name}]`), fleet = pick(chosen);
      if (on("choose")) return choose(on("choose").dataset.choose === chosen ? null : on("choose").dataset.choose);
      if (!fleet) return;
      if (on("leave")) return leave(fleet);
      if (on("stay")) return send(fleet.hex);
      if (on("go")) return goTo(on("go").parentElement.querySelector("[data-goto]"));
      if (on("then")) { then = !then; return refresh(then ? `${fleet.name}: choose where it goes after that.` : `${fleet.name}: choose where it goes.`); }
      if (on("drop")) {
        const legs = plan.legs(fleet).filter((leg) => leg.goal), kept = legs.slice(0, Number(on("drop").dataset.drop)).map((leg) => leg.end);
        change(`${fleet.name}: plan shortened`, () => { const now = kept.length ? fleet.end : ""; sheet.go(fleet.section, now, kept.filter((hex, n) => n > 0 || hex !== fleet.end)); });
      }
    });
    list.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.target.matches("[data-goto]")) return;
      event.preventDefault();
      goTo(event.target, event.shiftKey);
    });
    form.addEventListener("change", (event) => {
      const section = event.target.closest("[data-fleet]");
      if (event.target.matches("[data-plan]")) { // names become hexes; what is no place stays, for the server to say so
        const parts = event.target.value.split(/\bthen\b|[,;→>]/i).map((part) => part.trim()).filter(Boolean), hexes = parts.map((part) => placeTyped(plan, part) ?? part);
        event.target.value = hexes.every((part) => /^[\d\s]+$/.test(part)) ? hexes.join(" ") : hexes.join(", ");
      }
      if (event.target.matches("[data-goto]") || !sheet.step(section ? `${sheet.name(section)} changed` : "orders changed", chosen)) return;
      keeper.later();
      refresh();
    });
    const goTo = (field, add) => {
      const hex = placeTyped(plan, field.value);
      if (!hex) return says(`No system or hex is called "${field.value}".`, true);
      field.value = "";
      send(hex, add || then);
    };

    // Ships are drawn from fleet to fleet, whole fleets onto one another.
    let drawn = null;
    list.addEventListener("dragstart", (event) => {
      const item = event.target.closest?.("[data-ship]");
      if (!item) return;
      const ticked = sheet.crew.find((ship) => ship.item === item);
      drawn = [ticked];
      event.dataTransfer.setData("text/plain", ticked.name);
      event.dataTransfer.effectAllowed = "move";
      $("[data-new-fleet]").hidden = false;
    });
    const under = (event) => event.target.closest?.("[data-fleet], [data-new-fleet]");
    list.addEventListener("dragover", (event) => { if (drawn && under(event)) { event.preventDefault(); under(event).classList.add("over"); } });
    list.addEventListener("dragleave", (event) => under(event)?.classList.remove("over"));
    list.addEventListener("drop", (event) => {
      const to = under(event);
      if (!drawn || !to) return;
      event.preventDefault();
      to.classList.remove("over");
      move(drawn, to.dataset.fleet ?? "");
    });
    list.addEventListener("dragend", () => { drawn = null; $("[data-new-fleet]").hidden = true; });

    // Typing: "hammer merrills then hudson".
    const typed = $("#typed"), out = $("[data-typed-says]"), able = () => fleets().filter((fleet) => fleet.ships.length || fleet.dummy);
    const does = (got) => (got.intent ? `${got.fleet.name}: ${{ fight: "fights", "stand-off": "stands off", withdraw: "withdraws if met" }[got.intent]}` : `${got.fleet.name} → ${got.to.map((hex) => plan.name(hex)).join(", then ") || "stays"}`);
    typed.addEventListener("input", () => {
      const got = typed.value.trim() ? orderTyped(plan, able(), typed.value) : null;
      out.classList.toggle("bad", Boolean(got?.fault));
      out.textContent = got ? got.fault ?? `${does(got)}. Enter orders it.` : "";
    });
    typed.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { typed.value = ""; out.textContent = ""; host.focus(); }
      if (event.key !== "Enter") return;
      event.preventDefault();
      const got = orderTyped(plan, able(), typed.value);
      if (got.fault) { out.classList.add("bad"); out.textContent = got.fault; return; }
      chosen = got.fleet.key;
      then = false;
      if (got.intent) change(does(got), () => { const list = got.fleet.section.querySelector("select[name^='standing-']"); if (list) list.value = got.intent; });
      else if (!got.to.length) send(got.fleet.hex);
      else got.to.forEach((hex, n) => send(hex, n > 0));
      typed.value = "";
      out.textContent = "";
    });

    document.addEventListener("keydown", (event) => {
      const typing = event.target.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select"), key = event.key.toLowerCase();
      if ((event.ctrlKey || event.metaKey) && key === "z" && !typing) { event.preventDefault(); if (event.shiftKey) redo(); else undo(); } else if (event.ctrlKey || event.metaKey || event.altKey) return;
      else if (key === "/" && !typing && document.body.dataset.keys !== "off") { event.preventDefault(); typed.focus(); } else if (key === "escape" && !typing) { closeCard(); if (chosen) choose(null); } else if ((key === "n" || key === "p") && event.target === host) {
        const all = able().filter((fleet) => !rows.still(fleet)), at = all.findIndex((fleet) => fleet.key === chosen), to = all[(at + (key === "n" ? 1 : all.length - 1) + (at < 0 && key === "p" ? 1 : 0)) % all.length];
        if (to) { choose(to.key); map.cursor = to.hex; map.shade(); }
      } else if (key === "t" && chosen && event.target === host) { then = !then; refresh(then ? "Next: where it goes after that." : "Replaces the plan."); }
    });
  }

  $("[data-card]").addEventListener("click", (event) => {
    const key = event.target.closest("[data-choose]")?.dataset.choose;
    if (key) { choose(key); host.focus({ preventScroll: true }); } else if (event.target.closest("[data-close]")) { closeCard(); draw(); host.focus({ preventScroll: true }); }
  });
  $("[data-layers]").addEventListener("click", (event) => {
    const button = event.target.closest("[data-layer]");
    if (!button) return;
    shown[button.dataset.layer] = !shown[button.dataset.layer];
    button.setAttribute("aria-pressed", shown[button.dataset.layer]);
    draw();
  });

  const asked = new URLSearchParams(location.search).get("fleet");
  refresh(form ? "Choose a fleet, then where it goes." : "Sealed. The map shows what is ordered.");
  if (asked && pick(asked)) choose(asked);
  if (host.clientWidth < 560) { const first = fleets().find((fleet) => !rows?.still(fleet)) ?? moment.fleets[0]; if (first) map.go(first.hex, Math.max(map.least, 0.86)); }
}
