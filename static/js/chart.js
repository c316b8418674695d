// The star map: pan and zoom; pointers and keys are in chart_input.js. Two layers: the world (grid,
// reach, rings), scaled; over it, in pixels, all that is read (chart_marks.js). Data:
// campaign/web/chart_data.py.

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
  spot,
} from "./hex.js";
import {
  clashes,
  contacts,
  flags,
  links,
  marks,
  names,
  numbers,
  stars,
  ways,
} from "./chart_marks.js";
import { ScreenSpace } from "./chart_space.js";
import { closest, svg } from "./dom.js";
import { lazily } from "./lazy_events.js";
import { phrase } from "./phrase.js";

const MAX_ZOOM = 4.5;
const CROWD = 24; // flags and contacts: of more, some may be joined (chart_clusters.js)
const NAVIGATION = /^(Arrow(Up|Down|Left|Right)|Enter|[ +=0-])$/;
export const LEGIBLE = 0.5; // A page opens with the whole map where that has this zoom at least.
export const NEAR = 0.86; // the zoom at which a page opens where the whole map is too small

/**
 * What a page does with its map.
 * @typedef {object} MapOptions
 * @property {(pick: MapPick) => unknown} [pick] a hex was clicked, or Enter pressed
 * @property {(hex: Hex | null, key?: string) => unknown} [look] the pointer or the cursor is over a
 *   hex, with the key of the flag that is dragged there
 * @property {(event: Event) => unknown} [list] the list of a hex is asked for
 * @property {() => unknown} [zoomed] the map was drawn
 * @property {number[]} [pad] pixels that stay free at the top, right, bottom and left
 * @property {boolean} [drags] whether flags can be dragged
 */

/** A star map in an element of the page. */
export class StarMap {
  /** @type {Point} where the origin was when marks were laid out */
  laidAt = [0, 0];
  /** @type {MapData} */
  data = {};
  /** @type {MapData} what is drawn of the data: in a crowd some marks are joined */
  shown = {};
  /** @type {Hex | null} */
  cursor = null;
  /** @type {Hex | null} */
  hover = null;
  crowd = false;
  moved = false;
  cost = 0; // milliseconds that laying everything out took
  // A point of the world is at x + k * its own x on the screen, as in D3's zoom transforms.
  k = 1;
  x = 0;
  y = 0;
  least = 1; // the zoom that shows the whole map
  /** @type {number | undefined} the timer after which a map that was moved is laid out again */
  rest;
  #isDue = false;
  #layered = "";
  #written = "";
  /** @type {Hex[]} */
  #hexes = [];
  /** @type {Promise<(event: Event) => void> | null} */
  #input = null;
  /** @type {((map: StarMap) => MapData | null) | null} */
  #cluster = null;
  /** @type {((map: StarMap, space: ScreenSpace) => string) | null} */
  #drawEyes = null;

  /**
   * @param {HTMLElement} host
   * @param {MapGround} chart
   * @param {MapOptions} options
   */
  constructor(host, chart, options = {}) {
    this.host = host;
    this.chart = chart;
    this.pick = options.pick ?? (() => {});
    this.look = options.look ?? (() => {});
    this.list = options.list ?? null;
    this.zoomed = options.zoomed ?? (() => {});
    this.pad = options.pad ?? [22, 14, 14, 26];
    this.drags = options.drags ?? false;
    this.width = STEP * (chart.columns - 1) + 2 * SIDE;
    this.height = HEIGHT * chart.rows + (chart.columns > 1 ? HEIGHT / 2 : 0);
    // Settled systems come first, and find room for their names.
    this.byRank = [...chart.systems].sort((a, b) => Number(b.settled) - Number(a.settled));
    this.layers = buildLayers();
    this.svg = this.layers.svg;
    this.over = this.layers.over;
    host.classList.add("map-host");
    host.replaceChildren(this.svg);
    host.starMap = this;
    this.#drawGround();
    this.fit();
    this.#listen();
    new ResizeObserver(() => {
      if (this.moved) {
        this.keepInView();
      } else {
        this.fit();
      }
    }).observe(host);
  }

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
    this.layers.closed.setAttribute("d", outlines(this.chart.closed ?? []));
  }

  /** @param {string} power */
  seat(power) {
    return this.chart.powers?.[power]?.seat ?? 0;
  }

  /** @param {Hex} hex */
  has(hex) {
    const [column, row] = spot(hex);
    return column >= 1 && row >= 1 && column <= this.chart.columns && row <= this.chart.rows;
  }

  /** Return all hexes of the map. */
  allHexes() {
    if (!this.#hexes.length) {
      for (let column = 1; column <= this.chart.columns; column++) {
        for (let row = 1; row <= this.chart.rows; row++) {
          this.#hexes.push(label(column, row));
        }
      }
    }
    return this.#hexes;
  }

  /**
   * Return the line around hexes, as the data of a path.
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

  /** @returns {Point} the width and height of its window in pixels */
  size() {
    return [this.host.clientWidth || 600, this.host.clientHeight || 400];
  }

  /** Show the whole map. */
  fit() {
    const [width, height] = this.size();
    const [top, right, bottom, left] = this.pad;
    const room = [width - left - right, height - top - bottom];
    this.moved = false;
    this.least = Math.max(0.05, Math.min(room[0] / this.width, room[1] / this.height));
    this.k = this.least;
    this.x = left + (room[0] - this.width * this.k) / 2;
    this.y = top + (room[1] - this.height * this.k) / 2;
    this.draw();
  }

  /**
   * @param {number} factor
   * @param {Point} [at] the pixel that stays where it is; the middle if left out
   */
  zoom(factor, at) {
    const [width, height] = this.size();
    const [px, py] = at ?? [width / 2, height / 2];
    const k = Math.max(this.least, Math.min(MAX_ZOOM, this.k * factor));
    this.x = px - ((px - this.x) * k) / this.k;
    this.y = py - ((py - this.y) * k) / this.k;
    this.k = k;
    this.moved = k > this.least * 1.01;
    this.keepInView();
  }

  /**
   * Bring a hex into the middle.
   * @param {Hex} hex
   * @param {number} k the zoom
   */
  go(hex, k = this.k) {
    const [width, height] = this.size();
    const [x, y] = centre(hex);
    const [top, right, bottom, left] = this.pad;
    this.k = Math.max(this.least, k);
    this.x = left + (width - left - right) / 2 - x * this.k;
    this.y = top + (height - top - bottom) / 2 - y * this.k;
    this.moved = true;
    this.keepInView();
  }

  /**
   * Keep a part of the map in its window, and draw it. A zoomed map may be moved past its edge, so
   * that flags at the rim have room.
   */
  keepInView() {
    const [width, height] = this.size();
    const [top, right, bottom, left] = this.pad;
    const slack = this.moved ? 70 : 0;
    /**
     * @param {number} at
     * @param {number} start of the room
     * @param {number} room
     * @param {number} length of the map
     */
    const within = (at, start, room, length) =>
      length <= room - 1
        ? start + (room - length) / 2
        : Math.max(start + room - length - slack, Math.min(start + slack, at));
    this.x = within(this.x, left, width - left - right, this.width * this.k);
    this.y = within(this.y, top, height - top - bottom, this.height * this.k);
    this.draw();
  }

  /** Put the world where x, y and k say. */
  place() {
    const transform = `translate(${round(this.x)} ${round(this.y)}) scale(${this.k})`;
    this.layers.world.setAttribute("transform", transform);
  }

  /**
   * @param {Hex} hex
   * @returns {Point} where its centre is, in pixels of the window
   */
  at(hex) {
    const [x, y] = centre(hex);
    return [x * this.k + this.x, y * this.k + this.y];
  }

  #listen() {
    // Many only look at a map: what handles its events is fetched with the first touch.
    const load = () => {
      this.#input ??= import("./chart_input.js").then(
        ({ inputHandler }) => inputHandler(this),
        (error) => {
          this.#input = null;
          throw error;
        },
      );
      return this.#input;
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
   * Say whether a turn of the wheel, a key or a press of the other button is for the map.
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
    return this.list !== null;
  }

  /**
   * Set the cursor on a hex, in sight.
   * @param {Hex} hex
   */
  moveCursor(hex) {
    this.cursor = hex;
    const [x, y] = this.at(hex);
    const [width, height] = this.size();
    const [top, , bottom] = this.pad;
    if (x < 40 || y < top || x > width - 40 || y > height - bottom) {
      this.go(hex);
    }
    this.shade();
    this.look(hex);
  }

  /** Mark the hexes under the pointer and the cursor. */
  shade() {
    this.layers.hover.setAttribute("d", this.hover ? outlines([this.hover]) : "");
    this.layers.cursor.setAttribute("d", this.cursor ? outlines([this.cursor]) : "");
  }

  /** @param {MapData} data */
  show(data) {
    this.data = data;
    this.draw();
  }

  /** Lay everything out in the next frame. */
  draw() {
    if (this.#isDue) {
      return;
    }
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.paint();
    });
  }

  /** Lay everything out now. */
  paint() {
    const began = performance.now();
    const [width, height] = this.size();
    this.laidAt = [this.x, this.y];
    this.over.removeAttribute("transform");
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.place();
    const opacity = Math.max(0.35, Math.min(1, (42 * this.k) / 40));
    this.layers.grid.setAttribute("stroke-opacity", String(opacity));
    this.#drawUnder();
    this.shade();
    this.#joinCrowd();
    const [top, , bottom] = this.pad;
    const space = this.moved
      ? new ScreenSpace(width, height)
      : new ScreenSpace(width, height, top - 26, height - bottom + 30);
    const drawn = this.#lay(space);
    if (drawn !== this.#written) {
      this.#written = drawn;
      this.over.innerHTML = drawn;
    }
    this.cost = performance.now() - began;
    this.zoomed();
  }

  /**
   * Return all that is read. What is laid out first stands best, what is drawn last lies above.
   * @param {ScreenSpace} space
   */
  #lay(space) {
    /** @param {(() => string)[]} labels */
    const draw = (labels) => labels.map((withLabel) => withLabel()).join("");
    const ground = links(this) + ways(this) + stars(this, space);
    const own = flags(this, space);
    const seen = [...marks(this, space), ...contacts(this, space)];
    const settledFirst = this.crowd ? "" : names(this, space, true);
    const ownWithLabels = draw(own);
    const seenWithLabels = draw(seen);
    const settledLast = this.crowd ? names(this, space, true) : "";
    const words = settledFirst + settledLast + names(this, space, false);
    const eyes = this.#eyes(space);
    return (
      ground + numbers(this, space) + words + seenWithLabels + ownWithLabels + eyes + clashes(this)
    );
  }

  /** Join marks where there are too many. What does it is fetched then. */
  #joinCrowd() {
    const count = (this.data.fleets ?? []).length + (this.data.contacts ?? []).length;
    const isCrowded = count > CROWD;
    if (isCrowded && !this.#cluster) {
      import("./chart_clusters.js").then(({ clustered }) => {
        this.#cluster = clustered;
        this.draw();
      });
    }
    const joined = isCrowded && this.#cluster ? this.#cluster(this) : null;
    this.shown = joined ?? this.data;
    this.crowd = joined !== null;
  }

  /** @param {ScreenSpace} space */
  #eyes(space) {
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

  /** Draw reach and rings, where they have changed. */
  #drawUnder() {
    const { reach, rings = [] } = this.data;
    const id = `${reach?.id ?? ""} ${JSON.stringify(rings)}`;
    if (id === this.#layered) {
      return;
    }
    this.#layered = id;
    const circles = rings.map((ring) => {
      const hexes = this.allHexes().filter((hex) => distance(ring.hex, hex) <= ring.far);
      const d = this.outline(hexes);
      return svg("path", { class: `${ring.cls} seat-${ring.seat ?? 0}`, d });
    });
    this.layers.under.replaceChildren(...(reach ? this.#bands(reach) : []), ...circles);
  }

  /**
   * Return bands of reach, the furthest first: this week's edge is whole, later ones are dashed.
   * @param {MapReach} reach
   */
  #bands({ bands }) {
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

/** Build the layers of a map, from the ground up. */
function buildLayers() {
  const grid = svg("path", { class: "grid" });
  const closed = svg("path", { class: "shut" });
  const rim = svg("path", { class: "rim" });
  const under = svg("g", { "data-under": "" });
  const hover = svg("path", { class: "hover" });
  const cursor = svg("path", { class: "picked" });
  const world = svg("g", { "data-world": "" }, grid, closed, rim, under, hover, cursor);
  const over = svg("g", { "data-over": "" });
  const glow = svg(
    "radialGradient",
    { id: "star-glow" },
    svg("stop", { offset: "0", class: "glow-in" }),
    svg("stop", { offset: ".4", class: "glow-mid" }),
    svg("stop", { offset: "1", class: "glow-out" }),
  );
  const attributes = { class: "map", "aria-hidden": "true" };
  const drawing = svg("svg", attributes, svg("defs", {}, glow), world, over);
  return { svg: drawing, world, grid, closed, rim, under, hover, cursor, over };
}

/**
 * Return one edge of a hex, as the data of a path.
 * @param {number} x
 * @param {number} y
 * @param {number} n
 */
function edge(x, y, n) {
  const [ax, ay] = CORNERS[n];
  const [bx, by] = CORNERS[(n + 1) % 6];
  return `M${x + ax} ${y + ay}L${x + bx} ${y + by}`;
}

/**
 * Return hexes, each with its edges, as the data of a path.
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
 * Keep the map's ruler and first row below the words that lie over its upper edge, however many
 * they are.
 * @param {StarMap} map
 * @param {HTMLElement} words
 */
export function beneath(map, words) {
  new ResizeObserver(() => {
    const liesOver = getComputedStyle(words).position === "absolute";
    const top = liesOver ? Math.max(84, words.offsetHeight + 14) : 22;
    if (top === map.pad[0]) {
      return;
    }
    map.pad = [top, ...map.pad.slice(1)];
    if (map.moved) {
      map.keepInView();
    } else {
      map.fit();
    }
  }).observe(words);
}

/**
 * @param {string} name
 * @param {string} words
 * @param {string} d of its sign
 */
function zoomButton(name, words, d) {
  const sign = svg("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" }, svg("path", { d }));
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.zoom = name;
  button.ariaLabel = words;
  button.append(sign);
  return button;
}

/**
 * Put the zoom buttons of a map into a box, and show it.
 * @param {StarMap} map
 * @param {HTMLElement} box
 */
export function tools(map, box) {
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
 * Make an element the host of a map that keys can be used in.
 * @param {HTMLElement} host
 */
export function describe(host) {
  host.setAttribute("role", "application");
  host.setAttribute("aria-roledescription", phrase`star map`);
}
