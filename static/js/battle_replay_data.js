// The data of a replay: the units after each moment, what they are called, how they move.

import { html, need } from "./dom.js";

/** @type {ReplayData} */
export const data = JSON.parse(need(document, "#replay", HTMLElement).textContent ?? "");
export const { units, sides, moments, wreck: WRECK } = data;
const FIGHTER = "fighter";

/** @type {UnitState[][]} the units after each moment; shared as long as nothing changes them */
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
/** The number of each moment in its turn, from 1. */
export const numbers = moments.map(
  ({ t }, i) => moments.filter((other, j) => j <= i && other.t === t).length,
);
/** The turn in which each unit became a wreck. */
export const died = units.map(
  (_, n) => moments[states.findIndex((state) => state[n].out === WRECK)]?.t,
);

/** @param {number} i */
export const before = (i) => states[Math.max(0, i - 1)];

/**
 * @param {number} n
 * @param {UnitState} state
 */
export const nameOf = (n, state) => (state.b && units[n].bogey) || units[n].name;

/** @param {number | undefined} side */
export const seatOf = (side) => (side === undefined ? 0 : (sides[side]?.seat ?? 0));

/**
 * Return the classes of a unit: its seat and what it is.
 * @param {UnitState} state
 */
export function classOf(state) {
  const isOwn = state.m || data.mine < 0;
  const foe = state.b ? "foe bogey" : "foe";
  return `seat-${seatOf(state.s)} ${isOwn ? "own" : foe}`;
}

/** @param {number} n */
export const isShip = (n) => units[n].size !== FIGHTER;

/**
 * Return a text with the names of units marked.
 * @param {ReplayText} text
 * @param {UnitState[]} state
 */
export const marked = (text, state) =>
  text.map((piece) => {
    if (typeof piece === "string") {
      return piece;
    }
    const [n, name] = piece;
    return html("b", { className: classOf(state[n]) }, name ?? units[n].name);
  });

/** @param {ReplayText} text */
export const plain = (text) =>
  text
    .map((piece) => (typeof piece === "string" ? piece : (piece[1] ?? units[piece[0]].name)))
    .join("");

/** @param {number} t 0 to 1 */
export const ease = (t) => t * t * (3 - 2 * t);

/**
 * Return where a unit is at a part of its move, and which way it points.
 * @param {TablePoint[]} path
 * @param {number | undefined} course at its end
 * @param {number} t the part, 0 to 1
 * @returns {{x: number, y: number, course: number | undefined}}
 */
export function along(path, course, t) {
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
      const hour = (Math.atan2(dx, dy) * 6) / Math.PI;
      return { x: from[0] + dx * flown, y: from[1] + dy * flown, course: t < 1 ? hour : course };
    }
    left -= length;
  }
  const [x, y] = path[path.length - 1];
  return { x, y, course };
}
