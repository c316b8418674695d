// What a page of very many fleets leaves out of its form: of a fleet that is opened, its ships, doctrine and conditions, and the
// fleets that may be formed beside it. Fetched once.

/** Bring the whole form of a fleet into the sheet. */
export async function unfold({ form, sheet, rows }, key) {
  const answer = await fetch(`${form.dataset.rest}?${new URLSearchParams({ fleet: key })}`);
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html"), section = sheet.byKey.get(key);
  if (!section.dataset.kinds) return; // asked for twice
  const found = (id) => page.getElementById(id);
  section.querySelector("[data-rest]").replaceWith(document.adoptNode(found(section.id).querySelector("[data-rest]")));
  delete section.dataset.kinds;
  const formed = [...page.querySelectorAll(".fleet.new")].filter((one) => !document.getElementById(one.id));
  for (const one of formed) {
    rows.spare.append(document.adoptNode(one));
    rows.fold(one);
    sheet.sections.push(one);
    sheet.byKey.set(one.dataset.fleet, one);
  }
  const now = new Map(sheet.fields.map((field, n) => [field, n])), more = sheet.written().filter((field) => !now.has(field));
  sheet.fields.push(...more);
  const values = sheet.state().slice(now.size);
  for (const state of [sheet.kept, ...[...sheet.past, ...sheet.future].map((step) => step.state)]) state.push(...values);
  sheet.crew = [...sheet.crew.filter((ship) => ship.home !== key), ...sheet.crewOf(section)];
}
