// Fields with a comfort of their own: texts to copy, and the time zone of the browser.

import { findAll } from "./dom.js";
import { phrase } from "./phrase.js";

/** Show the buttons that copy the text of a field, where copying works. */
function offerCopying() {
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

/** Offer the browser's own time zone where none is chosen; a new account takes it. */
function offerOwnZone() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const field of document.querySelectorAll("[data-own-zone]")) {
    const holdsValue = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
    if (holdsValue && !field.value) {
      field.value = timeZone;
    }
  }
}

export function fields() {
  offerCopying();
  offerOwnZone();
}
