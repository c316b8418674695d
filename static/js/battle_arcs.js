// Arcs of fire on the table, as parts of rings around a ship.

import { el } from "./battle_table.js";

export const SIX = ["F", "FS", "AS", "A", "AP", "FP"];
export const FOUR = ["F", "S", "A", "P"];
const BAND = 12;

export function wedge([x, y], turn, from, to, near, far) {
  const at = (deg, r) => {
    const a = ((turn * 30 + deg) * Math.PI) / 180;
    return `${(x + r * Math.sin(a)).toFixed(2)} ${(y + r * Math.cos(a)).toFixed(2)}`;
  };
  return `M${at(from, near)}L${at(from, far)}A${far} ${far} 0 0 0 ${at(to, far)}L${at(to, near)}A${near} ${near} 0 0 1 ${at(from, near)}z`;
}

/** What bears in each arc by bands of 12 MU: the more, the brighter. `by`: {arc: [points, ...]}; `turn`: the hour that is ahead. */
export function cover(by, at, turn) {
  const names = by.S || by.P ? FOUR : SIX;
  const step = 360 / names.length;
  return names.flatMap((arc, i) =>
    (by[arc] ?? []).flatMap((points, band) =>
      points
        ? [
            el("path", {
              class: "wedge",
              d: wedge(
                at,
                turn,
                (i - 0.5) * step,
                (i + 0.5) * step,
                band * BAND,
                band * BAND + BAND,
              ),
              "fill-opacity": Math.min(0.24, 0.03 + 0.016 * points).toFixed(3),
            }),
          ]
        : [],
    ),
  );
}

export const ring = (at, r) => el("circle", { class: "ring", cx: at[0], cy: at[1], r });
