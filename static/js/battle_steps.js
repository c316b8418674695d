// What steppers and keys do to a plot, and what is said of a contact. Fetched with the first of
// them.

import { phrase } from "./phrase.js";

/**
 * What a stepper changes: it turns, changes speed, and by vectors pushes to a side or in reverse.
 */
const TURN = 0;
const SIDE = 2;
const REVERSE = 3;

/**
 * Put a burn in the place of others, or before or behind all; a new rotation comes first.
 * @param {[string, number][]} burns
 * @param {string[]} kinds that it replaces
 * @param {string} kind
 * @param {number} points 0: it is left out
 */
function withBurn(burns, kinds, kind, points) {
  const changed = [...burns];
  const index = burns.findIndex(([other]) => kinds.includes(other));
  /** @type {[string, number][]} */
  const burn = points ? [[kind, points]] : [];
  if (index >= 0) {
    changed.splice(index, 1, ...burn);
  } else {
    changed.splice(kind.startsWith("T") ? 0 : burns.length, 0, ...burn);
  }
  return changed;
}

/**
 * @param {ShipPlot} plot
 * @param {number} what
 * @param {number} by points
 */
function changedBurns({ burns }, what, by) {
  /** @param {string} kind */
  const points = (kind) => burns.find(([other]) => other === kind)?.[1] ?? 0;
  if (what === TURN) {
    const turn = ((points("TS") - points("TP") + by + 17) % 12) - 5;
    return withBurn(burns, ["TP", "TS"], turn < 0 ? "TP" : "TS", Math.abs(turn));
  }
  const pushes = ["PP", "PS", "PR"];
  if (what === SIDE) {
    const push = points("PS") - points("PP") + by;
    return withBurn(burns, pushes, push < 0 ? "PP" : "PS", Math.abs(push));
  }
  if (what === REVERSE) {
    return withBurn(burns, pushes, "PR", Math.max(0, points("PR") + by));
  }
  return withBurn(burns, ["MD"], "MD", Math.max(0, points("MD") + by));
}

/**
 * Return a plot with one thing changed.
 * @param {PlotShip} ship
 * @param {ShipPlot} plot
 * @param {number} what 0 turns, 1 changes speed; by vectors 2 pushes to a side, 3 in reverse
 * @param {number} by points
 * @returns {ShipPlot}
 */
export function changed(ship, plot, what, by) {
  if (ship.drift) {
    return { ...plot, burns: changedBurns(plot, what, by) };
  }
  if (what === TURN) {
    const turn = plot.turns.reduce((total, points) => total + points, by);
    return { ...plot, turns: turn ? [turn] : [] };
  }
  return { ...plot, thrust: plot.thrust + by };
}

/**
 * Say what a contact is, and how far it is from a place.
 * @param {TablePiece} contact
 * @param {TablePoint} from
 */
export function contactInWords({ name, cls, course, v, x, y }, from) {
  const way = v === null ? phrase`course ${course}` : phrase`course ${course}, velocity ${v}`;
  const away = Math.hypot(x - from[0], y - from[1]).toFixed(0);
  return phrase`${name}: ${cls ?? phrase`bogey`}, ${way}, ${away} MU from the end of your move`;
}
