// The player of a battle: every moment knows the table before and after it, so that any of them is
// shown at once. What it plays is in the page (`campaign.replays.replay.document_of`); without this
// script each turn is a page.

import {
  forgetLog,
  linesOf,
  listBox,
  loadShipList,
  logBox,
  phaseInWords,
  query,
  scrollBox,
  showBeside,
  spoken,
} from "./battle_replay_side.js";
import {
  isShip,
  moments,
  numbers,
  phases,
  plain,
  sides,
  states,
  units,
} from "./battle_replay_data.js";
import { player } from "./battle_replay_player.js";
import {
  calm,
  caption,
  draw,
  followNothing,
  keepFree,
  moveView,
  table,
} from "./battle_replay_table.js";
import { drawTrack, trackSvg } from "./battle_replay_track.js";
import { ours } from "./battle_table.js";
import { closest, findAll, html, matches, need } from "./dom.js";
import { phrase } from "./phrase.js";

/** @type {Record<string, number>} milliseconds that a moment plays at normal speed, by its kind */
const DURATION = { begin: 900, moves: 1500, fire: 900, other: 1000, over: 1500 };
const LINGER = 1.12; // how much of a moment passes before the next begins
const FOLLOW_ZOOM = 11; // pixels for an MU, at least, while a unit is followed

/** @param {string} id */
const byId = (id) => need(document, `#${id}`, HTMLElement);

const seek = need(document, "#seek", HTMLInputElement);
const followList = need(document, "#follow", HTMLSelectElement);
const speedList = need(document, "#speed", HTMLSelectElement);
let lastTime = 0; // of the picture before

/** Draw the moment as far as it has passed. */
function showPicture() {
  moveView();
  draw();
}

/** Show a moment: on the table, beside it, and in words. */
function show() {
  const { t, say = [], end = [] } = moments[player.at];
  const words = phaseInWords(player.at);
  caption.hidden = player.tab === "log";
  caption.replaceChildren(...linesOf(player.at).flatMap((line) => [line, " "]));
  showPicture();
  showBeside();
  drawTrack();
  seek.value = String(player.at);
  seek.setAttribute("aria-valuetext", phrase`Turn ${t}, ${words}`);
  const phase = html("span", { className: "muted" }, words);
  byId("now").replaceChildren(html("b", {}, phrase`Turn ${t}`), " ", phase);
  showShipsLeft();
  if (!player.isPlaying) {
    const texts = [...say, ...end.map(([text]) => text)].map(plain);
    spoken.textContent = `${phrase`Turn ${t}, ${phases[player.at]}`}. ${texts.join(" ")}`;
  }
}

function showShipsLeft() {
  for (const output of findAll(document, "[data-left]", HTMLElement)) {
    const side = Number(output.dataset.left);
    const left = [...units.keys()].filter(
      (n) => isShip(n) && states[player.at][n].s === side && !states[player.at][n].out,
    );
    output.textContent = String(left.length);
  }
}

const hash = () => `t${moments[player.at].t}.${numbers[player.at]}`;

/** Write the moment into the address. */
function noteAddress() {
  const search = query.size ? `?${query}` : "";
  history.replaceState(null, "", `${location.pathname}${search}#${hash()}`);
}

/** @param {number} i */
function goTo(i) {
  player.at = Math.max(0, Math.min(moments.length - 1, i));
  player.part = 1;
  noteAddress();
  show();
}

/** @param {number} by moments */
function step(by) {
  play(false);
  goTo(player.at + by);
}

/** @param {number} by turns */
function stepTurn(by) {
  play(false);
  const turns = [...new Set(moments.map(({ t }) => t))];
  const turn = turns[turns.indexOf(moments[player.at].t) + by];
  const edge = by < 0 ? 0 : moments.length - 1;
  goTo(turn === undefined ? edge : moments.findIndex(({ t }) => t === turn));
}

/** @param {boolean} on */
function play(on) {
  if (player.isPlaying === on) {
    return;
  }
  player.isPlaying = on;
  const button = byId("go");
  button.textContent = on ? "❚❚" : "▶";
  button.setAttribute("aria-label", on ? phrase`Pause` : phrase`Play`);
  if (on) {
    begin();
  } else if (player.part < 1) {
    player.part = 1;
    show();
  }
}

/** Play on from the next moment, or from the first one at the end. */
function begin() {
  if (player.part >= 1) {
    player.at = player.at === moments.length - 1 ? 0 : player.at + 1;
  }
  player.part = 0;
  lastTime = performance.now();
  show();
  requestAnimationFrame(tick);
}

/** @param {number} time in milliseconds */
function tick(time) {
  if (!player.isPlaying) {
    return;
  }
  const passed = Math.max(0, time - lastTime) / DURATION[moments[player.at].k];
  player.part += passed * Number(speedList.value);
  lastTime = time;
  if (player.part >= LINGER && player.at === moments.length - 1) {
    player.part = 1;
    play(false);
    show();
    return;
  }
  if (player.part >= LINGER) {
    player.at += 1;
    player.part = 0;
    noteAddress();
    show();
  } else if (!calm.matches) {
    showPicture();
  } else if (player.part < 1) {
    drawAtEnd();
  }
  requestAnimationFrame(tick);
}

/** Draw the end of the moment, for readers who want no motion. */
function drawAtEnd() {
  const passed = player.part;
  player.part = 1;
  draw();
  player.part = passed;
}

/** @param {number | null} n the unit that the table follows; null: none */
function follow(n) {
  player.followed = n;
  followList.value = n === null ? "" : String(n);
  if (n === null) {
    followNothing();
  } else {
    table.k = Math.max(table.k, FOLLOW_ZOOM);
  }
  show();
}

/** @param {number} n */
const toggleFollow = (n) => follow(player.followed === n ? null : n);

/** @param {string} name of a tab */
async function openTab(name) {
  if (name === "ships") {
    await loadShipList();
  }
  player.tab = name;
  for (const other of ["log", "ships"]) {
    const button = byId(`tab-${other}`);
    button.setAttribute("aria-selected", String(other === name));
    button.tabIndex = other === name ? 0 : -1;
  }
  logBox.hidden = name !== "log";
  listBox.hidden = name === "log";
  forgetLog();
  scrollBox.scrollTop = 0;
  show();
}

function toggleDice() {
  player.showsDice = !player.showsDice;
  byId("dice").setAttribute("aria-pressed", String(player.showsDice));
  forgetLog();
  if (player.tab === "ships") {
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
  go: () => play(!player.isPlaying),
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
  " ": () => play(!player.isPlaying),
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
  keepFree(need(document, ".tools", HTMLElement));
  drawTrack();
}).observe(trackSvg);
player.at = askedMoment();
openTab("log");
