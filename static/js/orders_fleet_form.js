// Where fleets are many, the page has the form of one: of the fleet that is chosen, and of the
// fleets that may be formed beside it. The form is fetched when its fleet is first chosen. It
// leaves the page when another is chosen, and the sheet keeps what it holds.

import { find, findAll, need } from "./dom.js";
import { writeInto } from "./orders_changes.js";
import { keyOf, valueOf } from "./orders_sheet.js";

/** @import { OrdersPage } from "./orders.js" */
/** @import { FleetList } from "./orders_list.js" */
/** @import { OrderSheet } from "./orders_sheet.js" */

/**
 * The forms of fleets, by their sections, once they were fetched.
 * @type {WeakMap<HTMLElement, HTMLElement>}
 */
const forms = new WeakMap();

/** @param {HTMLElement} section */
const isFolded = (section) => "folded" in section.dataset;

/**
 * Bring the form of a fleet onto the page, and take others away.
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
  const form = forms.get(section) ?? (await load(sheet, list, key, section));
  if (form && page.chosen === key && isFolded(section)) {
    attach(sheet, section, form);
  }
}

/**
 * Fetch the form of a fleet, with those of fleets that may be formed beside it.
 * @param {OrderSheet} sheet
 * @param {FleetList} list
 * @param {string} key
 * @param {HTMLElement} section
 * @returns {Promise<HTMLElement | null>} null where it was asked for twice
 */
async function load(sheet, list, key, section) {
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
    return list.dressForm(form, fleet.id);
  };
  for (const slot of findAll(parsed, ".fleet.new", HTMLElement)) {
    const known = sheet.byKey.get(keyOf(slot));
    if (!known) {
      addSlot(sheet, list, slot, formOf(slot));
    } else if (!forms.has(known)) {
      forms.set(known, formOf(slot));
    }
  }
  if (!forms.has(section)) {
    forms.set(section, formOf(need(parsed, `#${CSS.escape(section.id)}`, HTMLElement)));
  }
  return forms.get(section) ?? null;
}

/**
 * Add a fleet that may be formed to the sheet. It comes into sight once ships are sent to it.
 * @param {OrderSheet} sheet
 * @param {FleetList} list
 * @param {HTMLElement} parsed
 * @param {HTMLElement} form
 */
function addSlot(sheet, list, parsed, form) {
  const slot = document.adoptNode(parsed);
  slot.dataset.folded = "";
  forms.set(slot, form);
  list.addHead(slot);
  list.spare.append(slot);
  sheet.sections.push(slot);
  sheet.byKey.set(keyOf(slot), slot);
  const names = [];
  for (const field of form.querySelectorAll("[name]:not([type=checkbox])")) {
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      sheet.offPage.set(field.name, field.value);
      names.push(field.name);
    }
  }
  joinHistory(sheet, names);
}

/**
 * Put a form into its row, with what the sheet says it holds.
 * @param {OrderSheet} sheet
 * @param {HTMLElement} section
 * @param {HTMLElement} form
 */
function attach(sheet, section, form) {
  const before = find(section, "[data-more]", HTMLElement);
  const goes = before && find(before, "[data-goes]", HTMLElement);
  if (goes?.children.length) {
    form.querySelector("[data-goes]")?.replaceWith(goes);
  }
  before?.remove();
  form.hidden = false; // It is brought for the fleet that is chosen.
  section.append(form);
  delete section.dataset.folded;
  const held = new Map(sheet.offPage);
  sheet.findFields();
  const fresh = [];
  for (const [id, field] of sheet.onPage) {
    if (!section.contains(field)) {
      continue;
    }
    const value = held.get(id);
    if (value === undefined) {
      fresh.push(id);
    } else {
      writeInto(field, value);
    }
    sheet.offPage.delete(id);
  }
  joinHistory(sheet, fresh);
  sheet.invalidate();
}

/**
 * Take the forms of other fleets off the page.
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
 * Let fields that were not known before be in all steps, so that undo leaves them as they came.
 * @param {OrderSheet} sheet
 * @param {string[]} ids
 */
function joinHistory(sheet, ids) {
  const steps = [...sheet.past, ...sheet.future];
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
