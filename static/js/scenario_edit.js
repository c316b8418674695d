// The scenario editor: whoever goes from part to part takes along what he has typed, nothing is left unsaved unasked, and
// ships are put into the box that was last chosen by a press on their class.

import { phrase } from "./phrase.js";

const form = document.querySelector("form.scenario");
let unsaved = form.hasAttribute("data-unsaved");
let sent = false;

form.addEventListener("input", () => {
  unsaved = true;
});
form.addEventListener("submit", () => {
  sent = true;
});
addEventListener("pageshow", () => {
  sent = false;
});
addEventListener("beforeunload", (event) => {
  if (unsaved && !sent) {
    event.preventDefault();
  }
});
for (const link of document.querySelectorAll("nav.parts a")) {
  link.addEventListener("click", (event) => {
    if (!unsaved || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    form.elements.then.value = new URL(link.href).pathname;
    form.requestSubmit(form.querySelector("button[value=save]"));
  });
}

const classes = document.querySelector(".ship-classes");
const boxes = 'textarea[name$="-ships"]';
let box = null;

/** One more ship of a class, on its line of the box. */
function add(name) {
  const lines = box.value.split("\n").filter((line) => line.trim());
  const at = lines.findIndex((line) => line.replace(/:\s*\d*\s*$/, "").trim() === name);
  const many = at < 0 ? 0 : Number(/(\d*)\s*$/.exec(lines[at])[1] || 0);
  if (at < 0) {
    lines.push(`${name}: 1`);
  } else {
    lines[at] = `${name}: ${many + 1}`;
  }
  box.value = lines.join("\n");
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

if (classes && form.querySelector(boxes)) {
  const hint = classes.querySelector("[data-classes-hint]");
  hint.setAttribute("role", "status");
  const said = () => {
    hint.textContent = box
      ? phrase`A press puts one more into: ${box.closest("details.piece").querySelector("summary").firstChild.textContent.trim()}.`
      : phrase`Choose the Ships of a fleet, then press what belongs to it.`;
  };
  said();
  form.addEventListener("focusin", (event) => {
    if (event.target.matches(boxes)) {
      box = event.target;
      said();
    }
  });
  for (const item of classes.querySelectorAll("[data-class]")) {
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      className: "outline small",
    });
    button.append(...item.childNodes);
    item.append(button);
    button.addEventListener("click", () => {
      if (box) {
        add(item.dataset.class);
      } else {
        said();
      }
    });
  }
}
