// What all pages of a battle with a table share: every mark, what it is, where it came from.

import { Table } from "./battle_table.js";
import { find, findAll, html, need, svg } from "./dom.js";
import { phrase } from "./phrase.js";

export const RANGES = [12, 24, 36]; // MU of the range rings

/** Fields that ask for a place of the table. */
export const PLACE = "input[placeholder='24 30']";

/** @param {string} id */
export const byId = (id) => need(document, `#${id}`, HTMLElement);

/**
 * @param {TableThing} thing
 * @param {BattleData} data
 */
function classOfThing({ kind }, { own }) {
  if (kind === "flyer") {
    return "seat-0 foe";
  }
  return `seat-${kind === "group" ? (own[0]?.seat ?? 0) : 0} own`;
}

/**
 * Add the marks of a battle to its table.
 * @param {Table} table
 * @param {BattleData} data
 */
function addMarks(table, data) {
  const still = data.things.filter(({ course }) => !course);
  table.pieces(still.map((thing) => ({ ...thing, cls: "seat-0" })));
  const moving = data.things.filter(({ course }) => course);
  for (const [n, thing] of moving.entries()) {
    const cls = classOfThing(thing, data);
    const look = { size: "fighter", scale: 0.8, cls, name: thing.label, rank: 1 };
    table.mark(thing.id ?? `thing-${n}`, { ...thing, ...look });
  }
  for (const ship of data.own) {
    table.mark(ship.id, { ...ship, cls: `seat-${ship.seat} own`, rank: 4, label: ship.name });
  }
  for (const contact of data.contacts) {
    table.mark(contact.id, {
      ...contact,
      cls: `seat-${contact.seat} foe${contact.cls ? "" : " bogey"}`,
      sub: contact.v === null ? "" : `V${contact.v}`,
      rank: 3,
      label: phrase`${contact.name}, ${contact.cls ?? "bogey"}, course ${contact.course}`,
    });
  }
}

/**
 * Return the part of the table where ships are.
 * @param {BattleData} data
 * @returns {Box | undefined} in MU
 */
function partWithShips({ own, contacts }) {
  const ships = [...own, ...contacts];
  if (!ships.length) {
    return undefined;
  }
  const xs = ships.map(({ x }) => x);
  const ys = ships.map(({ y }) => y);
  return [Math.min(...xs) - 10, Math.min(...ys) - 9, Math.max(...xs) + 10, Math.max(...ys) + 9];
}

/**
 * Let the tools beside the table press its keys, and show and hide rings and arcs.
 * @param {Table} table
 * @param {Record<string, boolean>} shows
 */
function listenToTools(table, shows) {
  for (const [id, key] of Object.entries({ in: "z", out: "x", fit: "f", aim: "t" })) {
    byId(id).addEventListener("click", () => table.press(key));
  }
  for (const id of Object.keys(shows)) {
    byId(id).addEventListener("click", () => {
      shows[id] = !shows[id];
      byId(id).setAttribute("aria-pressed", String(shows[id]));
      table.shown?.();
    });
  }
}

/**
 * Keep the numbers of the range rings upright, and names free of them and of the tools.
 * @param {Table} table
 * @param {HTMLElement} box around the table
 * @param {Record<string, boolean>} shows
 */
function drawRangeNumbers(table, box, shows) {
  const figures = () => {
    const centre = shows.rings ? table.centred?.() : undefined;
    if (!centre) {
      return [];
    }
    return RANGES.map((range) => {
      const [x, y] = table.px(centre[0], centre[1] - range);
      return { range, x, y };
    });
  };
  table.onview = () => {
    const texts = figures().map(({ range, x, y }) =>
      svg("text", { class: "ring-n", x, y: y + 4 }, String(range)),
    );
    table.top.replaceChildren(...texts);
  };
  table.keep = () => {
    const tools = findAll(box, ".tools, .keys", HTMLElement).map((tool) => boxOn(table, tool));
    /** @type {Box[]} */
    const numbers = figures().map(({ x, y }) => [x - 10, y - 8, x + 10, y + 8]);
    return [...tools, ...numbers];
  };
}

/**
 * Return the box of an element in pixels of the table.
 * @param {Table} table
 * @param {Element} element
 * @returns {Box}
 */
export function boxOn(table, element) {
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
 * Return the data of the page, and its table with all that lies on it.
 * @template {BattleData} Data
 * @param {(data: any) => Data} check says which data the page has
 */
export function begin(check) {
  const data = check(JSON.parse(byId("battle").textContent ?? ""));
  const box = need(document, ".table-box", HTMLElement);
  const table = new Table(need(document, "#table", SVGSVGElement), data.table);
  /** @type {Record<string, boolean>} */
  const shows = { rings: true, arcs: true };
  for (const element of findAll(box, "[hidden]:not(.tell)", HTMLElement)) {
    element.hidden = false;
  }
  table.svg.setAttribute("role", "application");
  table.svg.setAttribute("aria-roledescription", phrase`table`);
  addMarks(table, data);
  const part = partWithShips(data);
  if (part) {
    table.want = part;
  }
  listenToTools(table, shows);
  drawRangeNumbers(table, box, shows);
  return { data, table, shows };
}

/** @param {TablePoint[]} points */
const pathOf = (points) =>
  `M${points.map((point) => point.map((value) => value.toFixed(2)).join(" ")).join("L")}`;

/**
 * @param {string} className
 * @param {TablePoint[]} points
 */
export const line = (className, points) => svg("path", { class: className, d: pathOf(points) });

/**
 * Return the ways that ships came.
 * @param {BattleData} data
 */
export const trails = ({ own, contacts, tracks }) =>
  [...own, ...contacts]
    .filter(({ id }) => tracks[id])
    .map(({ id, seat }) => line(`trail seat-${seat}`, tracks[id]));

/**
 * Put rows into a drawer of their own behind the ships: whole rows, and the fields of ships.
 * @param {string} title
 * @param {Element[]} rows
 * @param {boolean} evenEmpty whether there is one without rows, too
 */
export function drawer(title, rows, evenEmpty = false) {
  const items = rows.map((row) => (row.matches("li") ? row : html("li", {}, row)));
  if (!items.length && !evenEmpty) {
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
 * Say beside the seal what is done without one: the captain's orders, which are those shown until
 * something is changed.
 * @param {boolean} isChanged
 */
export function note(isChanged) {
  const [ifChanged, ifNot] = findAll(document, "[data-captains]", HTMLElement);
  if (ifNot) {
    ifChanged.hidden = !isChanged;
    ifNot.hidden = isChanged;
  }
}

/**
 * Say what changed in the live region, and warnings in a note on the table, too.
 * @param {string} words
 * @param {boolean} isWarning
 */
export function say(words, isWarning = false) {
  const tell = byId("tell");
  byId("say").textContent = words;
  tell.hidden = !isWarning;
  tell.textContent = words;
}

/**
 * Return the rows of ships in the list, by id.
 * @param {string[]} ids
 */
export function rowsOf(ids) {
  /** @type {Map<string, HTMLElement>} */
  const rows = new Map();
  for (const id of ids) {
    const row = find(document, `[data-row="${id}"]`, HTMLElement);
    if (row) {
      rows.set(id, row);
    }
  }
  return rows;
}

/**
 * Read the numbers of a written place: "24 30".
 * @param {string} text
 * @returns {TablePoint | null}
 */
export function placeIn(text) {
  const numbers = text.match(/-?[\d.]+/g)?.map(Number) ?? [];
  return numbers.length === 2 ? [numbers[0], numbers[1]] : null;
}

/** @typedef {HTMLInputElement | HTMLSelectElement} Input */

/**
 * @param {unknown} element
 * @returns {element is Input}
 */
export const isInput = (element) =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement;

/**
 * Find fields of a form.
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
 * Return a field of a form by its name.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export function fieldNamed(form, name) {
  const field = form.elements.namedItem(name);
  return isInput(field) ? field : null;
}

/**
 * Return the words of an input's label.
 * @param {Input} input
 */
export const labelOf = (input) => input.closest("label")?.firstChild?.textContent?.trim() ?? "";
