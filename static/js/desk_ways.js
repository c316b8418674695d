// When fleets are where: asked of the server where gates or closed hexes count, and drawn week by week for one that is chosen.

import { distance, label } from "./hex.js";
import { phrase } from "./phrase.js";

/** Fetch the texts of these ways of leaving a hex into a plan (desk_plan.js). */
export async function load(plan, keys) {
  const answer = await fetch(
    `${plan.address}?${new URLSearchParams(keys.map((key) => ["of", key]))}`,
  );
  if (answer.ok) {
    for (const [key, text] of Object.entries((await answer.json()).texts)) {
      plan.texts.set(key, text);
    }
  }
}

/** In how many weeks a fleet that leaves where it is now comes to a hex: 1 this week; 0 never. */
export function weeksTo(plan, fleet, hex) {
  const text = plan.text(fleet);
  if (text === undefined || plan.ground.closed.includes(hex)) {
    return 0;
  }
  if (text === null) {
    return Math.max(1, Math.ceil(distance(fleet.hex, hex) / plan.ground.jump));
  }
  const digit = text.weeks[plan.index(hex)];
  return digit === "." ? 0 : parseInt(digit, 36);
}

/** A week in words. */
export function weekWords(plan, week) {
  return week > plan.ground.weeks ? phrase`after the end` : phrase`week ${week}`;
}

/** What gives the hexes that a fleet reaches in each week from now on, at most three: made once for all that reach the same. */
export function bands(plan, most = 3) {
  const { ground, moment } = plan;
  const made = new Map();
  return (fleet) => {
    const id = `${plan.leaves(fleet)} ${plan.text(fleet) !== undefined}`;
    if (!made.has(id)) {
      const found = Array.from({ length: most }, () => []);
      for (let c = 1; c <= ground.columns; c++) {
        for (let r = 1; r <= ground.rows; r++) {
          const hex = label(c, r);
          const week = weeksTo(plan, fleet, hex);
          if (week && week <= most) {
            found[week - 1].push(hex);
          }
        }
      }
      made.set(id, found);
    }
    return { id, bands: made.get(id).slice(0, Math.max(1, ground.weeks - moment.week + 1)) };
  };
}

/** When a fleet that leaves now would be in each system, in words, by hex. */
export function arrivals(plan, fleet) {
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
 * The keys of the fleets that are at a place when one of them is there as planned, that one first.
 * Where only the server can say when that is, those count whose whole plan ends there.
 */
export function together(plan, fleet, place, fleets) {
  const arrival = plan.legs(fleet).find((leg) => leg.end === place);
  const week = arrival ? arrival.week : plan.moment.week;
  const standsThere = (other) => {
    const legs = plan.legs(other);
    const made = week ? legs.filter((leg) => leg.week && leg.week <= week) : legs;
    return (made.at(-1)?.end ?? other.hex) === place;
  };
  const others = fleets.filter((other) => other.key !== fleet.key && other.ships.length);
  return [fleet, ...others.filter(standsThere)].map((one) => one.key);
}
