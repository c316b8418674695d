// The data of a battle replay: the state of every unit after each moment, names and positions.

import { html, need } from "./dom.js";

/** @type {ReplayData} */
export const data = JSON.parse(need(document, "#replay", HTMLElement).textContent ?? "");
export const { units, sides, moments, wreck: WRECK } = data;
const FIGHTER = "fighter"; // the `size` of groups of craft

/** @type {UnitState[][]} all units after each moment; a unit that does not change is shared */
export const states = [];
for (const [i, moment] of moments.entries()) {
  const state = [...(states[i - 1] ?? units.map(() => ({ out: "unseen" })))];
  for (const [n, change] of Object.entries(moment.set ?? {})) {
    state[Number(n)] = { ...state[Number(n)], ...change };
  }
  for (const [n, path] of Object.entries(moment.paths ?? {})) {
    if (moment.set?.[n]?.x === undefined) {
      const [x, y] = path[path.length - 1];
      state[Number(n)] = { ...state[Number(n)], x, y };
    }
  }
  states.push(state);
}
export const phases = moments.map((moment) => data.phases[moment.p]);
/** The number of each moment within its turn, from 1. */
export const numbersInTurn = moments.map(
  ({ t }, i) => moments.filter((other, j) => j <= i && other.t === t).length,
);
/** The turn in which each unit became a wreck; undefined if it survives. */
export const turnsOfLoss = units.map(
  (_, n) => moments[states.findIndex((state) => state[n].out === WRECK)]?.t,
);

/**
 * Return the units before a moment.
 * @param {number} i the index of the moment
 */
export const statesBefore = (i) => states[Math.max(0, i - 1)];

/**
 * Return the name of a unit, or that of its bogey until it is identified.
 * @param {number} n the number of the unit
 * @param {UnitState} state
 */
export const unitName = (n, state) => (state.b && units[n].bogey) || units[n].name;

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
export const isShip = (n) => units[n].size !== FIGHTER;

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

/**
 * Slow a movement down at its start and end (smoothstep).
 * @param {number} t the fraction of the time that has passed, 0 to 1
 */
export const ease = (t) => t * t * (3 - 2 * t);

/**
 * Return where a unit is after a fraction of its move, and which way it points.
 * @param {TablePoint[]} path
 * @param {number | undefined} course its course after the move
 * @param {number} t the fraction of the path's length, 0 to 1
 * @returns {{x: number, y: number, course: number | undefined}}
 */
export function positionOnPath(path, course, t) {
  const legs = path.slice(1).map((to, i) => ({
    from: path[i],
    to,
    length: Math.hypot(to[0] - path[i][0], to[1] - path[i][1]),
  }));
  let left = legs.reduce((total, { length }) => total + length, 0) * t;
  for (const { from, to, length } of legs) {
    if (left <= length && length) {
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const flown = left / length;
      const legCourse = (Math.atan2(dx, dy) * 6) / Math.PI;
      return {
        x: from[0] + dx * flown,
        y: from[1] + dy * flown,
        course: t < 1 ? legCourse : course,
      };
    }
    left -= length;
  }
  const [x, y] = path[path.length - 1];
  return { x, y, course };
}
