// The scenario editor: going from part to part takes along what was typed, nothing is left unsaved
// without a question, and a press on a ship class adds a ship to the box that was last chosen.

import { find, findAll, need } from "./dom.js";
import { phrase } from "./phrase.js";

const BOXES = 'textarea[name$="-ships"]';

const form = need(document, "form.scenario", HTMLFormElement);
const classes = find(document, ".ship-classes", HTMLElement);
let isUnsaved = form.hasAttribute("data-unsaved");
let isSent = false;

form.addEventListener("input", () => {
  isUnsaved = true;
});
form.addEventListener("submit", () => {
  isSent = true;
});
addEventListener("pageshow", () => {
  isSent = false;
});
addEventListener("beforeunload", (event) => {
  if (isUnsaved && !isSent) {
    event.preventDefault();
  }
});
for (const link of findAll(document, "nav.parts a", HTMLAnchorElement)) {
  link.addEventListener("click", (event) => {
    if (!isUnsaved || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    need(form, "[name=then]", HTMLInputElement).value = new URL(link.href).pathname;
    form.requestSubmit(need(form, "button[value=save]", HTMLButtonElement));
  });
}

/**
 * Add one more ship of a class, on its line of a box.
 * @param {HTMLTextAreaElement} box
 * @param {string} name of the class
 */
function addShip(box, name) {
  const lines = box.value.split("\n").filter((line) => line.trim());
  const index = lines.findIndex((line) => line.replace(/:\s*\d*\s*$/, "").trim() === name);
  if (index < 0) {
    lines.push([name, 1].join(": "));
  } else {
    const count = Number(/\d*(?=\s*$)/.exec(lines[index])?.[0] || 0);
    lines[index] = [name, count + 1].join(": ");
  }
  box.value = lines.join("\n");
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Make a button of a ship class in the list.
 * @param {HTMLElement} item
 */
function buttonIn(item) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "outline small";
  button.append(...item.childNodes);
  item.append(button);
  return button;
}

/** @param {HTMLElement} list of ship classes */
function offerClasses(list) {
  const hint = need(list, "[data-classes-hint]", HTMLElement);
  /** @type {HTMLTextAreaElement | null} */
  let box = null;

  function updateHint() {
    const summary = box?.closest("details.piece")?.querySelector("summary");
    const title = summary?.firstChild?.textContent?.trim() ?? "";
    hint.textContent = box
      ? phrase`Each click adds one to: ${title}.`
      : phrase`Select the Ships field of a fleet, then click what to add.`;
  }

  hint.setAttribute("role", "status");
  updateHint();
  form.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLTextAreaElement && target.matches(BOXES)) {
      box = target;
      updateHint();
    }
  });
  for (const item of findAll(list, "[data-class]", HTMLElement)) {
    buttonIn(item).addEventListener("click", () => {
      if (box) {
        addShip(box, item.dataset.class ?? "");
      } else {
        updateHint();
      }
    });
  }
}

if (classes && form.querySelector(BOXES)) {
  offerClasses(classes);
}
