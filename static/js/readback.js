// Before something is sealed it is read back, line by line; it goes in only when that is confirmed.

/** Ask before a form is sealed. `lines`: what is to be sealed, in words, asked when the button is pressed. */
export function readBack(form, { title, lines }) {
  const button = form.querySelector("button[value=seal]");
  if (!button || typeof HTMLDialogElement === "undefined") return;
  const box = document.createElement("dialog");
  box.className = "read-back";
  box.setAttribute("aria-labelledby", "read-back-title");
  const head = Object.assign(document.createElement("h2"), { id: "read-back-title", textContent: title });
  const list = document.createElement("ul"), acts = document.createElement("div");
  const press = (words, cls, act) => { const one = Object.assign(document.createElement("button"), { type: "button", textContent: words, className: cls }); one.addEventListener("click", act); acts.append(one); return one; };
  acts.className = "actions";
  press("Go back", "secondary", () => box.close());
  const yes = press("Seal it", "", () => { sure = true; box.close(); form.requestSubmit(button); });
  yes.dataset.confirm = "";
  list.tabIndex = 0;
  list.setAttribute("aria-label", title);
  box.append(head, list, acts);
  document.body.append(box);
  let sure = false;
  button.addEventListener("click", (event) => {
    if (sure) return;
    event.preventDefault();
    list.replaceChildren(...lines().map((words) => Object.assign(document.createElement("li"), { textContent: words })));
    box.showModal();
    yes.focus();
  });
}
