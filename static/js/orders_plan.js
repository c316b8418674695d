// When a fleet is where. Arrivals are the server's where gates or closed hexes count, else the
// hexes of the plain map. Nothing here says what is lawful, or what will happen: the server does,
// of what is saved (orders_list.js).

import { distance, label, line } from "./hex.js";
import { phrase } from "./phrase.js";

const MAX_WEEKS = 40; // of a way that the server gives
const DETOUR = 2; // hexes beside the straight way that a fleet may stop in
const SYSTEM_BONUS = 2.5; // hexes that a stop in a system is worth

/** Says where fleets go and when they arrive. */
export class Plan {
  /**
   * When fleets are where, as the server says it, by how they leave.
   * @type {Map<string, {weeks: string, halts: string}>}
   */
  arrivals = new Map();
  /** @type {Map<string, Promise<void>>} */
  #requests = new Map();
  /** @type {Map<string, Hex[]>} */
  #halts = new Map();

  /**
   * @param {MapGround} ground
   * @param {MapMoment} moment
   * @param {Record<string, ServerPlan>} server plans as the server works them out, by fleet
   * @param {string} address where arrivals are asked for
   */
  constructor(ground, moment, server = {}, address = "") {
    this.ground = ground;
    this.moment = moment;
    this.server = server;
    this.address = address;
    this.plain = !ground.links.length && !ground.closed.length;
    this.systems = new Map(ground.systems.map((system) => [system.hex, system]));
  }

  /** @param {Hex} hex */
  name(hex) {
    return this.systems.get(hex)?.name ?? phrase`hex ${hex}`;
  }

  /**
   * Say whether a text is a hex of the map.
   * @param {string} text
   */
  isOnMap(text) {
    const column = Number(text.slice(0, 2));
    const row = Number(text.slice(2));
    const { columns, rows } = this.ground;
    return /^\d{4}$/.test(text) && column >= 1 && row >= 1 && column <= columns && row <= rows;
  }

  /**
   * Return the key of `arrivals` for a fleet as it is ordered (campaign/web/chart_data.py).
   * @param {OrderFleet} fleet
   */
  departureKey(fleet) {
    const beyond = this.ground.limits.filter((limit) => fleet.mass > limit).length;
    return `${fleet.hex}.${beyond}${fleet.bound.length && fleet.gate ? "g" : ""}`;
  }

  /**
   * Return the arrivals of a fleet: null where the plain map says them, undefined where it may not
   * go or nobody knows yet.
   * @param {OrderFleet} fleet
   */
  arrivalsOf(fleet) {
    if (fleet.stuck) {
      return undefined;
    }
    return this.plain ? null : this.arrivals.get(this.departureKey(fleet));
  }

  /**
   * Say whether the arrivals of a fleet have to be asked for first.
   * @param {OrderFleet} fleet
   */
  needsArrivals(fleet) {
    return !fleet.stuck && !this.plain && !this.arrivals.has(this.departureKey(fleet));
  }

  /**
   * Ask for arrivals, once each.
   * @param {OrderFleet[]} fleets
   */
  fetchArrivals(fleets) {
    const missing = fleets.filter((fleet) => this.needsArrivals(fleet));
    const keys = [...new Set(missing.map((fleet) => this.departureKey(fleet)))];
    const id = keys.join();
    if (!id) {
      return Promise.resolve();
    }
    const running = this.#requests.get(id);
    if (running) {
      return running;
    }
    const request = import("./orders_arrivals.js")
      .then(({ load }) => load(this, keys))
      .finally(() => this.#requests.delete(id));
    this.#requests.set(id, request);
    return request;
  }

  /**
   * Return the place of a hex in the texts of arrivals.
   * @param {Hex} hex
   */
  index(hex) {
    return (Number(hex.slice(0, 2)) - 1) * this.ground.rows + Number(hex.slice(2)) - 1;
  }

  /**
   * Return where the weeks of a way from the fleet's hex end, the goal last.
   * @param {OrderFleet} fleet
   * @param {Hex} goal
   */
  halts(fleet, goal) {
    const text = this.arrivalsOf(fleet);
    if (text === undefined) {
      return [];
    }
    if (text === null) {
      return this.plainHalts(fleet.hex, goal);
    }
    /** @type {Hex[]} */
    const halts = [];
    let hex = goal;
    while (hex !== fleet.hex && halts.length < MAX_WEEKS) {
      halts.unshift(hex);
      const index = 4 * this.index(hex);
      hex = text.halts.slice(index, index + 4);
    }
    return halts;
  }

  /**
   * Return where the weeks of the plain way from hex to hex end: on the map, and in a system where
   * one lies on it.
   * @param {Hex} from
   * @param {Hex} to
   */
  plainHalts(from, to) {
    const id = `${from} ${to}`;
    const known = this.#halts.get(id);
    if (known) {
      return known;
    }
    /** @type {Hex[]} */
    const halts = [];
    let hex = from;
    while (hex !== to) {
      const next = this.#nextHalt(hex, to);
      if (!next) {
        break;
      }
      halts.push(next);
      hex = next;
    }
    this.#halts.set(id, halts);
    return halts;
  }

  /**
   * @param {Hex} from
   * @param {Hex} to
   * @returns {Hex | null} where a week of the plain way ends
   */
  #nextHalt(from, to) {
    const { jump, columns, rows } = this.ground;
    const away = distance(from, to);
    if (away <= jump) {
      return to;
    }
    const straight = line(from, to)[jump];
    const isOnMap = this.isOnMap(straight);
    let best = null;
    let least = Infinity;
    for (let column = 1; column <= columns; column++) {
      for (let row = 1; row <= rows; row++) {
        const hex = label(column, row);
        const beside = isOnMap ? distance(hex, straight) : 0;
        const isOnWay = distance(from, hex) <= jump && distance(hex, to) <= away - jump;
        const cost = beside - (this.systems.has(hex) ? SYSTEM_BONUS : 0);
        if (beside <= DETOUR && isOnWay && cost < least) {
          best = hex;
          least = cost;
        }
      }
    }
    return best;
  }

  /**
   * Return the legs of a fleet's orders and plan.
   * @param {OrderFleet} fleet
   * @returns {Leg[]}
   */
  legs(fleet) {
    const start = fleet.end || fleet.hex;
    const ordered = fleet.end ? [this.#orderedLeg(fleet)] : [];
    const plan = this.server[fleet.key];
    const isCurrent = plan?.end === start && plan.goals.join() === fleet.goals.join();
    const planned = isCurrent ? serverLegs(plan, start) : this.#plannedLegs(fleet, start);
    return [...ordered, ...planned];
  }

  /**
   * @param {OrderFleet} fleet that is ordered a move
   * @returns {Leg}
   */
  #orderedLeg(fleet) {
    // A hex on the way to a system is no goal of its own.
    const halts =
      fleet.goals.length && !this.systems.has(fleet.end) ? this.halts(fleet, fleet.goals[0]) : [];
    const isOnWay = halts.length > 1 && halts[0] === fleet.end;
    const { week } = this.moment;
    return { from: fleet.hex, end: fleet.end, week, goal: !isOnWay, path: fleet.path };
  }

  /**
   * @param {OrderFleet} fleet
   * @param {Hex} start
   */
  #plannedLegs(fleet, start) {
    const isPlain = this.arrivalsOf(fleet) === null;
    /** @type {Leg[]} */
    const legs = [];
    let from = start;
    let week = this.moment.week + 1;
    for (const goal of fleet.goals) {
      for (const end of isPlain ? this.plainHalts(from, goal) : [goal]) {
        legs.push({ from, end, week: isPlain ? week : 0, goal: end === goal });
        from = end;
        week += 1;
      }
    }
    return legs;
  }
}

/**
 * @param {ServerPlan} plan
 * @param {Hex} start
 * @returns {Leg[]}
 */
function serverLegs(plan, start) {
  const starts = [start, ...plan.legs.map((leg) => leg.end)];
  return plan.legs.map((leg, n) => ({ from: starts[n], ...leg }));
}
