// Silhouettes of ships and craft: bow up in a box of 32 by 32, from the sprite with all symbols
// (static/img/battle.svg), so that a canvas draws what the SVG of a page shows.

import { RADIUS } from "./silhouettes.js";

export const BOX = 32;

/** @type {Map<string, Promise<Record<string, Path2D>>>} by the address of the sprite */
const loaded = new Map();

/**
 * Load the silhouettes by size.
 * @param {string} icons the address of the sprite
 */
export function loadShapes(icons) {
  const known = loaded.get(icons);
  if (known) {
    return known;
  }
  const shapes = fetchShapes(icons);
  loaded.set(icons, shapes);
  shapes.catch(() => loaded.delete(icons)); // the next film tries again
  return shapes;
}

/** @param {string} icons */
async function fetchShapes(icons) {
  const answer = await fetch(icons);
  if (!answer.ok) {
    throw new Error(String(answer.status));
  }
  const sprite = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  /** @type {Record<string, Path2D>} */
  const shapes = {};
  for (const size of Object.keys(RADIUS)) {
    const shape = new Path2D();
    for (const path of sprite.querySelectorAll(`#ship-${size} path`)) {
      shape.addPath(new Path2D(path.getAttribute("d") ?? ""));
    }
    shapes[size] = shape;
  }
  return shapes;
}
