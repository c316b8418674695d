// Plays the replay of a battle. The state of the table before and after every moment is known, so
// that any moment can be shown at once. The replay's data is in the page
// (`campaign.replays.replay.document_of`). Without this script each turn is a page of its own.

import {
  announcement,
  linesOf,
  listBox,
  loadShipList,
  logBox,
  phaseInWords,
  query,
  resetLog,
  scrollBox,
  showPanel,
} from "./battle_replay_side.js";
import {
  isShip,
  moments,
  numbersInTurn,
  phases,
  plainText,
  sides,
  states,
  units,
} from "./battle_replay_data.js";
import { player } from "./battle_replay_player.js";
import {
  caption,
  film,
  loadFilm,
  moveView,
  reserveTools,
  showMarks,
  showPieces,
  showWholeTurn,
  table,
} from "./battle_replay_table.js";
import { drawTrack, trackSvg } from "./battle_replay_track.js";
import { isPageKey } from "./battle_table.js";
import { closest, find, findAll, html, matches, need } from "./dom.js";
import { phrase } from "./phrase.js";

const STILL_TIME = 1500; // milliseconds for a moment without motion, at normal speed
const motion = matchMedia("(prefers-reduced-motion: reduce)");
const FOLLOW_ZOOM = 11; // the least pixels per MU while a unit is followed

/** @param {string} id */
const byId = (id) => need(document, `#${id}`, HTMLElement);

const seek = need(document, "#seek", HTMLInputElement);
const followList = need(document, "#follow", HTMLSelectElement);
const publish = find(document, "#publish", HTMLAnchorElement); // publishes the turn shown
const speedList = need(document, "#speed", HTMLSelectElement);
let stepTimer = 0; // of playing without motion

/** Draw the table: as the moment ends, or what the film leaves to it while it plays. */
function drawTable() {
  moveView();
  if (film?.isPlaying) {
    showPieces();
    table.drawGround();
  } else {
    showMarks();
    film?.draw();
  }
}

/** Show the current moment on the table, in its caption, in the panel and on the track. */
function show() {
  const { t: turn, say = [], end = [] } = moments[player.moment];
  const words = phaseInWords(player.moment);
  caption.hidden = player.tab === "log";
  caption.replaceChildren(...linesOf(player.moment).flatMap((line) => [line, " "]));
  drawTable();
  showPanel();
  drawTrack();
  seek.value = String(player.moment);
  seek.setAttribute("aria-valuetext", phrase`Turn ${turn}, ${words}`);
  const phase = html("span", { className: "muted" }, words);
  byId("now").replaceChildren(html("b", {}, phrase`Turn ${turn}`), " ", phase);
  showShipsLeft();
  if (publish) {
    publish.search = `?turn=${turn}`;
  }
  if (!player.isPlaying) {
    const texts = [...say, ...end.map(([text]) => text)].map(plainText);
    const title = phrase`Turn ${turn}, ${phases[player.moment]}`;
    announcement.textContent = `${title}. ${texts.join(" ")}`;
  }
}

/** Show how many ships each side has left. */
function showShipsLeft() {
  for (const output of findAll(document, "[data-left]", HTMLElement)) {
    const side = Number(output.dataset.left);
    const left = [...units.keys()].filter(
      (n) => isShip(n) && states[player.moment][n].s === side && !states[player.moment][n].out,
    );
    output.textContent = String(left.length);
  }
}

/** Return the hash of the address for the current moment: `t2.5` is the fifth of turn 2. */
const momentHash = () => `t${moments[player.moment].t}.${numbersInTurn[player.moment]}`;

/** Put the current moment into the page's address. */
function updateAddress() {
  const search = query.size ? `?${query}` : "";
  history.replaceState(null, "", `${location.pathname}${search}#${momentHash()}`);
}

/**
 * Show a moment as it ends.
 * @param {number} i its index; the first or last moment if it is out of range
 */
function goTo(i) {
  player.moment = Math.max(0, Math.min(moments.length - 1, i));
  rest();
  updateAddress();
  show();
}

/** Let the film rest after the current moment, if it has anything to draw. */
async function rest() {
  if (film) {
    film.seek(player.moment);
  } else if (moments[player.moment].acts) {
    await prepareFilm();
    if (!player.isPlaying) {
      rest();
      show();
    }
  }
}

/** Load the film, and follow it. */
async function prepareFilm() {
  const loaded = await loadFilm();
  loaded.chosen = player.followed;
  loaded.options.onmoment = (i) => {
    player.moment = i;
    updateAddress();
    show();
  };
  loaded.options.ontime = () => {
    moveView();
    table.drawGround();
  };
  loaded.options.onend = () => setPlaying(false);
  return loaded;
}

/** Play on from the current moment. */
async function play() {
  const loaded = film ?? (await prepareFilm());
  if (player.isPlaying) {
    loaded.seek(player.moment);
    loaded.play(Number(speedList.value));
  }
}

/**
 * Stop playing and go some moments forward, or back.
 * @param {number} count negative to go back
 */
function step(count) {
  setPlaying(false);
  goTo(player.moment + count);
}

/**
 * Stop playing and go to the first moment of a later or earlier turn.
 * @param {number} count turns, negative to go back
 */
function stepTurns(count) {
  setPlaying(false);
  const turns = [...new Set(moments.map(({ t }) => t))];
  const turn = turns[turns.indexOf(moments[player.moment].t) + count];
  const outermost = count < 0 ? 0 : moments.length - 1;
  goTo(turn === undefined ? outermost : moments.findIndex(({ t }) => t === turn));
}

/**
 * Start or pause playing.
 * @param {boolean} isPlaying
 */
function setPlaying(isPlaying) {
  if (player.isPlaying === isPlaying) {
    return;
  }
  player.isPlaying = isPlaying;
  const button = byId("go");
  button.textContent = isPlaying ? "❚❚" : "▶";
  button.setAttribute("aria-label", isPlaying ? phrase`Pause` : phrase`Play`);
  clearTimeout(stepTimer);
  if (!isPlaying) {
    goTo(player.moment);
  } else if (motion.matches) {
    stepOn();
  } else {
    play();
  }
}

/** Show the next moment, or the first one after the last, and go on after the moment's time. */
function stepOn() {
  const isLast = player.moment === moments.length - 1;
  goTo(isLast ? 0 : player.moment + 1);
  if (player.moment === moments.length - 1) {
    setPlaying(false);
  } else {
    stepTimer = setTimeout(stepOn, STILL_TIME / Number(speedList.value));
  }
}

/**
 * Keep a unit in the middle of the table.
 * @param {number | null} n the number of the unit; null follows none
 */
function follow(n) {
  player.followed = n;
  if (film) {
    film.chosen = n;
  }
  followList.value = n === null ? "" : String(n);
  if (n === null) {
    showWholeTurn();
  } else {
    table.pxPerMu = Math.max(table.pxPerMu, FOLLOW_ZOOM);
  }
  show();
}

/** @param {number} n the number of the unit */
const toggleFollow = (n) => follow(player.followed === n ? null : n);

/**
 * Open a tab of the panel.
 * @param {string} name "log" or "ships"
 */
async function openTab(name) {
  if (name === "ships") {
    await loadShipList();
  }
  player.tab = name;
  for (const tab of ["log", "ships"]) {
    const button = byId(`tab-${tab}`);
    button.setAttribute("aria-selected", String(tab === name));
    button.tabIndex = tab === name ? 0 : -1;
  }
  logBox.hidden = name !== "log";
  listBox.hidden = name === "log";
  resetLog();
  scrollBox.scrollTop = 0;
  show();
}

/** Show or hide the dice in the log; showing them opens the log. */
function toggleDice() {
  player.showsDice = !player.showsDice;
  byId("dice").setAttribute("aria-pressed", String(player.showsDice));
  resetLog();
  if (player.tab === "ships") {
    openTab("log");
  } else {
    showPanel();
  }
}

/**
 * Choose another speed of the list.
 * @param {number} step -1 for the next slower, 1 for the next faster
 */
function changeSpeed(step) {
  const last = speedList.options.length - 1;
  speedList.selectedIndex = Math.max(0, Math.min(last, speedList.selectedIndex + step));
  if (film) {
    film.clock.rate = Number(speedList.value);
  }
}

/** Copy the address of the current moment. */
async function copyLink() {
  const button = byId("link");
  const label = [...button.childNodes];
  updateAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = phrase`Copied`;
  } catch {
    button.textContent = phrase`Copy the link from the address bar`;
  }
  announcement.textContent = button.textContent;
  setTimeout(() => button.replaceChildren(...label), 1500);
}

/** List the ships of each side in the field that chooses which one to follow. */
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

/** Return the index of the moment that the page's address names, or 0. */
function momentInAddress() {
  const [, turnText, numberText] = /^#t(\d+)(?:\.(\d+))?$/.exec(location.hash) ?? [];
  const turn = Number(turnText ?? new URLSearchParams(location.search).get("turn"));
  const inTurn = [...moments.keys()].filter((i) => moments[i].t === turn);
  return inTurn[Math.min(inTurn.length, Number(numberText ?? 1)) - 1] ?? 0;
}

fillFollowList();
seek.max = String(moments.length - 1);
seek.addEventListener("input", () => {
  setPlaying(false);
  goTo(Number(seek.value));
});
speedList.addEventListener("change", () => changeSpeed(0));
followList.addEventListener("change", () => {
  follow(followList.value === "" ? null : Number(followList.value));
});
logBox.addEventListener("click", ({ target }) => {
  const line = closest(target, ".say", HTMLElement);
  const turn = closest(target, "[data-turn]", HTMLElement);
  if (line) {
    setPlaying(false);
    goTo(Number(line.dataset.at));
  } else if (turn) {
    stepTurns(Number(turn.dataset.turn));
  }
});
listBox.addEventListener("click", ({ target }) => {
  const unit = closest(target, "[data-unit]", HTMLElement)?.dataset.unit;
  if (unit !== undefined) {
    toggleFollow(Number(unit));
  }
});
/** @type {Record<string, () => unknown>} what buttons do, by their id */
const BUTTONS = {
  go: () => setPlaying(!player.isPlaying),
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
/** @type {Record<string, (event: KeyboardEvent) => unknown>} what keys do, letters in lower case */
const KEYS = {
  " ": () => setPlaying(!player.isPlaying),
  ArrowLeft: (event) => (event.shiftKey ? stepTurns(-1) : step(-1)),
  ArrowRight: (event) => (event.shiftKey ? stepTurns(1) : step(1)),
  PageUp: () => stepTurns(-1),
  PageDown: () => stepTurns(1),
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
  if (!isPageKey(event) || pressesButton) {
    return;
  }
  if (matches(event.target, "[role=tab]") && event.key.startsWith("Arrow")) {
    const other = player.tab === "log" ? "ships" : "log";
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
    table.handleKey(event);
  }
});
addEventListener("hashchange", () => {
  if (location.hash !== `#${momentHash()}`) {
    setPlaying(false);
    goTo(momentInAddress());
  }
});

need(document, ".replay", HTMLElement).classList.add("live");
for (const box of findAll(document, ".player, .tabs, .tools", HTMLElement)) {
  box.hidden = false;
}
scrollBox.removeAttribute("tabindex");
new ResizeObserver(() => {
  reserveTools(need(document, ".tools", HTMLElement));
  drawTrack();
}).observe(trackSvg);
player.moment = momentInAddress();
openTab("log");
