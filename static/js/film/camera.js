// What part of the table a film shows. A film on a page with a table looks through that table, so
// that its ships are at the pixels of the table's marks; another film has a camera of its own,
// which glides from view to view.

import { part, settle } from "./ease.js";
import { magnification } from "./silhouettes.js";

export const GLIDES = 700; // milliseconds from one view to the next
const LEAST_WIDTH = 30; // MU that are always in view
const ROOM = 4; // MU around what is in view

/**
 * Return the box around places, with room.
 * @param {TablePoint[]} places
 * @returns {Box} left, bottom, right and top in MU
 */
export function boxAround(places) {
  const xs = places.map(([x]) => x);
  const ys = places.map(([, y]) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const side = Math.max(ROOM, (right - left) * 0.06, (LEAST_WIDTH - right + left) / 2);
  return [left - side, Math.min(...ys) - ROOM, right + side, Math.max(...ys) + ROOM];
}

/** A camera of its own. @implements {FilmCamera} */
export class Camera {
  width = 1;
  height = 1;
  scale = 1;
  #x = 0; // the pixel of the table's corner
  #y = 0;
  /** @type {Box} */
  #from;
  /** @type {Box} */
  #to;
  /** @type {Box} */
  #box;

  /**
   * @param {TablePoint} table its size in MU
   * @param {[number, number, number, number]} pad pixels kept free at top, right, bottom and left
   */
  constructor([wide, high], pad) {
    this.pad = pad;
    /** @type {Box} */
    const whole = [-2, -2, wide + 2, high + 2];
    this.#box = whole;
    this.#from = whole;
    this.#to = whole;
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.width = width;
    this.height = height;
    this.#fit();
  }

  /** @param {TablePoint[]} places that shall be in view */
  aim(places) {
    if (places.length) {
      this.#from = this.#box;
      this.#to = boxAround(places);
    }
  }

  /** @param {number} passed milliseconds since it was aimed */
  turn(passed) {
    const t = settle(part(passed, 0, GLIDES));
    const [left, bottom, right, top] = this.#from.map((edge, i) => edge + (this.#to[i] - edge) * t);
    this.#box = [left, bottom, right, top];
    this.#fit();
  }

  #fit() {
    const [left, bottom, right, top] = this.#box;
    const [above, after, below, before] = this.pad;
    const wide = this.width - before - after;
    const high = this.height - above - below;
    this.scale = Math.max(1, Math.min(wide / (right - left), high / (top - bottom)));
    this.#x = before + wide / 2 - ((left + right) / 2) * this.scale;
    this.#y = above + high / 2 + ((bottom + top) / 2) * this.scale;
  }

  get grow() {
    return magnification(this.scale);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {Point}
   */
  px(x, y) {
    return [this.#x + x * this.scale, this.#y - y * this.scale];
  }
}

/** A camera that looks through the table of a page. @implements {FilmCamera} */
export class TableCamera {
  /** @param {import("../battle_table.js").Table} table */
  constructor(table) {
    this.table = table;
  }

  get width() {
    return this.table.width;
  }

  get height() {
    return this.table.height;
  }

  get scale() {
    return this.table.pxPerMu;
  }

  get grow() {
    return magnification(this.table.pxPerMu);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  px(x, y) {
    return this.table.toPixels(x, y);
  }
}
