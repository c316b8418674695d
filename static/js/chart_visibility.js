// Draws eyes on a star map beside the player's fleets that others may know about. Loaded when the
// player first turns this layer on.

import { escapeMarkup } from "./chart_marks.js";

/** @import { StarMap } from "./chart.js" */
/** @import { ScreenSpace } from "./chart_space.js" */

// The outline of an eye, as SVG path data.
const LID = "M0 5.5C3.5 0 12.5 0 16 5.5 12.5 11 3.5 11 0 5.5z";

/**
 * Draw an eye beside every hex in which others may know about a fleet.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @returns {string} SVG
 */
export const eyes = (map, space) =>
  (map.data.eyes ?? []).map((eye) => drawEye(map, space, eye)).join("");

/**
 * Return possible spots of an eye with its text.
 * @param {number} width the width of the eye and its text
 * @returns {Point[]} offsets from the centre of the hex, in pixels
 */
const spotsFor = (width) => [
  [12, 8],
  [-12 - width, 8],
  [12, -26],
  [-12 - width, -26],
  [-width / 2, 22],
  [-width / 2, -42],
  [12, 30],
  [-12 - width, 30],
  [26, -9],
  [-26 - width, -9],
  [44, -30],
  [-44 - width, -30],
  [44, 14],
  [-44 - width, 14],
  [-width / 2, 46],
  [-width / 2, -62],
];

/**
 * Place and draw an eye with its text.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {MapEye} eye
 */
function drawEye(map, space, eye) {
  const [x, y] = map.pixelOf(eye.hex);
  if (!space.isInside(x, y)) {
    return "";
  }
  const width = 24 + eye.words.length * 11 * 0.55;
  /**
   * @param {Point} spot
   * @returns {Box}
   */
  const boxAt = ([dx, dy]) => [x + dx, y + dy, x + dx + width, y + dy + 18];
  const box = boxAt(space.bestSpot(spotsFor(width), boxAt));
  space.reserve(box);
  const left = Math.round(box[0]);
  const top = Math.round(box[1]);
  return (
    `<g class="eye${eye.sure ? " sure" : ""}" data-hex="${eye.hex}">` +
    `<path class="pin" d="M${left + 8} ${top + 9}L${Math.round(x)} ${Math.round(y)}"/>` +
    `<path class="lid" transform="translate(${left} ${top + 3})" d="${LID}"/>` +
    `<circle class="pupil" cx="${left + 8}" cy="${top + 8.5}" r="2.4"/>` +
    `<text class="halo" x="${left + 21}" y="${top + 13}">${escapeMarkup(eye.words)}</text></g>`
  );
}
