// Writes changes into the sheet of a week's orders (orders_sheet.js) as steps that can be undone.

import { keyOf } from "./orders_sheet.js";

/** @import { Field, OrderSheet } from "./orders_sheet.js" */

/**
 * Return whether a field is a list that has an option with this value.
 * @param {Field} field
 * @param {string} value
 */
const offers = (field, value) =>
  field instanceof HTMLSelectElement && [...field.options].some((option) => option.value === value);

/**
 * Write a text into a field. A list without such an option gets one.
 * @param {Field} field
 * @param {string} value
 */
export function fill(field, value) {
  field.value = value;
  if (field.value !== value && field instanceof HTMLSelectElement) {
    field.add(new Option(value, value, false, true));
  }
}

/**
 * Write a value into a field: its text, or whether it is ticked.
 * @param {Field} field
 * @param {FieldValue} value
 */
export function writeInto(field, value) {
  if (typeof value === "string") {
    fill(field, value);
  } else if (field instanceof HTMLInputElement) {
    field.checked = value;
  }
}

/** Changes to a sheet, and its undo history. */
export class Changes {
  /** @param {OrderSheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
  }

  /**
   * Store all changes since the last step as one step that can be undone.
   * @param {string} words what the step did
   * @param {string | null} chosenKey the key of the chosen fleet
   * @returns {boolean} whether anything had changed
   */
  recordStep(words, chosenKey) {
    const { sheet } = this;
    const state = sheet.state();
    if ([...state].every(([id, value]) => value === (sheet.lastState.get(id) ?? ""))) {
      return false;
    }
    sheet.undoSteps.push({ words, state: sheet.lastState, chosenKey });
    sheet.redoSteps.length = 0;
    sheet.lastState = state;
    return true;
  }

  /**
   * Write a value into a field, on the page or not.
   * @param {string} id
   * @param {FieldValue} value
   */
  write(id, value) {
    const field = this.sheet.onPage.get(id);
    if (field) {
      writeInto(field, value);
    } else {
      this.sheet.offPage.set(id, value);
    }
    this.sheet.invalidate();
  }

  undo() {
    return this.#move(this.sheet.undoSteps, this.sheet.redoSteps);
  }

  redo() {
    return this.#move(this.sheet.redoSteps, this.sheet.undoSteps);
  }

  /**
   * Move the last step from one list to the other, and restore the fields that it stored.
   * @param {OrderStep[]} from
   * @param {OrderStep[]} to
   * @returns {OrderStep | null} the step; null if the list is empty
   */
  #move(from, to) {
    const { sheet } = this;
    const step = from.pop();
    if (!step) {
      return null;
    }
    to.push({ ...step, state: sheet.lastState });
    for (const [id, value] of sheet.lastState) {
      const before = step.state.get(id) ?? (typeof value === "string" ? "" : false);
      if (before !== value) {
        this.write(id, before);
      }
    }
    sheet.lastState = sheet.state();
    return step;
  }

  /**
   * Order a fleet to move, and set its plan.
   * @param {string} key
   * @param {Hex} end the hex at the end of this week; empty to stay
   * @param {Hex[]} goals the goals of later weeks
   */
  orderMove(key, end, goals = []) {
    const { sheet } = this;
    const move = sheet.id("move", key);
    if (!sheet.has(move)) {
      return;
    }
    const list = sheet.onPage.get(move);
    const isListed = !end || !list || offers(list, end);
    this.write(move, isListed ? end : "");
    this.write(sheet.id("path", key), isListed ? "" : end);
    if (sheet.has(sheet.id("plan", key))) {
      this.write(sheet.id("plan", key), goals.join(" "));
    }
  }

  /**
   * Return an unused section for a new fleet in a hex.
   * @param {Hex} hex
   */
  freeSlot(hex) {
    const { sheet } = this;
    const fleets = sheet.fleets().filter((fleet) => fleet.ships.length);
    const used = new Set(fleets.map((fleet) => fleet.key));
    return sheet.sections.find(
      (section) =>
        section.classList.contains("new") &&
        section.dataset.hex === hex &&
        !used.has(keyOf(section)),
    );
  }

  /**
   * Send ships to a fleet in the same hex, or back to the fleet they came from.
   * @param {OrderShip[]} ships
   * @param {string} key
   */
  sendShips(ships, key) {
    const { sheet } = this;
    for (const ship of ships.filter((other) => this.#canSend(other, key))) {
      const isHome = ship.home === key;
      this.write(ship.ids.to, isHome ? "" : key);
      if (isHome && sheet.has(sheet.id("merge", key))) {
        this.write(sheet.id("merge", key), "");
      }
    }
  }

  /**
   * Return whether the form has a field that sends a ship to another fleet.
   * @param {OrderShip} ship
   */
  canLeave(ship) {
    return this.sheet.has(ship.ids.to);
  }

  /**
   * Return whether a ship can be sent to a fleet.
   * @param {OrderShip} ship
   * @param {string} key the key of the fleet
   */
  #canSend(ship, key) {
    const list = this.sheet.onPage.get(ship.ids.to);
    if (!list) {
      return this.sheet.offPage.has(ship.ids.to);
    }
    return ship.home === key || offers(list, key);
  }
}
