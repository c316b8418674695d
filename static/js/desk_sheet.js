// The form of a week's orders as a sheet that can be read: all that is ordered stands in its fields. It is written by
// desk_changes.js.

import { phrase } from "./phrase.js";

const LABEL = /\d{4}/g;
const KINDS = ["capital", "cruiser", "escort"];

export class Sheet {
  constructor(form) {
    this.form = form;
    this.sections = [...form.querySelectorAll("[data-fleet]")];
    this.byKey = new Map(this.sections.map((section) => [section.dataset.fleet, section]));
    this.crew = this.sections.flatMap((section) => this.crewOf(section));
    this.homes = new Set(this.crew.map((ship) => ship.home));
    this.fields = this.written();
    this.kept = this.state();
    this.past = [];
    this.future = [];
  }

  written() { return [...this.form.elements].filter((field) => field.name && !field.matches("[type=hidden], button")); }

  /** The ships of a fleet; their kinds alone where its form is not here yet (desk_unfold.js). */
  crewOf(section) {
    const { fleet: home, kinds, held = "[]" } = section.dataset, names = JSON.parse(held);
    if (!kinds) return [...section.querySelectorAll("[data-ship]")].map((item) => ({ item, key: item.dataset.ship, kind: item.dataset.kind, bound: "bound" in item.dataset, name: item.querySelector("strong")?.textContent ?? "", home, to: item.querySelector("[data-to]") }));
    return kinds.split(" ").map((kind, n) => ({ kind, bound: n < names.length, name: names[n], home }));
  }

  field(section, name) { return section.querySelector(`[data-${name}]`); }

  state() { return this.fields.map((field) => (field.matches("[type=checkbox], [type=radio]") ? field.checked : field.value)); }

  name(section) { return section.querySelector("input[name^='name-']")?.value.trim() || section.dataset.name || phrase`New fleet`; }

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
        key, section, hex: section.dataset.hex, formed, dummy: !formed && !this.homes.has(key) && !section.querySelector("[name^='standing-']"),
        name: this.name(section), ships, n, gone: !formed && !ships.length && this.homes.has(key) ? this.emptied(key, merged.get(key)) : "", bound: ships.filter((ship) => ship.bound), stuck: section.dataset.stuck ?? "", must: "must" in section.dataset, ...this.going(section),
      };
    });
  }

  /** Where the ships of a fleet go that keeps none. */
  emptied(key, merged) {
    const to = this.crew.filter((ship) => ship.home === key).map((ship) => this.name(this.byKey.get(ship.to?.value || merged)));
    return phrase`Merged into ${[...new Set(to)].join(", ")}`;
  }

  /** Where a fleet goes: `end` this week, by `path`; `goals` after that. */
  going(section) {
    const path = this.field(section, "path")?.value.match(LABEL) ?? [], to = this.field(section, "move")?.value ?? "";
    return { path, end: to || path.at(-1) || "", goals: this.field(section, "plan")?.value.match(LABEL) ?? [] };
  }
}
