// Fire in a film: the shots of a moment, their dice, and what came of them.

import { phrase } from "../phrase.js";
import { drawDice } from "./dice.js";
import { ARRIVES, drawFire, drawImpact } from "./effects.js";
import { part } from "./ease.js";
import { colourOf, radiusOf } from "./marks.js";
import { drawPop } from "./pops.js";

// Milliseconds for which figures stand
const HOLDS = 900;
const HOLDS_BRIEF = 650;
const CLOSE = 110; // pixels between ships under which dice would cover them
const ROW = 19; // pixels from one row of dice to the next
const NAMED_SYSTEMS = 2; // more are counted

/**
 * @param {FilmBeat} beat
 * @param {number} at
 */
const progress = (beat, at) => part(at, beat.at, beat.at + beat.long);

/** @param {FilmAct} act */
const isFire = ({ k }) => k === "shot" || k === "strike" || k === "send";

/**
 * Return the pixels between which an act of fire flies, or null if a unit is not on the table.
 * @param {FilmView} view
 * @param {FilmAct} act
 * @param {Map<number, FilmSpot>} spots
 * @returns {{from: Point, to: Point, target: number} | null}
 */
function lineOf({ camera }, { k, u, at = -1, from, to }, spots) {
  const own = spots.get(u);
  const other = spots.get(at);
  if (!own) {
    return null;
  }
  if (k === "strike" && typeof from === "object") {
    return { from: camera.px(...from), to: [own.px, own.py], target: u };
  }
  if (k === "send" && to) {
    return { from: [own.px, own.py], to: camera.px(...to), target: -1 };
  }
  return other ? { from: [own.px, own.py], to: [other.px, other.py], target: at } : null;
}

/**
 * Draw the shots of a moment.
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmView} view
 * @param {FilmBeat} beat
 * @param {Map<number, FilmSpot>} spots
 */
export function drawShots(ctx, view, beat, spots) {
  const t = progress(beat, view.at);
  if (t > 0 && t < 1) {
    for (const act of beat.acts.filter(isFire)) {
      const line = lineOf(view, act, spots);
      if (line) {
        drawShot(ctx, view, act, line, t);
      }
    }
    ctx.globalAlpha = 1;
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmView} view
 * @param {FilmAct} act
 * @param {{from: Point, to: Point, target: number}} line
 * @param {number} t 0 to 1 of the volley
 */
function drawShot(ctx, view, { k, u, at = 0, w = "", guns = 4, hits = 0 }, line, t) {
  const { from, to, target } = line;
  const key = u * 97 + at * 13;
  const colour = k === "strike" ? view.seats[0] : colourOf(view, u);
  drawFire(ctx, { w, from, to, guns, hits, colour, key }, t, view.colours);
  if (hits && target >= 0) {
    const radius = radiusOf(view, target) * 0.7;
    const struck = part(t, ARRIVES - 0.04, 0.85);
    drawImpact(ctx, { at: to, radius, hits, key }, struck, view.colours);
  }
}

/**
 * Draw dice, figures and lost systems above everything else.
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmView} view
 * @param {FilmBeat} beat
 * @param {Map<number, FilmSpot>} spots
 * @param {boolean} hasDice
 */
export function drawResults(ctx, view, beat, spots, hasDice) {
  if (hasDice && !beat.brief) {
    drawRows(ctx, view, beat, spots);
  }
  const t = part(view.at, beat.lands, beat.lands + (beat.brief ? HOLDS_BRIEF : HOLDS));
  if (t <= 0 || t >= 1) {
    return;
  }
  for (const pop of popsOf(beat)) {
    const spot = spots.get(pop.n);
    if (spot) {
      drawPop(ctx, view, { ...pop, at: [spot.px, spot.py + pop.dy] }, t);
    }
  }
}

/**
 * Return the words that rise from units in a moment.
 * @param {FilmBeat} beat
 */
function popsOf({ acts, brief, moment }) {
  const pops = [...boxesLost(acts)].map(([n, points]) => {
    return { n, dy: -16, words: `−${points}`, style: "hurt" };
  });
  for (const { k, u, n, lost } of acts) {
    if (k === "craft") {
      pops.push({ n: u, dy: -10, words: `−${n}`, style: "hurt" });
    } else if (k === "check" && lost) {
      pops.push({ n: u, dy: 44, words: lostWords(lost), style: "lost" });
    }
  }
  const isFireAlone = !pops.length && !brief && moment.k === "fire";
  return isFireAlone ? missesOf(acts) : pops;
}

/**
 * Return the words for the first target that is missed.
 * @param {FilmAct[]} acts
 */
function missesOf(acts) {
  const misses = acts.filter(({ k, hits }) => k === "shot" && !hits).slice(0, 1);
  return misses.map(({ at: n = -1 }) => ({ n, dy: -16, words: phrase`miss`, style: "miss" }));
}

/** @param {string[]} lost */
const lostWords = (lost) =>
  lost.length > NAMED_SYSTEMS
    ? phrase`${lost.length} systems lost`
    : phrase`${lost.join(", ")} lost`;

/**
 * Return the boxes of hull and armour that each ship loses.
 * @param {FilmAct[]} acts
 */
function boxesLost(acts) {
  /** @type {Map<number, number>} */
  const points = new Map();
  for (const { k, u, n = 0 } of acts) {
    if (k === "hurt" || k === "armour") {
      points.set(u, (points.get(u) ?? 0) + n);
    }
  }
  return points;
}

/**
 * Draw a row of dice for each shot, half way to its target, and for each check below its ship.
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmView} view
 * @param {FilmBeat} beat
 * @param {Map<number, FilmSpot>} spots
 */
function drawRows(ctx, view, beat, spots) {
  const t = progress(beat, view.at);
  let row = 0;
  for (const act of t < 1 ? beat.acts : []) {
    const { dice, hit = "", u, at: target = 0 } = act;
    if (!dice) {
      continue;
    }
    const key = u * 97 + target * 13;
    const found = isFire(act) ? lineOf(view, act, spots) : null;
    const spot = spots.get(u);
    if (found) {
      drawDice(ctx, view, { at: beside(found, row), dice, hit, key }, t);
      row += 1;
    } else if (spot && beat.moment.k !== "fire") {
      drawDice(ctx, view, { at: [spot.px, spot.py + 30], dice, hit, key }, t);
    }
  }
}

/**
 * Return where a row of dice lies: half way of the shot, or above the target if both are close.
 * @param {{from: Point, to: Point}} line
 * @param {number} row
 * @returns {Point}
 */
function beside({ from, to }, row) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  if (Math.hypot(dx, dy) < CLOSE) {
    return [to[0], to[1] - 60 - row * ROW];
  }
  return [from[0] + dx * 0.52, from[1] + dy * 0.52 - 20 + row * ROW];
}

/**
 * Return the boxes in pixels where figures rise: names keep out of them.
 * @param {FilmView} view
 * @param {FilmBeat[]} live
 * @param {Map<number, FilmSpot>} spots
 */
export function figureBoxes(view, live, spots) {
  /** @type {Box[]} */
  const boxes = [];
  for (const beat of live) {
    for (const { n } of view.at >= beat.lands ? popsOf(beat) : []) {
      const spot = spots.get(n);
      if (spot) {
        boxes.push([spot.px - 18, spot.py - 44, spot.px + 18, spot.py - 14]);
      }
    }
  }
  return boxes;
}
