// What the tables of choices at the phases after movement share: who listens to cells, column
// heads, buttons and rows of ships.

import { closest, find, html, matches, need, withData } from "./dom.js";
import { lazily } from "./lazy_events.js";

/**
 * @template T
 * @param {T[]} list
 * @param {(item: T) => number} of
 */
export const sum = (list, of) => list.reduce((total, item) => total + of(item), 0);

/**
 * @param {string} className
 * @param {Record<string, string>} data
 * @param {...(Node | string)} children
 */
export const button = (className, data, ...children) =>
  withData(html("button", { type: "button", className }, ...children), data);

/**
 * Say by `aria-pressed` how many of a group say something.
 * @param {HTMLElement} cell
 * @param {number} count
 * @param {number} all
 */
export function markPressed(cell, count, all) {
  if (count === all) {
    cell.ariaPressed = "true";
  } else {
    cell.ariaPressed = count ? "mixed" : "false";
  }
}

/**
 * @typedef {object} ChoiceActions
 * @property {(cell: HTMLElement, count?: number) => void} give lets so many of a cell's group say
 *   it; if
 *   left out, all of them or none
 * @property {(cell: HTMLElement) => [number, number]} counts how many of a group say it, of how
 *   many
 * @property {(id: string) => void} all a whole column
 * @property {Record<string, () => unknown>} act what buttons do, by `data-do`
 * @property {(id: string) => void} choose the row of a ship or group
 */

/**
 * Listen to a table of choices and to the rows of ships.
 * @param {HTMLElement} panel
 * @param {HTMLElement} list
 * @param {Map<string, HTMLElement>} rows
 * @param {ChoiceActions} actions
 */
export function choices(panel, list, rows, { give, counts, all, act, choose }) {
  panel.addEventListener("click", (event) => {
    const cell = closest(event.target, ".cell", HTMLElement);
    const column = closest(event.target, "[data-all]", HTMLElement)?.dataset.all;
    const action = closest(event.target, "[data-do]", HTMLElement)?.dataset.do;
    if (cell) {
      give(cell, event.shiftKey ? 1 : undefined);
    } else if (column !== undefined) {
      all(column);
    } else if (action) {
      act[action]();
    }
  });
  const load = async () => (await import("./battle_cell_keys.js")).cellKeys(panel, give, counts);
  lazily(panel, ["contextmenu", "keydown"], load, (event) => {
    const isKey = event instanceof KeyboardEvent && /^(Arrow.*|[0-9])$/.test(event.key);
    const accepted =
      matches(event.target, ".cell, .cell *") && (event.type === "contextmenu" || isKey);
    if (accepted) {
      event.preventDefault();
      event.stopPropagation();
    }
    return accepted;
  });
  list.addEventListener("click", ({ target }) => {
    const id = rowUnder(target);
    if (rows.has(id)) {
      choose(id);
    }
  });
  list.addEventListener("keydown", (event) => {
    const id = rowUnder(event.target);
    if (rows.has(id) && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      event.stopPropagation();
      choose(id);
    }
  });
  for (const row of rows.values()) {
    const ship = need(row, ".ship", HTMLElement);
    ship.role = "button";
    ship.tabIndex = 0;
  }
}

/**
 * Return the id of the row whose ship is under a target; "" for none.
 * @param {EventTarget | null} target
 */
export function rowUnder(target) {
  const ship = closest(target, ".ship", HTMLElement);
  return closest(ship, "[data-row]", HTMLElement)?.dataset.row ?? "";
}

/** @param {string} words */
const small = (words) => html("span", { className: "muted small" }, words);

/**
 * @param {Node} content
 * @param {string} [scope]
 */
function head(content, scope) {
  const cell = html("th", {}, content);
  if (scope) {
    cell.scope = scope;
  }
  return cell;
}

/**
 * Build a table of choices in its box.
 * @param {string} label
 * @param {string} corner
 * @param {Node[]} columns heads
 * @param {{head: Node, cells: Node[], key?: string}[]} rows
 * @param {{words: string, cells: Node[]}} [foot] what stands below
 */
export function grid(label, corner, columns, rows, foot) {
  const heads = columns.map((content) => head(content, "col"));
  const lines = rows.map((row) => {
    const cells = row.cells.map((cell) => html("td", {}, cell));
    const line = html("tr", {}, head(row.head, "row"), ...cells);
    return row.key === undefined ? line : withData(line, { row: row.key });
  });
  const table = html(
    "table",
    { className: "aim" },
    html("thead", {}, html("tr", {}, head(small(corner)), ...heads)),
    html("tbody", {}, ...lines),
  );
  if (foot) {
    table.append(html("tfoot", {}, html("tr", {}, head(small(foot.words), "row"), ...foot.cells)));
  }
  const box = { className: "grid-box", tabIndex: 0, role: "group", ariaLabel: label };
  return html("div", box, table);
}

/**
 * Return a selector that finds an element again once the control panel is drawn anew.
 * @param {Element | null} element
 */
function selectorOf(element) {
  const { gun, at, all, do: action } = element instanceof HTMLElement ? element.dataset : {};
  if (gun) {
    return `[data-gun="${gun}"][data-at="${at}"]`;
  }
  if (all) {
    return `[data-all="${all}"]`;
  }
  return action ? `[data-do="${action}"]` : "";
}

/**
 * Fill the control panel anew: the focus stays on what it was on, and the table where it was
 * scrolled to.
 * @param {HTMLElement} panel
 * @param {...Node} parts
 */
export function renew(panel, ...parts) {
  const focused = document.activeElement;
  const selector = selectorOf(focused);
  const scrolled = panel.querySelector(".grid-box")?.scrollLeft ?? 0;
  panel.replaceChildren(...parts);
  const box = panel.querySelector(".grid-box");
  if (box) {
    box.scrollLeft = scrolled;
  }
  if (selector) {
    find(panel, selector, HTMLElement)?.focus();
  } else if (focused instanceof HTMLElement && panel.contains(focused)) {
    focused.focus();
  }
}
