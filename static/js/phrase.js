// Texts in the reader's language: phrase`${n} {:ship|ships} at ${place}`. Catalogues
// (bin/catalogue) know a text by its English, {} for what is put in; {:ship|ships} is the form for
// the number before it, {0:…} for the first one.

export const language = document.documentElement.lang || "en";

const plurals = new Intl.PluralRules(language);

/**
 * The translations of the reader's language by their English, filled by phrases/<language>.js.
 * @type {Record<string, string>}
 */
export const translations = {};

/**
 * Formats by their digits: making one takes longer than using it a hundred times.
 * @type {Map<number | undefined, Intl.NumberFormat>}
 */
const formats = new Map();

/**
 * Return a number in the reader's language.
 * @param {number} value
 * @param {number} [digits] behind the decimal point; as many as there are if left out
 */
export function number(value, digits) {
  let format = formats.get(digits);
  if (!format) {
    format = new Intl.NumberFormat(language, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: "min2",
    });
    formats.set(digits, format);
  }
  return format.format(value);
}

/**
 * Return a text in the reader's language.
 * @param {TemplateStringsArray} parts
 * @param {...(string | number)} values
 * @returns {string}
 */
export function phrase(parts, ...values) {
  const text = parts.join("{}");
  let next = 0;
  return (translations[text] ?? text).replace(
    /\{(\d*)(?::(.*?)\|(.*?))?\}/g,
    (_, position, singular, plural) => {
      if (plural !== undefined) {
        const count = Number(values[position || next - 1]);
        return plurals.select(count) === "one" ? singular : plural;
      }
      const value = values[position || next++];
      return typeof value === "number" ? number(value) : value;
    },
  );
}
