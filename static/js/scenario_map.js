// The map of the scenario editor. A click fills in the hex field that was last focused; in a list
// of hexes it adds or removes the hex. If another field was focused last, a click opens the system
// in the hex or offers to add one.

import { closest, find, findAll, matches, need } from "./dom.js";
import { CORNERS, centre, hexAt } from "./hex.js";
import { phrase } from "./phrase.js";

const MARGIN = 4; // around the map, in units of the drawing
const SVG = "http://www.w3.org/2000/svg";
const HEX_SIZE = 24; // pixels: hexes of this width are large enough to touch
const HEX_UNITS = 48; // the width of a hex in units of the drawing
const ZOOM_STEP = 1.5;
const MAX_ZOOM = 8;

const box = find(document, ".map-picture", HTMLElement);
const drawing = box && find(box, "svg", SVGSVGElement);
if (box && drawing) {
  enableMap(box, drawing);
}

/**
 * Let clicks on the map choose hexes.
 * @param {HTMLElement} box the map with its status line and button
 * @param {SVGSVGElement} drawing
 */
function enableMap(box, drawing) {
  const status = need(box, "[data-status]", HTMLElement);
  const addButton = need(box, "[data-add]", HTMLButtonElement);
  const mark = document.createElementNS(SVG, "polygon");
  mark.classList.add("clicked-hex");
  /** @type {HTMLInputElement | null} the hex field that clicks fill in */
  let chosenField = null;

  /** @param {string} words */
  function showStatus(words) {
    addButton.hidden = true;
    status.hidden = false;
    status.textContent = words;
  }

  /**
   * Let clicks fill in this field, and mark it.
   * @param {HTMLInputElement} field
   */
  function chooseField(field) {
    chosenField?.classList.remove("from-map");
    chosenField = field;
    chosenField.classList.add("from-map");
    const isTouched = matchMedia("(pointer: coarse)").matches;
    showStatus(
      isTouched
        ? phrase`${fieldTitle(field)}. Tap the map, or type.`
        : phrase`${fieldTitle(field)}. Click the map, or type.`,
    );
  }

  /** Let clicks open or add systems. */
  function chooseNone() {
    chosenField?.classList.remove("from-map");
    chosenField = null;
    showStatus(
      phrase`Click a system to change it, or a hex to add one. To place something else, choose its hex field first.`,
    );
  }

  /**
   * Open the form row of the system in a hex, or offer to add one.
   * @param {string} hex
   */
  function openSystem(hex) {
    const fields = findAll(document, 'input[data-hex="hex"][name^="systems-"]', HTMLInputElement);
    const row = fields.find((field) => field.value.trim() === hex)?.closest("details");
    if (!row) {
      showStatus(phrase`${hex}: there is no system here.`);
      addButton.value = `add:systems:${hex}`;
      addButton.textContent = phrase`Add a system at ${hex}`;
      addButton.hidden = false;
      return;
    }
    row.open = true;
    row.scrollIntoView({ block: "nearest" });
    need(row, "summary", HTMLElement).focus({ preventScroll: true });
    showStatus(phrase`${hex}: ${rowTitle(row)}.`);
  }

  /**
   * Fill a clicked hex into the chosen field, or open its system if there is none.
   * @param {string} hex
   */
  function useHex(hex) {
    if (!chosenField) {
      openSystem(hex);
      return;
    }
    const isList = chosenField.dataset.hex === "hexes";
    chosenField.value = isList ? toggleHex(chosenField.value, hex) : hex;
    chosenField.removeAttribute("aria-invalid");
    chosenField.dispatchEvent(new Event("input", { bubbles: true }));
    showStatus(
      phrase`${fieldTitle(chosenField)}: ${chosenField.value || phrase`none`}. Save to apply it.`,
    );
  }

  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLInputElement && target.dataset.hex) {
      chooseField(target);
    } else if (chosenField && matches(target, ".fields :is(input, select, textarea)")) {
      chooseNone();
    }
  });
  drawing.addEventListener("click", (event) => {
    const matrix = drawing.getScreenCTM()?.inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    const { columns, rows } = box.dataset;
    const hex = hexAt(point.x - MARGIN, point.y - MARGIN, Number(columns), Number(rows));
    if (hex) {
      markHex(mark, hex);
      drawing.append(mark);
      useHex(hex);
    }
  });
  enableZoom(box, drawing);
  box.classList.add("ready");
  chooseNone();
}

/**
 * Move the outline of the clicked hex.
 * @param {SVGPolygonElement} mark
 * @param {string} hex
 */
function markHex(mark, hex) {
  const [x, y] = centre(hex);
  const corners = CORNERS.map(([dx, dy]) => `${x + dx + MARGIN},${y + dy + MARGIN}`);
  mark.setAttribute("points", corners.join(" "));
}

/**
 * Let buttons zoom the map, which scrolls in its box. It begins large enough for fingers on a
 * touch screen, else as a whole.
 * @param {HTMLElement} box
 * @param {SVGSVGElement} drawing
 */
function enableZoom(box, drawing) {
  const scroller = need(box, "[data-map-scroll]", HTMLElement);
  const buttons = need(box, "[data-zooms]", HTMLElement);
  let zoom = 1;

  /** @param {number} wanted */
  function zoomTo(wanted) {
    const before = zoom;
    zoom = Math.min(Math.max(wanted, 1), MAX_ZOOM);
    const middleX = scroller.scrollLeft + scroller.clientWidth / 2;
    const middleY = scroller.scrollTop + scroller.clientHeight / 2;
    drawing.style.maxWidth = zoom === 1 ? "" : "none";
    drawing.style.width = zoom === 1 ? "" : `${zoom * 100}%`;
    scroller.scrollLeft = (middleX * zoom) / before - scroller.clientWidth / 2;
    scroller.scrollTop = (middleY * zoom) / before - scroller.clientHeight / 2;
  }

  buttons.hidden = false;
  buttons.addEventListener("click", ({ target }) => {
    const name = closest(target, "[data-zoom]", HTMLElement)?.dataset.zoom;
    if (name) {
      zoomTo(name === "in" ? zoom * ZOOM_STEP : zoom / ZOOM_STEP);
    }
  });
  if (matchMedia("(pointer: coarse)").matches) {
    const scale = drawing.getScreenCTM()?.a ?? 1;
    zoomTo(HEX_SIZE / (HEX_UNITS * scale));
  }
}

/**
 * Return the title of a form row, such as the name of its system.
 * @param {Element} row
 */
const rowTitle = (row) => row.querySelector("summary")?.firstChild?.textContent?.trim() ?? "";

/**
 * Return the label of a field, after the title of its row.
 * @param {HTMLInputElement} field
 */
function fieldTitle(field) {
  const row = field.closest("details.piece");
  const name = need(document, `label[for="${field.id}"]`, HTMLLabelElement).textContent ?? "";
  return row ? phrase`${rowTitle(row)}: ${name}` : name;
}

/**
 * Add a hex to a list, or remove it if the list has it.
 * @param {string} list hexes with spaces or commas between them
 * @param {string} hex
 * @returns {string}
 */
function toggleHex(list, hex) {
  const hexes = list.split(/[\s,]+/).filter(Boolean);
  const changed = hexes.includes(hex)
    ? hexes.filter((other) => other !== hex)
    : [...hexes, hex].sort();
  return changed.join(" ");
}
