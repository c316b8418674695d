// A crowded map: flags and contacts that are near each other become one, as far as it takes for
// none to cover another. Zooming in parts them. Fetched where there are so many.

import { contacts, flags, marks } from "./chart_marks.js";
import { ScreenSpace, overlap } from "./chart_space.js";
import { phrase } from "./phrase.js";

/** @import { StarMap } from "./chart.js" */

// Square pixels of the screen for each mark in sight: with less, some become one.
const ROOM = 10_000;
// Pixels of the screen: from afar, what is nearer than that to a greater one becomes one with it.
const WIDE = 58;
const HIGH = 40;
// Pixels of a hex: below it marks become one wherever they are near, and may stand beside their
// hex.
const FAR = 17;
const ROUNDS = 8; // A flag with a greater number may be wider, so placing them again may join more.
// Where a mark stands about its hex, or a cluster about its greatest part, without a line to it:
// flags above, contacts below.
/** @type {Point[]} */
const ABOVE = [
  [-27, -20],
  [-27, 3],
  [-27, -9],
  [4, -9],
  [-58, -9],
];
/** @type {Point[]} */
const BELOW = [
  [-26, 2],
  [-26, -21],
  [-26, -10],
  [4, -10],
  [-56, -10],
];

/**
 * Marks that become one.
 * @template {MapFleet | MapContact} Mark
 * @typedef {object} Group
 * @property {string} kind only marks of the same kind are joined
 * @property {number} x
 * @property {number} y
 * @property {Mark[]} all the greatest first
 * @property {boolean} stays whether it stands alone whatever is near
 * @property {boolean} [loose] whether it found nobody to join, and may stand further away
 */

/** @param {number[]} counts */
const sum = (counts) => counts.reduce((total, count) => total + count, 0);

/** @param {(MapFleet | MapContact)[]} group */
const added = (group) => group[0].n.map((_, i) => sum(group.map(({ n }) => n[i])));

/**
 * Group marks that are of one kind and in one hex, or near each other as seen from afar.
 * @template {MapFleet | MapContact} Mark
 * @param {StarMap} map
 * @param {Mark[]} items
 * @param {(mark: Mark) => string} kindOf
 * @param {(mark: Mark) => boolean} staysAlone
 * @returns {Group<Mark>[]} first those that stand alone
 */
function groupNear(map, items, kindOf, staysAlone) {
  const isFar = 42 * map.k < FAR;
  /** @type {Group<Mark>[]} */
  const alone = [];
  /** @type {Group<Mark>[]} */
  const joined = [];
  for (const item of [...items].sort((a, b) => sum(b.n) - sum(a.n))) {
    const [x, y] = map.at(item.hex);
    const kind = kindOf(item);
    const stays = staysAlone(item);
    /** @param {Group<Mark>} group */
    const isNear = (group) =>
      isFar && !stays
        ? Math.abs(group.x - x) < WIDE && Math.abs(group.y - y) < HIGH
        : group.all[0].hex === item.hex;
    const groups = stays ? alone : joined;
    const group = groups.find((other) => other.kind === kind && isNear(other));
    if (group) {
      group.all.push(item);
    } else {
      groups.push({ kind, x, y, all: [item], stays });
    }
  }
  return [...alone, ...joined];
}

/**
 * A screen on which marks are tried: one that finds no free spot covers another, and takes none.
 */
class TrialSpace extends ScreenSpace {
  covers = false;

  /**
   * @override
   * @template Spot
   * @param {Spot[]} spots
   * @param {(spot: Spot) => Box} boxAt
   */
  best(spots, boxAt) {
    const found = super.best(spots, boxAt);
    const box = boxAt(found);
    this.covers = [...this.near(box)].some((taken) => overlap(box, taken));
    return found;
  }

  /**
   * @override
   * @param {Box} box
   */
  take(box) {
    if (!this.covers) {
      super.take(box);
    }
  }
}

/**
 * Return the group that is nearest to another, among those that may be joined.
 * @template {Group<any>} G
 * @param {G[]} groups
 * @param {Group<any>} to
 * @param {(group: G) => boolean} fits
 * @returns {G | undefined}
 */
function nearest(groups, to, fits) {
  /** @param {G} group */
  const away = (group) => Math.hypot(group.x - to.x, group.y - to.y);
  return groups
    .filter((group) => /** @type {Group<any>} */ (group) !== to && !group.stays && fits(group))
    .sort((a, b) => away(a) - away(b))[0];
}

/**
 * Place groups one after the other. One that would cover another joins the nearest of its kind;
 * where there is none it may stand further away, and is stuck if it has no room there.
 * @template {MapFleet | MapContact} Mark
 * @param {Group<Mark>[]} groups
 * @param {(group: Group<Mark>, space: TrialSpace) => void} place
 * @param {TrialSpace} space
 */
function placeAll(groups, place, space) {
  /** @type {Group<Mark>[]} */
  const placed = [];
  /** @type {Group<Mark>[]} */
  const stuck = [];
  let changed = false;
  const outside = groups.filter(({ x, y }) => !space.isInside(x, y));
  for (const group of groups) {
    if (outside.includes(group)) {
      continue;
    }
    space.covers = false;
    place(group, space);
    if (!space.covers) {
      placed.push(group);
      continue;
    }
    changed = true;
    const host = group.stays
      ? undefined
      : nearest(placed, group, (other) => other.kind === group.kind);
    if (host) {
      host.all.push(...group.all);
      continue;
    }
    placed.push(group);
    if (group.loose) {
      stuck.push(group);
    }
    group.loose = true;
  }
  return { placed, all: [...placed, ...outside], changed, stuck };
}

/**
 * @param {Group<MapFleet>} group
 * @param {boolean} isFar
 * @returns {MapFleet[]} one flag for the whole group, or all of one that stays as it is
 */
function flagsOf({ all, loose, stays }, isFar) {
  if (stays) {
    return all;
  }
  const spots = isFar && !loose ? { spots: ABOVE } : {};
  if (all.length === 1) {
    return [{ ...all[0], ...spots }];
  }
  const isCluster = all.some((fleet) => fleet.hex !== all[0].hex);
  return [
    {
      ...all[0],
      ...spots,
      key: "",
      code: undefined,
      n: added(all),
      name: isCluster ? "" : phrase`${all.length} fleets`,
      many: true,
      cluster: isCluster,
      todo: all.some((fleet) => fleet.todo),
      ftl: all.every((fleet) => fleet.ftl),
    },
  ];
}

/**
 * @param {Group<MapContact>} group
 * @param {boolean} isFar
 * @returns {MapContact[]} one contact for the whole group
 */
function contactsOf({ all, loose }, isFar) {
  return [
    {
      ...all[0],
      ...(isFar && !loose ? { spots: BELOW } : {}),
      n: added(all),
      age: Math.min(...all.map((contact) => contact.age)),
      cluster: all.length > 1,
    },
  ];
}

/**
 * Let flags beside contacts that are stuck join others, which makes room.
 * @param {Group<MapFleet>[]} fleets loses those that join
 * @param {Group<MapFleet>[]} placed
 * @param {Group<MapContact>[]} stuck
 */
function makeRoom(fleets, placed, stuck) {
  for (const contact of stuck) {
    const beside = nearest(placed, contact, () => true);
    const host = beside && nearest(placed, beside, ({ kind }) => kind === beside.kind);
    if (!host || !fleets.includes(beside) || !fleets.includes(host)) {
      continue;
    }
    host.all.push(...beside.all);
    fleets.splice(fleets.indexOf(beside), 1);
  }
}

/**
 * Return what a map shows with one flag for many fleets, and one contact for many, so that none
 * covers another. A cluster stands where most of it is.
 * @param {StarMap} map
 * @returns {MapData | null} null where there is room for all
 */
export function clustered(map) {
  const { data } = map;
  const { fleets = [], contacts: seen = [] } = data;
  const [width, height] = map.size();
  const isFar = 42 * map.k < FAR;
  const screen = new ScreenSpace(width, height);
  const inSight = [...fleets, ...seen].filter(({ hex }) => screen.isInside(...map.at(hex), 0));
  if (!isFar && inSight.length * ROOM < width * height) {
    return null;
  }
  // The hex of the chosen fleet stays as it is.
  const chosen = new Set(fleets.filter((fleet) => fleet.on).map((fleet) => fleet.hex));
  let own = groupNear(
    map,
    fleets,
    (fleet) => `${fleet.seat} ${Boolean(fleet.dummy)}`,
    (fleet) => chosen.has(fleet.hex) || fleet.hex === data.fan,
  );
  let foes = groupNear(
    map,
    seen,
    (contact) => `${contact.seat} ${contact.gone}`,
    (contact) => Boolean(contact.on),
  );
  /** @type {StarMap} */
  const trialMap = Object.create(map);
  trialMap.crowd = true; // Labels are placed with their marks.
  /**
   * @param {Group<MapFleet>} group
   * @param {TrialSpace} space
   */
  const placeFlags = (group, space) => {
    trialMap.shown = { fleets: flagsOf(group, isFar) };
    flags(trialMap, space);
  };
  /**
   * @param {Group<MapContact>} group
   * @param {TrialSpace} space
   */
  const placeContacts = (group, space) => {
    trialMap.shown = { contacts: contactsOf(group, isFar) };
    contacts(trialMap, space);
  };
  for (let round = 0, changed = true; changed && round < ROUNDS; round++) {
    const space = new TrialSpace(width, height);
    const ours = placeAll(own, placeFlags, space);
    marks(map, space);
    const theirs = placeAll(foes, placeContacts, space);
    own = ours.all;
    foes = theirs.all;
    makeRoom(own, ours.placed, theirs.stuck);
    changed = ours.changed || theirs.changed;
  }
  return {
    ...data,
    fleets: own.flatMap((group) => flagsOf(group, isFar)),
    contacts: foes.flatMap((group) => contactsOf(group, isFar)),
  };
}
