// Draws the panel of a ship in the record of a table battle: hull boxes, threshold checks, systems
// and stores. Parts with unsent entries are marked as waiting.

import { findAll, need } from "./dom.js";
import { phrase } from "./phrase.js";

// Core systems, which the threshold check of the first row does not hit.
const CORE = /^(bridge|life-support|power-core)(-\d+)?$/;

/**
 * Draw the boxes of the damage track. Damage is taken in order, so a tap on an open box also
 * crosses out all open boxes before it; a tap on a crossed box opens it and all after it.
 * @param {HTMLElement} panel
 * @param {string} id the ship's id
 * @param {RecordShip} ship
 * @param {RecordEntry[]} waiting the unsent entries about the ship
 */
export function drawBoxes(panel, id, ship, waiting) {
  const crossed = new Set(ship.crossed);
  const boxes = findAll(panel, "[data-box]", HTMLButtonElement);
  const numbers = boxes.map(({ dataset }) => Number(dataset.box));
  const firstOpen = numbers.find((n) => !crossed.has(n)) ?? 0;
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
      : `boxes|${id}|${Math.min(firstOpen || n, n)}|${n}|1`;
  }
}

/**
 * Draw the threshold checks of all rows that are crossed out, each with its dice or the systems
 * that it may hit.
 * @param {HTMLElement} panel
 * @param {RecordShip} ship
 * @param {RecordEntry[]} waiting the unsent entries about the ship
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
    const waits =
      ship.reserved.includes(last) ||
      waiting.some((entry) => entry.kind === "check" && entry.row === last);
    check.hidden = crossed < last;
    for (const control of findAll(check, "[data-throw]", HTMLElement)) {
      control.hidden = Boolean(dice) || waits;
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
 * Return the text of a threshold check.
 * @param {string | undefined} dice the rolled dice, if they are known
 * @param {boolean} waits whether the check is still to be sent
 * @param {string} systems the names of the systems that it may hit
 */
function checkInWords(dice, waits, systems) {
  if (dice) {
    return phrase`Rolled: ${dice}. Tap what is lost.`;
  }
  return waits ? phrase`The check is waiting to be sent.` : systems;
}

/**
 * Draw the systems. A tap adds a hit; on a lost system it goes back to the fewest hits possible.
 * @param {HTMLElement} panel
 * @param {string} id the ship's id
 * @param {RecordShip} ship
 * @param {RecordEntry[]} waiting the unsent entries about the ship
 */
export function drawSystems(panel, id, ship, waiting) {
  for (const button of findAll(panel, "[data-system]", HTMLButtonElement)) {
    const system = button.dataset.system ?? "";
    const hits = ship.hits[system];
    const hitsToDestroy = ship.whole[system];
    const waits = waiting.some((entry) => entry.kind === "system" && entry.system === system);
    button.classList.toggle("off", hits > 0);
    button.classList.toggle("waits", waits);
    need(button, "[data-state]", HTMLElement).textContent = systemInWords(hits, hitsToDestroy);
    const hitsAfterTap = hits >= hitsToDestroy ? button.dataset.least : hits + 1;
    button.value = `system|${id}|${system}|${hitsAfterTap}`;
  }
}

/**
 * Return the condition of a system.
 * @param {number} hits
 * @param {number} hitsToDestroy
 */
function systemInWords(hits, hitsToDestroy) {
  if (hits === 0) {
    return phrase`works`;
  }
  return hits < hitsToDestroy ? phrase`halved` : phrase`lost`;
}

/**
 * Draw what is left in the stores, with the buttons that change it.
 * @param {HTMLElement} panel
 * @param {string} id the ship's id
 * @param {RecordShip} ship
 */
export function drawStores(panel, id, ship) {
  for (const box of findAll(panel, "[data-store]", HTMLElement)) {
    const name = box.dataset.store ?? "";
    const left = ship.stock[name];
    const most = Number(box.dataset.most);
    need(box, "[data-count]", HTMLElement).textContent = String(left);
    for (const step of findAll(box, "[data-step]", HTMLButtonElement)) {
      const leftAfterTap = left + Number(step.dataset.step);
      step.value = `stock|${id}|${name}|${leftAfterTap}`;
      step.disabled = leftAfterTap < 0 || leftAfterTap > most;
    }
  }
}

/**
 * Return the name of a system or a store on the page.
 * @param {HTMLElement} panel
 * @param {string} kind "system" or "store"
 * @param {string} name its id, returned if the page does not show it
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
