// Where a ship is on its way, and how it points: it turns into each leg instead of snapping.

const TURNS_WITHIN = 1 / 3; // the share of a leg in which a ship turns into it
const TURNS_BEFORE_END = 0.25; // the share of the last leg in which it turns to its final heading

/** @type {WeakMap<TablePoint[], number[]>} the lengths of the legs of a path */
const lengthsByPath = new WeakMap();

/** @param {TablePoint[]} path */
function legLengths(path) {
  let lengths = lengthsByPath.get(path);
  if (!lengths) {
    lengths = path.slice(1).map(([x, y], i) => Math.hypot(x - path[i][0], y - path[i][1]));
    lengthsByPath.set(path, lengths);
  }
  return lengths;
}

/**
 * @param {TablePoint} from
 * @param {TablePoint} to
 */
const headingTo = (from, to) => Math.atan2(to[0] - from[0], to[1] - from[1]);

/**
 * Return a heading on the shorter way round from one to another.
 * @param {number} from radians
 * @param {number} to
 * @param {number} t 0 to 1
 */
function between(from, to, t) {
  const full = Math.PI * 2;
  const turn = ((((to - from) % full) + full * 1.5) % full) - Math.PI;
  return from + turn * t;
}

/**
 * Return where a unit is after a share of its path.
 * @param {TablePoint[]} path
 * @param {number} from its heading at the start, in radians
 * @param {number} to its heading at the end
 * @param {number} t 0 to 1
 * @returns {{x: number, y: number, angle: number, leg: number}}
 */
export function along(path, from, to, t) {
  const lengths = legLengths(path);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (!total) {
    return { x: path[0][0], y: path[0][1], angle: between(from, to, t), leg: 0 };
  }
  let flown = total * t;
  let leg = 0;
  while (leg < lengths.length - 1 && flown > lengths[leg]) {
    flown -= lengths[leg];
    leg += 1;
  }
  const share = lengths[leg] ? Math.min(1, flown / lengths[leg]) : 1;
  const [start, end] = [path[leg], path[leg + 1]];
  const heading = lengths[leg] ? headingTo(start, end) : to;
  const before = leg ? headingTo(path[leg - 1], start) : from;
  const isLast = leg === lengths.length - 1;
  const turned = isLast ? Math.max(0, (share - 1 + TURNS_BEFORE_END) / TURNS_BEFORE_END) : 0;
  const next = between(heading, to, turned);
  return {
    x: start[0] + (end[0] - start[0]) * share,
    y: start[1] + (end[1] - start[1]) * share,
    angle: between(before, next, Math.min(1, share / TURNS_WITHIN)),
    leg,
  };
}
