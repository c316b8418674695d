// The table of a battle while the side has no orders to give: the paths and shots of the last
// phase. Loaded with the page.

import { byId, polyline, setUpPage, trails } from "./battle_page.js";

const { data, table } = setUpPage((found) => /** @type {BattleData} */ (found));
for (const id of ["rings", "arcs", "aim"]) {
  byId(id).hidden = true;
}
const shots = data.shots.map(([fromX, fromY, toX, toY, isOwn, isHit]) => {
  const className = `shot ${isOwn ? "own" : "foe"}${isHit ? "" : " miss"}`;
  return polyline(className, [
    [fromX, fromY],
    [toX, toY],
  ]);
});
table.underLayer.append(...trails(data), ...shots);
table.draw();
