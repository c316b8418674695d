// Draws ships, craft, wrecks and trails of a film.

import { breakUp } from "./effects.js";
import { glide, part, settle } from "./ease.js";
import { along } from "./paths.js";
import { BOX } from "./shapes.js";
import { DEFAULT_RADIUS, RADIUS, isCraft } from "./silhouettes.js";
import { underWay } from "./spots.js";

const WRECK_TIME = 900; // milliseconds in which a hull breaks up
const FLASH = 130; // milliseconds for which a hull that is hit lights up
const TRAIL = 450; // milliseconds in which a trail fades
const CRAFT = 6; // of a full group
const PIP = 2.6; // pixels

/**
 * Return the colour of a unit's seat.
 * @param {FilmView} view
 * @param {number} n the number of the unit
 * @param {UnitState} [state] its state; craft that launch have theirs before the moment ends
 */
export function colourOf({ data, states, seats }, n, state = states[n]) {
  const side = state?.s;
  return seats[(side === undefined ? undefined : data.sides[side]?.seat) ?? 0];
}

/**
 * Return the pixels from the middle of a unit to its rim.
 * @param {FilmView} view
 * @param {number} n the number of the unit
 */
export const radiusOf = ({ data, camera }, n) =>
  (RADIUS[data.units[n].size] ?? DEFAULT_RADIUS) * camera.grow;

/**
 * @param {FilmView} view
 * @param {number} n the number of the unit
 */
const shapeOf = ({ data, shapes }, n) => shapes[data.units[n].size] ?? shapes.escort;

/**
 * @param {FilmView} view
 * @param {UnitState} state
 */
const isOwn = ({ data }, state) => Boolean(state.m) || data.mine < 0;

/**
 * Return the colour of a unit's name, as on the tables of pages.
 * @param {FilmView} view
 * @param {number} n the number of the unit
 * @param {UnitState} state
 */
export function nameColourOf(view, n, state) {
  const { colours } = view;
  if (isOwn(view, state)) {
    return colours["space-ink"];
  }
  return `color-mix(in srgb, ${colourOf(view, n, state)} 45%, ${colours["space-bright"]})`;
}

/**
 * Draw the ways that units have come, as lines that fade.
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmView} view
 * @param {FilmBeat[]} live
 */
export function drawTrails(ctx, view, live) {
  ctx.lineWidth = 1.5;
  ctx.lineCap = "round";
  for (const beat of live) {
    const over = beat.at + beat.long;
    const alpha = 0.55 * (1 - part(view.at, over, over + TRAIL));
    const t = glide(underWay(beat, view.at).moved);
    for (const { k, u, path } of alpha > 0 ? beat.acts : []) {
      if (k === "move" && path) {
        drawTrail(ctx, view, { u, path, t, alpha });
      }
    }
  }
  ctx.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmView} view
 * @param {{u: number, path: TablePoint[], t: number, alpha: number}} trail
 */
function drawTrail(ctx, view, { u, path, t, alpha }) {
  const { camera } = view;
  const now = along(path, 0, 0, t);
  ctx.globalAlpha = alpha;
  ctx.strokeStyle = colourOf(view, u);
  ctx.beginPath();
  ctx.moveTo(...camera.px(...path[0]));
  for (let leg = 1; leg <= now.leg; leg += 1) {
    ctx.lineTo(...camera.px(...path[leg]));
  }
  ctx.lineTo(...camera.px(now.x, now.y));
  ctx.stroke();
}

/**
 * Draw all units.
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmView} view
 * @param {Map<number, FilmSpot>} spots
 * @param {FilmBeat[]} live
 */
export function drawUnits(ctx, view, spots, live) {
  const { dying, struck } = hullsHit(view, live);
  for (const [n, spot] of spots) {
    if (spot.state.out === view.data.wreck) {
      if (view.losses[n] === view.turn) {
        drawWreck(ctx, view, n, spot, dying.get(n) ?? 1);
      }
    } else if (spot.shown) {
      drawUnit(ctx, view, n, spot, struck.has(n));
    }
  }
}

/**
 * Return how far hulls have broken up, by unit, and which hulls light up because they are hit.
 * @param {FilmView} view
 * @param {FilmBeat[]} live
 */
function hullsHit({ at }, live) {
  /** @type {Map<number, number>} */
  const dying = new Map();
  const struck = new Set();
  for (const { acts, lands } of live) {
    const isFlashing = at >= lands && at < lands + FLASH;
    for (const { k, u } of acts) {
      if (k === "dead") {
        dying.set(u, part(at, lands, lands + WRECK_TIME));
      } else if (k === "hurt" && isFlashing) {
        struck.add(u);
      }
    }
  }
  return { dying, struck };
}

/**
 * Draw a unit: own ones are filled, others hollow, bogeys dashed.
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmView} view
 * @param {number} n the number of the unit
 * @param {FilmSpot} spot
 * @param {boolean} isStruck
 */
function drawUnit(ctx, view, n, spot, isStruck) {
  const { colours, camera } = view;
  const colour = colourOf(view, n, spot.state);
  const shape = shapeOf(view, n);
  ctx.save();
  enter(ctx, spot, camera.grow);
  ctx.lineWidth = 1;
  ctx.strokeStyle = colour;
  ctx.fillStyle = isStruck ? colours["space-bright"] : colour;
  if (spot.state.b) {
    ctx.setLineDash([2.5, 2.5]);
  }
  const isHollow = !isOwn(view, spot.state) && !isStruck;
  if (isHollow) {
    ctx.globalAlpha = spot.shown * (spot.state.b ? 0.05 : 0.16);
  } else {
    ctx.globalAlpha = spot.shown;
  }
  ctx.fill(shape);
  ctx.globalAlpha = spot.shown;
  ctx.stroke(shape);
  ctx.restore();
  if (isCraft(view.data.units[n].size)) {
    drawCraft(ctx, spot, colour, camera.grow);
  }
  if (n === view.chosen) {
    drawRing(ctx, spot, radiusOf(view, n) + 5, colours["space-bright"]);
  }
}

/**
 * Put the pen into a silhouette's own box.
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmSpot} spot
 * @param {number} size
 */
function enter(ctx, { px, py, angle }, size) {
  ctx.translate(px, py);
  ctx.rotate(angle);
  ctx.scale(size, size);
  ctx.translate(-BOX / 2, -BOX / 2);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmSpot} spot
 * @param {number} radius
 * @param {string} colour
 */
function drawRing(ctx, { px, py }, radius, colour) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.arc(px, py, radius, 0, Math.PI * 2);
  ctx.stroke();
}

/**
 * Draw a group's craft as pips under it: counted at a glance, gone one by one.
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmSpot} spot
 * @param {string} colour
 * @param {number} grow
 */
function drawCraft(ctx, { state, px, py, shown }, colour, grow) {
  const left = state.d ?? CRAFT;
  ctx.fillStyle = colour;
  for (let i = 0; i < Math.max(left, CRAFT); i += 1) {
    ctx.globalAlpha = (i < left ? 1 : 0.22) * shown;
    ctx.fillRect(px - 11 + i * 4, py + 10 * grow, PIP, PIP);
  }
  ctx.globalAlpha = 1;
}

/**
 * Draw a hull that breaks up, and the cross that stays.
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmView} view
 * @param {number} n the number of the unit
 * @param {FilmSpot} spot
 * @param {number} t 0 to 1
 */
function drawWreck(ctx, view, n, { px, py, angle }, t) {
  const colour = colourOf(view, n);
  const hull = { shape: shapeOf(view, n), size: view.camera.grow, angle, colour };
  ctx.save();
  ctx.translate(px, py);
  breakUp(ctx, hull, t, view.colours);
  ctx.globalAlpha = 0.6 * settle(t);
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(-5, -5);
  ctx.lineTo(5, 5);
  ctx.moveTo(5, -5);
  ctx.lineTo(-5, 5);
  ctx.stroke();
  ctx.restore();
}
