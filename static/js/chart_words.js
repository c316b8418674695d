// What a faction knows of a hex (campaign/web/chart_data.py), in words.

import { phrase } from "./phrase.js";

/**
 * Say who holds a system.
 * @param {MapGround} ground
 * @param {MapHold} hold
 */
export function holder(ground, { power, state }) {
  const words = power
    ? phrase`held by ${ground.powers[power]?.name ?? power}`
    : phrase`held by nobody`;
  if (state === "held") {
    return words;
  }
  return `${words} (${state === "contested" ? phrase`contested` : phrase`stand-off`})`;
}

/**
 * @param {MapGround} ground
 * @param {MapHold} hold
 */
function knownHolder(ground, hold) {
  const words = holder(ground, hold);
  if (hold.here) {
    return words;
  }
  return hold.week
    ? phrase`${words}, as of week ${hold.week}`
    : phrase`${words}, at the start of the war`;
}

/**
 * @param {MapGround} ground
 * @param {MapMoment["contacts"][number]} contact
 */
function contactInWords(ground, contact) {
  const power = ground.powers[contact.power]?.name ?? contact.power;
  let when = phrase`there now`;
  if (contact.gone) {
    when = phrase`no longer there`;
  } else if (contact.age) {
    when = phrase`seen in week ${contact.week}`;
  }
  return phrase`${power}: ${contact.words}, ${when}`;
}

/**
 * Say where links from a hex lead.
 * @param {MapGround} ground
 * @param {Hex} hex
 */
function linksInWords({ links }, hex) {
  const here = links.filter(({ a, b }) => a === hex || b === hex);
  return here.map(({ a, b, words }) => phrase`${words} leads to ${a === hex ? b : a}`);
}

/**
 * Say what lies in a hex.
 * @param {MapGround} ground
 * @param {MapMoment} moment
 * @param {Hex} hex
 * @returns {[string, ...string[]]} its name, then what is known of it, part by part
 */
export function hexFacts(ground, moment, hex) {
  const system = ground.systems.find((other) => other.hex === hex);
  const hold = moment.holds[hex];
  /** @type {string[]} */
  const facts = [];
  if (ground.closed.includes(hex)) {
    facts.push(phrase`closed to all ships`);
  }
  if (hold) {
    facts.push(knownHolder(ground, hold));
  }
  if (system) {
    facts.push(...[system.base, system.about].filter(Boolean));
  }
  facts.push(...linksInWords(ground, hex));
  const contacts = moment.contacts.filter((contact) => contact.hex === hex);
  facts.push(...contacts.map((contact) => contactInWords(ground, contact)));
  const marks = moment.marks.filter((mark) => mark.hex === hex);
  facts.push(...marks.map((mark) => mark.words));
  return [system ? `${system.name} ${hex}` : phrase`Hex ${hex}`, ...facts];
}

/**
 * Say what lies in a hex, in one sentence.
 * @param {MapGround} ground
 * @param {MapMoment} moment
 * @param {Hex} hex
 */
export const hexInWords = (ground, moment, hex) =>
  `${hexFacts(ground, moment, hex).join(phrase`; `)}.`;
