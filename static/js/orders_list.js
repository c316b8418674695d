// The list of fleets on the orders page. A line describes a fleet's orders in the draft, and the
// chosen fleet's part of the form opens below its line. The server provides the texts of the lines
// and their groups (campaign/forms/week/fleet_lines.py).

import { find, html, need } from "./dom.js";
import { kindCounts } from "./classification_counts.js";
import { keyOf } from "./orders_sheet.js";
import { fleetFlag } from "./fleet_flag.js";
import { phrase } from "./phrase.js";

/** @import { Plan } from "./orders_plan.js" */
/** @import { OrderSheet } from "./orders_sheet.js" */

// States of fleets; those that most need the player come first.
const GROUPS = ["problem", "todo", "done", "still"];
/** @type {Record<string, (count: number) => string>} */
const GROUP_TITLES = {
  problem: (n) => phrase`${n} with a problem`,
  todo: (n) => phrase`${n} without orders`,
  done: (n) => phrase`${n} with orders`,
  still: (n) => phrase`${n} that cannot move`,
};

/** The list of fleets. */
export class FleetList {
  /** @type {Record<string, FleetLine>} lines by fleet key */
  lines = {};
  /** @type {string[]} lines about other orders */
  other = [];
  /** @type {Set<Element>} visible rows: in a long list only these are drawn completely */
  visibleSections = new Set();
  /**
   * Draws the open form below a line.
   * @type {((fleet: OrderFleet, extendsPlan: boolean) => void) | null}
   */
  onOpen = null;
  /** @type {WeakMap<HTMLElement, string>} what is drawn in each section */
  #drawnContent = new WeakMap();

  /**
   * @param {HTMLElement} list
   * @param {OrderSheet} sheet
   * @param {Plan} plan
   * @param {number} seat
   * @param {FleetLines} lines
   */
  constructor(list, sheet, plan, seat, lines) {
    this.list = list;
    this.sheet = sheet;
    this.plan = plan;
    this.seat = seat;
    this.groups = GROUPS.map((name) => {
      const group = html("div", {}, html("h2", { className: "group" }));
      group.dataset.group = name;
      return group;
    });
    const decisions = html("div", {}, ...list.querySelectorAll(".place > .choosing"));
    list.prepend(decisions, ...this.groups);
    for (const section of sheet.sections) {
      this.#makeFoldable(section);
    }
    // Sections that are not shown.
    this.hiddenSections = html("div", { hidden: true });
    list.append(this.hiddenSections);
    for (const place of list.querySelectorAll(".place:has([data-fleet])")) {
      this.hiddenSections.append(...place.querySelectorAll("[data-fleet]"));
      if (!place.querySelector("[name]")) {
        place.remove(); // All its content has moved to the list.
      }
    }
    this.update(lines);
    if (sheet.folds) {
      import("./orders_visible_rows.js").then(({ watchVisibility }) => {
        watchVisibility(list, sheet.sections, this.visibleSections, (section) =>
          this.#onVisibilityChange(section),
        );
      });
    }
    list.dataset.ready = ""; // The list is hidden until now, so that nothing moves visibly.
  }

  /**
   * Store the server's lines about the draft.
   * @param {FleetLines} answer
   * @param {boolean} isStale whether the form has changed since
   */
  update({ lines, other }, isStale = false) {
    this.lines = lines;
    this.other = other;
    if (!isStale) {
      this.list.removeAttribute("aria-busy");
    }
  }

  /** Mark the lines as out of date, because the form has changed. */
  markStale() {
    this.list.setAttribute("aria-busy", "true");
  }

  /**
   * Turn a fleet's part of the form into a line that opens.
   * @param {HTMLElement} section
   */
  #makeFoldable(section) {
    this.addHead(section);
    const form = find(section, "[data-more]", HTMLElement);
    if (form) {
      this.prepareForm(form, section.id);
    }
  }

  /**
   * Replace the header of a section by a button that chooses its fleet.
   * @param {HTMLElement} section
   */
  addHead(section) {
    const top = html("button", { type: "button", className: "top" });
    top.dataset.choose = keyOf(section);
    top.setAttribute("aria-controls", `${section.id}-orders`);
    section.querySelector("header")?.remove();
    section.querySelector(":scope > p")?.remove();
    section.prepend(html("h3", {}, top));
  }

  /**
   * Prepare the form of a fleet to open below its line: fold or remove what the line already shows.
   * @param {HTMLElement} form
   * @param {string} id the id of its section
   */
  prepareForm(form, id) {
    form.id = `${id}-orders`;
    const grid = form.querySelector(".grid.move");
    if (grid) {
      const summary = html("summary", {}, phrase`Choose from a list, or type the route`);
      const fold = html("details", {}, summary);
      // A fold that surrounds the grid already is replaced.
      (grid.closest("details.more") ?? grid).replaceWith(fold);
      fold.append(grid);
    }
    for (const note of form.querySelectorAll("[data-cripples], [data-needs]")) {
      note.remove();
    }
    return form;
  }

  /**
   * Return whether a fleet cannot be ordered to move.
   * @param {OrderFleet} fleet
   */
  cannotMove(fleet) {
    return Boolean(fleet.stuckReason) || !this.sheet.has(this.sheet.id("move", fleet.key));
  }

  /**
   * Return the server's line about a fleet; a placeholder for a new fleet.
   * @param {OrderFleet} fleet
   * @returns {FleetLine}
   */
  lineOf({ key, name }) {
    return this.lines[key] ?? { key, name, state: "todo", words: "…", problem: "" };
  }

  /**
   * Return whether a fleet has no orders yet, or a problem.
   * @param {OrderFleet} fleet
   */
  needsOrders(fleet) {
    return ["problem", "todo"].includes(this.lineOf(fleet).state);
  }

  /**
   * Redraw all lines. The chosen fleet stays in its group.
   * @param {OrderFleet[]} fleets
   * @param {string | null} chosenKey
   * @param {boolean} extendsPlan whether the next goal is added to the plan
   * @returns {Record<string, number>} the number of fleets by state
   */
  draw(fleets, chosenKey, extendsPlan) {
    const shown = fleets.filter((fleet) => !fleet.isNew || fleet.ships.length);
    for (const fleet of fleets) {
      if (!shown.includes(fleet)) {
        this.hiddenSections.append(fleet.section);
      }
    }
    /** @type {Record<string, number>} */
    const counts = {};
    for (const group of this.groups) {
      const name = group.dataset.group ?? "";
      counts[name] = shown.filter((fleet) => this.lineOf(fleet).state === name).length;
      const members = shown.filter((fleet) => this.#groupOf(fleet, chosenKey) === name);
      need(group, "h2", HTMLElement).textContent = GROUP_TITLES[name](counts[name]);
      this.#drawGroup(group, members, chosenKey, extendsPlan);
    }
    return counts;
  }

  /**
   * Return the group in which a fleet is listed.
   * @param {OrderFleet} fleet
   * @param {string | null} chosenKey
   */
  #groupOf(fleet, chosenKey) {
    const group = fleet.section.parentElement?.dataset.group;
    return (fleet.key === chosenKey && group) || this.lineOf(fleet).state;
  }

  /**
   * Draw a group with its fleets; on a phone the chosen fleet comes first.
   * @param {HTMLElement} group
   * @param {OrderFleet[]} fleets
   * @param {string | null} chosenKey
   * @param {boolean} extendsPlan
   */
  #drawGroup(group, fleets, chosenKey, extendsPlan) {
    /** @param {OrderFleet} fleet */
    const isChosen = (fleet) => fleet.key === chosenKey;
    if (matchMedia("(max-width: 820px)").matches) {
      fleets.sort((a, b) => Number(isChosen(b)) - Number(isChosen(a)));
    }
    group.hidden = !fleets.length;
    group.classList.toggle("first", fleets.some(isChosen));
    this.#arrange(group, fleets);
    for (const fleet of fleets) {
      this.#drawLine(fleet, isChosen(fleet), extendsPlan);
    }
  }

  /**
   * Put the sections of a group in order, without losing the focus.
   * @param {HTMLElement} group
   * @param {OrderFleet[]} fleets
   */
  #arrange(group, fleets) {
    const focused = document.activeElement;
    for (const [n, { section }] of fleets.entries()) {
      const current = group.children[n + 1];
      if (current !== section) {
        group.insertBefore(section, current ?? null);
      }
    }
    const hasLostFocus = focused !== document.activeElement && focused?.isConnected;
    if (hasLostFocus && focused instanceof HTMLElement) {
      focused.focus({ preventScroll: true });
    }
  }

  /**
   * Redraw a line that has appeared or disappeared.
   * @param {Element} section
   */
  #onVisibilityChange(section) {
    const fleet = this.sheet.fleets().find((other) => other.section === section);
    if (fleet) {
      this.#drawWords(fleet);
    }
  }

  /**
   * Draw the line of a fleet, and its open form if it is chosen.
   * @param {OrderFleet} fleet
   * @param {boolean} isChosen
   * @param {boolean} extendsPlan
   */
  #drawLine(fleet, isChosen, extendsPlan) {
    const { section } = fleet;
    section.classList.toggle("chosen", isChosen);
    section.classList.toggle("todo", this.needsOrders(fleet));
    need(section, ".top", HTMLElement).setAttribute("aria-expanded", String(isChosen));
    this.#drawWords(fleet);
    const form = find(section, "[data-more]", HTMLElement);
    if (form) {
      form.hidden = !isChosen;
    }
    if (isChosen) {
      this.onOpen?.(fleet, extendsPlan);
    }
  }

  /**
   * Draw the text of a fleet's line, if it has changed.
   * @param {OrderFleet} fleet
   */
  #drawWords(fleet) {
    const { section, n } = fleet;
    const { name, state, words, problem } = this.lineOf(fleet);
    const isComplete = !this.sheet.folds || this.visibleSections.has(section);
    const content = JSON.stringify([name, state, words, problem, n, isComplete]);
    if (this.#drawnContent.get(section) === content) {
      return;
    }
    this.#drawnContent.set(section, content);
    const place = html("small", {}, this.plan.name(fleet.hex));
    /** @type {Element[]} */
    const parts = [html("span", { className: "nm" }, `${name} `, place)];
    if (isComplete) {
      const ships = n.reduce((total, count) => total + count, 0);
      parts.unshift(fleetFlag(this.seat, fleet.dummy ? "?" : ships));
      const counts = fleet.dummy ? [phrase`dummy counter`] : kindCounts(n);
      parts.push(html("span", { className: "kinds" }, ...counts));
    }
    const summary = html("span", { className: "sum" }, words);
    summary.classList.toggle("none", state !== "done");
    parts.push(summary);
    if (problem) {
      parts.push(html("span", { className: "why" }, `▲ ${problem}`));
    }
    need(section, ".top", HTMLElement).replaceChildren(...parts);
  }
}
