// What is written into the sheet of a week's orders (orders_sheet.js), step by step, so that every
// step can be undone.

import { keyOf } from "./orders_sheet.js";

/** @import { Field, OrderSheet } from "./orders_sheet.js" */

/**
 * Say whether a list offers a value.
 * @param {Field} field
 * @param {string} value
 */
const offers = (field, value) =>
  field instanceof HTMLSelectElement && [...field.options].some((option) => option.value === value);

/**
 * Write a text into a field; a list gets what it did not offer.
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
 * Write a text into a field, or tick it.
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

/** Changes a sheet. */
export class Changes {
  /** @param {OrderSheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
  }

  /**
   * Keep what has been changed as one step.
   * @param {string} words
   * @param {string | null} chosen the key of the fleet that is chosen
   * @returns {boolean} whether anything was
   */
  step(words, chosen) {
    const { sheet } = this;
    const state = sheet.state();
    if ([...state].every(([id, value]) => value === (sheet.lastState.get(id) ?? ""))) {
      return false;
    }
    sheet.past.push({ words, state: sheet.lastState, chosen });
    sheet.future.length = 0;
    sheet.lastState = state;
    return true;
  }

  /**
   * Write a text into a field, or tick its box, whether it is on the page or not.
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
    return this.#move(this.sheet.past, this.sheet.future);
  }

  redo() {
    return this.#move(this.sheet.future, this.sheet.past);
  }

  /**
   * Move a step from one list to the other.
   * @param {OrderStep[]} from
   * @param {OrderStep[]} to
   * @returns {OrderStep | null} the step, if there is one
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
   * Order a fleet a move and a plan.
   * @param {string} key
   * @param {Hex} end empty: it stays
   * @param {Hex[]} goals
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
   * Return the section of a fleet that may be formed in a hex and is not yet.
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
   * Send ships to a fleet in the same hex; back to their own where it is that.
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
   * Say whether a ship could be sent to another fleet, as far as is known.
   * @param {OrderShip} ship
   */
  canLeave(ship) {
    return this.sheet.has(ship.ids.to);
  }

  /**
   * @param {OrderShip} ship
   * @param {string} key of a fleet
   */
  #canSend(ship, key) {
    const list = this.sheet.onPage.get(ship.ids.to);
    if (!list) {
      return this.sheet.offPage.has(ship.ids.to);
    }
    return ship.home === key || offers(list, key);
  }
}
