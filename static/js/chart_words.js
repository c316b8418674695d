// Describes in words what a faction knows about a hex (campaign/web/chart_data.py).

import { phrase } from "./phrase.js";

/**
 * Return who holds a system, in words.
 * @param {MapGround} ground
 * @param {MapHold} hold
 */
export function holderInWords(ground, { power, state }) {
  const words = power
    ? phrase`held by ${ground.powers[power]?.name ?? power}`
    : phrase`held by nobody`;
  if (state === "held") {
    return words;
  }
  return `${words} (${state === "contested" ? phrase`contested` : phrase`stand-off`})`;
}

/**
 * Return who holds a system, with the week of that knowledge if no ship is there now.
 * @param {MapGround} ground
 * @param {MapHold} hold
 */
function knownHolder(ground, hold) {
  const words = holderInWords(ground, hold);
  if (hold.here) {
    return words;
  }
  return hold.week
    ? phrase`${words}, last seen in week ${hold.week}`
    : phrase`${words}, at the start of the war`;
}

/**
 * Return a contact with its faction and the week in which it was seen, in words.
 * @param {MapGround} ground
 * @param {MapMoment["contacts"][number]} contact
 */
function contactInWords(ground, contact) {
  const power = ground.powers[contact.power]?.name ?? contact.power;
  let when = phrase`seen this week`;
  if (contact.gone) {
    when = phrase`no longer there`;
  } else if (contact.age) {
    when = phrase`seen in week ${contact.week}`;
  }
  return phrase`${power}: ${contact.words}, ${when}`;
}

/**
 * Return where links from a hex lead, one text per link.
 * @param {MapGround} ground
 * @param {Hex} hex
 */
function linksInWords({ links }, hex) {
  const here = links.filter(({ a, b }) => a === hex || b === hex);
  return here.map(({ a, b, words }) => phrase`${words} leads to ${a === hex ? b : a}`);
}

/**
 * Return the name of a hex and the facts that a faction knows about it.
 * @param {MapGround} ground
 * @param {MapMoment} moment
 * @param {Hex} hex
 * @returns {[string, ...string[]]} the name, then one text per fact
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
  facts.push(...(hold?.stations ?? []));
  facts.push(...linksInWords(ground, hex));
  const contacts = moment.contacts.filter((contact) => contact.hex === hex);
  facts.push(...contacts.map((contact) => contactInWords(ground, contact)));
  const marks = moment.marks.filter((mark) => mark.hex === hex);
  facts.push(...marks.map((mark) => mark.words));
  return [system ? `${system.name} ${hex}` : phrase`Hex ${hex}`, ...facts];
}

/**
 * Return the name of a hex and all facts about it as one sentence.
 * @param {MapGround} ground
 * @param {MapMoment} moment
 * @param {Hex} hex
 */
export const hexInWords = (ground, moment, hex) =>
  `${hexFacts(ground, moment, hex).join(phrase`; `)}.`;
