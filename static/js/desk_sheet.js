// The form of a week's orders as a sheet that can be read: all that is ordered stands in its fields. It is written by
// desk_changes.js.

import { phrase } from "./phrase.js";

const LABEL = /\d{4}/g;
const KINDS = ["capital", "cruiser", "escort"];

export class Sheet {
  constructor(form, ground) {
    this.form = form;
    this.gates = new Set(ground.links.flatMap((link) => [link.a, link.b]));
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

  /** The ships of a fleet; their kinds alone where its form is not here yet (desk_unfold.js). `held`: it cannot jump by itself. */
  crewOf(section) {
    const { fleet: home, kinds, held = "[]", mass } = section.dataset, names = JSON.parse(held);
    if (!kinds) return [...section.querySelectorAll("[data-ship]")].map((item) => ({ item, key: item.dataset.ship, kind: item.dataset.kind, held: "held" in item.dataset, part: item.dataset.part, mass: Number(item.dataset.mass ?? 0), name: item.querySelector("strong")?.textContent ?? "", home, to: item.querySelector("[data-to]"), tow: item.querySelector("[name^='tow-']") }));
    return kinds.split(" ").map((kind, n) => ({ kind, held: n < names.length, mass: n ? 0 : Number(mass ?? 0), name: names[n], home }));
  }

  /** Of a crew those that keep their fleet from jumping: in nobody's tow, and no section of what has its drive in another. */
  boundOf(crew) { return crew.filter((ship) => ship.held && !ship.tow?.value && !(ship.part && crew.some((one) => one.part === ship.part && !one.held))); }

  field(section, name) { return section.querySelector(`[data-${name}]`); }

  state() { return this.fields.map((field) => (field.matches("[type=checkbox], [type=radio]") ? field.checked : field.value)); }

  name(section) { return section.querySelector("input[name^='name-']")?.value.trim() || section.dataset.name || phrase`New fleet`; }

  /** The fleets as they are ordered, with the ships that each will have. */
  fleets() {
    const goes = this.goes(), crews = new Map(this.sections.map((section) => [section.dataset.fleet, []]));
    for (const ship of this.crew) (crews.get(goes(ship)) ?? crews.get(ship.home)).push(ship);
    return this.sections.map((section) => {
      const key = section.dataset.fleet, ships = crews.get(key), formed = section.classList.contains("new");
      const n = [0, 0, 0, 0], bound = this.boundOf(ships), gate = this.gates.has(section.dataset.hex);
      const without = ships.length && bound.length === ships.length && !gate ? phrase`no ship with a working FTL drive` : "";
      for (const ship of ships) n[KINDS.includes(ship.kind) ? KINDS.indexOf(ship.kind) : 3] += 1;
      return {
        key, section, hex: section.dataset.hex, formed, dummy: !formed && !this.homes.has(key) && !section.querySelector("[name^='standing-']"),
        name: this.name(section), ships, n, gone: !formed && !ships.length && this.homes.has(key) ? this.emptied(key, goes) : "", bound, gate, mass: ships.reduce((sum, ship) => sum + ship.mass, 0), stuck: section.dataset.stuck ?? without, must: "must" in section.dataset, ...this.going(section),
      };
    });
  }

  /** To which fleet each ship goes, as the server reads the form: one in tow goes with its tug, unless it is sent elsewhere. */
  goes() {
    const merged = new Map(this.sections.map((section) => [section.dataset.fleet, this.field(section, "merge")?.value ?? ""]));
    const sent = (ship) => ship.to?.value || merged.get(ship.home), tug = (ship) => ship.tow?.value && this.crew.find((one) => one.key === ship.tow.value);
    return (ship) => { const by = tug(ship); return sent(ship) || (by && (sent(by) || by.home)) || ship.home; };
  }

  /** Where the ships of a fleet go that keeps none. */
  emptied(key, goes) {
    const to = this.crew.filter((ship) => ship.home === key).map((ship) => this.name(this.byKey.get(goes(ship))));
    return phrase`Merged into ${[...new Set(to)].join(", ")}`;
  }

  /** Where a fleet goes: `end` this week, by `path`; `goals` after that. */
  going(section) {
    const path = this.field(section, "path")?.value.match(LABEL) ?? [], to = this.field(section, "move")?.value ?? "";
    return { path, end: to || path.at(-1) || "", goals: this.field(section, "plan")?.value.match(LABEL) ?? [] };
  }
}
