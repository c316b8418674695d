// Ships dragged from fleet to fleet: by a mouse as browsers drag things, by a finger that rests on
// a ship first. Fetched with the first touch of the orders page.

import { closest, html, need } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { OrderSheet } from "./orders_sheet.js" */

// Milliseconds a finger rests on a ship before it is taken up: sooner than browsers show their
// menus.
const REST = 400;
const STRAY = 10; // pixels it may stray meanwhile
// Milliseconds after it was put down in which some browsers would show a menu only then.
const AFTER = 700;
const EDGE = 64; // pixels from an edge where the list scrolls under the finger
const PACE = 9; // pixels that it scrolls in each frame
const CONTROLS = "[name], a[href], button, label, summary"; // pressed, not held
const TARGETS = "[data-onto], [data-fleet], [data-new-fleet]";

/** A ship that a finger is on, and may take up. */
class Touch {
  /** @type {HTMLElement | null} the ship's name under the finger, once it is taken up */
  sign = null;
  /** @type {Point} */
  at;

  /**
   * @param {OrderShip} ship
   * @param {HTMLElement} item of the list
   * @param {PointerEvent} event
   */
  constructor(ship, item, event) {
    this.ship = ship;
    this.item = item;
    this.pointer = event.pointerId;
    /** @type {Point} */
    this.start = [event.clientX, event.clientY];
    this.at = this.start;
  }

  /** Return how many pixels it has strayed. */
  get strayed() {
    return Math.hypot(this.at[0] - this.start[0], this.at[1] - this.start[1]);
  }
}

/** What is dragged over the list of fleets, and onto which of them. */
class Drag {
  /** @type {OrderShip | null} */
  ship = null;
  /** @type {HTMLElement | null} */
  target = null;

  /**
   * @param {OrderSheet} sheet
   * @param {(ships: OrderShip[], key: string) => void} move
   */
  constructor(sheet, move) {
    this.sheet = sheet;
    this.move = move;
    this.drops = need(document, "[data-drops]", HTMLElement);
  }

  /**
   * Take a ship up: the fleets of its hex and a new one come into sight to put it down on.
   * @param {OrderShip} ship
   */
  take(ship) {
    this.ship = ship;
    const hex = this.sheet.byKey.get(ship.home)?.dataset.hex;
    for (const fleet of this.sheet.fleets()) {
      if (fleet.hex === hex && fleet.ships.length && !fleet.ships.includes(ship)) {
        const drop = html("p", { className: "drop-here" }, `→ ${fleet.name}`);
        drop.dataset.onto = fleet.key;
        this.drops.append(drop);
      }
    }
    this.drops.hidden = false;
  }

  /** @param {HTMLElement | null} target */
  mark(target) {
    this.target?.classList.remove("over");
    this.target = target;
    this.target?.classList.add("over");
  }

  letGo() {
    this.mark(null);
    this.ship = null;
    this.drops.hidden = true;
    for (const drop of this.drops.querySelectorAll("[data-onto]")) {
      drop.remove();
    }
  }

  /** @param {HTMLElement | null} target onto which the ship is put, if any */
  put(target) {
    const { ship } = this;
    this.letGo();
    if (ship && target) {
      this.move([ship], target.dataset.onto ?? target.dataset.fleet ?? "");
    }
  }
}

/** @param {EventTarget | null} target */
const targetUnder = (target) => closest(target, TARGETS, HTMLElement);

/**
 * Let ships of the list be dragged.
 * @param {OrderSheet} sheet
 * @param {(words: string) => void} says
 * @param {(ships: OrderShip[], key: string) => void} move ships to a fleet, or to a new one where
 *   the
 *   key is empty
 */
export function enableDragging(sheet, says, move) {
  const list = need(document, "[data-list]", HTMLElement);
  const drag = new Drag(sheet, move);
  listenToMouse(list, sheet, drag);
  listenToFingers(list, sheet, drag, says);
}

/**
 * @param {HTMLElement} list
 * @param {OrderSheet} sheet
 * @param {Drag} drag
 */
function listenToMouse(list, sheet, drag) {
  list.addEventListener("dragstart", (event) => {
    const item = closest(event.target, "[data-ship]", HTMLElement);
    const ship = item && sheet.byShip.get(item.dataset.ship ?? "");
    if (!ship || !event.dataTransfer) {
      return;
    }
    event.dataTransfer.setData("text/plain", ship.name);
    event.dataTransfer.effectAllowed = "move";
    drag.take(ship);
  });
  list.addEventListener("dragover", (event) => {
    const target = targetUnder(event.target);
    if (drag.ship && target) {
      event.preventDefault();
      drag.mark(target);
    }
  });
  list.addEventListener("dragleave", () => drag.mark(null));
  list.addEventListener("drop", (event) => {
    const target = targetUnder(event.target);
    if (drag.ship && target) {
      event.preventDefault();
      drag.put(target);
    }
  });
  list.addEventListener("dragend", () => drag.letGo());
}

/**
 * @param {HTMLElement} list
 * @param {OrderSheet} sheet
 * @param {Drag} drag
 * @param {(words: string) => void} says
 */
function listenToFingers(list, sheet, drag, says) {
  /** @type {Touch | null} */
  let touch = null;
  /** @type {number | undefined} */
  let timer;
  let quietUntil = 0; // the time until which no menu may come

  /** @param {Touch} current */
  function follow(current) {
    const [x, y] = current.at;
    if (current.sign) {
      current.sign.style.left = `${x}px`;
      current.sign.style.top = `${y}px`;
    }
    drag.mark(targetUnder(document.elementFromPoint(x, y)));
  }

  /** Scroll the list under a finger at its edge. */
  function scroll() {
    if (!touch?.sign) {
      return;
    }
    const scrolls = getComputedStyle(list).overflowY !== "visible";
    const box = scrolls ? list.getBoundingClientRect() : { top: 0, bottom: innerHeight };
    const [, y] = touch.at;
    let by = 0;
    if (y < box.top + EDGE) {
      by = -PACE;
    } else if (y > box.bottom - EDGE) {
      by = PACE;
    }
    if (by) {
      (scrolls ? list : window).scrollBy(0, by);
      follow(touch);
    }
    requestAnimationFrame(scroll);
  }

  /** @param {Touch} current */
  function takeUp(current) {
    drag.take(current.ship);
    // Lines change places under it, and a pen is not captured by itself.
    list.setPointerCapture(current.pointer);
    current.sign = html("p", { className: "in-hand" }, current.ship.name);
    document.body.append(current.sign);
    current.item.classList.add("taken");
    says(phrase`${current.ship.name}: drag it onto a fleet.`);
    follow(current);
    requestAnimationFrame(scroll);
  }

  /** @param {PointerEvent} event */
  function end(event) {
    const current = touch;
    const isLift = event.type === "pointerup";
    if (!current || (isLift && event.pointerId !== current.pointer)) {
      return;
    }
    clearTimeout(timer);
    current.item.draggable = true;
    current.item.classList.remove("taken");
    touch = null;
    if (!current.sign) {
      return;
    }
    // What came into sight may lie under a finger that was at rest: then nothing is put down.
    const isPutDown = isLift && current.strayed > STRAY;
    const under = isPutDown ? document.elementFromPoint(event.clientX, event.clientY) : null;
    const target = targetUnder(under);
    current.sign.remove();
    quietUntil = performance.now() + AFTER;
    drag.put(target);
  }

  /**
   * @param {PointerEvent} event
   * @returns {Touch | null} where a finger is on a ship that can be sent
   */
  function touchOf(event) {
    const isFinger = event.pointerType !== "mouse" && event.isPrimary;
    const item = closest(event.target, "[data-ship]", HTMLElement);
    const ship = item && sheet.byShip.get(item.dataset.ship ?? "");
    if (!isFinger || !ship || closest(event.target, CONTROLS, Element)) {
      return null;
    }
    return sheet.has(ship.ids.to) ? new Touch(ship, item, event) : null;
  }

  list.addEventListener("pointerdown", (event) => {
    if (touch) {
      end(event); // A second finger: neither is meant.
      return;
    }
    const begun = touchOf(event);
    if (!begun) {
      return;
    }
    touch = begun;
    begun.item.draggable = false; // Or the browser would drag it, and nothing could be scrolled to.
    timer = window.setTimeout(() => takeUp(begun), REST);
  });
  list.addEventListener("pointermove", (event) => {
    if (!touch || event.pointerId !== touch.pointer) {
      return;
    }
    touch.at = [event.clientX, event.clientY];
    if (touch.sign) {
      follow(touch);
    } else if (touch.strayed > STRAY) {
      end(event);
    }
  });
  list.addEventListener("pointerup", end);
  list.addEventListener("pointercancel", end);
  list.addEventListener(
    "touchmove",
    (event) => {
      if (touch?.sign) {
        event.preventDefault();
      }
    },
    { passive: false },
  );
  list.addEventListener("contextmenu", (event) => {
    if (touch || performance.now() < quietUntil) {
      event.preventDefault();
    }
  });
}
