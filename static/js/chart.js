// Draws a star map and handles pan and zoom; chart_input.js handles its pointers and keys. The map
// has two layers: the world (grid, reach, rings), which is scaled, and an overlay of names and
// markers in screen pixels (chart_marks.js). Its data come from campaign/web/chart_data.py.

import {
  CORNERS,
  HEIGHT,
  SIDE,
  STEP,
  centre,
  distance,
  label,
  neighbour,
  round,
  columnAndRow,
} from "./hex.js";
import {
  clashes,
  contacts,
  flags,
  links,
  marks,
  names,
  numbers,
  pencils,
  stars,
  ways,
} from "./chart_marks.js";
import { ScreenSpace } from "./chart_space.js";
import { closest, svg } from "./dom.js";
import { lazily } from "./lazy_events.js";
import { phrase } from "./phrase.js";

const MAX_ZOOM = 4.5;
// Flags and contacts: with more on the map, some may be drawn as one (chart_clusters.js).
const CROWD_COUNT = 24;
const NAVIGATION = /^(Arrow(Up|Down|Left|Right)|Enter|[ +=0-])$/;
// A page opens with the whole map if its zoom is at least this; otherwise it opens at START_ZOOM.
export const LEGIBLE_ZOOM = 0.5;
export const START_ZOOM = 0.86;
const CURSOR_MARGIN = 40; // pixels between the cursor and the sides of the window
const OVERSCROLL = 70; // pixels by which a zoomed map can be moved past its edge

/**
 * The callbacks and settings of a page's map.
 * @typedef {object} MapOptions
 * @property {(pick: MapPick) => unknown} [onPick] called when a hex is clicked or Enter is pressed
 * @property {(hex: Hex | null, key?: string) => unknown} [onHover] called when the pointer or the
 *   cursor moves to a hex, with the key of the flag being dragged
 * @property {(event: Event) => unknown} [onList] called when the player asks what is in a hex
 * @property {() => unknown} [onDraw] called after the map is drawn
 * @property {number[]} [padding] free pixels at the top, right, bottom and left
 * @property {boolean} [canDrag] whether fleet flags can be dragged
 */

/** A star map inside an element of the page. */
export class StarMap {
  /** @type {Point} the x and y of the map when its overlay was last laid out */
  layoutOrigin = [0, 0];
  /** @type {MapData} */
  data = {};
  /** @type {MapData} the data as drawn: on a crowded map some marks are joined */
  drawnData = {};
  /** @type {Hex | null} */
  cursor = null;
  /** @type {Hex | null} */
  hover = null;
  isCrowded = false; // whether marks are joined
  hasMoved = false; // whether the player has zoomed in or moved the map
  layoutMs = 0; // milliseconds that the last layout took
  // A point of the world is at x + k * its own x on the screen, as in D3's zoom transforms.
  k = 1;
  x = 0;
  y = 0;
  minZoom = 1; // the zoom at which the whole map is visible
  /** @type {number | undefined} the timer for a new layout after panning */
  layoutTimer;
  #isDrawPending = false;
  #drawnReachId = "";
  #drawnOverlay = "";
  /** @type {Hex[]} */
  #hexes = [];
  /** @type {Promise<(event: Event) => void> | null} */
  #inputHandler = null;
  /** @type {((map: StarMap) => MapData | null) | null} */
  #joinMarksOf = null;
  /** @type {((map: StarMap, space: ScreenSpace) => string) | null} */
  #drawEyes = null;

  /**
   * @param {HTMLElement} host
   * @param {MapGround} ground
   * @param {MapOptions} options
   */
  constructor(host, ground, options = {}) {
    this.host = host;
    this.ground = ground;
    this.onPick = options.onPick ?? (() => {});
    this.onHover = options.onHover ?? (() => {});
    this.onList = options.onList ?? null;
    this.onDraw = options.onDraw ?? (() => {});
    this.padding = options.padding ?? [22, 14, 14, 26];
    this.canDrag = options.canDrag ?? false;
    this.width = STEP * (ground.columns - 1) + 2 * SIDE;
    this.height = HEIGHT * ground.rows + (ground.columns > 1 ? HEIGHT / 2 : 0);
    // Names of settled systems are placed first, while there is room.
    this.byRank = [...ground.systems].sort((a, b) => Number(b.settled) - Number(a.settled));
    this.layers = buildLayers();
    this.svg = this.layers.svg;
    this.overlay = this.layers.overlay;
    host.classList.add("map-host");
    host.replaceChildren(this.svg);
    host.starMap = this;
    this.#drawGround();
    this.fit();
    this.#listen();
    new ResizeObserver(() => {
      if (this.hasMoved) {
        this.keepInView();
      } else {
        this.fit();
      }
    }).observe(host);
  }

  /** Draw the parts that never change: the grid, the rim of the map and closed hexes. */
  #drawGround() {
    let grid = "";
    let rim = "";
    for (const hex of this.allHexes()) {
      const [x, y] = centre(hex);
      grid += `M${x + 24} ${y}l-12 21h-24l-12-21`;
      for (let n = 0; n < 6; n++) {
        if (!this.has(neighbour(hex, n))) {
          rim += edge(x, y, n);
        }
      }
    }
    this.layers.grid.setAttribute("d", grid);
    this.layers.rim.setAttribute("d", rim);
    this.layers.closed.setAttribute("d", outlines(this.ground.closed ?? []));
  }

  /**
   * Return the number of a faction's seat; 0 for an unknown faction.
   * @param {string} power
   */
  seat(power) {
    return this.ground.powers?.[power]?.seat ?? 0;
  }

  /**
   * Return whether a hex is on the map.
   * @param {Hex} hex
   */
  has(hex) {
    const [column, row] = columnAndRow(hex);
    return column >= 1 && row >= 1 && column <= this.ground.columns && row <= this.ground.rows;
  }

  /** Return all hexes of the map, column by column. */
  allHexes() {
    if (!this.#hexes.length) {
      for (let column = 1; column <= this.ground.columns; column++) {
        for (let row = 1; row <= this.ground.rows; row++) {
          this.#hexes.push(label(column, row));
        }
      }
    }
    return this.#hexes;
  }

  /**
   * Return the outline of an area of hexes as SVG path data, without the edge of the map.
   * @param {Hex[]} hexes
   */
  outline(hexes) {
    const inside = new Set(hexes);
    let data = "";
    for (const hex of hexes) {
      const [x, y] = centre(hex);
      for (let n = 0; n < 6; n++) {
        const next = neighbour(hex, n);
        if (this.has(next) && !inside.has(next)) {
          data += edge(x, y, n);
        }
      }
    }
    return data;
  }

  /**
   * Return the width and height of the map's window in pixels.
   * @returns {Point}
   */
  size() {
    return [this.host.clientWidth || 600, this.host.clientHeight || 400];
  }

  /** Show the whole map. */
  fit() {
    const [width, height] = this.size();
    const [top, right, bottom, left] = this.padding;
    const room = [width - left - right, height - top - bottom];
    this.hasMoved = false; // whether the player has zoomed in or moved the map
    this.minZoom = Math.max(0.05, Math.min(room[0] / this.width, room[1] / this.height));
    this.k = this.minZoom;
    this.x = left + (room[0] - this.width * this.k) / 2;
    this.y = top + (room[1] - this.height * this.k) / 2;
    this.draw();
  }

  /**
   * Zoom in or out by a factor.
   * @param {number} factor
   * @param {Point} [at] the pixel that stays in place; the middle by default
   */
  zoom(factor, at) {
    const [width, height] = this.size();
    const [px, py] = at ?? [width / 2, height / 2];
    const k = Math.max(this.minZoom, Math.min(MAX_ZOOM, this.k * factor));
    this.x = px - ((px - this.x) * k) / this.k;
    this.y = py - ((py - this.y) * k) / this.k;
    this.k = k;
    this.hasMoved = k > this.minZoom * 1.01;
    this.keepInView();
  }

  /**
   * Move a hex to the middle of the window.
   * @param {Hex} hex
   * @param {number} k the new zoom
   */
  centreOn(hex, k = this.k) {
    const [width, height] = this.size();
    const [x, y] = centre(hex);
    const [top, right, bottom, left] = this.padding;
    this.k = Math.max(this.minZoom, k);
    this.x = left + (width - left - right) / 2 - x * this.k;
    this.y = top + (height - top - bottom) / 2 - y * this.k;
    this.hasMoved = true;
    this.keepInView();
  }

  /**
   * Limit how far the map is moved, and draw it. A zoomed map can be moved a little past its edge,
   * so that flags at the rim have room.
   */
  keepInView() {
    const [width, height] = this.size();
    const [top, right, bottom, left] = this.padding;
    const slack = this.hasMoved ? OVERSCROLL : 0;
    /**
     * Centre a map that fits the room; limit the position of a larger one.
     * @param {number} at the wanted position
     * @param {number} start the start of the free room
     * @param {number} room the length of the free room
     * @param {number} length the length of the map
     */
    const limited = (at, start, room, length) =>
      length <= room - 1
        ? start + (room - length) / 2
        : Math.max(start + room - length - slack, Math.min(start + slack, at));
    this.x = limited(this.x, left, width - left - right, this.width * this.k);
    this.y = limited(this.y, top, height - top - bottom, this.height * this.k);
    this.draw();
  }

  /** Move and scale the world layer to the current x, y and k. */
  applyTransform() {
    const transform = `translate(${round(this.x)} ${round(this.y)}) scale(${this.k})`;
    this.layers.world.setAttribute("transform", transform);
  }

  /** The height of a hex in pixels. */
  get hexHeight() {
    return HEIGHT * this.k;
  }

  /**
   * Return the centre of a hex in pixels of the window.
   * @param {Hex} hex
   * @returns {Point}
   */
  pixelOf(hex) {
    const [x, y] = centre(hex);
    return [x * this.k + this.x, y * this.k + this.y];
  }

  /** Listen for input; the handlers are loaded with the first event. */
  #listen() {
    // Many visitors only look at the map, so its event handlers are loaded on first use.
    const load = () => {
      this.#inputHandler ??= import("./chart_input.js").then(
        ({ inputHandler }) => inputHandler(this),
        (error) => {
          this.#inputHandler = null;
          throw error;
        },
      );
      return this.#inputHandler;
    };
    const pointers = ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave"];
    lazily(this.svg, pointers, load, (event) => {
      if (event instanceof PointerEvent && event.type === "pointerdown" && !event.button) {
        this.svg.setPointerCapture(event.pointerId);
      }
      return true;
    });
    lazily(this.host, ["wheel", "keydown", "contextmenu"], load, (event) => {
      const accepted = this.#accepts(event);
      if (accepted) {
        event.preventDefault();
      }
      return accepted;
    });
  }

  /**
   * Return whether the map handles a wheel, key or context menu event.
   * @param {Event} event
   */
  #accepts(event) {
    if (event instanceof WheelEvent) {
      return event.ctrlKey || this.host.matches(":focus-within, .owns-wheel");
    }
    if (event instanceof KeyboardEvent) {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      return event.target === this.host && isPlain && NAVIGATION.test(event.key);
    }
    return this.onList !== null;
  }

  /**
   * Move the cursor to a hex, and keep it in view.
   * @param {Hex} hex
   */
  moveCursor(hex) {
    this.cursor = hex;
    const [x, y] = this.pixelOf(hex);
    const [width, height] = this.size();
    const [top, , bottom] = this.padding;
    const isVisible =
      x >= CURSOR_MARGIN && x <= width - CURSOR_MARGIN && y >= top && y <= height - bottom;
    if (!isVisible) {
      this.centreOn(hex);
    }
    this.drawCursors();
    this.onHover(hex);
  }

  /** Outline the hexes under the pointer and the cursor. */
  drawCursors() {
    this.layers.hover.setAttribute("d", this.hover ? outlines([this.hover]) : "");
    this.layers.cursor.setAttribute("d", this.cursor ? outlines([this.cursor]) : "");
  }

  /**
   * Show new data.
   * @param {MapData} data
   */
  show(data) {
    this.data = data;
    this.draw();
  }

  /** Draw the map in the next animation frame. */
  draw() {
    if (this.#isDrawPending) {
      return;
    }
    this.#isDrawPending = true;
    requestAnimationFrame(() => {
      this.#isDrawPending = false;
      this.paint();
    });
  }

  /** Lay out and draw the map now. */
  paint() {
    const startTime = performance.now();
    const [width, height] = this.size();
    this.layoutOrigin = [this.x, this.y];
    this.overlay.removeAttribute("transform");
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.applyTransform();
    const opacity = Math.max(0.35, Math.min(1, this.hexHeight / 40));
    this.layers.grid.setAttribute("stroke-opacity", String(opacity));
    this.#drawReachAndRings();
    this.drawCursors();
    this.#joinMarks();
    const [top, , bottom] = this.padding;
    const space = this.hasMoved
      ? new ScreenSpace(width, height)
      : new ScreenSpace(width, height, top - 26, height - bottom + 30);
    const drawn = this.#layOut(space);
    if (drawn !== this.#drawnOverlay) {
      this.#drawnOverlay = drawn;
      this.overlay.innerHTML = drawn;
    }
    this.layoutMs = performance.now() - startTime;
    this.onDraw();
  }

  /**
   * Return the SVG of the overlay. What is placed first gets the best spot; what is drawn last is
   * on top.
   * @param {ScreenSpace} space
   */
  #layOut(space) {
    /** @param {(() => string)[]} labels */
    const draw = (labels) => labels.map((placeAndDraw) => placeAndDraw()).join("");
    const ground = links(this) + ways(this) + stars(this, space);
    const ownFlags = flags(this, space);
    const otherMarks = [...marks(this, space), ...contacts(this, space)];
    const settledFirst = this.isCrowded ? "" : names(this, space, true);
    const drawnFlags = draw(ownFlags);
    const drawnOthers = draw(otherMarks);
    const settledLast = this.isCrowded ? names(this, space, true) : "";
    const systemNames = settledFirst + settledLast + names(this, space, false);
    const eyes = this.#eyesLayer(space);
    const hexNumbers = numbers(this, space);
    const drawnMarks = drawnOthers + drawnFlags;
    const signs = eyes + clashes(this) + pencils(this);
    return ground + hexNumbers + systemNames + drawnMarks + signs;
  }

  /** Join marks on a crowded map. The script that joins them is loaded when first needed. */
  #joinMarks() {
    const count = (this.data.fleets ?? []).length + (this.data.contacts ?? []).length;
    const isCrowded = count > CROWD_COUNT;
    if (isCrowded && !this.#joinMarksOf) {
      import("./chart_clusters.js").then(({ clusterMarks }) => {
        this.#joinMarksOf = clusterMarks;
        this.draw();
      });
    }
    const joined = isCrowded && this.#joinMarksOf ? this.#joinMarksOf(this) : null;
    this.drawnData = joined ?? this.data;
    this.isCrowded = joined !== null;
  }

  /**
   * Return the SVG of eyes, or nothing until the script that draws them is loaded.
   * @param {ScreenSpace} space
   */
  #eyesLayer(space) {
    if (!this.data.eyes?.length) {
      return "";
    }
    if (this.#drawEyes) {
      return this.#drawEyes(this, space);
    }
    import("./chart_visibility.js").then(({ eyes }) => {
      this.#drawEyes = eyes;
      this.draw();
    });
    return "";
  }

  /** Draw the reach of the chosen fleet and rings, if they have changed. */
  #drawReachAndRings() {
    const { reach, rings = [] } = this.data;
    const id = `${reach?.id ?? ""} ${JSON.stringify(rings)}`;
    if (id === this.#drawnReachId) {
      return;
    }
    this.#drawnReachId = id;
    const circles = rings.map((ring) => {
      const hexes = this.allHexes().filter((hex) => distance(ring.hex, hex) <= ring.far);
      const d = this.outline(hexes);
      return svg("path", { class: `${ring.cls} seat-${ring.seat ?? 0}`, d });
    });
    this.layers.under.replaceChildren(...(reach ? this.#reachPaths(reach) : []), ...circles);
  }

  /**
   * Return the bands of a reach, the furthest first, with their edges.
   * @param {MapReach} reach
   */
  #reachPaths({ bands }) {
    const drawn = [];
    for (let week = bands.length; week >= 1; week--) {
      const reached = bands.slice(0, week).flat();
      drawn.push(
        svg("path", { class: `reach reach-${week}`, d: outlines(bands[week - 1]) }),
        svg("path", { class: `edge edge-${week}`, d: this.outline(reached) }),
      );
    }
    return drawn;
  }
}

/** Build the layers of a map, from bottom to top. */
function buildLayers() {
  const grid = svg("path", { class: "grid" });
  const closed = svg("path", { class: "shut" });
  const rim = svg("path", { class: "rim" });
  const under = svg("g", { "data-under": "" });
  const hover = svg("path", { class: "hover" });
  const cursor = svg("path", { class: "picked" });
  const world = svg("g", { "data-world": "" }, grid, closed, rim, under, hover, cursor);
  const overlay = svg("g", { "data-over": "" });
  const glow = svg(
    "radialGradient",
    { id: "star-glow" },
    svg("stop", { offset: "0", class: "glow-in" }),
    svg("stop", { offset: ".4", class: "glow-mid" }),
    svg("stop", { offset: "1", class: "glow-out" }),
  );
  const attributes = { class: "map", "aria-hidden": "true" };
  const drawing = svg("svg", attributes, svg("defs", {}, glow), world, overlay);
  return { svg: drawing, world, grid, closed, rim, under, hover, cursor, overlay };
}

/**
 * Return one edge of a hex as SVG path data.
 * @param {number} x the x of the hex's centre
 * @param {number} y the y of the hex's centre
 * @param {number} n the edge, from corner n to corner n + 1
 */
function edge(x, y, n) {
  const [ax, ay] = CORNERS[n];
  const [bx, by] = CORNERS[(n + 1) % 6];
  return `M${x + ax} ${y + ay}L${x + bx} ${y + by}`;
}

/**
 * Return all edges of each hex as SVG path data.
 * @param {Hex[]} hexes
 */
function outlines(hexes) {
  return hexes
    .map((hex) => {
      const [x, y] = centre(hex);
      return `M${x + 24} ${y}l-12 21h-24l-12-21 12-21h24z`;
    })
    .join("");
}

/**
 * Keep the map's ruler and first row below the title over its upper edge, whatever its height.
 * @param {StarMap} map
 * @param {HTMLElement} title
 */
export function keepClearOf(map, title) {
  new ResizeObserver(() => {
    const liesOver = getComputedStyle(title).position === "absolute";
    const top = liesOver ? Math.max(84, title.offsetHeight + 14) : 22;
    if (top === map.padding[0]) {
      return;
    }
    map.padding = [top, ...map.padding.slice(1)];
    if (map.hasMoved) {
      map.keepInView();
    } else {
      map.fit();
    }
  }).observe(title);
}

/**
 * Return a button for zooming.
 * @param {string} name
 * @param {string} words the accessible label
 * @param {string} d the path data of its icon
 */
function zoomButton(name, words, d) {
  const icon = svg("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" }, svg("path", { d }));
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.zoom = name;
  button.ariaLabel = words;
  button.append(icon);
  return button;
}

/**
 * Fill a box with the zoom buttons of a map, and show it.
 * @param {StarMap} map
 * @param {HTMLElement} box
 */
export function addZoomButtons(map, box) {
  box.replaceChildren(
    zoomButton("in", phrase`Zoom in`, "M9 3v12M3 9h12"),
    zoomButton("out", phrase`Zoom out`, "M3 9h12"),
    zoomButton("all", phrase`Show the whole map`, "M3 7V3h4M11 3h4v4M15 11v4h-4M7 15H3v-4"),
  );
  box.hidden = false;
  box.addEventListener("click", ({ target }) => {
    const name = closest(target, "[data-zoom]", HTMLElement)?.dataset.zoom;
    if (name === "in") {
      map.zoom(1.5);
    } else if (name === "out") {
      map.zoom(1 / 1.5);
    } else if (name === "all") {
      map.fit();
    }
  });
}

/**
 * Tell screen readers that an element is a map that is used by keys.
 * @param {HTMLElement} host
 */
export function setMapRole(host) {
  host.setAttribute("role", "application");
  host.setAttribute("aria-roledescription", phrase`star map`);
}
