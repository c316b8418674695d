// A battle's table with nothing to order by it: what flew where, and who fired at whom.

import { begin, byId, line, trails } from "./battle_page.js";

const { data, table } = begin((found) => /** @type {BattleData} */ (found));
for (const id of ["rings", "arcs", "aim"]) {
  byId(id).hidden = true;
}
const shots = data.shots.map(([fromX, fromY, toX, toY, isOwn, isHit]) => {
  const className = `shot ${isOwn ? "own" : "foe"}${isHit ? "" : " miss"}`;
  return line(className, [
    [fromX, fromY],
    [toX, toY],
  ]);
});
table.under.append(...trails(data), ...shots);
table.draw();
