// Groups of craft on a battle's table: side by side where they share a place, and a pip for each
// craft. Loaded with the first group.

import { svg } from "./dom.js";
import { NEAR, slotOffset } from "./film/formations.js";
import { magnification } from "./film/silhouettes.js";

/** @import { Table } from "./battle_table.js" */

const FULL_GROUP = 6; // craft
const PIP = 2.6; // pixels

/** @param {Table} table whose groups of craft are placed whenever it is drawn */
export function formGroups(table) {
  table.formUp = formUp;
  table.draw();
}

/**
 * Place groups of craft, so that all can be seen and tapped, and show how many craft they have.
 * @param {Table} table
 */
function formUp(table) {
  /** @type {{at: Point, marks: Mark[]}[]} */
  const formations = [];
  const groups = [...table.marks.values()].filter(({ craft }) => craft !== undefined);
  for (const mark of groups) {
    showPips(mark, 10 * magnification(table.pxPerMu) * (mark.scale ?? 1));
    if (mark.hidden) {
      continue;
    }
    const [x, y] = table.toPixels(mark.x, mark.y);
    const near = formations.find(({ at }) => Math.hypot(at[0] - x, at[1] - y) < NEAR);
    if (near) {
      near.marks.push(mark);
    } else {
      formations.push({ at: [x, y], marks: [mark] });
    }
  }
  for (const { marks } of formations) {
    for (const [slot, mark] of marks.entries()) {
      mark.aside = slotOffset(slot, ((mark.course ?? 0) * Math.PI) / 6);
    }
  }
}

/**
 * Show the craft of a group as pips under its mark: those left, and pale those lost.
 * @param {Mark} mark
 * @param {number} below pixels between the middle of the mark and the pips
 */
function showPips(mark, below) {
  const left = mark.craft ?? 0;
  if (!mark.pips) {
    mark.pips = [svg("path", { class: "pips" }), svg("path", { class: "pips lost" })];
    mark.node.append(...mark.pips);
  }
  const square = `h${PIP}v${PIP}h-${PIP}z`;
  const parts = ["", ""];
  for (let n = 0; n < Math.max(left, FULL_GROUP); n += 1) {
    parts[n < left ? 0 : 1] += `M${n * 4} 0${square}`;
  }
  for (const [n, pips] of mark.pips.entries()) {
    pips.setAttribute("d", parts[n]);
    pips.setAttribute("transform", `translate(-11 ${below.toFixed(1)})`);
  }
}
