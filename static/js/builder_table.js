// The table of the battle builder as a picture. Its pieces are the terrain rows of the form: a
// click, a drag or the arrow keys write a place into the fields of a row.

import { find, findAll, need, svg } from "./dom.js";
import { phrase } from "./phrase.js";

const ROW = "[id^='battle-terrain-'].piece";
const DEFAULT_TABLE = [72, 48]; // MU
const LARGEST_TABLE = 1000; // MU
const DEFAULT_RADIUS = 2; // MU, if the form has none
const GRID = 6; // MU between two lines, and a step with Shift

const form = need(document, "#battle", HTMLFormElement);
const card = need(form, "[data-table]", HTMLElement);
const picture = need(card, "svg", SVGSVGElement);
/** @type {HTMLElement | null} the row whose piece is dragged */
let dragged = null;

card.hidden = false;
draw();
form.addEventListener("input", draw);
picture.addEventListener("pointerdown", (event) => {
  const piece = event.target instanceof Element ? event.target.closest("[data-row]") : null;
  dragged = piece
    ? document.getElementById(piece.getAttribute("data-row") ?? "")
    : rowWithoutPlace();
  if (dragged) {
    event.preventDefault();
    picture.setPointerCapture(event.pointerId);
    place(dragged, pointOf(event));
  }
});
picture.addEventListener("pointermove", (event) => {
  if (dragged) {
    place(dragged, pointOf(event));
  }
});
for (const name of ["pointerup", "pointercancel"]) {
  picture.addEventListener(name, () => {
    dragged = null;
  });
}
picture.addEventListener("keydown", moveByKey);

/** Draw the table, its grid and the pieces that have a place. */
function draw() {
  const [width, height] = tableSize();
  const focused = document.activeElement?.getAttribute("data-row");
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.replaceChildren(grid(width, height));
  for (const row of rows()) {
    const at = placeOf(row);
    if (at) {
      picture.append(pieceOf(row, at, height));
    }
  }
  if (focused) {
    find(picture, `[data-row="${focused}"]`, SVGElement)?.focus();
  }
}

/** Return the width and depth of the table in MU. */
function tableSize() {
  const text = need(form, "[name$='battle.table']", HTMLInputElement).value;
  const numbers = text.split(/[\s,]+/).map(Number);
  const isUsable = (/** @type {number} */ size) => size >= 1 && size <= LARGEST_TABLE;
  return numbers.length === 2 && numbers.every(isUsable) ? numbers : DEFAULT_TABLE;
}

/** Return the rows of terrain. */
function rows() {
  return findAll(form, ROW, HTMLElement);
}

/** Return the first row without a place, or null. */
function rowWithoutPlace() {
  return rows().find((row) => !placeOf(row)) ?? null;
}

/**
 * Return the two fields of a row's place.
 * @param {HTMLElement} row
 */
function placeFields(row) {
  return findAll(row, "[name$='-at']", HTMLInputElement);
}

/**
 * Return the place of a row in MU, or null if it has none.
 * @param {HTMLElement} row
 */
function placeOf(row) {
  const texts = placeFields(row).map((field) => field.value.trim());
  const numbers = texts.map(Number);
  const isPlace = texts.length === 2 && !texts.includes("") && numbers.every(Number.isFinite);
  return isPlace ? numbers : null;
}

/**
 * Write a place into the fields of a row, on the table and in whole MU.
 * @param {HTMLElement} row
 * @param {number[]} at
 */
function place(row, at) {
  const size = tableSize();
  placeFields(row).forEach((field, index) => {
    field.value = String(Math.round(Math.min(Math.max(at[index], 0), size[index])));
  });
  placeFields(row)[0]?.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Return where the pointer is on the table, in MU from the lower left corner.
 * @param {PointerEvent} event
 */
function pointOf(event) {
  const onTable = picture.getScreenCTM()?.inverse();
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(onTable);
  return [point.x, tableSize()[1] - point.y];
}

/**
 * Move the focused piece by an arrow key.
 * @param {KeyboardEvent} event
 */
function moveByKey(event) {
  /** @type {Record<string, number[]>} */
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const step = steps[event.key];
  const piece = event.target instanceof Element ? event.target.getAttribute("data-row") : null;
  const row = piece ? document.getElementById(piece) : null;
  const at = row ? placeOf(row) : null;
  if (step && row && at) {
    event.preventDefault();
    const length = event.shiftKey ? GRID : 1;
    place(row, [at[0] + step[0] * length, at[1] + step[1] * length]);
  }
}

/**
 * Return the lines of the grid.
 * @param {number} width
 * @param {number} height
 */
function grid(width, height) {
  const parts = [];
  for (let x = GRID; x < width; x += GRID) {
    parts.push(`M${x} 0V${height}`);
  }
  for (let y = GRID; y < height; y += GRID) {
    parts.push(`M0 ${height - y}H${width}`);
  }
  return svg("path", { class: "grid", d: parts.join("") });
}

/**
 * Return the piece of a row.
 * @param {HTMLElement} row
 * @param {number[]} at
 * @param {number} height of the table
 */
function pieceOf(row, at, height) {
  const kind = need(row, "select[name$='-kind']", HTMLSelectElement);
  const radius = Number(need(row, "[name$='-radius']", HTMLInputElement).value);
  const title = kind.selectedOptions[0]?.text ?? "";
  return svg("circle", {
    cx: at[0],
    cy: height - at[1],
    r: radius > 0 ? radius : DEFAULT_RADIUS,
    class: `body ${kind.value}`,
    "data-row": row.id,
    tabindex: "0",
    role: "img",
    "aria-label": phrase`${title} at ${at[0]}, ${at[1]}`,
  });
}
