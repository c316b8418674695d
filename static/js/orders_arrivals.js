// Arrivals of fleets: loads them from the server on maps with gates or closed hexes, and works out
// the reach of the chosen fleet week by week.

import { distance, label } from "./hex.js";
import { phrase } from "./phrase.js";

/** @import { Plan } from "./orders_plan.js" */

const UNREACHABLE = "."; // in the server's text of weeks
const REACH_WEEKS = 3; // weeks of reach that are drawn

/**
 * Load arrivals from the server into a plan.
 * @param {Plan} plan
 * @param {string[]} keys the departure keys of fleets
 */
export async function loadArrivals(plan, keys) {
  const query = new URLSearchParams(keys.map((key) => ["of", key]));
  const answer = await fetch(`${plan.address}?${query}`);
  if (!answer.ok) {
    return;
  }
  const { texts } = await answer.json();
  for (const [key, text] of Object.entries(texts)) {
    plan.arrivals.set(key, text);
  }
}

/**
 * Return after how many weeks a fleet that leaves now arrives in a hex: 1 this week, 0 never.
 * @param {Plan} plan
 * @param {OrderFleet} fleet
 * @param {Hex} hex
 */
export function weeksTo(plan, fleet, hex) {
  const text = plan.arrivalsOf(fleet);
  if (text === undefined || plan.ground.closed.includes(hex)) {
    return 0;
  }
  if (text === null) {
    return Math.max(1, Math.ceil(distance(fleet.hex, hex) / plan.ground.jump));
  }
  const digit = text.weeks[plan.index(hex)];
  return digit === UNREACHABLE ? 0 : parseInt(digit, 36);
}

/**
 * Return a week in words.
 * @param {Plan} plan
 * @param {number} week
 */
export function weekWords(plan, week) {
  return week > plan.ground.weeks ? phrase`after the end` : phrase`week ${week}`;
}

/**
 * Return the hexes that a fleet can reach, by week of arrival.
 * @param {Plan} plan
 * @param {OrderFleet} fleet
 * @returns {Hex[][]} one list per week, this week first
 */
function hexesByWeek(plan, fleet) {
  const { columns, rows } = plan.ground;
  /** @type {Hex[][]} */
  const bands = Array.from({ length: REACH_WEEKS }, () => []);
  for (let column = 1; column <= columns; column++) {
    for (let row = 1; row <= rows; row++) {
      const hex = label(column, row);
      const week = weeksTo(plan, fleet, hex);
      if (week && week <= REACH_WEEKS) {
        bands[week - 1].push(hex);
      }
    }
  }
  return bands;
}

/**
 * Return a function that returns the reach of a fleet, and works it out once for all fleets with
 * the same departure.
 * @param {Plan} plan
 * @returns {(fleet: OrderFleet) => MapReach}
 */
export function reachFunction(plan) {
  const { ground, moment } = plan;
  const weeksLeft = Math.max(1, ground.weeks - moment.week + 1);
  /** @type {Map<string, Hex[][]>} */
  const cache = new Map();
  return (fleet) => {
    const id = `${plan.departureKey(fleet)} ${plan.arrivalsOf(fleet) !== undefined}`;
    const reach = cache.get(id) ?? hexesByWeek(plan, fleet);
    cache.set(id, reach);
    return { id, bands: reach.slice(0, weeksLeft) };
  };
}

/**
 * Return when a fleet that leaves now arrives in each system, in words by hex.
 * @param {Plan} plan
 * @param {OrderFleet} fleet
 */
export function arrivalsInWords(plan, fleet) {
  /** @type {Map<Hex, string>} */
  const arrivals = new Map();
  for (const { hex } of plan.ground.systems) {
    const week = hex === fleet.hex ? 0 : weeksTo(plan, fleet, hex);
    if (week) {
      arrivals.set(hex, weekWords(plan, plan.moment.week + week - 1));
    }
  }
  return arrivals;
}

/**
 * Return the keys of the fleets that will be in a hex when a fleet arrives there, that fleet first.
 * If only the server knows the week of arrival, fleets whose plan ends in the hex count.
 * @param {Plan} plan
 * @param {OrderFleet} fleet
 * @param {Hex} hex
 * @param {OrderFleet[]} fleets
 */
export function fleetsPresentWith(plan, fleet, hex, fleets) {
  const arrival = plan.legs(fleet).find((leg) => leg.end === hex);
  const week = arrival ? arrival.week : plan.moment.week;
  /** @param {OrderFleet} other */
  const isThere = (other) => {
    const legs = plan.legs(other);
    const legsByThen = week ? legs.filter((leg) => leg.week && leg.week <= week) : legs;
    return (legsByThen.at(-1)?.end ?? other.hex) === hex;
  };
  const others = fleets.filter((other) => other.key !== fleet.key && other.ships.length);
  return [fleet, ...others.filter(isThere)].map(({ key }) => key);
}
