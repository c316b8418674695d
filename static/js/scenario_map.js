// The scenario editor's map: a click puts the hex into the field of a hex that was last chosen; closed hexes come and go.

import { hexAt } from "./hex.js";
import { phrase } from "./phrase.js";

const MARGIN = 4; // of the drawing
const box = document.querySelector(".map-picture"), drawing = box?.querySelector("svg"), said = box?.querySelector("[data-said]");
let chosen = null;

function say(words) {
  said.hidden = false;
  said.textContent = words;
}

function title(field) {
  const row = field.closest("details.piece")?.querySelector("summary").firstChild.textContent.trim();
  const name = document.querySelector(`label[for="${field.id}"]`).textContent;
  return row ? phrase`${row}: ${name}` : name;
}

function choose(field) {
  chosen?.classList.remove("from-map");
  chosen = field;
  chosen.classList.add("from-map");
  box.classList.add("ready");
  say(phrase`${title(field)}. Click the map, or type.`);
}

function put(hex) {
  if (!chosen) return say(phrase`${hex}. First choose the field that it is for.`);
  if (chosen.dataset.hex === "hexes") {
    const had = chosen.value.split(/[\s,]+/).filter(Boolean);
    chosen.value = (had.includes(hex) ? had.filter((one) => one !== hex) : [...had, hex].sort()).join(" ");
  } else {
    chosen.value = hex;
  }
  chosen.removeAttribute("aria-invalid");
  say(phrase`${title(chosen)}: ${chosen.value || phrase`none`}. It counts when you save.`);
}

if (drawing) {
  document.addEventListener("focusin", (event) => event.target.dataset?.hex && choose(event.target));
  drawing.addEventListener("click", (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    const hex = hexAt(at.x - MARGIN, at.y - MARGIN, Number(box.dataset.columns), Number(box.dataset.rows));
    if (hex) put(hex);
  });
  say(phrase`To place something, choose its hex field and click the map.`);
}
