// Handles the pointers, wheel and keys of a star map: panning, zooming, choosing hexes and dragging
// flags. Loaded on the first touch of a map.

import { closest, svg } from "./dom.js";
import { hexAt, label, neighbour, round, columnAndRow } from "./hex.js";

/** @import { StarMap } from "./chart.js" */

// Pixels that a pointer moves before a click becomes a drag.
const MOUSE_TOLERANCE = 6;
const TOUCH_TOLERANCE = 10; // of a finger or a pen
const LONG_PRESS = 500; // milliseconds that a finger or a pen is held to list what is in a hex
const CLUSTER_ZOOM = 0.6; // the minimum zoom after a click on a cluster, which separates it
const LAYOUT_DELAY = 90; // milliseconds after panning until the map is laid out again
const WALK = 4; // hexes that the cursor moves with Shift
const KEY_ZOOM = 1.35;
const FAST_LAYOUT = 8; // milliseconds: a map with a slower layout is laid out only after panning

/** The pointers on a map, and the gesture they make. */
class Gesture {
  /** @type {Map<number, Point>} positions of pressed pointers by pointer id */
  pressed = new Map();
  /** @type {Point} where the first pointer was pressed */
  start = [0, 0];
  pinchWidth = 0; // pixels between two fingers; 0 before a pinch
  isDrag = false; // whether the pointer has moved too far for a click
  isLongPress = false; // whether the list of a hex was requested
  /** @type {DOMStringMap | null} the data attributes of the pressed mark */
  pressedMark = null;
  /** @type {DOMStringMap | null} the data attributes of the flag being dragged */
  draggedFlag = null;
  /** @type {SVGPathElement | null} the line from the dragged flag to the pointer */
  dragLine = null;
  /** @type {number | undefined} */
  timer;

  /** @param {StarMap} map */
  constructor(map) {
    this.map = map;
  }

  /**
   * Return the position of an event in pixels of the map.
   * @param {MouseEvent} event
   * @returns {Point}
   */
  pixelOf(event) {
    const box = this.map.svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /**
   * Return the hex under the pointer.
   * @param {MouseEvent} event
   */
  hexOf(event) {
    const { map } = this;
    const [x, y] = this.pixelOf(event);
    const { columns, rows } = map.ground;
    return hexAt((x - map.x) / map.k, (y - map.y) / map.k, columns, rows);
  }

  /**
   * Move the layers without a new layout, for maps whose layout is slow. They are laid out again
   * once the map stops moving.
   */
  panWithoutLayout() {
    const { map } = this;
    map.applyTransform();
    const [x, y] = map.layoutOrigin;
    map.overlay.setAttribute("transform", `translate(${round(map.x - x)} ${round(map.y - y)})`);
    clearTimeout(map.layoutTimer);
    map.layoutTimer = window.setTimeout(() => map.keepInView(), LAYOUT_DELAY);
  }

  /**
   * Mark the hex under the pointer, and tell the page when it changes.
   * @param {Hex | null} hex
   * @param {string} [key] the key of the flag being dragged
   */
  hover(hex, key) {
    const { map } = this;
    if (hex !== map.hover) {
      map.hover = hex;
      map.drawCursors();
      map.onHover(hex, key);
    }
  }

  /**
   * Start a gesture.
   * @param {PointerEvent} event
   */
  pointerdown(event) {
    if (event.button) {
      return;
    }
    this.pressed.set(event.pointerId, this.pixelOf(event));
    clearTimeout(this.timer);
    this.pinchWidth = 0;
    this.draggedFlag = null;
    this.pressedMark = null;
    if (this.pressed.size !== 1) {
      this.isDrag = true; // With two fingers nothing is chosen.
      return;
    }
    this.start = this.pixelOf(event);
    this.isDrag = false;
    this.isLongPress = false;
    if (event.pointerType !== "mouse" && this.map.onList) {
      this.timer = window.setTimeout(() => this.contextmenu(event), LONG_PRESS);
    }
    this.notePressed(event.target);
  }

  /**
   * Store the pressed mark, and whether it is a flag that can be dragged.
   * @param {EventTarget | null} target
   */
  notePressed(target) {
    this.pressedMark = closest(target, "[data-hex]", SVGElement)?.dataset ?? null;
    if (this.map.canDrag && this.pressedMark?.key && closest(target, ".flag", Element)) {
      this.draggedFlag = this.pressedMark;
    }
  }

  /**
   * Continue a gesture: drag a flag, pan or pinch.
   * @param {PointerEvent} event
   */
  pointermove(event) {
    const before = this.pressed.get(event.pointerId);
    if (!before) {
      this.hover(this.hexOf(event));
      return;
    }
    const now = this.pixelOf(event);
    this.pressed.set(event.pointerId, now);
    const away = Math.hypot(now[0] - this.start[0], now[1] - this.start[1]);
    this.isDrag ||= away >= (event.pointerType === "mouse" ? MOUSE_TOLERANCE : TOUCH_TOLERANCE);
    if (this.isLongPress || !this.isDrag) {
      return;
    }
    clearTimeout(this.timer);
    this.map.svg.classList.add("dragging");
    if (this.draggedFlag) {
      this.dragFlag(this.draggedFlag, event);
      return;
    }
    this.pinch();
    this.pan(now[0] - before[0], now[1] - before[1]);
  }

  /**
   * Draw a line from the dragged flag to the pointer.
   * @param {DOMStringMap} flag
   * @param {PointerEvent} event
   */
  dragFlag(flag, event) {
    const { map } = this;
    this.hover(this.hexOf(event), flag.key);
    const [x, y] = map.pixelOf(flag.hex ?? "");
    const [toX, toY] = this.pixelOf(event);
    this.dragLine ??= map.svg.appendChild(svg("path", { class: "aim" }));
    this.dragLine.setAttribute("d", `M${x} ${y}L${toX} ${toY}`);
  }

  /** Zoom by pinching with two fingers. */
  pinch() {
    if (this.pressed.size !== 2) {
      return;
    }
    const [a, b] = [...this.pressed.values()];
    const width = Math.hypot(a[0] - b[0], a[1] - b[1]);
    if (this.pinchWidth) {
      this.map.zoom(width / this.pinchWidth, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    }
    this.pinchWidth = width;
  }

  /**
   * Move the map, by the average of all fingers.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    const { map } = this;
    map.x += dx / this.pressed.size;
    map.y += dy / this.pressed.size;
    map.hasMoved = true;
    if (map.layoutMs > FAST_LAYOUT && this.pressed.size === 1) {
      this.panWithoutLayout();
    } else {
      map.keepInView();
    }
  }

  /**
   * End a gesture: drop a flag, or click.
   * @param {PointerEvent} event
   */
  pointerup(event) {
    if (!this.pressed.delete(event.pointerId)) {
      return;
    }
    clearTimeout(this.timer);
    this.map.svg.classList.remove("dragging");
    this.dragLine?.remove();
    this.dragLine = null;
    if (event.type !== "pointerup" || this.isLongPress) {
      return;
    }
    if (this.draggedFlag && this.isDrag) {
      this.drop(this.draggedFlag, event);
    } else if (!this.isDrag && !this.pressed.size) {
      this.click(event);
    }
  }

  /** @param {PointerEvent} event */
  pointercancel(event) {
    this.pointerup(event);
  }

  /**
   * Report the hex or flag on which a flag is dropped.
   * @param {DOMStringMap} flag
   * @param {PointerEvent} event
   */
  drop(flag, event) {
    // A flag can be drawn outside its hex, so the flag under the pointer counts before the hex.
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const onto = closest(under, "g.flag", SVGElement)?.dataset;
    this.map.onPick({
      hex: onto?.hex ?? this.hexOf(event),
      key: null,
      shift: event.shiftKey,
      drop: flag.key,
      onto: onto?.key,
    });
  }

  /**
   * Report the clicked hex or flag, or zoom in on a cluster.
   * @param {PointerEvent} event
   */
  click(event) {
    const { map, pressedMark } = this;
    map.host.focus({ preventScroll: true });
    if (pressedMark?.cluster !== undefined) {
      map.centreOn(pressedMark.hex ?? "", Math.max(2 * map.k, CLUSTER_ZOOM));
      return;
    }
    map.onPick({
      hex: pressedMark?.hex ?? this.hexOf(event),
      key: pressedMark?.key ?? null,
      shift: event.shiftKey,
    });
  }

  /**
   * Request the list of a hex on a right click or a long press. An event that the browser itself
   * sends for a long press is ignored.
   * @param {MouseEvent} event
   */
  contextmenu(event) {
    if (this.pressed.size && (this.isLongPress || this.isDrag)) {
      return;
    }
    this.isLongPress = this.pressed.size > 0;
    this.map.onList?.(event);
  }

  /** Remove the mark of the hex under the pointer. */
  pointerleave() {
    this.map.hover = null;
    this.map.drawCursors();
    this.map.onHover(null);
  }

  /**
   * Zoom around the pointer.
   * @param {WheelEvent} event
   */
  wheel(event) {
    this.map.zoom(Math.exp(-event.deltaY * 0.0016), this.pixelOf(event));
  }
}

/**
 * Return the direction in which an arrow key moves the cursor from a hex. Left and right alternate
 * between up and down, so that the cursor stays in its row.
 * @param {Hex} hex
 * @param {string} key
 * @returns {number | undefined} a direction for neighbour(); undefined for other keys
 */
function arrowDirection(hex, key) {
  const isOdd = columnAndRow(hex)[0] % 2 === 1;
  /** @type {Record<string, number>} */
  const directions = {
    ArrowUp: 4,
    ArrowDown: 1,
    ArrowRight: isOdd ? 0 : 5,
    ArrowLeft: isOdd ? 2 : 3,
  };
  return directions[key];
}

/**
 * Move the cursor from hex to hex by an arrow key.
 * @param {StarMap} map
 * @param {Hex} start
 * @param {string} key
 * @param {number} count the number of hexes
 */
function walk(map, start, key, count) {
  let hex = start;
  for (let n = 0; n < count; n++) {
    const next = neighbour(hex, arrowDirection(hex, key) ?? 0);
    if (map.has(next)) {
      hex = next;
    }
  }
  map.moveCursor(hex);
}

/**
 * Handle a key: arrows move the cursor, Enter and Space choose its hex, others zoom.
 * @param {StarMap} map
 * @param {KeyboardEvent} event
 */
function pressKey(map, event) {
  const { columns, rows } = map.ground;
  const middle = label(Math.ceil(columns / 2), Math.ceil(rows / 2));
  const hex = map.cursor ?? map.data.start ?? middle;
  if (arrowDirection(hex, event.key) !== undefined) {
    walk(map, hex, event.key, event.shiftKey ? WALK : 1);
  } else if (event.key === "Enter" || event.key === " ") {
    map.onPick({ hex, key: null, shift: event.shiftKey, typed: true });
  } else if (event.key === "+" || event.key === "=") {
    map.zoom(KEY_ZOOM, map.pixelOf(hex));
  } else if (event.key === "-") {
    map.zoom(1 / KEY_ZOOM, map.pixelOf(hex));
  } else {
    map.fit();
  }
}

/**
 * Return a handler for the pointer, wheel, context menu and key events of a map.
 * @param {StarMap} map
 * @returns {(event: Event) => void}
 */
export function inputHandler(map) {
  const gesture = new Gesture(map);
  return (event) => {
    if (event instanceof KeyboardEvent) {
      pressKey(map, event);
    } else if (event instanceof WheelEvent) {
      gesture.wheel(event);
    } else if (event.type === "contextmenu") {
      gesture.contextmenu(/** @type {MouseEvent} */ (event));
    } else if (event.type === "pointerleave") {
      gesture.pointerleave();
    } else {
      const type = /** @type {"pointerdown" | "pointermove" | "pointerup"} */ (event.type);
      gesture[type](/** @type {PointerEvent} */ (event));
    }
  };
}
