// A guided war: the step that was done goes, the next one of the page is shown at once, and the
// account keeps it. What the script does not send is sent by the browser, as without scripts.

import { closest, find, findAll, need } from "./dom.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("guide"));

/** Return the steps in their order, which need not be that of their places on the page. */
const steps = () =>
  findAll(document, "[data-guide]", HTMLElement).sort(
    (a, b) => Number(a.dataset.number) - Number(b.dataset.number),
  );

/**
 * Remove a step and show the next one.
 * @param {HTMLElement} step
 * @param {boolean} movesReader whether the reader is brought to it
 */
function finish(step, movesReader) {
  const next = steps().find((other) => other !== step && other.hidden);
  step.remove();
  if (!next) {
    return;
  }
  next.hidden = false;
  if (movesReader) {
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }
}

/**
 * @param {string} value
 * @returns {Promise<boolean>} whether the account keeps it
 */
async function send(value) {
  const body = new FormData(form);
  body.set("step", value);
  try {
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    return answer.ok || answer.type === "opaqueredirect";
  } catch {
    return false;
  }
}

/**
 * Finish a step as soon as the player has done what it says.
 * @param {string} name
 */
async function done(name) {
  const step = find(document, `[data-guide=${name}]:not([hidden])`, HTMLElement);
  if (step && (await send(need(step, "button.secondary", HTMLButtonElement).value))) {
    finish(step, false);
  }
}

document.addEventListener("ordered", () => {
  if (!document.querySelector("[data-list] .todo")) {
    done("list");
  }
});
document.getElementById("go")?.addEventListener("click", () => done("player"));

form.addEventListener("submit", async (event) => {
  const button = event.submitter;
  if (!(button instanceof HTMLButtonElement) || button.hasAttribute("formaction")) {
    return; // It leads on to another page.
  }
  event.preventDefault();
  const step = closest(button, "[data-guide]", HTMLElement);
  button.disabled = true;
  if (!(await send(button.value))) {
    button.disabled = false;
    return;
  }
  if (button.value === "all") {
    steps().forEach((other) => other.remove());
  } else if (step) {
    finish(step, true);
  }
});
