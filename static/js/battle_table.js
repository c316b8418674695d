// The table of a battle or replay: it draws marks and names, pans and zooms. Coordinates on the
// table are in MU with y upwards; marks and names are drawn above it in pixels, so that zooming
// hardly changes their size. Loaded with every battle page.

import { matches, svg } from "./dom.js";
import { DEFAULT_RADIUS, RADIUS, magnification } from "./film/silhouettes.js";
import { lazily } from "./lazy_events.js";

const TOUCH_RADIUS = 22; // pixels around a mark's centre that belong to the mark
const MAX_ZOOM = 60; // pixels per MU
const GRID_SPACING = 12; // MU
const NAME_HEIGHT = 15; // pixels
const NAME_GAPS = [5, 18, 34, 52]; // pixels between a mark and its name, tried in this order
const TYPING_FIELDS = "select, textarea, input:not([type=range], [type=checkbox], [type=radio])";

/** The address of the sprite with all symbols. */
export const icons = document.body.dataset.icons ?? "";

/** @type {TablePoint[]} one MU along each course, by hour; 0 and 12 are the same */
export const COURSE_VECTORS = Array.from({ length: 13 }, (_, course) => [
  Math.sin((course * Math.PI) / 6),
  Math.cos((course * Math.PI) / 6),
]);

const FONT_FAMILY = getComputedStyle(document.documentElement).fontFamily;
const ruler = document.createElement("canvas").getContext("2d");
/** @type {Map<string, number>} */
const textWidths = new Map();

/**
 * Return the width of a text in pixels; measured once for each text and font.
 * @param {string} text
 * @param {string} font
 */
function textWidth(text, font) {
  const key = font + text;
  const known = textWidths.get(key);
  if (known !== undefined || !ruler) {
    return known ?? 0;
  }
  ruler.font = font;
  const { width } = ruler.measureText(text);
  textWidths.set(key, width);
  return width;
}

// Users can turn single-key shortcuts off in their settings.
const areKeysOff = document.body.dataset.keys === "off";

/**
 * Check whether a key press is a shortcut of the page: not typed into a field, without Ctrl, Meta
 * or Alt, and single-key shortcuts are not turned off.
 * @param {KeyboardEvent} event
 */
export function isPageKey(event) {
  const isOff = areKeysOff && event.key.length === 1 && event.key !== " ";
  const isHeld = event.ctrlKey || event.metaKey || event.altKey;
  const isElsewhere = matches(event.target, `${TYPING_FIELDS}, .reference-panel *`);
  return !isOff && !isHeld && !isElsewhere;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "?" && isPageKey(event)) {
    document.getElementById("reference")?.click();
  }
});

/** A battle table in an SVG element. */
export class Table {
  /** @type {((table: Table) => void) | undefined} places groups of craft */
  formUp;

  /** @type {Map<string, Mark>} */
  marks = new Map();
  // The place (x, y) is drawn at the pixel (originX + pxPerMu * x, originY - pxPerMu * y).
  pxPerMu = 1;
  originX = 0;
  originY = 0;
  width = 0;
  height = 0;
  isFitted = true; // false once the user has moved the table
  skipsDrawing = false; // while true, fit() does not draw
  /** @type {Box | undefined} the part in MU that fit() shows; undefined: the whole table */
  fittedBox;
  /** @type {(TableThing & {node: SVGCircleElement})[]} pieces drawn as dots */
  points = [];
  /**
   * The next tap on the table answers it (battle_places.js).
   * @type {PlaceRequest & {answer: (id: string | undefined, at: TablePoint) => void} | null}
   */
  placeRequest = null;
  /** @type {SVGGElement | null} the reach of the place request (battle_places.js) */
  reachLayer = null;

  // Callbacks that a page may set.
  /** @type {(() => TablePoint) | null} the place that stays in the middle of the view */
  placeToFollow = null;
  /** @type {(table: Table) => void} called after every drawing */
  onDraw = () => {};
  /** @type {(id: string | undefined, at: TablePoint, event?: Event) => void} */
  ontap = () => {};
  /** @type {((id: string | undefined, at: Point) => void) | null} */
  onhover = null;
  /**
   * Called for a drag; at its start it returns whether the page handles the drag. Otherwise the
   * drag pans the table.
   * @type {((id: string | undefined, phase: string, at: TablePoint, moved?: number) => boolean |
   *   void) | null}
   */
  ondrag = null;
  /**
   * Called for the wheel over a mark; returns whether the page handles it instead of zooming.
   * @type {((id: string | undefined, deltaY: number) => boolean) | null}
   */
  onwheel = null;
  /** @type {((table: Table) => Box[]) | null} boxes in pixels that names must not cover */
  reservedBoxes = null;
  /** @type {(() => CursorOwner) | null} the ship or group for which the cursor measures */
  cursorOwner = null;
  /** @type {(() => Promise<typeof import("./battle_cursor.js")>) | null} */
  loadCursor = null;
  /** @type {(() => TablePoint) | null} the centre of the range rings */
  ringCentre = null;
  /** @type {(() => void) | null} draws what depends on the page's tools and orders */
  redraw = null;

  #numberedView = ""; // the view for which the numbers along the edge were drawn

  /**
   * @param {SVGSVGElement} element
   * @param {TablePoint} size in MU
   * @param {{pad?: number, arrows?: boolean}} options `pad`: MU shown around the table; `arrows`:
   *   whether the arrow keys pan
   */
  constructor(element, [w, h], { pad = 2.5, arrows = true } = {}) {
    this.svg = element;
    this.widthMu = w;
    this.heightMu = h;
    this.pad = pad;
    this.arrows = arrows;
    element.removeAttribute("viewBox");
    element.replaceChildren();
    let lines = "";
    for (let x = GRID_SPACING; x < w; x += GRID_SPACING) {
      lines += `M${x} 0V${h}`;
    }
    for (let y = GRID_SPACING; y < h; y += GRID_SPACING) {
      lines += `M0 ${y}H${w}`;
    }
    this.areasLayer = svg("g");
    this.underLayer = svg("g");
    this.world = svg(
      "g",
      { class: "world" },
      svg("rect", { class: "floor", width: w, height: h }),
      svg("path", { class: "lines", d: lines }),
      this.areasLayer,
      this.underLayer,
    );
    this.numbersLayer = svg("g", { class: "scale", "aria-hidden": "true" });
    this.pointsLayer = svg("g");
    this.marksLayer = svg("g", { class: "moving" });
    this.namesLayer = svg("g", { class: "moving", "aria-hidden": "true" });
    this.topLayer = svg("g", { class: "moving", "aria-hidden": "true" });
    element.append(
      this.world,
      this.numbersLayer,
      this.pointsLayer,
      this.marksLayer,
      this.namesLayer,
      this.topLayer,
    );
    this.handleInput = this.#listenToInput();
    new ResizeObserver(() => this.fitToElement()).observe(element);
  }

  /** Take over the size of the element, and show what was shown. */
  fitToElement() {
    const box = this.svg.getBoundingClientRect();
    const isFirst = !this.width;
    this.width = box.width;
    this.height = box.height;
    if (isFirst || this.isFitted) {
      this.fit(this.fittedBox);
    } else {
      this.draw();
    }
  }

  /**
   * Show the whole table or a part of it, and again after a change of size until the user pans.
   * @param {Box} [box] in MU
   */
  fit(box) {
    this.fittedBox = box;
    if (!this.width) {
      return;
    }
    const [left, bottom, right, top] = box ?? [
      -this.pad,
      -this.pad,
      this.widthMu + this.pad,
      this.heightMu + this.pad,
    ];
    this.pxPerMu = Math.min(this.width / (right - left), this.height / (top - bottom));
    this.originX = this.width / 2 - ((left + right) / 2) * this.pxPerMu;
    this.originY = this.height / 2 + ((bottom + top) / 2) * this.pxPerMu;
    this.isFitted = true;
    if (!this.skipsDrawing) {
      this.draw();
    }
  }

  /**
   * Zoom around a pixel, which keeps its place.
   * @param {number} factor
   * @param {number} px
   * @param {number} py
   */
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const least = Math.min(this.width / this.widthMu, this.height / this.heightMu) * 0.7;
    const pxPerMu = Math.max(least, Math.min(MAX_ZOOM, this.pxPerMu * factor));
    const change = pxPerMu / this.pxPerMu;
    this.originX = px - (px - this.originX) * change;
    this.originY = py - (py - this.originY) * change;
    this.pxPerMu = pxPerMu;
    this.isFitted = false;
    this.draw();
  }

  /**
   * @param {number} dx pixels
   * @param {number} dy pixels
   */
  pan(dx, dy) {
    this.originX += dx;
    this.originY += dy;
    this.isFitted = false;
    this.draw();
  }

  /**
   * Bring a place into the middle of the view.
   * @param {number} x MU
   * @param {number} y MU
   */
  centre(x, y) {
    this.originX = this.width / 2 - x * this.pxPerMu;
    this.originY = this.height / 2 + y * this.pxPerMu;
    this.isFitted = false;
    this.draw();
  }

  /**
   * Convert a place on the table to a pixel of the view.
   * @param {number} x MU
   * @param {number} y MU
   * @returns {Point} in pixels
   */
  toPixels(x, y) {
    return [this.originX + x * this.pxPerMu, this.originY - y * this.pxPerMu];
  }

  /**
   * Convert a pixel of the view to a place on the table.
   * @param {number} px
   * @param {number} py
   * @returns {TablePoint} in MU
   */
  toMu(px, py) {
    return [(px - this.originX) / this.pxPerMu, (this.originY - py) / this.pxPerMu];
  }

  /**
   * Add a mark, or change an existing one.
   * @param {string} id
   * @param {Partial<MarkData>} data the properties to set; others stay
   */
  setMark(id, data) {
    const mark = this.marks.get(id) ?? this.#addMark(id);
    Object.assign(mark, data);
    setIfChanged(mark.node, "class", `mark ${mark.cls ?? ""}`);
    setIfChanged(mark.node, "display", mark.hidden ? "none" : "inline");
    const silhouette = `ship-${mark.size && mark.size in RADIUS ? mark.size : "escort"}`;
    const isWreck = /\bwreck\b/.test(mark.cls ?? "");
    setIfChanged(mark.body, "href", `${icons}#${isWreck ? "lost" : silhouette}`);
    if (mark.label) {
      setIfChanged(mark.node, "role", "button");
      setIfChanged(mark.node, "aria-label", mark.label);
      setIfChanged(mark.node, "tabindex", mark.tab ?? -1);
    }
    return mark;
  }

  /** @param {string} id */
  #addMark(id) {
    const body = svg("use", { x: -16, y: -16, width: 32, height: 32 });
    const halo = svg("circle", { class: "halo" });
    const touchArea = svg("circle", { class: "grip" });
    const node = svg("g", { class: "mark" }, touchArea, halo, body);
    node.dataset.id = id;
    const place = { x: 0, y: 0, screenX: 0, screenY: 0, screenRadius: 0 };
    /** @type {Mark} */
    const mark = { id, node, body, halo, touchArea, cls: "", name: "", aside: [0, 0], ...place };
    this.marksLayer.append(node);
    this.marks.set(id, mark);
    return mark;
  }

  /** @param {string} id */
  removeMark(id) {
    this.marks.get(id)?.node.remove();
    this.marks.delete(id);
  }

  /**
   * Draw the pieces that do not move: areas as circles, others as dots.
   * @param {TableThing[]} things
   */
  showThings(things) {
    const areas = things.filter(({ r }) => r);
    this.areasLayer.replaceChildren(
      ...areas.map(({ kind, x, y, r, words, cls = "" }) => {
        const className = `thing ${kind} ${cls}`;
        return svg("circle", { class: className, cx: x, cy: y, r }, svg("title", {}, words));
      }),
    );
    this.points = things
      .filter(({ r }) => !r)
      .map((thing) => {
        const className = `dot ${thing.kind} ${thing.cls ?? ""}`;
        const node = svg("circle", { class: className, r: 4 }, svg("title", {}, thing.words));
        return { ...thing, node };
      });
    this.pointsLayer.replaceChildren(...this.points.map(({ node }) => node));
  }

  /** Draw the whole table in its current view. */
  draw() {
    if (!this.width) {
      return;
    }
    this.drawGround();
    this.formUp?.(this);
    for (const mark of this.marks.values()) {
      this.#placeMark(mark);
    }
    this.placeNames();
    this.onDraw(this);
  }

  /** Draw what a film leaves to the table: the floor, pieces that do not move, and numbers. */
  drawGround() {
    if (this.placeToFollow) {
      const [x, y] = this.placeToFollow();
      this.originX = this.width / 2 - x * this.pxPerMu;
      this.originY = this.height / 2 + y * this.pxPerMu;
    }
    setIfChanged(
      this.world,
      "transform",
      `matrix(${this.pxPerMu} 0 0 ${-this.pxPerMu} ${this.originX} ${this.originY})`,
    );
    for (const spot of this.points) {
      const [x, y] = this.toPixels(spot.x, spot.y);
      setIfChanged(spot.node, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    }
    this.#drawScale();
  }

  /**
   * Update the position and size of a mark on the screen.
   * @param {Mark} mark
   */
  #placeMark(mark) {
    const [placeX, placeY] = this.toPixels(mark.x, mark.y);
    const [x, y] = [placeX + mark.aside[0], placeY + mark.aside[1]];
    const grown = magnification(this.pxPerMu) * (mark.scale ?? 1);
    const hour = mark.facing ?? mark.course ?? 0;
    mark.screenX = x;
    mark.screenY = y;
    mark.screenRadius = (RADIUS[mark.size ?? ""] ?? DEFAULT_RADIUS) * grown;
    setIfChanged(mark.node, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    setIfChanged(
      mark.body,
      "transform",
      `rotate(${(hour * 30).toFixed(1)}) scale(${grown.toFixed(2)})`,
    );
    setIfChanged(mark.halo, "r", (mark.screenRadius + 5).toFixed(1));
    setIfChanged(mark.touchArea, "r", Math.max(mark.screenRadius + 6, TOUCH_RADIUS).toFixed(1));
  }

  /** Draw the numbers along the edges, if the view has changed. */
  #drawScale() {
    const view = [this.pxPerMu, this.originX, this.originY, this.width, this.height];
    const key = view.map((value) => Math.round(value * 10)).join();
    if (key === this.#numberedView) {
      return;
    }
    this.#numberedView = key;
    const numbers = [];
    const [, bottom] = this.toPixels(0, 0);
    const step = this.pxPerMu < 5 ? 2 * GRID_SPACING : GRID_SPACING;
    for (let x = 0; x <= this.widthMu; x += step) {
      const [left] = this.toPixels(x, 0);
      const top = Math.min(bottom + 14, this.height - 4);
      numbers.push(svg("text", { x: left.toFixed(1), y: top.toFixed(1) }, String(x)));
    }
    for (let y = step; y <= this.heightMu; y += step) {
      const [left, top] = this.toPixels(0, y);
      const x = Math.max(left - 12, 12);
      numbers.push(svg("text", { x: x.toFixed(1), y: (top + 4).toFixed(1) }, String(y)));
    }
    this.numbersLayer.replaceChildren(...numbers);
  }

  /**
   * Place the names of marks so that none overlap: beside the mark, else further away with a line
   * to it, else nowhere. Marks of high rank come first.
   * @param {Box[]} extra further boxes in pixels that names must not cover
   */
  placeNames(extra = []) {
    const shown = [...this.marks.values()].filter((mark) => !mark.hidden);
    const occupied = [...shown.map(markBox), ...extra, ...(this.reservedBoxes?.(this) ?? [])];
    const named = shown.filter((mark) => mark.name);
    named.sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0));
    this.namesLayer.replaceChildren(...named.flatMap((mark) => this.#placeName(mark, occupied)));
  }

  /**
   * Check whether a box is inside the view and covers no other.
   * @param {Box} box
   * @param {Box[]} occupied
   */
  #isFree(box, occupied) {
    const [left, top, right, bottom] = box;
    const isInside = left >= 2 && top >= 2 && right <= this.width - 2 && bottom <= this.height - 2;
    return (
      isInside &&
      !occupied.some(
        (other) => left < other[2] && right > other[0] && top < other[3] && bottom > other[1],
      )
    );
  }

  /**
   * Find room for the name of a mark.
   * @param {Mark} mark
   * @param {Box[]} occupied boxes in pixels; the name's box is added
   * @returns {SVGElement[]} the name, perhaps with a line to it; empty if there is no room
   */
  #placeName(mark, occupied) {
    const width = nameWidth(mark);
    for (const gap of NAME_GAPS) {
      const isNear = gap === NAME_GAPS[0];
      const spots = nameSpots(mark, width, gap);
      const order = [...spots.keys()];
      if (isNear && mark.nameSpot !== undefined) {
        order.unshift(mark.nameSpot); // A name stays where it was, if it can.
      }
      const spot = order.find((n) => this.#isFree(spots[n], occupied));
      if (spot === undefined) {
        if (isNear) {
          mark.nameSpot = undefined;
        }
        continue;
      }
      const box = spots[spot];
      occupied.push(box);
      if (isNear) {
        mark.nameSpot = spot;
        return [nameText(mark, box)];
      }
      return [nameLeader(mark, box), nameText(mark, box)];
    }
    return [];
  }

  /**
   * Handle a key press: Z and X zoom in and out, F shows the whole table, T opens the cursor, and
   * arrows pan if the table allows it.
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key belongs to the table
   */
  handleKey(event) {
    const isArrow = this.arrows && event.key.startsWith("Arrow");
    const isOurs = isArrow || /^[zxft+-]$/i.test(event.key);
    if (isOurs) {
      event.preventDefault();
      this.handleInput(event);
    }
    return isOurs;
  }

  /**
   * Act as if a key of the table was pressed.
   * @param {string} key
   */
  pressKey(key) {
    this.handleInput(new KeyboardEvent("keydown", { key }));
  }

  #listenToInput() {
    // Many users only look at a table, so the input handler is loaded on the first event.
    const load = async () => (await import("./battle_input.js")).inputHandler(this);
    this.svg.addEventListener("keydown", (event) => {
      if (isPageKey(event) && this.handleKey(event)) {
        event.stopPropagation();
      }
    });
    const types = ["wheel", "pointerdown", "pointermove", "pointerup", "pointercancel"];
    return lazily(this.svg, types, load, (event) => {
      if (event.type === "wheel") {
        event.preventDefault();
      }
      if (event instanceof PointerEvent && event.type === "pointerdown" && !event.button) {
        this.svg.setPointerCapture(event.pointerId);
      }
      return true;
    });
  }
}

/**
 * Return the box of a mark on the screen, without its name.
 * @param {Mark} mark
 * @returns {Box}
 */
const markBox = ({ screenX, screenY, screenRadius }) => [
  screenX - screenRadius,
  screenY - screenRadius,
  screenX + screenRadius,
  screenY + screenRadius,
];

/**
 * Return the width of a mark's name and detail in pixels.
 * @param {Mark} mark
 */
function nameWidth(mark) {
  const weight = /chosen/.test(mark.cls) ? "650 " : "";
  const small = mark.detail ? textWidth(` ${mark.detail}`, `11px ${FONT_FAMILY}`) : 0;
  return textWidth(mark.name, `${weight}12px ${FONT_FAMILY}`) + small + 4;
}

/**
 * Return the boxes around a mark in which its name may be drawn, in order of preference.
 * @param {Mark} mark
 * @param {number} width the width of the name in pixels
 * @param {number} gap the pixels between mark and name
 * @returns {Box[]}
 */
function nameSpots({ screenX, screenY, screenRadius }, width, gap) {
  const away = screenRadius + gap;
  const diagonal = away * 0.72;
  const height = NAME_HEIGHT;
  /** @type {Point[]} */
  const corners = [
    [away, -height / 2],
    [-away - width, -height / 2],
    [diagonal, -diagonal - height + 4],
    [diagonal, diagonal - 4],
    [-diagonal - width, -diagonal - height + 4],
    [-diagonal - width, diagonal - 4],
    [-width / 2, -away - height],
    [-width / 2, away],
  ];
  return corners.map(([dx, dy]) => [
    screenX + dx,
    screenY + dy,
    screenX + dx + width,
    screenY + dy + height,
  ]);
}

/**
 * Draw the name of a mark.
 * @param {Mark} mark
 * @param {Box} box
 */
function nameText(mark, [left, top]) {
  const attributes = {
    class: `name ${mark.cls}`,
    x: (left + 2).toFixed(1),
    y: (top + 11.5).toFixed(1),
  };
  const small = mark.detail ? svg("tspan", { class: "sub" }, ` ${mark.detail}`) : "";
  return svg("text", attributes, mark.name, small);
}

/**
 * Draw the line from a mark to its name.
 * @param {Mark} mark
 * @param {Box} box
 */
function nameLeader({ screenX, screenY, screenRadius }, [left, top, right, bottom]) {
  const x2 = Math.max(left, Math.min(screenX, right));
  const y2 = Math.max(top + 3, Math.min(screenY, bottom - 3));
  const length = Math.hypot(x2 - screenX, y2 - screenY) || 1;
  return svg("line", {
    class: "leader",
    x1: screenX + ((x2 - screenX) / length) * (screenRadius + 2),
    y1: screenY + ((y2 - screenY) / length) * (screenRadius + 2),
    x2,
    y2,
  });
}

/**
 * Set an attribute only if its value changes, because writing to the DOM is slow.
 * @param {Element} element
 * @param {string} name
 * @param {string | number} value
 */
function setIfChanged(element, name, value) {
  const text = String(value);
  if (element.getAttribute(name) !== text) {
    element.setAttribute(name, text);
  }
}
