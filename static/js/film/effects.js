// How weapons look. Each kind of fire has its own gesture, so that it is known without its colour:
// beams are a line, torpedoes a slow bright body, packs a fan, missiles a curved chase, craft a
// strafing run, point defence dots.

import { hash, part, settle } from "./ease.js";

export const ARRIVES = 0.4; // when the body of a shot arrives, as a share of the volley
const SPARKS = 9;

/**
 * Return a point on the way between two, and some pixels off the line.
 * @param {Point} from
 * @param {Point} to
 * @param {number} t 0 to 1
 * @param {number} off pixels
 * @returns {Point}
 */
function pointOn([ax, ay], [bx, by], t, off = 0) {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const x = ax + (bx - ax) * t - ((by - ay) / length) * off;
  const y = ay + (by - ay) * t + ((bx - ax) / length) * off;
  return [x, y];
}

/**
 * Return the offsets of parallel lines around the middle.
 * @param {number} count
 * @param {number} gap pixels
 */
const spread = (count, gap) => Array.from({ length: count }, (_, i) => (i - (count - 1) / 2) * gap);

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Point} from
 * @param {Point} to
 * @param {number} width
 * @param {number} alpha
 */
function line(ctx, from, to, width, alpha) {
  ctx.globalAlpha = alpha;
  ctx.lineWidth = width;
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Point} at
 * @param {number} radius
 * @param {number} alpha
 */
function dot(ctx, [x, y], radius, alpha = 1) {
  ctx.globalAlpha = alpha;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, Math.PI * 2);
  ctx.fill();
}

/**
 * A beam grows quickly, holds and fades; a miss is thin and passes by.
 * @type {(ctx: CanvasRenderingContext2D, shot: FilmShot, t: number, colours: FilmColours) => void}
 */
function beam(ctx, { from, to, guns, hits, colour }, t, colours) {
  const reach = settle(part(t, 0.04, 0.18));
  const alpha = 1 - part(t, 0.34, 0.58);
  for (const off of alpha > 0 ? spread(Math.min(3, Math.ceil(guns / 2)), 3) : []) {
    const start = pointOn(from, to, 0.02, off);
    const end = pointOn(from, to, hits ? reach : reach * 1.1, hits ? off * 0.3 : off + 7);
    ctx.strokeStyle = colour;
    line(ctx, start, end, hits ? 4 : 1.5, alpha * (hits ? 0.3 : 0.35));
    if (hits) {
      ctx.strokeStyle = colours["space-bright"];
      line(ctx, start, end, 1.2, alpha);
    }
  }
}

/**
 * A torpedo is a slow, bright body with a tail: one sees it come.
 * @type {(ctx: CanvasRenderingContext2D, shot: FilmShot, t: number, colours: FilmColours) => void}
 */
function torpedo(ctx, { from, to, hits }, t, colours) {
  const far = part(t, 0.02, ARRIVES);
  if (far >= 1) {
    return;
  }
  const reach = hits ? 1 : 1.12;
  const head = pointOn(from, to, far * reach, hits ? 0 : far * 9);
  const tail = pointOn(from, to, Math.max(0, far - 0.16) * reach, hits ? 0 : far * 7);
  ctx.strokeStyle = colours.heed;
  line(ctx, tail, head, 3.5, 0.5);
  ctx.fillStyle = colours.heed;
  dot(ctx, head, 4.5, 0.9);
  ctx.fillStyle = colours["space-bright"];
  dot(ctx, head, 2.2);
}

/**
 * Projectiles fan out and close on the target.
 * @type {(ctx: CanvasRenderingContext2D, shot: FilmShot, t: number) => void}
 */
function pack(ctx, { from, to, colour }, t) {
  const far = part(t, 0.04, ARRIVES);
  ctx.strokeStyle = colour;
  for (const off of far < 1 ? spread(5, 5) : []) {
    const wide = Math.sin(Math.PI * far) * off * 1.6;
    const start = pointOn(from, to, Math.max(0, far - 0.08), wide);
    line(ctx, start, pointOn(from, to, far, wide), 2, 0.95);
  }
}

/**
 * Each missile chases on a curve of its own, with a dotted trail.
 * @type {(ctx: CanvasRenderingContext2D, shot: FilmShot, t: number, colours: FilmColours) => void}
 */
function missile(ctx, { from, to, guns, key, colour }, t, colours) {
  for (let i = 0; i < Math.min(6, guns); i += 1) {
    const far = part(t, 0.02 + i * 0.025, ARRIVES + i * 0.01);
    if (far <= 0 || far >= 1) {
      continue;
    }
    const bow = (hash(key + i) - 0.5) * 80 + (i % 2 ? 22 : -22);
    /** @param {number} share */
    const at = (share) => pointOn(from, to, share, Math.sin(Math.PI * share) * bow);
    ctx.fillStyle = colour;
    for (let step = 1; step < 7; step += 1) {
      dot(ctx, at(Math.max(0, far - step * 0.035)), 1.1, 0.7 - step * 0.1);
    }
    ctx.fillStyle = colours["space-bright"];
    dot(ctx, at(far), 2.4);
  }
}

/**
 * Craft fire short bursts along their run; the run itself is drawn with the group.
 * @type {(ctx: CanvasRenderingContext2D, shot: FilmShot, t: number) => void}
 */
function craft(ctx, { from, to, guns, key, colour }, t) {
  ctx.strokeStyle = colour;
  for (let i = 0; i < Math.min(6, guns + 3); i += 1) {
    const far = part(t, 0.1 + i * 0.045, 0.24 + i * 0.045);
    if (far <= 0 || far >= 1) {
      continue;
    }
    const off = (hash(key + i) - 0.5) * 14;
    const start = pointOn(from, to, far * 0.85, off);
    line(ctx, start, pointOn(from, to, far * 0.85 + 0.15, off * 0.4), 1.6, 1 - far * 0.5);
  }
}

/**
 * Point defence is a stutter of dots.
 * @type {(ctx: CanvasRenderingContext2D, shot: FilmShot, t: number) => void}
 */
function pds(ctx, { from, to, key, colour }, t) {
  ctx.fillStyle = colour;
  for (let i = 0; i < 8; i += 1) {
    const far = part(t, 0.02 + i * 0.035, 0.16 + i * 0.035);
    if (far > 0 && far < 1) {
      dot(ctx, pointOn(from, to, far, (hash(key + i) - 0.5) * 16 * far), 1.4, 0.95);
    }
  }
}

/** @type {Record<string, typeof beam>} */
const GESTURES = { beam, torpedo, pack, missile, craft, pds };

/**
 * Draw fire at a time of its volley. Light adds up.
 * @param {CanvasRenderingContext2D} ctx
 * @param {FilmShot} shot
 * @param {number} t 0 to 1
 * @param {FilmColours} colours
 */
export function drawFire(ctx, shot, t, colours) {
  ctx.save();
  ctx.globalCompositeOperation = "lighter";
  ctx.lineCap = "round";
  (GESTURES[shot.w] ?? beam)(ctx, shot, t, colours);
  ctx.restore();
}

/**
 * Draw a hit: a ring that opens, and sparks.
 * @param {CanvasRenderingContext2D} ctx
 * @param {{at: Point, radius: number, hits: number, key: number}} hit
 * @param {number} t 0 to 1
 * @param {FilmColours} colours
 */
export function drawImpact(ctx, { at, radius, hits, key }, t, colours) {
  if (t <= 0 || t >= 1) {
    return;
  }
  ctx.save();
  ctx.strokeStyle = colours["space-bright"];
  ctx.globalAlpha = (1 - t) * 0.9;
  ctx.lineWidth = 2 * (1 - t) + 0.4;
  ctx.beginPath();
  ctx.arc(...at, radius + settle(t) * (8 + Math.min(12, hits * 1.5)), 0, Math.PI * 2);
  ctx.stroke();
  ctx.fillStyle = colours.star;
  for (let i = 0; i < Math.min(SPARKS, 2 + hits); i += 1) {
    const angle = hash(key + i * 7) * Math.PI * 2;
    const far = radius * 0.4 + settle(t) * (10 + hash(key + i) * 16);
    const [x, y] = [at[0] + Math.cos(angle) * far, at[1] + Math.sin(angle) * far];
    dot(ctx, [x, y], 1.3 * (1 - t) + 0.3, 1 - t);
  }
  ctx.restore();
}

/**
 * Draw a hull that breaks in two halves, which tumble apart, glow once and fade. The pen is at its
 * middle.
 * @param {CanvasRenderingContext2D} ctx
 * @param {{shape: Path2D, size: number, angle: number, colour: string}} hull
 * @param {number} t 0 to 1
 * @param {FilmColours} colours
 */
export function breakUp(ctx, { shape, size, angle, colour }, t, colours) {
  if (t >= 1) {
    return;
  }
  if (t < 0.4) {
    drawGlow(ctx, t / 0.4, colours);
  }
  const apart = settle(t) * 11;
  for (const half of [-1, 1]) {
    ctx.save();
    ctx.globalAlpha = 1 - t * t;
    ctx.translate(Math.cos(angle) * half * apart, Math.sin(angle) * half * apart);
    ctx.rotate(angle + half * t * 1.5);
    ctx.scale(size, size);
    ctx.beginPath();
    ctx.rect(half < 0 ? -20 : 0, -20, 20, 40);
    ctx.clip();
    ctx.translate(-16, -16);
    ctx.fillStyle = colour;
    ctx.fill(shape);
    ctx.restore();
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} t 0 to 1
 * @param {FilmColours} colours
 */
function drawGlow(ctx, t, colours) {
  const radius = 8 + settle(t) * 22;
  const glow = ctx.createRadialGradient(0, 0, 0, 0, 0, radius);
  glow.addColorStop(0, colours["space-bright"]);
  glow.addColorStop(0.35, colours.heed);
  glow.addColorStop(1, "transparent");
  ctx.globalAlpha = (1 - t) ** 1.5;
  ctx.fillStyle = glow;
  ctx.fillRect(-radius, -radius, radius * 2, radius * 2);
}
