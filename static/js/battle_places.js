// Places of the table that something asks for: the next touch of the table gives one, or the
// cursor. What it reaches is drawn, and said of any place; what is lawful the engine says. Fetched
// with the first that asks.

import { ring, wedge } from "./battle_arcs.js";
import { PLACE, byId, isInput, labelOf, placeIn, say } from "./battle_page.js";
import { matches, svg } from "./dom.js";
import { number, phrase } from "./phrase.js";

/** @import { Input } from "./battle_page.js" */
/** @import { Table } from "./battle_table.js" */

const ARCS = ["F", "FS", "AS", "A", "AP", "FP"];
const NEAR = 1e-6; // MU that do not count

/** @type {Table | null} the table of which a place is asked */
let asking = null;
/** @type {Element | null} what had its place just now, and asks for no other */
let answered = null;

/** @param {number} value */
const tenth = (value) => Math.round(value * 10) / 10;

/** @param {TablePoint} place */
export const written = (place) => place.map(tenth).join(" ");

/**
 * Give the next touch of the table to what asks for a place.
 * @param {Table} table
 * @param {PlaceRequest | null} request null: nothing asks any more
 * @param {boolean} [byKeys] whether it was asked for by keys
 */
export function ask(table, request, byKeys = false) {
  table.asked = request && { ...request, take: (id, at) => take(table, request, id, at) };
  asking = table;
  drawBounds(table);
  table.shown?.();
  if (!request) {
    return;
  }
  if (byKeys) {
    table.press("t");
  } else {
    say(howToAnswer(request), true);
  }
}

/** @param {PlaceRequest} request */
function howToAnswer(request) {
  if (matchMedia("(pointer: coarse)").matches) {
    return phrase`Click the table to choose the place`;
  }
  return matches(request.by, "input")
    ? phrase`Click the table to choose the place, or press the down arrow for a cursor`
    : phrase`Click the table to choose the place, or press T for a cursor`;
}

/**
 * Give a place to what asked for it.
 * @param {Table} table
 * @param {PlaceRequest} request
 * @param {string | undefined} id of the mark that was touched
 * @param {TablePoint} at
 */
function take(table, request, id, at) {
  const mark = id === undefined ? undefined : table.marks.get(id);
  /** @type {TablePoint} */
  const place = mark ? [tenth(mark.x), tenth(mark.y)] : [tenth(at[0]), tenth(at[1])];
  ask(table, null);
  answered = request.by;
  setTimeout(() => {
    answered = null;
  });
  if (request.put(place, id?.replace("*", ""))) {
    return;
  }
  const { refusal } = judge(request, place);
  if (refusal) {
    say(phrase`${byId("say").textContent ?? ""}: ${refusal}`, true);
  }
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && asking?.asked) {
    ask(asking, null);
    say(phrase`Cancelled`);
  }
});

/**
 * Draw what is reached, above all else of the world.
 * @param {Table} table
 */
function drawBounds(table) {
  table.bounds ??= table.world.appendChild(svg("g", { class: "bounds" }));
  if (!table.asked?.reach) {
    table.bounds.replaceChildren();
    return;
  }
  const { from, reach, arcs = [], turn = 0 } = table.asked;
  const isWhole = arcs.length >= ARCS.length;
  const wedges = (isWhole ? [] : arcs).map((arc) => {
    const middle = ARCS.indexOf(arc) * 60;
    const d = wedge(from, turn, middle - 30, middle + 30, reach[0], reach[1]);
    return svg("path", { class: "may", d });
  });
  const rings = reach.filter(Boolean).map((radius) => ring(from, radius));
  table.bounds.replaceChildren(...wedges, ...rings);
}

/**
 * Say how far a place is, on which bearing, as on a clock; and why it is out of reach, where it is.
 * @param {CursorOwner} owner
 * @param {TablePoint} place
 * @returns {{words: string, refusal: string}}
 */
export function judge(owner, [x, y]) {
  const dx = x - owner.from[0];
  const dy = y - owner.from[1];
  const away = Math.hypot(dx, dy);
  const hour = ((Math.atan2(dx, dy) * 6) / Math.PI + 12) % 12;
  const bearing = Number((hour < 0.05 ? 12 : hour).toFixed(1));
  const words =
    away < 0.05 ? phrase`${number(0, 1)} MU` : phrase`${number(away, 1)} MU, bearing ${bearing}`;
  return { words, refusal: refusalOf(owner, away, hour) };
}

/**
 * @param {CursorOwner} owner
 * @param {number} away MU
 * @param {number} hour
 */
function refusalOf({ reach, arcs, turn = 0 }, away, hour) {
  if (!reach) {
    return "";
  }
  const [least, most] = reach;
  if (away > most + NEAR) {
    return phrase`out of range by ${number(Math.ceil((away - most) * 10) / 10, 1)} MU`;
  }
  if (away < least - NEAR) {
    return phrase`too close: it flies at least ${least} MU`;
  }
  const degrees = ((((hour - turn) * 30) % 360) + 360) % 360;
  // On the line between two arcs a place is in both.
  /** @param {string} arc */
  const isIn = (arc) =>
    Math.abs(((degrees - ARCS.indexOf(arc) * 60 + 540) % 360) - 180) <= 30 + NEAR;
  return !arcs || away < NEAR || arcs.some(isIn) ? "" : phrase`outside its arcs`;
}

/**
 * Let fields of a form ask for places: the next touch goes to the one in focus, arrow down begins
 * the cursor.
 * @param {Table} table
 * @param {HTMLFormElement} form
 * @param {(input: Input) => CursorOwner} ownerOf says whose a field is
 */
export function fields(table, form, ownerOf = (input) => ownerByMark(table, input)) {
  form.addEventListener("focusin", ({ target: input }) => {
    if (!isInput(input) || input === table.asked?.by || input === answered) {
      return;
    }
    ask(table, input.matches(PLACE) ? requestOf(input, ownerOf(input)) : null);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && table.asked && event.target === table.asked.by) {
      event.preventDefault();
      table.press("t");
    }
  });
}

/**
 * @param {Input} input
 * @param {CursorOwner} owner
 * @returns {PlaceRequest}
 */
const requestOf = (input, owner) => ({
  by: input,
  value: placeIn(input.value),
  put: (at) => write(input, at),
  ...owner,
});

/**
 * @param {Input} input
 * @param {TablePoint} place
 */
function write(input, place) {
  input.value = written(place);
  input.dispatchEvent(new Event("change", { bubbles: true }));
  say(phrase`${labelOf(input)}: ${input.value}`);
}

/**
 * Find the ship that a field's name holds.
 * @param {Table} table
 * @param {Input} input
 * @returns {CursorOwner}
 */
function ownerByMark(table, { name }) {
  const ids = [...table.marks.keys()].filter((id) => `${name}-`.includes(`-${id}-`));
  const [longest] = ids.sort((a, b) => b.length - a.length);
  const mark = table.marks.get(longest);
  if (mark) {
    return { name: mark.name, from: [mark.x, mark.y] };
  }
  return { name: "", from: table.centred?.() ?? [0, 0] };
}
