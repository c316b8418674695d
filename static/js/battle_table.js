// The table of a battle: pan and zoom by mouse, touch, buttons and keys; marks of constant size;
// names that never overlap. The world is in MU, y upwards; marks and names lie above it in pixels.
// Symbols are in one sprite (`<body data-icons>`).

import { matches, svg } from "./dom.js";
import { lazily } from "./lazy_events.js";

/** @type {Record<string, number>} pixels of each silhouette */
const RADIUS = { fighter: 8, escort: 10, cruiser: 12, capital: 14, merchant: 12, installation: 13 };
const PLAIN_RADIUS = 11;
const KEEPS_CLEAR = 22; // pixels around a mark's centre in which a touch still means it
const MAX_ZOOM = 60;
const GRID = 12; // MU
const NAME_HEIGHT = 15; // pixels
const NAME_GAPS = [5, 18, 34, 52]; // pixels between a mark and its name, tried in this order
const FIELDS = "select, textarea, input:not([type=range], [type=checkbox], [type=radio])";

export const icons = document.body.dataset.icons ?? "";

/** @type {TablePoint[]} one MU along each course; 0 and 12 are the same */
export const COURSES = Array.from({ length: 13 }, (_, course) => [
  Math.sin((course * Math.PI) / 6),
  Math.cos((course * Math.PI) / 6),
]);

const FAMILY = getComputedStyle(document.documentElement).fontFamily;
const ruler = document.createElement("canvas").getContext("2d");
/** @type {Map<string, number>} */
const widths = new Map();

/**
 * @param {string} text
 * @param {string} font
 */
function widthOf(text, font) {
  const key = font + text;
  const known = widths.get(key);
  if (known !== undefined || !ruler) {
    return known ?? 0;
  }
  ruler.font = font;
  const { width } = ruler.measureText(text);
  widths.set(key, width);
  return width;
}

// Readers can turn single keys off.
const hasNoKeys = document.body.dataset.keys === "off";

/**
 * Say whether a single key is meant for the page: nobody types, and the reader has not turned them
 * off.
 * @param {KeyboardEvent} event
 */
export function ours(event) {
  const isOff = hasNoKeys && event.key.length === 1 && event.key !== " ";
  const isHeld = event.ctrlKey || event.metaKey || event.altKey;
  return !isOff && !isHeld && !matches(event.target, FIELDS);
}

/** The table in an SVG element. */
export class Table {
  /** @type {Map<string, Mark>} */
  marks = new Map();
  // A place is at tx + k * x, ty - k * y on the screen.
  k = 1;
  tx = 0;
  ty = 0;
  width = 0;
  height = 0;
  fitted = true; // until the reader moves it
  quiet = false; // whether fitting draws nothing
  /** @type {Box | undefined} the part in MU that is shown */
  want;
  /** @type {(TableThing & {node: SVGCircleElement})[]} points that lie on the table */
  spots = [];
  /** @type {PlaceRequest & {take: (id: string | undefined, at: TablePoint) => void} | null} */
  asked = null;
  /** @type {SVGGElement | null} what is reached (battle_places.js) */
  bounds = null;

  // What a page may set.
  /** @type {(() => TablePoint) | null} the place that stays in the middle */
  follow = null;
  /** @type {(table: Table) => void} called after every drawing */
  onview = () => {};
  /** @type {(id: string | undefined, at: TablePoint, event?: Event) => void} */
  ontap = () => {};
  /** @type {((id: string | undefined, at: Point) => void) | null} */
  onhover = null;
  /**
   * Says whether it takes a drag.
   * @type {((id: string | undefined, phase: string, at: TablePoint, moved?: number) => boolean |
   *   void) | null}
   */
  ondrag = null;
  /** @type {((table: Table) => Box[]) | null} boxes in pixels that names keep free of */
  keep = null;
  /** @type {(() => CursorOwner) | null} whom the cursor is for (battle_cursor.js) */
  about = null;
  /** @type {(() => Promise<{cursor: typeof import("./battle_cursor.js").cursor}>) | null} */
  aim = null;
  /** @type {(() => TablePoint) | null} where the chosen ship is */
  centred = null;
  /** @type {(() => void) | null} draws what changes with the tools */
  shown = null;

  #numbered = "";

  /**
   * @param {SVGSVGElement} element
   * @param {TablePoint} size in MU
   * @param {{pad?: number, arrows?: boolean}} options `arrows`: whether these keys move it
   */
  constructor(element, [w, h], { pad = 2.5, arrows = true } = {}) {
    this.svg = element;
    this.w = w;
    this.h = h;
    this.pad = pad;
    this.arrows = arrows;
    element.removeAttribute("viewBox");
    element.replaceChildren();
    let lines = "";
    for (let x = GRID; x < w; x += GRID) {
      lines += `M${x} 0V${h}`;
    }
    for (let y = GRID; y < h; y += GRID) {
      lines += `M0 ${y}H${w}`;
    }
    this.ground = svg("g");
    this.under = svg("g");
    this.world = svg(
      "g",
      { class: "world" },
      svg("rect", { class: "floor", width: w, height: h }),
      svg("path", { class: "lines", d: lines }),
      this.ground,
      this.under,
    );
    this.scale = svg("g", { class: "scale", "aria-hidden": "true" });
    this.dots = svg("g");
    this.over = svg("g");
    this.tags = svg("g", { "aria-hidden": "true" });
    this.top = svg("g", { "aria-hidden": "true" });
    element.append(this.world, this.scale, this.dots, this.over, this.tags, this.top);
    this.hand = this.#listen();
    new ResizeObserver(() => this.#sized()).observe(element);
  }

  #sized() {
    const box = this.svg.getBoundingClientRect();
    const isFirst = !this.width;
    this.width = box.width;
    this.height = box.height;
    if (isFirst || this.fitted) {
      this.fit(this.want);
    } else {
      this.draw();
    }
  }

  /**
   * Show the whole table, or a part of it, until the reader moves it.
   * @param {Box} [box] in MU
   */
  fit(box) {
    this.want = box;
    if (!this.width) {
      return;
    }
    const [left, bottom, right, top] = box ?? [
      -this.pad,
      -this.pad,
      this.w + this.pad,
      this.h + this.pad,
    ];
    this.k = Math.min(this.width / (right - left), this.height / (top - bottom));
    this.tx = this.width / 2 - ((left + right) / 2) * this.k;
    this.ty = this.height / 2 + ((bottom + top) / 2) * this.k;
    this.fitted = true;
    if (!this.quiet) {
      this.draw();
    }
  }

  /**
   * @param {number} factor
   * @param {number} px the pixel that stays where it is
   * @param {number} py
   */
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const least = Math.min(this.width / this.w, this.height / this.h) * 0.7;
    const k = Math.max(least, Math.min(MAX_ZOOM, this.k * factor));
    const change = k / this.k;
    this.tx = px - (px - this.tx) * change;
    this.ty = py - (py - this.ty) * change;
    this.k = k;
    this.fitted = false;
    this.draw();
  }

  /**
   * @param {number} dx pixels
   * @param {number} dy pixels
   */
  pan(dx, dy) {
    this.tx += dx;
    this.ty += dy;
    this.fitted = false;
    this.draw();
  }

  /**
   * Bring a place into the middle.
   * @param {number} x
   * @param {number} y
   */
  centre(x, y) {
    this.tx = this.width / 2 - x * this.k;
    this.ty = this.height / 2 + y * this.k;
    this.fitted = false;
    this.draw();
  }

  /**
   * @param {number} x MU
   * @param {number} y MU
   * @returns {Point} in pixels
   */
  px(x, y) {
    return [this.tx + x * this.k, this.ty - y * this.k];
  }

  /**
   * @param {number} px
   * @param {number} py
   * @returns {TablePoint} in MU
   */
  mu(px, py) {
    return [(px - this.tx) / this.k, (this.ty - py) / this.k];
  }

  /**
   * Add a mark, or change one.
   * @param {string} id
   * @param {Partial<MarkData>} data
   */
  mark(id, data) {
    const mark = this.marks.get(id) ?? this.#newMark(id);
    Object.assign(mark, data);
    put(mark.node, "class", `mark ${mark.cls ?? ""}`);
    put(mark.node, "display", mark.hidden ? "none" : "inline");
    const silhouette = `ship-${mark.size && mark.size in RADIUS ? mark.size : "escort"}`;
    const isWreck = /\bwreck\b/.test(mark.cls ?? "");
    put(mark.body, "href", `${icons}#${isWreck ? "lost" : silhouette}`);
    if (mark.label) {
      put(mark.node, "role", "button");
      put(mark.node, "aria-label", mark.label);
      put(mark.node, "tabindex", mark.tab ?? -1);
    }
    return mark;
  }

  /** @param {string} id */
  #newMark(id) {
    const body = svg("use", { x: -16, y: -16, width: 32, height: 32 });
    const halo = svg("circle", { class: "halo" });
    const grip = svg("circle", { class: "grip" });
    const node = svg("g", { class: "mark" }, grip, halo, body);
    node.dataset.id = id;
    const place = { x: 0, y: 0, px: 0, py: 0, rr: 0 };
    /** @type {Mark} */
    const mark = { id, node, body, halo, grip, cls: "", name: "", ...place };
    this.over.append(node);
    this.marks.set(id, mark);
    return mark;
  }

  /** @param {string} id */
  unmark(id) {
    this.marks.get(id)?.node.remove();
    this.marks.delete(id);
  }

  /**
   * Show what lies on the table beside ships.
   * @param {TableThing[]} things
   */
  pieces(things) {
    const areas = things.filter(({ r }) => r);
    this.ground.replaceChildren(
      ...areas.map(({ kind, x, y, r, words, cls = "" }) => {
        const className = `thing ${kind} ${cls}`;
        return svg("circle", { class: className, cx: x, cy: y, r }, svg("title", {}, words));
      }),
    );
    this.spots = things
      .filter(({ r }) => !r)
      .map((thing) => {
        const className = `dot ${thing.kind} ${thing.cls ?? ""}`;
        const node = svg("circle", { class: className, r: 4 }, svg("title", {}, thing.words));
        return { ...thing, node };
      });
    this.dots.replaceChildren(...this.spots.map(({ node }) => node));
  }

  draw() {
    if (!this.width) {
      return;
    }
    if (this.follow) {
      const [x, y] = this.follow();
      this.tx = this.width / 2 - x * this.k;
      this.ty = this.height / 2 + y * this.k;
    }
    this.world.setAttribute("transform", `matrix(${this.k} 0 0 ${-this.k} ${this.tx} ${this.ty})`);
    for (const spot of this.spots) {
      const [x, y] = this.px(spot.x, spot.y);
      spot.node.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    }
    for (const mark of this.marks.values()) {
      this.#place(mark);
    }
    this.#drawScale();
    this.name();
    this.onview(this);
  }

  /**
   * Put a mark where it is, in its size on the screen.
   * @param {Mark} mark
   */
  #place(mark) {
    const [x, y] = this.px(mark.x, mark.y);
    const grow = Math.max(0.8, Math.min(1.7, this.k / 11)) * (mark.scale ?? 1);
    const hour = mark.facing ?? mark.course ?? 0;
    mark.px = x;
    mark.py = y;
    mark.rr = (RADIUS[mark.size ?? ""] ?? PLAIN_RADIUS) * grow;
    put(mark.node, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    put(mark.body, "transform", `rotate(${(hour * 30).toFixed(1)}) scale(${grow.toFixed(2)})`);
    put(mark.halo, "r", (mark.rr + 5).toFixed(1));
    put(mark.grip, "r", Math.max(mark.rr + 6, KEEPS_CLEAR).toFixed(1));
  }

  /** Draw the numbers along the edge, where they have changed. */
  #drawScale() {
    const view = [this.k, this.tx, this.ty, this.width, this.height];
    const key = view.map((value) => Math.round(value * 10)).join();
    if (key === this.#numbered) {
      return;
    }
    this.#numbered = key;
    const numbers = [];
    const [, bottom] = this.px(0, 0);
    const step = this.k < 5 ? 2 * GRID : GRID;
    for (let x = 0; x <= this.w; x += step) {
      const [left] = this.px(x, 0);
      const top = Math.min(bottom + 14, this.height - 4);
      numbers.push(svg("text", { x: left.toFixed(1), y: top.toFixed(1) }, String(x)));
    }
    for (let y = step; y <= this.h; y += step) {
      const [left, top] = this.px(0, y);
      const x = Math.max(left - 12, 12);
      numbers.push(svg("text", { x: x.toFixed(1), y: (top + 4).toFixed(1) }, String(y)));
    }
    this.scale.replaceChildren(...numbers);
  }

  /**
   * Place the names of marks: around their mark, then further out on a leader; one that finds no
   * room is left out. Marks of high rank come first.
   * @param {Box[]} extra boxes that names keep free of
   */
  name(extra = []) {
    const shown = [...this.marks.values()].filter((mark) => !mark.hidden);
    const taken = [...shown.map(boxOfMark), ...extra, ...(this.keep?.(this) ?? [])];
    const named = shown.filter((mark) => mark.name);
    named.sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0));
    this.tags.replaceChildren(...named.flatMap((mark) => this.#placeName(mark, taken)));
  }

  /**
   * @param {Box} box
   * @param {Box[]} taken
   */
  #isFree(box, taken) {
    const [left, top, right, bottom] = box;
    const isInside = left >= 2 && top >= 2 && right <= this.width - 2 && bottom <= this.height - 2;
    return (
      isInside &&
      !taken.some(
        (other) => left < other[2] && right > other[0] && top < other[3] && bottom > other[1],
      )
    );
  }

  /**
   * @param {Mark} mark
   * @param {Box[]} taken grows by the name
   * @returns {SVGElement[]} the name, perhaps with a leader; nothing where there is no room
   */
  #placeName(mark, taken) {
    const width = nameWidth(mark);
    for (const gap of NAME_GAPS) {
      const isNear = gap === NAME_GAPS[0];
      const spots = nameSpots(mark, width, gap);
      const order = [...spots.keys()];
      if (isNear && mark.spot !== undefined) {
        order.unshift(mark.spot); // A name stays where it was, if it can.
      }
      const spot = order.find((n) => this.#isFree(spots[n], taken));
      if (spot === undefined) {
        if (isNear) {
          mark.spot = undefined;
        }
        continue;
      }
      const box = spots[spot];
      taken.push(box);
      if (isNear) {
        mark.spot = spot;
        return [nameText(mark, box)];
      }
      return [nameLeader(mark, box), nameText(mark, box)];
    }
    return [];
  }

  /**
   * Do what a key does on the table: Z nearer, X farther, F all of it, T a cursor, arrows where
   * they move it.
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key is the table's
   */
  key(event) {
    const isArrow = this.arrows && event.key.startsWith("Arrow");
    const isOurs = isArrow || /^[zxft+-]$/i.test(event.key);
    if (isOurs) {
      event.preventDefault();
      this.hand(event);
    }
    return isOurs;
  }

  /**
   * Do what a key of the table does, for a button or a field.
   * @param {string} key
   */
  press(key) {
    this.hand(new KeyboardEvent("keydown", { key }));
  }

  #listen() {
    // Many only look at a table: what handles its events is fetched with the first touch.
    const load = async () => (await import("./battle_input.js")).inputHandler(this);
    this.svg.addEventListener("keydown", (event) => {
      if (ours(event) && this.key(event)) {
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
 * @param {Mark} mark
 * @returns {Box}
 */
const boxOfMark = ({ px, py, rr }) => [px - rr, py - rr, px + rr, py + rr];

/** @param {Mark} mark */
function nameWidth(mark) {
  const weight = /chosen/.test(mark.cls) ? "650 " : "";
  const small = mark.sub ? widthOf(` ${mark.sub}`, `11px ${FAMILY}`) : 0;
  return widthOf(mark.name, `${weight}12px ${FAMILY}`) + small + 4;
}

/**
 * Return where a name may be around its mark.
 * @param {Mark} mark
 * @param {number} width
 * @param {number} gap
 * @returns {Box[]}
 */
function nameSpots({ px, py, rr }, width, gap) {
  const away = rr + gap;
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
  return corners.map(([dx, dy]) => [px + dx, py + dy, px + dx + width, py + dy + height]);
}

/**
 * @param {Mark} mark
 * @param {Box} box
 */
function nameText(mark, [left, top]) {
  const attributes = {
    class: `name ${mark.cls}`,
    x: (left + 2).toFixed(1),
    y: (top + 11.5).toFixed(1),
  };
  const small = mark.sub ? svg("tspan", { class: "sub" }, ` ${mark.sub}`) : "";
  return svg("text", attributes, mark.name, small);
}

/**
 * Return the line from a mark to its name.
 * @param {Mark} mark
 * @param {Box} box
 */
function nameLeader({ px, py, rr }, [left, top, right, bottom]) {
  const x2 = Math.max(left, Math.min(px, right));
  const y2 = Math.max(top + 3, Math.min(py, bottom - 3));
  const length = Math.hypot(x2 - px, y2 - py) || 1;
  return svg("line", {
    class: "leader",
    x1: px + ((x2 - px) / length) * (rr + 2),
    y1: py + ((y2 - py) / length) * (rr + 2),
    x2,
    y2,
  });
}

/**
 * Set an attribute, where it changes.
 * @param {Element} element
 * @param {string} name
 * @param {string | number} value
 */
function put(element, name, value) {
  const text = String(value);
  if (element.getAttribute(name) !== text) {
    element.setAttribute(name, text);
  }
}
