// What steppers and keys do to a plot, and what is said of a contact. Fetched with the first of them.

import { phrase } from "./phrase.js";

/** A plot with one thing changed by a point: 0 turns, 1 changes speed; by vectors 2 pushes to a side, 3 in reverse. */
export function changed(ship, plot, what, by) {
  const burns = [...plot.burns];
  const get = (k) => burns.find(([name]) => name === k)?.[1] ?? 0;
  if (!ship.drift) {
    const sum = plot.turns.reduce((a, b) => a + b, 0) + by;
    return what ? { ...plot, thrust: plot.thrust + by } : { ...plot, turns: sum ? [sum] : [] };
  }
  const put = (kinds, k, n) => {
    // in its place among the burns; a new rotation comes before the others
    const i = burns.findIndex(([name]) => kinds.includes(name));
    if (i >= 0) {
      burns.splice(i, 1, ...(n ? [[k, n]] : []));
    } else if (n) {
      burns.splice(k[0] === "T" ? 0 : burns.length, 0, [k, n]);
    }
  };
  if (what === 0) {
    const n = ((get("TS") - get("TP") + by + 17) % 12) - 5;
    put(["TP", "TS"], n < 0 ? "TP" : "TS", Math.abs(n));
  } else if (what === 2) {
    const n = get("PS") - get("PP") + by;
    put(["PP", "PS", "PR"], n < 0 ? "PP" : "PS", Math.abs(n));
  } else if (what === 3) {
    put(["PP", "PS", "PR"], "PR", Math.max(0, get("PR") + by));
  } else {
    put(["MD"], "MD", Math.max(0, get("MD") + by));
  }
  return { ...plot, burns };
}

/** A contact in words, with how far it is from a place. */
export function told({ name, cls, course, v, x, y }, at) {
  const way = v === null ? phrase`course ${course}` : phrase`course ${course}, velocity ${v}`;
  return phrase`${name}: ${cls ?? phrase`bogey`}, ${way}, ${Math.hypot(x - at[0], y - at[1]).toFixed(0)} MU from the end of your move`;
}
