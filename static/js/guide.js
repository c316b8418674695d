// The steps of a guided war: removes a finished step, shows the page's next one at once, and stores
// that on the account. Buttons that lead to another page are submitted by the browser as usual.

import { closest, find, findAll, need } from "./dom.js";

/** Return the page's form; a battle replaces it with each phase. */
const form = () => need(document, "#guide", HTMLFormElement);

/** Return the page's steps by number, which may differ from their order on the page. */
const stepsInOrder = () =>
  findAll(document, "[data-guide]", HTMLElement).sort(
    (a, b) => Number(a.dataset.number) - Number(b.dataset.number),
  );

/**
 * Remove a step and show the next one.
 * @param {HTMLElement} step
 * @param {boolean} movesFocus whether the next step is focused and scrolled into view
 */
function finish(step, movesFocus) {
  const next = stepsInOrder().find((other) => other !== step && other.hidden);
  step.remove();
  if (!next) {
    return;
  }
  next.hidden = false;
  if (movesFocus) {
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }
}

/**
 * Store a finished step on the account.
 * @param {string} value the value of the step's button; "all" ends the guide
 * @returns {Promise<boolean>} whether the site has stored it
 */
async function storeStep(value) {
  const body = new FormData(form());
  body.set("step", value);
  try {
    const answer = await fetch(form().action, { method: "POST", body, redirect: "manual" });
    return answer.ok || answer.type === "opaqueredirect";
  } catch {
    return false;
  }
}

/**
 * Finish a step, if it is shown, because the player has done what it asks.
 * @param {string} name
 */
async function finishByAction(name) {
  const step = find(document, `[data-guide=${name}]:not([hidden])`, HTMLElement);
  if (step && (await storeStep(need(step, "button.secondary", HTMLButtonElement).value))) {
    finish(step, false);
  }
}

// The orders page dispatches this event when the site has saved the orders; a battle, when the
// player has changed them.
document.addEventListener("ordered", () => {
  if (!document.querySelector("[data-list] .todo")) {
    finishByAction("list");
  }
});
// The play button of a battle replay.
document.getElementById("go")?.addEventListener("click", () => finishByAction("player"));

document.addEventListener("submit", async (event) => {
  const button = event.submitter;
  if (event.target !== document.getElementById("guide")) {
    return;
  }
  if (!(button instanceof HTMLButtonElement) || button.hasAttribute("formaction")) {
    return; // The button leads to another page.
  }
  event.preventDefault();
  const step = closest(button, "[data-guide]", HTMLElement);
  button.disabled = true;
  if (!(await storeStep(button.value))) {
    button.disabled = false;
    return;
  }
  if (button.value === "all") {
    stepsInOrder().forEach((other) => other.remove());
  } else if (step) {
    finish(step, true);
  }
});
