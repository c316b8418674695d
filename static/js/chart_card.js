// The list of what is in a hex, on the map beside it: asked for by `i` or the other button of the mouse, or where a hex is chosen.

import { esc } from "./chart_marks.js";
import { hexAt } from "./hex.js";
import { phrase } from "./phrase.js";

/** The hex that a key or a button of the mouse asks about. */
export function hexAsked(map, event) {
  if (event.type === "keydown") {
    return map.cursor ?? map.data.start;
  }
  const box = map.svg.getBoundingClientRect();
  return (
    event.target.closest("[data-hex]")?.dataset.hex ??
    hexAt(
      (event.clientX - box.left - map.x) / map.k,
      (event.clientY - box.top - map.y) / map.k,
      map.chart.columns,
      map.chart.rows,
    )
  );
}

/** The card of a map, in an empty box over it. `closed`: what is done when its reader closes it. */
export class Card {
  constructor(map, box, closed = () => {}) {
    Object.assign(this, { map, box });
    box.addEventListener("click", (event) => {
      if (event.target.closest("[data-close]")) {
        this.close();
        closed();
        map.host.focus({ preventScroll: true });
      }
    });
  }

  get open() {
    return !this.box.hidden;
  }
  close() {
    this.box.hidden = true;
  }

  /** Show it at a hex. `title` and `says` are text, `rows` HTML; `focus`: it was asked for by a key. */
  show(hex, { title, says, rows }, focus) {
    const { box, map } = this;
    const [x, y] = map.at(hex);
    const [w, h] = map.size();
    box.innerHTML = `<h2>${esc(title)}</h2><p>${esc(says || (rows.length ? "" : phrase`Nothing known of it.`))}</p><ul>${rows.map((row) => `<li>${row}</li>`).join("")}</ul><button class="x" type="button" data-close aria-label="${phrase`Close`}">✕</button>`;
    box.hidden = false;
    box.dataset.at = y > h / 2 ? "top" : "bottom"; // of a small screen, where it leaves the hex in sight
    const within = box.offsetParent.getBoundingClientRect();
    const seen = map.host.getBoundingClientRect();
    box.style.setProperty("--above", `${seen.top - within.top}px`);
    box.style.setProperty("--below", `${within.bottom - seen.bottom}px`);
    box.style.left = `${Math.max(8, Math.min(w - 296, x + 24))}px`;
    box.style.top = `${Math.max(60, Math.min(h - 240, y - 20))}px`;
    if (focus) {
      box.querySelector("a[href], button:enabled").focus();
    }
  }
}

/** A row for what is not chosen there. */
export const row = (name, words) =>
  `<span class="one">${esc(name)} <span class="kinds">${esc(words)}</span></span>`;

/** The card of a map to look at, one a page: `i` and the other button of the mouse ask for it, or a finger at rest; Escape closes it. What is returned shows it: (hex, typed). */
export function lists(map, box, about) {
  const { host } = map;
  const card = new Card(map, box);
  const ask = (hex, typed) => {
    if (!hex) {
      return;
    }
    for (const other of document.querySelectorAll("[data-card]")) {
      other.hidden = true;
    }
    map.cursor = hex;
    map.shade();
    card.show(hex, about(hex), typed);
  };
  map.list = (event) => ask(hexAsked(map, event));
  host.parentElement.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === "Escape" && card.open) {
      card.close();
      host.focus({ preventScroll: true });
    }
    if (event.key.toLowerCase() === "i" && event.target === host) {
      event.preventDefault();
      ask(hexAsked(map, event), true);
    }
  });
  return ask;
}
