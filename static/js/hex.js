// Geometry of the hex map: flat-topped hexes in columns, even columns half a hex lower, with labels
// CCRR from 0101. Lengths are in map units: a hex is 48 units wide and 42 high.

export const SIDE = 24;
export const HEIGHT = 42;
export const STEP = 36; // between the middles of neighbouring columns

/** @type {Point[]} corners relative to the centre */
export const CORNERS = [
  [24, 0],
  [12, 21],
  [-12, 21],
  [-24, 0],
  [-12, -21],
  [12, -21],
];
const NUDGE = [1e-6, 2e-6, -3e-6]; // so that a line along an edge always takes the same side of it

/**
 * Return the label of a hex.
 * @param {number} column
 * @param {number} row
 */
export const label = (column, row) =>
  String(column).padStart(2, "0") + String(row).padStart(2, "0");

/**
 * Return the column and row of a hex.
 * @param {Hex} hex
 * @returns {Point}
 */
export const columnAndRow = (hex) => [Number(hex.slice(0, 2)), Number(hex.slice(2))];

/**
 * Round a length to one decimal, the precision of drawings.
 * @param {number} length
 */
export const round = (length) => Math.round(length * 10) / 10;

/**
 * Return the centre of a hex in map units.
 * @param {Hex} hex
 * @returns {Point}
 */
export function centre(hex) {
  const [column, row] = columnAndRow(hex);
  const lowered = column % 2 ? 0 : HEIGHT / 2;
  return [SIDE + STEP * (column - 1), HEIGHT / 2 + HEIGHT * (row - 1) + lowered];
}

/**
 * Return a neighbour of a hex. Neighbour n shares the edge from corner n to corner n + 1.
 * @param {Hex} hex
 * @param {number} n
 */
export function neighbour(hex, n) {
  const [column, row] = columnAndRow(hex);
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
 * Return the cube coordinates of a hex, whose sum is 0.
 * @param {Hex} hex
 * @returns {[number, number, number]}
 */
function cube(hex) {
  const [column, row] = columnAndRow(hex);
  const x = column - 1;
  const z = row - 1 - (x - (x & 1)) / 2;
  return [x, -x - z, z];
}

/**
 * Return the hex at cube coordinates.
 * @param {number[]} cube
 */
const hexOf = ([x, , z]) => label(x + 1, z + (x - (x & 1)) / 2 + 1);

/**
 * Return the distance between two hexes, ignoring closed hexes and links.
 * @param {Hex} a
 * @param {Hex} b
 */
export function distance(a, b) {
  const from = cube(a);
  const to = cube(b);
  return Math.max(...from.map((value, i) => Math.abs(value - to[i])));
}

/**
 * Return the hexes on a straight line from a to b, both included.
 * @param {Hex} a
 * @param {Hex} b
 */
export function line(a, b) {
  const from = cube(a);
  const to = cube(b);
  const length = distance(a, b);
  const hexes = [];
  for (let n = 0; n <= length; n++) {
    const exact = from.map((value, i) => value + ((to[i] - value) * n) / (length || 1) + NUDGE[i]);
    const rounded = exact.map(Math.round);
    const errors = exact.map((value, i) => Math.abs(value - rounded[i]));
    const worst = errors.indexOf(Math.max(...errors));
    rounded[worst] = -rounded.reduce((sum, value, i) => (i === worst ? sum : sum + value), 0);
    hexes.push(hexOf(rounded));
  }
  return hexes;
}

/**
 * Return the hex that contains a point in map units, or null outside the map.
 * @param {number} x
 * @param {number} y
 * @param {number} columns the columns of the map
 * @param {number} rows the rows of the map
 */
export function hexAt(x, y, columns, rows) {
  const nearestColumn = Math.round((x - SIDE) / STEP) + 1;
  /** @type {{hex: Hex, away: number} | null} */
  let best = null;
  for (
    let column = Math.max(1, nearestColumn - 1);
    column <= Math.min(columns, nearestColumn + 1);
    column++
  ) {
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
