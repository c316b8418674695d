// Pointers, the wheel and keys on a star map: they move it, zoom, point to a hex, drag a flag to
// where it goes. Fetched with the first touch.

import { closest, svg } from "./dom.js";
import { hexAt, label, neighbour, round, spot } from "./hex.js";

/** @import { StarMap } from "./chart.js" */

// Pixels that a mouse, and a finger or a pen, strays before it is no click.
const DRAG = 6;
const TREMBLE = 10;
const REST = 500; // milliseconds after which a finger or a pen at rest asks for the list of its hex
const NEARER = 0.6; // the zoom at which a cluster parts
const STILL = 90; // milliseconds of rest after which the map is laid out again
const CHEAP = 8; // milliseconds that laying out may take while the map is drawn along

/** What the pointers do on a map. */
class Gesture {
  /** @type {Map<number, Point>} where each finger is */
  fingers = new Map();
  /** @type {Point} where the first one was put down */
  start = [0, 0];
  apart = 0; // pixels between two fingers
  strayed = false; // whether it is no click any more
  held = false; // whether the list of a hex was asked for
  /** @type {DOMStringMap | null} the data of what was touched */
  touched = null;
  /** @type {DOMStringMap | null} the data of the flag that is dragged */
  grabbed = null;
  /** @type {SVGPathElement | null} from the flag to the pointer */
  aim = null;
  /** @type {number | undefined} */
  timer;

  /** @param {StarMap} map */
  constructor(map) {
    this.map = map;
  }

  /**
   * @param {MouseEvent} event
   * @returns {Point} in pixels of the map
   */
  at(event) {
    const box = this.map.svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {MouseEvent} event */
  hexOf(event) {
    const { map } = this;
    const [x, y] = this.at(event);
    const { columns, rows } = map.chart;
    return hexAt((x - map.x) / map.k, (y - map.y) / map.k, columns, rows);
  }

  /**
   * Move the layers as they are, where laying them out takes long; they are laid out again at rest.
   */
  slide() {
    const { map } = this;
    map.place();
    const [x, y] = map.laidAt;
    map.over.setAttribute("transform", `translate(${round(map.x - x)} ${round(map.y - y)})`);
    clearTimeout(map.rest);
    map.rest = window.setTimeout(() => map.keepInView(), STILL);
  }

  /**
   * @param {Hex | null} hex
   * @param {string} [key] of the flag that is dragged there
   */
  hover(hex, key) {
    const { map } = this;
    if (hex !== map.hover) {
      map.hover = hex;
      map.shade();
      map.look(hex, key);
    }
  }

  /** @param {PointerEvent} event */
  pointerdown(event) {
    if (event.button) {
      return;
    }
    this.fingers.set(event.pointerId, this.at(event));
    clearTimeout(this.timer);
    this.apart = 0;
    this.grabbed = null;
    this.touched = null;
    if (this.fingers.size !== 1) {
      this.strayed = true; // Two fingers choose nothing.
      return;
    }
    this.start = this.at(event);
    this.strayed = false;
    this.held = false;
    if (event.pointerType !== "mouse" && this.map.list) {
      this.timer = window.setTimeout(() => this.contextmenu(event), REST);
    }
    this.touch(event.target);
  }

  /**
   * Note what was touched, and whether it is a flag that can be dragged.
   * @param {EventTarget | null} target
   */
  touch(target) {
    this.touched = closest(target, "[data-hex]", SVGElement)?.dataset ?? null;
    if (this.map.drags && this.touched?.key && closest(target, ".flag", Element)) {
      this.grabbed = this.touched;
    }
  }

  /** @param {PointerEvent} event */
  pointermove(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) {
      this.hover(this.hexOf(event));
      return;
    }
    const now = this.at(event);
    this.fingers.set(event.pointerId, now);
    const away = Math.hypot(now[0] - this.start[0], now[1] - this.start[1]);
    this.strayed ||= away >= (event.pointerType === "mouse" ? DRAG : TREMBLE);
    if (this.held || !this.strayed) {
      return;
    }
    clearTimeout(this.timer);
    this.map.svg.classList.add("dragging");
    if (this.grabbed) {
      this.dragFlag(this.grabbed, event);
      return;
    }
    this.pinch();
    this.pan(now[0] - before[0], now[1] - before[1]);
  }

  /**
   * @param {DOMStringMap} flag
   * @param {PointerEvent} event
   */
  dragFlag(flag, event) {
    const { map } = this;
    this.hover(this.hexOf(event), flag.key);
    const [x, y] = map.at(flag.hex ?? "");
    const [toX, toY] = this.at(event);
    this.aim ??= map.svg.appendChild(svg("path", { class: "aim" }));
    this.aim.setAttribute("d", `M${x} ${y}L${toX} ${toY}`);
  }

  /** Zoom by two fingers. */
  pinch() {
    if (this.fingers.size !== 2) {
      return;
    }
    const [a, b] = [...this.fingers.values()];
    const apart = Math.hypot(a[0] - b[0], a[1] - b[1]);
    if (this.apart) {
      this.map.zoom(apart / this.apart, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    }
    this.apart = apart;
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    const { map } = this;
    map.x += dx / this.fingers.size;
    map.y += dy / this.fingers.size;
    map.moved = true;
    if (map.cost > CHEAP && this.fingers.size === 1) {
      this.slide();
    } else {
      map.keepInView();
    }
  }

  /** @param {PointerEvent} event */
  pointerup(event) {
    if (!this.fingers.delete(event.pointerId)) {
      return;
    }
    clearTimeout(this.timer);
    this.map.svg.classList.remove("dragging");
    this.aim?.remove();
    this.aim = null;
    if (event.type !== "pointerup" || this.held) {
      return;
    }
    if (this.grabbed && this.strayed) {
      this.drop(this.grabbed, event);
    } else if (!this.strayed && !this.fingers.size) {
      this.click(event);
    }
  }

  /** @param {PointerEvent} event */
  pointercancel(event) {
    this.pointerup(event);
  }

  /**
   * @param {DOMStringMap} flag
   * @param {PointerEvent} event
   */
  drop(flag, event) {
    // Flags stand beside their hexes, so the one under the pointer counts first.
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const onto = closest(under, "g.flag", SVGElement)?.dataset;
    this.map.pick({
      hex: onto?.hex ?? this.hexOf(event),
      key: null,
      shift: event.shiftKey,
      drop: flag.key,
      onto: onto?.key,
    });
  }

  /** @param {PointerEvent} event */
  click(event) {
    const { map, touched } = this;
    map.host.focus({ preventScroll: true });
    if (touched?.cluster !== undefined) {
      map.go(touched.hex ?? "", Math.max(2 * map.k, NEARER));
      return;
    }
    map.pick({
      hex: touched?.hex ?? this.hexOf(event),
      key: touched?.key ?? null,
      shift: event.shiftKey,
    });
  }

  /**
   * Ask for the list of a hex: by the other button, or by a finger at rest, of which the browser
   * may say so, too.
   * @param {MouseEvent} event
   */
  contextmenu(event) {
    if (this.fingers.size && (this.held || this.strayed)) {
      return;
    }
    this.held = this.fingers.size > 0;
    this.map.list?.(event);
  }

  pointerleave() {
    this.map.hover = null;
    this.map.shade();
    this.map.look(null);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    this.map.zoom(Math.exp(-event.deltaY * 0.0016), this.at(event));
  }
}

/**
 * Return the neighbour of a hex to which an arrow key leads: left and right alternate between up
 * and down, so that a row stays a row.
 * @param {Hex} hex
 * @param {string} key
 * @returns {number | undefined} none for other keys
 */
function arrowStep(hex, key) {
  const isOdd = spot(hex)[0] % 2 === 1;
  /** @type {Record<string, number>} */
  const steps = {
    ArrowUp: 4,
    ArrowDown: 1,
    ArrowRight: isOdd ? 0 : 5,
    ArrowLeft: isOdd ? 2 : 3,
  };
  return steps[key];
}

/**
 * Walk from hex to hex by an arrow key.
 * @param {StarMap} map
 * @param {Hex} start
 * @param {string} key
 * @param {number} count of hexes
 */
function walk(map, start, key, count) {
  let hex = start;
  for (let n = 0; n < count; n++) {
    const next = neighbour(hex, arrowStep(hex, key) ?? 0);
    if (map.has(next)) {
      hex = next;
    }
  }
  map.moveCursor(hex);
}

/**
 * @param {StarMap} map
 * @param {KeyboardEvent} event
 */
function pressKey(map, event) {
  const { columns, rows } = map.chart;
  const middle = label(Math.ceil(columns / 2), Math.ceil(rows / 2));
  const hex = map.cursor ?? map.data.start ?? middle;
  if (arrowStep(hex, event.key) !== undefined) {
    walk(map, hex, event.key, event.shiftKey ? 4 : 1);
  } else if (event.key === "Enter" || event.key === " ") {
    map.pick({ hex, key: null, shift: event.shiftKey, typed: true });
  } else if (event.key === "+" || event.key === "=") {
    map.zoom(1.35, map.at(hex));
  } else if (event.key === "-") {
    map.zoom(1 / 1.35, map.at(hex));
  } else {
    map.fit();
  }
}

/**
 * Return what handles the events of a map's pointers, its wheel and its keys.
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
