// Before something is sealed it is read back, line by line; it goes in only when that is confirmed. Fetched with the first press.

import { phrase } from "./phrase.js";

/** Ask before a form is sealed by its button; without one nothing can be sealed yet, and the lines say why.
 *  `lines`: what is to be sealed: its words, and whether it is a problem. */
export function readBack(form, button, title, lines) {
  const box = document.createElement("dialog");
  box.className = "read-back";
  box.setAttribute("aria-labelledby", "read-back-title");
  const head = Object.assign(document.createElement("h2"), {
    id: "read-back-title",
    textContent: title,
  });
  const list = document.createElement("ul");
  const acts = document.createElement("div");
  const press = (words, cls, act) => {
    const one = Object.assign(document.createElement("button"), {
      type: "button",
      textContent: words,
      className: cls,
    });
    one.addEventListener("click", act);
    acts.append(one);
    return one;
  };
  acts.className = "actions";
  press(phrase`Go back`, "secondary", () => box.close());
  const yes =
    button &&
    press(phrase`Seal it`, "", () => {
      box.close();
      form.requestSubmit(button);
    });
  if (yes) {
    yes.dataset.confirm = "";
  }
  list.tabIndex = 0;
  list.setAttribute("aria-label", title);
  for (const { words, problem } of lines) {
    const item = document.createElement("li");
    item.textContent = problem ? `▲ ${words}` : words;
    item.classList.toggle("problem", Boolean(problem));
    list.append(item);
  }
  box.append(head, list, acts);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  (yes ?? list).focus();
}
