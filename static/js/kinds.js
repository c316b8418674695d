// Ships counted by their classification, each with its sign (static/img/emblems.svg).

import { phrase } from "./phrase.js";

const SIGNED = ["capital", "cruiser", "escort"];

/** So many of a classification, in words. */
export const counted = {
  capital: (n) => phrase`${n} {:capital|capitals}`,
  cruiser: (n) => phrase`${n} {:cruiser|cruisers}`,
  escort: (n) => phrase`${n} {:escort|escorts}`,
  other: (n) => phrase`${n} other`,
};
export const sign = (kind) =>
  SIGNED.includes(kind)
    ? `<svg aria-hidden="true"><use href="${document.body.dataset.emblems}#${kind}"/></svg>`
    : "";
export const kinds = (n) =>
  Object.entries(counted)
    .map(([kind, words], i) =>
      n[i]
        ? `<i>${sign(kind)}<span aria-hidden="true">${n[i]}</span><span class="visually-hidden">${words(n[i])} </span></i>`
        : "",
    )
    .join("");
