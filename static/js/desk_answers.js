// What the server says of a saved draft, where the player reads it: faults beside what they are
// about, and the lines that are read back before the orders are sealed.

import { phrase } from "./phrase.js";

/** Show faults in the list of fleets, each beside its fleet or ship. Those of before go. */
export function showFaults(list, faults) {
  for (const old of list.querySelectorAll("[data-faults-here]")) {
    old.replaceChildren();
  }
  for (const fault of faults) {
    const place = fault.anchor && document.getElementById(fault.anchor);
    const within = ":scope > [data-faults-here], :scope > [data-more] > [data-faults-here]";
    const box = place?.querySelector(within);
    if (!box) {
      continue;
    }
    const line = document.createElement("p");
    line.className = "fault";
    line.textContent = fault.words;
    box.append(line);
  }
}

const ORDER = ["problem", "done"]; // what is wrong first, then what is ordered, then the rest

/** Return what is to be sealed, line by line. */
export function linesToSeal({ lines, other }) {
  const place = ({ state }) => (ORDER.includes(state) ? ORDER.indexOf(state) : ORDER.length);
  const sorted = Object.values(lines).sort((a, b) => place(a) - place(b));
  const read = (line) =>
    line.state === "problem"
      ? { words: phrase`${line.name}: ${line.trouble}; ${line.words}`, problem: true }
      : { words: phrase`${line.name}: ${line.words}` };
  return [...sorted.map(read), ...other.map((words) => ({ words }))];
}
