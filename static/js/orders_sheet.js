// What the orders of a week say, field by field. Where fleets are many, the page has the fields of
// one at a time (orders_fleet_form.js); those of others are kept here and sent along.

import { findAll } from "./dom.js";
import { nameOf } from "./field.js";
import { KINDS } from "./classification_counts.js";
import { phrase } from "./phrase.js";

const HEX = /\d{4}/g;

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/**
 * @param {Field} field
 * @returns {field is HTMLInputElement}
 */
const isTick = (field) => field.type === "checkbox" || field.type === "radio";

/**
 * @param {Field} field
 * @returns {FieldValue}
 */
export const valueOf = (field) => (isTick(field) ? field.checked : field.value);

/** The fields of a week's orders, on the page or not. */
export class OrderSheet {
  /** @type {Map<string, Field>} the fields on the page, by id */
  onPage = new Map();
  /** @type {Map<string, FieldValue>} what other fields hold, by id */
  offPage = new Map();
  /** @type {OrderStep[]} */
  past = [];
  /** @type {OrderStep[]} */
  future = [];
  /** @type {Map<string, [string, string]>} the name and the value of each box, by id */
  #ticks = new Map();
  /** @type {OrderFleet[] | null} */
  #fleets = null;

  /**
   * @param {HTMLFormElement} form
   * @param {MapGround} ground
   * @param {OrderForms} forms
   */
  constructor(form, ground, forms) {
    this.form = form;
    this.fields = forms.fields;
    this.folds = forms.folds;
    this.gates = new Set(ground.links.flatMap((link) => [link.a, link.b]));
    this.sections = findAll(form, "[data-fleet]", HTMLElement);
    /** @type {Map<string, HTMLElement>} */
    this.byKey = new Map(this.sections.map((section) => [keyOf(section), section]));
    for (const fleet of Object.values(forms.fleets)) {
      for (const [name, value] of Object.entries(fleet.texts)) {
        this.offPage.set(name, value);
      }
      for (const [name, value] of fleet.ticks) {
        this.offPage.set(this.#tickId(name, value, this.offPage), true);
      }
    }
    const ships = this.sections.flatMap((section) => crewOf(section, forms.fleets));
    /** @type {OrderShip[]} */
    this.ships = ships.map((ship) => ({
      ...ship,
      ids: {
        to: this.id("to", ship.key),
        tow: this.id("tow", ship.key),
        merge: this.id("merge", ship.home),
      },
    }));
    this.byShip = new Map(this.ships.map((ship) => [ship.key, ship]));
    this.homes = new Set(this.ships.map((ship) => ship.home));
    this.findFields();
    this.lastState = this.state();
    form.addEventListener("formdata", ({ formData }) => this.#send(formData));
    for (const type of ["input", "change"]) {
      form.addEventListener(type, () => this.invalidate());
    }
  }

  /** Find the fields that are on the page now. */
  findFields() {
    this.onPage.clear();
    for (const field of fieldsOf(this.form)) {
      const isNamed = field.name && field.type !== "hidden";
      if (isNamed) {
        const id = isTick(field) ? this.#tickId(field.name, field.value, this.onPage) : field.name;
        this.onPage.set(id, field);
      }
    }
    this.invalidate();
  }

  /**
   * Return the id of a box: of several with the same name and value each has its own.
   * @param {string} name
   * @param {string} value
   * @param {Map<string, unknown>} taken
   */
  #tickId(name, value, taken) {
    let id = `${name}=${value}`;
    while (taken.has(id)) {
      id += "+";
    }
    this.#ticks.set(id, [name, value]);
    return id;
  }

  /**
   * Return the id of a field that is no box: its name.
   * @param {string} field
   * @param {string} key of a fleet or a ship
   */
  id(field, key) {
    return nameOf(this.fields[field], key);
  }

  /** Work the fleets out anew when they are next asked for: something may have changed. */
  invalidate() {
    this.#fleets = null;
  }

  /** @param {string} id */
  has(id) {
    return this.onPage.has(id) || this.offPage.has(id);
  }

  /**
   * Return what a field holds, on the page or not.
   * @param {string} id
   */
  read(id) {
    const field = this.onPage.get(id);
    return (field ? valueOf(field) : this.offPage.get(id)) ?? "";
  }

  /** @param {string} id */
  text(id) {
    return String(this.read(id));
  }

  /**
   * Add what is in no field of the page to what is sent.
   * @param {FormData} formData
   */
  #send(formData) {
    for (const [id, value] of this.offPage) {
      const tick = this.#ticks.get(id);
      if (!tick) {
        formData.append(id, String(value));
      } else if (value) {
        formData.append(...tick);
      }
    }
  }

  /** Return what all fields hold, by id. */
  state() {
    const state = new Map(this.offPage);
    for (const [id, field] of this.onPage) {
      state.set(id, valueOf(field));
    }
    return state;
  }

  /** @param {HTMLElement} section */
  name(section) {
    const written = this.text(this.id("name", keyOf(section))).trim();
    return written || section.dataset.name || phrase`New fleet`;
  }

  /** Return the fleets as they are ordered, with the ships that each will have. */
  fleets() {
    this.#fleets ??= this.#work();
    return this.#fleets;
  }

  /**
   * Return the fleet in which a ship is at the week's end. One in tow goes with its tug, unless it
   * is sent elsewhere.
   * @param {OrderShip} ship
   */
  #goal(ship) {
    /** @param {OrderShip} other */
    const sentTo = ({ ids }) => this.text(ids.to) || this.text(ids.merge);
    const tug = this.byShip.get(this.text(ship.ids.tow));
    const goal = sentTo(ship) || (tug && (sentTo(tug) || tug.home)) || "";
    return this.byKey.has(goal) ? goal : ship.home;
  }

  #work() {
    /** @type {Map<string, OrderShip[]>} */
    const crews = new Map(this.sections.map((section) => [keyOf(section), []]));
    /** @type {Map<string, Set<string>>} */
    const heirs = new Map(this.sections.map((section) => [keyOf(section), new Set()]));
    for (const ship of this.ships) {
      const goal = this.#goal(ship);
      crews.get(goal)?.push(ship);
      if (goal !== ship.home) {
        heirs.get(ship.home)?.add(goal);
      }
    }
    return this.sections.map((section) => {
      const key = keyOf(section);
      return this.#fleet(section, crews.get(key) ?? [], heirs.get(key) ?? new Set());
    });
  }

  /**
   * @param {HTMLElement} section
   * @param {OrderShip[]} ships
   * @param {Set<string>} heirs the keys of fleets that take over ships of it
   * @returns {OrderFleet}
   */
  #fleet(section, ships, heirs) {
    const key = keyOf(section);
    const hex = section.dataset.hex ?? "";
    const formed = section.classList.contains("new");
    const gate = this.gates.has(hex);
    const bound = ships.filter((ship) => this.#isBound(ship, ships));
    const isGrounded = ships.length > 0 && bound.length === ships.length && !gate;
    const isGone = !formed && !ships.length && this.homes.has(key);
    const isDummy = !formed && !this.homes.has(key) && !this.has(this.id("standing", key));
    return {
      key,
      section,
      formed,
      ships,
      n: countKinds(ships),
      bound,
      gate,
      hex,
      dummy: isDummy,
      name: this.name(section),
      mass: ships.reduce((total, ship) => total + Number(ship.mass ?? 0), 0),
      ...this.#going(key),
      gone: isGone ? phrase`Merged into ${this.#names(heirs)}` : "",
      stuck: whyStuck(section, isGrounded),
    };
  }

  /** @param {Set<string>} keys of fleets */
  #names(keys) {
    const names = [];
    for (const key of keys) {
      const section = this.byKey.get(key);
      if (section) {
        names.push(this.name(section));
      }
    }
    return names.join(", ");
  }

  /**
   * Say whether a ship keeps these ships from going.
   * @param {OrderShip} ship
   * @param {OrderShip[]} ships
   */
  #isBound(ship, ships) {
    if (!ship.held || this.read(ship.ids.tow)) {
      return false;
    }
    return !(ship.part && ships.some((other) => other.part === ship.part && !other.held));
  }

  /**
   * Return where a fleet goes.
   * @param {string} key
   */
  #going(key) {
    const path = this.text(this.id("path", key)).match(HEX) ?? [];
    const to = this.text(this.id("move", key));
    const goals = this.text(this.id("plan", key)).match(HEX) ?? [];
    return { path, end: to || path.at(-1) || "", goals };
  }
}

/**
 * Say why a fleet cannot move; "" where it can.
 * @param {HTMLElement} section
 * @param {boolean} isGrounded whether no ship of it can jump
 */
function whyStuck({ dataset }, isGrounded) {
  if (dataset.stuck !== undefined) {
    return dataset.stuck;
  }
  return isGrounded ? phrase`no ship with a working FTL drive` : "";
}

/** @param {HTMLElement} section */
export const keyOf = (section) => section.dataset.fleet ?? "";

/** @param {HTMLFormElement} form */
function fieldsOf(form) {
  /** @type {Field[]} */
  const fields = [];
  for (const element of form.elements) {
    if (
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement
    ) {
      fields.push(element);
    }
  }
  return fields;
}

/**
 * Return the ships of a fleet, from what the page says of it or from its form.
 * @param {HTMLElement} section
 * @param {OrderForms["fleets"]} folded
 * @returns {Omit<OrderShip, "ids">[]}
 */
function crewOf(section, folded) {
  const home = keyOf(section);
  const known = folded[home];
  if (known) {
    return known.crew.map((ship) => ({ ...ship, home }));
  }
  return findAll(section, "[data-ship]", HTMLElement).map((item) => ({
    ...item.dataset,
    key: item.dataset.ship ?? "",
    name: item.querySelector("strong")?.textContent ?? "",
    home,
  }));
}

/** @param {OrderShip[]} ships */
function countKinds(ships) {
  const counts = [0, 0, 0, 0];
  for (const { kind = "" } of ships) {
    const index = KINDS.indexOf(kind);
    counts[index < 0 ? 3 : index] += 1;
  }
  return counts;
}
