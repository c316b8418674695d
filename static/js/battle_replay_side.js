// Beside the table of a replay: the log of the turn, with its dice where they are wanted, or the
// list of ships.

import { marked, moments, nameOf, numbers, phases, states } from "./battle_replay_data.js";
import { player } from "./battle_replay_player.js";
import { findAll, html, need, withData } from "./dom.js";
import { phrase } from "./phrase.js";

export const logBox = need(document, "#log", HTMLElement);
export const listBox = need(document, "#list", HTMLElement);
export const spoken = need(document, "#said", HTMLElement);
export const scrollBox = need(document, ".side .scroll", HTMLElement);
export const query = new URLSearchParams(location.search);
query.delete("turn"); // The moment is behind the #.
let loggedTurn = 0; // the turn that the log shows
/** @type {(listBox: HTMLElement) => void} */
let showList = () => {};

/** Load what draws the list of ships. */
export async function loadShipList() {
  ({ showList } = await import("./battle_replay_ships.js"));
}

/** Draw the log anew when it is shown next. */
export function forgetLog() {
  loggedTurn = 0;
}

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
  if (player.showsDice && moments[player.at].t === turn) {
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

/**
 * Return what happens in a moment, line by line.
 * @param {number} i
 */
export function linesOf(i) {
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
  const dice = player.showsDice ? (rolled.get(t)?.get(`t${t}.${numbers[i]}`) ?? []) : [];
  if (!dice.length) {
    return [];
  }
  return [html("span", { className: "rolls" }, ...dice.map((words) => html("i", {}, words)))];
}

/**
 * Return the phase of a moment, and who acts.
 * @param {number} i
 */
export function phaseInWords(i) {
  const { who } = moments[i];
  const actor = who === undefined ? "" : phrase`: ${nameOf(who, states[i][who])}`;
  return `${phases[i]}${actor}`;
}

/** Show the log, or the list of ships. */
export function showBeside() {
  if (player.tab === "ships") {
    showList(listBox);
    return;
  }
  const turn = moments[player.at].t;
  if (loggedTurn !== turn) {
    loggedTurn = turn;
    if (player.showsDice) {
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
  line.classList.toggle("now", i === player.at);
  line.classList.toggle("next", i > player.at);
  if (i !== player.at) {
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
