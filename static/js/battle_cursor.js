// A cursor on the table for players who use the keyboard: arrows move it by 1 MU, with Shift by 6;
// Space jumps from ship to ship; Enter taps the table. It announces its distance from the ship or
// group for which it was opened, and whether that is in range. Loaded on its first use.

import { announce, byId, polyline } from "./battle_page.js";
import { describePlace, requestPlace, roundToTenth } from "./battle_places.js";
import { COURSE_VECTORS } from "./battle_table.js";
import { html, svg } from "./dom.js";
import { number, phrase } from "./phrase.js";

/** @import { Table } from "./battle_table.js" */

/** @typedef {(table: Table, id: string | undefined, at: TablePoint) => void} TapHandler */
/**
 * A place to which Space moves the cursor.
 * @typedef {{x: number, y: number, id?: string, name: string}} Spot
 */

/** @type {Record<string, Point>} */
const ARROW_STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const STEP = 1; // MU
const LONG_STEP = 6; // MU
const EDGE_MARGIN = 48; // pixels from the edge of the view; nearer to it, the table is centred
const NEARBY = 12; // MU within which the nearest ship is announced
const LABEL_ROOM = 220; // pixels that the label needs on the right; with less it is on the left
const SAME_PLACE = 0.06; // MU within which two places count as the same
const HINT = phrase`Arrows: 1 MU, with Shift 6. Space: next ship. End: limit of the range. Enter: choose this place. Escape: close.`;

/** @type {Cursor | null} */
let openedCursor = null;

/**
 * Return the distance in MU between a spot and a place.
 * @param {{x: number, y: number}} spot
 * @param {TablePoint} from
 */
const distance = ({ x, y }, from) => Math.hypot(x - from[0], y - from[1]);

/**
 * Round a place to tenths of an MU.
 * @param {TablePoint} place
 * @returns {TablePoint}
 */
const roundPlace = ([x, y]) => [roundToTenth(x), roundToTenth(y)];

/**
 * Check whether a mark is a hostile ship, by its CSS classes.
 * @param {string | undefined} className
 */
const isHostile = (className) => / foe\b/.test(className ?? "");

/** A cursor on the table. */
class Cursor {
  /** @type {string | undefined} the mark under the cursor */
  markId;
  spotName = ""; // the name of the spot under the cursor

  /**
   * @param {Table} table
   * @param {TapHandler} onTap
   */
  constructor(table, onTap) {
    this.table = table;
    this.onTap = onTap;
    this.previousFocus = document.activeElement;
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
    this.pathLayer = table.world.appendChild(svg("g", { class: "cursor-way" }));
    this.pageOnDraw = table.onDraw;
    this.pageReservedBoxes = table.reservedBoxes;
    const owner = this.owner;
    /** @type {TablePoint} */
    this.place = roundPlace(owner.currentPlace ?? owner.from);
    this.handleKey = this.handleKey.bind(this);
  }

  /** Show the cursor and give it the focus. */
  open() {
    const { table, node } = this;
    node.addEventListener("blur", () => {
      if (openedCursor === this && document.hasFocus()) {
        this.close();
        byId("tell").hidden = true;
      }
    });
    table.onDraw = (shown) => {
      this.pageOnDraw(shown);
      this.draw();
    };
    table.reservedBoxes = (shown) => [
      ...(this.pageReservedBoxes?.(shown) ?? []),
      ...this.occupiedBoxes(),
    ];
    addEventListener("keydown", this.handleKey, true);
    table.svg.append(node);
    node.focus({ preventScroll: true });
    this.moveTo(this.place, undefined, true);
  }

  /** Remove the cursor, and give the focus back. */
  close() {
    const { table, node, previousFocus } = this;
    openedCursor = null;
    removeEventListener("keydown", this.handleKey, true);
    table.onDraw = this.pageOnDraw;
    table.reservedBoxes = this.pageReservedBoxes;
    const hadFocus = document.activeElement === node;
    node.remove();
    this.pathLayer.remove();
    if (hadFocus && (previousFocus instanceof HTMLElement || previousFocus instanceof SVGElement)) {
      previousFocus.focus();
    }
  }

  /**
   * What the cursor measures from: the open request for a place, or the selected ship or group.
   * @returns {CursorOwner}
   */
  get owner() {
    const { table } = this;
    if (table.placeRequest || table.cursorOwner) {
      return table.placeRequest ?? table.cursorOwner?.() ?? { name: "", from: [0, 0] };
    }
    return {
      name: byId("control-panel-name").textContent ?? "",
      from: table.ringCentre?.() ?? [0, 0],
    };
  }

  /** Return the boxes of the cursor and its label in pixels; names must not cover them. */
  occupiedBoxes() {
    const [x, y] = this.table.toPixels(...this.place);
    const { width, height } = this.label.getBBox();
    const left = this.isLabelLeft(x) ? x - 18 - width : x + 14;
    /** @type {Box[]} */
    const boxes = [
      [x - 16, y - 16, x + 16, y + 16],
      [left, y - 28, left + width + 4, y - 28 + height],
    ];
    return boxes;
  }

  /**
   * Check whether the label must be on the left of the cursor.
   * @param {number} x the cursor's pixel
   */
  isLabelLeft(x) {
    return x > this.table.width - LABEL_ROOM;
  }

  /**
   * Describe the place of the cursor. On a hostile ship, the list of possible targets decides
   * whether it is in range.
   */
  describePlace() {
    const owner = this.owner;
    const { words, refusal } = describePlace(owner, this.place);
    const mark = this.markId === undefined ? undefined : this.table.marks.get(this.markId);
    if (owner.targets && mark && isHostile(mark.cls)) {
      const isInReach = owner.targets.includes(mark.id);
      return { words, refusal: isInReach ? "" : phrase`out of range`, announcesRange: true };
    }
    return { words, refusal, announcesRange: Boolean(owner.reach) };
  }

  /**
   * Return the places to which Space may move, the nearest first: all marks and points, and where
   * contacts will be if they keep their course.
   */
  findSpots() {
    const { from, includesNextMoves = false } = this.owner;
    const targets = this.table.placeRequest?.targets;
    const marks = [...this.table.marks.values()].filter((mark) => !mark.hidden);
    /** @type {Spot[]} */
    const spots = [
      ...marks.flatMap((mark) => this.spotsOfMark(mark, includesNextMoves)),
      ...this.table.points.map(({ x, y, words }) => ({ x, y, name: words })),
    ];
    // A request for a ship offers only its targets.
    const isOffered = (/** @type {Spot} */ spot) =>
      targets ? targets.includes(spot.id ?? "") : distance(spot, from) > 0.05;
    return spots.filter(isOffered).sort((a, b) => distance(a, from) - distance(b, from));
  }

  /**
   * Return the spot of a mark, and for a contact the one at the end of its next move.
   * @param {Mark} mark
   * @param {boolean} includesNextMove
   * @returns {Spot[]}
   */
  spotsOfMark(mark, includesNextMove) {
    const { id, x, y, v, course = 0 } = mark;
    const ship = id.endsWith("*") ? this.table.marks.get(id.slice(0, -1)) : undefined;
    const name = ship ? phrase`${ship.name}, end of its move` : mark.name || mark.label || "";
    const here = { id, name, x, y };
    if (!includesNextMove || !v || !isHostile(mark.cls)) {
      return [here];
    }
    const [dx, dy] = COURSE_VECTORS[course];
    const later = {
      name: phrase`${mark.name}, if it keeps its course`,
      x: x + v * dx,
      y: y + v * dy,
    };
    return [here, later];
  }

  /**
   * Announce the place of the cursor.
   * @param {boolean} isFirst whether the cursor was just opened
   */
  announcePlace(isFirst) {
    const { words, refusal, announcesRange } = this.describePlace();
    const { name } = this.owner;
    const [nearest] = this.findSpots().sort(
      (a, b) => distance(a, this.place) - distance(b, this.place),
    );
    const away = nearest ? distance(nearest, this.place) : Infinity;
    const isNear = !this.spotName && away <= NEARBY;
    const parts = [
      isFirst ? name : "",
      this.spotName || roundPlace(this.place).join(", "),
      words,
      announcesRange ? refusal || phrase`in range` : "",
      isNear ? phrase`${number(away, 1)} MU from ${nearest.name}` : "",
    ];
    announce(parts.filter(Boolean).join(phrase`; `));
    const noteOnTable = byId("tell");
    noteOnTable.hidden = false;
    noteOnTable.replaceChildren(
      html("b", {}, name),
      ` ${byId("say").textContent} `,
      html("span", { className: "keyed" }, HINT),
    );
  }

  /** Draw the cursor, its label and the line from the ship or group. */
  draw() {
    const { words, refusal } = this.describePlace();
    const [x, y] = this.table.toPixels(...this.place);
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
    this.pathLayer.replaceChildren(polyline("plan chosen drift", [this.owner.from, this.place]));
  }

  /**
   * Move the cursor, and announce its new place.
   * @param {TablePoint} to
   * @param {Spot} [spot] the spot at this place
   * @param {boolean} isFirst whether the cursor was just opened
   */
  moveTo(to, spot, isFirst = false) {
    const { table } = this;
    this.place = [
      Math.max(0, Math.min(table.widthMu, to[0])),
      Math.max(0, Math.min(table.heightMu, to[1])),
    ];
    this.markId = spot?.id;
    this.spotName = spot?.name ?? "";
    const [x, y] = table.toPixels(...this.place);
    const isNearLeftOrTop = x < EDGE_MARGIN || y < EDGE_MARGIN;
    this.draw();
    if (isNearLeftOrTop || x > table.width - EDGE_MARGIN || y > table.height - EDGE_MARGIN) {
      table.centre(...this.place);
    } else {
      table.draw();
    }
    this.announcePlace(isFirst);
  }

  /** Move to the limit of the range: in the direction of the cursor, or straight ahead. */
  moveToRangeLimit() {
    const { from, reach, facing = 0 } = this.owner;
    if (!reach) {
      return;
    }
    const [x, y] = this.place;
    const away = Math.hypot(x - from[0], y - from[1]);
    /** @type {TablePoint} */
    const toCursor = [(x - from[0]) / away, (y - from[1]) / away];
    const direction = away > 0.05 ? toCursor : COURSE_VECTORS[facing % 12];
    const range = reach[1] - 0.1; // Rounding to a tenth must not put the place out of range.
    this.moveTo(roundPlace([from[0] + direction[0] * range, from[1] + direction[1] * range]));
  }

  /**
   * Move to the next or the previous spot.
   * @param {1 | -1} by
   */
  moveToSpot(by) {
    const spots = this.findSpots();
    const index = spots.findIndex(
      (spot) =>
        distance(spot, this.place) < SAME_PLACE && (!this.spotName || spot.name === this.spotName),
    );
    const start = index < 0 && by < 0 ? 0 : index;
    const spot = spots.at((start + by) % spots.length);
    if (spot) {
      this.moveTo([spot.x, spot.y], spot);
    }
  }

  /** Tap the table at the cursor; after the answer to a request, close the cursor. */
  choosePlace() {
    const { table } = this;
    const hadRequest = table.placeRequest;
    this.onTap(table, this.markId, this.place);
    if (hadRequest) {
      openedCursor?.close();
    } else {
      this.draw();
    }
  }

  /**
   * Return the action of a key; undefined if the cursor has none for it.
   * @param {KeyboardEvent} event
   * @returns {(() => void) | undefined}
   */
  actionOf({ key, shiftKey }) {
    if (key in ARROW_STEPS) {
      const [dx, dy] = ARROW_STEPS[key];
      const by = shiftKey ? LONG_STEP : STEP;
      return () => this.moveTo([this.place[0] + dx * by, this.place[1] + dy * by]);
    }
    /** @type {Record<string, () => void>} */
    const actions = {
      " ": () => this.moveToSpot(shiftKey ? -1 : 1),
      Home: () => this.moveTo(this.owner.from),
      End: () => this.moveToRangeLimit(),
      Enter: () => this.choosePlace(),
      Escape: () => {
        this.close();
        requestPlace(this.table, null);
        announce(phrase`Cursor closed`);
      },
    };
    return actions[key];
  }

  /**
   * Run the action of a key while the cursor has the focus.
   * @param {KeyboardEvent} event
   */
  handleKey(event) {
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
 * Open a cursor on the table.
 * @param {Table} table
 * @param {TapHandler} onTap called when a place is chosen
 */
export function openCursor(table, onTap) {
  openedCursor?.close();
  openedCursor = new Cursor(table, onTap);
  openedCursor.open();
}
