// The hull of a ship in a line: armour as circles, hull as boxes, a gap at each threshold.

import { svg } from "./dom.js";
import { phrase } from "./phrase.js";

/**
 * Draw the hull of a unit: armour as circles, hull as boxes, a gap at each threshold.
 * @param {number[]} rows
 * @param {number} armour
 * @param {UnitState} state
 */
export function hullStrip(rows, armour, { d = 0, a = 0 }) {
  const total = rows.reduce((sum, row) => sum + row, 0);
  const { shapes, x: start } = armourCircles(armour, a);
  const width = boxWidth(total);
  let x = start;
  let hurt = d;
  for (const row of rows) {
    for (let i = 0; i < row; i++) {
      const className = hurt > 0 ? "out" : "box";
      const size = { y: 1, width: width.toFixed(1), height: 8 };
      shapes.push(svg("rect", { class: className, x: x.toFixed(1), ...size }));
      x += width + 0.8;
      hurt -= 1;
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
 * Draw the armour of a unit, where there is room for it.
 * @param {number} armour
 * @param {number} left
 * @returns {{shapes: SVGElement[], x: number}} `x`: where the hull begins
 */
function armourCircles(armour, left) {
  const count = armour <= 80 ? armour : 0;
  const shapes = Array.from({ length: count }, (_, i) =>
    svg("circle", { class: `armour${i < left ? "" : " off"}`, cx: i * 5 + 2.2, cy: 5, r: 1.9 }),
  );
  return { shapes, x: count ? count * 5 + 2 : 0 };
}

/** @param {number} total boxes of a hull */
function boxWidth(total) {
  if (total > 80) {
    return 200 / total - 0.8;
  }
  if (total > 40) {
    return 2;
  }
  return total > 26 ? 2.6 : 3.4;
}
