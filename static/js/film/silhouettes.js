// The sizes of silhouettes of ships and craft, on tables and in films.

/** @type {Record<string, number>} pixels from the middle of a silhouette to its rim */
export const RADIUS = {
  fighter: 8,
  interceptor: 8,
  bomber: 8,
  shuttle: 8,
  gunboat: 9,
  escort: 10,
  cruiser: 12,
  capital: 14,
  merchant: 12,
  installation: 13,
};

const CRAFT = ["fighter", "interceptor", "bomber", "shuttle", "gunboat"];

/**
 * Return whether a silhouette is that of a group of craft.
 * @param {string | undefined} size
 */
export const isCraft = (size) => CRAFT.includes(size ?? "");

export const DEFAULT_RADIUS = 11; // pixels

/**
 * Return how much silhouettes are magnified at a scale.
 * @param {number} pxPerMu
 */
export const magnification = (pxPerMu) => Math.max(0.8, Math.min(1.7, pxPerMu / 11));
