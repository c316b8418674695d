// The sizes of silhouettes of ships and craft, on tables and in films.

/** @type {Record<string, number>} pixels from the middle of a silhouette to its rim */
export const RADIUS = {
  fighter: 8,
  escort: 10,
  cruiser: 12,
  capital: 14,
  merchant: 12,
  installation: 13,
};
export const DEFAULT_RADIUS = 11; // pixels

/**
 * Return how much silhouettes are magnified at a scale.
 * @param {number} pxPerMu
 */
export const magnification = (pxPerMu) => Math.max(0.8, Math.min(1.7, pxPerMu / 11));
