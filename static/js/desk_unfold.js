// Where fleets are many, the page has the form of one: of the fleet that is chosen, and of the fleets
// that may be formed beside it. The form is fetched when its fleet is first chosen. It leaves the page
// when another is chosen, and the sheet keeps what stands in it.

import { fill } from "./desk_changes.js";

/** Bring the form of a fleet onto the page, and take others away. */
export async function unfold(desk, key) {
  const { sheet } = desk;
  const section = sheet.byKey.get(key);
  foldOthers(desk.sheet, key);
  if (!("folded" in section.dataset)) {
    return;
  }
  if (section.whole) {
    attach(desk, section, section.whole);
  } else {
    await load(desk, key);
  }
}

async function load(desk, key) {
  const { form, rows, sheet } = desk;
  const answer = await fetch(`${form.dataset.rest}?${new URLSearchParams({ fleet: key })}`);
  if (!answer.ok || answer.redirected) {
    throw new Error(String(answer.status));
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const section = sheet.byKey.get(key);
  if (!("folded" in section.dataset)) {
    return;
  } // asked for twice
  const whole = (one) => rows.dress(document.adoptNode(one.querySelector("[data-more]")), one.id);
  for (const one of page.querySelectorAll(".fleet.new")) {
    const here = sheet.byKey.get(one.dataset.fleet);
    if (here) {
      here.whole ??= whole(one);
      continue;
    }
    addSlot(desk, one, whole(one));
  }
  section.whole ??= whole(page.getElementById(section.id));
  if (desk.chosen === key) {
    attach(desk, section, section.whole);
  }
}

/** A fleet that may be formed joins the sheet, and comes into sight once ships are sent to it. */
function addSlot({ rows, sheet }, parsed, whole) {
  const slot = document.adoptNode(parsed);
  slot.dataset.folded = "";
  slot.whole = whole;
  rows.head(slot);
  rows.spare.append(slot);
  sheet.sections.push(slot);
  sheet.byKey.set(slot.dataset.fleet, slot);
  const texts = [...whole.querySelectorAll("[name]:not([type=checkbox])")];
  for (const { name, value } of texts) {
    sheet.away.set(name, value);
  }
  joinHistory(
    sheet,
    texts.map((field) => field.name),
  );
}

/** Put a form into its row, with what the sheet says stands in it. */
function attach({ sheet }, section, whole) {
  const before = section.querySelector("[data-more]");
  const goes = before?.querySelector("[data-goes]");
  if (goes?.children.length) {
    whole.querySelector("[data-goes]")?.replaceWith(goes);
  }
  before?.remove();
  whole.hidden = false; // it is brought for the one that is chosen
  section.append(whole);
  delete section.dataset.folded;
  const unknown = new Map(sheet.away);
  sheet.look();
  const came = [];
  for (const [id, field] of sheet.live) {
    if (!section.contains(field)) {
      continue;
    }
    if (!unknown.has(id)) {
      came.push(id);
    } else if (typeof unknown.get(id) === "boolean") {
      field.checked = unknown.get(id);
    } else {
      fill(field, unknown.get(id));
    }
    sheet.away.delete(id);
  }
  joinHistory(sheet, came);
  sheet.stale();
}

/** Take the forms of other fleets off the page. */
function foldOthers(sheet, key) {
  const { live } = sheet;
  const whole = ({ dataset }) =>
    dataset.fleet !== key && live.has(sheet.id("standing", dataset.fleet));
  for (const section of sheet.sections.filter(whole)) {
    detach(sheet, section);
  }
}

function detach(sheet, section) {
  const whole = section.querySelector("[data-more]");
  for (const [id, field] of sheet.live) {
    if (!section.contains(field)) {
      continue;
    }
    sheet.away.set(id, field.matches("[type=checkbox]") ? field.checked : field.value);
  }
  section.whole = whole;
  section.dataset.folded = "";
  whole.remove();
  sheet.look();
}

/** Fields that were not known before: steps that are taken back leave them as they came. */
function joinHistory(sheet, ids) {
  const states = [sheet.kept, ...[...sheet.past, ...sheet.future].map((step) => step.state)];
  for (const id of ids) {
    const value = sheet.read(id);
    for (const state of states) {
      if (!state.has(id)) {
        state.set(id, value);
      }
    }
  }
}
