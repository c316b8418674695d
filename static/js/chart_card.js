// The list of what is in a hex, on the map beside it: asked for by `i` or the other button of the
// mouse, or where a hex is chosen.

import { closest, findAll, html } from "./dom.js";
import { hexAt } from "./hex.js";
import { phrase } from "./phrase.js";

/** @import { StarMap } from "./chart.js" */

/**
 * Return the hex that a key or a button of the mouse asks about.
 * @param {StarMap} map
 * @param {Event} event
 */
export function hexAsked(map, event) {
  if (!(event instanceof MouseEvent)) {
    return map.cursor ?? map.data.start ?? null;
  }
  const touched = closest(event.target, "[data-hex]", SVGElement);
  if (touched?.dataset.hex) {
    return touched.dataset.hex;
  }
  const box = map.svg.getBoundingClientRect();
  const x = (event.clientX - box.left - map.x) / map.k;
  const y = (event.clientY - box.top - map.y) / map.k;
  return hexAt(x, y, map.chart.columns, map.chart.rows);
}

/** The card of a map, in an empty box over it. */
export class Card {
  /**
   * @param {StarMap} map
   * @param {HTMLElement} box
   * @param {() => unknown} closed what is done when its reader closes it
   */
  constructor(map, box, closed = () => {}) {
    this.map = map;
    this.box = box;
    box.addEventListener("click", ({ target }) => {
      if (closest(target, "[data-close]", HTMLElement)) {
        this.close();
        closed();
        map.host.focus({ preventScroll: true });
      }
    });
  }

  get open() {
    return !this.box.hidden;
  }

  close() {
    this.box.hidden = true;
  }

  /**
   * Show it at a hex.
   * @param {Hex} hex
   * @param {HexCard} content
   * @param {boolean} [focus] whether it was asked for by a key
   */
  show(hex, { title, says, rows }, focus = false) {
    const { box } = this;
    const words = says || (rows.length ? "" : phrase`Nothing is known about it.`);
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
    if (focus) {
      const [first] = findAll(box, "a[href], button:enabled", HTMLElement);
      first?.focus();
    }
  }

  /** @param {Hex} hex */
  #place(hex) {
    const { box, map } = this;
    const [x, y] = map.at(hex);
    const [width, height] = map.size();
    // On a small screen it takes one end of the map, and leaves the hex in sight.
    box.dataset.at = y > height / 2 ? "top" : "bottom";
    const around = (box.offsetParent ?? document.body).getBoundingClientRect();
    const seen = map.host.getBoundingClientRect();
    box.style.setProperty("--above", `${seen.top - around.top}px`);
    box.style.setProperty("--below", `${around.bottom - seen.bottom}px`);
    box.style.left = `${Math.max(8, Math.min(width - 296, x + 24))}px`;
    box.style.top = `${Math.max(60, Math.min(height - 240, y - 20))}px`;
  }
}

/**
 * Return a row for what cannot be chosen.
 * @param {string} name
 * @param {string} words
 */
export const row = (name, words) =>
  html("span", { className: "one" }, `${name} `, html("span", { className: "kinds" }, words));

/**
 * Give a map to look at its card: `i` and the other button of the mouse ask for it, or a finger at
 * rest; Escape closes it. A page shows one card at a time.
 * @param {StarMap} map
 * @param {HTMLElement} box
 * @param {(hex: Hex) => HexCard} about
 * @returns {(hex: Hex | null, typed?: boolean) => void} shows the card of a hex
 */
export function addCard(map, box, about) {
  const { host } = map;
  const card = new Card(map, box);

  /**
   * @param {Hex | null} hex
   * @param {boolean} [typed]
   */
  function show(hex, typed) {
    if (!hex) {
      return;
    }
    for (const other of findAll(document, "[data-card]", HTMLElement)) {
      other.hidden = true;
    }
    map.cursor = hex;
    map.shade();
    card.show(hex, about(hex), typed);
  }

  map.list = (event) => show(hexAsked(map, event));
  host.parentElement?.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === "Escape" && card.open) {
      card.close();
      host.focus({ preventScroll: true });
    }
    if (event.key.toLowerCase() === "i" && event.target === host) {
      event.preventDefault();
      show(hexAsked(map, event), true);
    }
  });
  return show;
}
