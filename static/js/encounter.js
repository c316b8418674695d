// Encounters: the seal button says what it seals, and the tab of the shown meeting is marked.

import { findAll, need } from "./dom.js";

const meetings = findAll(document, ".encounter", HTMLElement);
const tabs = findAll(document, ".meetings a", HTMLAnchorElement);
const seal = need(document, "button[value='seal']", HTMLButtonElement);

/** Name the chosen card on the seal button, if there is one meeting alone. */
function nameChoice() {
  const chosen = document.querySelector(".choice-card :checked");
  if (meetings.length === 1 && chosen instanceof HTMLInputElement) {
    seal.textContent = chosen.dataset.seal ?? "";
  }
}

/** Mark the tab of the meeting in the address, or the first one. */
function markTab() {
  const shown = tabs.find((tab) => tab.hash === location.hash) ?? tabs[0];
  for (const tab of tabs) {
    tab.toggleAttribute("aria-current", false);
  }
  shown?.setAttribute("aria-current", "true");
}

document.addEventListener("change", nameChoice);
window.addEventListener("hashchange", markTab);
nameChoice();
markTab();
