// Carriers on the plot page: which groups a ship launches this turn, how many more it can, and why
// others stay aboard. What is possible comes from the engine, with the page. Loaded with
// battle_craft.js.

import { actionButton, cardRow, orderParts } from "./battle_cards.js";
import { html, need } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { Card, CardContext } from "./battle_cards.js" */

/** @param {string} part a part of an order */
const isLaunch = (part) => /^launch\b/i.test(part);

/** The launches that a ship's order contains: its part "launch <bays>". */
export class Launches {
  /**
   * @param {CardContext} context
   * @param {string} ship
   */
  constructor(context, ship) {
    this.context = context;
    this.ship = ship;
  }

  #orderParts() {
    return orderParts(this.context.page.writtenOrder(this.ship));
  }

  /** Return the ids of the bays that are launched. An order may use short names. */
  get bays() {
    const order = this.#orderParts().find(isLaunch) ?? "";
    const names = order
      .split(/[\s,]+/)
      .slice(1)
      .filter(Boolean);
    return names.map((name) => {
      const deck = this.context.data.decks.find(
        ([ship, , , , shortName]) => ship === this.ship && shortName === name,
      );
      const [, bay = name] = deck ?? [];
      return bay;
    });
  }

  /**
   * Launch these bays and no others.
   * @param {string[]} bays
   */
  write(bays) {
    const parts = this.#orderParts().filter((part) => !isLaunch(part));
    if (bays.length) {
      parts.push(`launch ${bays.join(" ")}`);
    }
    this.context.page.writeOrder(this.ship, parts.join("; "));
  }

  /** Return the launches that are left this turn, and all. */
  get limit() {
    const { most = 0 } = this.context.data.carriers[this.ship] ?? {};
    return { left: Math.max(most - this.bays.length, 0), most };
  }
}

/** A bay of a ship, whose group the ship's order may launch. */
export class Bay {
  /**
   * @param {CardContext} context
   * @param {string} ship
   * @param {string} id
   */
  constructor(context, ship, id) {
    this.context = context;
    this.ship = ship;
    this.id = id;
    this.launches = new Launches(context, ship);
  }

  get isLaunched() {
    return this.launches.bays.includes(this.id);
  }

  /** Launch the group, or no longer launch it. */
  toggle() {
    const { bays } = this.launches;
    this.launches.write(this.isLaunched ? bays.filter((id) => id !== this.id) : [...bays, this.id]);
  }

  /** Return why the ship cannot launch one more group; "" if it can. */
  refusal() {
    const [most, sharing] = this.context.data.limits[this.ship] ?? [0, []];
    if (!most || !sharing.includes(this.id) || this.isLaunched) {
      return "";
    }
    const used = this.launches.bays.filter((id) => sharing.includes(id)).length;
    return used < most ? "" : phrase`its ship can launch only ${most} {:group|groups} a turn`;
  }
}

/** The card of a carrier: how many groups it can still launch, and why others stay aboard. */
export class CarrierCard {
  /**
   * @param {CardContext} context
   * @param {string} ship
   * @param {Carrier} carrier
   */
  constructor(context, ship, carrier) {
    this.ship = ship;
    this.carrier = carrier;
    this.context = context;
    this.launches = new Launches(context, ship);
    this.row = cardRow(carrier.name, "launch-tube");
    this.row.classList.add("carrier");
    const box = need(this.row, ".acts", HTMLElement);
    if (carrier.first.length) {
      box.append(
        actionButton("first", phrase`Launch ${carrier.most}`),
        actionButton("none", phrase`Launch none`),
      );
    } else {
      box.remove();
    }
    const reasons = carrier.aboard.map(([name, why]) => html("li", {}, phrase`${name}: ${why}`));
    if (carrier.note && carrier.first.length) {
      reasons.unshift(html("li", {}, carrier.note));
    }
    if (reasons.length) {
      this.row.append(html("ul", { className: "why" }, ...reasons));
    }
  }

  #words() {
    const { left, most } = this.launches.limit;
    if (!most) {
      return phrase`can launch nothing this turn`;
    }
    return phrase`${left} of ${most} {:launch|launches} left`;
  }

  /** @returns {Card} */
  makeCard() {
    const { carrier, launches } = this;
    return {
      key: `carrier ${this.ship}`,
      row: this.row,
      name: carrier.name,
      ship: this.ship,
      getPlace: () => this.context.placeOf(this.ship),
      emptyText: "",
      orders: () => [this.#words()],
      differsFromCaptain: () => false,
      actions: {
        first: () => launches.write(carrier.first),
        none: () => launches.write([]),
      },
      draw: () => [],
    };
  }
}

/**
 * Return the cards of carriers by ship.
 * @param {CardContext} context
 * @returns {Map<string, CarrierCard>}
 */
export function carrierCards(context) {
  /** @type {Map<string, CarrierCard>} */
  const cards = new Map();
  for (const [ship, carrier] of Object.entries(context.data.carriers)) {
    cards.set(ship, new CarrierCard(context, ship, carrier));
  }
  return cards;
}
