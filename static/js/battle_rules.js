// Plain moves of both rulebooks and of vectors, for previews alone: what counts is what the server
// makes of the written order.

import { COURSES } from "./battle_table.js";
import { phrase } from "./phrase.js";

const BURNS = /^((TP|TS|MD|PP|PS|PR)\d{1,2})+$/;
const TURNS = /^(([PS]\d{1,2}){1,2}([+-]\d{1,3})?|[+-]\d{1,3}([PS]\d{1,2})?)$/;
/** @type {Record<string, number>} hours from the bow to where a burn pushes */
const PUSHES = { MD: 0, PP: -3, PS: 3, PR: 6 };
/** @type {ShipPlot} */
const NONE = { turns: [], thrust: 0, burns: [], more: [] };

/**
 * Return the course after a turn.
 * @param {number} course
 * @param {number} points
 */
export const turned = (course, points) => ((((course + points - 1) % 12) + 12) % 12) + 1;

/**
 * @param {TablePoint} from
 * @param {number} course
 * @param {number} far MU
 * @returns {TablePoint}
 */
const ahead = ([x, y], course, far) => [x + COURSES[course][0] * far, y + COURSES[course][1] * far];

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** @param {number} number */
const signed = (number) => (number ? (number > 0 ? "+" : "-") + Math.abs(number) : "");

/**
 * Read a written order: "P2+4; roll" turns two points to port, adds 4 and rolls. What is no move is
 * among `more` as it is written.
 * @param {string} text
 * @param {boolean} isVector
 * @returns {ShipPlot}
 */
export function parse(text, isVector) {
  /** @type {ShipPlot} */
  const plot = { ...NONE, more: [] };
  let hasMove = false;
  for (const part of text.split(";").map((word) => word.trim())) {
    const move = hasMove ? null : readMove(part, isVector);
    if (move) {
      Object.assign(plot, move);
      hasMove = true;
    } else if (part) {
      plot.more.push(part);
    }
  }
  return plot;
}

/**
 * @param {string} part of an order
 * @param {boolean} isVector
 * @returns {Partial<ShipPlot> | null} null where it is no move
 */
function readMove(part, isVector) {
  const close = part.toUpperCase().replace(/[\s,]+/g, "");
  if (isVector) {
    return BURNS.test(close) ? { burns: readBurns(close) } : null;
  }
  return TURNS.test(close) ? readTurns(close) : null;
}

/** @param {string} text */
function readBurns(text) {
  const matches = [...text.matchAll(/([A-Z]{2})(\d+)/g)];
  return matches.map(
    ([, kind, points]) => /** @type {[string, number]} */ ([kind, Number(points)]),
  );
}

/** @param {string} text */
function readTurns(text) {
  const turns = [];
  let thrust = 0;
  for (const [, side, points, change] of text.matchAll(/([PS])(\d+)|([+-]\d+)/g)) {
    if (side) {
      turns.push(side === "P" ? -Number(points) : Number(points));
    } else {
      thrust = Number(change);
    }
  }
  return { turns, thrust };
}

/**
 * Write an order.
 * @param {ShipPlot} plot
 */
export function words({ turns, thrust, burns, more }) {
  const burning = burns.filter(([, points]) => points).map(([kind, points]) => kind + points);
  const turning = turns.filter(Boolean).map((turn) => (turn < 0 ? "P" : "S") + Math.abs(turn));
  const move = burns.length ? burning.join(" ") : turning.join("") + signed(thrust);
  return [move, ...more].filter(Boolean).join("; ");
}

/**
 * Return the points of drive and of turning that a plot asks for; a roll takes one off what turns
 * the ship.
 * @param {PlotShip} ship
 * @param {ShipPlot} plot
 */
export function spent(ship, { turns, thrust, burns, more }) {
  const roll = more.includes("roll") ? 1 : 0;
  if (!ship.drift) {
    return { drive: Math.abs(thrust), turn: sum(turns.map(Math.abs)) + roll };
  }
  const driving = burns.filter(([kind]) => kind === "MD").map(([, points]) => points);
  const turning = burns
    .filter(([kind]) => kind !== "MD")
    .map(([kind, points]) => (kind.startsWith("T") ? 1 : points));
  return { drive: sum(driving), turn: sum(turning) + roll };
}

/**
 * Return the points that a ship has: more by emergency thrust, where it is ordered.
 * @param {PlotShip} ship
 * @param {string[]} more
 */
const limitsOf = (ship, more) => (more.includes("et") && ship.pressed) || ship;

/**
 * Say why a ship cannot fly a plain move; "" where it can.
 * @param {PlotShip} ship
 * @param {ShipPlot} plot
 */
export function fault(ship, plot) {
  const { drive, turn } = spent(ship, plot);
  const steady = plot.more.find((word) => ship.steady?.includes(word.split(" ")[0]));
  if (steady && drive + turn) {
    return phrase`must fly straight because of its order ${steady}: set turn and speed to 0`;
  }
  return ship.drift ? vectorFault(ship, plot) : plainFault(ship, plot);
}

/**
 * @param {PlotShip} ship
 * @param {ShipPlot} plot
 */
function vectorFault(ship, plot) {
  const { drive, turn } = spent(ship, plot);
  const { main, turning } = limitsOf(ship, plot.more);
  const rotations = plot.burns.filter(([kind]) => kind.startsWith("T"));
  const pushes = plot.burns.filter(([kind]) => kind.startsWith("P"));
  if (rotations.length > 1) {
    return phrase`only one rotation is possible in a turn`;
  }
  if (pushes.length > 1) {
    return phrase`only one push is possible in a turn`;
  }
  const isEmpty = plot.burns.some(([, points]) => !points);
  if (isEmpty || rotations.some(([, points]) => points > 11)) {
    return phrase`a burn takes 1 point or more, a rotation at most 11`;
  }
  if (drive > main) {
    return phrase`burns ${drive} with its main drive; the limit is ${main}`;
  }
  return turn > turning ? phrase`uses ${turn} thruster points; the limit is ${turning}` : "";
}

/**
 * @param {PlotShip} ship
 * @param {ShipPlot} plot
 */
function plainFault(ship, plot) {
  const { drive, turn } = spent(ship, plot);
  const { main, turning } = limitsOf(ship, plot.more);
  if (ship.pivot && !plot.thrust) {
    return "";
  }
  if (turn > turning) {
    return phrase`turns ${turn} points; the limit is ${turning}`;
  }
  if (drive + turn > main) {
    return phrase`uses ${drive + turn} thrust; the limit is ${main}`;
  }
  return ship.v + plot.thrust < 0
    ? phrase`velocity ${ship.v} cannot be reduced by ${-plot.thrust}`
    : "";
}

/**
 * @typedef {Pick<PlotShip, "x" | "y" | "course" | "v"> & Partial<PlotShip>} Flying
 */

/**
 * Return where a plot leads.
 * @param {Flying} ship
 * @param {ShipPlot} plot
 * @returns {ShipMove}
 */
export const leg = (ship, plot = NONE) =>
  ship.drift ? vectorLeg(ship, ship.drift, plot) : plainLeg(ship, plot);

/**
 * @param {Flying} ship
 * @param {TablePoint} drift
 * @param {ShipPlot} plot
 * @returns {ShipMove}
 */
function vectorLeg(ship, drift, plot) {
  /** @type {TablePoint} */
  let at = [ship.x + drift[0], ship.y + drift[1]];
  let { course } = ship;
  /** @type {TablePoint[]} */
  const path = [[ship.x, ship.y], at];
  for (const [kind, points] of plot.burns) {
    if (kind === "TP") {
      course = turned(course, -points);
    } else if (kind === "TS") {
      course = turned(course, points);
    } else {
      at = ahead(at, turned(course, PUSHES[kind]), points);
      path.push(at);
    }
  }
  /** @type {TablePoint} */
  const moved = [at[0] - ship.x, at[1] - ship.y];
  return { path, course, v: Math.round(Math.hypot(...moved)), drift: moved };
}

/**
 * @param {Flying} ship
 * @param {ShipPlot} plot
 * @returns {ShipMove}
 */
function plainLeg(ship, plot) {
  const v = Math.max(0, ship.v + plot.thrust);
  const half = ship.whole ? Math.floor(v / 2) : v / 2;
  // One turn is flown half at the start and half midway; of two each has its place.
  const [turn = 0, second] = plot.turns;
  const first = second === undefined ? Math.trunc(turn / 2) : turn;
  const rest = second === undefined ? turn - first : second;
  const early = turned(ship.course, first);
  const course = turned(early, rest);
  /** @type {TablePoint} */
  const start = [ship.x, ship.y];
  const middle = ahead(start, early, half);
  return { path: [start, middle, ahead(middle, course, v - half)], course, v };
}

/**
 * Return every end that a ship can reach by one turn and one change of speed (by vectors: one
 * rotation, one burn).
 * @param {PlotShip} ship
 * @param {string[]} more
 */
export function reach(ship, more = []) {
  const moves = ship.drift ? vectorMoves(ship, more) : plainMoves(ship, more);
  const plots = moves.map((move) => ({ ...NONE, ...move, more }));
  return plots.filter((plot) => !fault(ship, plot)).map((plot) => ({ plot, ...leg(ship, plot) }));
}

/**
 * @param {PlotShip} ship
 * @param {string[]} more
 * @returns {Partial<ShipPlot>[]}
 */
function vectorMoves(ship, more) {
  const { main } = limitsOf(ship, more);
  const moves = [];
  for (let turn = -5; turn <= 6; turn++) {
    /** @type {[string, number][]} */
    const rotation = turn ? [[turn < 0 ? "TP" : "TS", Math.abs(turn)]] : [];
    for (let drive = turn ? 1 : 0; drive <= main; drive++) {
      /** @type {[string, number][]} */
      const burn = drive ? [["MD", drive]] : [];
      moves.push({ burns: [...rotation, ...burn] });
    }
  }
  return moves;
}

/**
 * @param {PlotShip} ship
 * @param {string[]} more
 * @returns {Partial<ShipPlot>[]}
 */
function plainMoves(ship, more) {
  const { main, turning } = limitsOf(ship, more);
  const moves = [];
  for (let turn = -turning; turn <= turning; turn++) {
    for (let thrust = -main; thrust <= main; thrust++) {
      moves.push({ turns: turn ? [turn] : [], thrust });
    }
  }
  return moves;
}
