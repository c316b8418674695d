// What a player does on the orders page: fleets are chosen, sent, split and merged, orders taken back.
// Fetched with the first touch.

import { Card, hexAsked } from "./chart_card.js";
import { hexInWords, told } from "./chart_told.js";
import { doubtfulContact } from "./chart_view.js";
import { closest, find, findAll, html, matches, need } from "./dom.js";
import { Keeper } from "./draft_keep.js";
import { kinds } from "./kinds.js";
import { linesToSeal, showFaults } from "./orders_answers.js";
import { arrivals, bands, together, weekWords, weeksTo } from "./orders_arrivals.js";
import { Changes } from "./orders_changes.js";
import { keyOf } from "./orders_sheet.js";
import { phrase } from "./phrase.js";

/** @import { OrdersPage } from "./orders.js" */
/** @import { FleetList } from "./orders_list.js" */
/** @import { OrderSheet } from "./orders_sheet.js" */

const OFFERED = 20; // systems in the list below the field of a place
const SOON = 200; // milliseconds after a change until the draft is saved and its lines are drawn anew
const LONGEST_NAME = 26; // characters of a fleet's name that one of its cripples takes over

/** What can be done to a form of orders. */
class Editing {
  /** @type {Fault[] | null} what the server finds wrong with the draft; null: nothing was saved yet */
  faults = null;
  /** @type {Map<string, Promise<void>>} forms of fleets on their way */
  bringing = new Map();
  /** @type {Set<string>} fleets whose plan waits for ships that cannot jump */
  waiting = new Set();

  /**
   * @param {OrdersPage} page
   * @param {HTMLFormElement} form
   * @param {OrderSheet} sheet
   * @param {FleetList} list
   */
  constructor(page, form, sheet, list) {
    this.page = page;
    this.form = form;
    this.sheet = sheet;
    this.list = list;
    this.changes = new Changes(sheet);
    this.keeper = new Keeper(form, {
      faults: (faults) => {
        this.faults = faults;
        showFaults(list.list, faults);
      },
      told: (draft) => this.#saved(draft),
    });
    list.opened = (fleet, isThen) => this.#drawForm(fleet, isThen);
  }

  /** @param {SavedDraft} draft */
  #saved(draft) {
    const { page } = this;
    if (draft.plans) {
      page.plan.server = draft.plans;
    }
    this.list.update(/** @type {FleetLines} */ (draft), this.keeper.dirty);
    page.refresh();
    if (!this.keeper.dirty) {
      // Whoever listens sees the list as it is now.
      document.dispatchEvent(new Event("ordered"));
    }
  }

  /** Save the draft: until the server has answered, the lines speak of the one before. */
  save() {
    this.list.wait();
    this.keeper.later(SOON);
  }

  /**
   * Change something, as a step that can be undone.
   * @param {string} words
   * @param {() => void} change
   */
  change(words, change) {
    change();
    this.step(words);
    this.page.refresh(words);
    this.showChosen();
  }

  /**
   * Bring the chosen row into sight, wherever it is now. On a phone the page would move under the
   * finger; there it comes first instead.
   */
  showChosen() {
    if (innerWidth > 820) {
      this.page.fleet(this.page.chosen)?.section.scrollIntoView({ block: "nearest" });
    }
  }

  /**
   * Keep what has changed as a step.
   * @param {string} words
   * @returns {boolean} whether anything has
   */
  step(words) {
    this.#resumePlans();
    const changed = this.changes.step(words, this.page.chosen);
    if (changed) {
      this.save();
    }
    return changed;
  }

  /** Let plans that waited for ships that cannot jump go on as soon as these are elsewhere. */
  #resumePlans() {
    for (const line of Object.values(this.list.lines)) {
      if (line.waits) {
        this.waiting.add(line.key);
      }
    }
    for (const fleet of this.page.fleets()) {
      const isFree = fleet.ships.length > 0 && !fleet.bound.length;
      if (isFree && this.waiting.has(fleet.key)) {
        this.#resumePlan(fleet);
      }
    }
  }

  /** @param {OrderFleet} fleet */
  #resumePlan(fleet) {
    const { plan } = this.page;
    if (plan.wants(fleet)) {
      plan.ask([fleet]).then(() => {
        if (this.step(phrase`${fleet.name} goes on with its plan`)) {
          this.page.refresh();
        }
      });
      return;
    }
    this.waiting.delete(fleet.key);
    const mayMove = fleet.goals.length > 0 && !fleet.end;
    const halt = mayMove ? plan.halts(fleet, fleet.goals[0])[0] : undefined;
    if (halt) {
      this.changes.go(fleet.key, halt, fleet.goals);
    }
  }

  /**
   * Draw what the chosen fleet is ordered to do, week by week, in its open row.
   * @param {OrderFleet} fleet
   * @param {boolean} isThen whether the next goal goes on with the plan
   */
  #drawForm(fleet, isThen) {
    const { section } = fleet;
    if (!section.querySelector("[data-more]")) {
      section.append(emptyForm(section));
    }
    const goes = find(section, "[data-goes]", HTMLElement);
    if ("folded" in section.dataset && !this.bringing.has(fleet.key)) {
      this.bringForm(fleet)?.then(() => {
        if (this.page.chosen === fleet.key) {
          this.page.drawList();
        }
      });
    }
    if (!goes) {
      return;
    }
    const isStuck = Boolean(fleet.stuck) && !fleet.end;
    goes.hidden = isStuck;
    const fold = section.querySelector(".grid.move")?.parentElement;
    if (fold) {
      fold.hidden = isStuck;
    }
    if (!goes.children.length) {
      goes.append(...this.#goesFields(fleet));
    }
    const legs = this.page.plan.legs(fleet).filter((leg) => leg.goal);
    need(goes, "[data-legs]", HTMLElement).replaceChildren(
      ...this.#cripples(fleet),
      ...legs.map((leg, n) => this.#legButton(leg, n)),
    );
    need(goes, "[data-odds]", HTMLAnchorElement).href = this.#oddsAddress(fleet, legs);
    const then = need(goes, "[data-then]", HTMLElement);
    then.setAttribute("aria-pressed", String(isThen));
    then.hidden = !this.sheet.has(this.sheet.id("plan", fleet.key));
  }

  /**
   * Return the fields that say where a fleet goes.
   * @param {OrderFleet} fleet
   */
  #goesFields({ key, section }) {
    const id = `goto-${section.id}`;
    const label = html("label", { className: "visually-hidden", htmlFor: id }, phrase`Goes to`);
    const field = html("input", { id, placeholder: phrase`system or hex`, autocomplete: "off" });
    field.setAttribute("list", "places");
    field.dataset.goto = "";
    const then = plainButton("then", phrase`Then…`);
    then.setAttribute("aria-pressed", "false");
    const legs = html("div", { className: "legs" });
    legs.dataset.legs = "";
    const odds = html("a", {}, phrase`What if it comes to a battle there?`);
    odds.dataset.odds = "";
    const parts = [
      legs,
      html(
        "div",
        { className: "goto" },
        label,
        field,
        plainButton("go", phrase`Go`),
        then,
        plainButton("stay", phrase`Stay`),
      ),
      html("p", { className: "quiet reckons" }, odds),
    ];
    const known = this.page.given.known.fleets[key];
    if (known) {
      parts.push(html("p", { className: "quiet known" }, known));
    }
    return parts;
  }

  /**
   * Return the offer to leave ships that cannot jump behind, where there are others.
   * @param {OrderFleet} fleet
   */
  #cripples(fleet) {
    const bound = fleet.bound.filter((ship) => this.changes.sendable(ship));
    if (!bound.length || bound.length === fleet.ships.length) {
      return [];
    }
    const names = bound.map((ship) => ship.name).join(", ");
    const words = html("b", {}, phrase`${bound.length} cannot jump:`);
    return [
      html(
        "div",
        { className: "cripples" },
        html("p", {}, words, ` ${names}`),
        plainButton("leave", phrase`Leave behind here`),
      ),
    ];
  }

  /**
   * @param {Leg} leg
   * @param {number} n
   */
  #legButton(leg, n) {
    const { plan } = this.page;
    const place = plan.name(leg.end);
    const drop = html(
      "button",
      { type: "button", ariaLabel: phrase`Take ${place} out of the plan` },
      "✕",
    );
    drop.dataset.drop = String(n);
    const week = html("b", {}, leg.week ? phrase`wk ${leg.week}` : phrase`later`);
    const part = html("span", { className: "leg" }, week, ` ${place}`, drop);
    part.classList.toggle("later", leg.week !== plan.moment.week);
    return part;
  }

  /**
   * Return the address of the odds, for a battle where the fleet goes.
   * @param {OrderFleet} fleet
   * @param {Leg[]} legs
   */
  #oddsAddress(fleet, legs) {
    const { plan } = this.page;
    const here = plan.place.has(fleet.hex) ? fleet.hex : "";
    const place = legs.find((leg) => plan.place.has(leg.end))?.end ?? here;
    const fleets = place ? together(plan, fleet, place, this.page.fleets()) : [fleet.key];
    const query = new URLSearchParams(place ? [["hex", place]] : []);
    for (const key of fleets) {
      query.append("fleet", key);
    }
    return `../odds/?${query}`;
  }

  /**
   * Bring the form of a fleet onto the page.
   * @param {OrderFleet} fleet
   * @returns {Promise<void> | null} null where all forms are on the page
   */
  bringForm({ key, name }) {
    if (!this.sheet.folds) {
      return null;
    }
    const running = this.bringing.get(key);
    if (running) {
      return running;
    }
    const request = this.#fetchForm(key)
      .catch((error) => {
        this.page.says(phrase`The other orders of ${name} cannot be loaded now.`, true);
        throw error;
      })
      .finally(() => this.bringing.delete(key));
    this.bringing.set(key, request);
    return request;
  }

  /** @param {string} key */
  async #fetchForm(key) {
    const { unfold } = await import("./orders_unfold.js");
    await unfold(this.page, this.sheet, this.list, key);
    if (this.faults) {
      showFaults(this.list.list, this.faults);
    }
    this.makeDraggable();
  }

  makeDraggable() {
    for (const item of findAll(this.form, "[data-ship]", HTMLElement)) {
      if (item.querySelector("[data-to]")) {
        item.draggable = true;
      }
    }
  }

  /**
   * Order the chosen fleet a move, or a further goal of its plan.
   * @param {Hex} hex
   * @param {boolean} isThen whether the goal is added to the plan
   */
  send(hex, isThen = false) {
    const { page, sheet } = this;
    const fleet = page.fleet(page.chosen);
    if (!fleet) {
      return;
    }
    const refusal = this.#whyItStays(fleet);
    if (refusal) {
      page.says(refusal, true);
      return;
    }
    const canPlan = sheet.has(sheet.id("plan", fleet.key));
    const hasOrders = Boolean(fleet.end) || fleet.goals.length > 0;
    if (hex === fleet.hex && !isThen) {
      this.stay(fleet);
    } else if (isThen && canPlan && (hasOrders || page.isThen)) {
      this.#addGoal(fleet, hex);
    } else if (page.plan.wants(fleet)) {
      this.#sendLater(fleet, hex, isThen);
    } else {
      this.#move(fleet, hex, canPlan);
    }
  }

  /** @param {OrderFleet} fleet */
  #whyItStays(fleet) {
    if (fleet.gone) {
      return phrase`${fleet.name}: ${fleet.gone}.`;
    }
    if (!this.list.cannotMove(fleet)) {
      return "";
    }
    return fleet.stuck
      ? phrase`${fleet.name} stays where it is: ${fleet.stuck}.`
      : phrase`${fleet.name} stays where it is.`;
  }

  /** @param {OrderFleet} fleet */
  stay(fleet) {
    const place = this.page.plan.name(fleet.hex);
    this.change(phrase`${fleet.name} stays at ${place}`, () => this.changes.go(fleet.key, ""));
    this.#confirmStay(fleet.key);
    this.save();
  }

  /**
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   */
  #addGoal(fleet, hex) {
    const { plan, says } = this.page;
    const last = plan.legs(fleet).at(-1)?.end ?? fleet.hex;
    if (last === hex) {
      says(phrase`${fleet.name} is at ${plan.name(hex)} then.`, true);
      return;
    }
    this.change(phrase`${fleet.name}, then ${plan.name(hex)}`, () =>
      this.changes.go(fleet.key, fleet.end, [...fleet.goals, hex]),
    );
  }

  /**
   * Send a fleet once its arrivals are known.
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   * @param {boolean} isThen
   */
  async #sendLater(fleet, hex, isThen) {
    const { plan, says } = this.page;
    await plan.ask([fleet]).catch(() => {});
    if (plan.wants(fleet)) {
      says(phrase`The ways of ${fleet.name} cannot be loaded now.`, true);
    } else {
      this.send(hex, isThen);
    }
  }

  /**
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   * @param {boolean} canPlan
   */
  #move(fleet, hex, canPlan) {
    const { plan, moment, ground, says } = this.page;
    const place = plan.name(hex);
    const weeks = weeksTo(plan, fleet, hex);
    const arrival = moment.week + weeks - 1;
    if (!weeks) {
      says(phrase`No way leads ${fleet.name} to ${place}.`, true);
    } else if (weeks > 1 && !canPlan) {
      says(phrase`${place} is out of ${fleet.name}'s reach this week.`, true);
    } else if (arrival > ground.weeks) {
      says(
        phrase`${place} is too far away: ${fleet.name} would arrive after the end of the war.`,
        true,
      );
    } else {
      const halts = plan.halts(fleet, hex);
      this.change(phrase`${fleet.name} → ${place}, week ${arrival}`, () =>
        this.changes.go(fleet.key, halts[0] ?? hex, weeks > 1 ? [hex] : []),
      );
    }
  }

  /**
   * Note that the player has said that a fleet stays: the server need not ask for its orders.
   * @param {string} key
   */
  #confirmStay(key) {
    const field = need(this.form, "[data-stays]", HTMLInputElement);
    field.value = [...new Set([...field.value.split(" "), key])].join(" ").trim();
  }

  /**
   * Leave the ships that cannot jump behind, in a fleet of their own.
   * @param {OrderFleet} fleet
   */
  leaveBehind(fleet) {
    const { page, sheet, changes } = this;
    const bound = fleet.bound.filter((ship) => changes.sendable(ship));
    const slot = changes.slot(fleet.hex);
    if (!slot) {
      page.says(phrase`There is no room for a further fleet here.`, true);
      return;
    }
    const place = page.plan.name(fleet.hex);
    this.change(phrase`${bound.length} of ${fleet.name} left at ${place}`, () => {
      const key = keyOf(slot);
      const name = sheet.id("name", key);
      if (!sheet.read(name)) {
        changes.write(name, phrase`${fleet.name.slice(0, LONGEST_NAME)} (cripples)`);
      }
      changes.send(bound, key);
      this.#confirmStay(key);
    });
  }

  /**
   * Move ships to another fleet in their hex, or to a new one.
   * @param {OrderShip[]} ships
   * @param {string} key empty: a new one
   */
  moveShips(ships, key) {
    const { sheet, changes, page } = this;
    if (!ships.length) {
      return;
    }
    const hex = sheet.byKey.get(ships[0].home)?.dataset.hex ?? "";
    const target = key ? sheet.byKey.get(key) : changes.slot(hex);
    if (!target) {
      page.says(phrase`There is no room for a further fleet here.`, true);
      return;
    }
    if (target.dataset.hex !== hex) {
      page.says(phrase`Only fleets in the same hex exchange ships.`, true);
      return;
    }
    const names =
      ships.length > 2
        ? phrase`${ships.length} {:ship|ships}`
        : ships.map((ship) => ship.name).join(phrase` and `);
    this.change(`${names} → ${sheet.name(target)}`, () => changes.send(ships, keyOf(target)));
  }

  /**
   * Merge a whole fleet into another in its hex.
   * @param {OrderFleet} fleet
   * @param {OrderFleet} into
   */
  merge(fleet, into) {
    const list = find(fleet.section, "[data-merge]", HTMLSelectElement);
    if (![...(list?.options ?? [])].some((option) => option.value === into.key)) {
      this.moveShips(fleet.ships, into.key);
      return;
    }
    this.change(this.#mergeInWords(fleet.section, into.key), () =>
      this.changes.write(this.sheet.id("merge", fleet.key), into.key),
    );
  }

  /**
   * @param {HTMLElement} section
   * @param {string} key of the fleet it is merged into; empty: of none
   */
  #mergeInWords(section, key) {
    const { sheet } = this;
    const target = sheet.byKey.get(key);
    return target
      ? phrase`${sheet.name(section)} merged into ${sheet.name(target)}`
      : phrase`${sheet.name(section)} stays a fleet of its own`;
  }

  undo() {
    const step = this.changes.undo();
    if (step) {
      this.save();
      this.page.chosen = step.chosen;
      this.page.refresh(phrase`Undone: ${step.words}`);
    }
  }

  redo() {
    const step = this.changes.redo();
    if (step) {
      this.save();
      this.page.refresh(phrase`Redone: ${step.words}`);
    }
  }

  /**
   * Keep only the first goals of a fleet's plan.
   * @param {OrderFleet} fleet
   * @param {number} count
   */
  shortenPlan(fleet, count) {
    const legs = this.page.plan.legs(fleet).filter((leg) => leg.goal);
    const goals = legs.slice(0, count).map((leg) => leg.end);
    this.change(phrase`${fleet.name}: plan shortened`, () => {
      const further = goals.filter((hex, n) => n > 0 || hex !== fleet.end);
      this.changes.go(fleet.key, goals.length ? fleet.end : "", further);
    });
  }

  /**
   * Take over what was changed in a field of the form.
   * @param {EventTarget | null} target
   */
  async fieldChanged(target) {
    if (matches(target, "[data-goto]")) {
      return;
    }
    if (target instanceof HTMLInputElement && target.matches("[data-plan]")) {
      await this.#readPlan(target);
    }
    const section = closest(target, "[data-fleet]", HTMLElement);
    const words = this.#changeInWords(target, section);
    const fallback = section ? phrase`${this.sheet.name(section)} changed` : phrase`orders changed`;
    if (this.step(words || fallback)) {
      this.page.refresh(words);
    }
  }

  /**
   * Turn the names in a plan into hexes. What is no place stays, for the server to say so.
   * @param {HTMLInputElement} field
   */
  async #readPlan(field) {
    const { THEN, placeTyped } = await import("./orders_typed.js");
    const parts = field.value
      .split(/[,;→>]/)
      .flatMap((part) => part.split(THEN))
      .map((part) => part.trim())
      .filter(Boolean);
    const hexes = parts.map((part) => placeTyped(this.page.plan, part) ?? part);
    const areHexes = hexes.every((part) => /^[\d\s]+$/.test(part));
    field.value = hexes.join(areHexes ? " " : ", ");
  }

  /**
   * @param {EventTarget | null} target
   * @param {HTMLElement | null} section
   */
  #changeInWords(target, section) {
    const { sheet } = this;
    if (!(target instanceof HTMLSelectElement)) {
      return "";
    }
    const ship = sheet.byShip.get(closest(target, "[data-ship]", HTMLElement)?.dataset.ship ?? "");
    if (ship && target.matches("[data-to]")) {
      const fleet = sheet.byKey.get(target.value || ship.home);
      return fleet ? `${ship.name} → ${sheet.name(fleet)}` : "";
    }
    return section && target.matches("[data-merge]")
      ? this.#mergeInWords(section, target.value)
      : "";
  }

  /**
   * Order what was typed.
   * @param {Exclude<TypedOrder, {fault: string}>} order
   * @param {string} words
   */
  typed({ fleet, intent, to }, words) {
    const { page, sheet, changes } = this;
    page.chosen = fleet.key;
    page.isThen = false;
    if (intent !== undefined) {
      this.change(words, () => {
        const field = sheet.id("standing", fleet.key);
        if (sheet.has(field)) {
          changes.write(field, intent);
        }
      });
      return;
    }
    if (!to.length) {
      this.send(fleet.hex);
    }
    for (const [n, hex] of to.entries()) {
      this.send(hex, n > 0);
    }
  }

  /**
   * Save the draft; what the server says of it is read back, line by line, before it is sealed.
   * @param {HTMLButtonElement} seal
   */
  async readBack(seal) {
    const { form, list, page } = this;
    const loading = import("./readback.js");
    list.wait();
    const draft = await this.keeper.now();
    if (!draft) {
      page.says(phrase`The orders cannot be sealed now: the server does not answer.`, true);
      return;
    }
    if (draft.closed || draft.lost) {
      form.requestSubmit(seal); // The page that answers says why.
      return;
    }
    const { readBack } = await loading;
    const { faults = [] } = draft;
    if (!faults.length) {
      const title = phrase`Seal the orders of week ${page.moment.week}?`;
      readBack(form, seal, title, linesToSeal(list));
      return;
    }
    const lines = faults.map(({ subject, words }) => ({
      words: subject ? phrase`${subject}: ${words}` : words,
      problem: true,
    }));
    const title = phrase`${faults.length} {:problem|problems} to fix before you can seal`;
    readBack(form, null, title, lines);
  }
}

/** What can be done on the page, whether there is a form or the orders are sealed. */
export class OrdersActions {
  /** @param {OrdersPage} page */
  constructor(page) {
    const { form, sheet, list } = page;
    this.page = page;
    this.card = new Card(page.map, page.card, () => {
      page.doubted = null;
      page.draw();
    });
    const reachOf = bands(page.plan);
    page.reached = (fleet) => ({ reach: reachOf(fleet), eta: arrivals(page.plan, fleet) });
    page.card.addEventListener("click", ({ target }) => {
      const key = closest(target, "[data-choose]", HTMLElement)?.dataset.choose;
      if (key) {
        this.choose(key);
        page.host.focus({ preventScroll: true });
      }
    });
    this.editing = form && sheet && list && new Editing(page, form, sheet, list);
    if (form && sheet && this.editing) {
      this.#listen(form, sheet, this.editing);
    }
  }

  /**
   * @param {HTMLFormElement} form
   * @param {OrderSheet} sheet
   * @param {Editing} editing
   */
  #listen(form, sheet, editing) {
    const { ground, says } = this.page;
    const places = html("datalist", { id: "places" });
    form.append(places);
    form.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement && target.matches("[data-goto]")) {
        offerSystems(ground, places, target.value);
      }
    });
    const undo = need(document, "[data-undo]", HTMLElement);
    undo.addEventListener("click", () => editing.undo());
    const redo = need(document, "[data-redo]", HTMLElement);
    redo.addEventListener("click", () => editing.redo());
    import("./orders_drag.js").then(({ drawing }) => {
      drawing(sheet, says, (ships, key) => editing.moveShips(ships, key));
    });
    editing.makeDraggable();
  }

  /** @param {OrderFleet | undefined} fleet that is chosen */
  #chosenInWords(fleet) {
    if (!fleet) {
      return phrase`Nothing chosen.`;
    }
    if (this.page.list?.cannotMove(fleet)) {
      return phrase`${fleet.name} stays where it is.`;
    }
    return matchMedia("(pointer: coarse)").matches
      ? phrase`${fleet.name}: choose where it goes. "Then…" adds a further week.`
      : phrase`${fleet.name}: choose where it goes. Shift adds a further week.`;
  }

  /** @param {string | null} key null: choose none */
  choose(key) {
    const { page } = this;
    page.chosen = key;
    page.isThen = false;
    page.map.cursor = null;
    this.#closeCard();
    const fleet = page.fleet(key);
    page.refresh(this.#chosenInWords(fleet));
    if (fleet && page.plan.wants(fleet)) {
      page.plan.ask([fleet]).then(() => {
        if (page.chosen === key) {
          page.draw();
        }
      });
    }
    this.editing?.showChosen();
  }

  /**
   * Answer a click on the map.
   * @param {MapPick} pick
   */
  picked(pick) {
    const { page, editing } = this;
    const { hex, typed } = pick;
    if (!hex || !page.isNow) {
      return;
    }
    if (!editing) {
      this.#showCard(hex, typed);
      return;
    }
    const dragged = pick.drop === undefined ? undefined : page.fleet(pick.drop);
    if (dragged) {
      this.#dropped(editing, dragged, hex, pick);
      return;
    }
    if (pick.key && page.fleet(pick.key)) {
      this.choose(pick.key);
      return;
    }
    this.#pickedHex(editing, hex, pick);
  }

  /**
   * Answer a flag that was dragged: onto another in its hex it is merged, elsewhere it is sent.
   * @param {Editing} editing
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   * @param {MapPick} pick
   */
  async #dropped(editing, fleet, hex, { onto, shift }) {
    const { page } = this;
    page.chosen = fleet.key;
    if (onto === fleet.key) {
      page.refresh(phrase`${fleet.name} stays as it was.`);
      return;
    }
    const other = page.fleet(onto);
    if (other?.hex !== fleet.hex) {
      editing.send(hex, shift);
      return;
    }
    await editing.bringForm(fleet);
    editing.merge(page.fleet(fleet.key) ?? fleet, other);
  }

  /**
   * Answer a click on a hex: the chosen fleet goes there, or a fleet that is there is chosen.
   * @param {Editing} editing
   * @param {Hex} hex
   * @param {MapPick} pick
   */
  #pickedHex(editing, hex, { key, shift, typed }) {
    const { page } = this;
    const here = this.#fleetsIn(hex);
    const isOtherStack = key === "" && here.length > 0 && !shift;
    const isElsewhere = hex !== page.fleet(page.chosen)?.hex;
    if (page.chosen && !(isOtherStack && isElsewhere)) {
      page.map.cursor = typed ? hex : null;
      editing.send(hex, shift || page.isThen);
      return;
    }
    if (here.length === 1) {
      this.choose(here[0].key);
      return;
    }
    page.doubted = doubtfulContact(page.moment, hex);
    this.#showCard(hex, typed);
    page.draw();
  }

  /** @param {Hex} hex */
  #fleetsIn(hex) {
    return this.page
      .fleets()
      .filter((fleet) => fleet.hex === hex && (fleet.ships.length || fleet.dummy));
  }

  /**
   * Say what is in the hex under the pointer or the cursor, and when the fleet would be there.
   * @param {Hex | null} hex
   * @param {string} [dragged] the key of the flag that is dragged there
   */
  looked(hex, dragged) {
    const { page } = this;
    if (!hex) {
      return;
    }
    const moment = page.past?.moment ?? page.moment;
    const fleet = page.fleet(dragged ?? page.chosen);
    const canSay = fleet && page.isNow && !page.list?.cannotMove(fleet) && !page.plan.wants(fleet);
    const words = hexInWords(page.ground, moment, hex);
    page.saysAtRest(canSay ? `${words} ${this.#arrivalInWords(fleet, hex)}` : words);
  }

  /**
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   */
  #arrivalInWords(fleet, hex) {
    const { plan, moment } = this.page;
    if (hex === fleet.hex) {
      return phrase`${fleet.name} is here.`;
    }
    const weeks = weeksTo(plan, fleet, hex);
    return weeks
      ? phrase`${fleet.name}: ${weekWords(plan, moment.week + weeks - 1)}.`
      : phrase`${fleet.name} does not get there.`;
  }

  /**
   * Show the list of a hex that was asked for, whatever is chosen: by the other button of the mouse,
   * by `i`.
   * @param {Event} event
   */
  listed(event) {
    const { page } = this;
    const hex = hexAsked(page.map, event);
    if (!hex || !page.isNow) {
      return;
    }
    page.doubted = doubtfulContact(page.moment, hex);
    this.#showCard(hex, event.type === "keydown", true);
    page.draw();
  }

  /**
   * Show a card with everything in a hex.
   * @param {Hex} hex
   * @param {boolean} [typed] whether it was asked for by a key
   * @param {boolean} [evenEmpty] whether also where there is nothing
   */
  #showCard(hex, typed, evenEmpty = false) {
    const { page } = this;
    const { ground, moment, doubted } = page;
    const [title, ...facts] = told(ground, moment, hex);
    const rows = this.#cardRows(hex);
    if (!rows.length && !facts.length && !evenEmpty) {
      this.#closeCard();
      return;
    }
    const doubt = doubted
      ? ` ${phrase`By now it may be anywhere within ${doubted.age * ground.jump} hexes.`}`
      : "";
    const says = facts.length ? `${facts.join(phrase`; `)}.${doubt}` : "";
    this.card.show(hex, { title, says, rows }, typed);
  }

  /** @param {Hex} hex */
  #cardRows(hex) {
    if (this.editing) {
      return this.#fleetsIn(hex).map((fleet) => {
        const row = cardRow(fleet.name, kinds(fleet.n));
        row.dataset.choose = fleet.key;
        return row;
      });
    }
    const fleets = this.page.moment.fleets.filter((fleet) => fleet.hex === hex);
    return fleets.map((fleet) => {
      const row = cardRow(fleet.name, [fleet.words]);
      row.disabled = true;
      return row;
    });
  }

  #closeCard() {
    this.card.close();
    this.page.doubted = null;
  }

  /**
   * Answer a click in the list.
   * @param {EventTarget | null} target
   */
  clicked(target) {
    const { page, editing } = this;
    /** @param {string} name */
    const pressed = (name) => closest(target, `[data-${name}]`, HTMLElement);
    const key = pressed("choose")?.dataset.choose;
    if (key !== undefined) {
      this.choose(key === page.chosen ? null : key);
      return;
    }
    const fleet = page.fleet(page.chosen);
    if (!fleet || !editing) {
      return;
    }
    const go = pressed("go");
    const drop = pressed("drop");
    if (pressed("leave")) {
      editing.leaveBehind(fleet);
    } else if (pressed("stay")) {
      editing.send(fleet.hex);
    } else if (go) {
      this.goTo(need(go.parentElement ?? document, "[data-goto]", HTMLInputElement));
    } else if (pressed("then")) {
      this.#toggleThen(fleet);
    } else if (drop) {
      editing.shortenPlan(fleet, Number(drop.dataset.drop));
    }
  }

  /**
   * Let the next goal go on with the plan, or begin it anew.
   * @param {OrderFleet} fleet
   */
  #toggleThen(fleet) {
    const { page } = this;
    page.isThen = !page.isThen;
    page.refresh(
      page.isThen
        ? phrase`${fleet.name}: choose where it goes after that.`
        : phrase`${fleet.name}: choose where it goes.`,
    );
  }

  /**
   * Send the chosen fleet to a place that was typed in its row.
   * @param {HTMLInputElement} field
   * @param {boolean} isThen whether it is added to the plan
   */
  async goTo(field, isThen = false) {
    const { page } = this;
    const { placeTyped } = await import("./orders_typed.js");
    const hex = placeTyped(page.plan, field.value);
    if (!hex) {
      page.says(phrase`No system or hex is called "${field.value}".`, true);
      return;
    }
    field.value = "";
    this.editing?.send(hex, isThen || page.isThen);
  }

  /** @param {EventTarget | null} target a field of the form that has changed */
  changed(target) {
    return this.editing?.fieldChanged(target);
  }

  /**
   * @param {Exclude<TypedOrder, {fault: string}>} order
   * @param {string} words
   */
  typed(order, words) {
    this.editing?.typed(order, words);
  }

  /** @param {KeyboardEvent} event a key that is for the page */
  keyed(event) {
    const { page, editing } = this;
    const key = event.key.toLowerCase();
    const fleet = page.fleet(page.chosen);
    if (key === "z" && event.shiftKey) {
      editing?.redo();
    } else if (key === "z") {
      editing?.undo();
    } else if (key === "escape") {
      this.#leave();
    } else if (key === "i") {
      this.listed(event);
    } else if (key === "t" && fleet) {
      this.#toggleThen(fleet);
    } else if (key === "n") {
      this.#chooseNext(1);
    } else if (key === "p") {
      this.#chooseNext(-1);
    }
  }

  /** Close the card, and choose nothing. */
  #leave() {
    const { page } = this;
    const hadFocus = page.card.contains(document.activeElement);
    this.#closeCard();
    if (page.chosen) {
      this.choose(null);
    } else {
      page.draw();
    }
    if (hadFocus) {
      page.host.focus({ preventScroll: true });
    }
  }

  /** @param {1 | -1} step to the next or the previous fleet that can be sent */
  #chooseNext(step) {
    const { page } = this;
    const fleets = page
      .fleets()
      .filter((fleet) => (fleet.ships.length || fleet.dummy) && !page.list?.cannotMove(fleet));
    const current = fleets.findIndex((fleet) => fleet.key === page.chosen);
    const start = current < 0 && step < 0 ? 0 : current;
    const next = fleets.at((start + step) % fleets.length);
    if (next) {
      this.choose(next.key);
      page.map.cursor = next.hex;
      page.map.shade();
    }
  }

  /**
   * Say what the eyes on the map mean that was just asked for.
   * @param {number} count
   */
  eyes(count) {
    this.page.says(
      count
        ? phrase`An eye marks fleets of yours that others may know of, as far as you can tell.`
        : phrase`Nobody knows of your fleets, as far as you can tell.`,
    );
  }

  /** @param {HTMLButtonElement} seal */
  readBack(seal) {
    return this.editing?.readBack(seal);
  }
}

/**
 * @param {string} action
 * @param {string} words
 */
function plainButton(action, words) {
  const button = html("button", { type: "button", className: "plainly" }, words);
  button.dataset[action] = "";
  return button;
}

/**
 * @param {string} name
 * @param {(Node | string)[]} ships
 */
const cardRow = (name, ships) =>
  html("button", { type: "button" }, `${name} `, html("span", { className: "kinds" }, ...ships));

/**
 * Offer the systems that a name may mean which is being typed.
 * @param {MapGround} ground
 * @param {HTMLDataListElement} list
 * @param {string} typed
 */
function offerSystems(ground, list, typed) {
  const word = typed.trim().toLowerCase();
  const systems = word
    ? ground.systems.filter((system) => system.name.toLowerCase().includes(word))
    : [];
  const options = systems.slice(0, OFFERED).map(({ hex, name }) => new Option(hex, name));
  list.replaceChildren(...options);
}

/**
 * Return what opens below a line until the form of its fleet is there.
 * @param {HTMLElement} section
 */
function emptyForm(section) {
  const goes = html("div", { className: "goes" });
  goes.dataset.goes = "";
  const form = html("div", { className: "orders-of", id: `${section.id}-orders` }, goes);
  form.dataset.more = "";
  return form;
}
