// Finding room for marks and labels on a star map, in pixels of the screen. What is placed first
// stands best.

import { round } from "./hex.js";

/** @import { StarMap } from "./chart.js" */

const CELL = 64; // pixels: boxes are looked up by the cells that they touch
const CELLS_DOWN = 4096; // more than any screen has
const EDGE = 3; // pixels that stay free at the sides
const LABEL_GAP = 4; // pixels between a mark and its label
const NEAR_LABEL = 9; // pixels from its mark; a label that is further away has a line to it

/** The screen, with the boxes that are taken. */
export class ScreenSpace {
  /**
   * @param {number} width
   * @param {number} height
   * @param {number} top above it something else may lie
   * @param {number} bottom below it something else may lie
   */
  constructor(width, height, top = -Infinity, bottom = Infinity) {
    this.width = width;
    this.height = height;
    this.top = top;
    this.bottom = bottom;
    /** @type {Map<number, Box[]>} */
    this.cells = new Map();
  }

  /**
   * @param {Box} box
   * @returns {Generator<number>} the keys of the cells that it touches
   */
  *cellsOf([left, top, right, bottom]) {
    for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column++) {
      for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row++) {
        yield column * CELLS_DOWN + row;
      }
    }
  }

  /**
   * @param {Box} box
   * @returns {Generator<Box>} the taken boxes that may touch it
   */
  *near(box) {
    for (const key of this.cellsOf(box)) {
      yield* this.cells.get(key) ?? [];
    }
  }

  /** @param {Box} box */
  take(box) {
    for (const key of this.cellsOf(box)) {
      const boxes = this.cells.get(key);
      if (boxes) {
        boxes.push(box);
      } else {
        this.cells.set(key, [box]);
      }
    }
  }

  /** @param {Box} box */
  isFree(box) {
    const [left, top, right, bottom] = box;
    if (left <= EDGE || right >= this.width - EDGE || top < this.top || bottom > this.bottom) {
      return false;
    }
    for (const taken of this.near(box)) {
      if (overlap(box, taken)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Return how much a box covers, in square pixels, with a penalty for leaving the screen.
   * @param {Box} box
   */
  harm(box) {
    const [left, top, right, bottom] = box;
    const outside = Math.max(
      0,
      EDGE - left,
      right - this.width + EDGE,
      this.top - top,
      bottom - this.bottom,
    );
    let harm = 60 * outside;
    for (const taken of this.near(box)) {
      harm +=
        Math.max(0, Math.min(right, taken[2]) - Math.max(left, taken[0])) *
        Math.max(0, Math.min(bottom, taken[3]) - Math.max(top, taken[1]));
    }
    return harm;
  }

  /**
   * Return the first spot that is free; else the one that covers least.
   * @template Spot
   * @param {Spot[]} spots at least one
   * @param {(spot: Spot) => Box} boxAt
   * @returns {Spot}
   */
  best(spots, boxAt) {
    let best = spots[0];
    let least = Infinity;
    for (const spot of spots) {
      const box = boxAt(spot);
      if (this.isFree(box)) {
        return spot;
      }
      const harm = this.harm(box);
      if (harm < least) {
        best = spot;
        least = harm;
      }
    }
    return best;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} margin pixels beyond the edge that still count
   */
  isInside(x, y, margin = 60) {
    return x > -margin && y > -margin && x < this.width + margin && y < this.height + margin;
  }
}

/**
 * @param {Box} a
 * @param {Box} b
 */
export const overlap = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

/**
 * Place a mark in its hex, which it never leaves.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {Hex} hex
 * @param {Point[]} spots where its middle may be, in parts of a hex's width and height
 * @param {Point} size of the mark
 * @param {number} [label] the width of a label that is placed with it, on one side or the other
 * @returns {[number, number, number]} the mark's left and top, and the left of its label
 */
export function placeInHex(map, space, hex, spots, [width, height], label = 0) {
  const [x, y] = map.at(hex);
  const sides = label ? [width + LABEL_GAP, -LABEL_GAP - label] : [0];
  const all = sides.flatMap((side) =>
    spots.map(([across, down]) => ({
      left: x + across * 48 * map.k - width / 2,
      top: y + down * 42 * map.k - height / 2,
      side,
    })),
  );
  /**
   * @param {{left: number, top: number, side: number}} spot
   * @returns {Box}
   */
  const boxAt = ({ left, top, side }) => [
    left + Math.min(0, side),
    top,
    left + Math.max(width, side + label),
    top + height,
  ];
  const best = space.best(all, boxAt);
  space.take(boxAt(best));
  return [round(best.left), round(best.top), round(best.left + best.side)];
}

/**
 * Place a mark that stands for several, seen from afar (chart_clusters.js).
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {Hex} hex
 * @param {Point[]} spots of its upper left corner, as seen from the hex
 * @param {number} width
 * @returns {[number, number, number]} its left and top, and the left of its label
 */
export function placeBesideHex(map, space, hex, spots, width) {
  const [x, y] = map.at(hex);
  /**
   * @param {Point} spot
   * @returns {Box}
   */
  const boxAt = ([dx, dy]) => [x + dx, y + dy, x + dx + width, y + dy + 18];
  const best = space.best(spots, boxAt);
  space.take(boxAt(best));
  return [round(x + best[0]), round(y + best[1]), round(x + best[0] + 24)];
}

/**
 * Place a label beside a mark, or further away with a line.
 * @param {ScreenSpace} space
 * @param {Box} mark
 * @param {Point} size of the label
 * @param {(left: number, top: number) => string} draw
 * @returns {string} SVG
 */
export function placeLabel(space, mark, [width, height], draw) {
  const [left, top, right, bottom] = mark;
  const middle = (left + right - width) / 2;
  const level = (top + bottom - height) / 2;
  /** @type {Point[]} */
  const near = [
    [right + LABEL_GAP, level],
    [left - LABEL_GAP - width, level],
    [middle, top - height - 1],
    [middle, bottom + 1],
    [right + LABEL_GAP, top - height],
    [left - LABEL_GAP - width, top - height],
    [right + LABEL_GAP, bottom],
    [left - LABEL_GAP - width, bottom],
  ];
  const further = [16, 30, 48].flatMap((away) =>
    near.map(
      ([x, y]) =>
        /** @type {Point} */ ([x + Math.sign(x - middle) * away, y + Math.sign(y - level) * away]),
    ),
  );
  /**
   * @param {Point} spot
   * @returns {Box}
   */
  const boxAt = ([x, y]) => [x, y, x + width, y + height];
  const best = space.best([...near, ...further], boxAt);
  space.take(boxAt(best));
  const [x, y] = best.map(round);
  return leader(mark, [x, y, x + width, y + height]) + draw(x, y);
}

/**
 * Return the line from a label to the middle of its mark, where the label is away from it.
 * @param {Box} mark
 * @param {Box} label
 */
function leader(mark, label) {
  const away = Math.max(
    label[0] - mark[2],
    mark[0] - label[2],
    label[1] - mark[3],
    mark[1] - label[3],
  );
  if (away <= NEAR_LABEL) {
    return "";
  }
  const x = (mark[0] + mark[2]) / 2;
  const y = (mark[1] + mark[3]) / 2;
  const fromX = round(Math.max(label[0], Math.min(label[2], x)));
  const fromY = round(Math.max(label[1], Math.min(label[3], y)));
  return `<path class="pin" d="M${fromX} ${fromY}L${round(x)} ${round(y)}"/>`;
}
