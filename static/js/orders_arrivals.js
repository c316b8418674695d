// When fleets are where: asked of the server where gates or closed hexes count, and drawn week by
// week for the chosen one.

import { distance, label } from "./hex.js";
import { phrase } from "./phrase.js";

/** @import { Plan } from "./orders_plan.js" */

const WEEKS_DRAWN = 3; // bands of reach

/**
 * Fetch arrivals into a plan.
 * @param {Plan} plan
 * @param {string[]} keys how fleets leave their hexes
 */
export async function load(plan, keys) {
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
 * Return in how many weeks a fleet that leaves now comes to a hex: 1 this week, 0 never.
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
  return digit === "." ? 0 : parseInt(digit, 36);
}

/**
 * @param {Plan} plan
 * @param {number} week
 */
export function weekWords(plan, week) {
  return week > plan.ground.weeks ? phrase`after the end` : phrase`week ${week}`;
}

/**
 * @param {Plan} plan
 * @param {OrderFleet} fleet
 * @returns {Hex[][]} the hexes that it reaches this week, in the next one, and so on
 */
function reachOf(plan, fleet) {
  const { columns, rows } = plan.ground;
  /** @type {Hex[][]} */
  const bands = Array.from({ length: WEEKS_DRAWN }, () => []);
  for (let column = 1; column <= columns; column++) {
    for (let row = 1; row <= rows; row++) {
      const hex = label(column, row);
      const week = weeksTo(plan, fleet, hex);
      if (week && week <= WEEKS_DRAWN) {
        bands[week - 1].push(hex);
      }
    }
  }
  return bands;
}

/**
 * Return a function that gives the reach of a fleet, worked out once for all that reach the same.
 * @param {Plan} plan
 * @returns {(fleet: OrderFleet) => MapReach}
 */
export function bands(plan) {
  const { ground, moment } = plan;
  const weeksLeft = Math.max(1, ground.weeks - moment.week + 1);
  /** @type {Map<string, Hex[][]>} */
  const known = new Map();
  return (fleet) => {
    const id = `${plan.departureKey(fleet)} ${plan.arrivalsOf(fleet) !== undefined}`;
    const reach = known.get(id) ?? reachOf(plan, fleet);
    known.set(id, reach);
    return { id, bands: reach.slice(0, weeksLeft) };
  };
}

/**
 * Return when a fleet that leaves now would be in each system, in words, by hex.
 * @param {Plan} plan
 * @param {OrderFleet} fleet
 */
export function arrivals(plan, fleet) {
  /** @type {Map<Hex, string>} */
  const found = new Map();
  for (const { hex } of plan.ground.systems) {
    const week = hex === fleet.hex ? 0 : weeksTo(plan, fleet, hex);
    if (week) {
      found.set(hex, weekWords(plan, plan.moment.week + week - 1));
    }
  }
  return found;
}

/**
 * Return the keys of the fleets that are at a place when one of them is there as planned, that one
 * first. Where only the server can say when that is, those count whose whole plan ends there.
 * @param {Plan} plan
 * @param {OrderFleet} fleet
 * @param {Hex} place
 * @param {OrderFleet[]} fleets
 */
export function together(plan, fleet, place, fleets) {
  const arrival = plan.legs(fleet).find((leg) => leg.end === place);
  const week = arrival ? arrival.week : plan.moment.week;
  /** @param {OrderFleet} other */
  const isThere = (other) => {
    const legs = plan.legs(other);
    const made = week ? legs.filter((leg) => leg.week && leg.week <= week) : legs;
    return (made.at(-1)?.end ?? other.hex) === place;
  };
  const others = fleets.filter((other) => other.key !== fleet.key && other.ships.length);
  return [fleet, ...others.filter(isThere)].map(({ key }) => key);
}
