// The scenario editor: links to other sections save the form first, leaving with unsaved changes
// asks for confirmation, and a click on a ship class adds a ship to the text box that was last
// focused.

import { find, findAll, need } from "./dom.js";
import { phrase } from "./phrase.js";

const SHIP_BOXES = 'textarea[name$="-ships"]'; // lines of "class: count"

const form = need(document, "form.scenario", HTMLFormElement);
const classes = find(document, ".ship-classes", HTMLElement);
let isUnsaved = form.hasAttribute("data-unsaved");
let isSubmitted = false;

form.addEventListener("input", () => {
  isUnsaved = true;
});
form.addEventListener("submit", () => {
  isSubmitted = true;
});
addEventListener("pageshow", () => {
  isSubmitted = false;
});
addEventListener("beforeunload", (event) => {
  if (isUnsaved && !isSubmitted) {
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
 * Add one ship of a class to a text box, on the line of that class.
 * @param {HTMLTextAreaElement} box
 * @param {string} className
 */
function addShip(box, className) {
  const lines = box.value.split("\n").filter((line) => line.trim());
  const index = lines.findIndex((line) => line.replace(/:\s*\d*\s*$/, "").trim() === className);
  if (index < 0) {
    lines.push(shipLine(className, 1));
  } else {
    const count = Number(/\d*(?=\s*$)/.exec(lines[index])?.[0] || 0);
    lines[index] = shipLine(className, count + 1);
  }
  box.value = lines.join("\n");
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Write a line of the box as the server reads it: a colon as in English in every language.
 * @param {string} className
 * @param {number} count
 */
function shipLine(className, count) {
  return [className, count].join(": ");
}

/**
 * Turn the content of a list item into a button, and return it.
 * @param {HTMLElement} item
 */
function makeButton(item) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "outline small";
  button.append(...item.childNodes);
  item.append(button);
  return button;
}

/**
 * Let clicks on ship classes add a ship to the box that was last focused.
 * @param {HTMLElement} list the list of ship classes
 */
function enableClassList(list) {
  const hint = need(list, "[data-classes-hint]", HTMLElement);
  /** @type {HTMLTextAreaElement | null} */
  let box = null;

  /** Say which box clicks add to, or how to choose one. */
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
    if (target instanceof HTMLTextAreaElement && target.matches(SHIP_BOXES)) {
      box = target;
      updateHint();
    }
  });
  for (const item of findAll(list, "[data-class]", HTMLElement)) {
    makeButton(item).addEventListener("click", () => {
      if (box) {
        addShip(box, item.dataset.class ?? "");
      } else {
        updateHint();
      }
    });
  }
}

if (classes && form.querySelector(SHIP_BOXES)) {
  enableClassList(classes);
}
