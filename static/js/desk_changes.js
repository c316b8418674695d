// What is written into the sheet of a week's orders (desk_sheet.js), step by step, so that every step can be taken back.

export class Changes {
  constructor(sheet) { this.sheet = sheet; }

  /** Keep what has been changed as one step. Whether anything was. */
  step(words, chosen) {
    const { sheet } = this, now = sheet.state();
    if (now.every((value, n) => value === sheet.kept[n])) return false;
    sheet.past.push({ words, state: sheet.kept, chosen });
    sheet.future.length = 0;
    sheet.kept = now;
    return true;
  }

  back() { return this.move(this.sheet.past, this.sheet.future); }
  on() { return this.move(this.sheet.future, this.sheet.past); }

  /** A step from one list to the other: the step, or nothing where there is none. */
  move(from, to) {
    const { sheet } = this, step = from.pop();
    if (!step) return null;
    to.push({ ...step, state: sheet.kept });
    sheet.fields.forEach((field, n) => { if (field.type === "checkbox" || field.type === "radio") field.checked = step.state[n]; else field.value = step.state[n]; });
    sheet.kept = step.state;
    return step;
  }

  /** Order a move and a plan. An empty end: it stays. */
  go(section, end, goals = []) {
    const [list, path, plan] = ["move", "path", "plan"].map((name) => this.sheet.field(section, name));
    if (!list) return;
    const known = !end || [...list.options].some((option) => option.value === end);
    list.value = known ? end : "";
    path.value = known ? "" : end;
    if (plan) plan.value = goals.join(" ");
  }

  /** A fleet that may be formed in a hex and is not yet. */
  slot(hex) {
    const { sheet } = this, used = new Set(sheet.fleets().filter((fleet) => fleet.ships.length).map((fleet) => fleet.key));
    return sheet.sections.find((section) => section.classList.contains("new") && section.dataset.hex === hex && !used.has(section.dataset.fleet));
  }

  /** Send ships to a fleet in the same hex; back to their own where it is that. Whether all of them could be. */
  send(ships, key) {
    const able = ships.filter((ship) => ship.to && (ship.home === key || [...ship.to.options].some((option) => option.value === key)));
    for (const ship of able) {
      ship.to.value = ship.home === key ? "" : key;
      const merge = this.sheet.field(this.sheet.byKey.get(ship.home), "merge");
      if (merge && ship.home === key) merge.value = "";
    }
    return able.length === ships.length;
  }
}
