// A ship of the record at the table: its boxes, threshold checks, systems and stores, drawn from
// the state of the record and from what waits to be sent.

import { findAll, need } from "./dom.js";
import { phrase } from "./phrase.js";

// Systems that the first threshold check does not reach.
const CORE = /^(bridge|life-support|power-core)(-\d+)?$/;

/**
 * Draw the boxes of a damage track: a tap on one further on takes all before it too, as damage is
 * taken in order; on a crossed one it opens that again.
 * @param {HTMLElement} panel
 * @param {string} id
 * @param {RecordShip} ship
 * @param {RecordEntry[]} waiting
 */
export function drawBoxes(panel, id, ship, waiting) {
  const crossed = new Set(ship.crossed);
  const boxes = findAll(panel, "[data-box]", HTMLButtonElement);
  const next = boxes.map(({ dataset }) => Number(dataset.box)).find((n) => !crossed.has(n)) ?? 0;
  for (const box of boxes) {
    const n = Number(box.dataset.box);
    const isOff = crossed.has(n);
    const waits = waiting.some(
      (entry) => entry.kind === "boxes" && entry.first <= n && n <= entry.last,
    );
    box.classList.toggle("off", isOff);
    box.classList.toggle("waits", waits);
    box.setAttribute("aria-pressed", String(isOff));
    box.value = isOff
      ? `boxes|${id}|${n}|${Math.max(n, ...crossed)}|0`
      : `boxes|${id}|${Math.min(next || n, n)}|${n}|1`;
  }
}

/**
 * Draw the threshold checks of the rows that are crossed out.
 * @param {HTMLElement} panel
 * @param {RecordShip} ship
 * @param {RecordEntry[]} waiting
 */
export function drawChecks(panel, ship, waiting) {
  const crossed = new Set(ship.crossed).size;
  const working = findAll(panel, "[data-system]", HTMLElement).filter(({ dataset }) => {
    const system = dataset.system ?? "";
    return ship.hits[system] < ship.whole[system];
  });
  for (const [row, check] of findAll(panel, "[data-last]", HTMLElement).entries()) {
    const last = Number(check.dataset.last);
    const dice = ship.checks[last];
    const waits = waiting.some((entry) => entry.kind === "check" && entry.row === last);
    check.hidden = crossed < last;
    for (const part of findAll(check, "[data-throw]", HTMLElement)) {
      part.hidden = Boolean(dice) || waits;
    }
    const names = working
      .filter(({ dataset }) => row > 0 || !CORE.test(dataset.system ?? ""))
      .map(({ dataset }) => dataset.words);
    need(check, "[data-check]", HTMLElement).textContent = checkInWords(
      dice,
      waits,
      names.join(", "),
    );
  }
}

/**
 * @param {string | undefined} dice of the check, once they are rolled
 * @param {boolean} waits
 * @param {string} systems that it may hit
 */
function checkInWords(dice, waits, systems) {
  if (dice) {
    return phrase`Rolled: ${dice}. Tap what is lost.`;
  }
  return waits ? phrase`The check is waiting to be sent.` : systems;
}

/**
 * @param {HTMLElement} panel
 * @param {string} id
 * @param {RecordShip} ship
 * @param {RecordEntry[]} waiting
 */
export function drawSystems(panel, id, ship, waiting) {
  for (const button of findAll(panel, "[data-system]", HTMLButtonElement)) {
    const system = button.dataset.system ?? "";
    const hits = ship.hits[system];
    const whole = ship.whole[system];
    const waits = waiting.some((entry) => entry.kind === "system" && entry.system === system);
    button.classList.toggle("off", hits > 0);
    button.classList.toggle("waits", waits);
    need(button, "[data-state]", HTMLElement).textContent = systemInWords(hits, whole);
    button.value = `system|${id}|${system}|${hits >= whole ? button.dataset.least : hits + 1}`;
  }
}

/**
 * @param {number} hits
 * @param {number} whole hits that destroy it
 */
function systemInWords(hits, whole) {
  if (hits === 0) {
    return phrase`works`;
  }
  return hits < whole ? phrase`halved` : phrase`lost`;
}

/**
 * @param {HTMLElement} panel
 * @param {string} id
 * @param {RecordShip} ship
 */
export function drawStores(panel, id, ship) {
  for (const box of findAll(panel, "[data-store]", HTMLElement)) {
    const name = box.dataset.store ?? "";
    const left = ship.stock[name];
    const most = Number(box.dataset.most);
    need(box, "[data-count]", HTMLElement).textContent = String(left);
    for (const step of findAll(box, "[data-step]", HTMLButtonElement)) {
      const then = left + Number(step.dataset.step);
      step.value = `stock|${id}|${name}|${then}`;
      step.disabled = then < 0 || then > most;
    }
  }
}

/**
 * Return what a system or a store is called on the page.
 * @param {HTMLElement} panel
 * @param {string} kind
 * @param {string} name
 */
export function partName(panel, kind, name) {
  const element = panel.querySelector(`[data-${kind}="${CSS.escape(name)}"]`);
  if (!element) {
    return name;
  }
  const first = element.firstElementChild;
  const label = first?.tagName === "SPAN" ? first : element;
  return (label.firstChild?.textContent ?? "").replace(":", "").trim();
}
