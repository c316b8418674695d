// Texts in the reader's language: phrase`${n} {:ship|ships} at ${place}`. Catalogues (bin/catalogue) know a text by its English, {} for
// what is put in; {:ship|ships} is the form for the number before it, {0:…} for the first one.

export const language = document.documentElement.lang || "en";

const plurals = new Intl.PluralRules(language);

export const told = {}; // by phrases/<language>.js

const formats = {}; // by digits: making one takes longer than using it a hundred times

/** A number in the reader's language. */
export function number(n, digits) {
  const shown = {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: "min2",
  };
  formats[digits] ??= new Intl.NumberFormat(language, shown);
  return formats[digits].format(n);
}

export function phrase(parts, ...given) {
  const text = parts.join("{}");
  let n = 0;
  return (told[text] ?? text).replace(/\{(\d*)(?::(.*?)\|(.*?))?\}/g, (_, at, one, many) => {
    if (many !== undefined) {
      return plurals.select(given[at || n - 1]) === "one" ? one : many;
    }
    const value = given[at || n++];
    return typeof value === "number" ? number(value) : value;
  });
}
