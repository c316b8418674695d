// Shapes around a ship on the table: arcs of fire and range rings.

import { svg } from "./dom.js";

export const SIX_ARCS = ["F", "FS", "AS", "A", "AP", "FP"];
export const FOUR_ARCS = ["F", "S", "A", "P"];
const BAND_WIDTH = 12; // MU

/**
 * Return the SVG path data of the part of a ring between two angles.
 * @param {TablePoint} centre
 * @param {object} part
 * @param {number} part.facing the hour (1 to 12) from which the angles count
 * @param {number} part.from the first angle in degrees
 * @param {number} part.to the last angle in degrees
 * @param {number} part.near the inner radius in MU
 * @param {number} part.far the outer radius in MU
 */
export function wedgePath([x, y], { facing, from, to, near, far }) {
  /**
   * @param {number} degrees
   * @param {number} radius
   */
  const at = (degrees, radius) => {
    const angle = ((facing * 30 + degrees) * Math.PI) / 180;
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
 * Draw the fire that bears in each arc, in bands of 12 MU: the more points, the brighter.
 * @param {Record<string, number[]>} pointsByArc expected points by arc, one number per band
 * @param {TablePoint} centre
 * @param {number} facing the hour (1 to 12) to which the front arc points
 */
export function coverageWedges(pointsByArc, centre, facing) {
  const arcs = pointsByArc.S || pointsByArc.P ? FOUR_ARCS : SIX_ARCS;
  const step = 360 / arcs.length;
  const wedges = [];
  for (const [i, arc] of arcs.entries()) {
    for (const [band, points] of (pointsByArc[arc] ?? []).entries()) {
      if (!points) {
        continue;
      }
      const near = band * BAND_WIDTH;
      const part = {
        facing,
        from: (i - 0.5) * step,
        to: (i + 0.5) * step,
        near,
        far: near + BAND_WIDTH,
      };
      wedges.push(
        svg("path", {
          class: "wedge",
          d: wedgePath(centre, part),
          "fill-opacity": Math.min(0.24, 0.03 + 0.016 * points).toFixed(3),
        }),
      );
    }
  }
  return wedges;
}

/**
 * Draw a ring around a place.
 * @param {TablePoint} centre
 * @param {number} r the radius in MU
 */
export const rangeRing = ([cx, cy], r) => svg("circle", { class: "ring", cx, cy, r });
