// The scenario editor: links to other sections save the form first, leaving with unsaved changes
// asks for confirmation, a click on a ship class adds a ship to the fleet that was last focused,
// a row shows only the fields that its kind has, and budgets show what their fleets cost.

import { find, findAll, need } from "./dom.js";
import { phrase } from "./phrase.js";
import { enableRowFields } from "./row_fields.js";
import { SHIPS, addShips, enableShips } from "./ship_fields.js";

const form = need(document, "form.scenario", HTMLFormElement);
const classes = find(document, ".ship-classes", HTMLElement);
const NOTE = "summary [data-note]"; // what a row costs, beside its title
const NOTE_DELAY = 600; // ms after the last key
let noteTimer = 0;
let noteRequest = 0;
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
 * Keep the title of a row up to date: it names the system or faction that its menus choose.
 * @param {HTMLSelectElement} menu
 */
function updateTitle(menu) {
  const title = menu.closest("details.piece")?.querySelector("summary")?.firstChild;
  const before = shownChoices.get(menu) ?? "";
  const now = menu.selectedOptions[0]?.text ?? "";
  shownChoices.set(menu, now);
  if (title && before && title.textContent?.includes(`, ${before}`)) {
    title.textContent = title.textContent.replace(`, ${before}`, `, ${now}`);
  }
}

/** @type {WeakMap<HTMLSelectElement, string>} the choices that titles of rows show */
const shownChoices = new WeakMap();
for (const menu of findAll(form, "details.piece select", HTMLSelectElement)) {
  shownChoices.set(menu, menu.selectedOptions[0]?.text ?? "");
  menu.addEventListener("change", () => updateTitle(menu));
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

/** Show what rows cost as the form is, unless it changed again meanwhile. */
async function refreshNotes() {
  noteRequest += 1;
  const number = noteRequest;
  const body = new FormData(form);
  body.set("act", "check");
  const response = await fetch(location.href, { method: "POST", body });
  if (!response.ok) {
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (number !== noteRequest) {
    return;
  }
  for (const note of findAll(document, NOTE, HTMLElement)) {
    const row = note.closest("details.piece")?.id ?? "";
    note.textContent = page.getElementById(row)?.querySelector(NOTE)?.textContent ?? "";
  }
}

/** Open the row that was just added, whose anchor is in the address. */
function openAddedRow() {
  const row = document.getElementById(location.hash.slice(1));
  if (row instanceof HTMLDetailsElement) {
    row.open = true;
  }
}

/**
 * Keep an empty box at the end of a list of numbers.
 * @param {HTMLElement} list
 */
function enableBoxes(list) {
  const row = need(list, ".boxes", HTMLElement);
  list.addEventListener("input", () => {
    const last = findAll(row, "input", HTMLInputElement).at(-1);
    if (last?.value) {
      const box = /** @type {HTMLInputElement} */ (last.cloneNode());
      box.value = "";
      row.append(box);
    }
  });
}

findAll(form, SHIPS, HTMLElement).forEach(enableShips);
findAll(form, "[data-boxes]", HTMLElement).forEach(enableBoxes);
enableRowFields(form);
openAddedRow();
if (find(document, NOTE, HTMLElement)) {
  form.addEventListener("input", () => {
    window.clearTimeout(noteTimer);
    noteTimer = window.setTimeout(refreshNotes, NOTE_DELAY);
  });
}
if (classes && form.querySelector(SHIPS)) {
  enableClassList(classes);
}
