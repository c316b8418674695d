// Movement of ships as both rulebooks have it, for previews on the plot page. The server reads the
// order again and decides; tests/browser/test_battle_rules.py compares the two.

import { COURSE_VECTORS } from "./battle_table.js";
import { phrase } from "./phrase.js";

const BURNS = /^((TP|TS|MD|PP|PS|PR)\d{1,2})+$/;
const TURNS = /^(([PS]\d{1,2}){1,2}([+-]\d{1,3})?|[+-]\d{1,3}([PS]\d{1,2})?)$/;
/** @type {Record<string, number>} the direction of a burn: hours from the bow */
const PUSHES = { MD: 0, PP: -3, PS: 3, PR: 6 };
/** @type {ShipPlot} */
const EMPTY_PLOT = { turns: [], thrust: 0, burns: [], furtherOrders: [] };

/**
 * Return the course after a turn.
 * @param {number} course 1 to 12
 * @param {number} points to starboard; negative to port
 */
export const turnCourse = (course, points) => ((((course + points - 1) % 12) + 12) % 12) + 1;

/**
 * Return the place at a distance along a course.
 * @param {TablePoint} from
 * @param {number} course
 * @param {number} distance MU
 * @returns {TablePoint}
 */
const pointAhead = ([x, y], course, distance) => [
  x + COURSE_VECTORS[course][0] * distance,
  y + COURSE_VECTORS[course][1] * distance,
];

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** @param {number} number */
const formatSigned = (number) => (number ? (number > 0 ? "+" : "-") + Math.abs(number) : "");

/**
 * Read a written order: "P2+4; roll" turns two points to port, adds 4 to the velocity and rolls.
 * The first part that is a move counts as the move; all others become further orders.
 * @param {string} text
 * @param {boolean} isVector
 * @returns {ShipPlot}
 */
export function parseOrder(text, isVector) {
  /** @type {ShipPlot} */
  const plot = { ...EMPTY_PLOT, furtherOrders: [] };
  let hasMove = false;
  for (const part of text.split(";").map((word) => word.trim())) {
    const move = hasMove ? null : readMove(part, isVector);
    if (move) {
      Object.assign(plot, move);
      hasMove = true;
    } else if (part) {
      plot.furtherOrders.push(part);
    }
  }
  return plot;
}

/**
 * Read one part of an order as a move.
 * @param {string} part
 * @param {boolean} isVector
 * @returns {Partial<ShipPlot> | null} null if it is not a move
 */
function readMove(part, isVector) {
  const compact = part.toUpperCase().replace(/[\s,]+/g, "");
  if (isVector) {
    return BURNS.test(compact) ? { burns: readBurns(compact) } : null;
  }
  return TURNS.test(compact) ? readTurns(compact) : null;
}

/**
 * Read burns of vector movement: "TP2MD4" rotates by 2 to port and burns the main drive with 4.
 * @param {string} text
 */
function readBurns(text) {
  const matches = [...text.matchAll(/([A-Z]{2})(\d+)/g)];
  return matches.map(
    ([, kind, points]) => /** @type {[string, number]} */ ([kind, Number(points)]),
  );
}

/**
 * Read a move of course movement: "P1S2+4" turns 1 to port and then 2 to starboard, and adds 4.
 * @param {string} text
 */
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
 * Write a plot as an order; the inverse of parseOrder().
 * @param {ShipPlot} plot
 */
export function formatOrder({ turns, thrust, burns, furtherOrders }) {
  const burning = burns.filter(([, points]) => points).map(([kind, points]) => kind + points);
  const turning = turns.filter(Boolean).map((turn) => (turn < 0 ? "P" : "S") + Math.abs(turn));
  const move = burns.length ? burning.join(" ") : turning.join("") + formatSigned(thrust);
  return [move, ...furtherOrders].filter(Boolean).join("; ");
}

/**
 * Return the points of main drive and of turning that a plot uses. A roll uses one to turn.
 * @param {PlotShip} ship
 * @param {ShipPlot} plot
 */
export function thrustUsed(ship, { turns, thrust, burns, furtherOrders }) {
  const roll = furtherOrders.includes("roll") ? 1 : 0;
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
 * Return the most points that a ship may use: more if its order has emergency thrust ("et").
 * @param {PlotShip} ship
 * @param {string[]} furtherOrders
 */
const thrustLimits = (ship, furtherOrders) =>
  (furtherOrders.includes("et") && ship.pressed) || ship;

/**
 * Return why a ship cannot fly a plot; "" if it can.
 * @param {PlotShip} ship
 * @param {ShipPlot} plot
 */
export function plotFault(ship, plot) {
  const { drive, turn } = thrustUsed(ship, plot);
  const steadyWord = plot.furtherOrders.find((word) => ship.steady?.includes(word.split(" ")[0]));
  if (steadyWord && drive + turn) {
    return phrase`must fly straight because of its order ${steadyWord}: set turn and speed to 0`;
  }
  return ship.drift ? vectorFault(ship, plot) : courseFault(ship, plot);
}

/**
 * Return why a ship cannot fly a plot in vector movement.
 * @param {PlotShip} ship
 * @param {ShipPlot} plot
 */
function vectorFault(ship, plot) {
  const { drive, turn } = thrustUsed(ship, plot);
  const { main, turning } = thrustLimits(ship, plot.furtherOrders);
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
 * Return why a ship cannot fly a plot in course movement.
 * @param {PlotShip} ship
 * @param {ShipPlot} plot
 */
function courseFault(ship, plot) {
  const { drive, turn } = thrustUsed(ship, plot);
  const { main, turning } = thrustLimits(ship, plot.furtherOrders);
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
 * What is needed to compute a move; contacts have no more than this.
 * @typedef {Pick<PlotShip, "x" | "y" | "course" | "v"> & Partial<PlotShip>} MovingShip
 */

/**
 * Return the move that a plot results in.
 * @param {MovingShip} ship
 * @param {ShipPlot} plot the plot; without one the ship keeps course and velocity
 * @returns {ShipMove}
 */
export const flyPlot = (ship, plot = EMPTY_PLOT) =>
  ship.drift ? flyVector(ship, ship.drift, plot) : flyCourse(ship, plot);

/**
 * Return a move in vector movement: the ship drifts on, and each burn in turn pushes it further.
 * @param {MovingShip} ship
 * @param {TablePoint} drift the velocity in MU
 * @param {ShipPlot} plot
 * @returns {ShipMove}
 */
function flyVector(ship, drift, plot) {
  /** @type {TablePoint} */
  let at = [ship.x + drift[0], ship.y + drift[1]];
  let { course } = ship;
  /** @type {TablePoint[]} */
  const path = [[ship.x, ship.y], at];
  for (const [kind, points] of plot.burns) {
    if (kind === "TP") {
      course = turnCourse(course, -points);
    } else if (kind === "TS") {
      course = turnCourse(course, points);
    } else {
      at = pointAhead(at, turnCourse(course, PUSHES[kind]), points);
      path.push(at);
    }
  }
  /** @type {TablePoint} */
  const moved = [at[0] - ship.x, at[1] - ship.y];
  return { path, course, v: Math.round(Math.hypot(...moved)), drift: moved };
}

/**
 * Return a move in course movement: half of it before the second part of the turn, half after it.
 * @param {MovingShip} ship
 * @param {ShipPlot} plot
 * @returns {ShipMove}
 */
function flyCourse(ship, plot) {
  const v = Math.max(0, ship.v + plot.thrust);
  const firstHalf = ship.whole ? Math.floor(v / 2) : v / 2;
  // A single turn is made half at the start and half midway. Of two turns, the first is made at the
  // start and the second midway.
  const [turn = 0, second] = plot.turns;
  const firstTurn = second === undefined ? Math.trunc(turn / 2) : turn;
  const secondTurn = second === undefined ? turn - firstTurn : second;
  const courseAtStart = turnCourse(ship.course, firstTurn);
  const course = turnCourse(courseAtStart, secondTurn);
  /** @type {TablePoint} */
  const start = [ship.x, ship.y];
  const middle = pointAhead(start, courseAtStart, firstHalf);
  return { path: [start, middle, pointAhead(middle, course, v - firstHalf)], course, v };
}

/**
 * Return every move of a ship with at most one turn and one change of velocity (in vector movement:
 * one rotation and one burn of the main drive).
 * @param {PlotShip} ship
 * @param {string[]} furtherOrders the other words of its order, which may limit the move
 */
export function reachableMoves(ship, furtherOrders = []) {
  const moves = ship.drift ? vectorMoves(ship, furtherOrders) : courseMoves(ship, furtherOrders);
  const plots = moves.map((move) => ({ ...EMPTY_PLOT, ...move, furtherOrders }));
  return plots
    .filter((plot) => !plotFault(ship, plot))
    .map((plot) => ({ plot, ...flyPlot(ship, plot) }));
}

/**
 * Return all plots of at most one rotation and one burn of the main drive.
 * @param {PlotShip} ship
 * @param {string[]} furtherOrders
 * @returns {Partial<ShipPlot>[]}
 */
function vectorMoves(ship, furtherOrders) {
  const { main } = thrustLimits(ship, furtherOrders);
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
 * Return all plots of at most one turn and one change of velocity.
 * @param {PlotShip} ship
 * @param {string[]} furtherOrders
 * @returns {Partial<ShipPlot>[]}
 */
function courseMoves(ship, furtherOrders) {
  const { main, turning } = thrustLimits(ship, furtherOrders);
  const moves = [];
  for (let turn = -turning; turn <= turning; turn++) {
    for (let thrust = -main; thrust <= main; thrust++) {
      moves.push({ turns: turn ? [turn] : [], thrust });
    }
  }
  return moves;
}
