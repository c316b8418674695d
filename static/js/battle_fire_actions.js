// Changes to the orders of fire: targets of weapons, best fire, captain's fire, and the order in
// which ships fire. Loaded on the first change.

import { sum } from "./battle_cells.js";
import { announce, fieldNamed, inputsIn } from "./battle_page.js";
import { closest, html } from "./dom.js";
import { nameOf, restOf } from "./field.js";
import { phrase } from "./phrase.js";

/** @import { page as firePage } from "./battle_fire.js" */

const TARGET_FIELDS = 3; // fields for targets that a weapon has; more targets share one text field

/**
 * Read orders of fire as captains write them: "weapon target target; weapon target".
 * @param {string} text
 */
const parseFire = (text) =>
  text
    .split(";")
    .map((part) => part.trim().split(/\s+/))
    .filter(([weapon]) => weapon)
    .map(([weapon, ...targets]) => ({ weapon, targets }));

/** The changes to the orders of fire on one page. */
export class FireActions {
  /** @param {typeof firePage} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * Add a hidden field to those of a ship.
   * @param {string} id
   * @param {string} name
   * @param {string} value
   */
  #addField(id, name, value = "") {
    const input = html("input", { type: "hidden", name, value });
    this.page.fieldBoxes.get(id)?.append(input);
    return input;
  }

  /**
   * Return the field with a ship's place in the firing order; empty if it does not fire.
   * @param {string} id
   */
  #orderField(id) {
    const name = nameOf(this.page.fields.order, id);
    return fieldNamed(this.page.form, name) ?? this.#addField(id, name);
  }

  /**
   * Let a ship fire next, if sides fire ship by ship; all others hold their fire.
   * @param {string | undefined} id
   */
  chooseShip(id) {
    const { fields, form, ships, isFiring } = this.page;
    const choice = fieldNamed(form, nameOf(fields.ship));
    if (!choice || !id) {
      return;
    }
    for (const other of ships.values()) {
      if (other.id !== id && isFiring(other.id)) {
        choice.value = other.id; // or holding its fire would choose it
        this.holdFire(other);
      }
    }
    choice.value = id;
  }

  /**
   * Let the ship whose row was changed fire next. A ship that was chosen by its
   * name is shown, and aims at its best targets if it has none.
   * @param {EventTarget | null} field
   */
  chooseShipOf(field) {
    const { fields, form, rows, ships, isFiring } = this.page;
    const choice = fieldNamed(form, nameOf(fields.ship));
    const ship = field === choice && ships.get(choice?.value ?? "");
    if (ship) {
      /** @type {HTMLElement | null | undefined} */
      const row = rows.get(ship.id)?.querySelector(".ship");
      row?.click();
      if (!isFiring(ship.id)) {
        this.aimBest(ship);
      }
    }
    this.chooseShip(closest(field, "[data-row]", HTMLElement)?.dataset.row);
  }

  /**
   * Write the targets of a weapon, the first choice first.
   * @param {string} id
   * @param {FireWeapon} weapon
   * @param {string[]} targets
   */
  #writeTargets(id, weapon, targets) {
    this.chooseShip(id);
    const { fields, targetField, targetsById } = this.page;
    for (let n = 0; n < TARGET_FIELDS; n++) {
      const name = nameOf(fields.target, id, weapon.id, n);
      const list = targetField(id, weapon.id, n) ?? this.#addField(id, name);
      const value = targets[n] ?? "";
      const options = list instanceof HTMLSelectElement ? [...list.options] : [];
      const isOffered = options.some((option) => option.value === value);
      if (list instanceof HTMLSelectElement && value && !isOffered) {
        list.append(new Option(targetsById.get(value)?.name ?? value, value));
      }
      list.value = value;
    }
    this.#writeFurtherTargets(id, weapon, targets.slice(TARGET_FIELDS).join(" "));
  }

  /**
   * Write the targets that have no field of their own.
   * @param {string} id
   * @param {FireWeapon} weapon
   * @param {string} targets ids with spaces between them
   */
  #writeFurtherTargets(id, weapon, targets) {
    const name = nameOf(this.page.fields.further, id, weapon.id);
    const field = fieldNamed(this.page.form, name);
    if (field) {
      field.value = targets;
    } else if (targets) {
      this.#addField(id, name, targets);
    }
  }

  /**
   * Aim weapons of a ship at a target. The other targets in range become further choices, the best
   * first.
   * @param {FireShip} ship
   * @param {FireWeapon[]} weapons
   * @param {string} target the target; "" lets the weapons hold their fire
   */
  aimWeapons(ship, weapons, target) {
    const { fireConSettings, targetsById, expectedPoints, describeExpectation } = this.page;
    const neededSettings = fireConSettings(ship, weapons);
    const controlled = target ? weapons.filter(({ fc }) => fc) : [];
    for (const { fc } of controlled) {
      neededSettings.add(`${fc} ${target}`);
    }
    if (controlled.length && neededSettings.size > ship.firecons) {
      announce(phrase`${ship.name} has no free FireCon for that`, true);
      return;
    }
    for (const weapon of weapons) {
      const others = targetsByPoints(weapon, Object.keys(weapon.prospects)).filter(
        (id) => id !== target,
      );
      this.#writeTargets(ship.id, weapon, target ? [target, ...others] : []);
    }
    const knownTarget = targetsById.get(target);
    if (knownTarget) {
      const points = describeExpectation(knownTarget, expectedPoints(ship, target));
      announce(phrase`${ship.name} → ${knownTarget.name}: ${phrase`${points} expected`}`);
    }
  }

  /**
   * Let all weapons of a ship hold their fire.
   * @param {FireShip} ship
   */
  holdFire(ship) {
    for (const weapon of ship.weapons) {
      if (this.page.canFire(ship.id, weapon)) {
        this.#writeTargets(ship.id, weapon, []);
      }
    }
  }

  /**
   * Aim this many weapons of a group at a target; the others that were aimed at it hold their fire.
   * @param {FireShip} ship
   * @param {string} key the key of the group
   * @param {string} target
   * @param {number} [count] without it, all weapons, or none if all are aimed already
   */
  aimGroup(ship, key, target, count) {
    const { bearing, aimed } = this.page.weaponsAimed(ship, key, target);
    const all = aimed.length === bearing.length ? 0 : bearing.length;
    const wanted = bearing.slice(0, count ?? all);
    this.aimWeapons(ship, aimed, "");
    if (wanted.length) {
      this.aimWeapons(ship, wanted, target);
    }
  }

  /**
   * Aim all weapons that bear on a target at it, or let them hold their fire if they are already.
   * @param {FireShip} ship
   * @param {string} target
   */
  aimAll(ship, target) {
    const { canFire, firstTargetOf, targetsById } = this.page;
    const weapons = ship.weapons.filter(
      (weapon) => canFire(ship.id, weapon) && weapon.prospects[target],
    );
    if (!weapons.length) {
      announce(
        phrase`No weapon of ${ship.name} bears on ${targetsById.get(target)?.name ?? target}`,
        true,
      );
      return;
    }
    const isSet = weapons.every((weapon) => firstTargetOf(ship.id, weapon.id) === target);
    this.aimWeapons(ship, weapons, isSet ? "" : target);
  }

  /**
   * Set the FireCons to the targets on which the ship is expected to score most, and each weapon to
   * its best target among these.
   * @param {FireShip} ship
   */
  aimBest(ship) {
    const { targetsById, canFire, fireConSettings, pointsAt } = this.page;
    this.holdFire(ship);
    const weapons = ship.weapons.filter((weapon) => canFire(ship.id, weapon));
    /** @param {string} target */
    const pointsOf = (target) =>
      sum(weapons, (weapon) => (weapon.fc ? pointsAt(weapon, target) : 0));
    const targets = [...targetsById.keys()]
      .filter(pointsOf)
      .sort((a, b) => pointsOf(b) - pointsOf(a))
      .slice(0, ship.firecons);
    for (const weapon of weapons) {
      const [target] = targetsByPoints(weapon, weapon.fc ? targets : Object.keys(weapon.prospects));
      const used = fireConSettings(ship, [weapon]).add(`${weapon.fc} ${target}`).size;
      if (target && (!weapon.fc || used <= ship.firecons)) {
        this.aimWeapons(ship, [weapon], target);
      }
    }
  }

  /**
   * Take over the captain's orders of fire.
   * @param {FireShip} ship
   */
  useCaptainsFire(ship) {
    this.holdFire(ship);
    for (const { weapon: id, targets } of parseFire(ship.captain)) {
      const weapon = ship.weapons.find((other) => other.id === id);
      if (weapon && this.page.canFire(ship.id, weapon)) {
        this.#writeTargets(ship.id, weapon, targets);
      }
      this.#writeDetails(ship, id);
    }
    announce(phrase`${ship.name}: the captain's fire`);
  }

  /**
   * Write the mode of a weapon and the system at which it aims, as the captain proposes.
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
   * Let a ship change places with the one before or after it in the firing order.
   * @param {FireShip} ship
   * @param {1 | -1} by -1 fires earlier
   */
  moveInOrder(ship, by) {
    const { firingOrder: order, list, rows } = this.page;
    const i = order.indexOf(ship.id);
    const j = i + by;
    if (!order[j]) {
      return;
    }
    [order[i], order[j]] = [order[j], order[i]];
    const firing = order.map((id) => this.#orderField(id)).filter(({ value }) => value);
    const numbers = firing.map(({ value }) => Number(value)).sort((a, b) => a - b);
    for (const [n, field] of firing.entries()) {
      field.value = String(numbers[n]);
    }
    const moved = order.map((id) => rows.get(id)).filter((row) => row !== undefined);
    list.append(...moved);
    announce(phrase`${ship.name}, firing order: ${j + 1} of ${order.length}`);
  }

  /** Give each ship that fires a place in the firing order, and remove it from the others. */
  numberShips() {
    const { form, fields, firingOrder, isFiring } = this.page;
    const places = inputsIn(form, "[name]").filter(
      (field) => restOf(fields.order, field.name) !== null,
    );
    let last = Math.max(0, ...places.map(({ value }) => Number(value)));
    for (const id of firingOrder) {
      const field = this.#orderField(id);
      if (!isFiring(id)) {
        field.value = "";
      } else if (!field.value) {
        last += 1;
        field.value = String(last);
      }
    }
  }

  /**
   * Add the fields of a ship for which the form has only one text field, and remove that.
   * @param {string} id
   */
  addFieldsOfShip(id) {
    const { fields, form, ships } = this.page;
    const brief = fieldNamed(form, nameOf(fields.brief, id));
    const fire = new Map(
      parseFire(brief?.value ?? "").map(({ weapon, targets }) => [weapon, targets]),
    );
    const able = (ships.get(id)?.weapons ?? []).filter(
      (weapon) => weapon.isWorking && Object.keys(weapon.prospects).length && !fire.has(weapon.id),
    );
    for (const weapon of [...fire.keys(), ...able.map((other) => other.id)]) {
      this.#addFieldsOfWeapon(id, weapon, fire.get(weapon));
    }
    brief?.remove();
  }

  /**
   * Add the fields of a weapon.
   * @param {string} id the ship
   * @param {string} weapon
   * @param {string[] | undefined} targets undefined if it has no orders; empty if it fires without
   *   a target
   */
  #addFieldsOfWeapon(id, weapon, targets) {
    const { fields } = this.page;
    if (targets && !targets.length) {
      this.#addField(id, nameOf(fields.target, id, weapon), "on");
      return;
    }
    const chosen = targets ?? [];
    for (let n = 0; n < Math.max(1, Math.min(TARGET_FIELDS, chosen.length)); n++) {
      this.#addField(id, nameOf(fields.target, id, weapon, n), chosen[n]);
    }
    if (chosen.length > TARGET_FIELDS) {
      const rest = chosen.slice(TARGET_FIELDS).join(" ");
      this.#addField(id, nameOf(fields.further, id, weapon), rest);
    }
  }

  /**
   * Describe a target under the pointer: range, arc and expected result.
   * @param {FireShip} ship
   * @param {FireTarget} target
   */
  describeTarget(ship, target) {
    const { canFire, distance, arcOf, describeExpectation, pointsAt } = this.page;
    const bearing = ship.weapons.filter(
      (weapon) => canFire(ship.id, weapon) && weapon.prospects[target.id],
    );
    const points = sum(bearing, (weapon) => pointsAt(weapon, target.id));
    const effect = bearing.length
      ? phrase`${describeExpectation(target, points)} expected from all weapons that bear`
      : phrase`no weapon bears`;
    const range = distance(ship, target).toFixed(0);
    return phrase`${target.name}: ${range} MU, arc ${arcOf(ship, target)}, ${effect}`;
  }
}

/**
 * Return the targets on which a weapon bears, the most expected points first.
 * @param {FireWeapon} weapon
 * @param {string[]} targets
 */
const targetsByPoints = (weapon, targets) =>
  targets
    .filter((id) => weapon.prospects[id])
    .sort((a, b) => weapon.prospects[b][1] - weapon.prospects[a][1]);
