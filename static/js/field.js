// Names of form fields. The page's data describes each field (`Field.for_script` of
// campaign/forms/field.py), so that scripts do not repeat the names.

/**
 * Return the name of a field for one subject, for example one ship: `plot-hms-ajax`.
 * @param {FormField} field
 * @param {...(string | number)} about the subject's key; several parts are joined by hyphens
 * @returns {string}
 */
export const nameOf = (field, ...about) => [field.name, ...about].join("-");

/**
 * Return the subject's key from the name of a field.
 * @param {FormField} field
 * @param {string | undefined} name the name of any field of the form
 * @returns {string | null} null if it is the name of another field
 */
export function restOf(field, name) {
  const start = nameOf(field, "");
  return name?.startsWith(start) ? name.slice(start.length) : null;
}
