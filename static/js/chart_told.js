// What a faction knows of a hex (campaign/web/chart_data.py), in words.

import { phrase } from "./phrase.js";

/** Who holds a system, in words. */
export function holder(ground, { power, state }) {
  const words = power
    ? phrase`held by ${ground.powers[power]?.name ?? power}`
    : phrase`nobody holds it`;
  return state === "held"
    ? words
    : `${words} (${state === "contested" ? phrase`contested` : phrase`stand-off`})`;
}

/** What lies in a hex, in words, part by part. */
export function told(ground, moment, hex) {
  const system = ground.systems.find((one) => one.hex === hex);
  const hold = moment.holds[hex];
  const found = [system ? `${system.name} ${hex}` : phrase`Hex ${hex}`];
  if (ground.closed.includes(hex)) {
    found.push(phrase`closed to all ships`);
  }
  if (hold) {
    const who = holder(ground, hold);
    found.push(
      hold.here
        ? who
        : hold.week
          ? phrase`${who}, as of week ${hold.week}`
          : phrase`${who}, as the war began`,
    );
  }
  if (system?.base) {
    found.push(system.base);
  }
  if (system?.about) {
    found.push(system.about);
  }
  for (const link of ground.links) {
    if (link.a === hex || link.b === hex) {
      found.push(phrase`${link.words} leads to ${link.a === hex ? link.b : link.a}`);
    }
  }
  for (const contact of moment.contacts) {
    if (contact.hex !== hex) {
      continue;
    }
    const power = ground.powers[contact.power]?.name ?? contact.power;
    found.push(
      phrase`${power}: ${contact.words}, ${contact.gone ? phrase`not there any more` : contact.age ? phrase`seen in week ${contact.week}` : phrase`there now`}`,
    );
  }
  for (const mark of moment.marks) {
    if (mark.hex === hex) {
      found.push(mark.words);
    }
  }
  return found;
}
