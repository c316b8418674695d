// What the server says of a saved draft, where the player reads it: problems beside what they are
// about, and the lines that are read back before the orders are sealed.

import { find, html } from "./dom.js";
import { phrase } from "./phrase.js";

const PLACES = ":scope > [data-faults-here], :scope > [data-more] > [data-faults-here]";
const ORDER = ["problem", "done"]; // what is wrong first, then what is ordered, then the rest

/**
 * Show problems in the list of fleets, each beside its fleet or ship. Earlier ones go.
 * @param {HTMLElement} list
 * @param {Fault[]} faults
 */
export function showFaults(list, faults) {
  for (const old of list.querySelectorAll("[data-faults-here]")) {
    old.replaceChildren();
  }
  for (const fault of faults) {
    const place = fault.anchor ? document.getElementById(fault.anchor) : null;
    const box = place && find(place, PLACES, HTMLElement);
    box?.append(html("p", { className: "fault" }, fault.words));
  }
}

/**
 * @param {FleetLine} line
 * @returns {ReadBackLine}
 */
function read(line) {
  if (line.state === "problem") {
    return { words: phrase`${line.name}: ${line.problem}; ${line.words}`, problem: true };
  }
  return { words: phrase`${line.name}: ${line.words}` };
}

/**
 * Return what is to be sealed, line by line.
 * @param {Pick<FleetLines, "lines" | "other">} draft
 * @returns {ReadBackLine[]}
 */
export function linesToSeal({ lines, other }) {
  /** @param {FleetLine} line */
  const rank = ({ state }) => (ORDER.includes(state) ? ORDER.indexOf(state) : ORDER.length);
  const sorted = Object.values(lines).sort((a, b) => rank(a) - rank(b));
  return [...sorted.map(read), ...other.map((words) => ({ words }))];
}
