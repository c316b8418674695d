// Fine work in a table of choices: arrows walk its cells, figures say how many of a group, a right
// click or a long press one fewer.

import { closest, find } from "./dom.js";

/** @type {Record<string, Point>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Return what handles keys and the other button in a table.
 * @param {HTMLElement} panel
 * @param {(cell: HTMLElement, count?: number) => void} give lets so many of a cell's group say it
 * @param {(cell: HTMLElement) => [number, number]} counts how many say it, of how many
 * @returns {(event: Event) => void}
 */
export function cellKeys(panel, give, counts) {
  return (event) => {
    const cell = closest(event.target, ".cell", HTMLElement);
    if (!cell) {
      return;
    }
    if (!(event instanceof KeyboardEvent)) {
      const [set, able] = counts(cell);
      give(cell, set ? set - 1 : able);
    } else if (event.key in WAYS) {
      walk(panel, cell, WAYS[event.key]);
    } else {
      give(cell, Number(event.key));
    }
  };
}

/**
 * Move the focus to the next cell, over those in which nothing may be said.
 * @param {HTMLElement} panel
 * @param {HTMLElement} cell
 * @param {Point} way
 */
function walk(panel, cell, [dx, dy]) {
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
