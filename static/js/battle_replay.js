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
  draw,
  moveView,
  reducedMotion,
  reserveTools,
  showWholeTurn,
  table,
} from "./battle_replay_table.js";
import { drawTrack, trackSvg } from "./battle_replay_track.js";
import { isPageKey } from "./battle_table.js";
import { closest, findAll, html, matches, need } from "./dom.js";
import { phrase } from "./phrase.js";

/** @type {Record<string, number>} milliseconds that a moment lasts at normal speed, by its kind */
const DURATIONS = { begin: 900, moves: 1500, fire: 900, other: 1000, over: 1500 };
const NEXT_AT = 1.12; // the progress of a moment at which the next begins: a short pause after each
const FOLLOW_ZOOM = 11; // the least pixels per MU while a unit is followed

/** @param {string} id */
const byId = (id) => need(document, `#${id}`, HTMLElement);

const seek = need(document, "#seek", HTMLInputElement);
const followList = need(document, "#follow", HTMLSelectElement);
const speedList = need(document, "#speed", HTMLSelectElement);
let lastFrameTime = 0; // milliseconds, of the previous animation frame

/** Draw the table at the present progress of the moment. */
function drawFrame() {
  moveView();
  draw();
}

/** Show the current moment on the table, in its caption, in the panel and on the track. */
function show() {
  const { t: turn, say = [], end = [] } = moments[player.moment];
  const words = phaseInWords(player.moment);
  caption.hidden = player.tab === "log";
  caption.replaceChildren(...linesOf(player.moment).flatMap((line) => [line, " "]));
  drawFrame();
  showPanel();
  drawTrack();
  seek.value = String(player.moment);
  seek.setAttribute("aria-valuetext", phrase`Turn ${turn}, ${words}`);
  const phase = html("span", { className: "muted" }, words);
  byId("now").replaceChildren(html("b", {}, phrase`Turn ${turn}`), " ", phase);
  showShipsLeft();
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
  player.progress = 1;
  updateAddress();
  show();
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
  if (isPlaying) {
    startNextMoment();
  } else if (player.progress < 1) {
    player.progress = 1;
    show();
  }
}

/** Begin to play the next moment, or the first one after the last. */
function startNextMoment() {
  if (player.progress >= 1) {
    player.moment = player.moment === moments.length - 1 ? 0 : player.moment + 1;
  }
  player.progress = 0;
  lastFrameTime = performance.now();
  show();
  requestAnimationFrame(playFrame);
}

/**
 * Advance the replay by one animation frame, and ask for the next.
 * @param {number} time milliseconds
 */
function playFrame(time) {
  if (!player.isPlaying) {
    return;
  }
  const passed = Math.max(0, time - lastFrameTime) / DURATIONS[moments[player.moment].k];
  player.progress += passed * Number(speedList.value);
  lastFrameTime = time;
  if (player.progress >= NEXT_AT && player.moment === moments.length - 1) {
    player.progress = 1;
    setPlaying(false);
    show();
    return;
  }
  if (player.progress >= NEXT_AT) {
    player.moment += 1;
    player.progress = 0;
    updateAddress();
    show();
  } else if (!reducedMotion.matches) {
    drawFrame();
  } else if (player.progress < 1) {
    drawAtEnd();
  }
  requestAnimationFrame(playFrame);
}

/** Draw the table as the moment ends, for readers who prefer reduced motion. */
function drawAtEnd() {
  const progress = player.progress;
  player.progress = 1;
  draw();
  player.progress = progress;
}

/**
 * Keep a unit in the middle of the table.
 * @param {number | null} n the number of the unit; null follows none
 */
function follow(n) {
  player.followed = n;
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
