// Looking something up in a list: what does not have all the words is hidden as one types. Without this the form asks the server.

import { phrase } from "./phrase.js";

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

for (const form of document.querySelectorAll("[data-find-in]")) {
  const list = document.getElementById(form.dataset.findIn);
  const field = form.querySelector("[type=search]");
  if (!list || field.value) {
    continue;
  } // the server has left things out: it is asked again
  const rows = [...list.querySelectorAll("[data-find]")].map((row) => [
    row,
    plain(row.dataset.find),
  ]);
  const show = () => {
    const words = plain(field.value).split(/\s+/).filter(Boolean);
    let many = 0;
    for (const [row, text] of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) {
        many += 1;
      }
    }
    for (const part of list.querySelectorAll("[data-find-part]")) {
      part.hidden = !part.querySelector("[data-find]:not([hidden])");
    }
    form.querySelector("[data-found]").textContent = words.length
      ? phrase`${many} of ${rows.length} shown`
      : "";
  };
  field.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show();
  });
}
