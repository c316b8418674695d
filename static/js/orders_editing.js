// Changes the form of a week's orders: sends, splits and merges fleets, undoes steps, and saves the
// draft. Loaded with orders_actions.js.

import { find, findAll, html, closest, matches, need } from "./dom.js";
import { DraftSaver } from "./draft_autosave.js";
import { linesToSeal, showFaults } from "./orders_answers.js";
import { fleetsPresentWith, weeksTo } from "./orders_arrivals.js";
import { Changes } from "./orders_changes.js";
import { keyOf } from "./orders_sheet.js";
import { phrase } from "./phrase.js";

/** @import { OrdersPage } from "./orders.js" */
/** @import { FleetList } from "./orders_list.js" */
/** @import { OrderSheet } from "./orders_sheet.js" */

// Milliseconds after a change until the draft is saved and its lines are redrawn.
const SAVE_DELAY = 200;
const NAME_PART = 26; // characters of a fleet's name used in the name of its crippled ships' fleet

/** The changes to a form of orders. */
export class Editing {
  /** @type {Fault[] | null} the draft's problems; null before it is first saved */
  faults = null;
  /** @type {Map<string, Promise<void>>} running requests for forms, by fleet key */
  formRequests = new Map();
  canDrag = false; // whether the script for dragging ships is loaded
  /** @type {Set<string>} keys of fleets whose plan waits for ships that cannot jump */
  waitingFleets = new Set();

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
      onFaults: (faults) => {
        this.faults = faults;
        showFaults(list.list, faults);
      },
      onSaved: (draft) => this.#onSaved(draft),
    });
    list.onOpen = (fleet, extendsPlan) => this.#drawForm(fleet, extendsPlan);
  }

  /**
   * Show the server's answer to a saved draft.
   * @param {SavedDraft} draft
   */
  #onSaved(draft) {
    const { page } = this;
    if (draft.plans) {
      page.plan.server = draft.plans;
    }
    this.list.update(/** @type {FleetLines} */ (draft), this.saver.dirty);
    page.refresh();
    if (!this.saver.dirty) {
      // Listeners find the list already redrawn.
      document.dispatchEvent(new Event("ordered"));
    }
  }

  /** Save the draft soon. Until the server answers, the lines describe the previous draft. */
  save() {
    this.list.markStale();
    this.saver.saveSoon(SAVE_DELAY);
  }

  /**
   * Make a change as a step that can be undone.
   * @param {string} words what the step does
   * @param {() => void} change
   */
  change(words, change) {
    change();
    this.recordStep(words);
    this.page.refresh(words);
    this.showChosen();
  }

  /**
   * Scroll the row of the chosen fleet into view. Not on a phone, where the page would move under
   * the finger; there the list puts the row first instead.
   */
  showChosen() {
    if (innerWidth > 820) {
      this.page.fleet(this.page.chosenKey)?.section.scrollIntoView({ block: "nearest" });
    }
  }

  /**
   * Store all changes since the last step as a step, and save the draft.
   * @param {string} words what the step did
   * @returns {boolean} whether anything had changed
   */
  recordStep(words) {
    this.#resumePlans();
    const changed = this.changes.recordStep(words, this.page.chosenKey);
    if (changed) {
      this.save();
    }
    return changed;
  }

  /** Resume plans that waited for ships that cannot jump, once these ships have left the fleet. */
  #resumePlans() {
    for (const line of Object.values(this.list.lines)) {
      if (line.is_waiting) {
        this.waitingFleets.add(line.key);
      }
    }
    for (const fleet of this.page.fleets()) {
      const canJump = fleet.ships.length > 0 && !fleet.boundShips.length;
      if (canJump && this.waitingFleets.has(fleet.key)) {
        this.#resumePlan(fleet);
      }
    }
  }

  /**
   * Order the next move of a fleet's plan.
   * @param {OrderFleet} fleet
   */
  #resumePlan(fleet) {
    const { plan } = this.page;
    if (plan.needsArrivals(fleet)) {
      plan.fetchArrivals([fleet]).then(() => {
        if (this.recordStep(phrase`${fleet.name} follows its plan`)) {
          this.page.refresh();
        }
      });
      return;
    }
    this.waitingFleets.delete(fleet.key);
    const hasPlanOnly = fleet.goals.length > 0 && !fleet.end;
    const halt = hasPlanOnly ? plan.halts(fleet, fleet.goals[0])[0] : undefined;
    if (halt) {
      this.changes.orderMove(fleet.key, halt, fleet.goals);
    }
  }

  /**
   * Draw the legs and destination fields of the chosen fleet in its open row.
   * @param {OrderFleet} fleet
   * @param {boolean} extendsPlan whether the next goal is added to the plan
   */
  #drawForm(fleet, extendsPlan) {
    const { section } = fleet;
    if (!section.querySelector("[data-more]")) {
      section.append(emptyForm(section));
    }
    const destination = find(section, "[data-goes]", HTMLElement);
    if ("folded" in section.dataset && !this.formRequests.has(fleet.key)) {
      this.loadForm(fleet)?.then(() => {
        if (this.page.chosenKey === fleet.key) {
          this.page.drawList();
        }
      });
    }
    if (!destination) {
      return;
    }
    const isStuck = Boolean(fleet.stuckReason) && !fleet.end;
    destination.hidden = isStuck;
    const fold = section.querySelector(".grid.move")?.parentElement;
    if (fold) {
      fold.hidden = isStuck;
    }
    if (!destination.children.length) {
      destination.append(...this.#destinationFields(fleet));
    }
    const legs = this.page.plan.legs(fleet).filter((leg) => leg.goal);
    need(destination, "[data-legs]", HTMLElement).replaceChildren(
      ...this.#leaveBehindOffer(fleet),
      ...legs.map((leg, n) => this.#legButton(leg, n)),
    );
    need(destination, "[data-odds]", HTMLAnchorElement).href = this.#oddsAddress(fleet, legs);
    const then = need(destination, "[data-then]", HTMLElement);
    then.setAttribute("aria-pressed", String(extendsPlan));
    then.hidden = !this.sheet.has(this.sheet.id("plan", fleet.key));
  }

  /**
   * Return the fields and buttons for a fleet's destination.
   * @param {OrderFleet} fleet
   */
  #destinationFields({ key, section }) {
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
    const known = this.page.data.known.fleets[key];
    if (known) {
      parts.push(html("p", { className: "quiet known" }, known));
    }
    return parts;
  }

  /**
   * Return an offer to leave behind the ships that cannot jump, if others can.
   * @param {OrderFleet} fleet
   */
  #leaveBehindOffer(fleet) {
    const bound = fleet.boundShips.filter((ship) => this.changes.canLeave(ship));
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
   * Return a leg of the plan with a button that removes it and all later legs.
   * @param {Leg} leg
   * @param {number} n the number of legs before it
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
   * Return the address of the page with the odds of a battle at the fleet's destination.
   * @param {OrderFleet} fleet
   * @param {Leg[]} legs
   */
  #oddsAddress(fleet, legs) {
    const { plan } = this.page;
    const currentSystem = plan.systems.has(fleet.hex) ? fleet.hex : "";
    const place = legs.find((leg) => plan.systems.has(leg.end))?.end ?? currentSystem;
    const fleets = place ? fleetsPresentWith(plan, fleet, place, this.page.fleets()) : [fleet.key];
    const query = new URLSearchParams(place ? [["hex", place]] : []);
    for (const key of fleets) {
      query.append("fleet", key);
    }
    return `../odds/?${query}`;
  }

  /**
   * Load the form of a fleet onto the page.
   * @param {OrderFleet} fleet
   * @returns {Promise<void> | null} null if all forms are on the page already
   */
  loadForm({ key, name }) {
    if (!this.sheet.folds) {
      return null;
    }
    const running = this.formRequests.get(key);
    if (running) {
      return running;
    }
    const request = this.#fetchForm(key)
      .catch((error) => {
        this.page.showMessage(phrase`The other orders of ${name} cannot be loaded now.`, true);
        throw error;
      })
      .finally(() => this.formRequests.delete(key));
    this.formRequests.set(key, request);
    return request;
  }

  /**
   * Load the form of a fleet, and show its problems.
   * @param {string} key the key of the fleet
   */
  async #fetchForm(key) {
    const { unfold } = await import("./orders_fleet_form.js");
    await unfold(this.page, this.sheet, this.list, key);
    if (this.faults) {
      showFaults(this.list.list, this.faults);
    }
    if (this.canDrag) {
      this.makeDraggable();
    }
  }

  /** Make the ships on the page draggable that can be sent to another fleet. */
  makeDraggable() {
    for (const item of findAll(this.form, "[data-ship]", HTMLElement)) {
      if (item.querySelector("[data-to]")) {
        item.draggable = true;
      }
    }
  }

  /**
   * Send the chosen fleet to a hex, or add the hex to its plan.
   * @param {Hex} hex
   * @param {boolean} extendsPlan whether the goal is added to the plan
   */
  send(hex, extendsPlan = false) {
    const { page } = this;
    const fleet = page.fleet(page.chosenKey);
    if (!fleet) {
      return;
    }
    const refusal = this.#refusalToMove(fleet);
    if (refusal) {
      page.showMessage(refusal, true);
    } else {
      this.#sendFleet(fleet, hex, extendsPlan);
    }
  }

  /**
   * Order a fleet that can move to stay, to go further after its plan, or to go to a hex.
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   * @param {boolean} extendsPlan whether the hex is added to the plan
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
      this.#sendOnceArrivalsLoaded(fleet, hex, extendsPlan);
    } else {
      this.#move(fleet, hex, canPlan);
    }
  }

  /**
   * Return why a fleet cannot move; empty if it can.
   * @param {OrderFleet} fleet
   */
  #refusalToMove(fleet) {
    if (fleet.mergedInto) {
      return phrase`${fleet.name}: ${fleet.mergedInto}.`;
    }
    if (!this.list.cannotMove(fleet)) {
      return "";
    }
    return fleet.stuckReason
      ? phrase`${fleet.name} stays where it is: ${fleet.stuckReason}.`
      : phrase`${fleet.name} stays where it is.`;
  }

  /**
   * Order a fleet to stay where it is, unless it must leave.
   * @param {OrderFleet} fleet
   */
  stay(fleet) {
    if (fleet.section.dataset.must !== undefined) {
      this.page.showMessage(phrase`${fleet.name} must move this week: it cannot stay.`, true);
      return;
    }
    const place = this.page.plan.name(fleet.hex);
    this.change(phrase`${fleet.name} stays at ${place}`, () =>
      this.changes.orderMove(fleet.key, ""),
    );
    this.#confirmStay(fleet.key);
    this.save();
  }

  /**
   * Add a hex to the end of a fleet's plan.
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   */
  #addGoal(fleet, hex) {
    const { plan, showMessage } = this.page;
    const last = plan.legs(fleet).at(-1)?.end ?? fleet.hex;
    if (last === hex) {
      showMessage(phrase`${fleet.name} will be there by then: ${plan.name(hex)}.`, true);
      return;
    }
    this.change(phrase`${fleet.name}, then ${plan.name(hex)}`, () =>
      this.changes.orderMove(fleet.key, fleet.end, [...fleet.goals, hex]),
    );
  }

  /**
   * Send a fleet once its arrivals are loaded.
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   * @param {boolean} extendsPlan
   */
  async #sendOnceArrivalsLoaded(fleet, hex, extendsPlan) {
    const { plan, showMessage } = this.page;
    await plan.fetchArrivals([fleet]).catch(() => {});
    if (plan.needsArrivals(fleet)) {
      showMessage(phrase`The routes of ${fleet.name} cannot be loaded now.`, true);
    } else {
      this.send(hex, extendsPlan);
    }
  }

  /**
   * Order a move if the fleet can arrive in time.
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   * @param {boolean} canPlan whether the fleet can have orders for later weeks
   */
  #move(fleet, hex, canPlan) {
    const { plan, moment, ground, showMessage } = this.page;
    const place = plan.name(hex);
    const weeks = weeksTo(plan, fleet, hex);
    const arrival = moment.week + weeks - 1;
    if (!weeks) {
      showMessage(phrase`${fleet.name} has no route to ${place}.`, true);
    } else if (weeks > 1 && !canPlan) {
      showMessage(phrase`${place} is out of ${fleet.name}'s reach this week.`, true);
    } else if (arrival > ground.weeks) {
      showMessage(
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
   * Store that the player wants a fleet to stay, so that it does not count as without orders.
   * @param {string} key
   */
  #confirmStay(key) {
    const field = need(this.form, "[data-stays]", HTMLInputElement);
    field.value = [...new Set([...field.value.split(" "), key])].join(" ").trim();
  }

  /**
   * Leave the ships that cannot jump behind as a new fleet.
   * @param {OrderFleet} fleet
   */
  leaveBehind(fleet) {
    const { page, sheet, changes } = this;
    const bound = fleet.boundShips.filter((ship) => changes.canLeave(ship));
    const slot = changes.freeSlot(fleet.hex);
    if (!slot) {
      page.showMessage(phrase`There is no room for another fleet here.`, true);
      return;
    }
    const place = page.plan.name(fleet.hex);
    this.change(phrase`${bound.length} of ${fleet.name} left at ${place}`, () => {
      const key = keyOf(slot);
      const name = sheet.id("name", key);
      if (!sheet.read(name)) {
        changes.write(name, phrase`${fleet.name.slice(0, NAME_PART)} (crippled)`);
      }
      changes.sendShips(bound, key);
      this.#confirmStay(key);
    });
  }

  /**
   * Move ships to another fleet in their hex, or to a new one.
   * @param {OrderShip[]} ships
   * @param {string} key the key of the fleet; empty for a new one
   */
  moveShips(ships, key) {
    const { sheet, changes, page } = this;
    if (!ships.length) {
      return;
    }
    const hex = sheet.byKey.get(ships[0].home)?.dataset.hex ?? "";
    const target = key ? sheet.byKey.get(key) : changes.freeSlot(hex);
    if (!target) {
      page.showMessage(phrase`There is no room for another fleet here.`, true);
      return;
    }
    if (target.dataset.hex !== hex) {
      page.showMessage(phrase`Only fleets in the same hex can exchange ships.`, true);
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
   * @param {OrderFleet} target
   */
  merge(fleet, target) {
    const list = find(fleet.section, "[data-merge]", HTMLSelectElement);
    if (![...(list?.options ?? [])].some((option) => option.value === target.key)) {
      this.moveShips(fleet.ships, target.key);
      return;
    }
    this.change(this.#mergeInWords(fleet.section, target.key), () =>
      this.changes.write(this.sheet.id("merge", fleet.key), target.key),
    );
  }

  /**
   * Return an order to merge, or not to merge, in words.
   * @param {HTMLElement} section
   * @param {string} key the key of the fleet to merge into; empty to stay separate
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
      this.page.chosenKey = step.chosenKey;
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
   * Handle a changed field of the form: store the change as a step.
   * @param {EventTarget | null} target
   */
  async fieldChanged(target) {
    if (matches(target, "[data-goto]")) {
      return;
    }
    if (target instanceof HTMLInputElement && target.matches("[data-plan]")) {
      await this.#parsePlan(target);
    }
    const section = closest(target, "[data-fleet]", HTMLElement);
    if (section && target instanceof HTMLSelectElement && target.matches("[data-all-ships]")) {
      const { orderAllShips } = await import("./orders_all_ships.js");
      orderAllShips(section, target);
    }
    const words = this.#changeInWords(target, section);
    const fallback = section ? phrase`${this.sheet.name(section)} changed` : phrase`orders changed`;
    if (this.recordStep(words || fallback)) {
      this.page.refresh(words);
    }
  }

  /**
   * Replace the names in a plan by hexes. Unknown names stay, so that the server reports them.
   * @param {HTMLInputElement} field
   */
  async #parsePlan(field) {
    const { THEN, parsePlace } = await import("./orders_typing.js");
    const parts = field.value
      .split(/[,;→>]/)
      .flatMap((part) => part.split(THEN))
      .map((part) => part.trim())
      .filter(Boolean);
    const hexes = parts.map((part) => parsePlace(this.page.plan, part) ?? part);
    const areHexes = hexes.every((part) => /^[\d\s]+$/.test(part));
    field.value = hexes.join(areHexes ? " " : ", ");
  }

  /**
   * Return a change of a list in words; empty for other fields.
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
   * Give an order that was typed.
   * @param {Exclude<TypedOrder, {fault: string}>} order
   * @param {string} words
   */
  giveTypedOrder({ fleet, intent, to }, words) {
    const { page, sheet, changes } = this;
    page.chosenKey = fleet.key;
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
   * Save the draft, then show its lines for the player to confirm before it is sealed.
   * @param {HTMLButtonElement} seal the button that seals
   */
  async readBack(seal) {
    const { form, list, page } = this;
    const loading = import("./readback.js");
    list.markStale();
    const draft = await this.saver.saveNow();
    if (!draft) {
      page.showMessage(phrase`The orders cannot be sealed now: the server does not answer.`, true);
      return;
    }
    if (draft.closed || draft.lost) {
      form.requestSubmit(seal); // The next page explains why nothing is sealed.
      return;
    }
    const { readBack } = await loading;
    const { faults = [] } = draft;
    if (!faults.length) {
      const title = phrase`Seal the orders for week ${page.moment.week}?`;
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
 * Return a button for an action.
 * @param {string} action the name of its data attribute
 * @param {string} words the label
 */
function plainButton(action, words) {
  const button = html("button", { type: "button", className: "plainly" }, words);
  button.dataset[action] = "";
  return button;
}

/**
 * Return an empty form to open below a line until the form of its fleet is loaded.
 * @param {HTMLElement} section
 */
function emptyForm(section) {
  const goes = html("div", { className: "goes" });
  goes.dataset.goes = "";
  const form = html("div", { className: "orders-of", id: `${section.id}-orders` }, goes);
  form.dataset.more = "";
  return form;
}
