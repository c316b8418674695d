// Rows of forms of scenarios and battles: each shows only the fields that it has by its kind.

import { findAll } from "./dom.js";

/**
 * Show the fields that each row has by the values of the fields on which they depend, and keep
 * them so.
 * @param {HTMLFormElement} form
 */
export function enableRowFields(form) {
  form.addEventListener("change", () => {
    for (const field of findAll(form, "[data-by]", HTMLElement)) {
      const deciding = form.elements.namedItem(field.dataset.by ?? "");
      const value = deciding instanceof HTMLSelectElement ? deciding.value : "";
      const isDecidingHidden =
        deciding instanceof HTMLElement && deciding.closest("[data-by][hidden]") !== null;
      const values = (field.dataset.only ?? "").split(" ");
      field.hidden = isDecidingHidden || !values.includes(value);
    }
  });
}
