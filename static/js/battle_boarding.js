// Cards of ships that may board others, on the plot page. A card writes its ship's order, and only
// that is sent. Loaded with battle_craft.js.

import { rangeRing } from "./battle_arcs.js";
import {
  actionButton,
  cardRow,
  landingLine,
  orderParts,
  roundMu,
  stepper,
} from "./battle_cards.js";
import { announce } from "./battle_page.js";
import { flyPlot } from "./battle_rules.js";
import { html, need } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { Card, CardContext } from "./battle_cards.js" */

const TARGET_BUTTONS = 3; // the nearest targets have buttons; others are tapped on the table
const BOARDING_RANGE = 3; // MU (Continuum: alongside)
const MAX_VELOCITY_CHANGE = 8; // MU, an upper limit for any ship in one turn

/** @param {number} count */
const marinesInWords = (count) => phrase`${count} {:marine|marines}`;

/** @param {number} count */
const partiesInWords = (count) => phrase`${count} {:party|parties}`;

/**
 * Whom a ship boards, and with how many.
 * @typedef {{to: string, marines: number, parties: number}} Boarding
 */

/**
 * Check whether a part of an order is about boarding.
 * @param {string} part
 */
const isBoarding = (part) => /^board\b/i.test(part);

/**
 * Read the boarding of an order: "board <ship> <marines> <parties>".
 * @param {string} order
 * @returns {Boarding | null}
 */
function parseBoarding(order) {
  const [, to, marines = "0", parties = "0"] =
    orderParts(order)
      .find(isBoarding)
      ?.split(/[\s,]+/) ?? [];
  return to ? { to, marines: Number(marines), parties: Number(parties) } : null;
}

/** The card of a ship that may board another if its move ends alongside. */
export class BoarderCard {
  /**
   * @param {CardContext} context
   * @param {string} id of the ship
   * @param {Boarder} boarder
   */
  constructor(context, id, boarder) {
    this.context = context;
    this.id = id;
    this.boarder = boarder;
    this.ship = /** @type {PlotShip} */ (context.page.ships.get(id));
    this.row = cardRow(boarder.name, "marines");
    this.nearTargets = boarder.targets
      .filter((target) => this.#canComeNear(target))
      .sort((a, b) => this.#gapAtEnd(a) - this.#gapAtEnd(b));
    this.#addButtons();
  }

  /** Whether a target may come into range this turn, or boarding is ordered already. */
  get isNeeded() {
    return this.nearTargets.length > 0 || this.boarding !== null;
  }

  /** The boarding in the ship's order, or null. */
  get boarding() {
    return parseBoarding(this.context.page.writtenOrder(this.id));
  }

  /**
   * Return the contact with an id.
   * @param {string | undefined} id
   * @returns {TablePiece | undefined}
   */
  #contact(id) {
    return this.context.data.contacts.find((contact) => contact.id === id);
  }

  /** The place at which the ship's move ends. */
  get endOfMove() {
    return lastOf(this.context.page.moveOf(this.id).path);
  }

  /**
   * Return the distance in MU between the ends of both moves, if the target keeps its course.
   * @param {string} target
   */
  #gapAtEnd(target) {
    const contact = this.#contact(target);
    if (!contact) {
      return Infinity;
    }
    const [x, y] = nextPlace(contact);
    return Math.hypot(x - this.endOfMove[0], y - this.endOfMove[1]);
  }

  /**
   * Check whether a target could be in range after this turn, whatever both ships do.
   * @param {string} target
   */
  #canComeNear(target) {
    const contact = this.#contact(target);
    const { x, y, v, main } = this.ship;
    if (!contact) {
      return false;
    }
    const reach =
      v + main + (contact.v ?? MAX_VELOCITY_CHANGE) + MAX_VELOCITY_CHANGE + BOARDING_RANGE;
    return Math.hypot(contact.x - x, contact.y - y) <= reach;
  }

  #addButtons() {
    const box = need(this.row, ".acts", HTMLElement);
    for (const target of this.nearTargets.slice(0, TARGET_BUTTONS)) {
      box.append(actionButton("whom", this.#contact(target)?.name ?? target, target));
    }
    if (this.nearTargets.length > TARGET_BUTTONS) {
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

  /**
   * Write the boarding into the ship's order.
   * @param {Boarding | null} boarding null: none
   */
  #writeBoarding(boarding) {
    const { writtenOrder, writeOrder } = this.context.page;
    const parts = orderParts(writtenOrder(this.id)).filter((part) => !isBoarding(part));
    if (boarding) {
      const { to, marines, parties } = boarding;
      parts.push(`board ${to} ${marines}${parties ? ` ${parties}` : ""}`);
    }
    writeOrder(this.id, parts.join("; "));
  }

  /**
   * Board a ship, or no longer board it.
   * @param {string} to
   */
  #setTarget(to) {
    const { marines } = this.boarder;
    const current = this.boarding;
    const isSet = current?.to === to;
    this.#writeBoarding(isSet ? null : { marines, parties: marines ? 0 : 1, ...current, to });
  }

  /**
   * Change the number of marines or parties; at least one must remain.
   * @param {"marines" | "parties"} part
   * @param {number} step
   */
  #changeCount(part, step) {
    const current = this.boarding;
    if (!current) {
      announce(phrase`${this.boarder.name}: first choose a ship to board`, true);
      return;
    }
    const count = Math.max(0, Math.min(this.boarder[part], current[part] + step));
    const next = { ...current, [part]: count };
    if (next.marines || next.parties) {
      this.#writeBoarding(next);
    }
  }

  /**
   * Ask the player to tap a ship on the table.
   * @param {HTMLElement} element the button that asks
   * @param {boolean} byKeys
   */
  #pickTarget(element, byKeys) {
    const { name, targets } = this.boarder;
    this.context.togglePlaceRequest(
      {
        element,
        name,
        from: this.endOfMove,
        targets,
        onPlace: (_, id = "") => {
          if (targets.includes(id)) {
            this.#setTarget(id);
          } else {
            announce(phrase`That cannot be boarded`, true);
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
    const name = this.#contact(to)?.name ?? to;
    const soldiers = marinesInWords(marines);
    const crew = partiesInWords(parties);
    if (marines && parties) {
      return [phrase`${soldiers} and ${crew} aboard ${name}`];
    }
    return [phrase`${marines ? soldiers : crew} aboard ${name}`];
  }

  #notes() {
    const to = this.boarding?.to ?? "";
    const contact = this.#contact(to);
    if (!contact || contact.v === null) {
      const { marines, parties } = this.boarder;
      return [`${marinesInWords(marines)}, ${partiesInWords(parties)}`];
    }
    const move = this.context.page.moveOf(this.id);
    const gap = this.#gapAtEnd(to);
    const isMatching = move.course === contact.course && move.v === contact.v;
    const words = isMatching
      ? phrase`if it keeps its course: ${roundMu(gap)} of ${BOARDING_RANGE} MU, same course and velocity`
      : phrase`if it keeps its course: ${roundMu(gap)} of ${BOARDING_RANGE} MU, C${move.course} V${move.v}; target C${contact.course} V${contact.v}`;
    const pill = html("span", { className: "pill" }, words);
    pill.classList.toggle("heed", !isMatching || gap > BOARDING_RANGE);
    return [pill];
  }

  /** @returns {Card} */
  makeCard() {
    const captains = parseBoarding(this.ship.captain);
    return {
      key: `${this.id}:board`,
      ship: this.id,
      row: this.row,
      name: this.boarder.name,
      getPlace: () => this.endOfMove,
      orders: () => this.#orders(),
      emptyText: phrase`nobody`,
      notes: () => this.#notes(),
      differsFromCaptain: () => JSON.stringify(this.boarding) !== JSON.stringify(captains),
      isPressed: ({ act, on }) => (act === "whom" ? this.boarding?.to === on : undefined),
      countOf: (key) => this.boarding?.[key === "marines" ? "marines" : "parties"] ?? 0,
      actions: {
        whom: ({ dataset: { on = "" } }) => this.#setTarget(on),
        marines: ({ dataset: { on } }) => this.#changeCount("marines", Number(on)),
        parties: ({ dataset: { on } }) => this.#changeCount("parties", Number(on)),
        pick: (element, byKeys) => this.#pickTarget(element, byKeys),
        hold: () => this.#writeBoarding(null),
      },
      draw: (seat, isSelected) => this.#draw(seat, isSelected),
    };
  }

  /**
   * Draw a line to the ship that it boards, and the boarding range if the card is selected.
   * @param {string} seat
   * @param {boolean} isSelected
   */
  #draw(seat, isSelected) {
    const contact = this.#contact(this.boarding?.to);
    if (!contact) {
      return [];
    }
    const place = nextPlace(contact);
    const way = landingLine(seat, this.endOfMove, place);
    return isSelected ? [way, rangeRing(place, BOARDING_RANGE)] : [way];
  }
}

/**
 * Return the last point of a path.
 * @param {TablePoint[]} path
 */
const lastOf = (path) => path[path.length - 1];

/**
 * Return the place of a contact after this turn, if it keeps its course.
 * @param {TablePiece} contact
 */
const nextPlace = (contact) => lastOf(flyPlot({ ...contact, v: contact.v ?? 0 }).path);
