// What all pages of an online battle share: the table with its marks, range rings and tools, and
// helpers for the form. Loaded at once by battle_plot.js, battle_fire.js, battle_tasks.js and
// battle_view.js.

import { Table } from "./battle_table.js";
import { findAll, html, need, svg } from "./dom.js";
import { phrase } from "./phrase.js";

export const RING_RANGES = [12, 24, 36]; // MU of the range rings
const LARGEST_KEPT_CLEAR = 60; // pixels: names may lie on larger bodies

/** The selector of the fields that take a place on the table. */
export const PLACE_FIELDS = "input[placeholder='24 30']";

/**
 * The phase that the page shows. The page's script for a phase is loaded anew for the next one
 * (film/live.js), which ends this one.
 * @type {{table: Table | null, controller: AbortController}}
 */
export const shownPhase = { table: null, controller: new AbortController() };

/** Return the signal for listeners that end with the phase. */
export const phaseSignal = () => shownPhase.controller.signal;

/** @param {string} id */
export const byId = (id) => need(document, `#${id}`, HTMLElement);

/**
 * Return the CSS classes of a piece that moves. Of the groups of craft, a "group" is the player's
 * own and a "flyer" belongs to another side.
 * @param {TableThing} thing
 */
function thingClass({ kind, seat = 0, screens, moved }) {
  const marks = `${screens ? " screens" : ""}${moved ? " moved" : ""}`;
  return `seat-${seat} ${kind === "flyer" ? "foe" : "own"}${marks}`;
}

/**
 * @param {Table} table
 * @param {TableThing[]} things pieces that are not ships
 */
async function addThings(table, things) {
  table.showThings(
    things.filter(({ course }) => !course).map((thing) => ({ ...thing, cls: "seat-0" })),
  );
  for (const [n, thing] of things.filter(({ course }) => course).entries()) {
    const isGroup = thing.craft !== undefined;
    table.setMark(thing.id ?? `thing-${n}`, {
      size: "fighter",
      ...thing,
      scale: isGroup ? 1 : 0.8,
      cls: thingClass(thing),
      name: thing.label,
      label: isGroup ? thing.words : thing.label,
      rank: 1,
    });
  }
  if (things.some(({ craft }) => craft)) {
    (await import("./battle_formations.js")).formGroups(table);
  }
}

/**
 * Add the marks of a battle to its table.
 * @param {Table} table
 * @param {BattleData} data
 */
function addMarks(table, data) {
  addThings(table, data.things);
  for (const ship of data.own) {
    table.setMark(ship.id, { ...ship, cls: `seat-${ship.seat} own`, rank: 4, label: ship.name });
  }
  for (const contact of data.contacts) {
    table.setMark(contact.id, {
      ...contact,
      cls: `seat-${contact.seat} foe${contact.cls ? "" : " bogey"}`,
      detail: contact.v === null ? "" : `V${contact.v}`,
      rank: 3,
      label: phrase`${contact.name}, ${contact.cls ?? "bogey"}, course ${contact.course}`,
    });
  }
}

/**
 * Return the part of the table where ships are, with a margin.
 * @param {BattleData} data
 * @returns {Box | undefined} in MU
 */
function shipBounds({ own, contacts }) {
  const ships = [...own, ...contacts];
  if (!ships.length) {
    return undefined;
  }
  const xs = ships.map(({ x }) => x);
  const ys = ships.map(({ y }) => y);
  return [Math.min(...xs) - 10, Math.min(...ys) - 9, Math.max(...xs) + 10, Math.max(...ys) + 9];
}

/**
 * Connect the buttons beside the table: zoom, whole table, cursor, and what is visible.
 * @param {Table} table
 * @param {Record<string, boolean>} visible whether rings and arcs are shown; changed by the buttons
 */
function listenToTools(table, visible) {
  for (const [id, key] of Object.entries({ in: "z", out: "x", fit: "f", aim: "t" })) {
    byId(id).addEventListener("click", () => table.pressKey(key));
  }
  for (const id of Object.keys(visible)) {
    byId(id).addEventListener("click", () => {
      visible[id] = !visible[id];
      byId(id).setAttribute("aria-pressed", String(visible[id]));
      table.redraw?.();
    });
  }
}

/**
 * Draw the numbers of the range rings, and keep the names of ships off them, off the tools and off
 * small bodies such as asteroids.
 * @param {Table} table
 * @param {HTMLElement} box the element around the table and its tools
 * @param {Record<string, boolean>} visible whether rings and arcs are shown
 */
function drawRangeNumbers(table, box, visible) {
  const ringLabels = () => {
    const centre = visible.rings ? table.ringCentre?.() : undefined;
    if (!centre) {
      return [];
    }
    return RING_RANGES.map((range) => {
      const [x, y] = table.toPixels(centre[0], centre[1] - range);
      return { range, x, y };
    });
  };
  table.onDraw = () => {
    const texts = ringLabels().map(({ range, x, y }) =>
      svg("text", { class: "ring-n", x, y: y + 4 }, String(range)),
    );
    table.topLayer.replaceChildren(...texts);
  };
  table.reservedBoxes = () => {
    const tools = findAll(box, ".tools, .keys", HTMLElement).map((tool) => boxOnTable(table, tool));
    /** @type {Box[]} */
    const numbers = ringLabels().map(({ x, y }) => [x - 10, y - 8, x + 10, y + 8]);
    const bodies = findAll(table.svg, ".thing", SVGElement).map((body) => boxOnTable(table, body));
    const isSmall = (/** @type {Box} */ box) => box[2] - box[0] < LARGEST_KEPT_CLEAR;
    return [...tools, ...numbers, ...bodies.filter(isSmall)];
  };
}

/**
 * Return the box of an element in pixels of the table.
 * @param {Table} table
 * @param {Element} element
 * @returns {Box}
 */
export function boxOnTable(table, element) {
  const origin = table.svg.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  return [
    box.left - origin.left,
    box.top - origin.top,
    box.right - origin.left,
    box.bottom - origin.top,
  ];
}

/**
 * Draw the table of the page, and return it with the data of the page and the visibility of rings
 * and arcs.
 * @template {BattleData} Data
 * @param {(data: any) => Data} cast gives the page's JSON its type
 */
export function setUpPage(cast) {
  const data = cast(JSON.parse(byId("battle").textContent ?? ""));
  const box = need(document, ".table-box", HTMLElement);
  const table = new Table(need(document, "#table", SVGSVGElement), data.table);
  shownPhase.table = table;
  /** @type {Record<string, boolean>} */
  const visible = { rings: true, arcs: true };
  for (const element of findAll(box, "[hidden]:not(.tell, .helm)", HTMLElement)) {
    element.hidden = false;
  }
  table.svg.setAttribute("role", "application");
  table.svg.setAttribute("aria-roledescription", phrase`table`);
  addMarks(table, data);
  const bounds = shipBounds(data);
  if (bounds) {
    table.fittedBox = bounds;
  }
  listenToTools(table, visible);
  drawRangeNumbers(table, box, visible);
  return { data, table, visible };
}

/**
 * Return the data of an SVG path through points.
 * @param {TablePoint[]} points
 */
const pathOf = (points) =>
  `M${points.map((point) => point.map((value) => value.toFixed(2)).join(" ")).join("L")}`;

/**
 * Draw a line through points of the table.
 * @param {string} className
 * @param {TablePoint[]} points
 */
export const polyline = (className, points) => svg("path", { class: className, d: pathOf(points) });

/**
 * Draw the paths that ships flew this turn.
 * @param {BattleData} data
 */
export const trails = ({ own, contacts, tracks }) =>
  [...own, ...contacts]
    .filter(({ id }) => tracks[id])
    .map(({ id, seat }) => polyline(`trail seat-${seat}`, tracks[id]));

/**
 * Add a closed `<details>` with rows behind the list of ships.
 * @param {string} title
 * @param {Element[]} rows the list items, or elements that get an item of their own
 * @param {boolean} keepsEmpty whether to add it even without rows
 * @returns {HTMLDetailsElement | null} null if it was not added
 */
export function addDrawer(title, rows, keepsEmpty = false) {
  const items = rows.map((row) => (row.matches("li") ? row : html("li", {}, row)));
  if (!items.length && !keepsEmpty) {
    return null;
  }
  const fold = html(
    "details",
    { className: "drawer" },
    html("summary", { className: "b bare" }, title),
    html("ul", { className: "ships" }, ...items),
  );
  byId("ships").after(fold);
  return fold;
}

/**
 * Show the note beside the seal that fits: without a seal the captain's orders count, and until the
 * player changes something these are the orders on the page.
 * @param {boolean} isChanged whether any order differs from the captain's
 */
export function showCaptainNote(isChanged) {
  const [ifChanged, ifNot] = findAll(document, "[data-captains]", HTMLElement);
  if (ifNot) {
    ifChanged.hidden = !isChanged;
    ifNot.hidden = isChanged;
  }
}

/**
 * Announce a text in the live region for screen readers; show a warning on the table, too.
 * @param {string} text
 * @param {boolean} isWarning
 */
export function announce(text, isWarning = false) {
  const noteOnTable = byId("tell");
  byId("say").textContent = text;
  noteOnTable.hidden = !isWarning;
  noteOnTable.textContent = text;
}

/**
 * Return the rows of ships in the list, by ship id, in the order of the list.
 * @param {string[]} ids
 */
export function rowsById(ids) {
  /** @type {Map<string, HTMLElement>} */
  const rows = new Map();
  for (const row of findAll(document, "[data-row]", HTMLElement)) {
    const id = row.dataset.row ?? "";
    if (ids.includes(id) && !rows.has(id)) {
      rows.set(id, row);
    }
  }
  return rows;
}

/**
 * Read a place such as "24 30"; return null if the text is not two numbers. A comma within a number
 * is a decimal point.
 * @param {string} text
 * @returns {TablePoint | null}
 */
export function parsePlace(text) {
  const numbers =
    text
      .replace(/,(?=\d)/g, ".")
      .match(/-?[\d.]+/g)
      ?.map(Number) ?? [];
  return numbers.length === 2 ? [numbers[0], numbers[1]] : null;
}

/** @typedef {HTMLInputElement | HTMLSelectElement} Input */

/**
 * Check whether an element is an input or a list.
 * @param {unknown} element
 * @returns {element is Input}
 */
export const isInput = (element) =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement;

/**
 * Check whether a field is a checkbox.
 * @param {Input} input
 * @returns {input is HTMLInputElement}
 */
export const isCheckbox = (input) => input.type === "checkbox";

/**
 * Return the value with which a field gives no order: the first of a list, else "".
 * @param {Input} input
 */
export const emptyValueOf = (input) =>
  input instanceof HTMLSelectElement ? input.options[0].value : "";

/**
 * Return the inputs and lists that match a selector.
 * @param {ParentNode} root
 * @param {string} selector
 */
export function inputsIn(root, selector) {
  const found = [];
  for (const element of root.querySelectorAll(selector)) {
    if (isInput(element)) {
      found.push(element);
    }
  }
  return found;
}

/**
 * Return the field of a form with a name, or null.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export function fieldNamed(form, name) {
  const field = form.elements.namedItem(name);
  return isInput(field) ? field : null;
}

/**
 * Return the text of an input's label.
 * @param {Input} input
 */
export const labelOf = (input) => input.closest("label")?.firstChild?.textContent?.trim() ?? "";
