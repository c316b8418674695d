// Joins flags and contacts that are close to each other on a crowded map, until none covers
// another. Zooming in separates them again. Loaded when a map has many of them.

import { contacts, flags, marks } from "./chart_marks.js";
import { ScreenSpace, overlap } from "./chart_space.js";
import { phrase } from "./phrase.js";

/** @import { StarMap } from "./chart.js" */

// Square pixels of the screen per visible mark: with less, marks are joined.
const AREA_PER_MARK = 10_000;
// Pixels of the screen: on a distant map, a mark this close to a larger one joins it.
const JOIN_WIDTH = 58;
const JOIN_HEIGHT = 40;
// Pixels: with hexes lower than this the map is distant. Marks of different hexes are joined, and
// may be drawn beside their hex.
const FAR_HEX_HEIGHT = 17;
const MAX_ROUNDS = 8; // Joined flags can be wider, so another round may join more.
// Offsets in pixels of a mark's upper left corner from the centre of its hex (for joined marks: the
// hex of the largest), close enough to need no line. Flags are preferably above, contacts below.
/** @type {Point[]} */
const FLAG_OFFSETS = [
  [-27, -20],
  [-27, 3],
  [-27, -9],
  [4, -9],
  [-58, -9],
];
/** @type {Point[]} */
const CONTACT_OFFSETS = [
  [-26, 2],
  [-26, -21],
  [-26, -10],
  [4, -10],
  [-56, -10],
];

/**
 * Marks that are drawn as one.
 * @template {MapFleet | MapContact} Mark
 * @typedef {object} Group
 * @property {string} kind only marks of the same kind are joined
 * @property {number} x pixels of the screen
 * @property {number} y
 * @property {Mark[]} members the marks, the largest first
 * @property {boolean} isAlone whether it is never joined to others
 * @property {boolean} [isLoose] whether no group could be joined, and it may be placed
 *   further away
 */

/** @param {number[]} counts */
const sum = (counts) => counts.reduce((total, count) => total + count, 0);

/**
 * Add up the ships of marks by classification.
 * @param {(MapFleet | MapContact)[]} marks
 */
const sumCounts = (marks) => marks[0].n.map((_, i) => sum(marks.map(({ n }) => n[i])));

/**
 * Group marks of one kind in one hex, or close to each other on a distant map.
 * @template {MapFleet | MapContact} Mark
 * @param {StarMap} map
 * @param {Mark[]} items
 * @param {(mark: Mark) => string} kindOf only marks of the same kind are joined
 * @param {(mark: Mark) => boolean} staysAlone whether a mark is never joined to others
 * @returns {Group<Mark>[]} groups that are never joined first
 */
function groupMarks(map, items, kindOf, staysAlone) {
  const isFar = map.hexHeight < FAR_HEX_HEIGHT;
  /** @type {Group<Mark>[]} */
  const alone = [];
  /** @type {Group<Mark>[]} */
  const joined = [];
  for (const item of [...items].sort((a, b) => sum(b.n) - sum(a.n))) {
    const [x, y] = map.pixelOf(item.hex);
    const kind = kindOf(item);
    const isAlone = staysAlone(item);
    /** @param {Group<Mark>} group */
    const isNear = (group) =>
      isFar && !isAlone
        ? Math.abs(group.x - x) < JOIN_WIDTH && Math.abs(group.y - y) < JOIN_HEIGHT
        : group.members[0].hex === item.hex;
    const groups = isAlone ? alone : joined;
    const group = groups.find((other) => other.kind === kind && isNear(other));
    if (group) {
      group.members.push(item);
    } else {
      groups.push({ kind, x, y, members: [item], isAlone });
    }
  }
  return [...alone, ...joined];
}

/**
 * A screen to try placements on. A mark without a free spot sets `overlaps` and uses no space.
 */
class TrialSpace extends ScreenSpace {
  overlaps = false;

  /**
   * @override
   * @template Spot
   * @param {Spot[]} spots
   * @param {(spot: Spot) => Box} boxAt
   */
  bestSpot(spots, boxAt) {
    const found = super.bestSpot(spots, boxAt);
    const box = boxAt(found);
    this.overlaps = [...this.boxesNear(box)].some((taken) => overlap(box, taken));
    return found;
  }

  /**
   * @override
   * @param {Box} box
   */
  reserve(box) {
    if (!this.overlaps) {
      super.reserve(box);
    }
  }
}

/**
 * Return the group closest to another, among those that can be joined.
 * @template {Group<any>} G
 * @param {G[]} groups
 * @param {Group<any>} to
 * @param {(group: G) => boolean} fits
 * @returns {G | undefined}
 */
function nearestGroup(groups, to, fits) {
  /** @param {G} group */
  const distanceTo = (group) => Math.hypot(group.x - to.x, group.y - to.y);
  return groups
    .filter((group) => /** @type {Group<any>} */ (group) !== to && !group.isAlone && fits(group))
    .sort((a, b) => distanceTo(a) - distanceTo(b))[0];
}

/**
 * Place groups one after the other. A group that would cover another joins the closest of its
 * kind. If there is none it becomes loose, and is stuck if it still has no room in the next round.
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
    space.overlaps = false;
    place(group, space);
    if (!space.overlaps) {
      placed.push(group);
      continue;
    }
    changed = true;
    const target = group.isAlone
      ? undefined
      : nearestGroup(placed, group, (other) => other.kind === group.kind);
    if (target) {
      target.members.push(...group.members);
      continue;
    }
    placed.push(group);
    if (group.isLoose) {
      stuck.push(group);
    }
    group.isLoose = true;
  }
  return { placed, all: [...placed, ...outside], changed, stuck };
}

/**
 * Return the flags to draw for a group of fleets.
 * @param {Group<MapFleet>} group
 * @param {boolean} isFar whether the map is distant
 * @returns {MapFleet[]} one flag for the group; all flags of a group that is never joined
 */
function flagsOf({ members, isLoose, isAlone }, isFar) {
  if (isAlone) {
    return members;
  }
  const spots = isFar && !isLoose ? { spots: FLAG_OFFSETS } : {};
  if (members.length === 1) {
    return [{ ...members[0], ...spots }];
  }
  const isCluster = members.some((fleet) => fleet.hex !== members[0].hex);
  return [
    {
      ...members[0],
      ...spots,
      key: "",
      code: undefined,
      n: sumCounts(members),
      name: isCluster ? "" : phrase`${members.length} fleets`,
      many: true,
      cluster: isCluster,
      todo: members.some((fleet) => fleet.todo),
      ftl: members.every((fleet) => fleet.ftl),
    },
  ];
}

/**
 * Return the contact to draw for a group of contacts.
 * @param {Group<MapContact>} group
 * @param {boolean} isFar whether the map is distant
 * @returns {MapContact[]} one contact for the whole group
 */
function contactsOf({ members, isLoose }, isFar) {
  return [
    {
      ...members[0],
      ...(isFar && !isLoose ? { spots: CONTACT_OFFSETS } : {}),
      n: sumCounts(members),
      age: Math.min(...members.map((contact) => contact.age)),
      cluster: members.length > 1,
    },
  ];
}

/**
 * Make room for stuck contacts: the flag closest to each joins another flag.
 * @param {Group<MapFleet>[]} fleets loses the groups that join others
 * @param {Group<MapFleet>[]} placed
 * @param {Group<MapContact>[]} stuck
 */
function makeRoom(fleets, placed, stuck) {
  for (const contact of stuck) {
    const flag = nearestGroup(placed, contact, () => true);
    const target = flag && nearestGroup(placed, flag, ({ kind }) => kind === flag.kind);
    if (!target || !fleets.includes(flag) || !fleets.includes(target)) {
      continue;
    }
    target.members.push(...flag.members);
    fleets.splice(fleets.indexOf(flag), 1);
  }
}

/**
 * Return the data of a map with flags and contacts joined, so that none covers another. Joined
 * marks are placed at the hex of the largest.
 * @param {StarMap} map
 * @returns {MapData | null} null if there is room for all marks
 */
export function clusterMarks(map) {
  const { data } = map;
  const { fleets = [], contacts: seen = [] } = data;
  const [width, height] = map.size();
  const isFar = map.hexHeight < FAR_HEX_HEIGHT;
  const screen = new ScreenSpace(width, height);
  const visibleMarks = [...fleets, ...seen].filter(({ hex }) =>
    screen.isInside(...map.pixelOf(hex), 0),
  );
  if (!isFar && visibleMarks.length * AREA_PER_MARK < width * height) {
    return null;
  }
  // Flags in the hex of the chosen fleet are never joined.
  const chosen = new Set(fleets.filter((fleet) => fleet.on).map((fleet) => fleet.hex));
  let fleetGroups = groupMarks(
    map,
    fleets,
    (fleet) => `${fleet.seat} ${Boolean(fleet.dummy)}`,
    (fleet) => chosen.has(fleet.hex) || fleet.hex === data.fan,
  );
  let contactGroups = groupMarks(
    map,
    seen,
    (contact) => `${contact.seat} ${contact.gone}`,
    (contact) => Boolean(contact.on),
  );
  /** @type {StarMap} */
  const trialMap = Object.create(map);
  trialMap.isCrowded = true; // Labels are placed together with their marks.
  /**
   * @param {Group<MapFleet>} group
   * @param {TrialSpace} space
   */
  const placeFlags = (group, space) => {
    trialMap.drawnData = { fleets: flagsOf(group, isFar) };
    flags(trialMap, space);
  };
  /**
   * @param {Group<MapContact>} group
   * @param {TrialSpace} space
   */
  const placeContacts = (group, space) => {
    trialMap.drawnData = { contacts: contactsOf(group, isFar) };
    contacts(trialMap, space);
  };
  for (let round = 0, changed = true; changed && round < MAX_ROUNDS; round++) {
    const space = new TrialSpace(width, height);
    const placedFlags = placeAll(fleetGroups, placeFlags, space);
    marks(map, space);
    const placedContacts = placeAll(contactGroups, placeContacts, space);
    fleetGroups = placedFlags.all;
    contactGroups = placedContacts.all;
    makeRoom(fleetGroups, placedFlags.placed, placedContacts.stuck);
    changed = placedFlags.changed || placedContacts.changed;
  }
  return {
    ...data,
    fleets: fleetGroups.flatMap((group) => flagsOf(group, isFar)),
    contacts: contactGroups.flatMap((group) => contactsOf(group, isFar)),
  };
}
