// Lets players drag ships from fleet to fleet: with the mouse by the browser's own drag and drop,
// with a finger after a long press. Loaded on the first touch of the orders page.

import { closest, html, need } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { OrderSheet } from "./orders_sheet.js" */

// Milliseconds of a long press, shorter than those after which browsers open a menu.
const LONG_PRESS = 400;
const MAX_MOVE = 10; // pixels that the finger can move during a long press
// Milliseconds after a drop in which no menu is shown; some browsers open theirs only then.
const NO_MENU_AFTER = 700;
const EDGE = 64; // pixels from the top and bottom of the list where it scrolls during a drag
const SCROLL_STEP = 9; // pixels that the list scrolls in each frame
const CONTROLS = "[name], a[href], button, label, summary"; // a press on these starts no drag
// Where a ship can be dropped.
const TARGETS = "[data-onto], [data-fleet], [data-new-fleet]";

/** A finger on a ship, which becomes a drag after a long press. */
class Touch {
  /** @type {HTMLElement | null} the ship's name below the finger during the drag */
  nameTag = null;
  /** @type {Point} */
  position;

  /**
   * @param {OrderShip} ship
   * @param {HTMLElement} item the ship's item in the list
   * @param {PointerEvent} event
   */
  constructor(ship, item, event) {
    this.ship = ship;
    this.item = item;
    this.pointerId = event.pointerId;
    /** @type {Point} */
    this.start = [event.clientX, event.clientY];
    this.position = this.start;
  }

  /** The pixels that the finger has moved. */
  get distance() {
    return Math.hypot(this.position[0] - this.start[0], this.position[1] - this.start[1]);
  }
}

/** The ship being dragged, and the fleet under it. */
class Drag {
  /** @type {OrderShip | null} */
  ship = null;
  /** @type {HTMLElement | null} */
  target = null;

  /**
   * @param {OrderSheet} sheet
   * @param {(ships: OrderShip[], key: string) => void} move called with the ships and the fleet's
   *   key
   */
  constructor(sheet, move) {
    this.sheet = sheet;
    this.move = move;
    this.dropBox = need(document, "[data-drops]", HTMLElement);
  }

  /**
   * Start to drag a ship: show the other fleets in its hex, and a new one, as targets.
   * @param {OrderShip} ship
   */
  pickUp(ship) {
    this.ship = ship;
    const hex = this.sheet.byKey.get(ship.home)?.dataset.hex;
    for (const fleet of this.sheet.fleets()) {
      if (fleet.hex === hex && fleet.ships.length && !fleet.ships.includes(ship)) {
        const drop = html("p", { className: "drop-here" }, `→ ${fleet.name}`);
        drop.dataset.onto = fleet.key;
        this.dropBox.append(drop);
      }
    }
    this.dropBox.hidden = false;
  }

  /**
   * Highlight the target under the ship.
   * @param {HTMLElement | null} target
   */
  highlight(target) {
    this.target?.classList.remove("over");
    this.target = target;
    this.target?.classList.add("over");
  }

  /** End the drag. */
  reset() {
    this.highlight(null);
    this.ship = null;
    this.dropBox.hidden = true;
    for (const drop of this.dropBox.querySelectorAll("[data-onto]")) {
      drop.remove();
    }
  }

  /**
   * Drop the ship.
   * @param {HTMLElement | null} target the fleet to drop it on, if any
   */
  drop(target) {
    const { ship } = this;
    this.reset();
    if (ship && target) {
      this.move([ship], target.dataset.onto ?? target.dataset.fleet ?? "");
    }
  }
}

/**
 * Return the place where a ship can be dropped that contains an element.
 * @param {EventTarget | null} target
 */
const targetUnder = (target) => closest(target, TARGETS, HTMLElement);

/**
 * Make the ships of the list draggable.
 * @param {OrderSheet} sheet
 * @param {(words: string) => void} showMessage
 * @param {(ships: OrderShip[], key: string) => void} move moves ships to a fleet; an empty key
 *   means a new fleet
 */
export function enableDragging(sheet, showMessage, move) {
  const list = need(document, "[data-list]", HTMLElement);
  const drag = new Drag(sheet, move);
  listenToMouse(list, sheet, drag);
  listenToFingers(list, sheet, drag, showMessage);
}

/**
 * Let the mouse drag ships.
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
    drag.pickUp(ship);
  });
  list.addEventListener("dragover", (event) => {
    const target = targetUnder(event.target);
    if (drag.ship && target) {
      event.preventDefault();
      drag.highlight(target);
    }
  });
  list.addEventListener("dragleave", () => drag.highlight(null));
  list.addEventListener("drop", (event) => {
    const target = targetUnder(event.target);
    if (drag.ship && target) {
      event.preventDefault();
      drag.drop(target);
    }
  });
  list.addEventListener("dragend", () => drag.reset());
}

/**
 * Let fingers and pens drag ships.
 * @param {HTMLElement} list
 * @param {OrderSheet} sheet
 * @param {Drag} drag
 * @param {(words: string) => void} showMessage
 */
function listenToFingers(list, sheet, drag, showMessage) {
  /** @type {Touch | null} */
  let touch = null;
  /** @type {number | undefined} */
  let timer;
  let noMenuUntil = 0; // milliseconds: the time until which no menu is shown

  /**
   * Move the ship's name with the finger, and highlight the target below.
   * @param {Touch} current
   */
  function follow(current) {
    const [x, y] = current.position;
    if (current.nameTag) {
      current.nameTag.style.left = `${x}px`;
      current.nameTag.style.top = `${y}px`;
    }
    drag.highlight(targetUnder(document.elementFromPoint(x, y)));
  }

  /** Scroll the list while the finger is near its top or bottom. */
  function scroll() {
    if (!touch?.nameTag) {
      return;
    }
    const scrolls = getComputedStyle(list).overflowY !== "visible";
    const box = scrolls ? list.getBoundingClientRect() : { top: 0, bottom: innerHeight };
    const [, y] = touch.position;
    let step = 0;
    if (y < box.top + EDGE) {
      step = -SCROLL_STEP;
    } else if (y > box.bottom - EDGE) {
      step = SCROLL_STEP;
    }
    if (step) {
      (scrolls ? list : window).scrollBy(0, step);
      follow(touch);
    }
    requestAnimationFrame(scroll);
  }

  /**
   * Turn a long press into a drag.
   * @param {Touch} current
   */
  function startDrag(current) {
    drag.pickUp(current.ship);
    // The list may be rearranged during the drag, and browsers do not capture a pen by themselves.
    list.setPointerCapture(current.pointerId);
    current.nameTag = html("p", { className: "in-hand" }, current.ship.name);
    document.body.append(current.nameTag);
    current.item.classList.add("taken");
    showMessage(phrase`${current.ship.name}: drag it onto a fleet.`);
    follow(current);
    requestAnimationFrame(scroll);
  }

  /**
   * End a press or a drag, and drop the ship if there is one.
   * @param {PointerEvent} event
   */
  function end(event) {
    const current = touch;
    const isLift = event.type === "pointerup";
    if (!current || (isLift && event.pointerId !== current.pointerId)) {
      return;
    }
    clearTimeout(timer);
    current.item.draggable = true;
    current.item.classList.remove("taken");
    touch = null;
    if (!current.nameTag) {
      return;
    }
    // A target may have appeared under a finger that never moved: that is no drop.
    const isDrop = isLift && current.distance > MAX_MOVE;
    const under = isDrop ? document.elementFromPoint(event.clientX, event.clientY) : null;
    const target = targetUnder(under);
    current.nameTag.remove();
    noMenuUntil = performance.now() + NO_MENU_AFTER;
    drag.drop(target);
  }

  /**
   * Return the touch that a press starts.
   * @param {PointerEvent} event
   * @returns {Touch | null} the touch of a ship that can be sent; null for others
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
      end(event); // A second finger ends the drag.
      return;
    }
    const started = touchOf(event);
    if (!started) {
      return;
    }
    touch = started;
    started.item.draggable = false; // The browser's own drag would prevent scrolling.
    timer = window.setTimeout(() => startDrag(started), LONG_PRESS);
  });
  list.addEventListener("pointermove", (event) => {
    if (!touch || event.pointerId !== touch.pointerId) {
      return;
    }
    touch.position = [event.clientX, event.clientY];
    if (touch.nameTag) {
      follow(touch);
    } else if (touch.distance > MAX_MOVE) {
      end(event);
    }
  });
  list.addEventListener("pointerup", end);
  list.addEventListener("pointercancel", end);
  list.addEventListener(
    "touchmove",
    (event) => {
      if (touch?.nameTag) {
        event.preventDefault();
      }
    },
    { passive: false },
  );
  list.addEventListener("contextmenu", (event) => {
    if (touch || performance.now() < noMenuUntil) {
      event.preventDefault();
    }
  });
}
