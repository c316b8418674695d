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
    if (!kinds) return [...section.querySelectorAll("[data-ship]")].map((item) => ({ ...item.dataset, item, key: item.dataset.ship, name: item.querySelector("strong")?.textContent ?? "", home, to: item.querySelector("[data-to]"), tow: item.querySelector("[name^='tow-']") }));
    return kinds.split(" ").map((kind, n) => ({ kind, held: n < names.length, mass: n ? 0 : mass, name: names[n], home }));
  }

  field(section, name) { return section.querySelector(`[data-${name}]`); }

  state() { return this.fields.map((field) => (field.matches("[type=checkbox], [type=radio]") ? field.checked : field.value)); }

  name(section) { return section.querySelector("input[name^='name-']")?.value.trim() || section.dataset.name || phrase`New fleet`; }

  /** The fleets as they are ordered, with the ships that each will have. A ship in tow goes with its tug, unless it is sent elsewhere. */
  fleets() {
    const merged = (key) => this.field(this.byKey.get(key), "merge")?.value, sent = (ship) => ship.to?.value || merged(ship.home);
    const crews = new Map(this.sections.map((section) => [section.dataset.fleet, []])), to = new Map();
    for (const ship of this.crew) {
      const tug = ship.tow?.value && this.crew.find((one) => one.key === ship.tow.value), goes = sent(ship) || (tug && (sent(tug) || tug.home));
      to.set(ship, crews.has(goes) ? goes : ship.home);
      crews.get(to.get(ship)).push(ship);
    }
    return this.sections.map((section) => {
      const key = section.dataset.fleet, ships = crews.get(key), formed = section.classList.contains("new"), gate = this.gates.has(section.dataset.hex);
      const bound = ships.filter((ship) => ship.held && !ship.tow?.value && !(ship.part && ships.some((one) => one.part === ship.part && !one.held)));
      const n = [0, 0, 0, 0], gone = !formed && !ships.length && this.homes.has(key);
      for (const ship of ships) n[KINDS.includes(ship.kind) ? KINDS.indexOf(ship.kind) : 3] += 1;
      return {
        key, section, hex: section.dataset.hex, formed, dummy: !formed && !this.homes.has(key) && !section.querySelector("[name^='standing-']"),
        name: this.name(section), ships, n, bound, gate, mass: ships.reduce((sum, ship) => sum + Number(ship.mass ?? 0), 0), must: "must" in section.dataset, ...this.going(section),
        gone: gone ? phrase`Merged into ${[...new Set(this.crew.filter((ship) => ship.home === key).map((ship) => this.name(this.byKey.get(to.get(ship)))))].join(", ")}` : "",
        stuck: section.dataset.stuck ?? (ships.length && bound.length === ships.length && !gate ? phrase`no ship with a working FTL drive` : ""),
      };
    });
  }

  /** Where a fleet goes: `end` this week, by `path`; `goals` after that. */
  going(section) {
    const path = this.field(section, "path")?.value.match(LABEL) ?? [], to = this.field(section, "move")?.value ?? "";
    return { path, end: to || path.at(-1) || "", goals: this.field(section, "plan")?.value.match(LABEL) ?? [] };
  }
}
