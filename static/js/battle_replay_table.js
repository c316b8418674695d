// The table of a replay: units, their moves, fire and damage at this part of the moment.

import {
  WRECK,
  along,
  before,
  classOf,
  data,
  died,
  ease,
  isShip,
  moments,
  nameOf,
  seatOf,
  states,
  units,
} from "./battle_replay_data.js";
import { player } from "./battle_replay_player.js";
import { Table } from "./battle_table.js";
import { need, svg } from "./dom.js";
import { phrase } from "./phrase.js";

const HALFWAY = 0.55; // of a moment, when its end begins to show
const BEAM = 0.45; // of a moment, when fire arrives
const GLIDE = 0.08; // of the way to the next frame that the table moves with each picture
const HIT_AREA = /** @type {Box} */ ([-20, -32, 20, -14]); // pixels around a unit for its damage

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
export const caption = need(document, "#tell", HTMLElement);
const tableSvg = need(document, "#table", SVGSVGElement);
tableSvg.replaceChildren();
export const table = new Table(tableSvg, data.table, { arrows: false });
/** @type {Box | null} the part of the table that is shown */
let view = null;
/** @type {{x: number, y: number, words: string, isMiss: boolean}[]} damage that is shown */
let pops = [];
/** @type {Box} pixels that the buttons on the table cover */
let toolsBox = [0, 0, 0, 0];

/**
 * Keep names and damage off the buttons on the table.
 * @param {HTMLElement} tools
 */
export function keepFree(tools) {
  toolsBox = boxOf(tools);
}

/** Show the whole part of the table that is played on, and follow no unit. */
export function followNothing() {
  table.follow = null;
  table.fitted = true;
  view = null;
}

/**
 * Return the states that count at this part of the moment: moves keep the earlier ones until they
 * end.
 */
function currentStates() {
  const isEarly = moments[player.at].k === "moves" || player.part < HALFWAY;
  return isEarly ? before(player.at) : states[player.at];
}

let lying = -1; // the pieces that are on the table

/** Draw the table. */
export function draw() {
  const pieces = moments[player.at].on ?? 0;
  if (lying !== pieces) {
    lying = pieces;
    table.pieces(data.pieces[pieces].map(withSeat));
  }
  const trails = [...units.keys()].flatMap(drawUnit);
  const beams = beamsOf();
  table.under.replaceChildren(...trails, ...beams.map(({ beam }) => beam));
  pops = beams.flatMap(({ pop }) => pop);
  const mark = player.followed === null ? undefined : table.marks.get(String(player.followed));
  table.follow = mark ? () => [mark.x, mark.y] : null;
  table.draw();
}

/** @param {ReplayPiece} piece */
const withSeat = (piece) => ({
  ...piece,
  r: piece.r ?? 0,
  cls: `seat-${seatOf(piece.s)}${piece.s === data.mine ? "" : " foe"}`,
});

/**
 * Draw a unit, and return the trail of its move.
 * @param {number} n
 * @returns {SVGElement[]}
 */
function drawUnit(n) {
  const to = states[player.at][n];
  const from = before(player.at)[n].x === undefined ? to : before(player.at)[n];
  if (to.x === undefined) {
    table.unmark(String(n));
    return [];
  }
  const now = currentStates()[n];
  const current = now.x === undefined ? to : now;
  const path = from.out ? undefined : moments[player.at].paths?.[n];
  const place = path
    ? along(path, to.c, ease(Math.min(1, player.part)))
    : restingPlace(from, current, to);
  markUnit(n, { place, from, to, current, shown: player.part >= 1 ? to : current });
  if (!path) {
    return [];
  }
  const line = path.map((point) => point.join(" ")).join("L");
  return [svg("path", { class: `trail ${classOf(to)}`, d: `M${line}` })];
}

/**
 * Return where a unit is that does not move.
 * @param {UnitState} from
 * @param {UnitState} current
 * @param {UnitState} to
 */
function restingPlace(from, current, to) {
  const still = moments[player.at].k === "moves" ? from : current;
  const { x, y, c } = player.part >= 1 ? to : still;
  return { x, y, course: c };
}

/**
 * @typedef {object} UnitMoment
 * @property {{x?: number, y?: number, course?: number}} place
 * @property {UnitState} from before the moment
 * @property {UnitState} to after it
 * @property {UnitState} current at this part of it
 * @property {UnitState} shown what its mark says
 */

/**
 * @param {number} n
 * @param {UnitMoment} unit
 */
function markUnit(n, unit) {
  const { place, from, to, current, shown } = unit;
  const isWreck = (player.part > HALFWAY ? to : current).out === WRECK;
  const isOldWreck = isWreck && from.out === WRECK;
  const isGone = isWreck ? isOldWreck && moments[player.at].t > died[n] : isOffTable(unit);
  table.mark(String(n), {
    ...place,
    size: units[n].size,
    hidden: isGone,
    name: isOldWreck || isGone ? "" : nameOf(n, shown),
    sub: noteOf(n, shown, isWreck, isOldWreck),
    rank: rankOf(n, isWreck),
    cls: classOf(shown) + emphasisOf(n, isWreck),
  });
}

/**
 * Return further classes of a unit: whether it is a wreck, fires, is hit, or is followed.
 * @param {number} n
 * @param {boolean} isWreck
 */
function emphasisOf(n, isWreck) {
  const wreck = isWreck ? " wreck" : "";
  const fires = moments[player.at].who === n ? " fires" : "";
  const hurt = new Map(moments[player.at].shots).get(n) ? " hurt" : "";
  const chosen = player.followed === n ? " chosen" : "";
  return wreck + fires + hurt + chosen;
}

/** @param {UnitMoment} unit that is no wreck */
function isOffTable({ from, to }) {
  if (player.part >= 1) {
    return Boolean(to.out);
  }
  return Boolean(from.out && (to.out || moments[player.at].k === "moves"));
}

/**
 * @param {number} n
 * @param {UnitState} shown
 * @param {boolean} isWreck
 * @param {boolean} isOldWreck
 */
function noteOf(n, shown, isWreck, isOldWreck) {
  if (isWreck) {
    return isOldWreck ? "" : WRECK;
  }
  return isShip(n) ? (shown.note ?? "") : String(shown.d ?? "");
}

/**
 * Return how early a unit is named, where room is short.
 * @param {number} n
 * @param {boolean} isWreck
 */
function rankOf(n, isWreck) {
  const { who, shots = [] } = moments[player.at];
  if (who === n || shots.some(([target]) => target === n)) {
    return 9;
  }
  if (player.followed === n) {
    return 8;
  }
  if (isWreck) {
    return 1;
  }
  return isShip(n) ? 4 : 3;
}

/** Return the beams of fire, and the damage where they arrive. */
function beamsOf() {
  const { who, shots = [] } = moments[player.at];
  if (who === undefined || player.part <= 0.05) {
    return [];
  }
  const now = currentStates();
  const grown = Math.min(1, player.part / BEAM);
  const found = [];
  for (const [n, hit] of new Map(shots)) {
    const from = placeOf(now[who]);
    const to = placeOf(now[n]);
    if (!from || !to) {
      continue;
    }
    const x = from[0] + (to[0] - from[0]) * grown;
    const y = from[1] + (to[1] - from[1]) * grown;
    const beam = svg("path", {
      class: `beam ${classOf(now[who])} ${hit ? "hit" : "miss"}`,
      "stroke-width": (1 + Math.min(3, hit * 0.2)).toFixed(1),
      d: `M${from.join(" ")}L${x.toFixed(2)} ${y.toFixed(2)}`,
    });
    const words = hit ? `−${hit}` : phrase`miss`;
    const pop = player.part > BEAM ? [{ x: to[0], y: to[1], words, isMiss: !hit }] : [];
    found.push({ beam, pop });
  }
  return found;
}

/**
 * @param {UnitState} state
 * @returns {TablePoint | null}
 */
const placeOf = ({ x, y }) => (x === undefined || y === undefined ? null : [x, y]);

/**
 * Return the box of an element in pixels of the table.
 * @param {Element} element
 * @returns {Box}
 */
function boxOf(element) {
  const box = element.getBoundingClientRect();
  const origin = table.svg.getBoundingClientRect();
  return [
    box.left - origin.left,
    box.top - origin.top,
    box.right - origin.left,
    box.bottom - origin.top,
  ];
}

table.onview = () => {
  const texts = pops.map(({ x, y, words, isMiss }) => {
    const [px, py] = table.px(x, y);
    const text = svg("text", { class: "hits", x: px.toFixed(1), y: (py - 18).toFixed(1) }, words);
    text.classList.toggle("zero", isMiss);
    return text;
  });
  table.top.replaceChildren(...texts);
};
table.keep = () => {
  /** @type {Box[]} */
  const boxes = pops.map(({ x, y }) => {
    const [px, py] = table.px(x, y);
    const [left, top, right, bottom] = HIT_AREA;
    return [px + left, py + top, px + right, py + bottom];
  });
  return [...boxes, toolsBox, ...(caption.hidden ? [] : [boxOf(caption)])];
};

/** @type {Map<number, Box>} the part of the table where a turn is played */
const frames = new Map();

/** @param {number} turn */
function frameOf(turn) {
  const known = frames.get(turn);
  if (known) {
    return known;
  }
  const places = [...moments.keys()]
    .filter((i) => moments[i].t === turn)
    .flatMap((i) => [...before(i), ...states[i]])
    .filter((state) => !state.out && state.x !== undefined);
  const xs = places.map(({ x = 0 }) => x);
  const ys = places.map(({ y = 0 }) => y);
  if (!places.length) {
    xs.push(0, data.table[0]);
    ys.push(0, data.table[1]);
  }
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const margin = Math.max(0, 44 - (right - left)) / 2 + 7;
  /** @type {Box} */
  const frame = [left - margin, Math.min(...ys) - 6, right + margin, Math.max(...ys) + 6];
  frames.set(turn, frame);
  return frame;
}

/** Glide from turn to turn, unless the reader has moved the table. */
export function moveView() {
  if (!table.fitted || player.followed !== null) {
    return;
  }
  const [left, bottom, right, top] = frameOf(moments[player.at].t);
  const room = player.tab === "ships" ? 8 : 0; // for the caption
  /** @type {Box} */
  const wanted = [left, bottom - room, right, top];
  const glides = view && player.isPlaying && !calm.matches;
  view = glides && view ? between(view, wanted) : wanted;
  table.quiet = true;
  table.fit(view);
  table.quiet = false;
}

/**
 * @param {Box} from
 * @param {Box} to
 * @returns {Box} a part of the way
 */
function between(from, to) {
  const [left, bottom, right, top] = from.map((value, i) => value + (to[i] - value) * GLIDE);
  return [left, bottom, right, top];
}
