// Shows the server's answer to a saved draft: problems beside the fleets and ships concerned, and
// the lines that the player confirms before sealing.

import { find, html } from "./dom.js";
import { phrase } from "./phrase.js";

const FAULT_BOXES = ":scope > [data-faults-here], :scope > [data-more] > [data-faults-here]";
const STATE_ORDER = ["problem", "done"]; // of the lines to confirm; other states come last

/**
 * Show problems in the list of fleets, each beside its fleet or ship, in place of earlier ones.
 * @param {HTMLElement} list
 * @param {Fault[]} faults
 */
export function showFaults(list, faults) {
  for (const old of list.querySelectorAll("[data-faults-here]")) {
    old.replaceChildren();
  }
  for (const fault of faults) {
    const place = fault.anchor ? document.getElementById(fault.anchor) : null;
    const box = place && find(place, FAULT_BOXES, HTMLElement);
    box?.append(html("p", { className: "fault" }, fault.words));
  }
}

/**
 * Return the line of a fleet as it is read back.
 * @param {FleetLine} line
 * @returns {ReadBackLine}
 */
function readBackLine(line) {
  if (line.state === "problem") {
    return { words: phrase`${line.name}: ${line.problem}; ${line.words}`, problem: true };
  }
  return { words: phrase`${line.name}: ${line.words}` };
}

/**
 * Return the orders to be sealed, line by line, problems first.
 * @param {Pick<FleetLines, "lines" | "other">} draft
 * @returns {ReadBackLine[]}
 */
export function linesToSeal({ lines, other }) {
  /** @param {FleetLine} line */
  const rank = ({ state }) =>
    STATE_ORDER.includes(state) ? STATE_ORDER.indexOf(state) : STATE_ORDER.length;
  const sorted = Object.values(lines).sort((a, b) => rank(a) - rank(b));
  return [...sorted.map(readBackLine), ...other.map((words) => ({ words }))];
}
