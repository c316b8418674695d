// The table of choices (weapons or actions by targets) in the phases after movement: its elements,
// and the listeners for its cells, column heads and buttons. Used by battle_fire.js and
// battle_tasks.js.

import { closest, find, html, matches, need, withData } from "./dom.js";
import { lazily } from "./lazy_events.js";

/**
 * Add up a value of each item.
 * @template T
 * @param {T[]} list
 * @param {(item: T) => number} valueOf
 */
export const sum = (list, valueOf) => list.reduce((total, item) => total + valueOf(item), 0);

/**
 * Return a button with data attributes.
 * @param {string} className
 * @param {Record<string, string>} data
 * @param {...(Node | string)} children
 */
export const dataButton = (className, data, ...children) =>
  withData(html("button", { type: "button", className }, ...children), data);

/**
 * Set `aria-pressed` of a cell: all of a group made the choice, some, or none.
 * @param {HTMLElement} cell
 * @param {number} count how many made the choice
 * @param {number} all the size of the group
 */
export function markPressed(cell, count, all) {
  if (count === all) {
    cell.ariaPressed = "true";
  } else {
    cell.ariaPressed = count ? "mixed" : "false";
  }
}

/**
 * What a page does with its table of choices. A cell stands for a group of weapons or fields.
 * @typedef {object} ChoiceActions
 * @property {(cell: HTMLElement, count?: number) => void} setCount lets this many of a group make
 *   the choice of the cell; without a count, all of them, or none if all have
 * @property {(cell: HTMLElement) => {chosen: number, available: number}} getCounts how many of a
 *   group have made the choice of the cell, and how many can
 * @property {(id: string) => void} toggleColumn makes a choice for all rows, or takes it back
 * @property {Record<string, () => unknown>} buttonActions the actions of buttons, by `data-do`
 * @property {(id: string) => void} selectRow selects a ship or group
 */

/**
 * Listen to a table of choices and to the rows of ships.
 * @param {HTMLElement} panel the element around the table
 * @param {HTMLElement} list the list of ships
 * @param {Map<string, HTMLElement>} rows the rows of the list, by ship
 * @param {ChoiceActions} actions
 */
export function listenToChoices(
  panel,
  list,
  rows,
  { setCount, getCounts, toggleColumn, buttonActions, selectRow },
) {
  panel.addEventListener("click", (event) => {
    const cell = closest(event.target, ".cell", HTMLElement);
    const column = closest(event.target, "[data-all]", HTMLElement)?.dataset.all;
    const action = closest(event.target, "[data-do]", HTMLElement)?.dataset.do;
    if (cell) {
      setCount(cell, event.shiftKey ? 1 : undefined);
    } else if (column !== undefined) {
      toggleColumn(column);
    } else if (action) {
      buttonActions[action]();
    }
  });
  const load = async () =>
    (await import("./battle_cell_keys.js")).cellInputHandler(panel, setCount, getCounts);
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
      selectRow(id);
    }
  });
  list.addEventListener("keydown", (event) => {
    const id = rowUnder(event.target);
    if (rows.has(id) && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      event.stopPropagation();
      selectRow(id);
    }
  });
  for (const row of rows.values()) {
    const ship = need(row, ".ship", HTMLElement);
    ship.role = "button";
    ship.tabIndex = 0;
  }
}

/**
 * Return the id of the ship whose row is under an event's target; "" if there is none.
 * @param {EventTarget | null} target
 */
export function rowUnder(target) {
  const ship = closest(target, ".ship", HTMLElement);
  return closest(ship, "[data-row]", HTMLElement)?.dataset.row ?? "";
}

/** @param {string} words */
const mutedText = (words) => html("span", { className: "muted small" }, words);

/**
 * Return a head of a column or row.
 * @param {Node} content
 * @param {string} [scope] "col" or "row"; none for the corner
 */
function headCell(content, scope) {
  const cell = html("th", {}, content);
  if (scope) {
    cell.scope = scope;
  }
  return cell;
}

/**
 * Build a table of choices in a box that scrolls.
 * @param {object} content
 * @param {string} content.label the name of the table for screen readers
 * @param {string} content.corner the text in the corner
 * @param {Node[]} content.columns the heads of the columns
 * @param {{head: Node, cells: Node[], key?: string}[]} content.rows
 * @param {{words: string, cells: Node[]}} [content.foot] a row of totals
 */
export function choiceTable({ label, corner, columns, rows, foot }) {
  const heads = columns.map((content) => headCell(content, "col"));
  const lines = rows.map((row) => {
    const cells = row.cells.map((cell) => html("td", {}, cell));
    const line = html("tr", {}, headCell(row.head, "row"), ...cells);
    return row.key === undefined ? line : withData(line, { row: row.key });
  });
  const table = html(
    "table",
    { className: "aim" },
    html("thead", {}, html("tr", {}, headCell(mutedText(corner)), ...heads)),
    html("tbody", {}, ...lines),
  );
  if (foot) {
    table.append(
      html("tfoot", {}, html("tr", {}, headCell(mutedText(foot.words), "row"), ...foot.cells)),
    );
  }
  const box = { className: "grid-box", tabIndex: 0, role: "group", ariaLabel: label };
  return html("div", box, table);
}

/**
 * Return a selector that finds a button again after the control panel was drawn again.
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
 * Replace the contents of the control panel; focus and scroll position stay.
 * @param {HTMLElement} panel
 * @param {...Node} parts
 */
export function replaceContents(panel, ...parts) {
  const focused = document.activeElement;
  const selector = selectorOf(focused);
  const scrolled = panel.querySelector(".grid-box")?.scrollLeft;
  panel.replaceChildren(...parts);
  const box = find(panel, ".grid-box", HTMLElement);
  if (box) {
    const chosenLeft = find(box, ".who.set", HTMLElement)?.offsetLeft ?? 0;
    box.scrollLeft = scrolled || chosenLeft - box.clientWidth / 2;
  }
  if (selector) {
    find(panel, selector, HTMLElement)?.focus();
  } else if (focused instanceof HTMLElement && panel.contains(focused)) {
    focused.focus();
  }
}
