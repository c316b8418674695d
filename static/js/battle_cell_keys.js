// Keys in a table of choices: arrows move between cells, digits set how many of a group make the
// choice. A right click or a long press sets one fewer, and all if there were none. Loaded on first
// use.

import { closest, find } from "./dom.js";

/** @import { ChoiceActions } from "./battle_cells.js" */

/** @type {Record<string, Point>} */
const ARROW_STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Return a handler for keys and right clicks in a table.
 * @param {HTMLElement} panel
 * @param {ChoiceActions["setCount"]} setCount
 * @param {ChoiceActions["getCounts"]} getCounts
 * @returns {(event: Event) => void}
 */
export function cellInputHandler(panel, setCount, getCounts) {
  return (event) => {
    const cell = closest(event.target, ".cell", HTMLElement);
    if (!cell) {
      return;
    }
    if (!(event instanceof KeyboardEvent)) {
      const { chosen, available } = getCounts(cell);
      setCount(cell, chosen ? chosen - 1 : available);
    } else if (event.key in ARROW_STEPS) {
      moveFocus(panel, cell, ARROW_STEPS[event.key]);
    } else {
      setCount(cell, Number(event.key));
    }
  };
}

/**
 * Move the focus to the next cell in a direction, skipping cells without a choice.
 * @param {HTMLElement} panel
 * @param {HTMLElement} cell
 * @param {Point} step columns and rows
 */
function moveFocus(panel, cell, [dx, dy]) {
  const rows = [...panel.querySelectorAll("tbody tr")];
  const grid = rows.map((row) => [...row.children].map((td) => find(td, ".cell", HTMLElement)));
  let y = grid.findIndex((row) => row.includes(cell));
  let x = grid[y]?.indexOf(cell);
  do {
    x += dx;
    y += dy;
  } while (grid[y]?.[x] === null);
  grid[y]?.[x]?.focus();
}
