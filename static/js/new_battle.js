// The battle builder: checks the battle while it is being written, and shows faults and fleets.

import "./builder_table.js";
import { findAll, need } from "./dom.js";
import { enableRowFields } from "./row_fields.js";
import { SHIPS, enableShips } from "./ship_fields.js";

const DELAY = 600; // ms after the last key

const form = need(document, "#battle", HTMLFormElement);
const check = need(form, "[data-check]", HTMLElement);
let timer = 0;
let request = 0;

findAll(form, SHIPS, HTMLElement).forEach(enableShips);
enableRowFields(form);

form.addEventListener("input", () => {
  window.clearTimeout(timer);
  timer = window.setTimeout(showCheck, DELAY);
});

/** Ask the server about the form as it is, and show its answer unless a later one was asked for. */
async function showCheck() {
  request += 1;
  const number = request;
  const body = new FormData(form);
  body.set("act", "check");
  const response = await fetch(form.action || location.href, { method: "POST", body });
  if (!response.ok) {
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const answer = page.querySelector("[data-check]");
  if (answer && number === request) {
    check.replaceChildren(...answer.childNodes);
  }
}
