// Shows a card beside a hex of the star map that lists what is in it: on the key `i`, a right click
// or a long press, or when the hex is chosen.

import { closest, findAll, html } from "./dom.js";
import { hexAt } from "./hex.js";
import { phrase } from "./phrase.js";

/** @import { StarMap } from "./chart.js" */

/**
 * Return the hex that a key or mouse event refers to.
 * @param {StarMap} map
 * @param {Event} event
 */
export function hexOfEvent(map, event) {
  if (!(event instanceof MouseEvent)) {
    return map.cursor ?? map.data.start ?? null;
  }
  const mark = closest(event.target, "[data-hex]", SVGElement);
  if (mark?.dataset.hex) {
    return mark.dataset.hex;
  }
  const box = map.svg.getBoundingClientRect();
  const x = (event.clientX - box.left - map.x) / map.k;
  const y = (event.clientY - box.top - map.y) / map.k;
  return hexAt(x, y, map.ground.columns, map.ground.rows);
}

/** The card of a map, in a box over it. */
export class Card {
  /**
   * @param {StarMap} map
   * @param {HTMLElement} box
   * @param {() => unknown} onClose called when the reader closes the card
   */
  constructor(map, box, onClose = () => {}) {
    this.map = map;
    this.box = box;
    box.addEventListener("click", ({ target }) => {
      if (closest(target, "[data-close]", HTMLElement)) {
        this.close();
        onClose();
        map.host.focus({ preventScroll: true });
      }
    });
  }

  get isOpen() {
    return !this.box.hidden;
  }

  close() {
    this.box.hidden = true;
  }

  /**
   * Show the card beside a hex.
   * @param {Hex} hex
   * @param {HexCard} content
   * @param {boolean} [takesFocus] whether the card was requested by a key
   */
  show(hex, { title, text, rows }, takesFocus = false) {
    const { box } = this;
    const words = text || (rows.length ? "" : phrase`Nothing is known about it.`);
    const close = html("button", { className: "x", type: "button", ariaLabel: phrase`Close` }, "✕");
    close.dataset.close = "";
    box.replaceChildren(
      html("h2", {}, title),
      html("p", {}, words),
      html("ul", {}, ...rows.map((content) => html("li", {}, content))),
      close,
    );
    box.hidden = false;
    this.#place(hex);
    if (takesFocus) {
      const [first] = findAll(box, "a[href], button:enabled", HTMLElement);
      first?.focus();
    }
  }

  /**
   * Place the box beside a hex, inside the map.
   * @param {Hex} hex
   */
  #place(hex) {
    const { box, map } = this;
    const [x, y] = map.pixelOf(hex);
    const [width, height] = map.size();
    // On a small screen the card covers the end of the map away from the hex.
    box.dataset.at = y > height / 2 ? "top" : "bottom";
    const parentBox = (box.offsetParent ?? document.body).getBoundingClientRect();
    const mapBox = map.host.getBoundingClientRect();
    box.style.setProperty("--above", `${mapBox.top - parentBox.top}px`);
    box.style.setProperty("--below", `${parentBox.bottom - mapBox.bottom}px`);
    box.style.left = `${Math.max(8, Math.min(width - 296, x + 24))}px`;
    box.style.top = `${Math.max(60, Math.min(height - 240, y - 20))}px`;
  }
}

/**
 * Return a row of a card that cannot be chosen.
 * @param {string} name
 * @param {string} words
 */
export const textRow = (name, words) =>
  html("span", { className: "one" }, `${name} `, html("span", { className: "kinds" }, words));

/**
 * Add a card to a read-only map. `i`, a right click or a long press opens it, and Escape closes it.
 * A page shows one card at a time.
 * @param {StarMap} map
 * @param {HTMLElement} box
 * @param {(hex: Hex) => HexCard} contentOf
 * @returns {(hex: Hex | null, isTyped?: boolean) => void} a function that shows the card of a hex
 */
export function addCard(map, box, contentOf) {
  const { host } = map;
  const card = new Card(map, box);

  /**
   * Show the card of a hex, and close other cards.
   * @param {Hex | null} hex
   * @param {boolean} [isTyped] whether a key requested it
   */
  function show(hex, isTyped) {
    if (!hex) {
      return;
    }
    for (const other of findAll(document, "[data-card]", HTMLElement)) {
      other.hidden = true;
    }
    map.cursor = hex;
    map.drawCursors();
    card.show(hex, contentOf(hex), isTyped);
  }

  map.onList = (event) => show(hexOfEvent(map, event));
  host.parentElement?.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === "Escape" && card.isOpen) {
      card.close();
      host.focus({ preventScroll: true });
    }
    if (event.key.toLowerCase() === "i" && event.target === host) {
      event.preventDefault();
      show(hexOfEvent(map, event), true);
    }
  });
  return show;
}
