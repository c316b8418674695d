// Curves of time for films. Each takes and returns 0 to 1.

/**
 * Ships are under way when they start and when they stop, so the ends are barely softened.
 * @param {number} t
 */
export const glide = (t) => t - (Math.sin(Math.PI * 2 * t) / (Math.PI * 2)) * 0.45;

/**
 * Fast at first, then settling.
 * @param {number} t
 */
export const settle = (t) => 1 - (1 - t) ** 3;

/** @param {number} t */
export const clamp = (t) => Math.max(0, Math.min(1, t));

/**
 * Return where a time lies between two others, as 0 to 1.
 * @param {number} t
 * @param {number} from
 * @param {number} to
 */
export const part = (t, from, to) => clamp((t - from) / (to - from || 1));

/**
 * Return a number from 0 to 1 that is always the same for the same key, so that every showing of a
 * film looks the same.
 * @param {number} key
 */
export function hash(key) {
  let value = (key * 2654435761) >>> 0;
  value ^= value >>> 15;
  value = (value * 2246822519) >>> 0;
  return ((value ^ (value >>> 13)) >>> 0) / 4294967296;
}
