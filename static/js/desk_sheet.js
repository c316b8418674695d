// The form of a week's orders as a sheet that can be read, written and taken back: all that is ordered stands in its fields.

const LABEL = /\d{4}/g;
const KINDS = ["capital", "cruiser", "escort"];

export class Sheet {
  constructor(form) {
    this.form = form;
    this.sections = [...form.querySelectorAll("[data-fleet]")];
    this.byKey = new Map(this.sections.map((section) => [section.dataset.fleet, section]));
    this.crew = [...form.querySelectorAll("[data-ship]")].map((item) => ({
      item, key: item.dataset.ship, kind: item.dataset.kind, bound: "bound" in item.dataset, name: item.querySelector("strong")?.textContent ?? "",
      home: item.closest("[data-fleet]").dataset.fleet, to: item.querySelector("[data-to]"),
    }));
    this.fields = [...form.elements].filter((field) => field.name && !["hidden", "submit", "button"].includes(field.type));
    this.past = [];
    this.future = [];
    this.kept = this.state();
  }

  field(section, name) { return section.querySelector(`[data-${name}]`); }

  state() { return this.fields.map((field) => (field.type === "checkbox" || field.type === "radio" ? field.checked : field.value)); }

  restore(state) {
    this.fields.forEach((field, n) => { if (field.type === "checkbox" || field.type === "radio") field.checked = state[n]; else field.value = state[n]; });
    this.kept = state;
  }

  /** Keep what has been changed as one step that can be taken back. Whether anything was. */
  step(words, chosen) {
    const now = this.state();
    if (now.every((value, n) => value === this.kept[n])) return false;
    this.past.push({ words, state: this.kept, chosen });
    this.future.length = 0;
    this.kept = now;
    return true;
  }

  /** One step back, or on again: the step, or nothing where there is none. */
  back(from = this.past, to = this.future) {
    const step = from.pop();
    if (!step) return null;
    to.push({ ...step, state: this.kept });
    this.restore(step.state);
    return step;
  }

  on() { return this.back(this.future, this.past); }

  name(section) { return section.querySelector("input[name^='name-']")?.value.trim() || section.dataset.name || "New fleet"; }

  /** The fleets as they are ordered, with the ships that each will have. */
  fleets() {
    const merged = new Map(this.sections.map((section) => [section.dataset.fleet, this.field(section, "merge")?.value ?? ""]));
    const crews = new Map(this.sections.map((section) => [section.dataset.fleet, []]));
    for (const ship of this.crew) (crews.get(ship.to?.value || merged.get(ship.home) || ship.home) ?? crews.get(ship.home)).push(ship);
    return this.sections.map((section) => {
      const key = section.dataset.fleet, ships = crews.get(key), formed = section.classList.contains("new");
      const n = [0, 0, 0, 0];
      for (const ship of ships) n[KINDS.includes(ship.kind) ? KINDS.indexOf(ship.kind) : 3] += 1;
      return {
        key, section, hex: section.dataset.hex, formed, dummy: !formed && !this.crew.some((ship) => ship.home === key) && !section.querySelector("[name^='standing-']"),
        name: this.name(section), ships, n, bound: ships.filter((ship) => ship.bound), stuck: section.dataset.stuck ?? "", must: "must" in section.dataset, ...this.going(section),
      };
    });
  }

  /** Where a fleet goes: `end` this week, by `path`; `goals` after that. */
  going(section) {
    const path = this.field(section, "path")?.value.match(LABEL) ?? [], to = this.field(section, "move")?.value ?? "";
    return { path, end: to || path.at(-1) || "", goals: this.field(section, "plan")?.value.match(LABEL) ?? [] };
  }

  /** Order a move and a plan. An empty end: it stays. */
  go(section, end, goals = []) {
    const list = this.field(section, "move"), path = this.field(section, "path"), plan = this.field(section, "plan");
    if (!list) return;
    const known = !end || [...list.options].some((option) => option.value === end);
    list.value = known ? end : "";
    path.value = known ? "" : end;
    if (plan) plan.value = goals.join(" ");
  }

  /** A fleet that may be formed in a hex and is not yet. */
  slot(hex) {
    const used = new Set(this.fleets().filter((fleet) => fleet.ships.length).map((fleet) => fleet.key));
    return this.sections.find((section) => section.classList.contains("new") && section.dataset.hex === hex && !used.has(section.dataset.fleet));
  }

  /** Send ships to a fleet in the same hex; back to their own where it is that. Whether all of them could be. */
  send(ships, key) {
    const able = ships.filter((ship) => ship.to && (ship.home === key || [...ship.to.options].some((option) => option.value === key)));
    for (const ship of able) {
      ship.to.value = ship.home === key ? "" : key;
      const merge = this.field(this.byKey.get(ship.home), "merge");
      if (merge && ship.home === key) merge.value = "";
    }
    return able.length === ships.length;
  }
}
