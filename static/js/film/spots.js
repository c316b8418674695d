// Where every unit is drawn at a time of a film: on its way, on its run, in its formation.

import { glide, part, settle } from "./ease.js";
import { along } from "./paths.js";
import { LAUNCH } from "./score.js";
import { NEAR, slotOffset } from "./formations.js";
import { isCraft } from "./silhouettes.js";

const SLOTS = 10; // in a formation; further groups share them
const RUN_SHARE = 0.6; // how far craft that attack fly towards their target
const RUN_WIDTH = 2.6; // MU to the side

/** @param {number | undefined} course an hour of the clock */
export const radians = (course) => ((course ?? 0) * Math.PI) / 6;

/**
 * Return the slot of each group of craft in its formation.
 * @param {ReplayUnit[]} units
 */
export function slotsOf(units) {
  const slots = new Map();
  for (const [n, { size }] of units.entries()) {
    if (isCraft(size)) {
      slots.set(n, slots.size % SLOTS);
    }
  }
  return slots;
}

/**
 * Return how far launches and moves of a beat are, 0 to 1: craft leave their ships first.
 * @param {FilmBeat} beat
 * @param {number} at
 */
export function underWay({ acts, at: start, long }, at) {
  const launches = acts.some(({ k }) => k === "launch") ? Math.min(LAUNCH, long / 2) : 0;
  return {
    out: part(at, start, start + launches),
    moved: part(at, start + launches, start + long),
  };
}

/**
 * @param {FilmView} view
 * @param {FilmBeat[]} live
 */
export function spotsOf(view, live) {
  /** @type {Map<number, FilmSpot>} */
  const spots = new Map();
  for (const [n, state] of view.states.entries()) {
    if (state.x !== undefined && state.y !== undefined) {
      spots.set(n, spot(state, state.out ? 0 : 1));
    }
  }
  for (const beat of live) {
    if (beat.moment.k === "fire") {
      strafe(beat, spots, view);
    } else if (view.at < beat.lands) {
      move(beat, spots, view);
    }
  }
  for (const one of spots.values()) {
    [one.px, one.py] = view.camera.px(one.x, one.y);
  }
  formation(spots, view);
  return spots;
}

/**
 * @param {UnitState} state
 * @param {number} shown
 * @returns {FilmSpot}
 */
const spot = (state, shown) => ({
  x: state.x ?? 0,
  y: state.y ?? 0,
  px: 0,
  py: 0,
  angle: radians(state.c),
  state,
  shown,
});

/**
 * Put units on their way. Those that change their place without a path, because the table moves,
 * slide there.
 * @param {FilmBeat} beat
 * @param {Map<number, FilmSpot>} spots
 * @param {FilmView} view
 */
function move(beat, spots, { at }) {
  const { out, moved } = underWay(beat, at);
  const changes = beat.moment.set ?? {};
  const flown = new Set();
  for (const act of beat.acts) {
    if (act.k === "launch") {
      launch(act, changes[act.u] ?? {}, spots, settle(out));
    } else if (act.k === "move" && act.path) {
      flown.add(act.u);
      fly(spots.get(act.u), act.path, changes[act.u]?.c, glide(moved));
    }
  }
  for (const [key, change] of Object.entries(changes)) {
    if (!flown.has(Number(key))) {
      slide(spots.get(Number(key)), change, glide(moved));
    }
  }
}

/**
 * @param {FilmSpot | undefined} one
 * @param {Partial<UnitState>} change
 * @param {number} t
 */
function slide(one, change, t) {
  if (one && !one.state.out) {
    one.x += ((change.x ?? one.x) - one.x) * t;
    one.y += ((change.y ?? one.y) - one.y) * t;
  }
}

/**
 * @param {FilmSpot | undefined} one
 * @param {TablePoint[]} path
 * @param {number | undefined} course its course at the end
 * @param {number} t
 */
function fly(one, path, course, t) {
  if (one) {
    const end = course === undefined ? one.angle : radians(course);
    const { x, y, angle } = along(path, one.angle, end, t);
    Object.assign(one, { x, y, angle });
  }
}

/**
 * Put a group between its ship and the place where it starts.
 * @param {FilmAct} act
 * @param {Partial<UnitState>} change
 * @param {Map<number, FilmSpot>} spots
 * @param {number} far
 */
function launch(act, change, spots, far) {
  const path = typeof act.from === "number" ? spots.get(act.from) : undefined;
  const one = spots.get(act.u) ?? spot({ ...change, out: "" }, far);
  const home = path ?? one;
  const { x = one.x, y = one.y } = change;
  spots.set(act.u, {
    ...one,
    x: home.x + (x - home.x) * far,
    y: home.y + (y - home.y) * far,
    angle: radians(change.c ?? one.state.c),
    shown: far,
  });
}

/**
 * Let a group of craft run at its target and back while its fire plays.
 * @param {FilmBeat} beat
 * @param {Map<number, FilmSpot>} spots
 * @param {FilmView} view
 */
function strafe({ moment: { who = -1 }, acts, at: start, long }, spots, { at, data }) {
  const one = spots.get(who);
  const target = spots.get(acts.find(({ k }) => k === "shot")?.at ?? -1);
  if (!one || !target || !isCraft(data.units[who].size)) {
    return;
  }
  const t = part(at, start, start + long);
  const run = Math.sin(Math.PI * t);
  const angle = who * 2.4 + t * Math.PI * 1.2;
  const away = Math.hypot(target.x - one.x, target.y - one.y) || 1;
  const wide = RUN_WIDTH * run * Math.min(1, 3 / away + 0.5);
  one.x += (target.x - one.x) * run * RUN_SHARE + Math.cos(angle) * wide;
  one.y += (target.y - one.y) * run * RUN_SHARE + Math.sin(angle) * wide;
  one.angle = run ? angle + Math.PI / 2 : one.angle;
}

/**
 * Let groups of craft at one place fly side by side, so that all can be seen and counted.
 * @param {Map<number, FilmSpot>} spots
 * @param {FilmView} view
 */
function formation(spots, { data, slots }) {
  const groups = [...spots].filter(([n, { shown }]) => shown && isCraft(data.units[n].size));
  const moved = groups.map(([n, one]) => {
    const others = groups.filter(([other]) => other !== n);
    const distances = others.map(([, { px, py }]) => Math.hypot(px - one.px, py - one.py));
    const weight = part(NEAR - Math.min(NEAR, ...distances), 0, 16);
    const [dx, dy] = slotOffset(slots.get(n) ?? 0, one.angle);
    return { one, dx: dx * weight, dy: dy * weight };
  });
  for (const { one, dx, dy } of moved) {
    one.px += dx;
    one.py += dy;
  }
}
