// Before something is sealed it is read back, line by line; it goes in only when that is confirmed. Fetched with the first press.

import { phrase } from "./phrase.js";

/** Ask before a form is sealed by its button. `lines`: what is to be sealed, in words. */
export function readBack(form, button, title, lines) {
  const box = document.createElement("dialog");
  box.className = "read-back";
  box.setAttribute("aria-labelledby", "read-back-title");
  const head = Object.assign(document.createElement("h2"), { id: "read-back-title", textContent: title });
  const list = document.createElement("ul"), acts = document.createElement("div");
  const press = (words, cls, act) => { const one = Object.assign(document.createElement("button"), { type: "button", textContent: words, className: cls }); one.addEventListener("click", act); acts.append(one); return one; };
  acts.className = "actions";
  press(phrase`Go back`, "secondary", () => box.close());
  const yes = press(phrase`Seal it`, "", () => { box.close(); form.requestSubmit(button); });
  yes.dataset.confirm = "";
  list.tabIndex = 0;
  list.setAttribute("aria-label", title);
  list.append(...lines.map((words) => Object.assign(document.createElement("li"), { textContent: words })));
  box.append(head, list, acts);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  yes.focus();
}
