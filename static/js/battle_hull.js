// The damage track of a ship, drawn in one line. Used by replays.

import { svg } from "./dom.js";
import { phrase } from "./phrase.js";

/**
 * Draw the damage track of a unit: armour as circles, hull as boxes, a gap at each threshold.
 * @param {number[]} rows the number of boxes in each hull row
 * @param {number} armour the boxes of armour that the unit had at first
 * @param {UnitState} state `d`: lost hull boxes; `a`: armour boxes left
 */
export function hullStrip(rows, armour, { d = 0, a = 0 }) {
  const total = rows.reduce((sum, row) => sum + row, 0);
  const { shapes, x: start } = armourCircles(armour, a);
  const width = boxWidth(total);
  let x = start;
  let lostBoxes = d;
  for (const row of rows) {
    for (let i = 0; i < row; i++) {
      const className = lostBoxes > 0 ? "out" : "box";
      const size = { y: 1, width: width.toFixed(1), height: 8 };
      shapes.push(svg("rect", { class: className, x: x.toFixed(1), ...size }));
      x += width + 0.8;
      lostBoxes -= 1;
    }
    x += 2.4;
  }
  const hull = phrase`hull ${Math.max(0, total - d)} of ${total}`;
  const attributes = {
    class: "strip",
    viewBox: `0 0 ${(x - 2.4).toFixed(1)} 10`,
    role: "img",
    "aria-label": a ? phrase`${hull}, armour ${a}` : hull,
  };
  return svg("svg", attributes, ...shapes);
}

/**
 * Draw the armour of a unit, unless it has too many boxes to fit.
 * @param {number} armour the boxes that it had at first
 * @param {number} left the boxes that it still has
 * @returns {{shapes: SVGElement[], x: number}} `x`: the start of the hull boxes
 */
function armourCircles(armour, left) {
  const count = armour <= 80 ? armour : 0;
  const shapes = Array.from({ length: count }, (_, i) =>
    svg("circle", { class: `armour${i < left ? "" : " off"}`, cx: i * 5 + 2.2, cy: 5, r: 1.9 }),
  );
  return { shapes, x: count ? count * 5 + 2 : 0 };
}

/**
 * Return the width of one hull box: smaller for larger hulls.
 * @param {number} total the number of hull boxes
 */
function boxWidth(total) {
  if (total > 80) {
    return 200 / total - 0.8;
  }
  if (total > 40) {
    return 2;
  }
  return total > 26 ? 2.6 : 3.4;
}
