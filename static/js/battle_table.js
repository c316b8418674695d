// The table of a battle: pan and zoom by mouse, touch, buttons and keys; marks of constant size; names that never overlap.
// The world is in MU, y upwards; marks and names lie above it in pixels. Symbols are of one sprite (`<body data-icons>`).

import { lazily } from "./lazily.js";

const NS = "http://www.w3.org/2000/svg";
const RADIUS = { fighter: 8, escort: 10, cruiser: 12, capital: 14, merchant: 12, installation: 13 }; // pixels of each silhouette
const KEEPS_CLEAR = 22; // pixels around a mark's centre in which a touch still means it

export const icons = document.body.dataset.icons ?? "";
export const COURSES = Array.from({ length: 13 }, (_, c) => [
  Math.sin((c * Math.PI) / 6),
  Math.cos((c * Math.PI) / 6),
]);

/** An SVG element with its attributes and children. */
export function el(name, attrs = {}, ...kids) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attrs)) {
    if (value !== undefined && value !== false) {
      node.setAttribute(key, value);
    }
  }
  node.append(...kids.filter((kid) => kid !== undefined && kid !== ""));
  return node;
}

const FAMILY = getComputedStyle(document.documentElement).fontFamily;
const ruler = document.createElement("canvas").getContext("2d");
const widths = new Map();
function wide(text, font) {
  const key = font + text;
  if (!widths.has(key)) {
    ruler.font = font;
    widths.set(key, ruler.measureText(text).width);
  }
  return widths.get(key);
}

/** Whether a single key is meant for the page: nobody types, and the reader has not turned them off (`<body data-keys="off">`). */
const off = document.body.dataset.keys === "off";
export const ours = (e) =>
  !(
    (off && e.key.length === 1 && e.key !== " ") ||
    e.ctrlKey ||
    e.metaKey ||
    e.altKey ||
    e.target.matches("select, textarea, input:not([type=range], [type=checkbox], [type=radio])")
  );

/**
 * The table in an `svg`, of `w` by `h` MU. A page may set `ontap(id, [x, y], event)`, `onhover(id, [px, py])`, `ondrag(id,
 * "start"|"move"|"end", [x, y], moved)`, which says whether it takes the drag; `about()`, whom the cursor is for (`battle_places.js`); `onview(table)` after every drawing; `keep(table)`, boxes in
 * pixels that names keep free of; `follow()`, the place in MU that stays in the middle. `arrows`: whether these move the table.
 */
export class Table {
  constructor(svg, [w, h], { pad = 2.5, arrows = true } = {}) {
    Object.assign(this, {
      svg,
      w,
      h,
      pad,
      arrows,
      marks: new Map(),
      k: 1,
      tx: 0,
      ty: 0,
      follow: null,
      fitted: true,
      onview: () => {},
      ontap: () => {},
      ondrag: null,
    });
    svg.removeAttribute("viewBox");
    svg.replaceChildren();
    this.world = svg.appendChild(el("g", { class: "world" }));
    let lines = "";
    for (let x = 12; x < w; x += 12) {
      lines += `M${x} 0V${h}`;
    }
    for (let y = 12; y < h; y += 12) {
      lines += `M0 ${y}H${w}`;
    }
    this.world.append(
      el("rect", { class: "floor", width: w, height: h }),
      el("path", { class: "lines", d: lines }),
    );
    this.ground = this.world.appendChild(el("g"));
    this.under = this.world.appendChild(el("g"));
    this.scale = svg.appendChild(el("g", { class: "scale", "aria-hidden": "true" }));
    this.dots = svg.appendChild(el("g"));
    this.over = svg.appendChild(el("g"));
    this.tags = svg.appendChild(el("g", { "aria-hidden": "true" }));
    this.top = svg.appendChild(el("g", { "aria-hidden": "true" }));
    this.#listen();
    new ResizeObserver(() => this.#sized()).observe(svg);
  }

  #sized() {
    const box = this.svg.getBoundingClientRect();
    const first = !this.width;
    Object.assign(this, { width: box.width, height: box.height });
    if (first || this.fitted) {
      this.fit(this.want);
    } else {
      this.draw();
    }
  }

  /** Show the whole table, or a box [x1, y1, x2, y2] in MU, until the reader moves it. */
  fit(box) {
    this.want = box;
    if (!this.width) {
      return;
    }
    const [x1, y1, x2, y2] = box ?? [-this.pad, -this.pad, this.w + this.pad, this.h + this.pad];
    this.k = Math.min(this.width / (x2 - x1), this.height / (y2 - y1));
    this.tx = this.width / 2 - ((x1 + x2) / 2) * this.k;
    this.ty = this.height / 2 + ((y1 + y2) / 2) * this.k;
    this.fitted = true;
    if (!this.quiet) {
      this.draw();
    }
  }

  zoom(by, px = this.width / 2, py = this.height / 2) {
    const k = Math.max(
      Math.min(this.width / this.w, this.height / this.h) * 0.7,
      Math.min(60, this.k * by),
    );
    const f = k / this.k;
    this.tx = px - (px - this.tx) * f;
    this.ty = py - (py - this.ty) * f;
    this.k = k;
    this.fitted = false;
    this.draw();
  }

  pan(dx, dy) {
    this.tx += dx;
    this.ty += dy;
    this.fitted = false;
    this.draw();
  }
  centre(x, y) {
    this.tx = this.width / 2 - x * this.k;
    this.ty = this.height / 2 + y * this.k;
    this.fitted = false;
    this.draw();
  }
  px(x, y) {
    return [this.tx + x * this.k, this.ty - y * this.k];
  }
  mu(px, py) {
    return [(px - this.tx) / this.k, (this.ty - py) / this.k];
  }

  /**
   * A mark: {x, y, course, facing, size, cls, name, sub, rank, label, tab, scale, hidden}. `size`: its silhouette; `cls`: its seat and
   * what it is ("seat-2 foe bogey"); `rank`: who is named first where room is short; `label`: makes it a button of that name.
   */
  mark(id, data) {
    let one = this.marks.get(id);
    if (!one) {
      const body = el("use", { x: -16, y: -16, width: 32, height: 32 });
      const halo = el("circle", { class: "halo" });
      const grip = el("circle", { class: "grip" });
      one = { id, node: el("g", { class: "mark" }, grip, halo, body), body, halo, grip };
      one.node.dataset.id = id;
      this.over.append(one.node);
      this.marks.set(id, one);
    }
    Object.assign(one, data);
    put(one.node, "class", `mark ${one.cls ?? ""}`);
    put(one.node, "display", one.hidden ? "none" : "inline");
    put(
      one.body,
      "href",
      `${icons}#${/\bwreck\b/.test(one.cls) ? "lost" : `ship-${one.size in RADIUS ? one.size : "escort"}`}`,
    );
    if (one.label) {
      put(one.node, "role", "button");
      put(one.node, "aria-label", one.label);
      put(one.node, "tabindex", one.tab ?? -1);
    }
    return one;
  }

  unmark(id) {
    this.marks.get(id)?.node.remove();
    this.marks.delete(id);
  }

  /** What lies on the table beside ships: [{kind, x, y, r, words, cls}], `r` in MU, 0: a small mark. */
  pieces(list) {
    this.ground.replaceChildren(
      ...list
        .filter((one) => one.r)
        .map(({ kind, x, y, r, words, cls = "" }) =>
          el("circle", { class: `thing ${kind} ${cls}`, cx: x, cy: y, r }, el("title", {}, words)),
        ),
    );
    this.spots = list
      .filter((one) => !one.r)
      .map((one) => ({
        ...one,
        node: el(
          "circle",
          { class: `dot ${one.kind} ${one.cls ?? ""}`, r: 4 },
          el("title", {}, one.words),
        ),
      }));
    this.dots.replaceChildren(...this.spots.map((one) => one.node));
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
    for (const one of this.spots ?? []) {
      one.node.setAttribute(
        "transform",
        `translate(${this.px(one.x, one.y)
          .map((n) => n.toFixed(1))
          .join(" ")})`,
      );
    }
    for (const one of this.marks.values()) {
      const [x, y] = this.px(one.x, one.y);
      one.px = x;
      one.py = y;
      const grow = Math.max(0.8, Math.min(1.7, this.k / 11)) * (one.scale ?? 1);
      one.rr = (RADIUS[one.size] ?? 11) * grow;
      put(one.node, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      put(
        one.body,
        "transform",
        `rotate(${((one.facing ?? one.course ?? 0) * 30).toFixed(1)}) scale(${grow.toFixed(2)})`,
      );
      put(one.halo, "r", (one.rr + 5).toFixed(1));
      put(one.grip, "r", Math.max(one.rr + 6, KEEPS_CLEAR).toFixed(1));
    }
    this.#numbers();
    this.name();
    this.onview(this);
  }

  #numbers() {
    const key = [this.k, this.tx, this.ty, this.width, this.height]
      .map((n) => Math.round(n * 10))
      .join();
    if (key === this.numbered) {
      return;
    }
    this.numbered = key;
    const out = [];
    const [, bottom] = this.px(0, 0);
    const every = this.k < 5 ? 24 : 12;
    for (let x = 0; x <= this.w; x += every) {
      out.push(
        el(
          "text",
          { x: this.px(x, 0)[0].toFixed(1), y: Math.min(bottom + 14, this.height - 4).toFixed(1) },
          String(x),
        ),
      );
    }
    for (let y = every; y <= this.h; y += every) {
      out.push(
        el(
          "text",
          {
            x: Math.max(this.px(0, y)[0] - 12, 12).toFixed(1),
            y: (this.px(0, y)[1] + 4).toFixed(1),
          },
          String(y),
        ),
      );
    }
    this.scale.replaceChildren(...out);
  }

  /** Names: tried around their mark, then further out on a leader; who finds no room goes without. Those of high rank first. */
  name(extra = []) {
    const list = [...this.marks.values()].filter((one) => !one.hidden);
    const boxes = list
      .map((one) => [one.px - one.rr, one.py - one.rr, one.px + one.rr, one.py + one.rr])
      .concat(extra, this.keep?.(this) ?? []);
    const hit = (b) =>
      b[0] < 2 ||
      b[1] < 2 ||
      b[2] > this.width - 2 ||
      b[3] > this.height - 2 ||
      boxes.some((o) => b[0] < o[2] && b[2] > o[0] && b[1] < o[3] && b[3] > o[1]);
    const out = [];
    for (const one of list.filter((m) => m.name).sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0))) {
      const cls = `name ${one.cls ?? ""}`;
      const bold = /chosen/.test(one.cls ?? "") ? "650 " : "";
      const w =
        wide(one.name, `${bold}12px ${FAMILY}`) +
        (one.sub ? wide(` ${one.sub}`, `11px ${FAMILY}`) : 0) +
        4;
      const hgt = 15;
      one.named = false;
      for (const gap of [5, 18, 34, 52]) {
        const d = one.rr + gap;
        const q = d * 0.72;
        const spots = [
          [d, -hgt / 2],
          [-d - w, -hgt / 2],
          [q, -q - hgt + 4],
          [q, q - 4],
          [-q - w, -q - hgt + 4],
          [-q - w, q - 4],
          [-w / 2, -d - hgt],
          [-w / 2, d],
        ];
        if (one.spot !== undefined && gap === 5) {
          spots.unshift(spots[one.spot]);
        }
        for (const [i, [dx, dy]] of spots.entries()) {
          const b = [one.px + dx, one.py + dy, one.px + dx + w, one.py + dy + hgt];
          if (hit(b)) {
            continue;
          }
          boxes.push(b);
          if (gap === 5) {
            one.spot = one.spot === undefined ? i : i === 0 ? one.spot : i - 1;
          } else {
            const ex = Math.max(b[0], Math.min(one.px, b[2]));
            const ey = Math.max(b[1] + 3, Math.min(one.py, b[3] - 3));
            const far = Math.hypot(ex - one.px, ey - one.py) || 1;
            out.push(
              el("line", {
                class: "leader",
                x1: one.px + ((ex - one.px) / far) * (one.rr + 2),
                y1: one.py + ((ey - one.py) / far) * (one.rr + 2),
                x2: ex,
                y2: ey,
              }),
            );
          }
          out.push(
            el(
              "text",
              { class: cls, x: (b[0] + 2).toFixed(1), y: (b[1] + 11.5).toFixed(1) },
              one.name,
              one.sub ? el("tspan", { class: "sub" }, ` ${one.sub}`) : "",
            ),
          );
          one.named = true;
          break;
        }
        if (one.named) {
          break;
        }
        if (gap === 5) {
          one.spot = undefined;
        }
      }
    }
    this.tags.replaceChildren(...out);
  }

  /** Whether a key is the table's, which then does it: Z nearer, X farther, F all of it, T a cursor, arrows where they move it. */
  key(e) {
    const mine = (this.arrows && e.key.startsWith("Arrow")) || /^[zxft+-]$/i.test(e.key);
    if (mine) {
      e.preventDefault();
      this.hand(e);
    }
    return mine;
  }

  #listen() {
    // whoever only looks needs no hand: it is fetched with the first touch
    const { svg } = this;
    const load = async () => (await import("./battle_hand.js")).hand(this);
    svg.addEventListener("keydown", (e) => {
      if (ours(e) && this.key(e)) {
        e.stopPropagation();
      }
    });
    this.hand = lazily(
      svg,
      ["wheel", "pointerdown", "pointermove", "pointerup", "pointercancel"],
      load,
      (e) => {
        if (e.type === "wheel") {
          e.preventDefault();
        }
        if (e.type === "pointerdown" && !e.button) {
          svg.setPointerCapture(e.pointerId);
        }
        return true;
      },
    );
  }
}

function put(node, name, value) {
  if (node.getAttribute(name) !== String(value)) {
    node.setAttribute(name, value);
  }
}
