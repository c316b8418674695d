// Dice beside a shot: they roll, settle, and those that score light up. Figures, not pips, because
// they are read at 14 pixels.

import { hash, part } from "./ease.js";

const SIDE = 15; // pixels
const GAP = 3;
const MOST = 12; // dice in a row
const ROLLS = [0.18, 0.46]; // from when to when they roll, as shares of the volley

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmView} view
 * @param {{at: Point, dice: string, hit: string, key: number}} row `at`: the middle of the row
 * @param {number} t 0 to 1 of the volley
 */
export function drawDice(ctx, { colours, family }, { at: [x, y], dice, hit, key }, t) {
  const shown = [...dice].slice(0, MOST);
  const isSettled = t >= ROLLS[1];
  const alpha = Math.min(part(t, ROLLS[0] - 0.04, ROLLS[0]), 1 - part(t, 0.9, 1));
  if (alpha <= 0) {
    return;
  }
  const width = shown.length * (SIDE + GAP) - GAP;
  ctx.save();
  ctx.globalAlpha = alpha;
  ctx.font = `600 11px ${family}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.lineWidth = 1;
  for (const [i, die] of shown.entries()) {
    const left = x - width / 2 + i * (SIDE + GAP);
    const face = isSettled
      ? die
      : String(1 + Math.floor(hash(key + i * 31 + Math.floor(t * 22)) * 6));
    const hop = isSettled ? 0 : Math.sin(t * 60 + i) * 1.5;
    const isLit = isSettled && hit[i] === "1";
    ctx.fillStyle = isLit ? colours["space-ink"] : colours["space-veil"];
    ctx.strokeStyle = isLit ? colours["space-ink"] : colours["space-ink-3"];
    ctx.beginPath();
    ctx.roundRect(left, y - SIDE / 2 + hop, SIDE, SIDE, 3);
    ctx.fill();
    ctx.stroke();
    ctx.fillStyle = isLit ? colours.space : colours["space-ink-2"];
    ctx.fillText(face, left + SIDE / 2, y + hop + 0.5);
  }
  ctx.restore();
}
