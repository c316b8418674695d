// Shows orders line by line before they are sealed, and seals them once the player confirms. Loaded
// when the player first presses the button.

import { html } from "./dom.js";
import { phrase } from "./phrase.js";

/**
 * Return a button.
 * @param {string} words the label
 * @param {string} className
 * @param {() => void} onClick
 */
function button(words, className, onClick) {
  const element = html("button", { type: "button", className }, words);
  element.addEventListener("click", onClick);
  return element;
}

/**
 * Return a line as an item of the list.
 * @param {ReadBackLine} line
 */
const item = ({ words, problem }) =>
  html("li", { className: problem ? "problem" : "" }, problem ? `▲ ${words}` : words);

/**
 * Ask the player to confirm before a form is sealed.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} seal the button that seals; null if problems prevent that
 * @param {string} title
 * @param {ReadBackLine[]} lines the orders, or the problems
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
  let focused = /** @type {HTMLElement} */ (list);
  if (seal) {
    const confirm = button(phrase`Seal it`, "", () => {
      dialog.close();
      form.requestSubmit(seal);
    });
    confirm.dataset.confirm = "";
    actions.append(confirm);
    focused = confirm;
  }
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  focused.focus();
}
