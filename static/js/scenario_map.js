// The scenario editor's map: a click puts the hex into the hex field that is chosen; closed hexes
// come and go. While no field is chosen, it opens the system that is there, or offers to add one.

import { find, findAll, need } from "./dom.js";
import { hexAt } from "./hex.js";
import { phrase } from "./phrase.js";

const MARGIN = 4; // of the drawing

const box = find(document, ".map-picture", HTMLElement);
const drawing = box && find(box, "svg", SVGSVGElement);
if (box && drawing) {
  begin(box, drawing);
}

/**
 * @param {HTMLElement} box
 * @param {SVGSVGElement} drawing
 */
function begin(box, drawing) {
  const status = need(box, "[data-said]", HTMLElement);
  const add = need(box, "[data-add]", HTMLButtonElement);
  /** @type {HTMLInputElement | null} */
  let chosen = null;

  /** @param {string} words */
  function say(words) {
    add.hidden = true;
    status.hidden = false;
    status.textContent = words;
  }

  /** @param {HTMLInputElement} field */
  function choose(field) {
    chosen?.classList.remove("from-map");
    chosen = field;
    chosen.classList.add("from-map");
    say(phrase`${titleOf(field)}. Click the map, or type.`);
  }

  function free() {
    chosen?.classList.remove("from-map");
    chosen = null;
    say(
      phrase`Click a system to change it, or a hex to add one. To place something else, choose its hex field first.`,
    );
  }

  /**
   * Open the system that is at a hex, or offer to add one.
   * @param {string} hex
   */
  function open(hex) {
    const fields = findAll(document, 'input[data-hex="hex"][name^="systems-"]', HTMLInputElement);
    const row = fields.find((field) => field.value.trim() === hex)?.closest("details");
    if (!row) {
      say(phrase`${hex}: there is no system here.`);
      add.value = `add:systems:${hex}`;
      add.textContent = phrase`Add a system at ${hex}`;
      add.hidden = false;
      return;
    }
    row.open = true;
    row.scrollIntoView({ block: "nearest" });
    need(row, "summary", HTMLElement).focus({ preventScroll: true });
    say(phrase`${hex}: ${nameOfRow(row)}.`);
  }

  /** @param {string} hex */
  function put(hex) {
    if (!chosen) {
      open(hex);
      return;
    }
    chosen.value = chosen.dataset.hex === "hexes" ? toggled(chosen.value, hex) : hex;
    chosen.removeAttribute("aria-invalid");
    chosen.dispatchEvent(new Event("input", { bubbles: true }));
    say(phrase`${titleOf(chosen)}: ${chosen.value || phrase`none`}. Save to apply it.`);
  }

  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLInputElement && target.dataset.hex) {
      choose(target);
    } else if (
      chosen &&
      target instanceof Element &&
      target.matches(".fields :is(input, select, textarea)")
    ) {
      free();
    }
  });
  drawing.addEventListener("click", (event) => {
    const matrix = drawing.getScreenCTM()?.inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    const { columns, rows } = box.dataset;
    const hex = hexAt(point.x - MARGIN, point.y - MARGIN, Number(columns), Number(rows));
    if (hex) {
      put(hex);
    }
  });
  box.classList.add("ready");
  free();
}

/** @param {Element} row */
const nameOfRow = (row) => row.querySelector("summary")?.firstChild?.textContent?.trim() ?? "";

/** @param {HTMLInputElement} field */
function titleOf(field) {
  const row = field.closest("details.piece");
  const name = need(document, `label[for="${field.id}"]`, HTMLLabelElement).textContent ?? "";
  return row ? phrase`${nameOfRow(row)}: ${name}` : name;
}

/**
 * @param {string} list of hexes
 * @param {string} hex
 * @returns {string} the list with the hex, or without it where it was there
 */
function toggled(list, hex) {
  const hexes = list.split(/[\s,]+/).filter(Boolean);
  const changed = hexes.includes(hex)
    ? hexes.filter((other) => other !== hex)
    : [...hexes, hex].sort();
  return changed.join(" ");
}
