// Where groups of craft that share a place fly, on tables and in films.

const ABREAST = 5; // groups side by side in a formation
const ASIDE = 26; // pixels between them
const BEHIND = 12; // pixels that the next ones are further back

/** Groups of craft that are nearer to each other, in pixels, fly in formation. */
export const NEAR = 26;

/**
 * Return where a group is in a formation, in pixels from its middle: the first leads, and others
 * are beside it, further back.
 * @param {number} slot from 0
 * @param {number} angle the direction of flight in radians
 * @returns {[number, number]}
 */
export function slotOffset(slot, angle) {
  const place = slot % ABREAST;
  const rank = Math.ceil(place / 2);
  const row = Math.floor(slot / ABREAST);
  const aside = (place % 2 ? 1 : -1) * rank * ASIDE;
  const behind = rank * BEHIND + row * 2 * ASIDE;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return [cos * aside - sin * behind, sin * aside + cos * behind];
}
