// Finds room for marks and labels on a star map, in screen pixels. What is placed first gets the
// best spot.

import { SIDE, round } from "./hex.js";

/** @import { StarMap } from "./chart.js" */

const CELL = 64; // pixels: the size of the cells by which boxes are indexed
const CELLS_DOWN = 4096; // more cells than any screen is high, for unique keys
const OUTSIDE_COST = 60; // square pixels of overlap that each pixel off the screen counts as
const EDGE = 3; // pixels kept free at the left and right
const MARK_HEIGHT = 18; // pixels
const LABEL_OFFSET = 24; // pixels from the left of a joined mark to its label
const LABEL_GAP = 4; // pixels between a mark and its label
const LINE_DISTANCE = 9; // pixels: a label further from its mark has a line to it

/** The screen, with the boxes that are already in use. */
export class ScreenSpace {
  /**
   * @param {number} width
   * @param {number} height
   * @param {number} top the upper limit for boxes
   * @param {number} bottom the lower limit for boxes
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
   * Return the cells that a box touches.
   * @param {Box} box
   * @returns {Generator<number>} the keys of the cells that the box touches
   */
  *cellsOf([left, top, right, bottom]) {
    for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column++) {
      for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row++) {
        yield column * CELLS_DOWN + row;
      }
    }
  }

  /**
   * Return the boxes in use that may overlap a box.
   * @param {Box} box
   * @returns {Generator<Box>} the boxes in use that may overlap the box
   */
  *boxesNear(box) {
    for (const key of this.cellsOf(box)) {
      yield* this.cells.get(key) ?? [];
    }
  }

  /**
   * Mark a box as in use.
   * @param {Box} box
   */
  reserve(box) {
    for (const key of this.cellsOf(box)) {
      const boxes = this.cells.get(key);
      if (boxes) {
        boxes.push(box);
      } else {
        this.cells.set(key, [box]);
      }
    }
  }

  /**
   * Return whether a box is on the screen and overlaps no other.
   * @param {Box} box
   */
  isFree(box) {
    const [left, top, right, bottom] = box;
    if (left <= EDGE || right >= this.width - EDGE || top < this.top || bottom > this.bottom) {
      return false;
    }
    for (const taken of this.boxesNear(box)) {
      if (overlap(box, taken)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Return how badly a box is placed: the square pixels it covers of others, with a penalty for
   * leaving the screen.
   * @param {Box} box
   */
  overlapCost(box) {
    const [left, top, right, bottom] = box;
    const outside = Math.max(
      0,
      EDGE - left,
      right - this.width + EDGE,
      this.top - top,
      bottom - this.bottom,
    );
    let cost = OUTSIDE_COST * outside;
    for (const taken of this.boxesNear(box)) {
      cost +=
        Math.max(0, Math.min(right, taken[2]) - Math.max(left, taken[0])) *
        Math.max(0, Math.min(bottom, taken[3]) - Math.max(top, taken[1]));
    }
    return cost;
  }

  /**
   * Return the first free spot, or else the one with the lowest cost.
   * @template Spot
   * @param {Spot[]} spots at least one
   * @param {(spot: Spot) => Box} boxAt gives the box that a spot needs
   * @returns {Spot}
   */
  bestSpot(spots, boxAt) {
    let best = spots[0];
    let leastCost = Infinity;
    for (const spot of spots) {
      const box = boxAt(spot);
      if (this.isFree(box)) {
        return spot;
      }
      const cost = this.overlapCost(box);
      if (cost < leastCost) {
        best = spot;
        leastCost = cost;
      }
    }
    return best;
  }

  /**
   * Return whether a point is on the screen, or close to it.
   * @param {number} x
   * @param {number} y
   * @param {number} margin pixels beyond the edge that still count
   */
  isInside(x, y, margin = 60) {
    return x > -margin && y > -margin && x < this.width + margin && y < this.height + margin;
  }
}

/**
 * Return whether two boxes overlap.
 * @param {Box} a
 * @param {Box} b
 */
export const overlap = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

/**
 * Place a mark with its middle inside its hex.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {Hex} hex
 * @param {Point[]} spots possible offsets of its middle, in hex widths and heights
 * @param {Point} size the width and height of the mark
 * @param {number} [label] the width of a label placed to its right or left; 0 for none
 * @returns {[number, number, number]} the mark's left and top, and the left of its label
 */
export function placeInHex(map, space, hex, spots, [width, height], label = 0) {
  const [x, y] = map.pixelOf(hex);
  const sides = label ? [width + LABEL_GAP, -LABEL_GAP - label] : [0];
  const all = sides.flatMap((side) =>
    spots.map(([across, down]) => ({
      left: x + across * 2 * SIDE * map.k - width / 2,
      top: y + down * map.hexHeight - height / 2,
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
  const best = space.bestSpot(all, boxAt);
  space.reserve(boxAt(best));
  return [round(best.left), round(best.top), round(best.left + best.side)];
}

/**
 * Place a mark that represents several fleets or contacts (chart_clusters.js).
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {Hex} hex
 * @param {Point[]} spots possible pixel offsets of its upper left corner from the centre
 * @param {number} width
 * @returns {[number, number, number]} its left and top, and the left of its label
 */
export function placeBesideHex(map, space, hex, spots, width) {
  const [x, y] = map.pixelOf(hex);
  /**
   * @param {Point} spot
   * @returns {Box}
   */
  const boxAt = ([dx, dy]) => [x + dx, y + dy, x + dx + width, y + dy + MARK_HEIGHT];
  const best = space.bestSpot(spots, boxAt);
  space.reserve(boxAt(best));
  return [round(x + best[0]), round(y + best[1]), round(x + best[0] + LABEL_OFFSET)];
}

/**
 * Place a label beside a mark, or further away with a line.
 * @param {ScreenSpace} space
 * @param {Box} mark
 * @param {Point} size the width and height of the label
 * @param {(left: number, top: number) => string} draw returns the SVG of the label
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
  const best = space.bestSpot([...near, ...further], boxAt);
  space.reserve(boxAt(best));
  const [x, y] = best.map(round);
  return leaderLine(mark, [x, y, x + width, y + height]) + draw(x, y);
}

/**
 * Return the line from a label to the middle of its mark, or nothing if the label is close.
 * @param {Box} mark
 * @param {Box} label
 */
function leaderLine(mark, label) {
  const gap = Math.max(
    label[0] - mark[2],
    mark[0] - label[2],
    label[1] - mark[3],
    mark[1] - label[3],
  );
  if (gap <= LINE_DISTANCE) {
    return "";
  }
  const x = (mark[0] + mark[2]) / 2;
  const y = (mark[1] + mark[3]) / 2;
  const fromX = round(Math.max(label[0], Math.min(label[2], x)));
  const fromY = round(Math.max(label[1], Math.min(label[3], y)));
  return `<path class="pin" d="M${fromX} ${fromY}L${round(x)} ${round(y)}"/>`;
}
