// The player of a battle: every moment knows the table before and after it, so that any of them is
// shown at once. What it plays is in the page (`campaign.replays.replay.document_of`); without this
// script each turn is a page.

import { hullStrip } from "./battle_hull.js";
import {
  WRECK,
  along,
  before,
  classOf,
  data,
  died,
  ease,
  isShip,
  marked,
  moments,
  nameOf,
  numbers,
  phases,
  plain,
  seatOf,
  sides,
  states,
  units,
} from "./battle_replay_data.js";
import { Table, icons, ours } from "./battle_table.js";
import { closest, findAll, html, matches, need, svg, withData } from "./dom.js";
import { phrase } from "./phrase.js";

/** @type {Record<string, number>} milliseconds that a moment plays at normal speed, by its kind */
const DURATION = { begin: 900, moves: 1500, fire: 900, other: 1000, over: 1500 };
const LINGER = 1.12; // how much of a moment passes before the next begins
const HALFWAY = 0.55; // of a moment, when its end begins to show
const BEAM = 0.45; // of a moment, when fire arrives
const FOLLOW_ZOOM = 11; // pixels for an MU, at least, while a unit is followed
const GLIDE = 0.08; // of the way to the next frame that the table moves with each picture
const HIT_AREA = /** @type {Box} */ ([-20, -32, 20, -14]); // pixels around a unit for its damage

/** @param {string} id */
const byId = (id) => need(document, `#${id}`, HTMLElement);

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const seek = need(document, "#seek", HTMLInputElement);
const followList = need(document, "#follow", HTMLSelectElement);
const speedList = need(document, "#speed", HTMLSelectElement);
const trackSvg = need(document, "#track", SVGSVGElement);
const logBox = byId("log");
const listBox = byId("list");
const caption = byId("tell");
const spoken = byId("said");
const scrollBox = need(document, ".side .scroll", HTMLElement);
const tableSvg = need(document, "#table", SVGSVGElement);
tableSvg.replaceChildren();
const table = new Table(tableSvg, data.table, { arrows: false });

const query = new URLSearchParams(location.search);
query.delete("turn"); // The moment is behind the #.
let at = 0; // the moment that is shown
let part = 1; // of it, how much has passed
let isPlaying = false;
let showsDice = false;
let lastTime = 0; // of the picture before
let loggedTurn = 0; // the turn that the log shows
let tab = "log";
/** @type {Box | null} the part of the table that is shown */
let view = null;
/** @type {number | null} the unit that the table follows */
let followed = null;
/** @type {{x: number, y: number, words: string, isMiss: boolean}[]} damage that is shown */
let pops = [];

// Dice and other details are on the page of a turn without scripts, and read there when they are
// wanted.

/** @type {Map<number, Map<string, string[]>>} dice by turn and moment */
const rolled = new Map();

/** @param {number} turn */
async function loadDice(turn) {
  if (rolled.has(turn)) {
    return;
  }
  rolled.set(turn, new Map());
  try {
    rolled.set(turn, await fetchDice(turn));
  } catch {
    rolled.delete(turn); // The next press asks again.
    spoken.textContent = phrase`The dice cannot be loaded now.`;
    return;
  }
  if (showsDice && moments[at].t === turn) {
    loggedTurn = 0;
    showBeside();
  }
}

/** @param {number} turn */
async function fetchDice(turn) {
  const address = new URLSearchParams(query);
  address.set("turn", String(turn));
  const answer = await fetch(`${location.pathname}?${address}`);
  if (!answer.ok) {
    throw new Error(String(answer.status));
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const lines = [...page.querySelectorAll("#log .say")];
  /** @param {Element} line */
  const diceIn = (line) =>
    [...line.querySelectorAll(".rolls li")].map((li) => li.textContent ?? "");
  return new Map(lines.map((line) => [line.id, diceIn(line)]));
}

// In words.

/**
 * Return what happens in a moment, line by line.
 * @param {number} i
 */
function linesOf(i) {
  const { say = [], end = [] } = moments[i];
  const lines = say.map((text) => html("span", { className: "line" }, ...marked(text, states[i])));
  const ends = end.map(([text, isDeath]) => {
    const line = html("span", { className: "end" }, ...marked(text, states[i]));
    line.classList.toggle("dead", isDeath);
    return line;
  });
  return [...lines, ...ends];
}

/**
 * Return the dice of a moment, where they are wanted and known.
 * @param {number} i
 */
function diceOf(i) {
  const { t } = moments[i];
  const dice = showsDice ? (rolled.get(t)?.get(`t${t}.${numbers[i]}`) ?? []) : [];
  if (!dice.length) {
    return [];
  }
  return [html("span", { className: "rolls" }, ...dice.map((words) => html("i", {}, words)))];
}

/**
 * Return the phase of a moment, and who acts.
 * @param {number} i
 */
function phaseInWords(i) {
  const { who } = moments[i];
  const actor = who === undefined ? "" : phrase`: ${nameOf(who, states[i][who])}`;
  return `${phases[i]}${actor}`;
}

// On the table.

/**
 * Return the states that count at this part of the moment: moves keep the earlier ones until they
 * end.
 */
function currentStates() {
  const isEarly = moments[at].k === "moves" || part < HALFWAY;
  return isEarly ? before(at) : states[at];
}

let lying = -1; // the pieces that are on the table

/** Draw the table. */
function draw() {
  const pieces = moments[at].on ?? 0;
  if (lying !== pieces) {
    lying = pieces;
    table.pieces(data.pieces[pieces].map(withSeat));
  }
  const trails = [...units.keys()].flatMap(drawUnit);
  const beams = beamsOf();
  table.under.replaceChildren(...trails, ...beams.map(({ beam }) => beam));
  pops = beams.flatMap(({ pop }) => pop);
  const mark = followed === null ? undefined : table.marks.get(String(followed));
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
  const to = states[at][n];
  const from = before(at)[n].x === undefined ? to : before(at)[n];
  if (to.x === undefined) {
    table.unmark(String(n));
    return [];
  }
  const now = currentStates()[n];
  const current = now.x === undefined ? to : now;
  const path = from.out ? undefined : moments[at].paths?.[n];
  const place = path ? along(path, to.c, ease(Math.min(1, part))) : restingPlace(from, current, to);
  markUnit(n, { place, from, to, current, shown: part >= 1 ? to : current });
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
  const still = moments[at].k === "moves" ? from : current;
  const { x, y, c } = part >= 1 ? to : still;
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
  const isWreck = (part > HALFWAY ? to : current).out === WRECK;
  const isOldWreck = isWreck && from.out === WRECK;
  const isGone = isWreck ? isOldWreck && moments[at].t > died[n] : isOffTable(unit);
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
  const fires = moments[at].who === n ? " fires" : "";
  const hurt = new Map(moments[at].shots).get(n) ? " hurt" : "";
  const chosen = followed === n ? " chosen" : "";
  return wreck + fires + hurt + chosen;
}

/** @param {UnitMoment} unit that is no wreck */
function isOffTable({ from, to }) {
  if (part >= 1) {
    return Boolean(to.out);
  }
  return Boolean(from.out && (to.out || moments[at].k === "moves"));
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
  const { who, shots = [] } = moments[at];
  if (who === n || shots.some(([target]) => target === n)) {
    return 9;
  }
  if (followed === n) {
    return 8;
  }
  if (isWreck) {
    return 1;
  }
  return isShip(n) ? 4 : 3;
}

/** Return the beams of fire, and the damage where they arrive. */
function beamsOf() {
  const { who, shots = [] } = moments[at];
  if (who === undefined || part <= 0.05) {
    return [];
  }
  const now = currentStates();
  const grown = Math.min(1, part / BEAM);
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
    const pop = part > BEAM ? [{ x: to[0], y: to[1], words, isMiss: !hit }] : [];
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

/** @type {Box} */
let toolsBox = [0, 0, 0, 0];
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
function moveView() {
  if (!table.fitted || followed !== null) {
    return;
  }
  const [left, bottom, right, top] = frameOf(moments[at].t);
  const room = tab === "ships" ? 8 : 0; // for the caption
  /** @type {Box} */
  const wanted = [left, bottom - room, right, top];
  const glides = view && isPlaying && !calm.matches;
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

// Beside the table.

/**
 * Return a unit in the list of ships.
 * @param {number} n
 */
function unitItem(n) {
  const state = states[at][n];
  const glyph = svg(
    "svg",
    { class: "glyph", viewBox: "0 0 32 32", "aria-hidden": "true" },
    svg("use", { href: `${icons}#ship-${units[n].size}` }),
  );
  const cls = state.b ? phrase`bogey` : (units[n].cls ?? "");
  const button = html(
    "button",
    { type: "button", className: `ship ${classOf(state)}`, ariaPressed: String(followed === n) },
    glyph,
    html("span", { className: "n" }, html("b", {}, nameOf(n, state))),
    html("span", { className: "h" }, html("span", { className: "k" }, cls), ...hullOf(n)),
    html("span", { className: "o" }, unitNote(n)),
  );
  button.classList.toggle("gone", Boolean(state.out));
  button.classList.toggle("chosen", followed === n);
  return html("li", {}, withData(button, { unit: String(n) }));
}

/** @param {number} n */
function hullOf(n) {
  const { rows, armour = 0 } = units[n];
  const state = states[at][n];
  if (rows) {
    return [hullStrip(rows, armour, state)];
  }
  return isShip(n) && state.d ? [html("span", { className: "k" }, phrase`${state.d} damage`)] : [];
}

/** @param {number} n */
function unitNote(n) {
  const { out, note, c, v, d = 0 } = states[at][n];
  if (out || note) {
    return html("span", { className: "pill" }, out || note || "");
  }
  const words = isShip(n) ? `C${c} V${v ?? "?"}` : phrase`${d} craft`;
  return html("span", { className: "muted small" }, words);
}

const sideHeads = [...listBox.querySelectorAll("h2")].map((head) => ({
  side: head.dataset.side,
  head: /** @type {HTMLElement} */ (head.cloneNode(true)),
}));

/**
 * @param {number} k
 * @param {ReplaySide} side
 */
function sideHead(k, side) {
  const known = sideHeads.find((other) => other.side === String(k));
  const head = known ? /** @type {HTMLElement} */ (known.head.cloneNode(true)) : html("h2");
  head.lastChild?.replaceWith(` ${side.name}`);
  return head;
}

/** Show the list of ships. */
function showList() {
  const state = states[at];
  const parts = [];
  for (const [k, side] of sides.entries()) {
    const members = [...units.keys()].filter(
      (n) => state[n].s === k && state[n].x !== undefined && (isShip(n) || !state[n].out),
    );
    members.sort(
      (a, b) =>
        Number(isShip(b)) - Number(isShip(a)) ||
        nameOf(a, state[a]).localeCompare(nameOf(b, state[b])),
    );
    if (members.length) {
      parts.push(sideHead(k, side), html("ul", { className: "ships" }, ...members.map(unitItem)));
    }
  }
  const focused = document.activeElement;
  const unit = focused instanceof HTMLElement ? focused.dataset.unit : undefined;
  listBox.replaceChildren(...parts);
  if (unit !== undefined) {
    findAll(listBox, `[data-unit="${unit}"]`, HTMLElement)[0]?.focus();
  }
}

/** Show the log, or the list of ships. */
function showBeside() {
  if (tab === "ships") {
    showList();
    return;
  }
  const turn = moments[at].t;
  if (loggedTurn !== turn) {
    loggedTurn = turn;
    if (showsDice) {
      loadDice(turn);
    }
    logBox.replaceChildren(logHead(turn), ...logLines(turn));
  }
  for (const line of findAll(logBox, ".say", HTMLElement)) {
    showLogLine(line, Number(line.dataset.at));
  }
}

/** @param {number} turn */
function logHead(turn) {
  /**
   * @param {string} by
   * @param {string} words
   * @param {string} sign
   */
  const button = (by, words, sign) => {
    const made = html("button", { type: "button", className: "b bare", ariaLabel: words }, sign);
    return withData(made, { turn: by });
  };
  const buttons = html(
    "span",
    {},
    button("-1", phrase`Previous turn`, "‹"),
    " ",
    button("1", phrase`Next turn`, "›"),
  );
  return html("h2", {}, phrase`Turn ${turn}`, buttons);
}

/**
 * Return the lines of a turn, each phase with its head.
 * @param {number} turn
 */
function logLines(turn) {
  const lines = [];
  let phase = "";
  for (const [i, { t, k }] of moments.entries()) {
    if (t !== turn) {
      continue;
    }
    if (phases[i] !== phase) {
      phase = phases[i];
      lines.push(html("h3", {}, phase));
    }
    const line = html("button", { type: "button", className: "say" }, ...linesOf(i), ...diceOf(i));
    lines.push(withData(line, { at: String(i), kind: k }));
  }
  return lines;
}

/**
 * Mark a line of the log as now or still to come, and bring the one of now into sight.
 * @param {HTMLElement} line
 * @param {number} i
 */
function showLogLine(line, i) {
  line.classList.toggle("now", i === at);
  line.classList.toggle("next", i > at);
  if (i !== at) {
    line.removeAttribute("aria-current");
    return;
  }
  line.setAttribute("aria-current", "step");
  const box = line.getBoundingClientRect();
  const around = scrollBox.getBoundingClientRect();
  if (box.top < around.top + 60 || box.bottom > around.bottom - 10) {
    scrollBox.scrollTop += box.top - around.top - around.height / 3;
  }
}

/** Draw the track of moments below the table. */
function drawTrack() {
  const step = trackSvg.clientWidth / moments.length;
  const needle = (at + Math.min(1, part)) * step - 1.5;
  const parts = [...moments.keys()].flatMap((i) => [trackMoment(i, step), ...trackDeaths(i, step)]);
  trackSvg.replaceChildren(
    ...parts,
    ...trackTurns(step),
    svg("rect", { class: "needle", x: needle.toFixed(1), y: 11, width: 3, height: 13, rx: 1.5 }),
  );
}

/**
 * @param {number} i
 * @param {number} step pixels for a moment
 */
function trackMoment(i, step) {
  const { k } = moments[i];
  const isMove = k === "moves" || k === "begin";
  const isPast = i <= at;
  const kind = isMove ? "move" : "act";
  return svg("rect", {
    class: isPast ? "past" : kind,
    x: (i * step + 0.5).toFixed(1),
    y: 15,
    width: Math.max(1, step - 1).toFixed(1),
    height: 6,
    "fill-opacity": isPast && isMove ? 0.55 : 1,
  });
}

/**
 * Mark where turns begin, numbered where there is room.
 * @param {number} step
 */
function trackTurns(step) {
  const parts = [];
  let room = -1;
  for (const [i, { t }] of moments.entries()) {
    if (t === moments[i - 1]?.t) {
      continue;
    }
    const x = i * step;
    const size = { y: 12, width: 1, height: 11, "fill-opacity": 0.4 };
    parts.push(svg("rect", { class: "needle", x: x.toFixed(1), ...size }));
    if (x > room) {
      parts.push(svg("text", { x: (x + 3).toFixed(1), y: 10 }, String(t)));
      room = x + 15;
    }
  }
  return parts;
}

/**
 * Mark the losses of a moment.
 * @param {number} i
 * @param {number} step
 */
function trackDeaths(i, step) {
  const lost = Object.entries(moments[i].set ?? {}).filter(([, { out }]) => out === WRECK);
  return lost.map(([n]) => {
    const seat = seatOf(states[i][Number(n)].s);
    const d = `M${(i + 0.5) * step - 3} 4l6 6m0-6l-6 6`;
    return svg("path", { class: `death seat-${seat}`, d });
  });
}

// The player.

/** Draw the moment as far as it has passed. */
function showPicture() {
  moveView();
  draw();
}

/** Show a moment: on the table, beside it, and in words. */
function show() {
  const { t, say = [], end = [] } = moments[at];
  const words = phaseInWords(at);
  caption.hidden = tab === "log";
  caption.replaceChildren(...linesOf(at).flatMap((line) => [line, " "]));
  showPicture();
  showBeside();
  drawTrack();
  seek.value = String(at);
  seek.setAttribute("aria-valuetext", phrase`Turn ${t}, ${words}`);
  const phase = html("span", { className: "muted" }, words);
  byId("now").replaceChildren(html("b", {}, phrase`Turn ${t}`), " ", phase);
  showShipsLeft();
  if (!isPlaying) {
    const texts = [...say, ...end.map(([text]) => text)].map(plain);
    spoken.textContent = `${phrase`Turn ${t}, ${phases[at]}`}. ${texts.join(" ")}`;
  }
}

function showShipsLeft() {
  for (const output of findAll(document, "[data-left]", HTMLElement)) {
    const side = Number(output.dataset.left);
    const left = [...units.keys()].filter(
      (n) => isShip(n) && states[at][n].s === side && !states[at][n].out,
    );
    output.textContent = String(left.length);
  }
}

const hash = () => `t${moments[at].t}.${numbers[at]}`;

/** Write the moment into the address. */
function noteAddress() {
  const search = query.size ? `?${query}` : "";
  history.replaceState(null, "", `${location.pathname}${search}#${hash()}`);
}

/** @param {number} i */
function goTo(i) {
  at = Math.max(0, Math.min(moments.length - 1, i));
  part = 1;
  noteAddress();
  show();
}

/** @param {number} by moments */
function step(by) {
  play(false);
  goTo(at + by);
}

/** @param {number} by turns */
function stepTurn(by) {
  play(false);
  const turns = [...new Set(moments.map(({ t }) => t))];
  const turn = turns[turns.indexOf(moments[at].t) + by];
  const edge = by < 0 ? 0 : moments.length - 1;
  goTo(turn === undefined ? edge : moments.findIndex(({ t }) => t === turn));
}

/** @param {boolean} on */
function play(on) {
  if (isPlaying === on) {
    return;
  }
  isPlaying = on;
  const button = byId("go");
  button.textContent = on ? "❚❚" : "▶";
  button.setAttribute("aria-label", on ? phrase`Pause` : phrase`Play`);
  if (on) {
    begin();
  } else if (part < 1) {
    part = 1;
    show();
  }
}

/** Play on from the next moment, or from the first one at the end. */
function begin() {
  if (part >= 1) {
    at = at === moments.length - 1 ? 0 : at + 1;
  }
  part = 0;
  lastTime = performance.now();
  show();
  requestAnimationFrame(tick);
}

/** @param {number} time in milliseconds */
function tick(time) {
  if (!isPlaying) {
    return;
  }
  const passed = Math.max(0, time - lastTime) / DURATION[moments[at].k];
  part += passed * Number(speedList.value);
  lastTime = time;
  if (part >= LINGER && at === moments.length - 1) {
    part = 1;
    play(false);
    show();
    return;
  }
  if (part >= LINGER) {
    at += 1;
    part = 0;
    noteAddress();
    show();
  } else if (!calm.matches) {
    showPicture();
  } else if (part < 1) {
    drawAtEnd();
  }
  requestAnimationFrame(tick);
}

/** Draw the end of the moment, for readers who want no motion. */
function drawAtEnd() {
  const passed = part;
  part = 1;
  draw();
  part = passed;
}

/** @param {number | null} n the unit that the table follows; null: none */
function follow(n) {
  followed = n;
  followList.value = n === null ? "" : String(n);
  if (n === null) {
    table.follow = null;
    table.fitted = true;
    view = null;
  } else {
    table.k = Math.max(table.k, FOLLOW_ZOOM);
  }
  show();
}

/** @param {number} n */
const toggleFollow = (n) => follow(followed === n ? null : n);

/** @param {string} name of a tab */
function openTab(name) {
  tab = name;
  for (const other of ["log", "ships"]) {
    const button = byId(`tab-${other}`);
    button.setAttribute("aria-selected", String(other === name));
    button.tabIndex = other === name ? 0 : -1;
  }
  logBox.hidden = name !== "log";
  listBox.hidden = name === "log";
  loggedTurn = 0;
  scrollBox.scrollTop = 0;
  show();
}

function toggleDice() {
  showsDice = !showsDice;
  byId("dice").setAttribute("aria-pressed", String(showsDice));
  loggedTurn = 0;
  if (tab === "ships") {
    openTab("log");
  } else {
    showBeside();
  }
}

/** @param {number} by steps of speed */
function changeSpeed(by) {
  const last = speedList.options.length - 1;
  speedList.selectedIndex = Math.max(0, Math.min(last, speedList.selectedIndex + by));
}

/** Copy the address of the moment. */
async function copyLink() {
  const button = byId("link");
  const words = [...button.childNodes];
  noteAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = phrase`Copied`;
  } catch {
    button.textContent = phrase`Copy it from the address bar`;
  }
  spoken.textContent = button.textContent;
  setTimeout(() => button.replaceChildren(...words), 1500);
}

/** Offer the ships of each side to be followed. */
function fillFollowList() {
  const last = states[states.length - 1];
  for (const [k, side] of sides.entries()) {
    const group = html("optgroup", { label: side.name });
    const ships = [...units.keys()].filter((n) => last[n].s === k && isShip(n));
    group.append(...ships.map((n) => new Option(units[n].name, String(n))));
    if (ships.length) {
      followList.append(group);
    }
  }
}

/** Return the moment that the address asks for. */
function askedMoment() {
  const [, turnText, numberText] = /^#t(\d+)(?:\.(\d+))?$/.exec(location.hash) ?? [];
  const turn = Number(turnText ?? new URLSearchParams(location.search).get("turn"));
  const ofTurn = [...moments.keys()].filter((i) => moments[i].t === turn);
  return ofTurn[Math.min(ofTurn.length, Number(numberText ?? 1)) - 1] ?? 0;
}

fillFollowList();
seek.max = String(moments.length - 1);
seek.addEventListener("input", () => {
  play(false);
  goTo(Number(seek.value));
});
followList.addEventListener("change", () => {
  follow(followList.value === "" ? null : Number(followList.value));
});
logBox.addEventListener("click", ({ target }) => {
  const line = closest(target, ".say", HTMLElement);
  const turn = closest(target, "[data-turn]", HTMLElement);
  if (line) {
    play(false);
    goTo(Number(line.dataset.at));
  } else if (turn) {
    stepTurn(Number(turn.dataset.turn));
  }
});
listBox.addEventListener("click", ({ target }) => {
  const unit = closest(target, "[data-unit]", HTMLElement)?.dataset.unit;
  if (unit !== undefined) {
    toggleFollow(Number(unit));
  }
});
/** @type {Record<string, () => unknown>} */
const BUTTONS = {
  go: () => play(!isPlaying),
  back: () => step(-1),
  on: () => step(1),
  dice: toggleDice,
  link: copyLink,
  "tab-log": () => openTab("log"),
  "tab-ships": () => openTab("ships"),
  in: () => table.zoom(1.4),
  out: () => table.zoom(1 / 1.4),
  fit: () => follow(null),
};
for (const [id, press] of Object.entries(BUTTONS)) {
  byId(id).addEventListener("click", () => press());
}
table.ontap = (id) => {
  if (id !== undefined) {
    toggleFollow(Number(id));
  }
};
/** @type {Record<string, (event: KeyboardEvent) => unknown>} */
const KEYS = {
  " ": () => play(!isPlaying),
  ArrowLeft: (event) => (event.shiftKey ? stepTurn(-1) : step(-1)),
  ArrowRight: (event) => (event.shiftKey ? stepTurn(1) : step(1)),
  PageUp: () => stepTurn(-1),
  PageDown: () => stepTurn(1),
  Home: () => step(-moments.length),
  End: () => step(moments.length),
  d: toggleDice,
  l: copyLink,
  f: () => follow(null),
  ",": () => changeSpeed(-1),
  ".": () => changeSpeed(1),
};
document.addEventListener("keydown", (event) => {
  const pressesButton = event.key === " " && matches(event.target, "button, a, summary");
  if (!ours(event) || pressesButton) {
    return;
  }
  if (matches(event.target, "[role=tab]") && event.key.startsWith("Arrow")) {
    const other = tab === "log" ? "ships" : "log";
    openTab(other);
    byId(`tab-${other}`).focus();
    event.preventDefault();
    return;
  }
  const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (action) {
    event.preventDefault();
    action(event);
  } else {
    table.key(event);
  }
});
addEventListener("hashchange", () => {
  if (location.hash !== `#${hash()}`) {
    play(false);
    goTo(askedMoment());
  }
});

need(document, ".replay", HTMLElement).classList.add("live");
for (const box of findAll(document, ".player, .tabs, .tools", HTMLElement)) {
  box.hidden = false;
}
scrollBox.removeAttribute("tabindex");
new ResizeObserver(() => {
  toolsBox = boxOf(need(document, ".tools", HTMLElement));
  drawTrack();
}).observe(trackSvg);
at = askedMoment();
openTab("log");
