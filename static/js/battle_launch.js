// Cards of launchers, of what craft launch, of missiles with a further stage and of boarders, beside the
// plots: what is left, how far it goes, whom or what place it is for. A card writes the form's fields, or
// its ship's order; these alone are read.

import { ring } from "./battle_arcs.js";
import {
  actionButton,
  cardHead,
  cardRow,
  change,
  landing,
  partsOf,
  stepper,
} from "./battle_cards.js";
import { line, placeIn, say } from "./battle_page.js";
import { written } from "./battle_places.js";
import { leg } from "./battle_rules.js";
import { find, findAll, html, need, svg } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { Card, CardKit } from "./battle_cards.js" */

const NEAREST = 3; // targets that have buttons; others are touched on the table
const ALONGSIDE = 3; // MU
const MAX_CHANGE = 8; // MU by which anybody may change velocity

/** @param {number} distance */
const mu = (distance) => Number(distance.toFixed(1));

/** @param {number} count */
const marinesInWords = (count) => phrase`${count} {:marine|marines}`;

/** @param {number} count */
const partiesInWords = (count) => phrase`${count} {:party|parties}`;

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
      buttons.push(actionButton("fuse", phrase`Goes off there`));
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
      say(phrase`${this.launcher.name}: none is left for a further place`, true);
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
            say(phrase`It cannot be fired at that`, true);
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
      return this.fuse?.checked ? [words, phrase`goes off there`] : [words];
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
      isShort ? warning(phrase`its magazine has no more`) : "",
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
    return this.hasNoTarget ? phrase`nothing in reach` : phrase`not launched`;
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

/** @typedef {{to: string, marines: number, parties: number}} Boarding */

/** @param {string} part of an order */
const isBoarding = (part) => /^board\b/i.test(part);

/**
 * Read the boarding of an order: "board <ship> <marines> <parties>".
 * @param {string} order
 * @returns {Boarding | null}
 */
function boardingIn(order) {
  const [, to, marines = "0", parties = "0"] =
    partsOf(order)
      .find(isBoarding)
      ?.split(/[\s,]+/) ?? [];
  return to ? { to, marines: Number(marines), parties: Number(parties) } : null;
}

/** The card of a ship that may send people aboard another where its move ends alongside. */
class BoarderCard {
  /**
   * @param {CardKit} kit
   * @param {string} id of the ship
   * @param {Boarder} boarder
   */
  constructor(kit, id, boarder) {
    this.kit = kit;
    this.id = id;
    this.boarder = boarder;
    this.ship = /** @type {PlotShip} */ (kit.page.ships.get(id));
    this.row = cardRow(boarder.name, "marines");
    this.near = boarder.targets
      .filter((target) => this.#comesNear(target))
      .sort((a, b) => this.#gap(a) - this.#gap(b));
    this.#addButtons();
  }

  /** Whether anybody comes near enough this turn, or it is ordered already. */
  get isNeeded() {
    return this.near.length > 0 || this.boarding !== null;
  }

  /** Return what its ship's order says. */
  get boarding() {
    return boardingIn(this.kit.page.textOf(this.id));
  }

  /**
   * @param {string | undefined} id
   * @returns {TablePiece | undefined}
   */
  #foe(id) {
    return this.kit.data.contacts.find((contact) => contact.id === id);
  }

  /** Return where the ship's move ends. */
  get end() {
    return lastOf(this.kit.page.end(this.id).path);
  }

  /**
   * Return how far a foe is from the end of the move, if it flies on.
   * @param {string} target
   */
  #gap(target) {
    const foe = this.#foe(target);
    if (!foe) {
      return Infinity;
    }
    const [x, y] = flownOn(foe);
    return Math.hypot(x - this.end[0], y - this.end[1]);
  }

  /** @param {string} target */
  #comesNear(target) {
    const foe = this.#foe(target);
    const { x, y, v, main } = this.ship;
    if (!foe) {
      return false;
    }
    const reach = v + main + (foe.v ?? MAX_CHANGE) + MAX_CHANGE + ALONGSIDE;
    return Math.hypot(foe.x - x, foe.y - y) <= reach;
  }

  #addButtons() {
    const box = need(this.row, ".acts", HTMLElement);
    for (const target of this.near.slice(0, NEAREST)) {
      box.append(actionButton("whom", this.#foe(target)?.name ?? target, target));
    }
    if (this.near.length > NEAREST) {
      box.append(actionButton("pick", phrase`Another…`));
    }
    if (this.boarder.marines) {
      box.append(stepper("marines", phrase`Marines`));
    }
    if (this.boarder.parties) {
      box.append(stepper("parties", phrase`Parties`));
    }
    box.append(actionButton("hold", phrase`Nobody`));
  }

  /** @param {Boarding | null} boarding */
  #write(boarding) {
    const { textOf, write } = this.kit.page;
    const parts = partsOf(textOf(this.id)).filter((part) => !isBoarding(part));
    if (boarding) {
      const { to, marines, parties } = boarding;
      parts.push(`board ${to} ${marines}${parties ? ` ${parties}` : ""}`);
    }
    write(this.id, parts.join("; "));
  }

  /** @param {string} to */
  #setTarget(to) {
    const { marines } = this.boarder;
    const current = this.boarding;
    const isSet = current?.to === to;
    this.#write(isSet ? null : { marines, parties: marines ? 0 : 1, ...current, to });
  }

  /**
   * Send one more or one fewer; one at least goes aboard.
   * @param {"marines" | "parties"} part
   * @param {number} step
   */
  #change(part, step) {
    const current = this.boarding;
    if (!current) {
      say(phrase`${this.boarder.name}: say first aboard whom`, true);
      return;
    }
    const count = Math.max(0, Math.min(this.boarder[part], current[part] + step));
    const next = { ...current, [part]: count };
    if (next.marines || next.parties) {
      this.#write(next);
    }
  }

  /**
   * Ask for a ship by a touch of the table.
   * @param {HTMLElement} by
   * @param {boolean} byKeys
   */
  #pick(by, byKeys) {
    const { name, targets } = this.boarder;
    this.kit.ask(
      {
        by,
        name,
        from: this.end,
        aims: targets,
        put: (_, id = "") => {
          if (targets.includes(id)) {
            this.#setTarget(id);
          } else {
            say(phrase`That cannot be boarded`, true);
          }
          return true;
        },
      },
      byKeys,
    );
  }

  #orders() {
    const boarding = this.boarding;
    if (!boarding) {
      return [];
    }
    const { to, marines, parties } = boarding;
    const name = this.#foe(to)?.name ?? to;
    const soldiers = marinesInWords(marines);
    const crew = partiesInWords(parties);
    if (marines && parties) {
      return [phrase`${soldiers} and ${crew} aboard ${name}`];
    }
    return [phrase`${marines ? soldiers : crew} aboard ${name}`];
  }

  #notes() {
    const to = this.boarding?.to ?? "";
    const foe = this.#foe(to);
    if (!foe || foe.v === null) {
      const { marines, parties } = this.boarder;
      return [`${marinesInWords(marines)}, ${partiesInWords(parties)}`];
    }
    const move = this.kit.page.end(this.id);
    const gap = this.#gap(to);
    const isAlike = move.course === foe.course && move.v === foe.v;
    const words = isAlike
      ? phrase`if it flies on: ${mu(gap)} of ${ALONGSIDE} MU, same course and velocity`
      : phrase`if it flies on: ${mu(gap)} of ${ALONGSIDE} MU, C${move.course} V${move.v}, it C${foe.course} V${foe.v}`;
    const pill = html("span", { className: "pill" }, words);
    pill.classList.toggle("heed", !isAlike || gap > ALONGSIDE);
    return [pill];
  }

  /** @returns {Card} */
  card() {
    const captains = boardingIn(this.ship.captain);
    return {
      key: `${this.id}:board`,
      ship: this.id,
      row: this.row,
      name: this.boarder.name,
      from: () => this.end,
      orders: () => this.#orders(),
      none: phrase`nobody`,
      notes: () => this.#notes(),
      isYours: () => JSON.stringify(this.boarding) !== JSON.stringify(captains),
      pressed: ({ act, on }) => (act === "whom" ? this.boarding?.to === on : undefined),
      count: (key) => this.boarding?.[key === "marines" ? "marines" : "parties"] ?? 0,
      actions: {
        whom: ({ dataset: { on = "" } }) => this.#setTarget(on),
        marines: ({ dataset: { on } }) => this.#change("marines", Number(on)),
        parties: ({ dataset: { on } }) => this.#change("parties", Number(on)),
        pick: (by, byKeys) => this.#pick(by, byKeys),
        hold: () => this.#write(null),
      },
      drawn: (seat, isInHand) => this.#drawing(seat, isInHand),
    };
  }

  /**
   * Draw the way to the ship that it boards, and in hand how near it has to come.
   * @param {string} seat
   * @param {boolean} isInHand
   */
  #drawing(seat, isInHand) {
    const foe = this.#foe(this.boarding?.to);
    if (!foe) {
      return [];
    }
    const place = flownOn(foe);
    const way = landing(seat, this.end, place);
    return isInHand ? [way, ring(place, ALONGSIDE)] : [way];
  }
}

/** @param {TablePoint[]} path */
const lastOf = (path) => path[path.length - 1];

/**
 * Return where a contact comes to if it flies on.
 * @param {TablePiece} contact
 */
const flownOn = (contact) => lastOf(leg({ ...contact, v: contact.v ?? 0 }).path);
