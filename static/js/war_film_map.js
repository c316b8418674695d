// One of the two maps of the film of a war. Marks keep their identity from step to step, so that
// fleets glide to their next hex.

import { svg } from "./dom.js";
import { centre, label } from "./hex.js";

const MARGIN = 4; // map units around the hexes

/**
 * @typedef {object} FilmMark
 * @property {string} key what is the same thing at another step
 * @property {number} seat
 * @property {number} hex column and row as one number
 * @property {number} ships negative if unknown
 * @property {string} className CSS classes besides that of the seat
 */

/**
 * Return the centre of a hex.
 * @param {number} hex
 * @returns {Point}
 */
function place(hex) {
  const [x, y] = centre(label(Math.floor(hex / 100), hex % 100));
  return [x + MARGIN, y + MARGIN];
}

/**
 * Return a circle around a hex.
 * @param {number} hex
 * @param {string} name its CSS class
 * @param {number} r
 */
function ring(hex, name, r) {
  const [cx, cy] = place(hex);
  return svg("circle", { class: name, cx, cy, r });
}

/**
 * @typedef {object} Stack the marks of a side in a hex; the first of them counts all ships
 * @property {FilmMark} mark the first
 * @property {number} ships
 * @property {number} row 0 for the lowest stack of a hex
 * @property {boolean} isHidden whether none is outside FTL space
 */

/**
 * Return the stack of each mark, in the sequence of the marks.
 * @param {FilmMark[]} marks
 */
function stacksOf(marks) {
  /** @type {Map<string, Stack>} */
  const stacks = new Map();
  /** @type {Map<number, number>} */
  const rows = new Map();
  /** @type {[FilmMark, Stack][]} */
  const stacked = [];
  for (const mark of marks) {
    const isHidden = mark.className === "in-ftl";
    const key = `${mark.className.startsWith("seen")} ${mark.seat} ${mark.hex}`;
    let stack = stacks.get(key);
    if (stack) {
      stack.ships += mark.ships;
      stack.isHidden &&= isHidden;
    } else {
      const row = rows.get(mark.hex) ?? 0;
      rows.set(mark.hex, row + 1);
      stack = { mark, ships: mark.ships, row, isHidden };
      stacks.set(key, stack);
    }
    stacked.push([mark, stack]);
  }
  return stacked;
}

export class FilmMap {
  /** @param {SVGSVGElement} picture as the server drew it */
  constructor(picture) {
    this.rings = [...picture.querySelectorAll(".film-hold")];
    this.over = /** @type {Element} */ (picture.querySelector(".film-over"));
    this.layer = /** @type {Element} */ (picture.querySelector(".film-marks"));
    this.layer.replaceChildren();
    /** @type {Map<string, SVGGElement>} */
    this.marks = new Map();
  }

  /**
   * Show a step.
   * @param {string} holders the seat of each system's holder
   * @param {FilmMark[]} marks
   * @param {number[]} fights hexes with a battle
   * @param {number[]} wrong hexes about which the side was wrong
   */
  show(holders, marks, fights, wrong) {
    for (const [i, hold] of this.rings.entries()) {
      hold.setAttribute("class", `film-hold seat-${holders[i]}`);
    }
    this.over.replaceChildren(
      ...fights.map((hex) => ring(hex, "film-clash", 34)),
      ...wrong.map((hex) => ring(hex, "film-wrong", 30)),
    );
    const unused = new Set(this.marks.keys());
    for (const [mark, stack] of stacksOf(marks)) {
      const isFirst = stack.mark === mark;
      const ownStyle = stack.isHidden || mark.className !== "in-ftl" ? mark.className : "";
      const words = stack.ships < 0 ? "?" : String(stack.ships);
      this.#draw(mark, `row-${stack.row} ${isFirst ? ownStyle : "covered"}`, words);
      unused.delete(mark.key);
    }
    for (const key of unused) {
      this.marks.get(key)?.remove();
      this.marks.delete(key);
    }
  }

  /**
   * Draw a mark, or move it.
   * @param {FilmMark} mark
   * @param {string} style its CSS classes besides that of the seat
   * @param {string} words the number on it
   */
  #draw(mark, style, words) {
    let node = this.marks.get(mark.key);
    if (!node) {
      const flag = svg("use", { href: `#film-flag-${mark.seat}` });
      const text = svg("text", { x: 18, y: 6 });
      node = svg("g", {}, svg("g", { class: "film-flag" }, flag, text));
      this.marks.set(mark.key, node);
      this.layer.append(node);
    }
    const [x, y] = place(mark.hex);
    node.style.transform = `translate(${x}px, ${y}px)`;
    node.setAttribute("class", `film-mark seat-${mark.seat} ${style}`);
    const text = node.querySelector("text");
    if (text) {
      text.textContent = words;
    }
  }
}
