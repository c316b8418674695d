// The dice that the site rolled for battles at a table: reserved with a number, which counts the
// throws of a faction, and shown by a later entry of the record.

/** @typedef {import("./verifier.js").Line} Line */
/**
 * An entry with dice of the site.
 * @typedef {object} SiteRoll
 * @property {Line} line
 * @property {Line | null} first the entry that reserved them; null if there is none
 * @property {number[]} rolls
 * @property {string} fault what is wrong with the entry; empty for nothing
 */

const RESERVED = "reserved";

/**
 * Returns the dice of a record, and how many throws were reserved and never shown.
 * @param {Line[]} lines the entries of a record
 */
export function siteRolls(lines) {
  /** @type {Map<string, Line>} */
  const reserved = new Map();
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {SiteRoll[]} */
  const rolls = [];
  for (const line of lines) {
    const { body, faction } = line.body;
    const throwName = `${faction}/${body.number}`;
    if (body.kind === RESERVED) {
      const count = (counts.get(faction) ?? 0) + 1;
      counts.set(faction, count);
      reserved.set(throwName, line);
      if (body.number !== count) {
        const words = "dice are reserved with another number";
        rolls.push({ line, first: line, rolls: [], fault: words });
      }
    } else if (body.by === "site") {
      rolls.push(shownRoll(line, reserved.get(throwName) ?? null));
      reserved.delete(throwName);
    }
  }
  return { rolls, unshown: reserved.size };
}

/**
 * @param {Line} line of an entry with dice
 * @param {Line | null} first
 * @returns {SiteRoll}
 */
function shownRoll(line, first) {
  const { body } = line.body;
  const rolls = body.rolls ?? valuesOf(body.dice);
  let words = "";
  if (body.number !== undefined && !first) {
    words = "these dice were not reserved";
  } else if (first && reservedParts(first.body.body) !== shownParts(body)) {
    words = "other dice were reserved";
  }
  return { line, first, rolls, fault: words };
}

/** @param {[string, number][]} pairs of system and die */
function valuesOf(pairs) {
  return pairs.map(([, value]) => value);
}

/**
 * Returns what a reservation is for, as text.
 * @param {Record<string, any>} body
 */
function reservedParts({ about, dice, ship, row, systems }) {
  return JSON.stringify(systems ? [ship, row, systems] : [about, dice]);
}

/**
 * Returns what the dice of an entry are for, as text.
 * @param {Record<string, any>} body
 */
function shownParts({ about, rolls, ship, row, dice }) {
  if (rolls) {
    return JSON.stringify([about, rolls.length]);
  }
  /** @type {[string, number][]} */
  const pairs = dice;
  return JSON.stringify([ship, row, pairs.map(([system]) => system)]);
}
