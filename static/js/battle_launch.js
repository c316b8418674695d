// Cards of launchers on the plot page, also for craft that launch and for missiles with a second
// stage: ammunition, range, and target or place. A card writes the fields of the form, and only
// these are sent. Loaded with battle_craft.js.

import { rangeRing } from "./battle_arcs.js";
import { BoarderCard } from "./battle_boarding.js";
import {
  actionButton,
  cardHead,
  cardRow,
  changeField,
  landingLine,
  roundMu,
  stepper,
} from "./battle_cards.js";
import { announce, emptyValueOf, parsePlace, polyline } from "./battle_page.js";
import { formatPlace } from "./battle_places.js";
import { find, findAll, html, need, svg } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { Card, CardContext } from "./battle_cards.js" */

const TARGET_BUTTONS = 3; // the nearest targets have buttons; others are tapped on the table

/**
 * Return a warning in a rounded box.
 * @param {string} words
 */
const warning = (words) => html("span", { className: "pill heed" }, words);

/**
 * Add the cards of launchers and boarders to the list, and return them.
 * @param {CardContext} context
 * @returns {Card[]}
 */
export function launchCards(context) {
  const { data, list } = context;
  /** @type {LauncherCard[]} */
  const launcherCards = [];
  for (const launcher of data.launches) {
    launcherCards.push(new LauncherCard(context, launcher, launcherCards));
  }
  if (launcherCards.length) {
    list.append(cardHead(phrase`Launches`), ...launcherCards.map(({ row }) => row));
  }
  for (const ship of new Set(data.launches.map(({ of }) => of))) {
    const last = launcherCards.filter((card) => card.launcher.of === ship).at(-1);
    if (last) {
      movePlainFields(context, ship, last.row);
    }
  }
  const boarderCards = Object.entries(data.boarders)
    .map(([id, boarder]) => new BoarderCard(context, id, boarder))
    .filter((card) => card.isNeeded);
  if (boarderCards.length) {
    list.append(cardHead(phrase`Boarding`), ...boarderCards.map(({ row }) => row));
  }
  return [...launcherCards, ...boarderCards].map((card) => card.makeCard());
}

/**
 * Move the form fields of a ship's launchers behind the last of its cards.
 * @param {CardContext} context
 * @param {string} ship
 * @param {HTMLElement} last the row of the last card
 */
function movePlainFields(context, ship, last) {
  const { data, list } = context;
  const row = findAll(list, ":scope > li", HTMLElement).find(({ dataset }) => {
    const id = dataset.row ?? "";
    return id.replace(/\/load$/, "") === ship && !data.craft[id];
  });
  const box =
    (row && find(row, ".fields", HTMLElement)) ??
    find(list, `.fields[data-of="${CSS.escape(ship)}"]`, HTMLElement);
  if (!box) {
    return;
  }
  last.append(...(row?.querySelectorAll(".fault") ?? []));
  box.dataset.of = ship;
  need(box, "summary", HTMLElement).firstChild?.replaceWith(phrase`All fields`);
  const before = box.parentElement;
  last.append(box);
  before?.remove();
}

/**
 * A place to fire at, and the rounds for it.
 * @typedef {{at: TablePoint, rounds?: number}} Aim
 */

/** The card of a launcher. */
class LauncherCard {
  /**
   * @param {CardContext} context
   * @param {Launcher} launcher
   * @param {LauncherCard[]} all the cards of all launchers; some share a magazine
   */
  constructor(context, launcher, all) {
    this.context = context;
    this.launcher = launcher;
    this.launcherCards = all;
    this.row = cardRow(launcher.name, launcher.type);
    /** @type {TablePoint} */
    this.place = [launcher.x, launcher.y];
    const [left = 0, salvo = 0] = launcher.many ?? [];
    this.roundsLeft = left;
    this.salvoSize = salvo;
    // Some launchers fire at several places, each with a number of rounds: "24 30 3; 26 32 3".
    this.hasSeveralAims = Boolean(launcher.many && launcher.aim);
    const box = need(this.row, ".acts", HTMLElement);
    if (launcher.why || (this.lacksTarget && !this.value("prey"))) {
      box.remove();
    } else {
      box.append(...this.#buttons());
    }
  }

  /** Whether it needs a target and none is in range. */
  get lacksTarget() {
    return !this.launcher.aim && this.launcher.targets?.length === 0;
  }

  /**
   * Return the field for a part of the orders, or null.
   * @param {"aim" | "load" | "fuse" | "prey" | "rounds"} part `prey` is the target
   */
  field(part) {
    return this.context.field(this.launcher[part]);
  }

  /**
   * Return the value of a field.
   * @param {"aim" | "load" | "prey" | "rounds"} part
   */
  value(part) {
    return this.field(part)?.value.trim() ?? "";
  }

  /**
   * Set the value of a field.
   * @param {"aim" | "load" | "prey" | "rounds"} part
   * @param {string} value
   */
  write(part, value) {
    const field = this.field(part);
    if (field) {
      changeField(field, value);
    }
  }

  /** The checkbox for a detonation at the place of its aim. */
  get fuse() {
    const field = this.field("fuse");
    return field instanceof HTMLInputElement ? field : null;
  }

  get rounds() {
    return Number(this.value("rounds")) || 0;
  }

  /** The selected load: grade, number left, minimum and maximum range in MU. */
  get currentLoad() {
    const { loads } = this.launcher;
    return loads.find(([grade]) => grade === this.value("load")) ?? loads[0];
  }

  /** The minimum and maximum range in MU. */
  get reach() {
    const [, , least, most] = this.currentLoad;
    return [least, most];
  }

  /** The places at which it fires, if it may fire at several. */
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

  /**
   * Write the places at which it fires.
   * @param {Aim[]} aims
   */
  #writeAims(aims) {
    const parts = aims.map(({ at, rounds }) => `${formatPlace(at)}${rounds ? ` ${rounds}` : ""}`);
    this.write("aim", parts.join("; "));
  }

  /**
   * Return the number of rounds for places.
   * @param {Aim[]} aims
   */
  #roundsUsed(aims) {
    return aims.reduce((total, { rounds }) => total + (rounds ?? this.salvoSize), 0);
  }

  /**
   * Return the name of a target.
   * @param {string} id
   */
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
    for (const [id, name, away] of targets.slice(0, TARGET_BUTTONS)) {
      const words = aim ? phrase`Shaped, at ${name}, ${away} MU` : phrase`At ${name}, ${away} MU`;
      buttons.push(actionButton("prey", words, id));
    }
    if (targets.length > TARGET_BUTTONS) {
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
   * Empty the fields for place, target and rounds.
   * @param {string} [except] the one to keep
   */
  #clear(except) {
    for (const part of /** @type {const} */ (["aim", "prey", "rounds"])) {
      if (part !== except && this.value(part)) {
        this.write(part, "");
      }
    }
  }

  /**
   * Return the parts that are the same in all requests for a place.
   * @param {HTMLElement} element the button that asks
   */
  #request(element) {
    const { name, arcs, turn } = this.launcher;
    return {
      element,
      name,
      from: this.place,
      reach: this.reach,
      arcs,
      facing: turn,
      includesNextMoves: true,
    };
  }

  #announceOrders() {
    announce(phrase`${this.launcher.name}: ${this.#orders().join(", ")}`);
  }

  /**
   * Ask for a place on the table to fire at.
   * @param {HTMLElement} element the button that asks
   * @param {boolean} byKeys whether a key was used
   */
  #pickPlace(element, byKeys) {
    const aims = this.hasSeveralAims ? this.aims : [];
    if (this.hasSeveralAims && this.#roundsUsed(aims) >= this.roundsLeft) {
      announce(phrase`${this.launcher.name}: none left for another place`, true);
      return;
    }
    this.context.togglePlaceRequest(
      {
        ...this.#request(element),
        currentPlace: this.hasSeveralAims ? null : parsePlace(this.value("aim")),
        onPlace: (at) => {
          if (this.hasSeveralAims) {
            const rounds = Math.min(this.salvoSize, this.roundsLeft - this.#roundsUsed(aims));
            this.#writeAims([...aims, { at, rounds }]);
          } else {
            if (this.launcher.prey) {
              this.#clear("aim");
            }
            this.write("aim", formatPlace(at));
          }
          this.#announceOrders();
        },
      },
      byKeys,
    );
  }

  /**
   * Fire at a target, or no longer at it.
   * @param {string} id
   */
  #setTarget(id) {
    const isSet = this.value("prey") === id;
    this.#clear("prey");
    this.write("prey", isSet ? "" : id);
    if (!isSet && this.launcher.many && !this.value("rounds")) {
      this.write("rounds", String(this.salvoSize));
    }
  }

  /**
   * Ask the player to tap a target on the table.
   * @param {HTMLElement} element the button that asks
   * @param {boolean} byKeys
   */
  #pickTarget(element, byKeys) {
    const { targets = [] } = this.launcher;
    this.context.togglePlaceRequest(
      {
        ...this.#request(element),
        targets: targets.map(([id]) => id),
        onPlace: (_, id = "") => {
          if (targets.some(([target]) => target === id)) {
            this.#setTarget(id);
            this.#announceOrders();
          } else {
            announce(phrase`It cannot fire at that target`, true);
          }
          return true;
        },
      },
      byKeys,
    );
  }

  /**
   * Change the number of rounds, at the last of several places.
   * @param {number} step rounds to add
   */
  #changeRounds(step) {
    if (!this.hasSeveralAims) {
      const rounds = Math.max(0, Math.min(this.salvoSize, this.roundsLeft, this.rounds + step));
      this.write("rounds", rounds ? String(rounds) : "");
      return;
    }
    const aims = this.aims;
    const last = aims.pop();
    if (last) {
      const free = this.roundsLeft - this.#roundsUsed(aims);
      const wanted = (last.rounds ?? this.salvoSize) + step;
      const rounds = Math.max(0, Math.min(this.salvoSize, free, wanted));
      this.#writeAims(rounds ? [...aims, { at: last.at, rounds }] : aims);
    }
  }

  /** Take over the captain's orders. */
  #useCaptainsOrders() {
    const { captain, fuse } = this.launcher;
    for (const part of /** @type {const} */ (["load", "aim", "prey", "rounds"])) {
      const field = this.field(part);
      if (field) {
        const value = captain[this.launcher[part] ?? ""];
        changeField(field, value ?? emptyValueOf(field));
      }
    }
    if (this.fuse && fuse) {
      this.fuse.checked = Boolean(captain[fuse]);
      changeField(this.fuse, this.fuse.value);
    }
  }

  /** @returns {string[]} */
  #orders() {
    if (this.hasSeveralAims) {
      return this.aims.map(
        ({ at, rounds }) => phrase`${rounds ?? this.salvoSize} at ${formatPlace(at)}`,
      );
    }
    const rounds = this.value("rounds");
    if (this.value("prey")) {
      const name = this.#targetName(this.value("prey"));
      const words = this.launcher.aim ? phrase`shaped, at ${name}` : phrase`at ${name}`;
      return rounds ? [words, phrase`${Number(rounds)} {:round|rounds}`] : [words];
    }
    const place = this.value("aim");
    if (place) {
      const [grade] = this.currentLoad;
      const isChoice = this.launcher.loads.length > 1;
      const words = isChoice ? phrase`${grade} at ${place}` : phrase`at ${place}`;
      return this.fuse?.checked ? [words, phrase`detonates there`] : [words];
    }
    return rounds ? [phrase`${Number(rounds)} dropped`] : [];
  }

  /** The magazine and grade that it fires from, or "" if it is not launched. */
  get magazineGrade() {
    const { holds } = this.launcher;
    return holds && this.value("aim") ? `${holds} ${this.currentLoad[0]}` : "";
  }

  /**
   * Count the launchers that fire a grade from the same magazine, including this one.
   * @param {string} grade
   */
  #countLaunched(grade) {
    const { holds } = this.launcher;
    return holds
      ? this.launcherCards.filter((card) => card.magazineGrade === `${holds} ${grade}`).length
      : 0;
  }

  /** Describe the ammunition that is left. */
  #stockText() {
    const parts = [];
    for (const [grade, left] of this.launcher.loads) {
      const launched = this.#countLaunched(grade);
      if (left && this.launcher.many) {
        parts.push(phrase`${left} left`);
      } else if (left && launched) {
        parts.push(phrase`${left} ${grade}, ${Math.min(left, launched)} {:is|are} launched`);
      } else if (left) {
        parts.push(phrase`${left} ${grade}`);
      }
    }
    return parts.join(phrase`; `);
  }

  #reachText() {
    const [least, most] = this.reach;
    if (least) {
      return phrase`${roundMu(least)} to ${roundMu(most)} MU`;
    }
    return most ? phrase`${roundMu(most)} MU` : "";
  }

  #notes() {
    const { why } = this.launcher;
    const [grade, left] = this.currentLoad;
    const isShort = this.magazineGrade !== "" && this.#countLaunched(grade) > left;
    return [
      why ? warning(why) : "",
      isShort ? warning(phrase`its magazine holds no more`) : "",
      this.#stockText(),
      why ? "" : html("span", {}, this.#reachText()),
    ];
  }

  #differsFromCaptain() {
    const { captain, fuse } = this.launcher;
    const parts = /** @type {const} */ (["aim", "load", "prey", "rounds"]);
    const differs = parts.some((part) => {
      const name = this.launcher[part];
      return name !== undefined && this.value(part) !== (captain[name] ?? "");
    });
    return differs || (fuse !== undefined && this.fuse?.checked !== Boolean(captain[fuse]));
  }

  /**
   * Check whether the action of a button is ordered.
   * @param {DOMStringMap} button the data attributes of the button
   * @returns {boolean | undefined} undefined if the button is not a toggle
   */
  #isPressed({ act, on }) {
    if (act === "load") {
      return this.currentLoad[0] === on && this.value("load") !== "";
    }
    if (act === "fuse") {
      return this.fuse?.checked;
    }
    return act === "prey" ? this.value("prey") === on : undefined;
  }

  /** Return the number of the stepper: the rounds, at the last of several places. */
  #count() {
    if (!this.hasSeveralAims) {
      return this.rounds;
    }
    const last = this.aims.at(-1);
    return last ? (last.rounds ?? this.salvoSize) : 0;
  }

  #emptyText() {
    if (this.launcher.why) {
      return "";
    }
    return this.lacksTarget ? phrase`nothing in range` : phrase`not launched`;
  }

  /** @returns {Card} */
  makeCard() {
    const { of, name, aim, arcs, turn: facing } = this.launcher;
    return {
      key: `${of}:${name}`,
      row: this.row,
      name,
      getPlace: () => this.place,
      getReach: () => ({ reach: this.reach, arcs, facing }),
      placeFields: [aim],
      emptyText: this.#emptyText(),
      orders: () => this.#orders(),
      notes: () => this.#notes(),
      differsFromCaptain: () => this.#differsFromCaptain(),
      isPressed: (button) => this.#isPressed(button),
      countOf: () => this.#count(),
      actions: {
        aim: (element, byKeys) => this.#pickPlace(element, byKeys),
        load: ({ dataset: { on = "" } }) => this.write("load", this.value("load") === on ? "" : on),
        fuse: () => this.#toggleFuse(),
        prey: ({ dataset: { on = "" } }) => this.#setTarget(on),
        pick: (element, byKeys) => this.#pickTarget(element, byKeys),
        many: ({ dataset: { on } }) => this.#changeRounds(Number(on)),
        captain: () => this.#useCaptainsOrders(),
        hold: () => this.#clearAll(),
      },
      draw: (seat, isSelected) => this.#draw(seat, isSelected),
    };
  }

  #toggleFuse() {
    if (this.fuse) {
      this.fuse.checked = !this.fuse.checked;
      changeField(this.fuse, this.fuse.value);
    }
  }

  #clearAll() {
    this.#clear();
    if (this.fuse) {
      this.fuse.checked = false;
    }
  }

  /**
   * Draw lines to its target and places, and its range if it is selected.
   * @param {string} seat
   * @param {boolean} isSelected
   */
  #draw(seat, isSelected) {
    /** @type {SVGElement[]} */
    const elements = [];
    for (const { at } of this.hasSeveralAims ? this.aims : []) {
      const [cx, cy] = at;
      const dot = svg("circle", { class: "place", cx, cy, r: 0.3 });
      elements.push(polyline(`plan ${seat}`, [this.place, at]), dot);
    }
    const target = this.value("prey") ? this.context.placeOf(this.value("prey")) : null;
    if (target) {
      elements.push(landingLine(seat, this.place, target));
    }
    if (isSelected && !this.launcher.why) {
      elements.push(...this.reach.filter(Boolean).map((radius) => rangeRing(this.place, radius)));
    }
    return elements;
  }
}
