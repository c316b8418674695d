// Hexes: columns of flat-topped hexes, even columns half a hex lower, labels CCRR from 0101. Units
// are the drawing's own: a hex is 48 wide and 42 high.

export const SIDE = 24;
export const HEIGHT = 42;
export const STEP = 36; // from the middle of a column to that of the next

/** @type {Point[]} corners as seen from the centre */
export const CORNERS = [
  [24, 0],
  [12, 21],
  [-12, 21],
  [-24, 0],
  [-12, -21],
  [12, -21],
];
const NUDGE = [1e-6, 2e-6, -3e-6]; // A line along an edge takes one side of it, always the same.

/**
 * @param {number} column
 * @param {number} row
 */
export const label = (column, row) =>
  String(column).padStart(2, "0") + String(row).padStart(2, "0");

/**
 * @param {Hex} hex
 * @returns {Point} its column and row
 */
export const spot = (hex) => [Number(hex.slice(0, 2)), Number(hex.slice(2))];

/**
 * Round a length to the tenth that drawings have.
 * @param {number} length
 */
export const round = (length) => Math.round(length * 10) / 10;

/**
 * @param {Hex} hex
 * @returns {Point} its centre
 */
export function centre(hex) {
  const [column, row] = spot(hex);
  const lowered = column % 2 ? 0 : HEIGHT / 2;
  return [SIDE + STEP * (column - 1), HEIGHT / 2 + HEIGHT * (row - 1) + lowered];
}

/**
 * Return a neighbour. Neighbour n shares the edge from corner n to corner n + 1.
 * @param {Hex} hex
 * @param {number} n
 */
export function neighbour(hex, n) {
  const [column, row] = spot(hex);
  const lowered = column % 2 ? 0 : 1;
  const steps = [
    [1, lowered],
    [0, 1],
    [-1, lowered],
    [-1, lowered - 1],
    [0, -1],
    [1, lowered - 1],
  ];
  const [columns, rows] = steps[n];
  return label(column + columns, row + rows);
}

/**
 * @param {Hex} hex
 * @returns {[number, number, number]} cube coordinates, whose sum is 0
 */
function cube(hex) {
  const [column, row] = spot(hex);
  const x = column - 1;
  const z = row - 1 - (x - (x & 1)) / 2;
  return [x, -x - z, z];
}

/** @param {number[]} cube */
const hexOf = ([x, , z]) => label(x + 1, z + (x - (x & 1)) / 2 + 1);

/**
 * Count the hexes from a to b, where nothing closes or shortens the way.
 * @param {Hex} a
 * @param {Hex} b
 */
export function distance(a, b) {
  const from = cube(a);
  const to = cube(b);
  return Math.max(...from.map((value, i) => Math.abs(value - to[i])));
}

/**
 * Return the hexes of the straightest way from a to b, both included.
 * @param {Hex} a
 * @param {Hex} b
 */
export function line(a, b) {
  const from = cube(a);
  const to = cube(b);
  const length = distance(a, b);
  const way = [];
  for (let n = 0; n <= length; n++) {
    const exact = from.map((value, i) => value + ((to[i] - value) * n) / (length || 1) + NUDGE[i]);
    const rounded = exact.map(Math.round);
    const errors = exact.map((value, i) => Math.abs(value - rounded[i]));
    const worst = errors.indexOf(Math.max(...errors));
    rounded[worst] = -rounded.reduce((sum, value, i) => (i === worst ? sum : sum + value), 0);
    way.push(hexOf(rounded));
  }
  return way;
}

/**
 * Return the hex in which a point of the drawing lies, or null beside the map.
 * @param {number} x
 * @param {number} y
 * @param {number} columns of the map
 * @param {number} rows of the map
 */
export function hexAt(x, y, columns, rows) {
  const guess = Math.round((x - SIDE) / STEP) + 1;
  /** @type {{hex: Hex, away: number} | null} */
  let best = null;
  for (let column = Math.max(1, guess - 1); column <= Math.min(columns, guess + 1); column++) {
    const row = Math.round((y - HEIGHT / 2 - (column % 2 ? 0 : HEIGHT / 2)) / HEIGHT) + 1;
    if (row < 1 || row > rows) {
      continue;
    }
    const hex = label(column, row);
    const [cx, cy] = centre(hex);
    const away = Math.hypot(x - cx, y - cy);
    if (away < SIDE && (!best || away < best.away)) {
      best = { hex, away };
    }
  }
  return best?.hex ?? null;
}
