// The scenario editor: links to other sections save the form first, leaving with unsaved changes
// asks for confirmation, a click on a ship class adds a ship to the fleet that was last focused,
// and a row shows only the fields that its kind has.

import { find, findAll, need } from "./dom.js";
import { phrase } from "./phrase.js";

const SHIPS = "[data-ships]"; // a field of ships

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
 * Add ships of a class to a fleet: to the number of that class, or as a new line.
 * @param {HTMLElement} field a field of ships
 * @param {string} className
 * @param {number} count
 */
function addShips(field, className, count) {
  const name = `${field.dataset.ships}-class`;
  const list = need(field, "ul", HTMLUListElement);
  const item = findAll(list, "li", HTMLLIElement).find(
    (line) => need(line, `[name="${name}"]`, HTMLInputElement).value === className,
  );
  const input = item
    ? need(item, "label input", HTMLInputElement)
    : addShipLine(field, list, className);
  input.value = String((Number(input.value) || 0) + count);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Add a line for a class to a fleet, and return the field of its number.
 * @param {HTMLElement} field
 * @param {HTMLUListElement} list
 * @param {string} className
 */
function addShipLine(field, list, className) {
  const count = document.createElement("input");
  count.name = `${field.dataset.ships}-count`;
  count.inputMode = "numeric";
  const label = document.createElement("label");
  const title = document.createElement("span");
  title.textContent = className;
  label.append(count, title);
  const hidden = document.createElement("input");
  hidden.type = "hidden";
  hidden.name = `${field.dataset.ships}-class`;
  hidden.value = className;
  const item = document.createElement("li");
  item.append(label, hidden);
  list.append(item);
  return count;
}

/**
 * Let the menu of a field of ships add what is chosen at once.
 * @param {HTMLElement} field
 */
function enableShips(field) {
  const menu = need(field, ".adds select", HTMLSelectElement);
  const count = need(field, ".adds input", HTMLInputElement);
  menu.addEventListener("change", () => {
    if (menu.value) {
      addShips(field, menu.value, Number(count.value) || 1);
      menu.value = "";
      count.value = "1";
    }
  });
}

/** Show the fields that each row has by the values of the fields on which they depend. */
function showFields() {
  for (const field of findAll(form, "[data-by]", HTMLElement)) {
    const deciding = form.elements.namedItem(field.dataset.by ?? "");
    const value = deciding instanceof HTMLSelectElement ? deciding.value : "";
    const isDecidingHidden =
      deciding instanceof HTMLElement && deciding.closest("[data-by][hidden]") !== null;
    const values = (field.dataset.only ?? "").split(" ");
    field.hidden = isDecidingHidden || !values.includes(value);
  }
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
  /** @type {HTMLElement | null} */
  let field = null;

  /** Say which fleet clicks add to, or how to choose one. */
  function updateHint() {
    const summary = field?.closest("details.piece")?.querySelector("summary");
    const title = summary?.firstChild?.textContent?.trim() ?? "";
    hint.textContent = field
      ? phrase`Each click adds one to: ${title}.`
      : phrase`Select a field of a fleet, then click what to add.`;
  }

  hint.setAttribute("role", "status");
  updateHint();
  form.addEventListener("focusin", ({ target }) => {
    const focused = target instanceof Element ? target.closest("details.piece") : null;
    const ships = focused && find(focused, SHIPS, HTMLElement);
    if (ships) {
      field = ships;
      updateHint();
    }
  });
  for (const item of findAll(list, "[data-class]", HTMLElement)) {
    makeButton(item).addEventListener("click", () => {
      if (field) {
        addShips(field, item.dataset.class ?? "", 1);
      } else {
        updateHint();
      }
    });
  }
}

findAll(form, SHIPS, HTMLElement).forEach(enableShips);
form.addEventListener("change", showFields);
if (classes && form.querySelector(SHIPS)) {
  enableClassList(classes);
}
