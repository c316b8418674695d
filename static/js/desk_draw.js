// Ships drawn from fleet to fleet: by a mouse as browsers draw things, by a finger that rests on a ship first. Fetched with the
// first touch of the desk.

import { phrase } from "./phrase.js";

const $ = (what) => document.querySelector(what);
const REST = 400; // milliseconds a finger rests on a ship before it is taken up: sooner than browsers show their menus
const STRAY = 10; // pixels it may stray meanwhile
const AFTER = 700; // milliseconds after it was put down in which some browsers would show a menu only then
const EDGE = 64;
const PACE = 9; // pixels from an edge where the list goes on under the finger, and how far each frame
const CONTROLS = "[name], a[href], button, label, summary"; // pressed, not held

/** Ships of the list can be drawn. `move`: of ships, to a fleet's key, or to a new fleet where that is empty. */
export function drawing({ sheet, says }, move) {
  const list = $("[data-list]");
  const drops = $("[data-drops]");
  const shipOf = (node) => {
    const item = node.closest?.("[data-ship]");
    const found = item && sheet.byShip.get(item.dataset.ship);
    if (found) {
      found.item = item;
    }
    return found;
  };
  const under = (node) => node?.closest?.("[data-onto], [data-fleet], [data-new-fleet]");
  let drawn = null;
  let over = null;

  /** A ship is in the hand: the fleets of its hex and a new one are in sight to put it down on. */
  function take(ship) {
    const { hex } = sheet.byKey.get(ship.home).dataset;
    drawn = ship;
    for (const fleet of sheet.fleets()) {
      if (fleet.hex !== hex || !fleet.ships.length || fleet.ships.includes(ship)) {
        continue;
      }
      drops.append(
        Object.assign(document.createElement("p"), {
          className: "drop-here",
          textContent: `→ ${fleet.name}`,
        }),
      );
      drops.lastChild.dataset.onto = fleet.key;
    }
    drops.hidden = false;
  }

  function mark(target) {
    over?.classList.remove("over");
    over = target;
    over?.classList.add("over");
  }

  function letGo() {
    mark((drawn = null));
    drops.hidden = true;
    for (const one of drops.querySelectorAll("[data-onto]")) {
      one.remove();
    }
  }

  /** It is put down: whether on something that takes it. */
  function put(target) {
    const ship = drawn;
    letGo();
    if (ship && target) {
      move([ship], target.dataset.onto ?? target.dataset.fleet ?? "");
    }
    return Boolean(target);
  }

  list.addEventListener("dragstart", (event) => {
    const ship = shipOf(event.target);
    if (!ship) {
      return;
    }
    event.dataTransfer.setData("text/plain", ship.name);
    event.dataTransfer.effectAllowed = "move";
    take(ship);
  });
  list.addEventListener("dragover", (event) => {
    if (drawn && under(event.target)) {
      event.preventDefault();
      mark(under(event.target));
    }
  });
  list.addEventListener("dragleave", () => mark(null));
  list.addEventListener("drop", (event) => {
    if (drawn && under(event.target)) {
      event.preventDefault();
      put(under(event.target));
    }
  });
  list.addEventListener("dragend", letGo);

  let ship = null;
  let finger = 0;
  let from = null;
  let resting = 0;
  let sign = null;
  let at = null;
  let quiet = 0;
  const held = () => Boolean(sign);

  function follow() {
    sign.style.left = `${at[0]}px`;
    sign.style.top = `${at[1]}px`;
    mark(under(document.elementFromPoint(...at)));
  }

  /** The list goes on under a finger at its edge. */
  function scroll() {
    if (!held()) {
      return;
    }
    const own = getComputedStyle(list).overflowY !== "visible";
    const box = own ? list.getBoundingClientRect() : { top: 0, bottom: innerHeight };
    const by = at[1] < box.top + EDGE ? -PACE : at[1] > box.bottom - EDGE ? PACE : 0;
    if (by) {
      (own ? list : window).scrollBy(0, by);
      follow();
    }
    requestAnimationFrame(scroll);
  }

  function up() {
    take(ship);
    list.setPointerCapture(finger); // lines change places under it, and a pen is not captured by itself
    sign = document.body.appendChild(
      Object.assign(document.createElement("p"), { className: "in-hand", textContent: ship.name }),
    );
    ship.item.classList.add("taken");
    says(phrase`${ship.name}: draw it to a fleet.`);
    follow();
    requestAnimationFrame(scroll);
  }

  function end(event) {
    if (!ship || (event.type === "pointerup" && event.pointerId !== finger)) {
      return;
    }
    clearTimeout(resting);
    ship.item.draggable = true;
    ship.item.classList.remove("taken");
    const was = held();
    const lies = event.type !== "pointerup" || strayed() <= STRAY; // what comes into sight may lie under a finger at rest
    const target =
      was && !lies ? under(document.elementFromPoint(event.clientX, event.clientY)) : null;
    sign?.remove();
    sign = ship = null;
    if (!was) {
      return;
    }
    quiet = performance.now() + AFTER;
    put(target);
  }

  const strayed = () => Math.hypot(at[0] - from[0], at[1] - from[1]);
  list.addEventListener("pointerdown", (event) => {
    if (ship) {
      return end(event);
    } // a second finger: neither is meant
    const touched =
      event.pointerType !== "mouse" &&
      event.isPrimary &&
      !event.target.closest(CONTROLS) &&
      shipOf(event.target);
    if (!touched || !sheet.has(touched.ids.to)) {
      return;
    }
    ship = touched;
    finger = event.pointerId;
    ship.item.draggable = false; // or the browser would draw it, and nothing could be scrolled to
    from = at = [event.clientX, event.clientY];
    resting = setTimeout(up, REST);
  });
  list.addEventListener("pointermove", (event) => {
    if (!ship || event.pointerId !== finger) {
      return;
    }
    at = [event.clientX, event.clientY];
    if (held()) {
      follow();
    } else if (strayed() > STRAY) {
      end(event);
    }
  });
  for (const what of ["pointerup", "pointercancel"]) {
    list.addEventListener(what, end);
  }
  list.addEventListener(
    "touchmove",
    (event) => {
      if (held()) {
        event.preventDefault();
      }
    },
    { passive: false },
  );
  list.addEventListener("contextmenu", (event) => {
    if (ship || performance.now() < quiet) {
      event.preventDefault();
    }
  });
}
