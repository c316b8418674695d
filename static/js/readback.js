// Before something is sealed it is read back, line by line; it goes in only when that is confirmed.
// Fetched when the button is first pressed.

import { html } from "./dom.js";
import { phrase } from "./phrase.js";

/**
 * @param {string} words
 * @param {string} className
 * @param {() => void} press
 */
function button(words, className, press) {
  const made = html("button", { type: "button", className }, words);
  made.addEventListener("click", press);
  return made;
}

/** @param {ReadBackLine} line */
const item = ({ words, problem }) =>
  html("li", { className: problem ? "problem" : "" }, problem ? `▲ ${words}` : words);

/**
 * Ask before a form is sealed by its button.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} seal null: nothing can be sealed yet, and the lines say why
 * @param {string} title
 * @param {ReadBackLine[]} lines what is to be sealed
 */
export function readBack(form, seal, title, lines) {
  const dialog = html("dialog", { className: "read-back" });
  dialog.setAttribute("aria-labelledby", "read-back-title");
  const list = html("ul", { tabIndex: 0, ariaLabel: title }, ...lines.map(item));
  const actions = html(
    "div",
    { className: "actions" },
    button(phrase`Go back`, "secondary", () => dialog.close()),
  );
  dialog.append(html("h2", { id: "read-back-title" }, title), list, actions);
  let first = /** @type {HTMLElement} */ (list);
  if (seal) {
    const confirm = button(phrase`Seal it`, "", () => {
      dialog.close();
      form.requestSubmit(seal);
    });
    confirm.dataset.confirm = "";
    actions.append(confirm);
    first = confirm;
  }
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  first.focus();
}
