// What the orders of a week say, field by field. Where fleets are many, the page has the fields of
// one at a time (desk_unfold.js); those of others are kept here and sent along.

import { nameOf } from "./field.js";
import { phrase } from "./phrase.js";

const LABEL = /\d{4}/g;
const KINDS = ["capital", "cruiser", "escort"];

const isTick = (field) => field.type === "checkbox" || field.type === "radio";
const valueOf = (field) => (isTick(field) ? field.checked : field.value);

export class Sheet {
  /** `told`: fields of orders, and what the forms hold that are not on the page (orders.py). */
  constructor(form, ground, told) {
    this.form = form;
    this.fields = told.fields;
    this.folds = told.folds;
    this.gates = new Set(ground.links.flatMap((link) => [link.a, link.b]));
    this.sections = [...form.querySelectorAll("[data-fleet]")];
    this.byKey = new Map(this.sections.map((section) => [section.dataset.fleet, section]));
    this.live = new Map(); // the fields on the page, by id
    this.away = new Map(); // what other fields hold, by id: a text, or whether a box is ticked
    this.ticks = new Map(); // the name and the value of each box, by id
    for (const fleet of Object.values(told.fleets)) {
      for (const [name, value] of Object.entries(fleet.texts)) {
        this.away.set(name, value);
      }
      for (const [name, value] of fleet.ticks) {
        this.away.set(this.tickId(name, value, this.away), true);
      }
    }
    this.crew = this.sections.flatMap((section) => this.crewOf(section, told.fleets));
    for (const ship of this.crew) {
      const { key, home } = ship;
      ship.ids = {
        to: this.id("to", key),
        tow: this.id("tow", key),
        merge: this.id("merge", home),
      };
    }
    this.byShip = new Map(this.crew.map((ship) => [ship.key, ship]));
    this.homes = new Set(this.crew.map((ship) => ship.home));
    this.look();
    this.kept = this.state();
    this.past = [];
    this.future = [];
    form.addEventListener("formdata", ({ formData }) => this.send(formData));
    for (const type of ["input", "change"]) {
      form.addEventListener(type, () => this.stale());
    }
  }

  /** The ships of a fleet, from its form or from what is told of it. `held`: it cannot jump. */
  crewOf(section, folded) {
    const home = section.dataset.fleet;
    const told = folded[home]?.crew.map((ship) => ({ ...ship, home }));
    return (
      told ??
      [...section.querySelectorAll("[data-ship]")].map((item) => ({
        ...item.dataset,
        key: item.dataset.ship,
        name: item.querySelector("strong")?.textContent ?? "",
        home,
      }))
    );
  }

  /** Find the fields that are on the page now. */
  look() {
    this.live.clear();
    for (const field of this.form.elements) {
      if (!field.name || field.matches("[type=hidden], button")) {
        continue;
      }
      const id = isTick(field) ? this.tickId(field.name, field.value, this.live) : field.name;
      this.live.set(id, field);
    }
    this.stale();
  }

  /** The id of a box: of several with the same name and value each has its own. */
  tickId(name, value, taken) {
    let id = `${name}=${value}`;
    while (taken.has(id)) {
      id += "+";
    }
    this.ticks.set(id, [name, value]);
    return id;
  }

  /** The id of a field that is no box: its name. */
  id(what, key) {
    return nameOf(this.fields[what], key);
  }

  /** Something may have changed: fleets are worked out anew. */
  stale() {
    this.worked = null;
  }

  has(id) {
    return this.live.has(id) || this.away.has(id);
  }

  /** What a field holds, on the page or not. */
  read(id) {
    const field = this.live.get(id);
    return (field ? valueOf(field) : this.away.get(id)) ?? "";
  }

  /** Add to what is sent what stands in no field of the page. */
  send(formData) {
    for (const [id, value] of this.away) {
      const tick = this.ticks.get(id);
      if (!tick) {
        formData.append(id, value);
      } else if (value) {
        formData.append(...tick);
      }
    }
  }

  /** What all fields hold, by id. */
  state() {
    const found = new Map(this.away);
    for (const [id, field] of this.live) {
      found.set(id, valueOf(field));
    }
    return found;
  }

  name(section) {
    return (
      String(this.read(this.id("name", section.dataset.fleet))).trim() ||
      section.dataset.name ||
      phrase`New fleet`
    );
  }

  /** The fleets as they are ordered, with the ships that each will have. */
  fleets() {
    this.worked ??= this.work();
    return this.worked;
  }

  /** Where a ship is at the week's end: one in tow goes with its tug, unless it is sent elsewhere. */
  goal(ship) {
    const sent = ({ ids }) => this.read(ids.to) || this.read(ids.merge);
    const tug = this.byShip.get(this.read(ship.ids.tow));
    const goes = sent(ship) || (tug && (sent(tug) || tug.home));
    return this.byKey.has(goes) ? goes : ship.home;
  }

  work() {
    const crews = new Map(this.sections.map((section) => [section.dataset.fleet, []]));
    const goals = new Map();
    for (const ship of this.crew) {
      const goal = this.goal(ship);
      crews.get(goal).push(ship);
      if (goal === ship.home) {
        continue;
      }
      if (!goals.has(ship.home)) {
        goals.set(ship.home, new Set());
      }
      goals.get(ship.home).add(goal);
    }
    return this.sections.map((section) => {
      const key = section.dataset.fleet;
      return this.fleet(section, crews.get(key), goals.get(key) ?? new Set());
    });
  }

  /** A fleet. `heirs`: the keys of fleets that take over ships of it. */
  fleet(section, ships, heirs) {
    const key = section.dataset.fleet;
    const formed = section.classList.contains("new");
    const gate = this.gates.has(section.dataset.hex);
    const bound = ships.filter((ship) => this.bound(ship, ships));
    const n = [0, 0, 0, 0];
    for (const ship of ships) {
      n[KINDS.includes(ship.kind) ? KINDS.indexOf(ship.kind) : 3] += 1;
    }
    const grounded = ships.length && bound.length === ships.length && !gate;
    const gone = !formed && !ships.length && this.homes.has(key);
    const into = [...heirs].map((heir) => this.name(this.byKey.get(heir))).join(", ");
    return {
      key,
      section,
      formed,
      ships,
      n,
      bound,
      gate,
      hex: section.dataset.hex,
      dummy: !formed && !this.homes.has(key) && !this.has(this.id("standing", key)),
      name: this.name(section),
      mass: ships.reduce((sum, ship) => sum + Number(ship.mass ?? 0), 0),
      must: "must" in section.dataset,
      ...this.going(key),
      gone: gone ? phrase`Merged into ${into}` : "",
      stuck: section.dataset.stuck ?? (grounded ? phrase`no ship with a working FTL drive` : ""),
    };
  }

  /** Whether a ship keeps these ships from going. */
  bound(ship, ships) {
    if (!ship.held || this.read(ship.ids.tow)) {
      return false;
    }
    return !(ship.part && ships.some((one) => one.part === ship.part && !one.held));
  }

  /** Where a fleet goes: `end` this week, by `path`; `goals` after that. */
  going(key) {
    const path = this.read(this.id("path", key)).match(LABEL) ?? [];
    const to = this.read(this.id("move", key));
    return {
      path,
      end: to || path.at(-1) || "",
      goals: this.read(this.id("plan", key)).match(LABEL) ?? [],
    };
  }
}
