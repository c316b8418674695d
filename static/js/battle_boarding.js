// Cards of ships that may send people aboard others, beside the plots. A card writes its ship's
// order, which alone is read.

import { ring } from "./battle_arcs.js";
import { actionButton, cardRow, landing, mu, partsOf, stepper } from "./battle_cards.js";
import { say } from "./battle_page.js";
import { leg } from "./battle_rules.js";
import { html, need } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { Card, CardKit } from "./battle_cards.js" */

const NEAREST = 3; // targets that have buttons; others are touched on the table
const ALONGSIDE = 3; // MU
const MAX_CHANGE = 8; // MU by which anybody may change velocity

/** @param {number} count */
const marinesInWords = (count) => phrase`${count} {:marine|marines}`;

/** @param {number} count */
const partiesInWords = (count) => phrase`${count} {:party|parties}`;

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
export class BoarderCard {
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
      say(phrase`${this.boarder.name}: first choose a ship to board`, true);
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
      ? phrase`if it keeps its course: ${mu(gap)} of ${ALONGSIDE} MU, same course and velocity`
      : phrase`if it keeps its course: ${mu(gap)} of ${ALONGSIDE} MU, C${move.course} V${move.v}; target C${foe.course} V${foe.v}`;
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
