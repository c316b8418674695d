// Works out the routes of fleets and their weeks of arrival, for display only. On maps with gates
// or closed hexes the server provides arrivals; otherwise distances decide. The server alone
// decides which orders are legal and describes what they do (orders_list.js).

import { distance, label, line } from "./hex.js";
import { phrase } from "./phrase.js";

const MAX_WEEKS = 40; // the longest route that is read from the server's answer
const MAX_DETOUR = 2; // hexes between the straight route and a week's halt
const SYSTEM_BONUS = 2.5; // hexes of detour that a halt in a system is worth

/** The routes of all fleets. */
export class Plan {
  /**
   * The server's arrivals by departure key: for each hex the week of arrival, and the halt before.
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
   * @param {Record<string, ServerPlan>} server the server's plans by fleet key
   * @param {string} address the address that returns arrivals
   */
  constructor(ground, moment, server = {}, address = "") {
    this.ground = ground;
    this.moment = moment;
    this.server = server;
    this.address = address;
    this.isPlain = !ground.links.length && !ground.closed.length;
    this.systems = new Map(ground.systems.map((system) => [system.hex, system]));
  }

  /**
   * Return the name of the system in a hex, or else of the hex.
   * @param {Hex} hex
   */
  name(hex) {
    return this.systems.get(hex)?.name ?? phrase`hex ${hex}`;
  }

  /**
   * Return whether a text is the label of a hex on the map.
   * @param {string} text
   */
  isOnMap(text) {
    const column = Number(text.slice(0, 2));
    const row = Number(text.slice(2));
    const { columns, rows } = this.ground;
    return /^\d{4}$/.test(text) && column >= 1 && row >= 1 && column <= columns && row <= rows;
  }

  /**
   * Return the key of `arrivals` for a fleet: its hex, how many mass limits of gates it exceeds,
   * and whether it can leave only by a gate (campaign/web/chart_data.py).
   * @param {OrderFleet} fleet
   */
  departureKey(fleet) {
    const exceededLimits = this.ground.limits.filter((limit) => fleet.mass > limit).length;
    return `${fleet.hex}.${exceededLimits}${fleet.boundShips.length && fleet.gate ? "g" : ""}`;
  }

  /**
   * Return the arrivals of a fleet: null if distances decide, undefined if it cannot move or its
   * arrivals are not loaded.
   * @param {OrderFleet} fleet
   */
  arrivalsOf(fleet) {
    if (fleet.stuckReason) {
      return undefined;
    }
    return this.isPlain ? null : this.arrivals.get(this.departureKey(fleet));
  }

  /**
   * Return whether the arrivals of a fleet still have to be loaded.
   * @param {OrderFleet} fleet
   */
  needsArrivals(fleet) {
    return !fleet.stuckReason && !this.isPlain && !this.arrivals.has(this.departureKey(fleet));
  }

  /**
   * Load the missing arrivals of fleets, each once.
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
      .then(({ loadArrivals }) => loadArrivals(this, keys))
      .finally(() => this.#requests.delete(id));
    this.#requests.set(id, request);
    return request;
  }

  /**
   * Return the index of a hex in the texts of arrivals.
   * @param {Hex} hex
   */
  index(hex) {
    return (Number(hex.slice(0, 2)) - 1) * this.ground.rows + Number(hex.slice(2)) - 1;
  }

  /**
   * Return the hexes where each week of a fleet's route ends, the goal last.
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
   * Return the hexes where each week of a route ends by distance alone, in a system where possible.
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
   * Return where the first week of a route by distance ends: in the hex with the shortest detour.
   * @param {Hex} from
   * @param {Hex} to
   * @returns {Hex | null}
   */
  #nextHalt(from, to) {
    const { jump, columns, rows } = this.ground;
    const length = distance(from, to);
    if (length <= jump) {
      return to;
    }
    const straight = line(from, to)[jump];
    const isOnMap = this.isOnMap(straight);
    let best = null;
    let lowestCost = Infinity;
    for (let column = 1; column <= columns; column++) {
      for (let row = 1; row <= rows; row++) {
        const hex = label(column, row);
        const detour = isOnMap ? distance(hex, straight) : 0;
        const isOnWay = distance(from, hex) <= jump && distance(hex, to) <= length - jump;
        const cost = detour - (this.systems.has(hex) ? SYSTEM_BONUS : 0);
        if (detour <= MAX_DETOUR && isOnWay && cost < lowestCost) {
          best = hex;
          lowestCost = cost;
        }
      }
    }
    return best;
  }

  /**
   * Return the legs of a fleet's orders and plan, in order.
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
   * Return the leg of this week's move.
   * @param {OrderFleet} fleet a fleet that is ordered to move
   * @returns {Leg}
   */
  #orderedLeg(fleet) {
    // A halt on the way to the next goal is not a goal itself.
    const halts =
      fleet.goals.length && !this.systems.has(fleet.end) ? this.halts(fleet, fleet.goals[0]) : [];
    const isOnWay = halts.length > 1 && halts[0] === fleet.end;
    const { week } = this.moment;
    return { from: fleet.hex, end: fleet.end, week, goal: !isOnWay, path: fleet.path };
  }

  /**
   * Return the legs of a plan that the server has not worked out yet. Their weeks are 0 if only the
   * server knows them.
   * @param {OrderFleet} fleet
   * @param {Hex} start where the plan begins
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
 * Return the legs of a plan as the server has worked them out.
 * @param {ServerPlan} plan
 * @param {Hex} start where the plan begins
 * @returns {Leg[]}
 */
function serverLegs(plan, start) {
  const starts = [start, ...plan.legs.map((leg) => leg.end)];
  return plan.legs.map((leg, n) => ({ from: starts[n], ...leg }));
}
