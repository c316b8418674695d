// Changes to a plot by steppers and keys, and the description of a contact. Loaded on the first use
// of either.

import { phrase } from "./phrase.js";

// The number of a stepper in the page (`data-do`); 1 changes the velocity.
const TURN = 0;
const SIDE = 2; // only in vector movement
const REVERSE = 3; // only in vector movement

/**
 * Return burns with one of them replaced. If there is none to replace, a rotation is put first and
 * any other burn last.
 * @param {[string, number][]} burns
 * @param {string[]} kinds the kinds of burn to replace
 * @param {string} kind the kind of the new burn
 * @param {number} points the points of the new burn; 0 removes the old one
 */
function replaceBurn(burns, kinds, kind, points) {
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
 * Return the burns of a plot in vector movement after a press of a stepper.
 * @param {ShipPlot} plot
 * @param {number} control the number of the stepper
 * @param {number} by points to add
 */
function changeBurns({ burns }, control, by) {
  /** @param {string} kind */
  const points = (kind) => burns.find(([other]) => other === kind)?.[1] ?? 0;
  if (control === TURN) {
    const turn = ((points("TS") - points("TP") + by + 17) % 12) - 5;
    return replaceBurn(burns, ["TP", "TS"], turn < 0 ? "TP" : "TS", Math.abs(turn));
  }
  const pushes = ["PP", "PS", "PR"];
  if (control === SIDE) {
    const push = points("PS") - points("PP") + by;
    return replaceBurn(burns, pushes, push < 0 ? "PP" : "PS", Math.abs(push));
  }
  if (control === REVERSE) {
    return replaceBurn(burns, pushes, "PR", Math.max(0, points("PR") + by));
  }
  return replaceBurn(burns, ["MD"], "MD", Math.max(0, points("MD") + by));
}

/**
 * Return a plot after a press of a stepper.
 * @param {PlotShip} ship
 * @param {ShipPlot} plot
 * @param {number} control the stepper: 0 turn, 1 velocity, 2 push to a side, 3 push in reverse
 * @param {number} by points to add
 * @returns {ShipPlot}
 */
export function changePlot(ship, plot, control, by) {
  if (ship.drift) {
    return { ...plot, burns: changeBurns(plot, control, by) };
  }
  if (control === TURN) {
    const turn = plot.turns.reduce((total, points) => total + points, by);
    return { ...plot, turns: turn ? [turn] : [] };
  }
  return { ...plot, thrust: plot.thrust + by };
}

/**
 * Describe a contact: class, course, velocity and distance.
 * @param {TablePiece} contact
 * @param {TablePoint} from the end of the ship's move
 */
export function describeContact({ name, cls, course, v, x, y }, from) {
  const motion = v === null ? phrase`course ${course}` : phrase`course ${course}, velocity ${v}`;
  const distance = Math.hypot(x - from[0], y - from[1]).toFixed(0);
  return phrase`${name}: ${cls ?? phrase`bogey`}, ${motion}, ${distance} MU from the end of your move`;
}
