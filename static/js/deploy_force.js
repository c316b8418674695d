// A force as it is planned: fleets with ships by class, what they cost, every step that can be
// undone; and the fields of the plain form, which are all that the server reads. What is lawful the
// server says: here it is only counted along.

import { html } from "./dom.js";
import { nameOf } from "./field.js";
import { KINDS } from "./classification_counts.js";
import { phrase } from "./phrase.js";

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/**
 * @param {PlannedFleet[]} fleets
 * @returns {string} their ships, to be compared
 */
const shipsOf = (fleets) =>
  JSON.stringify(fleets.map((fleet) => fleet.ships.map(({ cls, count }) => [cls, count])));

/** The fleets of a side before the war begins. */
export class Force {
  /** @type {{words: string, state: string}[]} */
  past = [];
  /** @type {{words: string, state: string}[]} */
  future = [];

  /** @param {DeployData} given */
  constructor(given) {
    this.classes = given.classes;
    this.budgets = given.budgets;
    this.decoyPoints = given.decoys;
    this.limit = given.limit;
    this.few = given.few;
    this.choices = given.choices;
    this.fields = given.fields;
    this.fleets = this.read(given.deploy);
  }

  /**
   * Return a deployment of orders as fleets: ships by class, in their order.
   * @param {DeployItem[]} deploy
   * @returns {PlannedFleet[]}
   */
  read(deploy) {
    return deploy.map((item) => ({
      name: item.name ?? "",
      budget: item.budget,
      hex: item.hex ?? "",
      decoys: Number(item.decoys) || 0,
      standing: item.standing ?? "",
      doctrine: item.doctrine ?? null,
      ships: shipRows(item.ships ?? []),
    }));
  }

  #state() {
    return JSON.stringify(this.fleets);
  }

  /**
   * Change something, as a step that can be undone.
   * @param {string} words
   * @param {() => void} change
   * @returns {boolean} whether anything changed
   */
  step(words, change) {
    const state = this.#state();
    change();
    if (this.#state() === state) {
      return false;
    }
    this.past.push({ words, state });
    this.future.length = 0;
    return true;
  }

  undo() {
    return this.#move(this.past, this.future);
  }

  redo() {
    return this.#move(this.future, this.past);
  }

  /**
   * @param {{words: string, state: string}[]} from
   * @param {{words: string, state: string}[]} to
   */
  #move(from, to) {
    const step = from.pop();
    if (!step) {
      return null;
    }
    to.push({ words: step.words, state: this.#state() });
    this.fleets = JSON.parse(step.state);
    return step;
  }

  /**
   * @param {string} id
   * @returns {ForceBudget}
   */
  budget(id) {
    return this.budgets.find((budget) => budget.id === id) ?? this.budgets[0];
  }

  /** @param {string} cls */
  nameOfClass(cls) {
    return this.classes[cls]?.name ?? cls;
  }

  /** @param {string} cls */
  points(cls) {
    return this.classes[cls]?.points ?? 0;
  }

  /** @param {PlannedFleet} fleet */
  ships(fleet) {
    return sum(fleet.ships.map((row) => row.count));
  }

  /** @param {PlannedFleet} fleet */
  cost(fleet) {
    const ships = sum(fleet.ships.map((row) => row.count * this.points(row.cls)));
    return ships + fleet.decoys * (this.decoyPoints ?? 0);
  }

  /**
   * Return the points of a budget that are not spent.
   * @param {string} budget
   */
  left(budget) {
    return this.budget(budget).points - sum(this.of(budget).map((fleet) => this.cost(fleet)));
  }

  /**
   * Return the fleets of a budget.
   * @param {string} budget
   */
  of(budget) {
    return this.fleets.filter((fleet) => fleet.budget === budget);
  }

  /**
   * Return counts of capitals, cruisers, escorts and others.
   * @param {PlannedFleet} fleet
   */
  kinds(fleet) {
    const counts = [0, 0, 0, 0];
    for (const row of fleet.ships) {
      const index = KINDS.indexOf(this.classes[row.cls]?.kind ?? "");
      counts[index < 0 ? 3 : index] += row.count;
    }
    return counts;
  }

  /** Count the classifications of the ships that can jump, and say which are too many. */
  shares() {
    /** @type {Record<string, number>} */
    const counts = {};
    const jumping = this.fleets.filter((fleet) => this.budget(fleet.budget).ftl !== "none");
    for (const row of jumping.flatMap((fleet) => fleet.ships)) {
      const kind = this.classes[row.cls]?.kind;
      if (kind) {
        counts[kind] = (counts[kind] ?? 0) + row.count;
      }
    }
    const all = sum(Object.values(counts));
    const [part, whole] = this.limit;
    const kinds = KINDS.map((kind) => {
      const count = counts[kind] ?? 0;
      return { kind, count, isOver: all >= this.few && count * whole > part * all };
    });
    return { all, kinds };
  }

  /**
   * Add ships of a class to a fleet, or take some out.
   * @param {PlannedFleet} fleet
   * @param {string} cls
   * @param {number} count negative: they are taken out
   * @param {string[]} names
   * @returns {string[]} the names of the ships that were taken out
   */
  add(fleet, cls, count, names = []) {
    let row = fleet.ships.find((other) => other.cls === cls);
    if (!row && count > 0) {
      row = { cls, count: 0, names: [] };
      fleet.ships.push(row);
    }
    if (!row) {
      return [];
    }
    row.count += count;
    row.names.push(...names);
    const removed = row.names.length > row.count ? row.names.splice(row.count) : [];
    if (row.count <= 0) {
      fleet.ships.splice(fleet.ships.indexOf(row), 1);
    }
    return removed;
  }

  /**
   * Move ships of a class to another fleet, each with its name.
   * @param {PlannedFleet} from
   * @param {string} cls
   * @param {PlannedFleet} to
   * @param {number} count
   */
  move(from, cls, to, count = 1) {
    for (let n = 0; n < count; n++) {
      this.add(to, cls, 1, this.add(from, cls, -1));
    }
  }

  /**
   * @param {PlannedFleet} from
   * @param {PlannedFleet} to
   */
  merge(from, to) {
    for (const row of [...from.ships]) {
      this.move(from, row.cls, to, row.count);
    }
    to.decoys += from.decoys;
    this.fleets.splice(this.fleets.indexOf(from), 1);
  }

  /**
   * Form a fleet without ships.
   * @param {string} budget
   * @param {Hex} [hex]
   */
  newFleet(budget, hex) {
    const names = new Set(this.fleets.map((fleet) => fleet.name));
    let n = 1;
    while (names.has(phrase`Fleet ${n}`)) {
      n += 1;
    }
    /** @type {PlannedFleet} */
    const fleet = {
      name: phrase`Fleet ${n}`,
      budget,
      hex: hex || this.budget(budget).places[0] || "",
      decoys: 0,
      standing: "",
      doctrine: null,
      ships: [],
    };
    this.fleets.push(fleet);
    return fleet;
  }

  /**
   * Move half of every class into a fleet of its own. Of odd numbers the larger half goes and stays
   * in turns.
   * @param {PlannedFleet} fleet
   */
  split(fleet) {
    const half = this.newFleet(fleet.budget, fleet.hex);
    half.standing = fleet.standing;
    half.doctrine = fleet.doctrine;
    let largerGoes = false;
    for (const row of [...fleet.ships]) {
      const isOdd = row.count % 2 === 1;
      const count = largerGoes ? Math.ceil(row.count / 2) : Math.floor(row.count / 2);
      if (isOdd) {
        largerGoes = !largerGoes;
      }
      this.move(fleet, row.cls, half, count);
    }
    const decoys = Math.min(Math.floor(fleet.decoys / 2), this.ships(half));
    fleet.decoys -= decoys;
    half.decoys += decoys;
    return half;
  }

  /**
   * Take over the names that the server gave, where the ships are still the same.
   * @param {DeployItem[]} deploy
   */
  adoptNames(deploy) {
    const saved = this.read(deploy);
    if (shipsOf(saved) !== shipsOf(this.fleets)) {
      return;
    }
    for (const [n, fleet] of saved.entries()) {
      for (const [m, row] of fleet.ships.entries()) {
        this.fleets[n].ships[m].names = row.names;
      }
    }
  }

  /**
   * Write the fields of the plain form into an element of it.
   * @param {HTMLElement} box
   */
  write(box) {
    /** @type {HTMLInputElement[]} */
    const inputs = [hidden("fleets", this.fleets.length)];
    /**
     * @param {string} field
     * @param {string | number} value
     * @param {...number} about
     */
    const put = (field, value, ...about) =>
      inputs.push(hidden(nameOf(this.fields[field], ...about), value));
    for (const [n, fleet] of this.fleets.entries()) {
      put("name", fleet.name, n);
      put("budget", fleet.budget, n);
      put("hex", fleet.hex, n);
      put("decoys", fleet.decoys, n);
      put("standing", fleet.standing, n);
      for (const [m, row] of fleet.ships.entries()) {
        put("cls", row.cls, n, m);
        put("count", row.count, n, m);
        put("names", row.names.join(", "), n, m);
      }
      if (fleet.doctrine) {
        put("range", fleet.doctrine.range ?? "", n);
        put("targets", fleet.doctrine.targets ?? "", n);
        put("break_off", fleet.doctrine.break_off ?? "", n);
      }
      if (fleet.doctrine?.flee) {
        put("flee", "on", n);
      }
    }
    box.replaceChildren(...inputs);
  }
}

/**
 * @param {string} name
 * @param {string | number} value
 */
const hidden = (name, value) => html("input", { type: "hidden", name, value: String(value) });

/**
 * @param {[string, string][]} ships class and name of each
 * @returns {ShipRow[]}
 */
function shipRows(ships) {
  /** @type {Map<string, ShipRow>} */
  const rows = new Map();
  for (const [cls, name] of ships) {
    const row = rows.get(cls) ?? { cls, count: 0, names: [] };
    row.count += 1;
    row.names.push(name);
    rows.set(cls, row);
  }
  return [...rows.values()];
}
