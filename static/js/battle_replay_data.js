// The data of a battle replay: the state of every unit after each moment, names and positions.

import { html, need } from "./dom.js";
import { isCraft } from "./film/silhouettes.js";
import { labelOf, nameOf, statesOf, turnsOfLossOf } from "./film/states.js";

/** @type {ReplayData} */
export const data = JSON.parse(need(document, "#replay", HTMLElement).textContent ?? "");
export const { units, sides, moments, wreck: WRECK } = data;

export const states = statesOf(data);
export const phases = moments.map((moment) => data.phases[moment.p]);
/** The number of each moment within its turn, from 1. */
export const numbersInTurn = moments.map(
  ({ t }, i) => moments.filter((other, j) => j <= i && other.t === t).length,
);
/**
 * Return the units before a moment.
 * @param {number} i the index of the moment
 */
export const statesBefore = (i) => states[Math.max(0, i - 1)];

/** The turn in which each unit became a wreck; undefined if it survives. */
export const turnsOfLoss = turnsOfLossOf(data, states);

/**
 * Return the name of a unit, or that of its bogey until it is identified.
 * @param {number} n the number of the unit
 * @param {UnitState} state
 */
export const unitName = (n, state) => nameOf(units[n], state);

/**
 * Return the text beside a unit on the table.
 * @param {number} n the number of the unit
 * @param {UnitState} state
 */
export const unitLabel = (n, state) => labelOf(units[n], state);

/**
 * Return the seat of a side, which decides its colour; 0 if the side is not known.
 * @param {number | undefined} side
 */
export const seatOf = (side) => (side === undefined ? 0 : (sides[side]?.seat ?? 0));

/**
 * Return the CSS classes of a unit: its seat, and whether it is the reader's, hostile or a bogey.
 * @param {UnitState} state
 */
export function unitClasses(state) {
  const isOwn = state.m || data.mine < 0;
  const foe = state.b ? "foe bogey" : "foe";
  return `seat-${seatOf(state.s)} ${isOwn ? "own" : foe}`;
}

/** @param {number} n the number of the unit */
export const isShip = (n) => !isCraft(units[n].size);

/**
 * Return a text as nodes, with the names of units in their colours.
 * @param {ReplayText} text
 * @param {UnitState[]} state
 */
export const textNodes = (text, state) =>
  text.map((piece) => {
    if (typeof piece === "string") {
      return piece;
    }
    const [n, name] = piece;
    return html("b", { className: unitClasses(state[n]) }, name ?? units[n].name);
  });

/**
 * Return a text as a string.
 * @param {ReplayText} text
 */
export const plainText = (text) =>
  text
    .map((piece) => (typeof piece === "string" ? piece : (piece[1] ?? units[piece[0]].name)))
    .join("");
