// Fields with a comfort of their own: texts to copy, and the time zone of the browser.

import { phrase } from "./phrase.js";

/** Buttons that copy the text of a field; shown only where copying works. */
function copying() {
  if (!navigator.clipboard) {
    return;
  }
  for (const button of document.querySelectorAll("button[data-copy]")) {
    const field = document.getElementById(button.dataset.copy);
    if (!field || !button.hidden) {
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

/** A field that offers the browser's own zone where nothing is chosen; a new account takes it. */
function zones() {
  for (const field of document.querySelectorAll("[data-own-zone]")) {
    if (!field.value) {
      field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
    }
  }
}

export function fields() {
  copying();
  zones();
}
