// Words that rise from a ship: what it lost. They rise, hold and fade.

import { part, settle } from "./ease.js";

const RISE = 16; // pixels

/** @type {Record<string, {font: string, colour: string}>} */
const STYLES = {
  hurt: { font: "700 17px", colour: "space-bright" },
  lost: { font: "600 12px", colour: "heed" },
  miss: { font: "600 12px", colour: "space-ink-3" },
};

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmView} view
 * @param {{at: Point, words: string, style: string}} pop
 * @param {number} t 0 to 1
 */
export function drawPop(ctx, { colours, family }, { at: [x, y], words, style }, t) {
  const alpha = Math.min(part(t, 0, 0.12), 1 - part(t, 0.75, 1));
  if (alpha <= 0) {
    return;
  }
  const { font, colour } = STYLES[style];
  ctx.save();
  ctx.globalAlpha = alpha;
  ctx.font = `${font} ${family}`;
  ctx.textAlign = "center";
  ctx.lineWidth = 4;
  ctx.lineJoin = "round";
  ctx.strokeStyle = colours.space;
  ctx.fillStyle = colours[colour];
  const rise = y - settle(Math.min(1, t * 2)) * RISE;
  ctx.strokeText(words, x, rise);
  ctx.fillText(words, x, rise);
  ctx.restore();
}
