// Input on a table: panning, zooming, dragging and tapping by mouse, touch, wheel and keys. Loaded
// on the first event.

import { closest } from "./dom.js";

/** @import { Table } from "./battle_table.js" */

const PAN_STEP = 60; // pixels for one press of an arrow key
const PAN_TOLERANCE = 4; // pixels that a pointer moves before the table pans
const CLICK_TOLERANCE = 6; // pixels that a mouse may move and still click
const TOUCH_TOLERANCE = 10; // pixels that a finger or pen may move and still tap
/** @type {Record<string, Point>} */
const ARROW_PANS = {
  ArrowLeft: [PAN_STEP, 0],
  ArrowRight: [-PAN_STEP, 0],
  ArrowUp: [0, PAN_STEP],
  ArrowDown: [0, -PAN_STEP],
};

/**
 * Tap the table: answer the open request for a place, or call the page.
 * @param {Table} table
 * @param {string | undefined} id the mark under the pointer
 * @param {TablePoint} at
 * @param {Event} [event]
 */
function tap(table, id, at, event) {
  if (table.placeRequest) {
    table.placeRequest.answer(id, at);
  } else {
    table.ontap(id, at, event);
  }
}

/**
 * Return the mark that an element belongs to.
 * @param {Table} table
 * @param {EventTarget | null} element
 */
const markOf = (table, element) =>
  table.marks.get(closest(element, ".mark", SVGElement)?.dataset.id ?? "");

/**
 * Return the id of the mark under the pointer. Where the touch areas of several marks overlap, it
 * is the nearest.
 * @param {Table} table
 * @param {MouseEvent} event
 */
function markIdUnder(table, event) {
  if (!markOf(table, event.target)) {
    return undefined;
  }
  const box = table.svg.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  /** @type {Mark | undefined} */
  let nearest;
  let leastGap = Infinity;
  for (const element of document.elementsFromPoint(event.clientX, event.clientY)) {
    const mark = markOf(table, element);
    const gap = mark ? Math.hypot(mark.screenX - x, mark.screenY - y) : Infinity;
    if (gap < leastGap) {
      nearest = mark;
      leastGap = gap;
    }
  }
  return nearest?.id;
}

/** The pointers that are down on a table, and what they do. */
class Gesture {
  /** @type {Map<number, Point>} the pixel of each pointer, by its id */
  pointers = new Map();
  /** @type {{id: string | undefined, isClaimed: boolean} | null} the mark under the first
   *   pointer, and whether the page handles its drag */
  drag = null;
  /** @type {Point} where the last pointer was put down */
  startPixel = [0, 0];
  distanceMoved = 0; // the largest distance from there, in pixels
  fingerGap = 0; // pixels between two pointers

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
  }

  /**
   * Return the pixel of the table at which an event happened.
   * @param {MouseEvent} event
   * @returns {Point}
   */
  pixelOf(event) {
    const box = this.table.svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /**
   * Return the place in MU at which an event happened.
   * @param {MouseEvent} event
   */
  placeOf(event) {
    return this.table.toMu(...this.pixelOf(event));
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey && this.table.onwheel?.(markIdUnder(this.table, event), event.deltaY)) {
      return;
    }
    const speed = event.ctrlKey ? 0.01 : 0.0016;
    this.table.zoom(Math.exp(-event.deltaY * speed), ...this.pixelOf(event));
  }

  /** @param {PointerEvent} event */
  pointerdown(event) {
    if (event.button) {
      return;
    }
    this.pointers.set(event.pointerId, this.pixelOf(event));
    this.startPixel = this.pixelOf(event);
    this.distanceMoved = 0;
    this.fingerGap = 0;
    this.drag = null;
    if (this.pointers.size === 1) {
      const id = markIdUnder(this.table, event);
      this.drag = { id, isClaimed: Boolean(this.table.ondrag?.(id, "start", this.placeOf(event))) };
    }
    if (!this.drag?.isClaimed) {
      this.table.svg.classList.add("grabbing");
    }
  }

  /** @param {PointerEvent} event */
  pointermove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.table.onhover?.(markIdUnder(this.table, event), this.pixelOf(event));
      return;
    }
    const [x, y] = this.pixelOf(event);
    const [dx, dy] = [x - before[0], y - before[1]];
    this.pointers.set(event.pointerId, [x, y]);
    this.distanceMoved = Math.max(
      this.distanceMoved,
      Math.hypot(x - this.startPixel[0], y - this.startPixel[1]),
    );
    if (this.pointers.size === 2) {
      this.pinch(dx, dy);
    } else if (this.drag?.isClaimed) {
      this.table.ondrag?.(this.drag.id, "move", this.table.toMu(x, y));
    } else if (this.drag && this.distanceMoved > PAN_TOLERANCE) {
      this.table.pan(dx, dy);
    }
  }

  /**
   * Pan and zoom after one of two pointers has moved.
   * @param {number} dx pixels
   * @param {number} dy pixels
   */
  pinch(dx, dy) {
    const [a, b] = [...this.pointers.values()];
    const gap = Math.hypot(a[0] - b[0], a[1] - b[1]);
    this.table.originX += dx / 2;
    this.table.originY += dy / 2;
    if (this.fingerGap) {
      this.table.zoom(gap / this.fingerGap, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
    }
    this.fingerGap = gap;
  }

  /** @param {PointerEvent} event */
  pointerup(event) {
    if (!this.pointers.delete(event.pointerId)) {
      return;
    }
    const { table, drag, distanceMoved } = this;
    table.svg.classList.remove("grabbing");
    if (drag?.isClaimed) {
      table.ondrag?.(drag.id, "end", this.placeOf(event), distanceMoved);
    }
    const isTap =
      distanceMoved <= (event.pointerType === "mouse" ? CLICK_TOLERANCE : TOUCH_TOLERANCE);
    if (drag && isTap && event.type === "pointerup") {
      tap(table, drag.id, this.placeOf(event), event);
    }
    this.drag = null;
  }
}

/**
 * Do what a letter key does on the table.
 * @param {Table} table
 * @param {string} key
 */
async function runKey(table, key) {
  if (key === "z" || key === "+") {
    table.zoom(1.3);
  } else if (key === "x" || key === "-") {
    table.zoom(1 / 1.3);
  } else if (key === "f") {
    table.fit();
  } else if (key === "t" && table.loadCursor) {
    (await table.loadCursor()).openCursor(table, tap);
  }
}

/**
 * Return a handler for the pointer, wheel and key events of a table.
 * @param {Table} table
 * @returns {(event: Event) => void}
 */
export function inputHandler(table) {
  const gesture = new Gesture(table);
  return (event) => {
    if (event instanceof KeyboardEvent) {
      if (event.key in ARROW_PANS) {
        table.pan(...ARROW_PANS[event.key]);
      } else {
        runKey(table, event.key.toLowerCase());
      }
    } else if (event instanceof WheelEvent) {
      gesture.wheel(event);
    } else if (event.type === "pointerdown") {
      gesture.pointerdown(/** @type {PointerEvent} */ (event));
    } else if (event.type === "pointermove") {
      gesture.pointermove(/** @type {PointerEvent} */ (event));
    } else {
      gesture.pointerup(/** @type {PointerEvent} */ (event));
    }
  };
}
