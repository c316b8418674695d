// What is done to the fire of ships: whom weapons aim at, the best of it, the captain's, which ship
// fires first. Fetched with the first change.

import { sum } from "./battle_cells.js";
import { fieldNamed, inputsIn, say } from "./battle_page.js";
import { html } from "./dom.js";
import { nameOf, restOf } from "./field.js";
import { phrase } from "./phrase.js";

/** @import { page as firePage } from "./battle_fire.js" */

const CHOICES = 3; // lists of targets that a weapon has

/**
 * Read fire as orders have it: "weapon target target; weapon target".
 * @param {string} text
 */
const readFire = (text) =>
  text
    .split(";")
    .map((part) => part.trim().split(/\s+/))
    .filter(([weapon]) => weapon)
    .map(([weapon, ...targets]) => ({ weapon, targets }));

/** Changes the fire of ships. */
export class FireActions {
  /** @param {typeof firePage} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * Add a field to those of a ship.
   * @param {string} id
   * @param {string} name
   * @param {string} value
   */
  #addField(id, name, value = "") {
    const input = html("input", { type: "hidden", name, value });
    this.page.boxes.get(id)?.append(input);
    return input;
  }

  /**
   * Return the field that says when a ship fires; empty for one that does not.
   * @param {string} id
   */
  #placeOf(id) {
    const name = nameOf(this.page.fields.order, id);
    return fieldNamed(this.page.form, name) ?? this.#addField(id, name);
  }

  /**
   * Aim a weapon at targets, in their order.
   * @param {string} id
   * @param {FireWeapon} weapon
   * @param {string[]} targets
   */
  #aimAt(id, weapon, targets) {
    const { fields, field, foes } = this.page;
    for (let n = 0; n < CHOICES; n++) {
      const name = nameOf(fields.target, id, weapon.id, n);
      const list = field(id, weapon.id, n) ?? this.#addField(id, name);
      const value = targets[n] ?? "";
      const options = list instanceof HTMLSelectElement ? [...list.options] : [];
      const isOffered = options.some((option) => option.value === value);
      if (list instanceof HTMLSelectElement && value && !isOffered) {
        list.append(new Option(foes.get(value)?.name ?? value, value));
      }
      list.value = value;
    }
    this.#writeFurther(id, weapon, targets.slice(CHOICES).join(" "));
  }

  /**
   * Write the targets that have no list of their own.
   * @param {string} id
   * @param {FireWeapon} weapon
   * @param {string} targets
   */
  #writeFurther(id, weapon, targets) {
    const name = nameOf(this.page.fields.further, id, weapon.id);
    const field = fieldNamed(this.page.form, name);
    if (field) {
      field.value = targets;
    } else if (targets) {
      this.#addField(id, name, targets);
    }
  }

  /**
   * Aim weapons of a ship at a target and then at what else they bear on, the best first.
   * @param {FireShip} ship
   * @param {FireWeapon[]} weapons
   * @param {string} target empty: they hold their fire
   */
  aim(ship, weapons, target) {
    const { settings, foes, expected, expectedInWords } = this.page;
    const would = settings(ship, weapons);
    const controlled = target ? weapons.filter(({ fc }) => fc) : [];
    for (const { fc } of controlled) {
      would.add(`${fc} ${target}`);
    }
    if (controlled.length && would.size > ship.firecons) {
      say(phrase`${ship.name} has no free FireCon for that`, true);
      return;
    }
    for (const weapon of weapons) {
      const others = byPoints(weapon, Object.keys(weapon.t)).filter((id) => id !== target);
      this.#aimAt(ship.id, weapon, target ? [target, ...others] : []);
    }
    const foe = foes.get(target);
    if (foe) {
      const points = expectedInWords(foe, expected(ship, target));
      say(phrase`${ship.name} → ${foe.name}: ${phrase`${points} expected`}`);
    }
  }

  /**
   * Let all weapons of a ship hold their fire.
   * @param {FireShip} ship
   */
  hold(ship) {
    for (const weapon of ship.weapons) {
      if (this.page.usable(ship.id, weapon)) {
        this.#aimAt(ship.id, weapon, []);
      }
    }
  }

  /**
   * Aim so many of a group of weapons at a target, the rest of them at nobody.
   * @param {FireShip} ship
   * @param {string} key of the group
   * @param {string} target
   * @param {number} [count] if left out, all of them or none
   */
  aimGroup(ship, key, target, count) {
    const { able, set } = this.page.aiming(ship, key, target);
    const all = set.length === able.length ? 0 : able.length;
    const wanted = able.slice(0, count ?? all);
    this.aim(ship, set, "");
    if (wanted.length) {
      this.aim(ship, wanted, target);
    }
  }

  /**
   * Aim all that bears on a target at it, or at nobody where it is already.
   * @param {FireShip} ship
   * @param {string} target
   */
  aimAll(ship, target) {
    const { usable, aimOf, foes } = this.page;
    const weapons = ship.weapons.filter((weapon) => usable(ship.id, weapon) && weapon.t[target]);
    if (!weapons.length) {
      say(phrase`No weapon of ${ship.name} bears on ${foes.get(target)?.name ?? target}`, true);
      return;
    }
    const isSet = weapons.every((weapon) => aimOf(ship.id, weapon.id) === target);
    this.aim(ship, weapons, isSet ? "" : target);
  }

  /**
   * Set FireCons to the targets that take most, and every weapon to where it does most of these.
   * @param {FireShip} ship
   */
  best(ship) {
    const { foes, usable, settings } = this.page;
    this.hold(ship);
    const weapons = ship.weapons.filter((weapon) => usable(ship.id, weapon));
    /** @param {string} target */
    const worth = (target) =>
      sum(weapons, (weapon) => (weapon.fc ? (weapon.t[target]?.[1] ?? 0) : 0));
    const targets = [...foes.keys()]
      .filter(worth)
      .sort((a, b) => worth(b) - worth(a))
      .slice(0, ship.firecons);
    for (const weapon of weapons) {
      const [target] = byPoints(weapon, weapon.fc ? targets : Object.keys(weapon.t));
      const used = settings(ship, [weapon]).add(`${weapon.fc} ${target}`).size;
      if (target && (!weapon.fc || used <= ship.firecons)) {
        this.aim(ship, [weapon], target);
      }
    }
  }

  /**
   * Fire as the captain would.
   * @param {FireShip} ship
   */
  captain(ship) {
    this.hold(ship);
    for (const { weapon: id, targets } of readFire(ship.captain)) {
      const weapon = ship.weapons.find((other) => other.id === id);
      if (weapon && this.page.usable(ship.id, weapon)) {
        this.#aimAt(ship.id, weapon, targets);
      }
      this.#writeDetails(ship, id);
    }
    say(phrase`${ship.name}: the captain's fire`);
  }

  /**
   * Write the system that a weapon aims at and its mode, as the captain has them.
   * @param {FireShip} ship
   * @param {string} weapon
   */
  #writeDetails(ship, weapon) {
    const { fields, form } = this.page;
    const details = ship.details?.find((detail) => detail.weapon === weapon);
    const { system = [], mode = "" } = details ?? {};
    const systems = Array.isArray(system) ? system.join(", ") : system;
    for (const { field, value } of [
      { field: fields.system, value: systems },
      { field: fields.mode, value: mode },
    ]) {
      const name = nameOf(field, ship.id, weapon);
      const input = fieldNamed(form, name);
      if (input) {
        input.value = value;
      } else if (value) {
        this.#addField(ship.id, name, value);
      }
    }
  }

  /**
   * Let a ship fire earlier or later than another: both change places.
   * @param {FireShip} ship
   * @param {1 | -1} by
   */
  shift(ship, by) {
    const { order, list, rows } = this.page;
    const i = order.indexOf(ship.id);
    const j = i + by;
    if (!order[j]) {
      return;
    }
    [order[i], order[j]] = [order[j], order[i]];
    const firing = order.map((id) => this.#placeOf(id)).filter(({ value }) => value);
    const numbers = firing.map(({ value }) => Number(value)).sort((a, b) => a - b);
    for (const [n, field] of firing.entries()) {
      field.value = String(numbers[n]);
    }
    const moved = order.map((id) => rows.get(id)).filter((row) => row !== undefined);
    list.append(...moved);
    say(phrase`${ship.name} fires ${j + 1} of ${order.length}`);
  }

  /** Give every ship that fires a number, and no other. */
  numberShips() {
    const { form, fields, order, fires } = this.page;
    const places = inputsIn(form, "[name]").filter(
      (field) => restOf(fields.order, field.name) !== null,
    );
    let last = Math.max(0, ...places.map(({ value }) => Number(value)));
    for (const id of order) {
      const field = this.#placeOf(id);
      if (!fires(id)) {
        field.value = "";
      } else if (!field.value) {
        last += 1;
        field.value = String(last);
      }
    }
  }

  /**
   * Add the fields of a ship whose weapons the form does not show one by one, made of its text.
   * @param {string} id
   */
  unfold(id) {
    const { fields, form, ships } = this.page;
    const brief = fieldNamed(form, nameOf(fields.brief, id));
    const fire = new Map(
      readFire(brief?.value ?? "").map(({ weapon, targets }) => [weapon, targets]),
    );
    const able = (ships.get(id)?.weapons ?? []).filter(
      (weapon) => weapon.ok && Object.keys(weapon.t).length && !fire.has(weapon.id),
    );
    for (const weapon of [...fire.keys(), ...able.map((other) => other.id)]) {
      this.#addFields(id, weapon, fire.get(weapon));
    }
    brief?.remove();
  }

  /**
   * Add the fields of a weapon.
   * @param {string} id
   * @param {string} weapon
   * @param {string[] | undefined} targets none: it is not ordered to fire
   */
  #addFields(id, weapon, targets) {
    const { fields } = this.page;
    if (targets && !targets.length) {
      this.#addField(id, nameOf(fields.target, id, weapon), "on");
      return;
    }
    const chosen = targets ?? [];
    for (let n = 0; n < Math.max(1, Math.min(CHOICES, chosen.length)); n++) {
      this.#addField(id, nameOf(fields.target, id, weapon, n), chosen[n]);
    }
    if (chosen.length > CHOICES) {
      const rest = chosen.slice(CHOICES).join(" ");
      this.#addField(id, nameOf(fields.further, id, weapon), rest);
    }
  }

  /**
   * Say what a target beneath the pointer is, and what is to be expected.
   * @param {FireShip} ship
   * @param {FireTarget} target
   */
  targetInWords(ship, target) {
    const { usable, distance, arcOf, expectedInWords } = this.page;
    const bearing = ship.weapons.filter((weapon) => usable(ship.id, weapon) && weapon.t[target.id]);
    const points = sum(bearing, (weapon) => weapon.t[target.id][1]);
    const effect = bearing.length
      ? phrase`${expectedInWords(target, points)} expected from all weapons that bear`
      : phrase`no weapon bears`;
    const range = distance(ship, target).toFixed(0);
    return phrase`${target.name}: ${range} MU, arc ${arcOf(ship, target)}, ${effect}`;
  }
}

/**
 * Sort targets by what a weapon does at them, the most first; those it does not bear on are left
 * out.
 * @param {FireWeapon} weapon
 * @param {string[]} targets
 */
const byPoints = (weapon, targets) =>
  targets.filter((id) => weapon.t[id]).sort((a, b) => weapon.t[b][1] - weapon.t[a][1]);
