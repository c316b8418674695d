// Fields for the further orders of a ship, such as cloaking or jettisoning. The server makes them
// from the ship's order, and turns their values into an order again, so this script does not know
// the notation. Values that the server has not read yet are sent with the form. Loaded when the
// "More" fold of the control panel is opened.

import { announce, inputsIn, isInput } from "./battle_page.js";
import { matches, need } from "./dom.js";
import { nameOf } from "./field.js";
import { phrase } from "./phrase.js";

const FETCH_DELAY = 250; // milliseconds between a change of the order and the request

/**
 * The selected ship and its order.
 * @typedef {{id: string, name: string, text: string}} SelectedShip
 */

/** The fields for the further orders of the selected ship. */
export class FurtherOrderFields {
  #shownId = ""; // the ship whose fields are shown
  #shownText = ""; // the order that the fields show
  #requestCount = 0; // requests so far; answers to older ones are ignored
  #isFilling = false;
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {object} page
   * @param {HTMLDetailsElement} page.fold the element that hides the fields while it is closed
   * @param {HTMLElement} page.box the parent of the fields
   * @param {() => SelectedShip} page.selectedShip
   * @param {(id: string, text: string) => void} page.writeOrder gives a ship another order
   * @param {Record<string, FormField>} page.fields the fields of the form
   */
  constructor({ fold, box, selectedShip, writeOrder, fields }) {
    this.fold = fold;
    this.box = box;
    this.selectedShip = selectedShip;
    this.writeOrder = writeOrder;
    this.fields = fields;
    fold.addEventListener("toggle", () => this.show());
    box.addEventListener("change", () => {
      // Browsers send a change event for a field in focus that is replaced.
      if (!this.#isFilling) {
        this.#fetchFields(true);
      }
    });
    box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && matches(event.target, "input")) {
        event.preventDefault();
        this.#fetchFields(true);
      }
    });
  }

  /** Show the fields for the current order of the selected ship, if the fold is open. */
  show() {
    const { id, text } = this.selectedShip();
    clearTimeout(this.#timer);
    if (id !== this.#shownId) {
      this.#requestCount += 1;
      this.#fill(() => this.box.replaceChildren());
      this.#shownId = id;
      this.#shownText = "";
    }
    const isShown = text === this.#shownText && this.box.firstChild;
    if (this.fold.open && !isShown) {
      this.#timer = window.setTimeout(
        () => this.#fetchFields(false),
        this.box.firstChild ? FETCH_DELAY : 0,
      );
    }
  }

  /**
   * Replace the fields, and ignore the change events that this causes.
   * @param {() => void} fill
   */
  #fill(fill) {
    this.#isFilling = true;
    fill();
    this.#isFilling = false;
  }

  #fieldValues() {
    return inputsIn(this.box, "[name]")
      .filter((field) => !(field instanceof HTMLInputElement) || isSubmitted(field))
      .map((field) => [field.name, field.value]);
  }

  /**
   * Fetch the fields for the order, or the order for the values of the fields.
   * @param {boolean} isChanged whether the player changed the fields
   */
  async #fetchFields(isChanged) {
    const ship = this.selectedShip();
    const [named] = document.getElementsByName(nameOf(this.fields.was, ship.id));
    const lastReadField = isInput(named) ? named : null;
    this.#requestCount += 1;
    const request = this.#requestCount;
    clearTimeout(this.#timer);
    const values = this.#fieldValues();
    const query = this.#query(ship, lastReadField, isChanged ? values : []);
    const answer = await fetch(`${location.pathname}?${query}`).catch(() => null);
    const isTyping = isChanged && String(this.#fieldValues()) !== String(values);
    if (request !== this.#requestCount || isTyping) {
      return; // There is a newer request, or one will follow when the player stops typing.
    }
    if (!answer?.ok) {
      announce(
        phrase`The orders of ${ship.name} cannot be loaded now. They stay in the form.`,
        true,
      );
      return;
    }
    this.#showFields(ship, await answer.text(), lastReadField);
    if (isChanged) {
      this.#announceFaults(ship.name);
    }
  }

  /**
   * Return the query of a request for fields.
   * @param {SelectedShip} ship
   * @param {{name: string, value: string} | null} lastReadField the field with the order that
   *   the server read last
   * @param {string[][]} values the names and values of the changed fields
   */
  #query(ship, lastReadField, values) {
    const order = [nameOf(this.fields.order, ship.id), ship.text];
    const was = lastReadField ? [[lastReadField.name, lastReadField.value]] : [];
    return new URLSearchParams([["panel", ship.id], order, ...was, ...values]);
  }

  /**
   * Show the fields that the server sent, and use the order that they result in.
   * @param {SelectedShip} ship
   * @param {string} markup the HTML of the fields
   * @param {Element & {value: string} | null} lastReadField the field with the order that
   *   the server read last
   */
  #showFields(ship, markup, lastReadField) {
    const focused = document.activeElement;
    const hadFocus = this.box.contains(focused);
    this.#fill(() => {
      this.box.innerHTML = markup;
    });
    this.#shownId = ship.id;
    this.#shownText = need(this.box, "[data-order]", HTMLElement).dataset.order ?? "";
    if (lastReadField) {
      lastReadField.value = this.#shownText;
    }
    if (hadFocus && isInput(focused)) {
      const same = inputsIn(this.box, "[name]").filter(({ name }) => name === focused.name);
      (same.find(({ value }) => value === focused.value) ?? same[0])?.focus();
    }
    if (this.#shownText !== ship.text) {
      this.writeOrder(ship.id, this.#shownText);
    }
  }

  /**
   * Announce the faults that the server found.
   * @param {string} name the ship's name
   */
  #announceFaults(name) {
    const faults = [...this.box.querySelectorAll(".wrong, .fault")];
    if (faults.length) {
      announce(phrase`${name}: ${faults.map((fault) => fault.textContent).join(" ")}`, true);
    }
  }
}

/**
 * Check whether a form would send a field: all but checkboxes without a tick.
 * @param {HTMLInputElement} field
 */
const isSubmitted = (field) => field.type !== "checkbox" || field.checked;
