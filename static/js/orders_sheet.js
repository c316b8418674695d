// Holds all fields of a week's orders. If a player has many fleets, the page has the fields of only
// one (orders_fleet_form.js); the values of the others are stored here and sent with the form.

import { findAll } from "./dom.js";
import { nameOf } from "./field.js";
import { KINDS } from "./classification_counts.js";
import { phrase } from "./phrase.js";

const HEX = /\d{4}/g;

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/**
 * Return whether a field is a checkbox or a radio button.
 * @param {Field} field
 * @returns {field is HTMLInputElement}
 */
const isBox = (field) => field.type === "checkbox" || field.type === "radio";

/**
 * Return the value of a field: its text, or whether it is ticked.
 * @param {Field} field
 * @returns {FieldValue}
 */
export const valueOf = (field) => (isBox(field) ? field.checked : field.value);

/** The fields of a week's orders, on the page or not. */
export class OrderSheet {
  /** @type {Map<string, Field>} the fields on the page, by id */
  onPage = new Map();
  /** @type {Map<string, FieldValue>} the values of fields that are not on the page, by id */
  offPage = new Map();
  /** @type {OrderStep[]} */
  undoSteps = [];
  /** @type {OrderStep[]} */
  redoSteps = [];
  /** @type {Map<string, [string, string]>} the name and value of each box, by id */
  #boxes = new Map();
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
        this.offPage.set(this.#boxId(name, value, this.offPage), true);
      }
    }
    const ships = this.sections.flatMap((section) => shipsOf(section, forms.fleets));
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
    form.addEventListener("formdata", ({ formData }) => this.#addToFormData(formData));
    for (const type of ["input", "change"]) {
      form.addEventListener(type, () => this.invalidate());
    }
  }

  /** Update the map of fields on the page. */
  findFields() {
    this.onPage.clear();
    for (const field of fieldsOf(this.form)) {
      const isNamed = field.name && field.type !== "hidden";
      if (isNamed) {
        const id = isBox(field) ? this.#boxId(field.name, field.value, this.onPage) : field.name;
        this.onPage.set(id, field);
      }
    }
    this.invalidate();
  }

  /**
   * Return an id for a checkbox or radio button. Boxes with the same name and value get different
   * ids.
   * @param {string} name
   * @param {string} value
   * @param {Map<string, unknown>} usedIds
   */
  #boxId(name, value, usedIds) {
    let id = `${name}=${value}`;
    while (usedIds.has(id)) {
      id += "+";
    }
    this.#boxes.set(id, [name, value]);
    return id;
  }

  /**
   * Return the id of a field that is no box, which is its name.
   * @param {string} field
   * @param {string} key the key of a fleet or a ship
   */
  id(field, key) {
    return nameOf(this.fields[field], key);
  }

  /** Discard the computed fleets, because a field may have changed. */
  invalidate() {
    this.#fleets = null;
  }

  /**
   * Return whether there is a field with this id, on the page or not.
   * @param {string} id
   */
  has(id) {
    return this.onPage.has(id) || this.offPage.has(id);
  }

  /**
   * Return the value of a field, on the page or not.
   * @param {string} id
   */
  read(id) {
    const field = this.onPage.get(id);
    return (field ? valueOf(field) : this.offPage.get(id)) ?? "";
  }

  /**
   * Return the value of a field as text.
   * @param {string} id
   */
  text(id) {
    return String(this.read(id));
  }

  /**
   * Add the values of fields that are not on the page to the data that the form sends.
   * @param {FormData} formData
   */
  #addToFormData(formData) {
    for (const [id, value] of this.offPage) {
      const box = this.#boxes.get(id);
      if (!box) {
        formData.append(id, String(value));
      } else if (value) {
        formData.append(...box);
      }
    }
  }

  /** Return the values of all fields by id. */
  state() {
    const state = new Map(this.offPage);
    for (const [id, field] of this.onPage) {
      state.set(id, valueOf(field));
    }
    return state;
  }

  /**
   * Return the name of a fleet as the draft names it.
   * @param {HTMLElement} section
   */
  name(section) {
    const written = this.text(this.id("name", keyOf(section))).trim();
    return written || section.dataset.name || phrase`New fleet`;
  }

  /** Return the fleets as the draft orders them, with the ships that each will have. */
  fleets() {
    this.#fleets ??= this.#computeFleets();
    return this.#fleets;
  }

  /**
   * Return the key of the fleet in which a ship ends the week. A ship in tow goes with its tug,
   * unless it is sent elsewhere.
   * @param {OrderShip} ship
   */
  #fleetAfterOrders(ship) {
    /** @param {OrderShip} other */
    const sentTo = ({ ids }) => this.text(ids.to) || this.text(ids.merge);
    const tug = this.byShip.get(this.text(ship.ids.tow));
    const target = sentTo(ship) || (tug && (sentTo(tug) || tug.home)) || "";
    return this.byKey.has(target) ? target : ship.home;
  }

  /** Compute the fleets from the fields. */
  #computeFleets() {
    /** @type {Map<string, OrderShip[]>} */
    const shipsByFleet = new Map(this.sections.map((section) => [keyOf(section), []]));
    /** @type {Map<string, Set<string>>} */
    const successors = new Map(this.sections.map((section) => [keyOf(section), new Set()]));
    for (const ship of this.ships) {
      const fleet = this.#fleetAfterOrders(ship);
      shipsByFleet.get(fleet)?.push(ship);
      if (fleet !== ship.home) {
        successors.get(ship.home)?.add(fleet);
      }
    }
    return this.sections.map((section) => {
      const key = keyOf(section);
      return this.#fleet(section, shipsByFleet.get(key) ?? [], successors.get(key) ?? new Set());
    });
  }

  /**
   * Return a fleet as the draft orders it.
   * @param {HTMLElement} section
   * @param {OrderShip[]} ships the ships that it will have
   * @param {Set<string>} successors the keys of fleets that take over its ships
   * @returns {OrderFleet}
   */
  #fleet(section, ships, successors) {
    const key = keyOf(section);
    const hex = section.dataset.hex ?? "";
    const isNew = section.classList.contains("new");
    const gate = this.gates.has(hex);
    const bound = ships.filter((ship) => this.#isBound(ship, ships));
    const isGrounded = ships.length > 0 && bound.length === ships.length && !gate;
    const isGone = !isNew && !ships.length && this.homes.has(key);
    const isDummy = !isNew && !this.homes.has(key) && !this.has(this.id("standing", key));
    return {
      key,
      section,
      isNew,
      ships,
      n: countKinds(ships),
      boundShips: bound,
      gate,
      hex,
      dummy: isDummy,
      name: this.name(section),
      mass: ships.reduce((total, ship) => total + Number(ship.mass ?? 0), 0),
      ...this.#moveOrders(key),
      mergedInto: isGone ? phrase`Merged into ${this.#names(successors)}` : "",
      stuckReason: whyStuck(section, isGrounded),
    };
  }

  /**
   * Return the names of fleets, separated by commas.
   * @param {Set<string>} keys
   */
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
   * Return whether a ship keeps its fleet from jumping: it cannot jump, is not in tow, and is not
   * part of a ship that can jump.
   * @param {OrderShip} ship
   * @param {OrderShip[]} ships the ships of the fleet
   */
  #isBound(ship, ships) {
    if (!ship.held || this.read(ship.ids.tow)) {
      return false;
    }
    return !(ship.part && ships.some((other) => other.part === ship.part && !other.held));
  }

  /**
   * Return where a fleet is ordered to go: its path, the hex at the end of this week, later goals.
   * @param {string} key
   */
  #moveOrders(key) {
    const path = this.text(this.id("path", key)).match(HEX) ?? [];
    const to = this.text(this.id("move", key));
    const goals = this.text(this.id("plan", key)).match(HEX) ?? [];
    return { path, end: to || path.at(-1) || "", goals };
  }
}

/**
 * Return why a fleet cannot move; empty if it can.
 * @param {HTMLElement} section
 * @param {boolean} isGrounded whether none of its ships can jump
 */
function whyStuck({ dataset }, isGrounded) {
  if (dataset.stuck !== undefined) {
    return dataset.stuck;
  }
  return isGrounded ? phrase`no ship with a working FTL drive` : "";
}

/**
 * Return the key of a section's fleet.
 * @param {HTMLElement} section
 */
export const keyOf = (section) => section.dataset.fleet ?? "";

/**
 * Return the fields of a form, without its buttons.
 * @param {HTMLFormElement} form
 */
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
 * Return the ships of a fleet, from the page's data or from its form.
 * @param {HTMLElement} section
 * @param {OrderForms["fleets"]} folded the data of fleets whose form is not on the page
 * @returns {Omit<OrderShip, "ids">[]}
 */
function shipsOf(section, folded) {
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

/**
 * Count ships by classification: capitals, cruisers, escorts and others.
 * @param {OrderShip[]} ships
 */
function countKinds(ships) {
  const counts = [0, 0, 0, 0];
  for (const { kind = "" } of ships) {
    const index = KINDS.indexOf(kind);
    counts[index < 0 ? KINDS.length : index] += 1;
  }
  return counts;
}
