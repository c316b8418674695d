// What changes the form of a week's orders: fleets are sent, split and merged, orders taken back.

import { find, findAll, html, closest, matches, need } from "./dom.js";
import { DraftSaver } from "./draft_autosave.js";
import { linesToSeal, showFaults } from "./orders_answers.js";
import { together, weeksTo } from "./orders_arrivals.js";
import { Changes } from "./orders_changes.js";
import { keyOf } from "./orders_sheet.js";
import { phrase } from "./phrase.js";

/** @import { OrdersPage } from "./orders.js" */
/** @import { FleetList } from "./orders_list.js" */
/** @import { OrderSheet } from "./orders_sheet.js" */

// Milliseconds after a change until the draft is saved and its lines are drawn anew.
const SOON = 200;
const LONGEST_NAME = 26; // characters of a fleet's name that one of its cripples takes over

/** What can be done to a form of orders. */
export class Editing {
  /** @type {Fault[] | null} what is wrong with the draft; null: nothing was saved yet */
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
    this.saver = new DraftSaver(form, {
      faults: (faults) => {
        this.faults = faults;
        showFaults(list.list, faults);
      },
      saved: (draft) => this.#saved(draft),
    });
    list.opened = (fleet, extendsPlan) => this.#drawForm(fleet, extendsPlan);
  }

  /** @param {SavedDraft} draft */
  #saved(draft) {
    const { page } = this;
    if (draft.plans) {
      page.plan.server = draft.plans;
    }
    this.list.update(/** @type {FleetLines} */ (draft), this.saver.dirty);
    page.refresh();
    if (!this.saver.dirty) {
      // Whoever listens sees the list as it is now.
      document.dispatchEvent(new Event("ordered"));
    }
  }

  /** Save the draft: until the server has answered, the lines speak of the one before. */
  save() {
    this.list.markStale();
    this.saver.later(SOON);
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
      if (line.is_waiting) {
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
    if (plan.needsArrivals(fleet)) {
      plan.fetchArrivals([fleet]).then(() => {
        if (this.step(phrase`${fleet.name} follows its plan`)) {
          this.page.refresh();
        }
      });
      return;
    }
    this.waiting.delete(fleet.key);
    const mayMove = fleet.goals.length > 0 && !fleet.end;
    const halt = mayMove ? plan.halts(fleet, fleet.goals[0])[0] : undefined;
    if (halt) {
      this.changes.orderMove(fleet.key, halt, fleet.goals);
    }
  }

  /**
   * Draw what the chosen fleet is ordered to do, week by week, in its open row.
   * @param {OrderFleet} fleet
   * @param {boolean} extendsPlan whether the next goal goes on with the plan
   */
  #drawForm(fleet, extendsPlan) {
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
    then.setAttribute("aria-pressed", String(extendsPlan));
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
    const odds = html("a", {}, phrase`What if there is a battle there?`);
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
      html("p", { className: "quiet odds-links" }, odds),
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
    const bound = fleet.bound.filter((ship) => this.changes.canLeave(ship));
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
        plainButton("leave", phrase`Leave here`),
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
      { type: "button", ariaLabel: phrase`Remove ${place} from the plan` },
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
    const here = plan.systems.has(fleet.hex) ? fleet.hex : "";
    const place = legs.find((leg) => plan.systems.has(leg.end))?.end ?? here;
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
    const { unfold } = await import("./orders_fleet_form.js");
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
   * @param {boolean} extendsPlan whether the goal is added to the plan
   */
  send(hex, extendsPlan = false) {
    const { page } = this;
    const fleet = page.fleet(page.chosen);
    if (!fleet) {
      return;
    }
    const refusal = this.#whyItStays(fleet);
    if (refusal) {
      page.says(refusal, true);
    } else {
      this.#sendFleet(fleet, hex, extendsPlan);
    }
  }

  /**
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   * @param {boolean} extendsPlan
   */
  #sendFleet(fleet, hex, extendsPlan) {
    const { page, sheet } = this;
    const canPlan = sheet.has(sheet.id("plan", fleet.key));
    const hasPlan = fleet.end !== "" || fleet.goals.length > 0 || page.extendsPlan;
    if (hex === fleet.hex && !extendsPlan) {
      this.stay(fleet);
    } else if (extendsPlan && canPlan && hasPlan) {
      this.#addGoal(fleet, hex);
    } else if (page.plan.needsArrivals(fleet)) {
      this.#sendLater(fleet, hex, extendsPlan);
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
    this.change(phrase`${fleet.name} stays at ${place}`, () =>
      this.changes.orderMove(fleet.key, ""),
    );
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
      says(phrase`${fleet.name} will be there by then: ${plan.name(hex)}.`, true);
      return;
    }
    this.change(phrase`${fleet.name}, then ${plan.name(hex)}`, () =>
      this.changes.orderMove(fleet.key, fleet.end, [...fleet.goals, hex]),
    );
  }

  /**
   * Send a fleet once its arrivals are known.
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   * @param {boolean} extendsPlan
   */
  async #sendLater(fleet, hex, extendsPlan) {
    const { plan, says } = this.page;
    await plan.fetchArrivals([fleet]).catch(() => {});
    if (plan.needsArrivals(fleet)) {
      says(phrase`The routes of ${fleet.name} cannot be loaded now.`, true);
    } else {
      this.send(hex, extendsPlan);
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
      says(phrase`${fleet.name} has no route to ${place}.`, true);
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
        this.changes.orderMove(fleet.key, halts[0] ?? hex, weeks > 1 ? [hex] : []),
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
    const bound = fleet.bound.filter((ship) => changes.canLeave(ship));
    const slot = changes.freeSlot(fleet.hex);
    if (!slot) {
      page.says(phrase`There is no room for another fleet here.`, true);
      return;
    }
    const place = page.plan.name(fleet.hex);
    this.change(phrase`${bound.length} of ${fleet.name} left at ${place}`, () => {
      const key = keyOf(slot);
      const name = sheet.id("name", key);
      if (!sheet.read(name)) {
        changes.write(name, phrase`${fleet.name.slice(0, LONGEST_NAME)} (crippled)`);
      }
      changes.sendShips(bound, key);
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
    const target = key ? sheet.byKey.get(key) : changes.freeSlot(hex);
    if (!target) {
      page.says(phrase`There is no room for another fleet here.`, true);
      return;
    }
    if (target.dataset.hex !== hex) {
      page.says(phrase`Only fleets in the same hex can exchange ships.`, true);
      return;
    }
    const names =
      ships.length > 2
        ? phrase`${ships.length} {:ship|ships}`
        : ships.map((ship) => ship.name).join(phrase` and `);
    this.change(`${names} → ${sheet.name(target)}`, () => changes.sendShips(ships, keyOf(target)));
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
      : phrase`${sheet.name(section)} stays a separate fleet`;
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
      this.changes.orderMove(fleet.key, goals.length ? fleet.end : "", further);
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
    const { THEN, placeTyped } = await import("./orders_typing.js");
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
    page.extendsPlan = false;
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
    list.markStale();
    const draft = await this.saver.now();
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
