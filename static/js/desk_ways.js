// When fleets are where: asked of the server where gates or closed hexes count, and drawn week by week for one that is chosen.

import { label } from "./hex.js";

/** Fetch the texts of these ways of leaving a hex into a plan (desk_plan.js). */
export async function load(plan, keys) {
  const answer = await fetch(`${plan.address}?${new URLSearchParams(keys.map((key) => ["of", key]))}`);
  if (answer.ok) for (const [key, text] of Object.entries((await answer.json()).texts)) plan.texts.set(key, text);
}

/** What gives the hexes that a fleet reaches in each week from now on, at most three: made once for all that reach the same. */
export function bands(plan, most = 3) {
  const { ground, moment } = plan, made = new Map();
  return (fleet) => {
    const id = `${plan.leaves(fleet)} ${plan.text(fleet) !== undefined}`;
    if (!made.has(id)) {
      const found = Array.from({ length: most }, () => []);
      for (let c = 1; c <= ground.columns; c++) for (let r = 1; r <= ground.rows; r++) {
        const hex = label(c, r), week = plan.weeks(fleet, hex);
        if (week && week <= most) found[week - 1].push(hex);
      }
      made.set(id, found);
    }
    return { id, bands: made.get(id).slice(0, Math.max(1, ground.weeks - moment.week + 1)) };
  };
}
