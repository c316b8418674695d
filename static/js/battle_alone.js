// A battle's table with nothing to order by it: what flew where, and who fired at whom.

import { begin, line, trails } from "./battle_look.js";

const { data, table, $ } = begin();
$("rings").hidden = $("arcs").hidden = $("aim").hidden = true;
table.under.append(
  ...trails(data),
  ...data.shots.map(([a, b, c, d, own, hit]) =>
    line(`shot ${own ? "own" : "foe"}${hit ? "" : " miss"}`, [
      [a, b],
      [c, d],
    ]),
  ),
);
table.draw();
