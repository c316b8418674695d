// Requests for a place on the table: a field or button asks for one, and the next tap or the cursor
// answers. The reach is drawn and described as a hint; the server decides what is allowed. Loaded
// with the first request.

import { SIX_ARCS, rangeRing, wedgePath } from "./battle_arcs.js";
import { PLACE_FIELDS, announce, byId, isInput, labelOf, parsePlace } from "./battle_page.js";
import { matches, svg } from "./dom.js";
import { number, phrase } from "./phrase.js";

/** @import { Input } from "./battle_page.js" */
/** @import { Table } from "./battle_table.js" */

const TOLERANCE = 1e-6; // MU, for comparisons of computed distances

/** @type {Table | null} the table with the last request */
let requestingTable = null;
/** @type {Element | null} the element that was just filled; its focus starts no new request */
let justFilledElement = null;

/**
 * Round a distance to a tenth of an MU, as fields hold it.
 * @param {number} value
 */
export const roundToTenth = (value) => Math.round(value * 10) / 10;

/**
 * Write a place as fields hold it: "24.5 30".
 * @param {TablePoint} place
 */
export const formatPlace = (place) => place.map(roundToTenth).join(" ");

/**
 * Let the next tap on the table answer a request.
 * @param {Table} table
 * @param {PlaceRequest | null} request null cancels the open request
 * @param {boolean} [byKeys] whether a key started the request; then the cursor opens at once
 */
export function requestPlace(table, request, byKeys = false) {
  table.placeRequest = request && {
    ...request,
    answer: (id, at) => answerRequest(table, request, id, at),
  };
  requestingTable = table;
  drawReach(table);
  table.redraw?.();
  if (!request) {
    return;
  }
  if (byKeys) {
    table.pressKey("t");
  } else {
    announce(howToAnswer(request), true);
  }
}

/**
 * Return the hint for a request: it depends on the device and on what asks.
 * @param {PlaceRequest} request
 */
function howToAnswer(request) {
  if (matchMedia("(pointer: coarse)").matches) {
    return phrase`Tap the table to choose the place`;
  }
  return matches(request.element, "input")
    ? phrase`Click the table to choose the place, or press the down arrow for a cursor`
    : phrase`Click the table to choose the place, or press T for a cursor`;
}

/**
 * Answer a request with the mark or the place that was tapped.
 * @param {Table} table
 * @param {PlaceRequest} request
 * @param {string | undefined} id the mark that was tapped
 * @param {TablePoint} at
 */
function answerRequest(table, request, id, at) {
  const mark = id === undefined ? undefined : table.marks.get(id);
  /** @type {TablePoint} */
  const place = mark
    ? [roundToTenth(mark.x), roundToTenth(mark.y)]
    : [roundToTenth(at[0]), roundToTenth(at[1])];
  requestPlace(table, null);
  justFilledElement = request.element;
  setTimeout(() => {
    justFilledElement = null;
  });
  if (request.onPlace(place, id?.replace("*", ""))) {
    return;
  }
  const { refusal } = describePlace(request, place);
  if (refusal) {
    announce(phrase`${byId("say").textContent ?? ""}: ${refusal}`, true);
  }
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && requestingTable?.placeRequest) {
    requestPlace(requestingTable, null);
    announce(phrase`Cancelled`);
  }
});

/**
 * Draw the reach of the open request above everything else on the table.
 * @param {Table} table
 */
function drawReach(table) {
  table.reachLayer ??= table.world.appendChild(svg("g", { class: "bounds" }));
  if (!table.placeRequest?.reach) {
    table.reachLayer.replaceChildren();
    return;
  }
  const { from, reach, arcs = [], facing = 0 } = table.placeRequest;
  const [near, far] = reach;
  const isAllRound = arcs.length >= SIX_ARCS.length;
  const wedges = (isAllRound ? [] : arcs).map((arc) => {
    const middle = SIX_ARCS.indexOf(arc) * 60;
    const d = wedgePath(from, { facing, from: middle - 30, to: middle + 30, near, far });
    return svg("path", { class: "may", d });
  });
  const rings = reach.filter(Boolean).map((radius) => rangeRing(from, radius));
  table.reachLayer.replaceChildren(...wedges, ...rings);
}

/**
 * Describe a place as seen from a ship or group: distance, bearing by the clock, and why it is out
 * of reach.
 * @param {CursorOwner} owner
 * @param {TablePoint} place
 * @returns {{words: string, refusal: string}} `refusal`: empty if the place is in reach
 */
export function describePlace(owner, [x, y]) {
  const dx = x - owner.from[0];
  const dy = y - owner.from[1];
  const distance = Math.hypot(dx, dy);
  const hour = ((Math.atan2(dx, dy) * 6) / Math.PI + 12) % 12;
  const bearing = Number((hour < 0.05 ? 12 : hour).toFixed(1));
  const words =
    distance < 0.05
      ? phrase`${number(0, 1)} MU`
      : phrase`${number(distance, 1)} MU, bearing ${bearing}`;
  return { words, refusal: rangeRefusal(owner, distance, hour) };
}

/**
 * Return why a place is out of reach; "" if it is in reach.
 * @param {CursorOwner} owner
 * @param {number} distance MU
 * @param {number} hour the bearing of the place, 0 to 12
 */
function rangeRefusal({ reach, arcs, facing = 0 }, distance, hour) {
  if (!reach) {
    return "";
  }
  const [least, most] = reach;
  if (distance > most + TOLERANCE) {
    return phrase`out of range by ${number(Math.ceil((distance - most) * 10) / 10, 1)} MU`;
  }
  if (distance < least - TOLERANCE) {
    return phrase`too close: it flies at least ${least} MU`;
  }
  const degrees = ((((hour - facing) * 30) % 360) + 360) % 360;
  // A place on the line between two arcs is in both.
  /** @param {string} arc */
  const isIn = (arc) =>
    Math.abs(((degrees - SIX_ARCS.indexOf(arc) * 60 + 540) % 360) - 180) <= 30 + TOLERANCE;
  const isInArc = !arcs || distance < TOLERANCE || arcs.some(isIn);
  return isInArc ? "" : phrase`outside its arcs`;
}

/**
 * Let the fields of a form ask for places: the next tap fills the one in focus, and the down arrow
 * opens the cursor.
 * @param {Table} table
 * @param {HTMLFormElement} form
 * @param {(input: Input) => CursorOwner} ownerOf finds the ship or group to which a field belongs
 */
export function listenToPlaceFields(table, form, ownerOf = (input) => ownerByMark(table, input)) {
  form.addEventListener("focusin", ({ target: input }) => {
    if (!isInput(input) || input === table.placeRequest?.element || input === justFilledElement) {
      return;
    }
    requestPlace(table, input.matches(PLACE_FIELDS) ? requestOf(input, ownerOf(input)) : null);
  });
  form.addEventListener("keydown", (event) => {
    if (
      event.key === "ArrowDown" &&
      table.placeRequest &&
      event.target === table.placeRequest.element
    ) {
      event.preventDefault();
      table.pressKey("t");
    }
  });
}

/**
 * Return the request of a field.
 * @param {Input} input
 * @param {CursorOwner} owner
 * @returns {PlaceRequest}
 */
const requestOf = (input, owner) => ({
  element: input,
  currentPlace: parsePlace(input.value),
  onPlace: (at) => writePlace(input, at),
  ...owner,
});

/**
 * Write a place into a field, and announce it.
 * @param {Input} input
 * @param {TablePoint} place
 */
function writePlace(input, place) {
  input.value = formatPlace(place);
  input.dispatchEvent(new Event("change", { bubbles: true }));
  announce(phrase`${labelOf(input)}: ${input.value}`);
}

/**
 * Find the ship whose id is part of a field's name.
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
  return { name: "", from: table.ringCentre?.() ?? [0, 0] };
}
