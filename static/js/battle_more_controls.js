// What a ship says seldom in its plot: fields that the server makes of the ship's written order,
// and reads into it again. Nothing of the notation is known here. Fields not yet read go along with
// the form, and count there as well.

import { inputsIn, isInput, say } from "./battle_page.js";
import { matches, need } from "./dom.js";
import { nameOf } from "./field.js";
import { phrase } from "./phrase.js";

const WAIT = 250; // milliseconds from a change of the written order to fields that show it

/**
 * The ship whose fields are shown.
 * @typedef {{id: string, name: string, text: string}} ShownShip
 */

/** The seldom used fields of a ship. */
export class SeldomFields {
  #id = ""; // the ship of the fields
  #text = ""; // the order that they show
  #asked = 0; // how often fields were asked for
  #isFilling = false;
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {HTMLDetailsElement} fold
   * @param {HTMLElement} box
   * @param {() => ShownShip} ship
   * @param {(id: string, text: string) => void} write gives a ship another order
   * @param {Record<string, FormField>} fields
   */
  constructor(fold, box, ship, write, fields) {
    this.fold = fold;
    this.box = box;
    this.ship = ship;
    this.write = write;
    this.fields = fields;
    fold.addEventListener("toggle", () => this.show());
    box.addEventListener("change", () => {
      // A field that is replaced says that it changed.
      if (!this.#isFilling) {
        this.#ask(true);
      }
    });
    box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && matches(event.target, "input")) {
        event.preventDefault();
        this.#ask(true);
      }
    });
  }

  /** Show the fields of the chosen ship as its order is now, where they are open. */
  show() {
    const { id, text } = this.ship();
    clearTimeout(this.#timer);
    if (id !== this.#id) {
      this.#asked += 1;
      this.#fill(() => this.box.replaceChildren());
      this.#id = id;
      this.#text = "";
    }
    const isShown = text === this.#text && this.box.firstChild;
    if (this.fold.open && !isShown) {
      this.#timer = window.setTimeout(() => this.#ask(false), this.box.firstChild ? WAIT : 0);
    }
  }

  /** @param {() => void} fill */
  #fill(fill) {
    this.#isFilling = true;
    fill();
    this.#isFilling = false;
  }

  #values() {
    return inputsIn(this.box, "[name]")
      .filter((field) => !(field instanceof HTMLInputElement) || isSent(field))
      .map((field) => [field.name, field.value]);
  }

  /**
   * Ask for the fields of the written order, or for the order that the fields make.
   * @param {boolean} isChanged whether the fields were changed
   */
  async #ask(isChanged) {
    const ship = this.ship();
    const was = document.getElementsByName(nameOf(this.fields.was, ship.id))[0];
    const earlier = isInput(was) ? was : null;
    this.#asked += 1;
    const asked = this.#asked;
    clearTimeout(this.#timer);
    const values = this.#values();
    const query = this.#query(ship, earlier, isChanged ? values : []);
    const answer = await fetch(`${location.pathname}?${query}`).catch(() => null);
    const isTyping = isChanged && String(this.#values()) !== String(values);
    if (asked !== this.#asked || isTyping) {
      return; // What is being typed now is asked for when it is done.
    }
    if (!answer?.ok) {
      say(phrase`The orders of ${ship.name} cannot be loaded now. They stay in the form.`, true);
      return;
    }
    this.#take(ship, await answer.text(), earlier);
    if (isChanged) {
      this.#sayFaults(ship.name);
    }
  }

  /**
   * @param {ShownShip} ship
   * @param {{name: string, value: string} | null} earlier
   * @param {string[][]} values
   */
  #query(ship, earlier, values) {
    const order = [nameOf(this.fields.order, ship.id), ship.text];
    const was = earlier ? [[earlier.name, earlier.value]] : [];
    return new URLSearchParams([["panel", ship.id], order, ...was, ...values]);
  }

  /**
   * Show fields, and take over the order that they make.
   * @param {ShownShip} ship
   * @param {string} markup of the fields, as the server makes them
   * @param {Element & {value: string} | null} earlier the field of the order that the server read
   */
  #take(ship, markup, earlier) {
    const focused = document.activeElement;
    const hadFocus = this.box.contains(focused);
    this.#fill(() => {
      this.box.innerHTML = markup;
    });
    this.#id = ship.id;
    this.#text = need(this.box, "[data-order]", HTMLElement).dataset.order ?? "";
    if (earlier) {
      earlier.value = this.#text;
    }
    if (hadFocus && isInput(focused)) {
      const same = inputsIn(this.box, "[name]").filter(({ name }) => name === focused.name);
      (same.find(({ value }) => value === focused.value) ?? same[0])?.focus();
    }
    if (this.#text !== ship.text) {
      this.write(ship.id, this.#text);
    }
  }

  /** @param {string} name of the ship */
  #sayFaults(name) {
    const faults = [...this.box.querySelectorAll(".wrong, .fault")];
    if (faults.length) {
      say(phrase`${name}: ${faults.map((fault) => fault.textContent).join(" ")}`, true);
    }
  }
}

/** @param {HTMLInputElement} field */
const isSent = (field) => field.type !== "checkbox" || field.checked;
