// The buttons that undo and redo steps.

import { need } from "./dom.js";
import { phrase } from "./phrase.js";

/**
 * Describe what a button would undo or redo.
 * @param {string} selector
 * @param {string} verb
 * @param {{words: string}[]} steps
 */
export function describeStep(selector, verb, steps) {
  const button = need(document, selector, HTMLButtonElement);
  const words = steps.length ? phrase`${verb}: ${steps[steps.length - 1].words}` : "";
  button.disabled = !steps.length;
  button.setAttribute("aria-label", words || verb);
  button.title = words;
}
