// The scenario editor's map: a click puts the hex into the field of a hex that is chosen; closed hexes come and go. While
// none is chosen, it opens the system that is there, or offers to add one.

import { hexAt } from "./hex.js";
import { phrase } from "./phrase.js";

const MARGIN = 4; // of the drawing
const box = document.querySelector(".map-picture");
const drawing = box?.querySelector("svg");
const said = box?.querySelector("[data-said]");
const add = box?.querySelector("[data-add]");
let chosen = null;

function say(words) {
  add.hidden = true;
  said.hidden = false;
  said.textContent = words;
}

function title(field) {
  const row = field
    .closest("details.piece")
    ?.querySelector("summary")
    .firstChild.textContent.trim();
  const name = document.querySelector(`label[for="${field.id}"]`).textContent;
  return row ? phrase`${row}: ${name}` : name;
}

function choose(field) {
  chosen?.classList.remove("from-map");
  chosen = field;
  chosen.classList.add("from-map");
  say(phrase`${title(field)}. Click the map, or type.`);
}

function free() {
  chosen?.classList.remove("from-map");
  chosen = null;
  say(
    phrase`Click a system to change it, or a hex to add one. To place something else, choose its hex field first.`,
  );
}

/** Open the system that is at a hex, or offer to add one. */
function open(hex) {
  const field = [...document.querySelectorAll('input[data-hex="hex"][name^="systems-"]')].find(
    (one) => one.value.trim() === hex,
  );
  if (!field) {
    say(phrase`${hex}: no system is here.`);
    add.value = `add:systems:${hex}`;
    add.textContent = phrase`Add a system at ${hex}`;
    add.hidden = false;
    return;
  }
  const row = field.closest("details");
  row.open = true;
  row.scrollIntoView({ block: "nearest" });
  row.querySelector("summary").focus({ preventScroll: true });
  say(phrase`${hex}: ${row.querySelector("summary").firstChild.textContent.trim()}.`);
}

function put(hex) {
  if (!chosen) {
    return open(hex);
  }
  if (chosen.dataset.hex === "hexes") {
    const had = chosen.value.split(/[\s,]+/).filter(Boolean);
    chosen.value = (
      had.includes(hex) ? had.filter((one) => one !== hex) : [...had, hex].sort()
    ).join(" ");
  } else {
    chosen.value = hex;
  }
  chosen.removeAttribute("aria-invalid");
  chosen.dispatchEvent(new Event("input", { bubbles: true }));
  say(phrase`${title(chosen)}: ${chosen.value || phrase`none`}. It counts when you save.`);
}

if (drawing) {
  document.addEventListener("focusin", (event) => {
    if (event.target.dataset?.hex) {
      choose(event.target);
    } else if (chosen && event.target.matches(".fields input, .fields select, .fields textarea")) {
      free();
    }
  });
  drawing.addEventListener("click", (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(
      drawing.getScreenCTM().inverse(),
    );
    const hex = hexAt(
      at.x - MARGIN,
      at.y - MARGIN,
      Number(box.dataset.columns),
      Number(box.dataset.rows),
    );
    if (hex) {
      put(hex);
    }
  });
  box.classList.add("ready");
  free();
}
