// Shows counts of ships by classification, each with its sign (static/img/emblems.svg).

import { html, svg } from "./dom.js";
import { phrase } from "./phrase.js";

export const KINDS = ["capital", "cruiser", "escort"];

/**
 * Counts of ships of each classification in words.
 * @type {Record<string, (count: number) => string>}
 */
export const countInWords = {
  capital: (n) => phrase`${n} {:capital|capitals}`,
  cruiser: (n) => phrase`${n} {:cruiser|cruisers}`,
  escort: (n) => phrase`${n} {:escort|escorts}`,
  other: (n) => phrase`${n} other`,
};

/**
 * Return the sign of a classification, or an empty list if it has none.
 * @param {string | undefined} kind
 */
export function kindSign(kind) {
  if (!kind || !KINDS.includes(kind)) {
    return [];
  }
  const href = `${document.body.dataset.emblems}#${kind}`;
  return [svg("svg", { "aria-hidden": "true" }, svg("use", { href }))];
}

/**
 * Return the counts of ships of each classification, with signs.
 * @param {number[]} counts the numbers of capitals, cruisers, escorts and others
 */
export function kindCounts(counts) {
  const present = Object.entries(countInWords).filter((_, i) => counts[i]);
  return present.map(([kind, toWords]) => {
    const count = counts[Object.keys(countInWords).indexOf(kind)];
    const figure = html("span", { ariaHidden: "true" }, String(count));
    const spoken = html("span", { className: "visually-hidden" }, `${toWords(count)} `);
    return html("i", {}, ...kindSign(kind), figure, spoken);
  });
}
