// The list of fleets on the orders page: each a line that says what the draft does with it; its
// part of the form opens for the chosen one. What a line says, and its group, come from the server
// (campaign/forms/week/fleet_lines.py).

import { find, html, need } from "./dom.js";
import { kinds } from "./classification_counts.js";
import { keyOf } from "./orders_sheet.js";
import { pennant } from "./fleet_flag.js";
import { phrase } from "./phrase.js";

/** @import { Plan } from "./orders_plan.js" */
/** @import { OrderSheet } from "./orders_sheet.js" */

// What most needs the player comes first.
const GROUPS = ["problem", "todo", "done", "still"];
/** @type {Record<string, (count: number) => string>} */
const HEADS = {
  problem: (n) => phrase`${n} with a problem`,
  todo: (n) => phrase`${n} without orders`,
  done: (n) => phrase`${n} with orders`,
  still: (n) => phrase`${n} that cannot move`,
};

/** The list of fleets. */
export class FleetList {
  /** @type {Record<string, FleetLine>} */
  lines = {};
  /** @type {string[]} */
  other = [];
  /** @type {Set<Element>} rows in sight: where there are many, only these have all signs */
  inSight = new Set();
  /**
   * Draws what opens below a line.
   * @type {((fleet: OrderFleet, extendsPlan: boolean) => void) | null}
   */
  opened = null;
  /** @type {WeakMap<HTMLElement, string>} what each section shows */
  #shown = new WeakMap();

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
      this.#fold(section);
    }
    // Sections that are not shown.
    this.spare = html("div", { hidden: true });
    list.append(this.spare);
    for (const place of list.querySelectorAll(".place:has([data-fleet])")) {
      this.spare.append(...place.querySelectorAll("[data-fleet]"));
      if (!place.querySelector("[name]")) {
        place.remove(); // All of it is in the list.
      }
    }
    this.update(lines);
    if (sheet.folds) {
      import("./orders_visible_rows.js").then(({ watch }) => {
        watch(list, sheet.sections, this.inSight, (section) => this.#inSightChanged(section));
      });
    }
    list.dataset.ready = ""; // Until then it is not seen, so that nothing moves before the eye.
  }

  /**
   * Take over what the server says of the draft.
   * @param {FleetLines} answer
   * @param {boolean} isStale whether the form has changed again since
   */
  update({ lines, other }, isStale = false) {
    this.lines = lines;
    this.other = other;
    if (!isStale) {
      this.list.removeAttribute("aria-busy");
    }
  }

  /** Mark the lines as being about the draft before: the form has changed. */
  markStale() {
    this.list.setAttribute("aria-busy", "true");
  }

  /**
   * Make a fleet's part of the form a line that opens.
   * @param {HTMLElement} section
   */
  #fold(section) {
    this.addHead(section);
    const form = find(section, "[data-more]", HTMLElement);
    if (form) {
      this.dressForm(form, section.id);
    }
  }

  /** @param {HTMLElement} section */
  addHead(section) {
    const top = html("button", { type: "button", className: "top" });
    top.dataset.choose = keyOf(section);
    top.setAttribute("aria-controls", `${section.id}-orders`);
    section.querySelector("header")?.remove();
    section.querySelector(":scope > p")?.remove();
    section.prepend(html("h3", {}, top));
  }

  /**
   * Prepare the form of a fleet to open below its line: what the line does already is folded, or
   * gone.
   * @param {HTMLElement} form
   * @param {string} id of its section
   */
  dressForm(form, id) {
    form.id = `${id}-orders`;
    const grid = form.querySelector(".grid.move");
    if (grid) {
      const summary = html("summary", {}, phrase`By list, or hex by hex`);
      const fold = html("details", {}, summary);
      // Some have a fold of their own around them already, which goes.
      (grid.closest("details.more") ?? grid).replaceWith(fold);
      fold.append(grid);
    }
    for (const note of form.querySelectorAll("[data-cripples], [data-needs]")) {
      note.remove();
    }
    return form;
  }

  /**
   * Say whether a fleet cannot be sent anywhere.
   * @param {OrderFleet} fleet
   */
  cannotMove(fleet) {
    return Boolean(fleet.stuck) || !this.sheet.has(this.sheet.id("move", fleet.key));
  }

  /**
   * Return what the server says of a fleet; of one that was just formed nothing yet.
   * @param {OrderFleet} fleet
   * @returns {FleetLine}
   */
  lineOf({ key, name }) {
    return this.lines[key] ?? { key, name, state: "todo", words: "…", problem: "" };
  }

  /**
   * Say whether a fleet is left to be ordered, or has a problem.
   * @param {OrderFleet} fleet
   */
  needsOrders(fleet) {
    return ["problem", "todo"].includes(this.lineOf(fleet).state);
  }

  /**
   * Draw every line anew. The chosen one stays in its group.
   * @param {OrderFleet[]} fleets
   * @param {string | null} chosen
   * @param {boolean} extendsPlan whether the next goal goes on with the plan
   * @returns {Record<string, number>} how many there are in each group
   */
  draw(fleets, chosen, extendsPlan) {
    const shown = fleets.filter((fleet) => !fleet.formed || fleet.ships.length);
    for (const fleet of fleets) {
      if (!shown.includes(fleet)) {
        this.spare.append(fleet.section);
      }
    }
    /** @type {Record<string, number>} */
    const counts = {};
    for (const group of this.groups) {
      const name = group.dataset.group ?? "";
      counts[name] = shown.filter((fleet) => this.lineOf(fleet).state === name).length;
      const members = shown.filter((fleet) => this.#groupOf(fleet, chosen) === name);
      need(group, "h2", HTMLElement).textContent = HEADS[name](counts[name]);
      this.#drawGroup(group, members, chosen, extendsPlan);
    }
    return counts;
  }

  /**
   * @param {OrderFleet} fleet
   * @param {string | null} chosen
   */
  #groupOf(fleet, chosen) {
    const group = fleet.section.parentElement?.dataset.group;
    return (fleet.key === chosen && group) || this.lineOf(fleet).state;
  }

  /**
   * @param {HTMLElement} group
   * @param {OrderFleet[]} fleets
   * @param {string | null} chosen
   * @param {boolean} extendsPlan
   */
  #drawGroup(group, fleets, chosen, extendsPlan) {
    /** @param {OrderFleet} fleet */
    const isChosen = (fleet) => fleet.key === chosen;
    if (matchMedia("(max-width: 820px)").matches) {
      fleets.sort((a, b) => Number(isChosen(b)) - Number(isChosen(a)));
    }
    group.hidden = !fleets.length;
    group.classList.toggle("first", fleets.some(isChosen));
    this.#place(group, fleets);
    for (const fleet of fleets) {
      this.#drawLine(fleet, isChosen(fleet), extendsPlan);
    }
  }

  /**
   * Put the sections of a group in their order; the focus stays where it is.
   * @param {HTMLElement} group
   * @param {OrderFleet[]} fleets
   */
  #place(group, fleets) {
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

  /** @param {Element} section that has come into sight, or left it */
  #inSightChanged(section) {
    const fleet = this.sheet.fleets().find((other) => other.section === section);
    if (fleet) {
      this.#drawWords(fleet);
    }
  }

  /**
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
      this.opened?.(fleet, extendsPlan);
    }
  }

  /**
   * Draw what the line of a fleet says, where that has changed.
   * @param {OrderFleet} fleet
   */
  #drawWords(fleet) {
    const { section, n } = fleet;
    const { name, state, words, problem } = this.lineOf(fleet);
    const hasSigns = !this.sheet.folds || this.inSight.has(section);
    const content = JSON.stringify([name, state, words, problem, n, hasSigns]);
    if (this.#shown.get(section) === content) {
      return;
    }
    this.#shown.set(section, content);
    const place = html("small", {}, this.plan.name(fleet.hex));
    /** @type {Element[]} */
    const parts = [html("span", { className: "nm" }, `${name} `, place)];
    if (hasSigns) {
      const ships = n.reduce((total, count) => total + count, 0);
      parts.unshift(pennant(this.seat, fleet.dummy ? "?" : ships));
      const counts = fleet.dummy ? [phrase`dummy counter`] : kinds(n);
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
