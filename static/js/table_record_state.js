// Applies entries of a table battle's record to its state. The site applies the same rules to the
// entries it receives (campaign.rules.table_record).

/**
 * Apply an entry to a state of the record. Dice and threshold checks change nothing: the player
 * enters their results as entries of their own.
 * @param {RecordState} state
 * @param {RecordEntry} entry
 */
export function applyEntry(state, entry) {
  if (entry.kind === "plot" && entry.turn === state.turn && !state.sealed) {
    state.sealed = true;
    state.plot = entry.orders;
  } else if (entry.kind === "set_up") {
    state.sealed = state.sealed || state.turn === 0;
  } else if (entry.kind === "phase") {
    applyPhase(state, entry.turn, entry.phase);
  } else if (entry.kind === "ground") {
    state.ground[entry.site] = entry.damage;
  } else if ("ship" in entry && state.ships[entry.ship]) {
    applyToShip(state.ships[entry.ship], entry);
  }
}

/**
 * Move on to a later phase. An entry for an earlier phase changes nothing.
 * @param {RecordState} state
 * @param {number} turn
 * @param {number} phase
 */
function applyPhase(state, turn, phase) {
  const isLater = turn > state.turn || (turn === state.turn && phase > state.phase);
  if (!isLater) {
    return;
  }
  if (turn > state.turn) {
    state.sealed = false;
    state.plot = {};
  }
  state.turn = turn;
  state.phase = phase;
}

/**
 * Apply an entry to the ship it is about.
 * @param {RecordShip} ship
 * @param {RecordEntry} entry
 */
function applyToShip(ship, entry) {
  if (entry.kind === "boxes") {
    const crossed = new Set(ship.crossed);
    for (let n = entry.first; n <= entry.last; n++) {
      if (entry.off) {
        crossed.add(n);
      } else {
        crossed.delete(n);
      }
    }
    ship.crossed = [...crossed];
  } else if (entry.kind === "system") {
    ship.hits[entry.system] = entry.hits;
  } else if (entry.kind === "stock") {
    ship.stock[entry.name] = entry.left;
  } else if (entry.kind === "end") {
    ship.status = entry.status;
  } else if (entry.kind === "shown") {
    ship.shown = true;
  }
}
