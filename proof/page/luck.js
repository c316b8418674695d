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
const DOUBLING_FACES = 5; // a 6 never doubles a K-gun's points
const BAYS = new Set(["hangar", "combined-hangar", "fighter-rack", "gunboat-rack", "boat-bay"]);
const COVERS = new Set(["area-screen", "advanced-area-screen"]);
const BEAM_TYPES = new Set(["beam", "gatling", "particle-array", "meson"]);
const ADVANCED = new Set(["advanced-screen", "advanced-area-screen"]);
const MAX_ADVANCED = 2;
const ENDURANCE = 6; // of standard fighters
const LAUNCHES = new Set(["ordnance-launched", "rockets-launched", "shaped-bolt"]);
// Events that cost a group endurance: those that cost it once in a turn, and each time.
const PAID_ONCE = new Set(["fighters-fired", "craft-fired-at-ordnance", "assisted"]);
const PAID_EACH_TIME = new Set(["secondary-move", "evaded"]);
// What the weapons launch, as point defence distinguishes it.
/** @type {Record<string, string>} */
const ORDNANCE = {
  "salvo-launcher": "missiles",
  "salvo-rack": "missiles",
  "rocket-pod": "missiles",
  "heavy-missile": "heavy",
  "antimatter-missile": "heavy",
  "plasma-bolt": "bolt",
};
const REROLLED = new Set(["missiles", "fighters"]); // targets at which each 6 earns another die
// What a point defence die shoots down, by the kind of target.
/** @type {Record<string, number[]>} */
const BY_PDS = {
  missiles: KILLS,
  heavy: [0, 0, 0, 0, 0, 1, 1],
  bolt: [0, 0, 0, 0, 0, 0, 1],
  fighters: KILLS,
};
/** @type {Record<string, number[]>} */
const BY_LIGHT_BEAM = {
  missiles: [0, 0, 0, 0, 0, 1, 1],
  heavy: [0, 0, 0, 0, 0, 0, 1],
  fighters: [0, 0, 0, 0, 0, 1, 1],
};
/**
 * A weapon as point defence.
 * @typedef {object} Guard
 * @property {Record<string, number[]>} kills what a die shoots down
 * @property {number} modifier of its dice
 * @property {boolean} hasRerolls whether each 6 earns another die
 */
const PDS = { kills: BY_PDS, modifier: 0, hasRerolls: true };
const K_GUN_KILLS = { missiles: KILLS, heavy: BY_PDS.heavy, fighters: KILLS };
/** @type {Record<string, Guard>} */
const GUARDS = {
  ads: PDS,
  beam: { kills: BY_LIGHT_BEAM, modifier: 0, hasRerolls: true },
  emp: { kills: BY_LIGHT_BEAM, modifier: 0, hasRerolls: false },
  gatling: PDS,
  grapeshot: PDS,
  "k-gun": { kills: K_GUN_KILLS, modifier: -1, hasRerolls: true },
  meson: PDS,
  "particle-array": PDS,
  pds: PDS,
  phaser: PDS,
  pulser: PDS,
  scattergun: PDS, // by an option
};
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

/**
 * Returns the distribution of a shot that has an effect if it hits.
 * @param {number} chance of a hit
 * @param {Pmf} effect
 * @returns {Pmf}
 */
function pmfOfHit(chance, { low, chances }) {
  const sums = [...new Array(low).fill(0), ...chances.map((each) => chance * each)];
  sums[0] += 1 - chance;
  return { low: 0, chances: sums };
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
      const points = { low: 1, chances: new Array(6).fill(1 / 6) };
      const pmf = pmfOfHit(atLeast(event.needed), points);
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

/** @param {string} weapon such as `k-gun-1` */
function typeOf(weapon) {
  return weapon.slice(0, Math.max(weapon.lastIndexOf("-"), 0));
}

/**
 * Returns the outcome of a weapon of a ship of Continuum; null if it is not counted.
 * @param {Facts} facts
 * @param {Event} event
 * @returns {Outcome[] | null}
 */
function countGun(facts, event) {
  const type = typeOf(event.weapon);
  if (event.mode === "needle") {
    return needlePoints(event);
  }
  if (GUN_COUNTS[type]) {
    return GUN_COUNTS[type](event);
  }
  if (type === "heavy-graser") {
    return heavyGraser(facts.modelOf(event.ship, event.weapon), event);
  }
  if (type === "submunition" || type === "fusion-array") {
    return spreadBeams(type, facts.advancedLevels(event), event);
  }
  const [part, pmf] = beamLike(type, event.screens);
  return part ? rerolled(part, event.ship, pmf, event) : null;
}

/** @param {Event} event */
function needlePoints(event) {
  return unrepeated("needle-points", pmfOfSuccess(atLeast(event.needed)), event);
}

/** @param {Event} event */
function defenceGuns(event) {
  return plainDice("defence-guns", event.ship, DEFENCE_POINTS, event);
}

/**
 * @param {string} part
 * @param {Event} event
 */
function projectile(part, { ship, dice, needed }) {
  return once(part, ship, pmfOfSuccess(atLeast(needed)), Number(dice[0] >= needed), 1);
}

/**
 * Weapons whose dice depend on their event alone, and are not like beam dice.
 * @type {Record<string, (event: Event) => Outcome[]>}
 */
const GUN_COUNTS = {
  "k-gun": (event) => [...projectile("gun-hits", event), ...doubledHits(event)],
  mkp: (event) => projectile("gun-hits", event),
  "pulse-torpedo": (event) => projectile("torpedo-hits", event),
  needle: needlePoints,
  pds: defenceGuns,
  ads: defenceGuns,
  grapeshot: defenceGuns,
};

/**
 * Returns the part of a weapon whose dice are like beam dice, and the distribution of a die.
 * @param {string} type
 * @param {number} screens
 * @returns {[string, Pmf]}
 */
function beamLike(type, screens) {
  const pmf = beamPmf(type === "plasma-cannon" ? HITS_PLASMA : HITS_NEW, screens);
  if (BEAM_TYPES.has(type)) {
    return ["beams", pmf];
  }
  switch (type) {
    case "graser":
      return ["grasers", compound(pmf, pmfOfFaces(D3))];
    case "phaser":
      return ["phasers", compound(pmf, pmfOfFaces(D3))];
    case "plasma-cannon":
      return ["plasma", pmf];
    case "scattergun":
      return ["defence-guns", pmf];
    default:
      return ["", pmf];
  }
}

/**
 * @param {string | null} model
 * @param {Event} event
 */
function heavyGraser(model, event) {
  if (model === null) {
    return null;
  }
  const { ship, screens } = event;
  if (model === "high-intensity") {
    const pmf = compound(beamPmf(HITS_NEW, screens), pmfOfFaces(D6));
    return rerolled("grasers", ship, pmf, event);
  }
  return unrepeated("grasers", compound(pmfOfFaces(HITS_NEW[screens]), pmfOfFaces(D6)), event);
}

/**
 * Returns the points of a submunition pack or fusion array, which only advanced screens reduce.
 * @param {string} type
 * @param {number | null} advanced levels of them, null if they are not known
 * @param {Event} event
 */
function spreadBeams(type, advanced, event) {
  if (advanced === null) {
    return null;
  }
  const { ship, dice, damage, needed, hits } = event;
  const pmf = beamPmf(HITS_NEW, advanced);
  if (type === "submunition") {
    return rerolled("submunitions", ship, pmf, { dice, hits });
  }
  // A fusion array has as many beam dice as the number that it needs to hit, in both settings.
  const hit = pmfOfHit(atLeast(needed), times(pmf, needed));
  return once("fusion", ship, hit, hits, dice.length + damage.length);
}

/**
 * Returns the outcome of dice without re-rolls.
 * @param {string} part
 * @param {Pmf} pmf
 * @param {Event} event
 * @returns {Outcome[]}
 */
function unrepeated(part, pmf, { ship, dice, hits }) {
  return [{ part, subject: ship, pmf, count: dice.length, value: hits, dice: dice.length }];
}

/**
 * Returns what point defence shot down; null for weapons that are not counted.
 * @param {Facts} facts
 * @param {string} part
 * @param {string} target
 * @param {Event} event
 */
function countDefence(facts, part, target, event) {
  const type = typeOf(event.weapon);
  if (type === "scattergun" && (target === "bolt" || !facts.hasPellets)) {
    return unrepeated(part, pmfOfFaces(target === "bolt" ? KILLS : D6), event);
  }
  const guard = GUARDS[type];
  const kills = guard?.kills[target];
  if (!kills) {
    return null;
  }
  const first = D6.map((face) => kills[Math.min(Math.max(face + guard.modifier, 1), 6)]);
  if (guard.hasRerolls && REROLLED.has(target)) {
    return rerolled(part, event.ship, pmfWithRerolls(first, kills), event);
  }
  return unrepeated(part, pmfOfFaces(first), event);
}

/**
 * Returns the outcome of the fire of standard fighters of Continuum.
 * @param {boolean} mayBeExhausted
 * @param {Event} event
 */
function countFighters(mayBeExhausted, event) {
  if (event.armament === "strike") {
    return rerolled("fighters", event.group, beamPmf(HITS_NEW, event.screens), event);
  }
  if (event.armament !== "dogfight" || mayBeExhausted) {
    return null;
  }
  return rerolled("dogfights", event.group, pmfWithRerolls(KILLS, KILLS), event);
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

/**
 * Returns the functions that count dice, which must be called for all events in order.
 * @param {Event} start
 * @returns {Record<string, Counting>}
 */
function countedIn(start) {
  if (start.edition !== "continuum") {
    return COUNTED[start.edition];
  }
  const facts = new Facts(start);
  if (facts.hasHiddenModifiers) {
    return COMMON;
  }
  /** @type {Record<string, Counting>} */
  const counted = {
    ...COUNTED.continuum,
    fire: (event) => countGun(facts, event),
    "point-defence-at-ordnance": (event) => {
      const target = ORDNANCE[facts.launchers[event.marker]];
      return target ? countDefence(facts, "ordnance-defence", target, event) : null;
    },
  };
  for (const kind of NOTICED) {
    counted[kind] = (event) => {
      facts.notice(event);
      return null;
    };
  }
  if (facts.hasOnlyStandardCraft) {
    counted["point-defence-at-craft"] = (event) =>
      countDefence(facts, "point-defence", "fighters", event);
    counted["fighters-fired"] = (event) => {
      const mayBeExhausted = facts.mayBeExhausted(event.group);
      facts.notice(event);
      return countFighters(mayBeExhausted, event);
    };
  }
  return counted;
}

const NOTICED = [...LAUNCHES, ...PAID_ONCE, ...PAID_EACH_TIME, "launched", "half-fuelled"];

/** What a battle's file and its events so far say about dice of Continuum. */
class Facts {
  /** @param {Event} start */
  constructor(start) {
    /** @type {Event[]} */
    const ships = start.sides.flatMap((/** @type {Event} */ side) => side.ships);
    /** @type {Event[]} */
    const systems = ships.flatMap((ship) => ship.design?.systems ?? []);
    const options = new Set(start.options ?? []);
    const hasDesigns = ships.every((ship) => ship.design !== undefined);
    /** @type {Map<string, Event[]>} */
    this.designs = new Map();
    for (const ship of ships) {
      if (ship.design) {
        this.designs.set(ship.id, ship.design.systems ?? []);
      }
    }
    /** @type {string[] | null} */
    this.areaTypes = hasDesigns ? systems.map(({ type }) => type).filter(isCover) : null;
    this.hasHiddenModifiers =
      options.has("civil-war") || systems.some(({ type }) => CHANGES_DICE.has(type));
    this.hasOnlyStandardCraft = hasDesigns && systems.every(isPlainSystem);
    this.hasKnownEndurance =
      !options.has("aces") &&
      !options.has("dogfight-actions") &&
      !ships.some((ship) => hasEntries(ship.groups) || hasEntries(ship.craft_figures));
    this.hasPellets = options.has("scattergun-four");
    /** @type {Record<string, string>} */
    this.launchers = {};
    /** @type {Map<string, number>} */
    this.usedEndurance = new Map();
    /** @type {Set<string>} */
    this.paid = new Set();
  }

  /** @param {Event} event */
  notice(event) {
    const { event: kind, group } = event;
    const inTurn = `${group} ${event.turn}`;
    if (LAUNCHES.has(kind)) {
      this.launchers[event.marker] = typeOf(event.weapon);
    } else if (kind === "launched") {
      this.usedEndurance.set(group, 0);
      this.paid.delete(inTurn);
    } else if (kind === "half-fuelled") {
      this.usedEndurance.set(group, event.used_endurance);
    } else if (PAID_EACH_TIME.has(kind) || !this.paid.has(inTurn)) {
      if (PAID_ONCE.has(kind)) {
        this.paid.add(inTurn);
      }
      this.usedEndurance.set(group, (this.usedEndurance.get(group) ?? 0) + 1);
    }
  }

  /** @param {string} group */
  mayBeExhausted(group) {
    return !this.hasKnownEndurance || (this.usedEndurance.get(group) ?? 0) >= ENDURANCE;
  }

  /**
   * Returns how many levels of the screens that a shot met are advanced; null if unknown.
   * @param {Event} event
   */
  advancedLevels({ screens, target }) {
    if (!screens) {
      return 0;
    }
    const own = this.designs.get(target);
    if (!own || !this.areaTypes) {
      return null;
    }
    const isScreen = (/** @type {string} */ type) =>
      type === "screen" || type === "advanced-screen";
    const types = [...own.map(({ type }) => type).filter(isScreen), ...this.areaTypes];
    if (!types.some((type) => ADVANCED.has(type))) {
      return 0;
    }
    return types.every((type) => ADVANCED.has(type)) ? Math.min(screens, MAX_ADVANCED) : null;
  }

  /**
   * Returns the model of a ship's mount, such as `heavy-graser-2`; null if it is unknown.
   * @param {string} ship
   * @param {string} weapon
   * @returns {string | null}
   */
  modelOf(ship, weapon) {
    let place = Number(weapon.slice(weapon.lastIndexOf("-") + 1));
    for (const { type, count, model } of this.designs.get(ship) ?? []) {
      if (type === typeOf(weapon)) {
        place -= count ?? 1;
        if (place <= 0) {
          return model ?? "";
        }
      }
    }
    return null;
  }
}

/** @param {string} type */
function isCover(type) {
  return COVERS.has(type);
}

/** @param {object | undefined} values */
function hasEntries(values) {
  return Object.keys(values ?? {}).length > 0;
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
