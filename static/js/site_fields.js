// Extras of single form fields: buttons that copy a text, and the browser's time zone as default.
// Loaded by site.js on pages that have such fields.

import { findAll } from "./dom.js";
import { phrase } from "./phrase.js";

/** Show the buttons that copy the text of a field, if the browser allows copying. */
function enableCopyButtons() {
  if (!navigator.clipboard) {
    return;
  }
  for (const button of findAll(document, "button[data-copy]", HTMLButtonElement)) {
    const field = document.getElementById(button.dataset.copy ?? "");
    const hasText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (!hasText || !button.hidden) {
      continue;
    }
    button.hidden = false;
    button.addEventListener("click", async () => {
      field.select();
      await navigator.clipboard.writeText(field.value);
      button.textContent = phrase`Copied`;
      setTimeout(() => {
        button.textContent = phrase`Copy`;
      }, 2000);
    });
  }
}

/** Fill in the browser's time zone where none is chosen yet. */
function fillInTimeZone() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const field of document.querySelectorAll("[data-own-zone]")) {
    const holdsValue = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
    if (holdsValue && !field.value) {
      field.value = timeZone;
    }
  }
}

/** Add the extras to the fields of the page. Safe to call again when the page changes. */
export function enhanceFields() {
  enableCopyButtons();
  fillInTimeZone();
}
