// Names of form fields. The page describes each field (`Field.for_script` of
// campaign/forms/field.py), so a script spells no name of its own.

/**
 * @param {FormField} field
 * @param {...(string | number)} about what the field is about
 * @returns {string} the name of the field for this thing
 */
export const nameOf = (field, ...about) => [field.name, ...about].join("-");

/**
 * @param {FormField} field
 * @param {string | undefined} name the name of any field
 * @returns {string | null} what the name says after this field; null if it is another field's name
 */
export function restOf(field, name) {
  const start = nameOf(field, "");
  return name?.startsWith(start) ? name.slice(start.length) : null;
}
