// The luck account: what dice did in battles, compared with what was to be expected. The tables are
// those of the rules; a test compares every number with the account of the Python verifier.

const FACES = [1, 2, 3, 4, 5, 6];
const REROLL_DEPTH = 12;
const NEGLIGIBLE = 1e-18;
const MAX_TIED = 3;
const NO_REROLL_LEVEL = 3;
const NEEDLE_KILLS_ON = 6;
const TABLE = "table"; // the phase of a battle whose result people entered
// Effects of a die by its face; index 0 is unused. By levels of screens.
const POINTS_OLD = [
  [0, 0, 0, 0, 1, 1, 2],
  [0, 0, 0, 0, 0, 1, 2],
  [0, 0, 0, 0, 0, 1, 1],
  [0, 0, 0, 0, 0, 0, 1],
];
const HITS_NEW = [
  [0, 0, 0, 0, 1, 1, 2],
  [0, 0, 0, 0, 0, 1, 2],
  [0, 0, 0, 0, 0, 1, 1],
  [0, 0, 0, 0, 0, 1, 1],
];
const KILLS = [0, 0, 0, 0, 1, 1, 2];
const CHANGES_DICE = new Set([
  "cloaking-device",
  "cloaking-field",
  "tuffley-cloak",
  "superior-sensors",
  "enhanced-sensors",
  "holofield",
]);
// Hits of a plasma die by levels of screens.
const HITS_PLASMA = [
  [0, 0, 0, 1, 2, 3, 4],
  [0, 0, 0, 0, 1, 2, 3],
  [0, 0, 0, 0, 0, 1, 2],
  [0, 0, 0, 0, 0, 1, 2],
];
const D3 = [0, 1, 1, 2, 2, 3, 3];
const D6 = [0, ...FACES];
const DEFENCE_POINTS = [0, 0, 0, 0, 0, 0, 1]; // of point defence at ships
const DEFENCE_TYPES = new Set(["pds", "ads", "grapeshot"]);
const GUN_TYPES = new Set(["k-gun", "mkp"]);
const CRAFT_DEFENCES = new Set(["pds", "ads"]);
const DOUBLING_FACES = 5; // a 6 never doubles a K-gun's points
const BAYS = new Set(["hangar", "combined-hangar", "fighter-rack", "gunboat-rack", "boat-bay"]);
const COVERS = new Set(["area-screen", "advanced-area-screen"]);
const BEAM_TYPES = new Set(["beam", "gatling", "particle-array", "meson"]);
const BAD_FOR_OWNER = new Set([
  "mines",
  "thresholds",
  "system-checks",
  "salvoes",
  "missiles",
  "blasts",
]);
const DICE_FIELDS = [
  "dice",
  "die",
  "rolls",
  "damage",
  "marine_dice",
  "party_dice",
  "repelled",
  "defended",
  "attacked",
  "blows",
];

/** @typedef {Record<string, any>} Event */
/** @typedef {{low: number, chances: number[]}} Pmf */
/**
 * @typedef {object} Outcome
 * @property {string} part
 * @property {string} subject
 * @property {Pmf} pmf
 * @property {number} count
 * @property {number} value
 * @property {number} dice
 */
/** @typedef {{key: string, start: Event, events: Event[]}} FoughtBattle */
/**
 * @typedef {object} LuckLine
 * @property {string} faction
 * @property {string} part
 * @property {string} battle empty for all battles
 * @property {number} dice
 * @property {number} thrown the effect of the dice: damage, craft, systems, successes
 * @property {number} expected
 * @property {number} sd
 * @property {number} p
 * @property {number} better_than
 */

/**
 * @param {Pmf} left
 * @param {Pmf} right
 * @returns {Pmf}
 */
function sumOf(left, right) {
  const sums = new Array(left.chances.length + right.chances.length - 1).fill(0);
  left.chances.forEach((chance, place) => {
    right.chances.forEach((other, further) => {
      sums[place + further] += chance * other;
    });
  });
  return trimmed(left.low + right.low, sums);
}

/**
 * @param {number} low
 * @param {number[]} chances
 * @returns {Pmf}
 */
function trimmed(low, chances) {
  let start = 0;
  let end = chances.length;
  while (chances[start] < NEGLIGIBLE && end - start > 1) {
    start += 1;
  }
  while (chances[end - 1] < NEGLIGIBLE && end - start > 1) {
    end -= 1;
  }
  return { low: low + start, chances: chances.slice(start, end) };
}

/**
 * @param {Pmf} pmf
 * @param {number} count
 * @returns {Pmf}
 */
function times(pmf, count) {
  let result = { low: 0, chances: [1] };
  let power = pmf;
  for (let rest = count; rest; rest = Math.floor(rest / 2)) {
    if (rest % 2) {
      result = sumOf(result, power);
    }
    if (rest > 1) {
      power = sumOf(power, power);
    }
  }
  return result;
}

/** @param {Pmf} pmf */
function meanOf({ low, chances }) {
  return chances.reduce((total, chance, number) => total + (low + number) * chance, 0);
}

/** @param {Pmf} pmf */
function varianceOf(pmf) {
  const offset = meanOf(pmf) - pmf.low;
  const squares = pmf.chances.reduce((total, chance, n) => total + n * n * chance, 0);
  return squares - offset * offset;
}

/** @param {number[]} chances */
function total(chances) {
  return chances.reduce((left, right) => left + right, 0);
}

/**
 * @param {Pmf} pmf
 * @param {number} value
 */
function below({ low, chances }, value) {
  return total(chances.slice(0, Math.max(value - low, 0)));
}

/**
 * @param {number[]} effects
 * @returns {Pmf}
 */
function pmfOfFaces(effects) {
  const chances = new Array(Math.max(...effects) + 1).fill(0);
  for (const face of FACES) {
    chances[effects[face]] += 1 / 6;
  }
  return { low: 0, chances };
}

/**
 * @param {number[]} first
 * @param {number[]} rerolled
 * @returns {Pmf}
 */
function pmfWithRerolls(first, rerolled) {
  let further = pmfOfFaces(rerolled);
  for (let depth = 0; depth < REROLL_DEPTH; depth += 1) {
    further = withSix(rerolled, further);
  }
  return withSix(first, further);
}

/**
 * @param {number[]} effects
 * @param {Pmf} further
 * @returns {Pmf}
 */
function withSix(effects, further) {
  const chances = new Array(Math.max(...effects) + further.chances.length).fill(0);
  for (const face of FACES.slice(0, -1)) {
    chances[effects[face]] += 1 / 6;
  }
  further.chances.forEach((chance, number) => {
    chances[effects[6] + further.low + number] += chance / 6;
  });
  return { low: 0, chances };
}

/**
 * @param {number} chance
 * @returns {Pmf}
 */
function pmfOfSuccess(chance) {
  return { low: 0, chances: [1 - chance, chance] };
}

/** @param {number} needed */
function atLeast(needed) {
  return Math.min(Math.max(7 - needed, 0), 6) / 6;
}

/**
 * @param {string} part
 * @param {string} subject
 * @param {number[]} effects
 * @param {Event} event
 * @returns {Outcome[]}
 */
function plainDice(part, subject, effects, event) {
  const count = event.dice.length;
  return [{ part, subject, pmf: pmfOfFaces(effects), count, value: event.hits, dice: count }];
}

/**
 * @param {string} part
 * @param {Event} event
 * @returns {Outcome[]}
 */
function checks(part, event) {
  const { rolls, loses_on: losesOn, ship } = event;
  const failed = rolls.filter((/** @type {[string, number]} */ roll) => roll[1] >= losesOn).length;
  const pmf = pmfOfSuccess(atLeast(losesOn));
  return [{ part, subject: ship, pmf, count: rolls.length, value: failed, dice: rolls.length }];
}

/**
 * @param {string} part
 * @param {string} subject
 * @param {Pmf} pmf
 * @param {number} value
 * @param {number} dice
 * @returns {Outcome[]}
 */
function once(part, subject, pmf, value, dice) {
  return [{ part, subject, pmf, count: 1, value, dice }];
}

/** @typedef {(event: Event) => Outcome[] | null} Counting */
/** @type {Record<string, Counting>} */
const COMMON = {
  threshold: (event) => checks("thresholds", event),
  "system-check": (event) => checks("system-checks", event),
  repair: (event) => {
    const pmf = pmfOfSuccess(Math.min(Math.max(event.parties, 0), 6) / 6);
    return event.die ? once("repairs", event.ship, pmf, Number(event.succeeded), 1) : [];
  },
  initiative: (event) => {
    /** @type {string[]} */
    const rollers = event.rolls.map((/** @type {[string, number]} */ roll) => roll[0]);
    const names = [...new Set(rollers)];
    if (names.length > MAX_TIED) {
      return null;
    }
    const first = event.order.find((/** @type {string} */ name) => names.includes(name));
    return names.flatMap((name) => {
      const dice = rollers.filter((roller) => roller === name).length;
      return once("initiative", name, pmfOfSuccess(1 / names.length), Number(name === first), dice);
    });
  },
};

/** @type {Record<string, Record<string, Counting>>} */
const COUNTED = {
  "second-edition": {
    ...COMMON,
    shot: (event) => plainDice("beams", event.ship, POINTS_OLD[event.screens], event),
    torpedo: (event) => {
      const hit = atLeast(event.needed);
      const pmf = { low: 0, chances: [1 - hit, ...new Array(6).fill(hit / 6)] };
      const dice = event.die >= event.needed ? 2 : 1;
      return once("torpedoes", event.ship, pmf, event.hits, dice);
    },
    needle: (event) => {
      const value = Number(event.die >= NEEDLE_KILLS_ON);
      return once("needles", event.ship, pmfOfSuccess(atLeast(NEEDLE_KILLS_ON)), value, 1);
    },
    pack: (event) => plainDice("submunitions", event.ship, POINTS_OLD[0], event),
    "point-defence": (event) => plainDice("point-defence", event.ship, KILLS, event),
    "mine-fired": (event) => plainDice("mines", event.ship, POINTS_OLD[event.screens], event),
    "fighters-fired": (event) =>
      event.armament === "strike"
        ? plainDice("fighters", event.group, POINTS_OLD[event.screens], event)
        : plainDice("dogfights", event.group, KILLS, event),
  },
  continuum: {
    ...COMMON,
    fire: countGun,
    "ordnance-struck": ({ ship, die, dice }) => {
      const salvo = die ? once("salvoes", ship, pmfOfFaces(D6), die, 1) : [];
      const pips = total(dice);
      const part = "missiles";
      const count = dice.length;
      const pmf = pmfOfFaces(D6);
      const struck = { part, subject: ship, pmf, count, value: pips, dice: count };
      return count ? [...salvo, struck] : salvo;
    },
    "explosion-damage": ({ ship, screens, dice, points }) => {
      const effects = D6.map((face) => Math.max(face - screens, 0));
      return plainDice("blasts", ship, effects, { dice, hits: points });
    },
  },
};

/**
 * What is counted in battles of Continuum in which all craft are standard fighters.
 * @type {Record<string, Counting>}
 */
const COUNTED_CRAFT = {
  "point-defence-at-craft": (event) =>
    CRAFT_DEFENCES.has(typeOf(event.weapon))
      ? rerolled("point-defence", event.ship, pmfWithRerolls(KILLS, KILLS), event)
      : null,
  "fighters-fired": (event) =>
    event.armament === "strike"
      ? rerolled("fighters", event.group, beamPmf(HITS_NEW, event.screens), event)
      : null,
};

/** @param {string} weapon such as `k-gun-1` */
function typeOf(weapon) {
  return weapon.slice(0, Math.max(weapon.lastIndexOf("-"), 0));
}

/**
 * Returns the outcome of a weapon of a ship of Continuum; null if it is not counted.
 * @param {Event} event
 * @returns {Outcome[] | null}
 */
function countGun(event) {
  const { ship, screens, dice, needed } = event;
  const type = typeOf(event.weapon);
  if (type === "pulse-torpedo" || GUN_TYPES.has(type)) {
    const part = GUN_TYPES.has(type) ? "gun-hits" : "torpedo-hits";
    const hit = once(part, ship, pmfOfSuccess(atLeast(needed)), Number(dice[0] >= needed), 1);
    return type === "k-gun" ? [...hit, ...doubledHits(event)] : hit;
  }
  if (BEAM_TYPES.has(type)) {
    return rerolled("beams", ship, beamPmf(HITS_NEW, screens), event);
  }
  if (type === "graser") {
    const pmf = compound(beamPmf(HITS_NEW, screens), pmfOfFaces(D3));
    return rerolled("grasers", ship, pmf, event);
  }
  if (type === "plasma-cannon") {
    return rerolled("plasma", ship, beamPmf(HITS_PLASMA, screens), event);
  }
  return DEFENCE_TYPES.has(type) ? plainDice("defence-guns", ship, DEFENCE_POINTS, event) : null;
}

/**
 * Returns whether the second die of a K-gun doubled its points. The class of the gun follows from
 * the points and this die.
 * @param {Event} event
 */
function doubledHits({ ship, damage, hits }) {
  if (!damage.length) {
    return [];
  }
  const [second] = damage;
  const isDoubled = second <= DOUBLING_FACES && 2 * second <= hits;
  const size = isDoubled ? Math.floor(hits / 2) : hits;
  const pmf = pmfOfSuccess(Math.min(size, DOUBLING_FACES) / 6);
  return once("doubled-hits", ship, pmf, Number(isDoubled), 1);
}

/**
 * @param {number[][]} table hits of a die by levels of screens
 * @param {number} level
 */
function beamPmf(table, level) {
  return level >= NO_REROLL_LEVEL
    ? pmfOfFaces(table[level])
    : pmfWithRerolls(table[level], table[0]);
}

/**
 * Returns the outcome of dice of which each 6 is rolled again, below level 3 of screens.
 * @param {string} part
 * @param {string} subject
 * @param {Pmf} pmf
 * @param {Event} event
 * @returns {Outcome[]}
 */
function rerolled(part, subject, pmf, { dice, hits, screens }) {
  const firstDice = dice.filter((/** @type {number} */ die) => die !== 6).length;
  const count = (screens ?? 0) < NO_REROLL_LEVEL ? firstDice : dice.length;
  return [{ part, subject, pmf, count, value: hits, dice: dice.length }];
}

/**
 * Returns the distribution of the sum of a random number of independent numbers.
 * @param {Pmf} number how many are added
 * @param {Pmf} each
 * @returns {Pmf}
 */
function compound(number, each) {
  const most = (number.low + number.chances.length) * (each.low + each.chances.length);
  const chances = new Array(most).fill(0);
  let sum = times(each, number.low);
  for (const chance of number.chances) {
    for (const [place, other] of sum.chances.entries()) {
      chances[sum.low + place] += chance * other;
    }
    sum = sumOf(sum, each);
  }
  return trimmed(0, chances);
}

/** @param {Event} start */
function countedIn(start) {
  if (start.edition !== "continuum") {
    return COUNTED[start.edition];
  }
  const systems = systemsOf(start);
  const isCivilWar = (start.options ?? []).includes("civil-war");
  if (isCivilWar || systems.some((system) => CHANGES_DICE.has(system.type))) {
    return COMMON;
  }
  const counted = COUNTED.continuum;
  return hasOnlyStandardCraft(start, systems) ? { ...counted, ...COUNTED_CRAFT } : counted;
}

/**
 * @param {Event} start
 * @returns {Event[]}
 */
function systemsOf(start) {
  return start.sides.flatMap((/** @type {Event} */ side) =>
    side.ships.flatMap((/** @type {Event} */ ship) => ship.design?.systems ?? []),
  );
}

/**
 * @param {Event} start
 * @param {Event[]} systems
 */
function hasOnlyStandardCraft(start, systems) {
  const hasDesigns = start.sides.every((/** @type {Event} */ side) =>
    side.ships.every((/** @type {Event} */ ship) => ship.design !== undefined),
  );
  return hasDesigns && systems.every(isPlainSystem);
}

/** @param {Event} system */
function isPlainSystem({ type, load, mods }) {
  if (!BAYS.has(type)) {
    return !COVERS.has(type);
  }
  const kinds = Object.keys(load ?? {});
  return kinds.length === 1 && kinds[0] === "standard" && !mods?.length;
}

/** @param {Event} event */
function hasDice(event) {
  return DICE_FIELDS.some((name) => {
    const value = event[name];
    return Array.isArray(value) ? value.length > 0 : Boolean(value);
  });
}

class Owners {
  /** @param {Event} start */
  constructor(start) {
    /** @type {Map<string, string>} */
    this.owners = new Map();
    for (const side of start.sides) {
      this.owners.set(side.name, side.name);
      for (const ship of side.ships) {
        const faction = ship.id.includes("/") ? ship.id.split("/")[0] : side.name;
        this.owners.set(ship.id, faction);
        if (ship.contact) {
          this.owners.set(ship.contact, faction);
        }
      }
    }
  }

  /**
   * Returns the faction of a ship or side, or of the ship from which a group comes.
   * @param {string} subject
   */
  of(subject) {
    let name = subject;
    while (!this.owners.has(name)) {
      if (!name.includes("/")) {
        return "";
      }
      name = name.slice(0, name.lastIndexOf("/"));
    }
    return this.owners.get(name) ?? "";
  }
}

/**
 * @param {Event} stop
 * @returns {boolean} whether people entered the result of the battle
 */
export function isAtTable(stop) {
  return stop.inputs.phase === TABLE;
}

/**
 * Returns the luck account of battles.
 * @param {FoughtBattle[]} battles
 * @returns {{lines: LuckLine[], not_counted: Record<string, number>}}
 */
export function luckAccount(battles) {
  /** @type {Map<string, Outcome[]>} */
  const found = new Map();
  /** @type {Record<string, number>} */
  const notCounted = {};
  for (const { key, start, events } of battles) {
    const owners = new Owners(start);
    const counted = countedIn(start);
    for (const event of events) {
      if (event.event === "taken-over") {
        owners.owners.set(event.ship, event.side);
      }
      const outcomes = counted[event.event]?.(event) ?? null;
      if (outcomes === null) {
        notCounted[event.event] = (notCounted[event.event] ?? 0) + Number(hasDice(event));
      }
      for (const outcome of outcomes ?? []) {
        keepOutcome(found, key, owners.of(outcome.subject), outcome);
      }
    }
  }
  const names = [...found.keys()].map((name) => JSON.parse(name));
  names.sort(compareNames);
  const lines = names.map(([battle, faction, part]) =>
    lineOfLuck(battle, faction, part, found.get(JSON.stringify([battle, faction, part])) ?? []),
  );
  const withDice = Object.entries(notCounted).filter(([, count]) => count);
  return { lines, not_counted: Object.fromEntries(withDice) };
}

/**
 * Adds an outcome to those of its battle and to those of all battles.
 * @param {Map<string, Outcome[]>} found
 * @param {string} key
 * @param {string} faction
 * @param {Outcome} outcome
 */
function keepOutcome(found, key, faction, outcome) {
  for (const battle of ["", key]) {
    const name = JSON.stringify([battle, faction, outcome.part]);
    const outcomesSoFar = found.get(name) ?? [];
    outcomesSoFar.push(outcome);
    found.set(name, outcomesSoFar);
  }
}

/**
 * @param {string[]} left
 * @param {string[]} right
 */
function compareNames(left, right) {
  for (const [place, text] of left.entries()) {
    if (text !== right[place]) {
      return text < right[place] ? -1 : 1;
    }
  }
  return 0;
}

/**
 * @param {string} battle
 * @param {string} faction
 * @param {string} part
 * @param {Outcome[]} outcomes
 * @returns {LuckLine}
 */
function lineOfLuck(battle, faction, part, outcomes) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  let effect = 0;
  let dice = 0;
  for (const outcome of outcomes) {
    const name = JSON.stringify(outcome.pmf);
    counts.set(name, (counts.get(name) ?? 0) + outcome.count);
    effect += outcome.value;
    dice += outcome.dice;
  }
  let pmf = { low: 0, chances: [1] };
  let expected = 0;
  let variance = 0;
  for (const [name, count] of counts) {
    const single = JSON.parse(name);
    pmf = sumOf(pmf, times(single, count));
    expected += meanOf(single) * count;
    variance += varianceOf(single) * count;
  }
  const lower = below(pmf, effect + 1);
  const upper = total(pmf.chances.slice(Math.max(effect - pmf.low, 0)));
  const share = (below(pmf, effect) + lower) / 2;
  return {
    faction,
    part,
    battle,
    dice,
    thrown: effect,
    expected,
    sd: Math.sqrt(variance),
    p: Math.min(2 * lower, 2 * upper, 1),
    better_than: BAD_FOR_OWNER.has(part) ? 1 - share : share,
  };
}
