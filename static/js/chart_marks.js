// What is read on a star map, laid out in pixels of the screen: the same size at every zoom. Who is laid out first stands best.

import { label, round } from "./hex.js";
import { phrase } from "./phrase.js";

const SETTLED_ONLY = 17, COUNTS_ONLY = 32, CLOSE = 62, FAN = 84; // pixels of a hex at which more is shown
const LINE = 22; // of a stack of flags
const CELL = 64; // of the index of what is laid out

export const esc = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const wide = (text, size = 12) => String(text).length * size * 0.55;
const sum = (counts) => counts.reduce((all, n) => all + n, 0);
const emblem = (seat, x, y, size = 10) => (seat ? `<use class="em" href="${document.body.dataset.emblems}#e${seat}" x="${x}" y="${y}" width="${size}" height="${size}"/>` : "");

/** Boxes of the screen that are taken: asked for a free place among some, or the one that covers least. */
export class Places {
  constructor(width, height, top = -Infinity, foot = Infinity) { // above and below them something else may lie
    Object.assign(this, { width, height, top, foot, cells: new Map() });
  }

  *near([x0, y0, x1, y1]) {
    for (let c = Math.floor(x0 / CELL); c <= Math.floor(x1 / CELL); c++)
      for (let r = Math.floor(y0 / CELL); r <= Math.floor(y1 / CELL); r++) yield* this.cells.get(c * 4096 + r) ?? [];
  }

  take(box) {
    for (let c = Math.floor(box[0] / CELL); c <= Math.floor(box[2] / CELL); c++)
      for (let r = Math.floor(box[1] / CELL); r <= Math.floor(box[3] / CELL); r++) {
        const key = c * 4096 + r;
        if (!this.cells.has(key)) this.cells.set(key, []);
        this.cells.get(key).push(box);
      }
  }

  free(box) {
    if (box[0] <= 3 || box[2] >= this.width - 3 || box[1] < this.top || box[3] > this.foot) return false;
    for (const t of this.near(box)) if (box[0] < t[2] && box[2] > t[0] && box[1] < t[3] && box[3] > t[1]) return false;
    return true;
  }

  harm(box) {
    let all = 60 * Math.max(0, 3 - box[0], box[2] - this.width + 3, this.top - box[1], box[3] - this.foot);
    for (const t of this.near(box)) all += Math.max(0, Math.min(box[2], t[2]) - Math.max(box[0], t[0])) * Math.max(0, Math.min(box[3], t[3]) - Math.max(box[1], t[1]));
    return all;
  }

  /** The first free spot of some; else null, or the one that covers least. */
  find(spots, box, must = true) {
    let least = null, best = null;
    for (const one of spots) {
      const here = box(one);
      if (this.free(here)) return one;
      if (!must) continue;
      const harm = this.harm(here);
      if (least === null || harm < least) [least, best] = [harm, one];
    }
    return best;
  }

  inside(x, y, margin = 60) {
    return x > -margin && y > -margin && x < this.width + margin && y < this.height + margin;
  }
}

const spread = (near, ...steps) => [...near, ...steps.flatMap(([dx, dy]) => near.map(([a, b]) => [a + Math.sign(a) * dx, b + Math.sign(b) * dy]))];

/** Stars, who holds them, their bases. */
export function stars(map, places) {
  const { data, k } = map, r = Math.max(3.2, Math.min(9, k * 6)), out = [];
  for (const system of map.chart.systems) {
    const [x, y] = map.at(system.hex).map(round);
    if (!places.inside(x, y)) continue;
    const hold = data.holds?.[system.hex], seat = hold?.power ? map.seat(hold.power) : 0;
    if (system.settled) out.push(`<circle class="glow" cx="${x}" cy="${y}" r="${round(r * 3.2)}"/>`);
    out.push(`<circle class="${system.settled ? "core" : "core minor"}" cx="${x}" cy="${y}" r="${round(system.settled ? r * 0.62 : r * 0.4)}"/>`);
    if (hold?.power) out.push(`<circle class="hold seat-${seat}${hold.here ? "" : " old"}${hold.state === "held" ? "" : ` ${hold.state}`}" cx="${x}" cy="${y}" r="${round(r * 1.5)}"/>`);
    if (system.base) out.push(`<path class="base" transform="translate(${round(x - r * 1.5 - 9)} ${y})" d="M-5-5H5v3.5H2V5h-4v-6.5h-3z"/>`);
    if (!map.crowd) places.take([x - r * 1.6 - (system.base ? 14 : 0), y - r * 1.6, x + r * 1.6, y + r * 1.6]);
  }
  return out.join("");
}

/** Names of systems, each with when the chosen fleet is there: of settled ones, read from afar, or of the others. */
export function names(map, places, settled) {
  const { data, k } = map, hexPx = 42 * k, r = Math.max(3.2, Math.min(9, k * 6)), out = [];
  for (const system of map.byRank) {
    const [x, y] = map.at(system.hex);
    if (!system.settled === settled || !places.inside(x, y) || (!settled && hexPx < SETTLED_ONLY)) continue;
    const eta = data.eta?.get(system.hex), about = hexPx >= CLOSE ? system.about : "", tall = 14 * (1 + (eta ? 1 : 0) + (about ? 1 : 0)) + 2;
    const long = Math.max(wide(system.name, system.settled ? 13 : 12), eta ? wide(eta, 11) : 0, about ? wide(about, 11) : 0) + 4;
    const spots = [[x, y + r * 1.6 + 3, "middle"], [x, y - r * 1.6 - tall - 3, "middle"], [x + r * 2 + 6, y - tall / 2, "start"], [x - r * 2 - 6, y - tall / 2, "end"]];
    const box = ([sx, sy, a]) => { const x0 = a === "middle" ? sx - long / 2 : a === "start" ? sx : sx - long; return [x0, sy, x0 + long, sy + tall]; };
    const best = places.find(spots, box, system.settled && !map.crowd);
    if (!best) continue;
    places.take(box(best));
    const [sx, sy, anchor] = best, row = (cls, words, n) => `<text class="${cls} halo" x="${round(sx)}" y="${round(sy + 11 + 13 * n)}">${esc(words)}</text>`;
    out.push(`<g text-anchor="${anchor}">${row(system.settled ? "sysname" : "sysname minor", system.name, 0)}${eta ? row("eta", eta, 1) : ""}${about ? row("sub", about, eta ? 2 : 1) : ""}</g>`);
  }
  return out.join("");
}

/** Own flags: one fleet a flag. Several in a hex are one, which fans out when one of them is chosen or there is room. */
export function flags(map, places) {
  const { data, k } = map, out = [], stacks = new Map();
  for (const fleet of map.shown.fleets ?? []) {
    const id = `${fleet.hex}/${fleet.seat}/${fleet.dummy ? 1 : 0}`;
    if (!stacks.has(id)) stacks.set(id, []);
    stacks.get(id).push(fleet);
  }
  for (const stack of stacks.values()) {
    const [x, y] = map.at(stack[0].hex);
    if (!places.inside(x, y)) continue;
    const fan = stack.length > 1 && (data.fan === stack[0].hex || 42 * k >= FAN);
    const shown = fan || stack.length === 1 ? stack : [heap(stack)];
    const named = (f) => (f.on || fan || (f.many && !map.crowd) || 42 * k >= CLOSE ? f.name : "");
    const number = (f) => f.code ?? sum(f.n), cloth = (f) => 22 + wide(number(f), 12) + 4;
    const long = Math.max(...shown.map((f) => cloth(f) + 2 + (named(f) ? wide(named(f), 12) + 8 : 0))), tall = LINE * shown.length;
    const lone = !map.star.has(stack[0].hex);
    const near = [[8, -15 - tall], [8, 12], [-8 - long, -15 - tall], [-8 - long, 12], [14, -tall / 2], [-14 - long, -tall / 2]];
    const spots = stack[0].spots ?? [...(lone ? [[-12, -9 - (tall - LINE)]] : []), ...spread(near, [14, 14], [22, 30])];
    const [dx, dy] = places.find(spots, ([a, b]) => [x + a, y + b, x + a + long, y + b + tall]);
    places.take([x + dx, y + dy, x + dx + long, y + dy + tall]);
    shown.forEach((f, n) => {
      const fx = round(x + dx), fy = round(y + dy + LINE * n), w = round(cloth(f)), shape = (a, b) => `M${a} ${b}h${w}l-4 9 4 9h-${w}z`;
      const pin = f.spots || (lone && dx === -12) ? "" : `<path class="pin" d="M${Math.max(fx, Math.min(fx + w, round(x)))} ${fy + 18}L${round(x)} ${round(y)}"/>`;
      out.push(
        `<g class="flag seat-${f.seat}${f.ftl ? " ftl" : ""}${f.dummy ? " dummy" : ""}${f.on ? " on" : ""}" data-key="${esc(f.many ? "" : f.key)}" data-hex="${f.hex}"${f.cluster ? " data-cluster" : ""}>${pin}` +
        `${f.many ? `<path class="cloth back" d="${shape(fx + 3, fy - 3)}"/>` : ""}<rect class="touch" x="${fx - 6}" y="${fy - 8}" width="${w + 12}" height="34"/><path class="cloth" d="${shape(fx, fy)}"/>` +
        `${emblem(f.seat, fx + 4, fy + 4)}<text class="n" x="${fx + 17}" y="${fy + 13.3}">${number(f)}</text>` +
        `${named(f) ? `<text class="name halo" x="${fx + w + 5}" y="${fy + 13}">${esc(named(f))}</text>` : ""}${f.todo ? `<circle class="todo" cx="${fx}" cy="${fy}" r="4.2"/>` : ""}</g>`,
      );
    });
  }
  return out.join("");
}

const heap = (stack) => ({
  ...stack[0], code: undefined, n: stack[0].n.map((_, i) => stack.reduce((all, f) => all + f.n[i], 0)), many: true, name: phrase`${stack.length} fleets`,
  on: stack.some((f) => f.on), todo: stack.some((f) => f.todo), ftl: stack.every((f) => f.ftl),
});

/** Contacts: a lozenge with the emblem, the count, and how long ago. The body fades with age, the words do not. */
export function contacts(map, places) {
  const out = [], { k } = map, small = 42 * k < COUNTS_ONLY;
  for (const c of map.shown.contacts ?? []) {
    const [x, y] = map.at(c.hex);
    if (!places.inside(x, y)) continue;
    const many = sum(c.n), words = 42 * k >= CLOSE || c.on ? c.words : small ? String(many) : phrase`${many} {:ship|ships}`;
    const age = c.gone ? phrase`gone` : c.age === 0 ? (small ? "" : phrase`now`) : small ? phrase`${c.age}w` : phrase`${c.age} wk`;
    const long = 24 + wide(words, 11) + wide(age, 11) + 8;
    const spots = c.spots ?? spread([[10, -30], [-10 - long, -30], [10, 10], [-10 - long, 8], [14, -10], [-14 - long, -10]], [16, 14], [26, 32]);
    const [dx, dy] = places.find(spots, ([a, b]) => [x + a, y + b, x + a + long, y + b + 20]);
    places.take([x + dx, y + dy, x + dx + long, y + dy + 20]);
    const gx = round(x + dx), gy = round(y + dy);
    out.push(
      `<g class="ghost seat-${c.seat} a${c.gone ? 3 : Math.min(3, c.age)}" data-hex="${c.hex}"${c.cluster ? " data-cluster" : ""}>${c.spots ? "" : `<path class="pin" d="M${round(gx + (dx > 0 ? 2 : long))} ${gy + 10}L${round(x)} ${round(y)}"/>`}` +
      `<rect class="touch" x="${gx - 4}" y="${gy - 6}" width="${round(long + 8)}" height="32"/><path class="body" d="M${gx} ${gy + 10}l10-10 10 10-10 10z"/>` +
      `${emblem(c.seat, gx + 5.5, gy + 5.5, 9)}<text class="halo" x="${gx + 24}" y="${gy + 14}"><tspan class="many">${esc(words)}</tspan> <tspan class="age">${age}</tspan></text></g>`,
    );
  }
  return out.join("");
}

/** Markers that lie open on the map: an arrow with their numbers. */
export function marks(map, places) {
  const out = [];
  for (const m of map.data.marks ?? []) {
    const [x, y] = map.at(m.hex);
    if (!places.inside(x, y)) continue;
    const long = 22 + wide(m.label, 11) + 8, spots = spread([[10, -9], [-10 - long, -9], [8, 10], [-8 - long, 10], [8, -28], [-8 - long, -28]], [14, 14]);
    const [dx, dy] = places.find(spots, ([a, b]) => [x + a, y + b, x + a + long, y + b + 18]);
    places.take([x + dx, y + dy, x + dx + long, y + dy + 18]);
    const fx = round(x + dx), fy = round(y + dy), w = round(long - 8);
    out.push(
      `<g class="mark seat-${m.seat}" data-hex="${m.hex}"><path class="pin" d="M${fx} ${fy + 9}L${round(x)} ${round(y)}"/><path class="body" d="M${fx} ${fy}h${w}l8 9-8 9h-${w}z"/>` +
      `${emblem(m.seat, fx + 4, fy + 4)}<text x="${fx + 17}" y="${fy + 13}">${esc(m.label)}</text></g>`,
    );
  }
  return out.join("");
}

/** Ways: `hexes` from where it begins; `cls` now nothing, "later" or "then"; `tip` an arrow; `week` where a week ends. */
export function ways(map) {
  const out = [];
  for (const way of map.data.ways ?? []) {
    const points = way.hexes.map((hex) => map.at(hex).map(round));
    out.push(`<g class="seat-${way.seat}"><path class="way ${way.cls ?? ""}" d="M${points.map((p) => p.join(" ")).join("L")}"/>`);
    const [a, b] = points.slice(-2);
    if (way.tip && b) out.push(`<path class="way-tip" transform="translate(${b[0]} ${b[1]}) rotate(${round((Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI)})" d="M-9-5.5 1.5 0-9 5.5-6.5 0z"/>`);
    const end = points.at(-1);
    if (way.week) out.push(`<circle class="week-dot" cx="${end[0]}" cy="${end[1]}" r="3.5"/><text class="week-no halo" x="${end[0]}" y="${round(end[1] - 8)}">${phrase`wk ${way.week}`}</text>`);
    out.push("</g>");
  }
  return out.join("");
}

export function links(map) {
  return (map.chart.links ?? []).map((link) => {
    const [a, b] = [map.at(link.a).map(round), map.at(link.b).map(round)];
    return `<path class="link ${esc(link.kind)}" d="M${a.join(" ")}L${b.join(" ")}"/><circle class="link-end" cx="${a[0]}" cy="${a[1]}" r="${round(8 * map.k)}"/><circle class="link-end" cx="${b[0]}" cy="${b[1]}" r="${round(8 * map.k)}"/>`;
  }).join("");
}

export function clashes(map) {
  return (map.data.fights ?? []).map((hex) => {
    const [x, y] = map.at(hex).map(round);
    return `<g transform="translate(${x} ${y})"><circle class="clash-bg" r="9.5"/><path class="clash" d="M-4-4 4 4M4-4-4 4"/></g>`;
  }).join("");
}

/** Numbers of columns and rows along the edge, or of every hex where one is near. */
export function numbers(map, places) {
  const { chart, k } = map, out = [], top = Math.max(13, map.pad[0] - 8);
  if (42 * k >= CLOSE) {
    for (const hex of map.every()) {
      const [x, y] = map.at(hex), at = y - 21 * k + 4;
      if (places.inside(x, y, 0) && places.free([x - 14, at, x + 14, at + 11])) out.push(`<text class="hexno" x="${round(x)}" y="${round(at + 9)}">${hex}</text>`);
    }
    return out.join("");
  }
  const two = (n) => String(n).padStart(2, "0"), across = Math.ceil(22 / (36 * k)), down = Math.ceil(14 / (42 * k));
  for (let c = 1; c <= chart.columns; c += across) {
    const [x] = map.at(label(c, 1));
    if (x > 26 && x < places.width - 10) out.push(`<text class="ruler halo" text-anchor="middle" x="${round(x)}" y="${top}">${two(c)}</text>`);
  }
  for (let r = 1; r <= chart.rows; r += down) {
    const [, y] = map.at(label(1, r));
    if (y > top + 12 && y < places.height - map.pad[2]) out.push(`<text class="ruler halo" x="5" y="${round(y + 4)}">${two(r)}</text>`);
  }
  return out.join("");
}
