// The undo and redo buttons of the orders page and the deployment page.

import { need } from "./dom.js";
import { phrase } from "./phrase.js";

/**
 * Enable an undo or redo button, and name the step it would undo or redo in its label.
 * @param {string} selector
 * @param {string} verb the button's translated label without a step: "Undo" or "Redo"
 * @param {{words: string}[]} steps the last one is next
 */
export function describeStep(selector, verb, steps) {
  const button = need(document, selector, HTMLButtonElement);
  const words = steps.length ? phrase`${verb}: ${steps[steps.length - 1].words}` : "";
  button.disabled = !steps.length;
  button.setAttribute("aria-label", words || verb);
  button.title = words;
}
