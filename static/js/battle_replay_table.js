// The table of a battle replay: a film that plays, and the marks and names of units at rest.

import {
  WRECK,
  data,
  isShip,
  moments,
  seatOf,
  states,
  statesBefore,
  turnsOfLoss,
  unitClasses,
  unitLabel,
  units,
} from "./battle_replay_data.js";
import { player } from "./battle_replay_player.js";
import { Table, icons } from "./battle_table.js";
import { html, need } from "./dom.js";

const GLIDE = 0.08; // the fraction of the way to the next turn's view that one frame moves

export const caption = need(document, "#tell", HTMLElement);
const tableSvg = need(document, "#table", SVGSVGElement);
tableSvg.replaceChildren();
export const table = new Table(tableSvg, data.table, { arrows: false });
const canvas = html("canvas", { className: "film", ariaHidden: "true" });
tableSvg.after(canvas);
/** @type {Box | null} the part of the table in view: left, bottom, right and top in MU */
let view = null;
/** @type {Box} pixels that the buttons on the table cover */
let toolsBox = [0, 0, 0, 0];

/** @type {import("./film/film.js").Film | null} loaded when something is to be drawn */
export let film = null;
/** @type {Promise<import("./film/film.js").Film> | null} */
let filmRequest = null;

/** Load the film. */
export function loadFilm() {
  filmRequest ??= fetchFilm();
  return filmRequest;
}

async function fetchFilm() {
  const { Film } = await import("./film/film.js");
  const loaded = new Film(canvas, data, { table, reserved: reservedBoxes });
  await loaded.load(icons);
  film = loaded;
  return loaded;
}

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

let drawnPieces = -1; // the index in `data.pieces` of the pieces on the table

/** Show the pieces of the current moment. */
export function showPieces() {
  const pieces = moments[player.moment].on ?? 0;
  if (drawnPieces !== pieces) {
    drawnPieces = pieces;
    table.showThings(data.pieces[pieces].map(withSeat));
  }
}

/** Show the units as the current moment ends. */
export function showMarks() {
  showPieces();
  for (const n of units.keys()) {
    showMark(n);
  }
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
 * Put the mark of a unit on the table. A wreck stays until the end of the turn of its loss.
 * @param {number} n the number of the unit
 */
function showMark(n) {
  const state = states[player.moment][n];
  if (state.x === undefined) {
    table.removeMark(String(n));
    return;
  }
  const isWreck = state.out === WRECK;
  const isOldWreck = isWreck && statesBefore(player.moment)[n].out === WRECK;
  const isGone = isWreck
    ? isOldWreck && moments[player.moment].t > turnsOfLoss[n]
    : Boolean(state.out);
  table.setMark(String(n), {
    x: state.x,
    y: state.y,
    course: state.c,
    size: units[n].size,
    hidden: isGone,
    name: isOldWreck || isGone ? "" : unitLabel(n, state),
    craft: isShip(n) || isGone ? undefined : (state.d ?? 0),
    detail: noteOf(n, state, isWreck, isOldWreck),
    rank: rankOf(n, isWreck),
    cls: unitClasses(state) + statusClasses(n, isWreck),
  });
}

/** Return the shots of the current moment. */
const targets = () => (moments[player.moment].acts ?? []).filter(({ k }) => k === "shot");

/**
 * Return the CSS classes of a unit that is a wreck, fires, is hit or is followed.
 * @param {number} n the number of the unit
 * @param {boolean} isWreck
 */
function statusClasses(n, isWreck) {
  const wreck = isWreck ? " wreck" : "";
  const fires = moments[player.moment].who === n ? " fires" : "";
  const hurt = targets().some(({ at, hits }) => at === n && hits) ? " hurt" : "";
  const chosen = player.followed === n ? " chosen" : "";
  return wreck + fires + hurt + chosen;
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
  if (moments[player.moment].who === n || targets().some(({ at }) => at === n)) {
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

/** Return the boxes in pixels that names must not cover. */
function reservedBoxes() {
  return [toolsBox, ...(caption.hidden ? [] : [boxOf(caption)])];
}

table.reservedBoxes = () => [...(film?.figureBoxes ?? []), ...reservedBoxes()];

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

/**
 * Return where a unit is: in the film while it plays, else as the moment ends.
 * @param {number} n the number of the unit
 * @returns {{x?: number, y?: number}}
 */
function placeOf(n) {
  const spot = film?.isPlaying ? film.spots.get(n) : undefined;
  return spot ?? states[player.moment][n];
}

/** Show the view of the turn, gliding while playing, unless the reader has moved the table. */
export function moveView() {
  if (player.followed !== null) {
    const { x, y } = placeOf(player.followed);
    table.placeToFollow = x === undefined || y === undefined ? null : () => [x, y];
  }
  if (!table.isFitted || player.followed !== null) {
    return;
  }
  const [left, bottom, right, top] = viewOfTurn(moments[player.moment].t);
  const captionHeight = player.tab === "ships" ? 8 : 0; // MU
  /** @type {Box} */
  const target = [left, bottom - captionHeight, right, top];
  const glides = film?.isPlaying;
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
