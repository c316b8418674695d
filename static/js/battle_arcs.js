// Arcs of fire on the table, as parts of rings around a ship.

import { svg } from "./dom.js";

export const SIX = ["F", "FS", "AS", "A", "AP", "FP"];
export const FOUR = ["F", "S", "A", "P"];
const BAND = 12; // MU

/**
 * Return the part of a ring between two angles, as the data of a path.
 * @param {TablePoint} centre
 * @param {number} turn the hour that is ahead
 * @param {number} from degrees
 * @param {number} to degrees
 * @param {number} near MU
 * @param {number} far MU
 */
export function wedge([x, y], turn, from, to, near, far) {
  /**
   * @param {number} degrees
   * @param {number} radius
   */
  const at = (degrees, radius) => {
    const angle = ((turn * 30 + degrees) * Math.PI) / 180;
    const px = x + radius * Math.sin(angle);
    const py = y + radius * Math.cos(angle);
    return `${px.toFixed(2)} ${py.toFixed(2)}`;
  };
  return (
    `M${at(from, near)}L${at(from, far)}A${far} ${far} 0 0 0 ${at(to, far)}` +
    `L${at(to, near)}A${near} ${near} 0 0 1 ${at(from, near)}z`
  );
}

/**
 * Draw what bears in each arc by bands of 12 MU: the more, the brighter.
 * @param {Record<string, number[]>} pointsByArc
 * @param {TablePoint} centre
 * @param {number} turn the hour that is ahead
 */
export function cover(pointsByArc, centre, turn) {
  const arcs = pointsByArc.S || pointsByArc.P ? FOUR : SIX;
  const step = 360 / arcs.length;
  const wedges = [];
  for (const [i, arc] of arcs.entries()) {
    for (const [band, points] of (pointsByArc[arc] ?? []).entries()) {
      if (!points) {
        continue;
      }
      const near = band * BAND;
      wedges.push(
        svg("path", {
          class: "wedge",
          d: wedge(centre, turn, (i - 0.5) * step, (i + 0.5) * step, near, near + BAND),
          "fill-opacity": Math.min(0.24, 0.03 + 0.016 * points).toFixed(3),
        }),
      );
    }
  }
  return wedges;
}

/**
 * @param {TablePoint} centre
 * @param {number} r MU
 */
export const ring = ([cx, cy], r) => svg("circle", { class: "ring", cx, cy, r });
