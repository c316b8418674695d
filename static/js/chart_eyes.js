// Eyes on a star map: which fleets of one's own others may know of. Fetched when somebody wants to see it.

import { esc } from "./chart_marks.js";

const EYE = "M0 5.5C3.5 0 12.5 0 16 5.5 12.5 11 3.5 11 0 5.5z";

export function eyes(map, places) {
  return map.data.eyes
    .map((eye) => {
      const [x, y] = map.at(eye.hex);
      if (!places.inside(x, y)) {
        return "";
      }
      const long = 24 + String(eye.words).length * 11 * 0.55;
      const near = [
        [12, 8],
        [-12 - long, 8],
        [12, -26],
        [-12 - long, -26],
        [-long / 2, 22],
        [-long / 2, -42],
        [12, 30],
        [-12 - long, 30],
        [26, -9],
        [-26 - long, -9],
        [44, -30],
        [-44 - long, -30],
        [44, 14],
        [-44 - long, 14],
        [-long / 2, 46],
        [-long / 2, -62],
      ];
      const [dx, dy] = places.find(near, ([a, b]) => [x + a, y + b, x + a + long, y + b + 18]);
      places.take([x + dx, y + dy, x + dx + long, y + dy + 18]);
      const at = [Math.round(x + dx), Math.round(y + dy)];
      return `<g class="eye${eye.sure ? " sure" : ""}" data-hex="${eye.hex}"><path class="pin" d="M${at[0] + 8} ${at[1] + 9}L${Math.round(x)} ${Math.round(y)}"/><path class="lid" transform="translate(${at[0]} ${at[1] + 3})" d="${EYE}"/><circle class="pupil" cx="${at[0] + 8}" cy="${at[1] + 8.5}" r="2.4"/><text class="halo" x="${at[0] + 21}" y="${at[1] + 13}">${esc(eye.words)}</text></g>`;
    })
    .join("");
}
