// Draws the flag of a fleet in a list.

import { svg } from "./dom.js";

/**
 * Draw the flag of a fleet with its number of ships.
 * @param {number} seat the number of the faction's seat
 * @param {number | string} count the number of ships
 */
export function fleetFlag(seat, count) {
  return svg(
    "svg",
    { class: `pennant seat-${seat}`, viewBox: "0 0 26 18", "aria-hidden": "true" },
    svg("path", { d: "M0 0h26l-4 9 4 9H0z" }),
    svg("text", { x: 10, y: 12.6, "text-anchor": "middle" }, String(count)),
  );
}
