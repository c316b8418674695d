// Pointers, the wheel and keys on a table: they move it, zoom, hold what may be dragged, touch.
// Fetched with the first of them.

import { closest } from "./dom.js";

/** @import { Table } from "./battle_table.js" */

const STEP = 60; // pixels by an arrow
const DRAG = 4; // pixels that a pointer strays before the table moves
// Pixels that a mouse, and a finger or a pen, strays before it is no touch.
const CLICK = 6;
const TREMBLE = 10;
/** @type {Record<string, Point>} */
const MOVES = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

/**
 * Touch the table, by whatever it was touched: what asks for a place has it.
 * @param {Table} table
 * @param {string | undefined} id of the mark that was touched
 * @param {TablePoint} at
 * @param {Event} [event]
 */
function touch(table, id, at, event) {
  if (table.asked) {
    table.asked.take(id, at);
  } else {
    table.ontap(id, at, event);
  }
}

/** @param {Event} event */
const markOf = (event) => closest(event.target, ".mark", SVGElement)?.dataset.id;

/** What the pointers do on a table. */
class Gesture {
  /** @type {Map<number, Point>} where each finger is */
  fingers = new Map();
  /** @type {{id: string | undefined, isOwn: boolean} | null} what one finger holds */
  drag = null;
  /** @type {Point} where the last one was put down */
  start = [0, 0];
  strayed = 0; // the most pixels from there: fingers and pens tremble
  apart = 0; // pixels between two fingers

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
  }

  /**
   * @param {MouseEvent} event
   * @returns {Point} in pixels of the table
   */
  at(event) {
    const box = this.table.svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {MouseEvent} event */
  place(event) {
    return this.table.mu(...this.at(event));
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    const speed = event.ctrlKey ? 0.01 : 0.0016;
    this.table.zoom(Math.exp(-event.deltaY * speed), ...this.at(event));
  }

  /** @param {PointerEvent} event */
  pointerdown(event) {
    if (event.button) {
      return;
    }
    this.fingers.set(event.pointerId, this.at(event));
    this.start = this.at(event);
    this.strayed = 0;
    this.apart = 0;
    this.drag = null;
    if (this.fingers.size === 1) {
      const id = markOf(event);
      this.drag = { id, isOwn: Boolean(this.table.ondrag?.(id, "start", this.place(event))) };
    }
    if (!this.drag?.isOwn) {
      this.table.svg.classList.add("grabbing");
    }
  }

  /** @param {PointerEvent} event */
  pointermove(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) {
      this.table.onhover?.(markOf(event), this.at(event));
      return;
    }
    const [x, y] = this.at(event);
    const [dx, dy] = [x - before[0], y - before[1]];
    this.fingers.set(event.pointerId, [x, y]);
    this.strayed = Math.max(this.strayed, Math.hypot(x - this.start[0], y - this.start[1]));
    if (this.fingers.size === 2) {
      this.pinch(dx, dy);
    } else if (this.drag?.isOwn) {
      this.table.ondrag?.(this.drag.id, "move", this.table.mu(x, y));
    } else if (this.drag && this.strayed > DRAG) {
      this.table.pan(dx, dy);
    }
  }

  /**
   * Move and zoom by two fingers, of which one has moved.
   * @param {number} dx
   * @param {number} dy
   */
  pinch(dx, dy) {
    const [a, b] = [...this.fingers.values()];
    const apart = Math.hypot(a[0] - b[0], a[1] - b[1]);
    this.table.tx += dx / 2;
    this.table.ty += dy / 2;
    if (this.apart) {
      this.table.zoom(apart / this.apart, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
    }
    this.apart = apart;
  }

  /** @param {PointerEvent} event */
  pointerup(event) {
    if (!this.fingers.delete(event.pointerId)) {
      return;
    }
    const { table, drag, strayed } = this;
    table.svg.classList.remove("grabbing");
    if (drag?.isOwn) {
      table.ondrag?.(drag.id, "end", this.place(event), strayed);
    }
    const isTouch = strayed <= (event.pointerType === "mouse" ? CLICK : TREMBLE);
    if (drag && isTouch && event.type === "pointerup") {
      touch(table, drag.id, this.place(event), event);
    }
    this.drag = null;
  }
}

/**
 * @param {Table} table
 * @param {string} key
 */
async function pressKey(table, key) {
  if (key === "z" || key === "+") {
    table.zoom(1.3);
  } else if (key === "x" || key === "-") {
    table.zoom(1 / 1.3);
  } else if (key === "f") {
    table.fit();
  } else if (key === "t" && table.aim) {
    (await table.aim()).cursor(table, touch);
  }
}

/**
 * Return what handles the events of a table's pointers, its wheel and its keys.
 * @param {Table} table
 * @returns {(event: Event) => void}
 */
export function inputHandler(table) {
  const gesture = new Gesture(table);
  return (event) => {
    if (event instanceof KeyboardEvent) {
      if (event.key in MOVES) {
        table.pan(...MOVES[event.key]);
      } else {
        pressKey(table, event.key.toLowerCase());
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
