// Hexes: columns of flat-topped hexes, even columns half a hex lower, labels CCRR from 0101. Units are the drawing's own:
// a hex is 48 wide and 42 high.

export const SIDE = 24;
export const HEIGHT = 42;
export const STEP = 36;
export const CORNERS = [
  [24, 0],
  [12, 21],
  [-12, 21],
  [-24, 0],
  [-12, -21],
  [12, -21],
];
const OFF = [1e-6, 2e-6, -3e-6]; // a line along an edge takes one side of it, always the same

export const label = (column, row) =>
  String(column).padStart(2, "0") + String(row).padStart(2, "0");
export const spot = (hex) => [Number(hex.slice(0, 2)), Number(hex.slice(2))];
export const round = (n) => Math.round(n * 10) / 10; // a length as drawings have it

export function centre(hex) {
  const [column, row] = spot(hex);
  return [
    SIDE + STEP * (column - 1),
    HEIGHT / 2 + HEIGHT * (row - 1) + (column % 2 ? 0 : HEIGHT / 2),
  ];
}

/** Neighbour n shares the edge from corner n to corner n + 1. */
export function neighbour(hex, n) {
  const [column, row] = spot(hex);
  const low = column % 2 ? 0 : 1;
  const [dc, dr] = [
    [1, low],
    [0, 1],
    [-1, low],
    [-1, low - 1],
    [0, -1],
    [1, low - 1],
  ][n];
  return label(column + dc, row + dr);
}

function cube(hex) {
  const [column, row] = spot(hex);
  const x = column - 1;
  const z = row - 1 - (x - (x & 1)) / 2;
  return [x, -x - z, z];
}

const hexOf = ([x, , z]) => label(x + 1, z + (x - (x & 1)) / 2 + 1);

/** Hexes from a to b, where nothing closes or shortens the way. */
export function distance(a, b) {
  const p = cube(a);
  const q = cube(b);
  return Math.max(Math.abs(p[0] - q[0]), Math.abs(p[1] - q[1]), Math.abs(p[2] - q[2]));
}

/** The hexes of the straightest way from a to b, both included. */
export function line(a, b) {
  const p = cube(a);
  const q = cube(b);
  const far = distance(a, b);
  const way = [];
  for (let n = 0; n <= far; n++) {
    const at = p.map((v, i) => v + ((q[i] - v) * n) / (far || 1) + OFF[i]);
    const near = at.map(Math.round);
    const off = at.map((v, i) => Math.abs(v - near[i]));
    const worst = off.indexOf(Math.max(...off));
    near[worst] = -near.reduce((sum, v, i) => (i === worst ? sum : sum + v), 0);
    way.push(hexOf(near));
  }
  return way;
}

/** The hex in which a point of the drawing lies, or null beside the map. */
export function hexAt(x, y, columns, rows) {
  const guess = Math.round((x - SIDE) / STEP) + 1;
  let best = null;
  for (let column = Math.max(1, guess - 1); column <= Math.min(columns, guess + 1); column++) {
    const row = Math.round((y - HEIGHT / 2 - (column % 2 ? 0 : HEIGHT / 2)) / HEIGHT) + 1;
    if (row < 1 || row > rows) {
      continue;
    }
    const hex = label(column, row);
    const [cx, cy] = centre(hex);
    const far = Math.hypot(x - cx, y - cy);
    if (far < SIDE && (!best || far < best.far)) {
      best = { hex, far };
    }
  }
  return best?.hex ?? null;
}
