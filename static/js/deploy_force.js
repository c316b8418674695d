// Holds the planned force: its fleets with ships by class, their costs and the undo history. It
// writes the fields of the plain form, which are all that the server reads. Points and shares are
// counted here for display; the server decides what is legal.

import { html } from "./dom.js";
import { nameOf } from "./field.js";
import { KINDS } from "./classification_counts.js";
import { phrase } from "./phrase.js";

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/**
 * Return the ships of fleets as text for comparison.
 * @param {PlannedFleet[]} fleets
 * @returns {string}
 */
const shipsAsText = (fleets) =>
  JSON.stringify(fleets.map((fleet) => fleet.ships.map(({ cls, count }) => [cls, count])));

/** The fleets with which a faction starts the war. */
export class Force {
  /** @type {{words: string, state: string}[]} */
  undoSteps = [];
  /** @type {{words: string, state: string}[]} */
  redoSteps = [];

  /** @param {DeployData} data */
  constructor(data) {
    this.classes = data.classes;
    this.budgets = data.budgets;
    this.decoyPoints = data.decoys;
    this.greatestDecoyThrust = data.decoyThrust;
    this.acePoints = data.aces;
    this.limit = data.limit;
    this.few = data.few;
    this.choices = data.choices;
    this.fields = data.fields;
    this.fleets = this.fleetsFromOrders(data.deploy);
  }

  /**
   * Return the fleets of stored orders, with their ships by class.
   * @param {DeployItem[]} deploy
   * @returns {PlannedFleet[]}
   */
  fleetsFromOrders(deploy) {
    return deploy.map((item) => ({
      name: item.name ?? "",
      budget: item.budget,
      hex: item.hex ?? "",
      decoys: Number(item.decoys) || 0,
      decoyThrust: Number(item.decoy_thrust) || 0,
      aces: sum(Object.values(item.pilots ?? {}).map((bays) => Object.keys(bays).length)),
      standing: item.standing ?? "",
      doctrine: item.doctrine ?? null,
      ships: shipRows(item.ships ?? []),
    }));
  }

  #state() {
    return JSON.stringify(this.fleets);
  }

  /**
   * Make a change as a step that can be undone.
   * @param {string} words what the step does
   * @param {() => void} change
   * @returns {boolean} whether anything changed
   */
  recordStep(words, change) {
    const state = this.#state();
    change();
    if (this.#state() === state) {
      return false;
    }
    this.undoSteps.push({ words, state });
    this.redoSteps.length = 0;
    return true;
  }

  undo() {
    return this.#move(this.undoSteps, this.redoSteps);
  }

  redo() {
    return this.#move(this.redoSteps, this.undoSteps);
  }

  /**
   * Move the last step from one list to the other, and restore its state.
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
   * Return a budget by its id; the first if there is none.
   * @param {string} id
   * @returns {ForceBudget}
   */
  budget(id) {
    return this.budgets.find((budget) => budget.id === id) ?? this.budgets[0];
  }

  /**
   * Return the name of a class.
   * @param {string} cls the key of the class
   */
  nameOfClass(cls) {
    return this.classes[cls]?.name ?? cls;
  }

  /**
   * Return the price of a class in points.
   * @param {string} cls the key of the class
   */
  priceOf(cls) {
    return this.classes[cls]?.points ?? 0;
  }

  /**
   * Return the number of ships in a fleet.
   * @param {PlannedFleet} fleet
   */
  shipCount(fleet) {
    return sum(fleet.ships.map((row) => row.count));
  }

  /**
   * Return the number of groups of fighters with pilots in a fleet.
   * @param {PlannedFleet} fleet
   */
  groupCount(fleet) {
    return sum(fleet.ships.map((row) => row.count * (this.classes[row.cls]?.groups ?? 0)));
  }

  /**
   * Return the cost of a fleet with its decoys and aces in points.
   * @param {PlannedFleet} fleet
   */
  cost(fleet) {
    const ships = sum(fleet.ships.map((row) => row.count * this.priceOf(row.cls)));
    const aces = fleet.aces * (this.acePoints ?? 0);
    return ships + fleet.decoys * (this.decoyPoints ?? 0) + aces;
  }

  /**
   * Return the points of a budget that are left; negative if it is overspent.
   * @param {string} budget the id of the budget
   */
  pointsLeft(budget) {
    return this.budget(budget).points - sum(this.fleetsOf(budget).map((fleet) => this.cost(fleet)));
  }

  /**
   * Return the fleets of a budget.
   * @param {string} budget the id of the budget
   */
  fleetsOf(budget) {
    return this.fleets.filter((fleet) => fleet.budget === budget);
  }

  /**
   * Return the numbers of capitals, cruisers, escorts and others in a fleet.
   * @param {PlannedFleet} fleet
   */
  countKinds(fleet) {
    const counts = [0, 0, 0, 0];
    for (const row of fleet.ships) {
      const index = KINDS.indexOf(this.classes[row.cls]?.kind ?? "");
      counts[index < 0 ? KINDS.length : index] += row.count;
    }
    return counts;
  }

  /** Count the ships that can jump by classification, and whether they exceed the largest share. */
  shares() {
    /** @type {Record<string, number>} */
    const counts = {};
    const ftlFleets = this.fleets.filter((fleet) => this.budget(fleet.budget).ftl !== "none");
    for (const row of ftlFleets.flatMap((fleet) => fleet.ships)) {
      const kind = this.classes[row.cls]?.kind;
      if (kind) {
        counts[kind] = (counts[kind] ?? 0) + row.count;
      }
    }
    const total = sum(Object.values(counts));
    const [part, whole] = this.limit;
    const kinds = KINDS.map((kind) => {
      const count = counts[kind] ?? 0;
      return { kind, count, isOver: total >= this.few && count * whole > part * total };
    });
    return { total, kinds };
  }

  /**
   * Add ships of a class to a fleet, or remove some.
   * @param {PlannedFleet} fleet
   * @param {string} cls the key of the class
   * @param {number} count the number of ships to add; negative to remove
   * @param {string[]} names the names of the new ships
   * @returns {string[]} the names of the removed ships
   */
  addShips(fleet, cls, count, names = []) {
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
   * @param {string} cls the key of the class
   * @param {PlannedFleet} to
   * @param {number} count
   */
  moveShips(from, cls, to, count = 1) {
    for (let n = 0; n < count; n++) {
      this.addShips(to, cls, 1, this.addShips(from, cls, -1));
    }
  }

  /**
   * Merge a fleet into another.
   * @param {PlannedFleet} from
   * @param {PlannedFleet} to
   */
  merge(from, to) {
    for (const row of [...from.ships]) {
      this.moveShips(from, row.cls, to, row.count);
    }
    to.decoys += from.decoys;
    to.aces += from.aces;
    this.fleets.splice(this.fleets.indexOf(from), 1);
  }

  /**
   * Add a fleet without ships.
   * @param {string} budget the id of its budget
   * @param {Hex} [hex] where it starts; the first place of the budget by default
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
      decoyThrust: 0,
      aces: 0,
      standing: "",
      doctrine: null,
      ships: [],
    };
    this.fleets.push(fleet);
    return fleet;
  }

  /**
   * Move half of the ships of each class to a new fleet. For odd numbers, the larger half stays and
   * goes in turns.
   * @param {PlannedFleet} fleet
   */
  split(fleet) {
    const newFleet = this.newFleet(fleet.budget, fleet.hex);
    newFleet.standing = fleet.standing;
    newFleet.doctrine = fleet.doctrine;
    newFleet.decoyThrust = fleet.decoyThrust;
    let largerGoes = false;
    for (const row of [...fleet.ships]) {
      const isOdd = row.count % 2 === 1;
      const count = largerGoes ? Math.ceil(row.count / 2) : Math.floor(row.count / 2);
      if (isOdd) {
        largerGoes = !largerGoes;
      }
      this.moveShips(fleet, row.cls, newFleet, count);
    }
    const decoys = Math.min(Math.floor(fleet.decoys / 2), this.shipCount(newFleet));
    fleet.decoys -= decoys;
    newFleet.decoys += decoys;
    const aces = Math.max(0, fleet.aces - this.groupCount(fleet));
    fleet.aces -= aces;
    newFleet.aces += aces;
    return newFleet;
  }

  /**
   * Store the names that the server has given to ships, if the ships have not changed since.
   * @param {DeployItem[]} deploy
   */
  adoptNames(deploy) {
    const saved = this.fleetsFromOrders(deploy);
    if (shipsAsText(saved) !== shipsAsText(this.fleets)) {
      return;
    }
    for (const [n, fleet] of saved.entries()) {
      for (const [m, row] of fleet.ships.entries()) {
        this.fleets[n].ships[m].names = row.names;
      }
    }
  }

  /**
   * Write the fields of the plain form into an element.
   * @param {HTMLElement} box
   */
  writeFields(box) {
    /** @type {HTMLInputElement[]} */
    const inputs = [hidden("fleets", this.fleets.length)];
    /**
     * @param {string} field
     * @param {string | number} value
     * @param {...number} numbers the numbers of the fleet and the row of ships
     */
    const addField = (field, value, ...numbers) =>
      inputs.push(hidden(nameOf(this.fields[field], ...numbers), value));
    for (const [n, fleet] of this.fleets.entries()) {
      addField("name", fleet.name, n);
      addField("budget", fleet.budget, n);
      addField("hex", fleet.hex, n);
      addField("decoys", fleet.decoys, n);
      addField("decoyThrust", fleet.decoyThrust || "", n);
      addField("aces", fleet.aces || "", n);
      addField("standing", fleet.standing, n);
      for (const [m, row] of fleet.ships.entries()) {
        addField("cls", row.cls, n, m);
        addField("count", row.count, n, m);
        addField("names", row.names.join(", "), n, m);
      }
      for (const [field, value] of doctrineFields(fleet.doctrine)) {
        addField(field, value, n);
      }
    }
    box.replaceChildren(...inputs);
  }
}

/** The fields of a doctrine that take its values as they are. */
const DOCTRINE_FIELDS = /** @type {const} */ ([
  "range",
  "targets",
  "break_off",
  "formation",
  "speed",
]);

/**
 * Return the fields of a doctrine with their values.
 * @param {Doctrine | null} doctrine
 * @returns {[string, string | number][]}
 */
function doctrineFields(doctrine) {
  if (!doctrine) {
    return [];
  }
  /** @type {[string, string | number][]} */
  const fields = DOCTRINE_FIELDS.map((field) => [field, doctrine[field] ?? ""]);
  fields.push(["reserve", doctrine.reserve || ""]);
  if (doctrine.flee) {
    fields.push(["flee", "on"]);
  }
  return fields;
}

/**
 * Return a hidden field.
 * @param {string} name
 * @param {string | number} value
 */
const hidden = (name, value) => html("input", { type: "hidden", name, value: String(value) });

/**
 * Group ships by class.
 * @param {[string, string][]} ships the class key and name of each ship
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
