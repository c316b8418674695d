// Texts in the reader's language: phrase`${n} {:ship|ships} at ${place}`. The catalogues
// (bin/catalogue) identify a text by its English, with {} for each value. {:ship|ships} chooses the
// singular or the plural by the value before it, {0:ship|ships} by the first value.

export const language = document.documentElement.lang || "en";

const plurals = new Intl.PluralRules(language);

/**
 * Translations into the reader's language by their English. Filled by phrases/<language>.js.
 * @type {Record<string, string>}
 */
export const translations = {};

/**
 * Number formats by their count of decimals. Kept because creating a format takes longer than using
 * it a hundred times.
 * @type {Map<number | undefined, Intl.NumberFormat>}
 */
const formats = new Map();

/**
 * Write a number as the reader's language does.
 * @param {number} value
 * @param {number} [decimals] digits after the decimal point; by default up to 3, as needed
 */
export function number(value, decimals) {
  let format = formats.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat(language, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      useGrouping: "min2",
    });
    formats.set(decimals, format);
  }
  return format.format(value);
}

/**
 * Translate a text into the reader's language and insert the values.
 * @param {TemplateStringsArray} parts
 * @param {...(string | number)} values
 * @returns {string}
 */
export function phrase(parts, ...values) {
  const text = parts.join("{}");
  let next = 0; // the index of the next value to insert
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
