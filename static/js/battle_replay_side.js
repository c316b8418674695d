// The panel beside the table of a battle replay: the log of the turn, with dice on request, or the
// list of ships.

import {
  moments,
  unitName,
  numbersInTurn,
  phases,
  states,
  textNodes,
} from "./battle_replay_data.js";
import { player } from "./battle_replay_player.js";
import { findAll, html, need, withData } from "./dom.js";
import { phrase } from "./phrase.js";

export const logBox = need(document, "#log", HTMLElement);
export const listBox = need(document, "#list", HTMLElement);
export const announcement = need(document, "#announcement", HTMLElement);
export const scrollBox = need(document, ".side .scroll", HTMLElement);
export const query = new URLSearchParams(location.search);
query.delete("turn"); // The hash of the address names the turn and the moment.
let loggedTurn = 0; // the turn that the log shows; 0: draw it anew
/** @type {(listBox: HTMLElement) => void} */
let showList = () => {};

/** Load the script that draws the list of ships. */
export async function loadShipList() {
  ({ showList } = await import("./battle_replay_ships.js"));
}

/** Make the log be drawn anew when it is next shown. */
export function resetLog() {
  loggedTurn = 0;
}

// Dice are read from the page that a turn has without scripts, when the reader asks for them.

/** @type {Map<number, Map<string, string[]>>} dice by turn and id of a moment's log line */
const diceByTurn = new Map();

/**
 * Load the dice of a turn and show them in the log.
 * @param {number} turn
 */
async function loadDice(turn) {
  if (diceByTurn.has(turn)) {
    return;
  }
  diceByTurn.set(turn, new Map()); // Prevents a second load meanwhile.
  try {
    diceByTurn.set(turn, await fetchDice(turn));
  } catch {
    diceByTurn.delete(turn); // The next press tries again.
    announcement.textContent = phrase`The dice cannot be loaded now.`;
    return;
  }
  if (player.showsDice && moments[player.moment].t === turn) {
    resetLog();
    showPanel();
  }
}

/**
 * Return the dice of a turn by the id of the moment's log line.
 * @param {number} turn
 */
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
 * Return the lines of the log for a moment: what happens, and which units it ends.
 * @param {number} i the index of the moment
 */
export function linesOf(i) {
  const { say = [], end = [] } = moments[i];
  const lines = say.map((text) =>
    html("span", { className: "line" }, ...textNodes(text, states[i])),
  );
  const ends = end.map(([text, isDeath]) => {
    const line = html("span", { className: "end" }, ...textNodes(text, states[i]));
    line.classList.toggle("dead", isDeath);
    return line;
  });
  return [...lines, ...ends];
}

/**
 * Return the dice of a moment as an element, or nothing if they are not shown or not loaded.
 * @param {number} i the index of the moment
 */
function diceOf(i) {
  const { t: turn } = moments[i];
  const dice = diceByTurn.get(turn)?.get(`t${turn}.${numbersInTurn[i]}`) ?? [];
  if (!player.showsDice || !dice.length) {
    return [];
  }
  return [html("span", { className: "rolls" }, ...dice.map((words) => html("i", {}, words)))];
}

/**
 * Return the phase of a moment, and which unit acts.
 * @param {number} i the index of the moment
 */
export function phaseInWords(i) {
  const { who } = moments[i];
  const actor = who === undefined ? "" : phrase`: ${unitName(who, states[i][who])}`;
  return `${phases[i]}${actor}`;
}

/** Show the log or the list of ships, whichever tab is open. */
export function showPanel() {
  if (player.tab === "ships") {
    showList(listBox);
    return;
  }
  const turn = moments[player.moment].t;
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

/**
 * Return the heading of the log, with buttons to the turns before and after.
 * @param {number} turn
 */
function logHead(turn) {
  /**
   * @param {string} step turns to go, "-1" or "1"
   * @param {string} label
   * @param {string} sign
   */
  const turnButton = (step, label, sign) => {
    const button = html("button", { type: "button", className: "b bare", ariaLabel: label }, sign);
    return withData(button, { turn: step });
  };
  const buttons = html(
    "span",
    {},
    turnButton("-1", phrase`Previous turn`, "‹"),
    " ",
    turnButton("1", phrase`Next turn`, "›"),
  );
  return html("h2", {}, phrase`Turn ${turn}`, buttons);
}

/**
 * Return the lines of the log for a turn, under a heading for each phase.
 * @param {number} turn
 */
function logLines(turn) {
  const lines = [];
  let phase = "";
  for (const [i, { t, k: kind }] of moments.entries()) {
    if (t !== turn) {
      continue;
    }
    if (phases[i] !== phase) {
      phase = phases[i];
      lines.push(html("h3", {}, phase));
    }
    const line = html("button", { type: "button", className: "say" }, ...linesOf(i), ...diceOf(i));
    lines.push(withData(line, { at: String(i), kind }));
  }
  return lines;
}

/**
 * Mark a line of the log as current or still to come, and scroll to the current one.
 * @param {HTMLElement} line
 * @param {number} i the index of its moment
 */
function showLogLine(line, i) {
  line.classList.toggle("now", i === player.moment);
  line.classList.toggle("next", i > player.moment);
  if (i !== player.moment) {
    line.removeAttribute("aria-current");
    return;
  }
  line.setAttribute("aria-current", "step");
  const box = line.getBoundingClientRect();
  const around = scrollBox.getBoundingClientRect();
  // Leave room for the sticky heading above, and a margin below.
  if (box.top < around.top + 60 || box.bottom > around.bottom - 10) {
    scrollBox.scrollTop += box.top - around.top - around.height / 3;
  }
}
