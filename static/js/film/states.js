// The units of a battle after each moment, from the data of its replay.

/**
 * Return all units after each moment; a unit that does not change is shared.
 * @param {ReplayData} data
 */
export function statesOf({ units, moments }) {
  /** @type {UnitState[][]} */
  const states = [];
  /** @type {UnitState[]} */
  let state = units.map(() => ({ out: "unseen" }));
  for (const { set = {}, acts = [] } of moments) {
    state = [...state];
    for (const [n, change] of Object.entries(set)) {
      state[Number(n)] = { ...state[Number(n)], ...change };
    }
    for (const { u, path } of acts) {
      if (path && set[u]?.x === undefined) {
        const [x, y] = path[path.length - 1];
        state[u] = { ...state[u], x, y };
      }
    }
    states.push(state);
  }
  return states;
}

/**
 * Return the turn in which each unit became a wreck; undefined if it survives.
 * @param {ReplayData} data
 * @param {UnitState[][]} states
 */
export const turnsOfLossOf = ({ units, moments, wreck }, states) =>
  units.map((_, n) => moments[states.findIndex((state) => state[n].out === wreck)]?.t);

/**
 * Return the name of a unit, or that of its bogey until it is identified.
 * @param {ReplayUnit} unit
 * @param {UnitState} state
 */
export const nameOf = (unit, state) => (state.b && unit.bogey) || unit.name;

/**
 * Return the text beside a unit: the code of a group of craft, or a ship's name.
 * @param {ReplayUnit} unit
 * @param {UnitState} state
 */
export const labelOf = (unit, state) => unit.code || nameOf(unit, state);
