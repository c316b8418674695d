// A cursor on the table for players without a pointer: arrows move it by 1 MU, with Shift by 6;
// Space goes from ship to ship; Enter is a touch of the table where it is. It says how far it is
// from whom it is for, and whether that is in reach. Fetched with its first use.

import { byId, line, say } from "./battle_page.js";
import { ask, judge } from "./battle_places.js";
import { COURSES } from "./battle_table.js";
import { html, svg } from "./dom.js";
import { number, phrase } from "./phrase.js";

/** @import { Table } from "./battle_table.js" */

/** @typedef {(table: Table, id: string | undefined, at: TablePoint) => void} Touch */
/** @typedef {{x: number, y: number, id?: string, name: string}} Spot */

/** @type {Record<string, Point>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const STEP = 1; // MU
const STRIDE = 6; // MU
const MARGIN = 48; // pixels to the edge of what is shown
const CLOSE = 12; // MU within which a ship is spoken of
const LABEL_ROOM = 220; // pixels to the right edge: with less the label is on the left
const SAME = 0.06; // MU within which two places are the same
const HINT = phrase`Arrows: 1 MU, with Shift 6. Space: next ship. End: limit of the range. Enter: choose this place. Escape: close.`;

/** @type {Cursor | null} */
let current = null;

/**
 * @param {{x: number, y: number}} spot
 * @param {TablePoint} from
 */
const distance = ({ x, y }, from) => Math.hypot(x - from[0], y - from[1]);

/** @param {number} value */
const tenth = (value) => Math.round(value * 10) / 10;

/**
 * @param {TablePoint} place
 * @returns {TablePoint}
 */
const rounded = ([x, y]) => [tenth(x), tenth(y)];

/** @param {string | undefined} className */
const isFoe = (className) => / foe\b/.test(className ?? "");

/** A cursor on the table. */
class Cursor {
  /** @type {string | undefined} the mark that it is on */
  id;
  name = ""; // of the spot that it is on

  /**
   * @param {Table} table
   * @param {Touch} touch
   */
  constructor(table, touch) {
    this.table = table;
    this.touch = touch;
    this.back = document.activeElement;
    this.label = svg("text", { x: 16, y: -14 });
    const cross = "M-13 0H-4M4 0H13M0 -13V-4M0 4V13";
    this.node = svg(
      "g",
      {
        class: "cursor",
        tabindex: 0,
        role: "button",
        "aria-roledescription": phrase`cursor`,
        "aria-label": phrase`Cursor. ${HINT}`,
      },
      svg("circle", { class: "halo", r: 17 }),
      svg("path", { class: "edge", d: cross }),
      svg("path", { d: cross }),
      svg("circle", { r: 2 }),
      this.label,
    );
    this.way = table.world.appendChild(svg("g", { class: "cursor-way" }));
    this.onview = table.onview;
    this.keep = table.keep;
    const owner = this.owner;
    /** @type {TablePoint} */
    this.at = rounded(owner.value ?? owner.from);
    this.pressKey = this.pressKey.bind(this);
  }

  /** Put it onto the table. */
  enter() {
    const { table, node } = this;
    node.addEventListener("blur", () => {
      if (current === this && document.hasFocus()) {
        this.leave();
        byId("tell").hidden = true;
      }
    });
    table.onview = (shown) => {
      this.onview(shown);
      this.draw();
    };
    table.keep = (shown) => [...(this.keep?.(shown) ?? []), ...this.boxes()];
    addEventListener("keydown", this.pressKey, true);
    table.svg.append(node);
    node.focus({ preventScroll: true });
    this.go(this.at, undefined, true);
  }

  /** Take it away. */
  leave() {
    const { table, node, back } = this;
    current = null;
    removeEventListener("keydown", this.pressKey, true);
    table.onview = this.onview;
    table.keep = this.keep;
    const hadFocus = document.activeElement === node;
    node.remove();
    this.way.remove();
    if (hadFocus && (back instanceof HTMLElement || back instanceof SVGElement)) {
      back.focus();
    }
  }

  /**
   * Whom it is for: what asks for a place, or else the ship or group in hand.
   * @returns {CursorOwner}
   */
  get owner() {
    const { table } = this;
    if (table.asked || table.about) {
      return table.asked ?? table.about?.() ?? { name: "", from: [0, 0] };
    }
    return {
      name: byId("control-panel-name").textContent ?? "",
      from: table.centred?.() ?? [0, 0],
    };
  }

  /** Return the boxes that names keep free: of the cursor and of its label. */
  boxes() {
    const [x, y] = this.table.px(...this.at);
    const { width, height } = this.label.getBBox();
    const left = this.isLabelLeft(x) ? x - 18 - width : x + 14;
    /** @type {Box[]} */
    const boxes = [
      [x - 16, y - 16, x + 16, y + 16],
      [left, y - 28, left + width + 4, y - 28 + height],
    ];
    return boxes;
  }

  /** @param {number} x pixels */
  isLabelLeft(x) {
    return x > this.table.width - LABEL_ROOM;
  }

  /**
   * Say how far it is and why it is out of reach. Where a ship is aimed at, the one that it is on
   * counts.
   */
  judge() {
    const owner = this.owner;
    const { words, refusal } = judge(owner, this.at);
    const mark = this.id === undefined ? undefined : this.table.marks.get(this.id);
    if (owner.aims && mark && isFoe(mark.cls)) {
      const isInReach = owner.aims.includes(mark.id);
      return { words, refusal: isInReach ? "" : phrase`out of range`, saysReach: true };
    }
    return { words, refusal, saysReach: Boolean(owner.reach) };
  }

  /**
   * Return where it may go by Space: all that is on the table, and where others come to if they fly
   * on, the nearest first.
   */
  spots() {
    const { from, ahead = false } = this.owner;
    const aims = this.table.asked?.aims;
    const marks = [...this.table.marks.values()].filter((mark) => !mark.hidden);
    /** @type {Spot[]} */
    const spots = [
      ...marks.flatMap((mark) => this.spotsOf(mark, ahead)),
      ...this.table.spots.map(({ x, y, words }) => ({ x, y, name: words })),
    ];
    // Where a ship is asked for, there are no other places.
    const isOffered = (/** @type {Spot} */ spot) =>
      aims ? aims.includes(spot.id ?? "") : distance(spot, from) > 0.05;
    return spots.filter(isOffered).sort((a, b) => distance(a, from) - distance(b, from));
  }

  /**
   * @param {Mark} mark
   * @param {boolean} ahead whether it counts where it comes to if it flies on
   * @returns {Spot[]}
   */
  spotsOf(mark, ahead) {
    const { id, x, y, v, course = 0 } = mark;
    const ship = id.endsWith("*") ? this.table.marks.get(id.slice(0, -1)) : undefined;
    const name = ship ? phrase`${ship.name}, end of its move` : mark.name || mark.label || "";
    const here = { id, name, x, y };
    if (!ahead || !v || !isFoe(mark.cls)) {
      return [here];
    }
    const [dx, dy] = COURSES[course];
    const later = {
      name: phrase`${mark.name}, if it keeps its course`,
      x: x + v * dx,
      y: y + v * dy,
    };
    return [here, later];
  }

  /**
   * Say where it is.
   * @param {boolean} isFirst whether it has just come
   */
  tell(isFirst) {
    const { words, refusal, saysReach } = this.judge();
    const { name } = this.owner;
    const [nearest] = this.spots().sort((a, b) => distance(a, this.at) - distance(b, this.at));
    const away = nearest ? distance(nearest, this.at) : Infinity;
    const isNear = !this.name && away <= CLOSE;
    const parts = [
      isFirst ? name : "",
      this.name || rounded(this.at).join(", "),
      words,
      saysReach ? refusal || phrase`in range` : "",
      isNear ? phrase`${number(away, 1)} MU from ${nearest.name}` : "",
    ];
    say(parts.filter(Boolean).join(phrase`; `));
    const note = byId("tell");
    note.hidden = false;
    note.replaceChildren(
      html("b", {}, name),
      ` ${byId("say").textContent} `,
      html("span", { className: "keyed" }, HINT),
    );
  }

  draw() {
    const { words, refusal } = this.judge();
    const [x, y] = this.table.px(...this.at);
    const isLeft = this.isLabelLeft(x);
    const column = isLeft ? -16 : 16;
    this.node.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    this.node.classList.toggle("bad", Boolean(refusal));
    this.label.replaceChildren(
      svg("tspan", {}, words),
      ...(refusal ? [svg("tspan", { x: column, dy: 14 }, refusal)] : []),
    );
    this.label.setAttribute("text-anchor", isLeft ? "end" : "start");
    this.label.setAttribute("x", String(column));
    this.way.replaceChildren(line("plan chosen drift", [this.owner.from, this.at]));
  }

  /**
   * @param {TablePoint} to
   * @param {Spot} [spot]
   * @param {boolean} isFirst whether it has just come
   */
  go(to, spot, isFirst = false) {
    const { table } = this;
    this.at = [Math.max(0, Math.min(table.w, to[0])), Math.max(0, Math.min(table.h, to[1]))];
    this.id = spot?.id;
    this.name = spot?.name ?? "";
    const [x, y] = table.px(...this.at);
    const isBeside = x < MARGIN || y < MARGIN;
    this.draw();
    if (isBeside || x > table.width - MARGIN || y > table.height - MARGIN) {
      table.centre(...this.at);
    } else {
      table.draw();
    }
    this.tell(isFirst);
  }

  /** Go as far as is reached, on the way it points to, else ahead. */
  goFurthest() {
    const { from, reach, turn = 0 } = this.owner;
    if (!reach) {
      return;
    }
    const [x, y] = this.at;
    const away = Math.hypot(x - from[0], y - from[1]);
    /** @type {TablePoint} */
    const pointed = [(x - from[0]) / away, (y - from[1]) / away];
    const way = away > 0.05 ? pointed : COURSES[turn % 12];
    const far = reach[1] - 0.1; // Written to a tenth, it is still in reach.
    this.go(rounded([from[0] + way[0] * far, from[1] + way[1] * far]));
  }

  /** @param {1 | -1} by to the next or the previous spot */
  step(by) {
    const spots = this.spots();
    const index = spots.findIndex(
      (spot) => distance(spot, this.at) < SAME && (!this.name || spot.name === this.name),
    );
    const start = index < 0 && by < 0 ? 0 : index;
    const spot = spots.at((start + by) % spots.length);
    if (spot) {
      this.go([spot.x, spot.y], spot);
    }
  }

  press() {
    const { table } = this;
    const wasAsked = table.asked;
    this.touch(table, this.id, this.at);
    if (wasAsked) {
      current?.leave();
    } else {
      this.draw();
    }
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {(() => void) | undefined} what a key does
   */
  actionOf({ key, shiftKey }) {
    if (key in WAYS) {
      const [dx, dy] = WAYS[key];
      const by = shiftKey ? STRIDE : STEP;
      return () => this.go([this.at[0] + dx * by, this.at[1] + dy * by]);
    }
    /** @type {Record<string, () => void>} */
    const actions = {
      " ": () => this.step(shiftKey ? -1 : 1),
      Home: () => this.go(this.owner.from),
      End: () => this.goFurthest(),
      Enter: () => this.press(),
      Escape: () => {
        this.leave();
        ask(this.table, null);
        say(phrase`Cursor closed`);
      },
    };
    return actions[key];
  }

  /** @param {KeyboardEvent} event */
  pressKey(event) {
    const isHeld = event.ctrlKey || event.metaKey || event.altKey;
    const action = this.actionOf(event);
    if (document.activeElement === this.node && !isHeld && action) {
      event.preventDefault();
      event.stopImmediatePropagation();
      action();
    }
  }
}

/**
 * Put a cursor on the table.
 * @param {Table} table
 * @param {Touch} touch
 */
export function cursor(table, touch) {
  current?.leave();
  current = new Cursor(table, touch);
  current.enter();
}
