// If a player has many fleets, the page has only the form of the chosen fleet and of new fleets in
// its hex. A form is loaded when its fleet is first chosen. It leaves the page when another fleet
// is chosen, and the sheet stores its values.

import { find, findAll, need } from "./dom.js";
import { writeInto } from "./orders_changes.js";
import { keyOf, valueOf } from "./orders_sheet.js";

/** @import { OrdersPage } from "./orders.js" */
/** @import { FleetList } from "./orders_list.js" */
/** @import { OrderSheet } from "./orders_sheet.js" */

/**
 * The loaded forms of fleets, by section.
 * @type {WeakMap<HTMLElement, HTMLElement>}
 */
const forms = new WeakMap();

/**
 * Return whether the form of a section is not on the page.
 * @param {HTMLElement} section
 */
const isFolded = (section) => "folded" in section.dataset;

/**
 * Put the form of a fleet on the page, and remove others.
 * @param {OrdersPage} page
 * @param {OrderSheet} sheet
 * @param {FleetList} list
 * @param {string} key
 */
export async function unfold(page, sheet, list, key) {
  foldOthers(sheet, key);
  const section = sheet.byKey.get(key);
  if (!section || !isFolded(section)) {
    return;
  }
  const form = forms.get(section) ?? (await loadForms(sheet, list, key, section));
  if (form && page.chosenKey === key && isFolded(section)) {
    attach(sheet, section, form);
  }
}

/**
 * Load the form of a fleet, with the forms of new fleets in its hex.
 * @param {OrderSheet} sheet
 * @param {FleetList} list
 * @param {string} key
 * @param {HTMLElement} section
 * @returns {Promise<HTMLElement | null>} null if another request has put the form on the page
 */
async function loadForms(sheet, list, key, section) {
  const { rest } = sheet.form.dataset;
  const answer = await fetch(`${rest}?${new URLSearchParams({ fleet: key })}`);
  if (!answer.ok || answer.redirected) {
    throw new Error(String(answer.status));
  }
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!isFolded(section)) {
    return null;
  }
  /** @param {HTMLElement} fleet */
  const formOf = (fleet) => {
    const form = document.adoptNode(need(fleet, "[data-more]", HTMLElement));
    return list.prepareForm(form, fleet.id);
  };
  for (const slot of findAll(parsed, ".fleet.new", HTMLElement)) {
    const existing = sheet.byKey.get(keyOf(slot));
    if (!existing) {
      addSlot(sheet, list, slot, formOf(slot));
    } else if (!forms.has(existing)) {
      forms.set(existing, formOf(slot));
    }
  }
  if (!forms.has(section)) {
    forms.set(section, formOf(need(parsed, `#${CSS.escape(section.id)}`, HTMLElement)));
  }
  return forms.get(section) ?? null;
}

/**
 * Add a section for a new fleet to the sheet. It is shown once ships are sent to it.
 * @param {OrderSheet} sheet
 * @param {FleetList} list
 * @param {HTMLElement} parsed the section in the loaded page
 * @param {HTMLElement} form
 */
function addSlot(sheet, list, parsed, form) {
  const slot = document.adoptNode(parsed);
  slot.dataset.folded = "";
  forms.set(slot, form);
  list.addHead(slot);
  list.hiddenSections.append(slot);
  sheet.sections.push(slot);
  sheet.byKey.set(keyOf(slot), slot);
  const names = [];
  for (const field of form.querySelectorAll("[name]:not([type=checkbox])")) {
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      sheet.offPage.set(field.name, field.value);
      names.push(field.name);
    }
  }
  addToHistory(sheet, names);
}

/**
 * Put a form into its row, with the values that the sheet stores.
 * @param {OrderSheet} sheet
 * @param {HTMLElement} section
 * @param {HTMLElement} form
 */
function attach(sheet, section, form) {
  const placeholder = find(section, "[data-more]", HTMLElement);
  const destination = placeholder && find(placeholder, "[data-goes]", HTMLElement);
  if (destination?.children.length) {
    form.querySelector("[data-goes]")?.replaceWith(destination);
  }
  placeholder?.remove();
  form.hidden = false;
  section.append(form);
  delete section.dataset.folded;
  const stored = new Map(sheet.offPage);
  sheet.findFields();
  const newIds = [];
  for (const [id, field] of sheet.onPage) {
    if (!section.contains(field)) {
      continue;
    }
    const value = stored.get(id);
    if (value === undefined) {
      newIds.push(id);
    } else {
      writeInto(field, value);
    }
    sheet.offPage.delete(id);
  }
  addToHistory(sheet, newIds);
  sheet.invalidate();
}

/**
 * Remove the forms of other fleets from the page.
 * @param {OrderSheet} sheet
 * @param {string} key
 */
function foldOthers(sheet, key) {
  /** @param {HTMLElement} section */
  const isOpen = (section) => sheet.onPage.has(sheet.id("standing", keyOf(section)));
  for (const section of sheet.sections) {
    if (keyOf(section) !== key && isOpen(section)) {
      detach(sheet, section);
    }
  }
}

/**
 * Remove a form from the page, and store its values in the sheet.
 * @param {OrderSheet} sheet
 * @param {HTMLElement} section
 */
function detach(sheet, section) {
  const form = need(section, "[data-more]", HTMLElement);
  for (const [id, field] of sheet.onPage) {
    if (section.contains(field)) {
      sheet.offPage.set(id, valueOf(field));
    }
  }
  forms.set(section, form);
  section.dataset.folded = "";
  form.remove();
  sheet.findFields();
}

/**
 * Add new fields to all steps of the undo history, so that undo leaves them unchanged.
 * @param {OrderSheet} sheet
 * @param {string[]} ids
 */
function addToHistory(sheet, ids) {
  const steps = [...sheet.undoSteps, ...sheet.redoSteps];
  const states = [sheet.lastState, ...steps.map((step) => step.state)];
  for (const id of ids) {
    const value = sheet.read(id);
    for (const state of states) {
      if (!state.has(id)) {
        state.set(id, value);
      }
    }
  }
}
