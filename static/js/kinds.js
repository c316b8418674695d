// Ships counted by their classification, each with its sign.

import { phrase } from "./phrase.js";

const SIGNS = { capital: "M1 5 6 1l5 4M1 8l5-4 5 4M1 11l5-4 5 4", cruiser: "M1 6.500 6 2.500l5 4M1 10l5-4 5 4", escort: "M1 8l5-4 5 4" };

/** So many of a classification, in words. */
export const counted = { capital: (n) => phrase`${n} {:capital|capitals}`, cruiser: (n) => phrase`${n} {:cruiser|cruisers}`, escort: (n) => phrase`${n} {:escort|escorts}`, other: (n) => phrase`${n} other` };
export const sign = (kind) => (SIGNS[kind] ? `<svg viewBox="0 0 12 12" aria-hidden="true"><path d="${SIGNS[kind]}"/></svg>` : "");
export const kinds = (n) => Object.entries(counted).map(([kind, words], i) => (n[i] ? `<i>${sign(kind)}<span aria-hidden="true">${n[i]}</span><span class="visually-hidden">${words(n[i])} </span></i>` : "")).join("");
