// When the moments of a battle play, and for how long. A phase never takes longer than its budget:
// with few volleys each has its own time, with many they overlap like a rolling broadside.

// Milliseconds
export const LAUNCH = 420; // craft leave their ships before they fly
const MOVES = 1100; // all moves of a phase at once
const VOLLEY = 900;
const VOLLEY_LANDS = 430; // when within a volley the damage is seen
const SYSTEMS_LOST = 300; // longer if systems are lost
const CHECKS = 700;
const OTHER = 500;
const BEGIN = 300;
const REST = 450; // stillness after a phase
const BUDGET = 11_000; // the longest that a phase takes at normal speed
const LEAST_FOR_VOLLEYS = 1500;
const SHOWS_DICE = 260; // volleys closer together show totals instead of dice
const OVERLAP = 0.82; // volleys begin after this share of the one before

/** @param {FilmAct[]} acts */
const hasLaunch = (acts) => acts.some(({ k }) => k === "launch");

/**
 * Return how long a moment takes if it has all the time it wants.
 * @param {ReplayMoment} moment
 */
function usualTime({ k, acts = [] }) {
  if (k === "moves") {
    return MOVES + (hasLaunch(acts) ? LAUNCH : 0);
  }
  if (k === "fire") {
    return VOLLEY + (acts.some(({ lost }) => lost) ? SYSTEMS_LOST : 0);
  }
  if (k === "begin") {
    return BEGIN;
  }
  return acts.some((act) => act.k === "check") ? CHECKS : OTHER;
}

/**
 * Return after how many milliseconds a moment's effect is seen.
 * @param {string} kind
 * @param {number} long
 */
function landing(kind, long) {
  if (kind === "moves") {
    return long;
  }
  return kind === "fire" ? VOLLEY_LANDS : long * 0.6;
}

/**
 * Return the time between the beginnings of volleys in a phase.
 * @param {ReplayMoment[]} moments those of the phase
 */
function timeBetweenVolleys(moments) {
  const volleys = moments.filter(({ k }) => k === "fire").length;
  const others = moments.filter(({ k }) => k !== "fire");
  const taken = others.reduce((sum, moment) => sum + usualTime(moment), 0);
  const room = Math.max(LEAST_FOR_VOLLEYS, BUDGET - taken);
  return Math.min(VOLLEY * OVERLAP, (room - VOLLEY) / Math.max(1, volleys));
}

/**
 * Play all beats of a phase faster if they take longer than the budget.
 * @param {FilmBeat[]} beats
 * @param {number} start milliseconds
 * @param {number} end
 */
function keepBudget(beats, start, end) {
  const pace = Math.min(1, BUDGET / (end - start || 1));
  for (const beat of beats) {
    beat.at = start + (beat.at - start) * pace;
    beat.lands = start + (beat.lands - start) * pace;
    beat.long *= pace;
  }
  return start + (end - start) * pace + REST;
}

/**
 * Return the beats of a phase from a time on.
 * @param {{i: number, moment: ReplayMoment}[]} phase
 * @param {number} start milliseconds
 */
function beatsOfPhase(phase, start) {
  const moments = phase.map(({ moment }) => moment);
  const apart = timeBetweenVolleys(moments);
  /** @type {FilmBeat[]} */
  const beats = [];
  let at = start;
  let busy = start; // until when something still plays
  for (const { i, moment } of phase) {
    const isVolley = moment.k === "fire";
    const long = usualTime(moment);
    if (!isVolley) {
      at = Math.max(at, busy);
    }
    const lands = at + landing(moment.k, long);
    const brief = apart < SHOWS_DICE;
    beats.push({ i, moment, acts: moment.acts ?? [], at, long, lands, brief });
    busy = Math.max(busy, at + long);
    at = isVolley ? at + apart : busy;
  }
  return { beats, end: keepBudget(beats, start, busy) };
}

/**
 * Return the beats of all moments, and when the film ends in milliseconds.
 * @param {ReplayMoment[]} moments
 */
export function scoreOf(moments) {
  /** @type {FilmBeat[]} */
  const beats = [];
  let end = 0;
  let first = 0;
  for (let i = 1; i <= moments.length; i++) {
    const isSamePhase = i < moments.length && isSame(moments[i], moments[first]);
    if (isSamePhase) {
      continue;
    }
    const phase = moments.slice(first, i).map((moment, k) => ({ i: first + k, moment }));
    const scored = beatsOfPhase(phase, end);
    beats.push(...scored.beats);
    end = scored.end;
    first = i;
  }
  return { beats, end };
}

/**
 * Tell whether two moments are in the same phase of the same turn.
 * @param {ReplayMoment} a
 * @param {ReplayMoment} b
 */
const isSame = (a, b) => a.t === b.t && a.p === b.p;
