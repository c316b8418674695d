// Keys for the umpire's list of campaigns: j and k move down and up, Enter opens a campaign, and r
// opens what needs doing first in it.

import { closest, find, findAll } from "./dom.js";

const rows = findAll(document, ".tables tbody tr", HTMLTableRowElement);

/**
 * Focus the campaign in a row, or in the first or last row if the index is out of range.
 * @param {number} index
 */
function focusRow(index) {
  const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
  const name = row && find(row, "th a", HTMLAnchorElement);
  name?.focus();
}

/**
 * Tell whether a key was pressed in the list or nowhere in particular, without Ctrl, Alt or Meta.
 * @param {KeyboardEvent} event
 */
function isKeyForList(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return false;
  }
  return event.target === document.body || closest(event.target, ".tables", Element) !== null;
}

document.addEventListener("keydown", (event) => {
  if (!isKeyForList(event)) {
    return;
  }
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  if (event.key === "r" && current >= 0) {
    find(rows[current], ".do a", HTMLAnchorElement)?.click();
  } else if (event.key === "j") {
    focusRow(current + 1);
  } else if (event.key === "k") {
    focusRow(current - 1);
  }
});

for (const hint of findAll(document, "[data-keys]", HTMLElement)) {
  hint.hidden = false;
}
