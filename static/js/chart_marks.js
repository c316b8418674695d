// What is read on a star map, laid out in pixels of the screen: the same size at every zoom. Who is laid out first stands best.

import { label, round } from "./hex.js";
import { phrase } from "./phrase.js";

const SETTLED_ONLY = 17;
const COUNTS_ONLY = 32;
const CLOSE = 62;
const FAN = 84; // pixels of a hex at which more is shown
const CELL = 64; // of the index of what is laid out

export const esc = (text) =>
  String(text).replace(
    /[&<>"]/g,
    (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c],
  );
const wide = (text, size = 12) => String(text).length * size * 0.55;
const sum = (counts) => counts.reduce((all, n) => all + n, 0);
const emblem = (seat, x, y, size = 10) =>
  seat
    ? `<use class="em" href="${document.body.dataset.emblems}#e${seat}" x="${x}" y="${y}" width="${size}" height="${size}"/>`
    : "";

/** Boxes of the screen that are taken: asked for a free place among some, or the one that covers least. */
export class Places {
  constructor(width, height, top = -Infinity, foot = Infinity) {
    // above and below them something else may lie
    Object.assign(this, { width, height, top, foot, cells: new Map() });
  }

  *near([x0, y0, x1, y1]) {
    for (let c = Math.floor(x0 / CELL); c <= Math.floor(x1 / CELL); c++) {
      for (let r = Math.floor(y0 / CELL); r <= Math.floor(y1 / CELL); r++) {
        yield* this.cells.get(c * 4096 + r) ?? [];
      }
    }
  }

  take(box) {
    for (let c = Math.floor(box[0] / CELL); c <= Math.floor(box[2] / CELL); c++) {
      for (let r = Math.floor(box[1] / CELL); r <= Math.floor(box[3] / CELL); r++) {
        const key = c * 4096 + r;
        if (!this.cells.has(key)) {
          this.cells.set(key, []);
        }
        this.cells.get(key).push(box);
      }
    }
  }

  free(box) {
    if (box[0] <= 3 || box[2] >= this.width - 3 || box[1] < this.top || box[3] > this.foot) {
      return false;
    }
    for (const t of this.near(box)) {
      if (box[0] < t[2] && box[2] > t[0] && box[1] < t[3] && box[3] > t[1]) {
        return false;
      }
    }
    return true;
  }

  harm(box) {
    let all =
      60 * Math.max(0, 3 - box[0], box[2] - this.width + 3, this.top - box[1], box[3] - this.foot);
    for (const t of this.near(box)) {
      all +=
        Math.max(0, Math.min(box[2], t[2]) - Math.max(box[0], t[0])) *
        Math.max(0, Math.min(box[3], t[3]) - Math.max(box[1], t[1]));
    }
    return all;
  }

  /** The first free spot of some; else null, or the one that covers least. */
  find(spots, box, must = true) {
    let least = null;
    let best = null;
    for (const one of spots) {
      const here = box(one);
      if (this.free(here)) {
        return one;
      }
      if (!must) {
        continue;
      }
      const harm = this.harm(here);
      if (least === null || harm < least) {
        [least, best] = [harm, one];
      }
    }
    return best;
  }

  inside(x, y, margin = 60) {
    return x > -margin && y > -margin && x < this.width + margin && y < this.height + margin;
  }
}

/** Stars, who holds them, their bases. */
export function stars(map, places) {
  const { data, k } = map;
  const r = Math.max(3.2, Math.min(9, k * 6));
  const out = [];
  for (const system of map.chart.systems) {
    const [x, y] = map.at(system.hex).map(round);
    if (!places.inside(x, y)) {
      continue;
    }
    const hold = data.holds?.[system.hex];
    const seat = hold?.power ? map.seat(hold.power) : 0;
    if (system.settled) {
      out.push(`<circle class="glow" cx="${x}" cy="${y}" r="${round(r * 3.2)}"/>`);
    }
    out.push(
      `<circle class="${system.settled ? "core" : "core minor"}" cx="${x}" cy="${y}" r="${round(system.settled ? r * 0.62 : r * 0.4)}"/>`,
    );
    if (hold?.power) {
      out.push(
        `<circle class="hold seat-${seat}${hold.here ? "" : " old"}${hold.state === "held" ? "" : ` ${hold.state}`}" cx="${x}" cy="${y}" r="${round(r * 1.5)}"/>`,
      );
    }
    if (system.base) {
      out.push(
        `<path class="base" transform="translate(${round(x - r * 1.5 - 9)} ${y})" d="M-5-5H5v3.5H2V5h-4v-6.5h-3z"/>`,
      );
    }
    if (!map.crowd) {
      places.take([x - r * 1.6 - (system.base ? 14 : 0), y - r * 1.6, x + r * 1.6, y + r * 1.6]);
    }
  }
  return out.join("");
}

/** Names of systems, each with when the chosen fleet is there: of settled ones, read from afar, or of the others. */
export function names(map, places, settled) {
  const { data, k } = map;
  const hexPx = 42 * k;
  const r = Math.max(3.2, Math.min(9, k * 6));
  const out = [];
  for (const system of map.byRank) {
    const [x, y] = map.at(system.hex);
    if (!system.settled === settled || !places.inside(x, y) || (!settled && hexPx < SETTLED_ONLY)) {
      continue;
    }
    const eta = data.eta?.get(system.hex);
    const about = hexPx >= CLOSE ? system.about : "";
    const tall = 14 * (1 + (eta ? 1 : 0) + (about ? 1 : 0)) + 2;
    const long =
      Math.max(
        wide(system.name, system.settled ? 13 : 12),
        eta ? wide(eta, 11) : 0,
        about ? wide(about, 11) : 0,
      ) + 4;
    const spots = [
      [x, y + r * 1.6 + 3, "middle"],
      [x, y - r * 1.6 - tall - 3, "middle"],
      [x + r * 2 + 6, y - tall / 2, "start"],
      [x - r * 2 - 6, y - tall / 2, "end"],
    ];
    const box = ([sx, sy, a]) => {
      const x0 = a === "middle" ? sx - long / 2 : a === "start" ? sx : sx - long;
      return [x0, sy, x0 + long, sy + tall];
    };
    const best = places.find(spots, box, system.settled && !map.crowd);
    if (!best) {
      continue;
    }
    places.take(box(best));
    const [sx, sy, anchor] = best;
    const row = (cls, words, n) =>
      `<text class="${cls} halo" x="${round(sx)}" y="${round(sy + 11 + 13 * n)}">${esc(words)}</text>`;
    out.push(
      `<g text-anchor="${anchor}">${row(system.settled ? "sysname" : "sysname minor", system.name, 0)}${eta ? row("eta", eta, 1) : ""}${about ? row("sub", about, eta ? 2 : 1) : ""}</g>`,
    );
  }
  return out.join("");
}

// Where the middle of a mark may be in its hex, in parts of a hex's width and height: own flags above, contacts below.
const FLAGS = [
  [0, -0.4],
  [0, 0.4],
  [-0.2, -0.3],
  [0.2, -0.3],
  [-0.34, 0],
  [0.34, 0],
  [0, 0],
];
const OTHERS = [
  [0, 0.4],
  [0.3, 0.3],
  [-0.3, 0.3],
  [0.36, 0],
  [-0.36, 0],
  [0.28, -0.3],
  [-0.28, -0.3],
  [0, 0],
];
const ROW = 19;
const ROW_LEAST = 13;
const COLUMN = 34; // pixels from middle to middle of marks that fan out in a hex
const LABEL_GAP = 4; // pixels between a mark and its label
const NEAR_LABEL = 9; // pixels from its mark; a label that is further away has a line to it

/** Lay a mark in its hex: it never leaves it, at whatever zoom. `long`: of its label, where that is laid with it, on one side or
 *  the other. Gives the mark's upper left corner, and that of its label. */
function inHex(map, places, hex, spots, wide, tall, long = 0) {
  const [x, y] = map.at(hex);
  const w = 48 * map.k;
  const h = 42 * map.k;
  const beside = long ? [wide + LABEL_GAP, -LABEL_GAP - long] : [0];
  const all = beside.flatMap((label) =>
    spots.map(([a, b]) => [x + a * w - wide / 2, y + b * h - tall / 2, label]),
  );
  const box = ([left, top, label]) => [
    left + Math.min(0, label),
    top,
    left + Math.max(wide, label + long),
    top + tall,
  ];
  const best = places.find(all, box);
  places.take(box(best));
  return [best[0], best[1], best[0] + best[2]].map(round);
}

/** Lay the label of a mark beside it, or further away with a line. */
function labelled(places, [x0, y0, x1, y1], long, tall, draw) {
  const up = (y0 + y1 - tall) / 2;
  const mid = (x0 + x1 - long) / 2;
  const gap = LABEL_GAP;
  const near = [
    [x1 + gap, up],
    [x0 - gap - long, up],
    [mid, y0 - tall - 1],
    [mid, y1 + 1],
    [x1 + gap, y0 - tall],
    [x0 - gap - long, y0 - tall],
    [x1 + gap, y1],
    [x0 - gap - long, y1],
  ];
  const from = [mid, up];
  const further = [16, 30, 48].flatMap((far) =>
    near.map(([a, b]) => [a + Math.sign(a - from[0]) * far, b + Math.sign(b - from[1]) * far]),
  );
  const box = ([a, b]) => [a, b, a + long, b + tall];
  const best = places.find([...near, ...further], box);
  places.take(box(best));
  const [a, b] = best.map(round);
  const apart = Math.max(a - x1, x0 - a - long, b - y1, y0 - b - tall) > NEAR_LABEL;
  const to = [
    Math.max(a, Math.min(a + long, (x0 + x1) / 2)),
    Math.max(b, Math.min(b + tall, (y0 + y1) / 2)),
  ].map(round);
  return (
    (apart
      ? `<path class="pin" d="M${to.join(" ")}L${round((x0 + x1) / 2)} ${round((y0 + y1) / 2)}"/>`
      : "") + draw(a, b)
  );
}

/** Own flags: one fleet a flag. Several in a hex are one, which fans out when one of them is chosen or there is room. Lays the flags; each
 *  of what is returned then lays the label of one, and gives its HTML. */
export function flags(map, places) {
  const { data, k } = map;
  const out = [];
  const stacks = new Map();
  for (const fleet of map.shown.fleets ?? []) {
    const id = `${fleet.hex}/${fleet.seat}/${fleet.dummy ? 1 : 0}`;
    if (!stacks.has(id)) {
      stacks.set(id, []);
    }
    stacks.get(id).push(fleet);
  }
  for (const stack of stacks.values()) {
    const [{ hex }] = stack;
    const [x, y] = map.at(hex);
    if (!places.inside(x, y)) {
      continue;
    }
    const fan = stack.length > 1 && (data.fan === hex || 42 * k >= FAN);
    const grid = fan && fanned(stack.length, k);
    const named = (f) => (f.on || fan || (f.many && !map.crowd) || 42 * k >= CLOSE ? f.name : "");
    if (grid) {
      stack.forEach((f, n) => out.push(flag(map, places, f, [grid[n]], named(f))));
      continue;
    }
    const one = stack.length === 1 ? stack[0] : heap(stack);
    out.push(flag(map, places, one, FLAGS, fan ? "" : named(one)));
    if (fan) {
      stack.forEach((f) => out.push(() => beside(map, places, f)));
    }
  }
  return out;
}

/** Where the middles of so many flags may be for all to be in their hex; null where it is too small. */
function fanned(many, k) {
  const w = 48 * k;
  const h = 42 * k;
  const columns = w > 2 * COLUMN && many > 2 ? 2 : 1;
  const rows = Math.ceil(many / columns);
  const step = Math.min(ROW, (h - 8) / Math.max(1, rows - 1));
  const across = columns > 1 ? COLUMN / 2 : 0;
  const high = ((rows - 1) * step) / 2; // the hex is narrower there
  if (step < ROW_LEAST || (high && across > (w / 2) * (1 - high / h))) {
    return null;
  }
  return Array.from({ length: many }, (_, n) => [
    ((n % columns) * 2 - 1) * (across / w) * (columns > 1),
    (Math.floor(n / columns) * step - high) / h,
  ]);
}

const numberOf = (f) => f.code ?? sum(f.n);
const clothOf = (f) => round(22 + wide(numberOf(f), 12) + 4);
const namedOf = (x, y, f, name) =>
  `<text class="name halo" x="${x}" y="${y + 13}">${esc(name)}</text>`;
const flagged = (f, more) =>
  `<g class="flag seat-${f.seat}${f.ftl ? " ftl" : ""}${f.dummy ? " dummy" : ""}${f.on ? " on" : ""}" data-key="${esc(f.many ? "" : f.key)}" data-hex="${f.hex}"${f.cluster ? " data-cluster" : ""}>${more}</g>`;

/** One flag in its hex. */
function flag(map, places, f, spots, name) {
  const w = clothOf(f);
  const long = name ? wide(name, 12) + 8 : 0;
  const fixed = map.crowd ? long : 0; // in a crowd with its label
  const [fx, fy, at] = f.spots
    ? cornerOf(map, places, f, w)
    : inHex(map, places, f.hex, spots, w, 18, fixed);
  const label = () =>
    fixed
      ? namedOf(at + 2, fy, f, name)
      : labelled(places, [fx, fy, fx + w, fy + 18], long, 18, (a, b) => namedOf(a + 2, b, f, name));
  const shape = (a, b) => `M${a} ${b}h${w}l-4 9 4 9h-${w}z`;
  return () =>
    flagged(
      f,
      `${
        name ? label() : ""
      }${f.many ? `<path class="cloth back" d="${shape(fx + 3, fy - 3)}"/>` : ""}<rect class="touch" x="${fx - 6}" y="${fy - 8}" width="${w + 12}" height="34"/><path class="cloth" d="${shape(fx, fy)}"/>` +
        `${emblem(f.seat, fx + 4, fy + 4)}<text class="n" x="${fx + 17}" y="${fy + 13.3}">${numberOf(f)}</text>` +
        `${f.todo ? `<circle class="todo" cx="${fx}" cy="${fy}" r="4.2"/>` : ""}`,
    );
}

/** A flag of a fan that has no room in its hex: its name alone, beside it. */
function beside(map, places, f) {
  const [x, y] = map.at(f.hex);
  const long = wide(f.name, 12) + 8;
  return flagged(
    f,
    labelled(
      places,
      [x - 16, y - 9, x + 16, y + 9],
      long,
      20,
      (a, b) =>
        `<rect class="touch" x="${a}" y="${b}" width="${long}" height="20"/>${namedOf(a + 2, b + 1, f, f.name)}`,
    ),
  );
}

/** A flag of a crowd, seen from afar (chart_crowd.js). */
function cornerOf(map, places, f, w) {
  const [x, y] = map.at(f.hex);
  const box = ([a, b]) => [x + a, y + b, x + a + w, y + b + 18];
  const best = places.find(f.spots, box);
  places.take(box(best));
  return [x + best[0], y + best[1], x + best[0] + 24].map(round);
}

const heap = (stack) => ({
  ...stack[0],
  code: undefined,
  n: stack[0].n.map((_, i) => stack.reduce((all, f) => all + f.n[i], 0)),
  many: true,
  name: phrase`${stack.length} fleets`,
  on: stack.some((f) => f.on),
  todo: stack.some((f) => f.todo),
  ftl: stack.every((f) => f.ftl),
});

/** Contacts: a lozenge with the emblem in its hex; beside it the count, and how long ago. The body fades with age, the words do not. */
export function contacts(map, places) {
  const out = [];
  const { k } = map;
  const small = 42 * k < COUNTS_ONLY;
  for (const c of map.shown.contacts ?? []) {
    if (!places.inside(...map.at(c.hex))) {
      continue;
    }
    const many = sum(c.n);
    const words =
      42 * k >= CLOSE || c.on ? c.words : small ? String(many) : phrase`${many} {:ship|ships}`;
    const age = c.gone
      ? phrase`gone`
      : c.age === 0
        ? small
          ? ""
          : phrase`now`
        : small
          ? phrase`${c.age}w`
          : phrase`${c.age} wk`;
    const long = wide(words, 11) + wide(age, 11) + 8;
    const [gx, gy, at] = c.spots
      ? cornerOf(map, places, c, 20 + long)
      : inHex(map, places, c.hex, OTHERS, 20, 20, map.crowd ? long : 0);
    const text = (a, b) =>
      `<text class="halo" x="${a}" y="${b + 14}"><tspan class="many">${esc(words)}</tspan> <tspan class="age">${age}</tspan></text>`;
    out.push(
      () =>
        `<g class="ghost seat-${c.seat} a${c.gone ? 3 : Math.min(3, c.age)}" data-hex="${c.hex}"${c.cluster ? " data-cluster" : ""}>${
          map.crowd
            ? text(at, gy)
            : labelled(places, [gx, gy, gx + 20, gy + 20], long, 18, (a, b) => text(a, b - 1))
        }<rect class="touch" x="${gx - 6}" y="${gy - 6}" width="32" height="32"/><path class="body" d="M${gx} ${gy + 10}l10-10 10 10-10 10z"/>${emblem(c.seat, gx + 5.5, gy + 5.5, 9)}</g>`,
    );
  }
  return out;
}

/** Markers that lie open on the map: an arrow with their numbers, in its hex. */
export function marks(map, places) {
  const out = [];
  for (const m of map.data.marks ?? []) {
    if (!places.inside(...map.at(m.hex))) {
      continue;
    }
    const long = round(22 + wide(m.label, 11));
    const [fx, fy] = inHex(map, places, m.hex, OTHERS, long + 8, 18);
    out.push(
      () =>
        `<g class="mark seat-${m.seat}" data-hex="${m.hex}"><path class="body" d="M${fx} ${fy}h${long}l8 9-8 9h-${long}z"/>` +
        `${emblem(m.seat, fx + 4, fy + 4)}<text x="${fx + 17}" y="${fy + 13}">${esc(m.label)}</text></g>`,
    );
  }
  return out;
}

/** Ways: `hexes` from where it begins; `cls` now nothing, "later" or "then"; `tip` an arrow; `week` where a week ends. */
export function ways(map) {
  const out = [];
  for (const way of map.data.ways ?? []) {
    const points = way.hexes.map((hex) => map.at(hex).map(round));
    out.push(
      `<g class="seat-${way.seat}"><path class="way ${way.cls ?? ""}" d="M${points.map((p) => p.join(" ")).join("L")}"/>`,
    );
    const [a, b] = points.slice(-2);
    if (way.tip && b) {
      out.push(
        `<path class="way-tip" transform="translate(${b[0]} ${b[1]}) rotate(${round((Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI)})" d="M-9-5.5 1.5 0-9 5.5-6.5 0z"/>`,
      );
    }
    const end = points.at(-1);
    if (way.week) {
      out.push(
        `<circle class="week-dot" cx="${end[0]}" cy="${end[1]}" r="3.5"/><text class="week-no halo" x="${end[0]}" y="${round(end[1] - 8)}">${phrase`wk ${way.week}`}</text>`,
      );
    }
    out.push("</g>");
  }
  return out.join("");
}

export function links(map) {
  return (map.chart.links ?? [])
    .map((link) => {
      const [a, b] = [map.at(link.a).map(round), map.at(link.b).map(round)];
      return `<path class="link ${esc(link.kind)}" d="M${a.join(" ")}L${b.join(" ")}"/><circle class="link-end" cx="${a[0]}" cy="${a[1]}" r="${round(8 * map.k)}"/><circle class="link-end" cx="${b[0]}" cy="${b[1]}" r="${round(8 * map.k)}"/>`;
    })
    .join("");
}

export function clashes(map) {
  return (map.data.fights ?? [])
    .map((hex) => {
      const [x, y] = map.at(hex).map(round);
      return `<g transform="translate(${x} ${y})"><circle class="clash-bg" r="9.5"/><path class="clash" d="M-4-4 4 4M4-4-4 4"/></g>`;
    })
    .join("");
}

/** Numbers of columns and rows along the edge, or of every hex where one is near. */
export function numbers(map, places) {
  const { chart, k } = map;
  const out = [];
  const top = Math.max(13, map.pad[0] - 8);
  if (42 * k >= CLOSE) {
    for (const hex of map.every()) {
      const [x, y] = map.at(hex);
      const at = y - 21 * k + 4;
      if (places.inside(x, y, 0) && places.free([x - 14, at, x + 14, at + 11])) {
        out.push(`<text class="hexno" x="${round(x)}" y="${round(at + 9)}">${hex}</text>`);
      }
    }
    return out.join("");
  }
  const two = (n) => String(n).padStart(2, "0");
  const across = Math.ceil(22 / (36 * k));
  const down = Math.ceil(14 / (42 * k));
  for (let c = 1; c <= chart.columns; c += across) {
    const [x] = map.at(label(c, 1));
    if (x > 26 && x < places.width - 10) {
      out.push(
        `<text class="ruler halo" text-anchor="middle" x="${round(x)}" y="${top}">${two(c)}</text>`,
      );
    }
  }
  for (let r = 1; r <= chart.rows; r += down) {
    const [, y] = map.at(label(1, r));
    if (y > top + 12 && y < places.height - map.pad[2]) {
      out.push(`<text class="ruler halo" x="5" y="${round(y + 4)}">${two(r)}</text>`);
    }
  }
  return out.join("");
}
