// Ships counted by their classification, each with its sign (static/img/emblems.svg).

import { html, svg } from "./dom.js";
import { phrase } from "./phrase.js";

export const KINDS = ["capital", "cruiser", "escort"];

/**
 * How many ships of a classification, in words.
 * @type {Record<string, (count: number) => string>}
 */
export const counted = {
  capital: (n) => phrase`${n} {:capital|capitals}`,
  cruiser: (n) => phrase`${n} {:cruiser|cruisers}`,
  escort: (n) => phrase`${n} {:escort|escorts}`,
  other: (n) => phrase`${n} other`,
};

/**
 * Return the sign of a classification; nothing for one that has none.
 * @param {string | undefined} kind
 */
export function sign(kind) {
  if (!kind || !KINDS.includes(kind)) {
    return [];
  }
  const href = `${document.body.dataset.emblems}#${kind}`;
  return [svg("svg", { "aria-hidden": "true" }, svg("use", { href }))];
}

/**
 * Return how many ships there are of each classification, with its sign.
 * @param {number[]} counts of capitals, cruisers, escorts and others
 */
export function kinds(counts) {
  const present = Object.entries(counted).filter((_, i) => counts[i]);
  return present.map(([kind, words]) => {
    const count = counts[Object.keys(counted).indexOf(kind)];
    const figure = html("span", { ariaHidden: "true" }, String(count));
    const spoken = html("span", { className: "visually-hidden" }, `${words(count)} `);
    return html("i", {}, ...sign(kind), figure, spoken);
  });
}
