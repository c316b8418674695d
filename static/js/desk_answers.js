// What the server says of a saved draft, where the player reads it: faults beside what they are
// about, and the lines that are read back before the orders are sealed.

import { phrase } from "./phrase.js";

/** Show faults in the list of fleets, each beside its fleet or ship. Those of before go. */
export function showFaults(list, faults) {
  for (const old of list.querySelectorAll("[data-faults-here]")) old.replaceChildren();
  for (const fault of faults) {
    const place = fault.anchor && document.getElementById(fault.anchor);
    const within = ":scope > [data-faults-here], :scope > [data-more] > [data-faults-here]";
    const box = place?.querySelector(within);
    if (!box) continue;
    const line = document.createElement("p");
    line.className = "fault";
    line.textContent = fault.words;
    box.append(line);
  }
}

/** Return what is to be sealed, line by line, problems first. */
export function linesToSeal({ lines, other }) {
  const all = Object.values(lines);
  const problems = all.filter((line) => line.state === "problem");
  const rest = all.filter((line) => line.state !== "problem");
  return [
    ...problems.map((line) => ({
      words: phrase`${line.name}: ${line.trouble}; ${line.words}`,
      problem: true,
    })),
    ...rest.map((line) => ({ words: phrase`${line.name}: ${line.words}` })),
    ...other.map((words) => ({ words })),
  ];
}
