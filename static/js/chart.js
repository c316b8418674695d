// The star map: pan and zoom; pointers and keys: chart_hand.js. Two layers: the world (grid, reach, rings), scaled; over it, in
// pixels, all that is read (chart_marks.js). Data: campaign/web/chart_data.py.
//
// pick    ({hex, key, shift, drop, typed}): a hex was clicked or Enter pressed; key: of the flag under it, "" of a stack; drop: of the flag that was drawn there
// list    (event): the list of a hex is asked for
// look    (hex or null, key): what the pointer or the cursor is over; key: of the flag that is drawn there

import {
  CORNERS,
  SIDE,
  STEP,
  HEIGHT,
  centre,
  distance,
  label,
  neighbour,
  round,
  spot,
} from "./hex.js";
import { lazily } from "./lazily.js";
import {
  Places,
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
import { phrase } from "./phrase.js";

const MOST = 4.5; // the greatest zoom
export const LEGIBLE = 0.5; // a page opens with the whole map where it has at least this zoom there
const MANY = 24; // flags and contacts: of more, some may be one (chart_crowd.js)

export class StarMap {
  constructor(
    host,
    chart,
    {
      pick = () => {},
      look = () => {},
      list = null,
      zoomed = () => {},
      pad = [22, 14, 14, 26],
      drags = false,
    } = {},
  ) {
    Object.assign(this, {
      host,
      chart,
      pick,
      look,
      list,
      zoomed,
      pad,
      drags,
      data: {},
      cursor: null,
      hover: null,
      moved: false,
    });
    this.width = STEP * (chart.columns - 1) + 2 * SIDE;
    this.height = HEIGHT * chart.rows + (chart.columns > 1 ? HEIGHT / 2 : 0);
    this.star = new Map(chart.systems.map((system) => [system.hex, system]));
    this.byRank = [...chart.systems].sort((a, b) => (b.settled ? 1 : 0) - (a.settled ? 1 : 0));
    this.shut = new Set(chart.closed ?? []);
    host.classList.add("map-host");
    host.innerHTML = `<svg class="map" aria-hidden="true"><defs><radialGradient id="star-glow"><stop offset="0" class="glow-in"/><stop offset=".4" class="glow-mid"/><stop offset="1" class="glow-out"/></radialGradient></defs><g data-world><path class="grid"/><path class="shut"/><path class="rim"/><g data-under></g><path class="hover"/><path class="picked"/></g><g data-over></g></svg>`;
    this.svg = host.firstElementChild;
    for (const part of ["world", "under", "over"]) {
      this[part] = host.querySelector(`[data-${part}]`);
    }
    host.starMap = this;
    this.ground();
    this.fit();
    this.listen();
    new ResizeObserver(() => {
      if (this.moved) {
        this.hold();
      } else {
        this.fit();
      }
    }).observe(host);
  }

  ground() {
    let grid = "";
    let rim = "";
    for (const hex of this.every()) {
      const [x, y] = centre(hex);
      grid += `M${x + 24} ${y}l-12 21h-24l-12-21`;
      for (let n = 0; n < 6; n++) {
        if (!this.has(neighbour(hex, n))) {
          rim += this.edge(x, y, n);
        }
      }
    }
    this.world.querySelector(".grid").setAttribute("d", grid);
    this.world.querySelector(".rim").setAttribute("d", rim);
    this.world.querySelector(".shut").setAttribute("d", this.hexes([...this.shut]));
  }

  seat(power) {
    return this.chart.powers?.[power]?.seat ?? 0;
  }
  has(hex) {
    const [c, r] = spot(hex);
    return c >= 1 && r >= 1 && c <= this.chart.columns && r <= this.chart.rows;
  }
  edge(x, y, n) {
    const [a, b] = [CORNERS[n], CORNERS[(n + 1) % 6]];
    return `M${x + a[0]} ${y + a[1]}L${x + b[0]} ${y + b[1]}`;
  }
  hexes(list) {
    return list
      .map((hex) => {
        const [x, y] = centre(hex);
        return `M${x + 24} ${y}l-12 21h-24l-12-21 12-21h24z`;
      })
      .join("");
  }

  every() {
    if (!this.all) {
      this.all = [];
      for (let c = 1; c <= this.chart.columns; c++) {
        for (let r = 1; r <= this.chart.rows; r++) {
          this.all.push(label(c, r));
        }
      }
    }
    return this.all;
  }

  outline(list) {
    const inside = new Set(list);
    let d = "";
    for (const hex of list) {
      const [x, y] = centre(hex);
      for (let n = 0; n < 6; n++) {
        const next = neighbour(hex, n);
        if (this.has(next) && !inside.has(next)) {
          d += this.edge(x, y, n);
        }
      }
    }
    return d;
  }

  /** Bands of reach, the furthest first: this week's edge is whole, later ones are dashed. */
  bands({ bands }) {
    let html = "";
    for (let week = bands.length; week >= 1; week--) {
      html += `<path class="reach reach-${week}" d="${this.hexes(bands[week - 1])}"/><path class="edge edge-${week}" d="${this.outline(bands.slice(0, week).flat())}"/>`;
    }
    return html;
  }

  size() {
    return [this.host.clientWidth || 600, this.host.clientHeight || 400];
  }

  fit() {
    const [w, h] = this.size();
    const [t, r, b, l] = this.pad;
    this.moved = false;
    this.k = this.least = Math.max(
      0.05,
      Math.min((w - l - r) / this.width, (h - t - b) / this.height),
    );
    this.x = l + (w - l - r - this.width * this.k) / 2;
    this.y = t + (h - t - b - this.height * this.k) / 2;
    this.draw();
  }

  zoom(by, at) {
    const [w, h] = this.size();
    const [px, py] = at ?? [w / 2, h / 2];
    const k = Math.max(this.least, Math.min(MOST, this.k * by));
    this.x = px - ((px - this.x) * k) / this.k;
    this.y = py - ((py - this.y) * k) / this.k;
    this.k = k;
    this.moved = k > this.least * 1.01;
    this.hold();
  }

  /** Look at a hex, at this zoom or another. */
  go(hex, k = this.k) {
    const [w, h] = this.size();
    const [x, y] = centre(hex);
    const [t, r, b, l] = this.pad;
    this.k = Math.max(this.least, k);
    this.x = l + (w - l - r) / 2 - x * this.k;
    this.y = t + (h - t - b) / 2 - y * this.k;
    this.moved = true;
    this.hold();
  }

  /** A part of the map stays in its window; a zoomed one may be drawn past its edge, so that flags at the rim have room. */
  hold() {
    const [w, h] = this.size();
    const [t, r, b, l] = this.pad;
    const slack = this.moved ? 70 : 0;
    const keep = (at, low, room, long) =>
      long <= room - 1
        ? low + (room - long) / 2
        : Math.max(low + room - long - slack, Math.min(low + slack, at));
    this.x = keep(this.x, l, w - l - r, this.width * this.k);
    this.y = keep(this.y, t, h - t - b, this.height * this.k);
    this.draw();
  }

  place() {
    this.world.setAttribute(
      "transform",
      `translate(${round(this.x)} ${round(this.y)}) scale(${this.k})`,
    );
  }

  /** Where a hex's centre is, in pixels of the map. */
  at(hex) {
    const [x, y] = centre(hex);
    return [x * this.k + this.x, y * this.k + this.y];
  }

  listen() {
    // whoever only looks needs no hand: it is fetched with the first touch
    const load = () =>
      (this.hand ??= import("./chart_hand.js").then(
        ({ hand }) => hand(this),
        (error) => {
          this.hand = null;
          throw error;
        },
      ));
    lazily(
      this.svg,
      ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave"],
      load,
      (event) => {
        if (event.type === "pointerdown" && !event.button) {
          this.svg.setPointerCapture(event.pointerId);
        }
        return true;
      },
    );
    lazily(this.host, ["wheel", "keydown", "contextmenu"], load, (event) => {
      const takes =
        event.type === "contextmenu"
          ? this.list
          : event.type === "wheel"
            ? event.ctrlKey || this.host.matches(":focus-within, .owns-wheel")
            : event.target === this.host &&
              !event.ctrlKey &&
              !event.metaKey &&
              !event.altKey &&
              /^(Arrow(Up|Down|Left|Right)|Enter|[ +=0-])$/.test(event.key);
      if (takes) {
        event.preventDefault();
      }
      return takes;
    });
  }

  /** Set the cursor on a hex, in sight. */
  walk(hex) {
    this.cursor = hex;
    const [x, y] = this.at(hex);
    const [w, h] = this.size();
    const [t, , b] = this.pad;
    if (x < 40 || y < t || x > w - 40 || y > h - b) {
      this.go(hex);
    }
    this.shade();
    this.look(hex);
  }

  shade() {
    const draw = (name, hex) =>
      this.world.querySelector(name).setAttribute("d", hex ? this.hexes([hex]) : "");
    draw(".hover", this.hover);
    draw(".picked", this.cursor);
  }

  show(data) {
    this.data = data;
    this.draw();
  }

  draw() {
    if (this.due) {
      return;
    }
    this.due = requestAnimationFrame(() => {
      this.due = 0;
      this.paint();
    });
  }

  /** Lay everything out. `cost`: how long that took, in milliseconds. */
  paint() {
    const began = performance.now();
    const [w, h] = this.size();
    const { data } = this;
    this.laid = [this.x, this.y];
    this.over.removeAttribute("transform");
    this.svg.setAttribute("viewBox", `0 0 ${w} ${h}`);
    this.place();
    this.world
      .querySelector(".grid")
      .setAttribute("stroke-opacity", Math.max(0.35, Math.min(1, (42 * this.k) / 40)));
    this.lower(data);
    this.shade();
    const many = (data.fleets ?? []).length + (data.contacts ?? []).length > MANY;
    if (many && !this.gathered) {
      import("./chart_crowd.js").then(({ gathered }) => {
        this.gathered = gathered;
        this.draw();
      });
    }
    this.shown = (many && this.gathered?.(this)) || data;
    this.crowd = this.shown !== data;
    const [t, , b] = this.pad;
    const places = this.moved ? new Places(w, h) : new Places(w, h, t - 26, h - b + 30);
    const ground = links(this) + ways(this) + stars(this, places);
    const own = flags(this, places);
    const seen = [...marks(this, places), ...contacts(this, places)]; // each in its hex
    const settled = this.crowd ? "" : names(this, places, true);
    const drawn = (all) => all.map((one) => one()).join("");
    const flown = drawn(own);
    const spotted = drawn(seen); // with their labels, where there is room
    const words =
      settled + (this.crowd ? names(this, places, true) : "") + names(this, places, false);
    if (data.eyes?.length && !this.eyes) {
      import("./chart_eyes.js").then(({ eyes }) => {
        this.eyes = eyes;
        this.draw();
      });
    }
    const known = data.eyes?.length && this.eyes ? this.eyes(this, places) : "";
    const all = ground + numbers(this, places) + words + spotted + flown + known + clashes(this);
    if (all !== this.written) {
      this.over.innerHTML = this.written = all;
    }
    this.cost = performance.now() - began;
    this.zoomed(42 * this.k);
  }

  /** Reach and rings: drawn anew only where they are others. */
  lower(data) {
    const id = `${data.reach?.id ?? ""} ${JSON.stringify(data.rings ?? [])}`;
    if (id === this.lain) {
      return;
    }
    this.lain = id;
    const rings = (data.rings ?? []).map(
      (ring) =>
        `<path class="${ring.cls} seat-${ring.seat ?? 0}" d="${this.outline(this.every().filter((hex) => distance(ring.hex, hex) <= ring.far))}"/>`,
    );
    this.under.innerHTML = (data.reach ? this.bands(data.reach) : "") + rings.join("");
  }
}

const ICONS = {
  in: [phrase`Zoom in`, "M9 3v12M3 9h12"],
  out: [phrase`Zoom out`, "M3 9h12"],
  all: [phrase`Show the whole map`, "M3 7V3h4M11 3h4v4M15 11v4h-4M7 15H3v-4"],
};

/** Where words lie over the map's upper edge, its ruler and first row stand beneath them, however many they are. */
export function beneath(map, words) {
  new ResizeObserver(() => {
    const top =
      getComputedStyle(words).position === "absolute" ? Math.max(84, words.offsetHeight + 14) : 22;
    if (top === map.pad[0]) {
      return;
    }
    map.pad = [top, ...map.pad.slice(1)];
    if (map.moved) {
      map.hold();
    } else {
      map.fit();
    }
  }).observe(words);
}

/** Zoom buttons for a map, in an empty box. */
export function tools(map, box) {
  box.innerHTML = Object.entries(ICONS)
    .map(
      ([what, [words, d]]) =>
        `<button type="button" data-zoom="${what}" aria-label="${words}"><svg viewBox="0 0 18 18" aria-hidden="true"><path d="${d}"/></svg></button>`,
    )
    .join("");
  box.addEventListener("click", (event) => {
    const what = event.target.closest("[data-zoom]")?.dataset.zoom;
    if (what === "in") {
      map.zoom(1.5);
    }
    if (what === "out") {
      map.zoom(1 / 1.5);
    }
    if (what === "all") {
      map.fit();
    }
  });
}
