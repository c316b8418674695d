// Cards of launchers, of what craft launch, of missiles with a further stage and of boarders,
// beside the plots: what is left, how far it goes, whom or what place it is for. A card writes the
// form's fields, or its ship's order; these alone are read.

import { ring } from "./battle_arcs.js";
import { BoarderCard } from "./battle_boarding.js";
import { actionButton, cardHead, cardRow, change, landing, mu, stepper } from "./battle_cards.js";
import { line, placeIn, say } from "./battle_page.js";
import { written } from "./battle_places.js";
import { find, findAll, html, need, svg } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { Card, CardKit } from "./battle_cards.js" */

const NEAREST = 3; // targets that have buttons; others are touched on the table

/** @param {string} words */
const warning = (words) => html("span", { className: "pill heed" }, words);

/**
 * Build the cards of launchers and boarders, and put them into the list.
 * @param {CardKit} kit
 * @returns {Card[]}
 */
export function launches(kit) {
  const { data, list } = kit;
  /** @type {LauncherCard[]} */
  const launchers = [];
  for (const launcher of data.launches) {
    launchers.push(new LauncherCard(kit, launcher, launchers));
  }
  if (launchers.length) {
    list.append(cardHead(phrase`Launches`), ...launchers.map(({ row }) => row));
  }
  for (const of of new Set(data.launches.map((launcher) => launcher.of))) {
    const last = launchers.filter((card) => card.launcher.of === of).at(-1);
    if (last) {
      movePlainFields(kit, of, last.row);
    }
  }
  const boards = Object.entries(data.boarders)
    .map(([id, boarder]) => new BoarderCard(kit, id, boarder))
    .filter((card) => card.isNeeded);
  if (boards.length) {
    list.append(cardHead(phrase`Boarding`), ...boards.map(({ row }) => row));
  }
  return [...launchers, ...boards].map((card) => card.card());
}

/**
 * Put the plain fields of a ship's launchers behind the last of their cards.
 * @param {CardKit} kit
 * @param {string} of the ship
 * @param {HTMLElement} last
 */
function movePlainFields(kit, of, last) {
  const { data, list } = kit;
  const row = findAll(list, ":scope > li", HTMLElement).find(({ dataset }) => {
    const id = dataset.row ?? "";
    return id.replace(/\/load$/, "") === of && !data.craft[id];
  });
  const box =
    (row && find(row, ".fields", HTMLElement)) ??
    find(list, `.fields[data-of="${CSS.escape(of)}"]`, HTMLElement);
  if (!box) {
    return;
  }
  last.append(...(row?.querySelectorAll(".fault") ?? []));
  box.dataset.of = of;
  need(box, "summary", HTMLElement).firstChild?.replaceWith(phrase`All fields`);
  const before = box.parentElement;
  last.append(box);
  before?.remove();
}

/** @typedef {{at: TablePoint, rounds?: number}} Aim */

/** The card of a launcher. */
class LauncherCard {
  /**
   * @param {CardKit} kit
   * @param {Launcher} launcher
   * @param {LauncherCard[]} all the cards of all launchers, which may share a magazine
   */
  constructor(kit, launcher, all) {
    this.kit = kit;
    this.launcher = launcher;
    this.all = all;
    this.row = cardRow(launcher.name, launcher.type);
    /** @type {TablePoint} */
    this.from = [launcher.x, launcher.y];
    const [left = 0, salvo = 0] = launcher.many ?? [];
    this.left = left;
    this.salvo = salvo;
    // Some aim at several places, each with so many rounds: "24 30 3; 26 32 3".
    this.aimsAtSeveral = Boolean(launcher.many && launcher.aim);
    const box = need(this.row, ".acts", HTMLElement);
    if (launcher.why || (this.hasNoTarget && !this.value("prey"))) {
      box.remove();
    } else {
      box.append(...this.#buttons());
    }
  }

  /** Whether it needs a target and reaches nobody. */
  get hasNoTarget() {
    return !this.launcher.aim && this.launcher.targets?.length === 0;
  }

  /** @param {"aim" | "load" | "fuse" | "prey" | "rounds"} part */
  field(part) {
    return this.kit.field(this.launcher[part]);
  }

  /** @param {"aim" | "load" | "prey" | "rounds"} part */
  value(part) {
    return this.field(part)?.value.trim() ?? "";
  }

  /**
   * @param {"aim" | "load" | "prey" | "rounds"} part
   * @param {string} value
   */
  write(part, value) {
    const field = this.field(part);
    if (field) {
      change(field, value);
    }
  }

  /** Return the field that says whether it goes off at its place. */
  get fuse() {
    const field = this.field("fuse");
    return field instanceof HTMLInputElement ? field : null;
  }

  get rounds() {
    return Number(this.value("rounds")) || 0;
  }

  /** Return what it is loaded with: grade, how many are left, MU at least and at most. */
  get load() {
    const { loads } = this.launcher;
    return loads.find(([grade]) => grade === this.value("load")) ?? loads[0];
  }

  /** Return how far it goes, MU at least and at most. */
  get reach() {
    const [, , least, most] = this.load;
    return [least, most];
  }

  /** Return the several places that it aims at. */
  get aims() {
    /** @type {Aim[]} */
    const aims = [];
    for (const part of this.value("aim").split(";")) {
      const [x, y, rounds] = part.match(/-?[\d.]+/g)?.map(Number) ?? [];
      if (y !== undefined) {
        aims.push({ at: [x, y], rounds });
      }
    }
    return aims;
  }

  /** @param {Aim[]} aims */
  #writeAims(aims) {
    const parts = aims.map(({ at, rounds }) => `${written(at)}${rounds ? ` ${rounds}` : ""}`);
    this.write("aim", parts.join("; "));
  }

  /**
   * Return the rounds that places take.
   * @param {Aim[]} aims
   */
  #used(aims) {
    return aims.reduce((total, { rounds }) => total + (rounds ?? this.salvo), 0);
  }

  /** @param {string} id */
  #targetName(id) {
    const known = this.launcher.targets?.find(([target]) => target === id);
    const list = this.field("prey");
    const listed = list instanceof HTMLSelectElement ? list.selectedOptions[0]?.text : undefined;
    return known?.[1] ?? listed ?? id;
  }

  /** @returns {HTMLElement[]} */
  #buttons() {
    const { aim, fuse, many, captain, targets = [] } = this.launcher;
    const buttons = [...this.#loadButtons()];
    if (aim) {
      buttons.unshift(actionButton("aim", phrase`Aim at…`));
    }
    if (fuse) {
      buttons.push(actionButton("fuse", phrase`Detonates there`));
    }
    for (const [id, name, away] of targets.slice(0, NEAREST)) {
      const words = aim ? phrase`Shaped, at ${name}, ${away} MU` : phrase`At ${name}, ${away} MU`;
      buttons.push(actionButton("prey", words, id));
    }
    if (targets.length > NEAREST) {
      buttons.push(actionButton("pick", phrase`At another…`));
    }
    if (many) {
      buttons.push(stepper("many", phrase`Rounds`));
    }
    if (Object.keys(captain).length) {
      buttons.push(actionButton("captain", phrase`Captain’s`));
    }
    return [...buttons, actionButton("hold", phrase`Hold`)];
  }

  /** @returns {HTMLElement[]} */
  #loadButtons() {
    const { loads } = this.launcher;
    if (loads.length < 2) {
      return [];
    }
    return loads.map(([grade, , least, most]) => {
      const words = least ? phrase`${grade}, ${least} to ${most} MU` : phrase`${grade}, ${most} MU`;
      return actionButton("load", words, grade);
    });
  }

  /**
   * Empty its fields.
   * @param {string} [except]
   */
  #clear(except) {
    for (const part of /** @type {const} */ (["aim", "prey", "rounds"])) {
      if (part !== except && this.value(part)) {
        this.write(part, "");
      }
    }
  }

  /**
   * Return what its requests for places share.
   * @param {HTMLElement} by
   */
  #request(by) {
    const { name, arcs, turn } = this.launcher;
    return { by, name, from: this.from, reach: this.reach, arcs, turn, ahead: true };
  }

  #tellOrders() {
    say(phrase`${this.launcher.name}: ${this.#orders().join(", ")}`);
  }

  /**
   * @param {HTMLElement} by
   * @param {boolean} byKeys
   */
  #aim(by, byKeys) {
    const aims = this.aimsAtSeveral ? this.aims : [];
    if (this.aimsAtSeveral && this.#used(aims) >= this.left) {
      say(phrase`${this.launcher.name}: none left for another place`, true);
      return;
    }
    this.kit.ask(
      {
        ...this.#request(by),
        value: this.aimsAtSeveral ? null : placeIn(this.value("aim")),
        put: (at) => {
          if (this.aimsAtSeveral) {
            const rounds = Math.min(this.salvo, this.left - this.#used(aims));
            this.#writeAims([...aims, { at, rounds }]);
          } else {
            if (this.launcher.prey) {
              this.#clear("aim");
            }
            this.write("aim", written(at));
          }
          this.#tellOrders();
        },
      },
      byKeys,
    );
  }

  /** @param {string} id */
  #setTarget(id) {
    const isSet = this.value("prey") === id;
    this.#clear("prey");
    this.write("prey", isSet ? "" : id);
    if (!isSet && this.launcher.many && !this.value("rounds")) {
      this.write("rounds", String(this.salvo));
    }
  }

  /**
   * Ask for a target by a touch of the table.
   * @param {HTMLElement} by
   * @param {boolean} byKeys
   */
  #pick(by, byKeys) {
    const { targets = [] } = this.launcher;
    this.kit.ask(
      {
        ...this.#request(by),
        aims: targets.map(([id]) => id),
        put: (_, id = "") => {
          if (targets.some(([target]) => target === id)) {
            this.#setTarget(id);
            this.#tellOrders();
          } else {
            say(phrase`It cannot fire at that target`, true);
          }
          return true;
        },
      },
      byKeys,
    );
  }

  /** @param {number} step by which the rounds at the last place, or all, change */
  #changeRounds(step) {
    if (!this.aimsAtSeveral) {
      const rounds = Math.max(0, Math.min(this.salvo, this.left, this.rounds + step));
      this.write("rounds", rounds ? String(rounds) : "");
      return;
    }
    const aims = this.aims;
    const last = aims.pop();
    if (last) {
      const free = this.left - this.#used(aims);
      const wanted = (last.rounds ?? this.salvo) + step;
      const rounds = Math.max(0, Math.min(this.salvo, free, wanted));
      this.#writeAims(rounds ? [...aims, { at: last.at, rounds }] : aims);
    }
  }

  /** Fill its fields as the captain would. */
  #captain() {
    const { captain, fuse } = this.launcher;
    for (const part of /** @type {const} */ (["load", "aim", "prey", "rounds"])) {
      const field = this.field(part);
      if (field) {
        const none = field instanceof HTMLSelectElement ? field.options[0].value : "";
        change(field, captain[this.launcher[part] ?? ""] ?? none);
      }
    }
    if (this.fuse && fuse) {
      this.fuse.checked = Boolean(captain[fuse]);
      change(this.fuse, this.fuse.value);
    }
  }

  /** @returns {string[]} */
  #orders() {
    if (this.aimsAtSeveral) {
      return this.aims.map(({ at, rounds }) => phrase`${rounds ?? this.salvo} at ${written(at)}`);
    }
    const rounds = this.value("rounds");
    if (this.value("prey")) {
      const name = this.#targetName(this.value("prey"));
      const words = this.launcher.aim ? phrase`shaped, at ${name}` : phrase`at ${name}`;
      return rounds ? [words, phrase`${Number(rounds)} {:round|rounds}`] : [words];
    }
    const place = this.value("aim");
    if (place) {
      const [grade] = this.load;
      const isChoice = this.launcher.loads.length > 1;
      const words = isChoice ? phrase`${grade} at ${place}` : phrase`at ${place}`;
      return this.fuse?.checked ? [words, phrase`detonates there`] : [words];
    }
    return rounds ? [phrase`${Number(rounds)} dropped`] : [];
  }

  /** Return the magazine and the grade that it draws from, or "". */
  get draws() {
    const { holds } = this.launcher;
    return holds && this.value("aim") ? `${holds} ${this.load[0]}` : "";
  }

  /**
   * Count the launchers that draw a grade from its magazine, this one among them.
   * @param {string} grade
   */
  #drawn(grade) {
    const { holds } = this.launcher;
    return holds ? this.all.filter((card) => card.draws === `${holds} ${grade}`).length : 0;
  }

  /** Say what is left. */
  #stock() {
    const parts = [];
    for (const [grade, left] of this.launcher.loads) {
      const drawn = this.#drawn(grade);
      if (left && this.launcher.many) {
        parts.push(phrase`${left} left`);
      } else if (left && drawn) {
        parts.push(phrase`${left} ${grade}, ${Math.min(left, drawn)} {:is|are} launched`);
      } else if (left) {
        parts.push(phrase`${left} ${grade}`);
      }
    }
    return parts.join(phrase`; `);
  }

  #reachInWords() {
    const [least, most] = this.reach;
    if (least) {
      return phrase`${mu(least)} to ${mu(most)} MU`;
    }
    return most ? phrase`${mu(most)} MU` : "";
  }

  #notes() {
    const { why } = this.launcher;
    const [grade, left] = this.load;
    const isShort = this.draws !== "" && this.#drawn(grade) > left;
    return [
      why ? warning(why) : "",
      isShort ? warning(phrase`its magazine holds no more`) : "",
      this.#stock(),
      why ? "" : html("span", {}, this.#reachInWords()),
    ];
  }

  #isYours() {
    const { captain, fuse } = this.launcher;
    const parts = /** @type {const} */ (["aim", "load", "prey", "rounds"]);
    const differs = parts.some((part) => {
      const name = this.launcher[part];
      return name !== undefined && this.value(part) !== (captain[name] ?? "");
    });
    return differs || (fuse !== undefined && this.fuse?.checked !== Boolean(captain[fuse]));
  }

  /**
   * @param {DOMStringMap} button
   * @returns {boolean | undefined}
   */
  #isPressed({ act, on }) {
    if (act === "load") {
      return this.load[0] === on && this.value("load") !== "";
    }
    if (act === "fuse") {
      return this.fuse?.checked;
    }
    return act === "prey" ? this.value("prey") === on : undefined;
  }

  #count() {
    if (!this.aimsAtSeveral) {
      return this.rounds;
    }
    const last = this.aims.at(-1);
    return last ? (last.rounds ?? this.salvo) : 0;
  }

  #none() {
    if (this.launcher.why) {
      return "";
    }
    return this.hasNoTarget ? phrase`nothing in range` : phrase`not launched`;
  }

  /** @returns {Card} */
  card() {
    const { of, name, aim, arcs, turn } = this.launcher;
    return {
      key: `${of}:${name}`,
      row: this.row,
      name,
      from: () => this.from,
      reach: () => ({ reach: this.reach, arcs, turn }),
      fields: [aim],
      none: this.#none(),
      orders: () => this.#orders(),
      notes: () => this.#notes(),
      isYours: () => this.#isYours(),
      pressed: (button) => this.#isPressed(button),
      count: () => this.#count(),
      actions: {
        aim: (by, byKeys) => this.#aim(by, byKeys),
        load: ({ dataset: { on = "" } }) => this.write("load", this.value("load") === on ? "" : on),
        fuse: () => this.#toggleFuse(),
        prey: ({ dataset: { on = "" } }) => this.#setTarget(on),
        pick: (by, byKeys) => this.#pick(by, byKeys),
        many: ({ dataset: { on } }) => this.#changeRounds(Number(on)),
        captain: () => this.#captain(),
        hold: () => this.#hold(),
      },
      drawn: (seat, isInHand) => this.#drawing(seat, isInHand),
    };
  }

  #toggleFuse() {
    if (this.fuse) {
      this.fuse.checked = !this.fuse.checked;
      change(this.fuse, this.fuse.value);
    }
  }

  #hold() {
    this.#clear();
    if (this.fuse) {
      this.fuse.checked = false;
    }
  }

  /**
   * Draw whom and what places it is for, and in hand how far it goes.
   * @param {string} seat
   * @param {boolean} isInHand
   */
  #drawing(seat, isInHand) {
    /** @type {SVGElement[]} */
    const drawn = [];
    for (const { at } of this.aimsAtSeveral ? this.aims : []) {
      const [cx, cy] = at;
      const dot = svg("circle", { class: "place", cx, cy, r: 0.3 });
      drawn.push(line(`plan ${seat}`, [this.from, at]), dot);
    }
    const target = this.value("prey") ? this.kit.at(this.value("prey")) : null;
    if (target) {
      drawn.push(landing(seat, this.from, target));
    }
    if (isInHand && !this.launcher.why) {
      drawn.push(...this.reach.filter(Boolean).map((radius) => ring(this.from, radius)));
    }
    return drawn;
  }
}
