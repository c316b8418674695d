// A crowded map: flags and contacts that are near each other are one, as far as it takes for none to cover another. Coming
// nearer, they part. Fetched where there are so many.

import { Places, contacts, flags, marks } from "./chart_marks.js";
import { phrase } from "./phrase.js";

const ROOM = 10_000; // pixels of the screen for each in sight: with less, some are one; seen from afar with any
const WIDE = 58;
const HIGH = 40; // pixels of the screen: from afar, what is nearer than that to a greater one is one with it
const FAR = 17; // pixels of a hex from which one may stand apart from it, with a line to it, and so near each other do not matter
const ROUNDS = 8; // a flag with a greater number may be wider, and who makes room takes some elsewhere
// Where one stands about its hex, or a cluster about its greatest part, without a line to it: flags above, contacts below.
const ABOVE = [
  [-27, -20],
  [-27, 3],
  [-27, -9],
  [4, -9],
  [-58, -9],
];
const BELOW = [
  [-26, 2],
  [-26, -21],
  [-26, -10],
  [4, -10],
  [-56, -10],
];

const sum = (counts) => counts.reduce((all, n) => all + n, 0);
const added = (group) => group[0].n.map((_, i) => group.reduce((all, one) => all + one.n[i], 0));

/** What there is of a map, by what is alike and in one hex, or near each other as seen from afar: lists of it, the
 *  greatest first, and before them what stands alone whatever is near. */
function near(map, items, kind, alone) {
  const far = 42 * map.k < FAR;
  const apart = [];
  const found = [];
  for (const item of [...items].sort((a, b) => sum(b.n) - sum(a.n))) {
    const [x, y] = map.at(item.hex);
    const alike = kind(item);
    const beside = (one) =>
      one.kind === alike &&
      (far
        ? Math.abs(one.x - x) < WIDE && Math.abs(one.y - y) < HIGH
        : one.all[0].hex === item.hex);
    const group = alone(item)
      ? apart.find((one) => one.kind === alike && one.all[0].hex === item.hex)
      : found.find(beside);
    if (group) {
      group.all.push(item);
    } else {
      (alone(item) ? apart : found).push({ kind: alike, x, y, all: [item], stays: alone(item) });
    }
  }
  return [...apart, ...found];
}

/** Boxes that are taken; who finds no free one covers another, and takes none. */
class Trial extends Places {
  find(spots, box, must) {
    const found = super.find(spots, box, must);
    const [x0, y0, x1, y1] = box(found);
    this.covers = false;
    for (const [a, b, c, d] of this.near([x0, y0, x1, y1])) {
      if (x0 < c && x1 > a && y0 < d && y1 > b) {
        this.covers = true;
      }
    }
    return found;
  }

  take(box) {
    if (!this.covers) {
      super.take(box);
    }
  }
}

const nearest = (groups, to, fits) => {
  const far = (one) => Math.hypot(one.x - to.x, one.y - to.y);
  return groups
    .filter((one) => one !== to && !one.stays && fits(one))
    .sort((a, b) => far(a) - far(b))[0];
};

/** Lay groups out one after the other. Who would cover another is one with the nearest of its kind; where there is none it
 *  is let go further away, and then has no room. */
function parted(groups, lay, trial) {
  const laid = [];
  const rest = [];
  const stuck = [];
  let changed = false;
  for (const group of groups) {
    if (!trial.inside(group.x, group.y)) {
      rest.push(group);
      continue;
    }
    trial.covers = false;
    lay(group, trial);
    const host =
      trial.covers && !group.stays ? nearest(laid, group, (one) => one.kind === group.kind) : null;
    if (host) {
      host.all.push(...group.all);
    } else {
      laid.push(group);
    }
    if (trial.covers) {
      changed = true;
    }
    if (trial.covers && !host && group.loose) {
      stuck.push(group);
    }
    if (trial.covers && !host) {
      group.loose = true;
    }
  }
  return { laid, all: [...laid, ...rest], changed, stuck };
}

/** The same data with one flag for many fleets, and one contact for many, so that none covers another. A cluster stands
 *  where most of it is. Null where there is room for all. */
export function gathered(map) {
  const { data } = map;
  const [width, height] = map.size();
  const far = 42 * map.k < FAR;
  const window = new Places(width, height);
  const inSight = [...(data.fleets ?? []), ...(data.contacts ?? [])].filter((one) =>
    window.inside(...map.at(one.hex), 0),
  );
  if (!far && inSight.length * ROOM < width * height) {
    return null;
  }
  const chosen = new Set((data.fleets ?? []).filter((fleet) => fleet.on).map((fleet) => fleet.hex)); // their hex stays as it is
  const stays = (fleet) => chosen.has(fleet.hex) || fleet.hex === data.fan;
  const about = (spots, loose) => (far && !loose ? { spots } : {});
  const own = ({ all, loose, stays: whole }) => {
    const [first] = all;
    const apart = all.some((fleet) => fleet.hex !== first.hex);
    if (whole) {
      return all;
    }
    if (all.length === 1) {
      return [{ ...first, ...about(ABOVE, loose) }];
    }
    return [
      {
        ...first,
        ...about(ABOVE, loose),
        key: "",
        code: undefined,
        n: added(all),
        name: apart ? "" : phrase`${all.length} fleets`,
        many: true,
        cluster: apart,
        todo: all.some((fleet) => fleet.todo),
        ftl: all.every((fleet) => fleet.ftl),
      },
    ];
  };
  const seen = ({ all, loose }) => [
    {
      ...all[0],
      ...about(BELOW, loose),
      n: added(all),
      age: Math.min(...all.map((one) => one.age)),
      cluster: all.length > 1,
    },
  ];
  const tried = Object.create(map);
  tried.crowd = true; // labels are laid with their marks
  const lays = (draw, name, one) => (group, trial) => {
    tried.shown = { [name]: one(group) };
    draw(tried, trial);
  };
  let fleets = near(
    map,
    data.fleets ?? [],
    (fleet) => `${fleet.seat} ${Boolean(fleet.dummy)}`,
    stays,
  );
  let foes = near(
    map,
    data.contacts ?? [],
    (one) => `${one.seat} ${Boolean(one.gone)}`,
    (one) => one.on,
  );
  for (let n = 0, more = true; more && n < ROUNDS; n++) {
    const trial = new Trial(width, height);
    const ours = parted(fleets, lays(flags, "fleets", own), trial);
    marks(map, trial);
    const theirs = parted(foes, lays(contacts, "contacts", seen), trial);
    fleets = ours.all;
    foes = theirs.all;
    for (const contact of theirs.stuck) {
      // the flag beside it makes room
      const beside = nearest(ours.laid, contact, () => true);
      const host = beside && nearest(ours.laid, beside, (one) => one.kind === beside.kind);
      if (!host || !fleets.includes(beside) || !fleets.includes(host)) {
        continue;
      }
      host.all.push(...beside.all);
      fleets.splice(fleets.indexOf(beside), 1);
    }
    more = ours.changed || theirs.changed;
  }
  return { ...data, fleets: fleets.flatMap(own), contacts: foes.flatMap(seen) };
}
