// The table of a battle replay: units, moves, fire and damage at the progress of the moment.

import {
  WRECK,
  data,
  ease,
  isShip,
  moments,
  positionOnPath,
  seatOf,
  states,
  statesBefore,
  turnsOfLoss,
  unitClasses,
  unitName,
  units,
} from "./battle_replay_data.js";
import { player } from "./battle_replay_player.js";
import { Table } from "./battle_table.js";
import { need, svg } from "./dom.js";
import { phrase } from "./phrase.js";

// The first three constants are fractions of a moment, see `player.progress`.
const BEAMS_START = 0.05; // when fire begins to show
const BEAMS_ARRIVE = 0.45; // when beams reach their targets, and damage is shown
const EFFECTS_SHOW = 0.55; // when units show the effects of the moment
const GLIDE = 0.08; // the fraction of the way to the next turn's view that one frame moves
const HIT_AREA = /** @type {Box} */ ([-20, -32, 20, -14]); // pixels around a unit for its damage

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
export const caption = need(document, "#tell", HTMLElement);
const tableSvg = need(document, "#table", SVGSVGElement);
tableSvg.replaceChildren();
export const table = new Table(tableSvg, data.table, { arrows: false });
/** @type {Box | null} the part of the table in view: left, bottom, right and top in MU */
let view = null;
/** @type {{x: number, y: number, words: string, isMiss: boolean}[]} */
let damageTexts = []; // with their places in MU
/** @type {Box} pixels that the buttons on the table cover */
let toolsBox = [0, 0, 0, 0];

/**
 * Keep names and damage texts off the buttons on the table.
 * @param {HTMLElement} tools
 */
export function reserveTools(tools) {
  toolsBox = boxOf(tools);
}

/** Follow no unit, and let the view show all that happens in the turn. */
export function showWholeTurn() {
  table.placeToFollow = null;
  table.isFitted = true;
  view = null;
}

/**
 * Return the units as they are at the present progress. Moves keep the states before the moment
 * throughout.
 */
function currentStates() {
  const keepsOldStates = moments[player.moment].k === "moves" || player.progress < EFFECTS_SHOW;
  return keepsOldStates ? statesBefore(player.moment) : states[player.moment];
}

let drawnPieces = -1; // the index in `data.pieces` of the pieces on the table

/** Draw the table at the present progress of the moment. */
export function draw() {
  const pieces = moments[player.moment].on ?? 0;
  if (drawnPieces !== pieces) {
    drawnPieces = pieces;
    table.showThings(data.pieces[pieces].map(withSeat));
  }
  const trails = [...units.keys()].flatMap(drawUnit);
  const beams = beamsOf();
  table.underLayer.replaceChildren(...trails, ...beams.map(({ beam }) => beam));
  damageTexts = beams.flatMap(({ damageText }) => damageText);
  const mark = player.followed === null ? undefined : table.marks.get(String(player.followed));
  table.placeToFollow = mark ? () => [mark.x, mark.y] : null;
  table.draw();
}

/**
 * Return a piece with the CSS classes of its side.
 * @param {ReplayPiece} piece
 */
const withSeat = (piece) => ({
  ...piece,
  r: piece.r ?? 0,
  cls: `seat-${seatOf(piece.s)}${piece.s === data.mine ? "" : " foe"}`,
});

/**
 * Draw a unit, and return the trail of its move.
 * @param {number} n the number of the unit
 * @returns {SVGElement[]}
 */
function drawUnit(n) {
  const to = states[player.moment][n];
  const earlier = statesBefore(player.moment)[n];
  const from = earlier.x === undefined ? to : earlier;
  if (to.x === undefined) {
    table.removeMark(String(n));
    return [];
  }
  const atPresent = currentStates()[n];
  const current = atPresent.x === undefined ? to : atPresent;
  const path = from.out ? undefined : moments[player.moment].paths?.[n];
  const position = path
    ? positionOnPath(path, to.c, ease(Math.min(1, player.progress)))
    : restingPosition(from, current, to);
  markUnit(n, { position, from, to, current, shown: player.progress >= 1 ? to : current });
  if (!path) {
    return [];
  }
  const line = path.map((point) => point.join(" ")).join("L");
  return [svg("path", { class: `trail ${unitClasses(to)}`, d: `M${line}` })];
}

/**
 * Return where a unit is that does not move during the moment.
 * @param {UnitState} from the unit before the moment
 * @param {UnitState} current the unit at the present progress
 * @param {UnitState} to the unit after the moment
 */
function restingPosition(from, current, to) {
  const beforeEnd = moments[player.moment].k === "moves" ? from : current;
  const { x, y, c } = player.progress >= 1 ? to : beforeEnd;
  return { x, y, course: c };
}

/**
 * A unit during the moment.
 * @typedef {object} UnitMoment
 * @property {{x?: number, y?: number, course?: number}} position
 * @property {UnitState} from the unit before the moment
 * @property {UnitState} to the unit after the moment
 * @property {UnitState} current the unit at the present progress
 * @property {UnitState} shown the state that its name, note and colour come from
 */

/**
 * Put the mark of a unit on the table. A wreck stays until the end of the turn of its loss.
 * @param {number} n the number of the unit
 * @param {UnitMoment} unit
 */
function markUnit(n, unit) {
  const { position, from, to, current, shown } = unit;
  const isWreck = (player.progress > EFFECTS_SHOW ? to : current).out === WRECK;
  const isOldWreck = isWreck && from.out === WRECK;
  const isGone = isWreck
    ? isOldWreck && moments[player.moment].t > turnsOfLoss[n]
    : isOffTable(unit);
  table.setMark(String(n), {
    ...position,
    size: units[n].size,
    hidden: isGone,
    name: isOldWreck || isGone ? "" : unitName(n, shown),
    detail: noteOf(n, shown, isWreck, isOldWreck),
    rank: rankOf(n, isWreck),
    cls: unitClasses(shown) + statusClasses(n, isWreck),
  });
}

/**
 * Return the CSS classes of a unit that is a wreck, fires, is hit or is followed.
 * @param {number} n the number of the unit
 * @param {boolean} isWreck
 */
function statusClasses(n, isWreck) {
  const wreck = isWreck ? " wreck" : "";
  const fires = moments[player.moment].who === n ? " fires" : "";
  const hurt = new Map(moments[player.moment].shots).get(n) ? " hurt" : "";
  const chosen = player.followed === n ? " chosen" : "";
  return wreck + fires + hurt + chosen;
}

/**
 * Tell whether a unit that is no wreck is off the table at the present progress.
 * @param {UnitMoment} unit
 */
function isOffTable({ from, to }) {
  if (player.progress >= 1) {
    return Boolean(to.out);
  }
  return Boolean(from.out && (to.out || moments[player.moment].k === "moves"));
}

/**
 * Return the small text after a unit's name: a note, or the number of craft.
 * @param {number} n the number of the unit
 * @param {UnitState} shown
 * @param {boolean} isWreck
 * @param {boolean} isOldWreck whether it was a wreck before the moment
 */
function noteOf(n, shown, isWreck, isOldWreck) {
  if (isWreck) {
    return isOldWreck ? "" : WRECK;
  }
  return isShip(n) ? (shown.note ?? "") : String(shown.d ?? "");
}

/**
 * Return the rank of a unit's name: names of high rank are placed first if space is short.
 * @param {number} n the number of the unit
 * @param {boolean} isWreck
 */
function rankOf(n, isWreck) {
  const { who, shots = [] } = moments[player.moment];
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

/** Return the beams of the moment's fire, each with its damage text once it has arrived. */
function beamsOf() {
  const { who, shots = [] } = moments[player.moment];
  if (who === undefined || player.progress <= BEAMS_START) {
    return [];
  }
  const current = currentStates();
  const fraction = Math.min(1, player.progress / BEAMS_ARRIVE); // of the way to the target
  const beams = [];
  for (const [n, damage] of new Map(shots)) {
    const from = placeOf(current[who]);
    const to = placeOf(current[n]);
    if (!from || !to) {
      continue;
    }
    const x = from[0] + (to[0] - from[0]) * fraction;
    const y = from[1] + (to[1] - from[1]) * fraction;
    const beam = svg("path", {
      class: `beam ${unitClasses(current[who])} ${damage ? "hit" : "miss"}`,
      "stroke-width": (1 + Math.min(3, damage * 0.2)).toFixed(1),
      d: `M${from.join(" ")}L${x.toFixed(2)} ${y.toFixed(2)}`,
    });
    const words = damage ? `−${damage}` : phrase`miss`;
    const hasArrived = player.progress > BEAMS_ARRIVE;
    const damageText = hasArrived ? [{ x: to[0], y: to[1], words, isMiss: !damage }] : [];
    beams.push({ beam, damageText });
  }
  return beams;
}

/**
 * Return where a unit is, or null if it has not appeared yet.
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

table.onDraw = () => {
  const texts = damageTexts.map(({ x, y, words, isMiss }) => {
    const [px, py] = table.toPixels(x, y);
    const text = svg("text", { class: "hits", x: px.toFixed(1), y: (py - 18).toFixed(1) }, words);
    text.classList.toggle("zero", isMiss);
    return text;
  });
  table.topLayer.replaceChildren(...texts);
};
table.reservedBoxes = () => {
  /** @type {Box[]} */
  const boxes = damageTexts.map(({ x, y }) => {
    const [px, py] = table.toPixels(x, y);
    const [left, top, right, bottom] = HIT_AREA;
    return [px + left, py + top, px + right, py + bottom];
  });
  return [...boxes, toolsBox, ...(caption.hidden ? [] : [boxOf(caption)])];
};

/** @type {Map<number, Box>} the views of turns: left, bottom, right and top in MU */
const turnViews = new Map();

/**
 * Return the part of the table that holds all units on it during a turn, with margins.
 * @param {number} turn
 */
function viewOfTurn(turn) {
  const known = turnViews.get(turn);
  if (known) {
    return known;
  }
  const places = [...moments.keys()]
    .filter((i) => moments[i].t === turn)
    .flatMap((i) => [...statesBefore(i), ...states[i]])
    .filter((state) => !state.out && state.x !== undefined);
  const xs = places.map(({ x = 0 }) => x);
  const ys = places.map(({ y = 0 }) => y);
  if (!places.length) {
    xs.push(0, data.table[0]);
    ys.push(0, data.table[1]);
  }
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const margin = Math.max(0, 44 - (right - left)) / 2 + 7; // MU; a view is at least 58 MU wide
  /** @type {Box} */
  const turnView = [left - margin, Math.min(...ys) - 6, right + margin, Math.max(...ys) + 6];
  turnViews.set(turn, turnView);
  return turnView;
}

/** Show the view of the turn, gliding while playing, unless the reader has moved the table. */
export function moveView() {
  if (!table.isFitted || player.followed !== null) {
    return;
  }
  const [left, bottom, right, top] = viewOfTurn(moments[player.moment].t);
  const captionHeight = player.tab === "ships" ? 8 : 0; // MU
  /** @type {Box} */
  const target = [left, bottom - captionHeight, right, top];
  const glides = player.isPlaying && !reducedMotion.matches;
  view = view && glides ? glideToward(view, target) : target;
  table.skipsDrawing = true;
  table.fit(view);
  table.skipsDrawing = false;
}

/**
 * Return the view one animation frame further on the way to another.
 * @param {Box} from
 * @param {Box} to
 * @returns {Box}
 */
function glideToward(from, to) {
  const [left, bottom, right, top] = from.map((value, i) => value + (to[i] - value) * GLIDE);
  return [left, bottom, right, top];
}
