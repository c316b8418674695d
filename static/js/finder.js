// Filters a list while the reader types: rows that lack one of the words are hidden. Without this
// script the form searches on the server.

import { find, findAll, need } from "./dom.js";
import { phrase } from "./phrase.js";

/** @param {string} text */
const withoutAccents = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * Filter the list of a search form at every input.
 * @param {HTMLFormElement} form
 */
function filterWhileTyping(form) {
  const list = document.getElementById(form.dataset.findIn ?? "");
  const field = find(form, "[type=search]", HTMLInputElement);
  if (!list || !field || field.value) {
    return; // The server has already left out rows, so a new search must ask it again.
  }
  const rows = findAll(list, "[data-find]", HTMLElement).map((row) => ({
    row,
    text: withoutAccents(row.dataset.find ?? ""),
  }));

  const filter = () => {
    const words = withoutAccents(field.value).split(/\s+/).filter(Boolean);
    for (const { row, text } of rows) {
      row.hidden = !words.every((word) => text.includes(word));
    }
    for (const section of findAll(list, "[data-find-part]", HTMLElement)) {
      section.hidden = !section.querySelector("[data-find]:not([hidden])");
    }
    const shown = rows.filter(({ row }) => !row.hidden).length;
    const status = need(form, "[data-found]", HTMLElement);
    status.textContent = words.length ? phrase`${shown} of ${rows.length} shown` : "";
  };

  field.addEventListener("input", filter);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    filter();
  });
}

for (const form of findAll(document, "[data-find-in]", HTMLFormElement)) {
  filterWhileTyping(form);
}
