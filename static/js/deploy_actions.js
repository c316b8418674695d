// What a player does on the cards of the deployment: ships are bought, moved and named, fleets
// formed, split and merged. Fetched with the first touch.

import { closest, findAll, need } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { DeployEditor } from "./deploy.js" */

/** What can be done on the cards. */
export class DeployActions {
  /** @param {DeployEditor} page */
  constructor(page) {
    this.page = page;
    this.force = page.force;
  }

  /**
   * Answer a click on a card.
   * @param {EventTarget | null} target
   */
  clicked(target) {
    const { page, force } = this;
    /** @param {string} name */
    const pressed = (name) => closest(target, `[data-${name}]`, HTMLElement)?.dataset[name];
    const choice = pressed("choose");
    const budget = pressed("new");
    if (choice !== undefined) {
      const fleet = force.fleets[Number(choice)];
      page.choose(fleet === page.chosen ? null : fleet);
    } else if (budget !== undefined) {
      page.change(phrase`A new fleet`, () => {
        page.chosen = force.newFleet(budget);
      });
    } else if (page.chosen) {
      this.#clickedIn(page.chosen, target, pressed);
    }
  }

  /**
   * Answer a click in the open card.
   * @param {PlannedFleet} fleet
   * @param {EventTarget | null} target
   * @param {(name: string) => string | undefined} pressed
   */
  #clickedIn(fleet, target, pressed) {
    const { page, force } = this;
    const button = closest(target, "[data-f]", HTMLElement);
    const isRefused = button?.getAttribute("aria-disabled") === "true";
    const more = pressed("more");
    const less = pressed("less");
    const decoys = pressed("drones");
    if (more !== undefined) {
      this.#addShip(fleet, more, isRefused);
    } else if (less !== undefined) {
      this.#removeShip(fleet, less, isRefused);
    } else if (decoys !== undefined) {
      this.#changeDecoys(fleet, Number(decoys), isRefused);
    } else if (pressed("split") !== undefined) {
      page.change(phrase`${fleet.name} split in two`, () => force.split(fleet));
    } else if (pressed("away") !== undefined) {
      page.change(phrase`${fleet.name} disbanded`, () => {
        force.fleets.splice(force.fleets.indexOf(fleet), 1);
        page.chosen = null;
      });
    }
  }

  /**
   * @param {PlannedFleet} fleet
   * @param {string} cls
   * @param {boolean} isRefused
   */
  #addShip(fleet, cls, isRefused) {
    const { page, force } = this;
    const name = force.nameOfClass(cls);
    if (isRefused) {
      const left = Math.max(0, force.left(fleet.budget));
      page.says(
        phrase`${name} costs ${force.points(cls)} {:point|points}; ${left} {:is|are} left.`,
        true,
      );
      return;
    }
    page.change(phrase`One ${name} more in ${fleet.name}`, () => force.add(fleet, cls, 1));
  }

  /**
   * @param {PlannedFleet} fleet
   * @param {string} cls
   * @param {boolean} isRefused
   */
  #removeShip(fleet, cls, isRefused) {
    const { page, force } = this;
    const name = force.nameOfClass(cls);
    if (isRefused) {
      page.says(phrase`${fleet.name} has no ${name}.`, true);
      return;
    }
    page.change(phrase`One ${name} less in ${fleet.name}`, () => force.add(fleet, cls, -1));
  }

  /**
   * @param {PlannedFleet} fleet
   * @param {number} count
   * @param {boolean} isRefused
   */
  #changeDecoys(fleet, count, isRefused) {
    const { page } = this;
    if (isRefused) {
      page.says(
        phrase`Each decoy costs points and needs a ship to carry it, one decoy per ship.`,
        true,
      );
      return;
    }
    page.change(phrase`Decoys of ${fleet.name}`, () => {
      fleet.decoys += count;
    });
  }

  /**
   * Take over what was changed in a field of the open card.
   * @param {EventTarget | null} target
   */
  changed(target) {
    const { chosen } = this.page;
    if (!chosen) {
      return;
    }
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
      if (target.dataset.how) {
        this.#changeDoctrine(chosen);
      } else if (target instanceof HTMLInputElement) {
        this.#typed(chosen, target);
      } else {
        this.#selected(chosen, target);
      }
    }
  }

  /**
   * @param {PlannedFleet} fleet
   * @param {HTMLSelectElement} list
   */
  #selected(fleet, list) {
    const { page, force } = this;
    const { value, dataset } = list;
    if (dataset.hex !== undefined) {
      page.put(fleet, value);
    } else if (dataset.standing !== undefined) {
      page.change(phrase`Standing order of ${fleet.name}`, () => {
        fleet.standing = value;
      });
    } else if (dataset.move !== undefined && value) {
      this.shift(fleet, dataset.move, value === "new" ? null : force.fleets[Number(value)]);
    } else if (dataset.merge !== undefined && value) {
      const into = force.fleets[Number(value)];
      page.change(phrase`${fleet.name} merged into ${into.name}`, () => {
        force.merge(fleet, into);
        page.chosen = into;
      });
    }
  }

  /**
   * @param {PlannedFleet} fleet
   * @param {HTMLInputElement} field
   */
  #typed(fleet, field) {
    const { page } = this;
    const { value, dataset } = field;
    const row = fleet.ships.find(({ cls }) => cls === dataset.names);
    if (dataset.name !== undefined) {
      page.changeInPlace(phrase`${value} named`, () => {
        fleet.name = value;
        const title = need(page.list, ".chosen .nm", HTMLElement);
        title.firstChild?.replaceWith(`${value} `);
      });
    } else if (row) {
      page.changeInPlace(phrase`Ships named`, () => {
        const names = value.split(",").map((name) => name.trim());
        row.names = names.filter(Boolean).slice(0, row.count);
      });
    }
  }

  /** @param {PlannedFleet} fleet */
  #changeDoctrine(fleet) {
    const { page } = this;
    /** @type {Doctrine} */
    const doctrine = {};
    for (const field of findAll(page.list, "[data-how]", HTMLElement)) {
      const part = field.dataset.how ?? "";
      if (field instanceof HTMLInputElement && field.type === "checkbox") {
        doctrine[part] = field.checked;
      } else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
        doctrine[part] = field.value;
      }
    }
    page.changeInPlace(phrase`Doctrine of ${fleet.name}`, () => {
      fleet.doctrine = doctrine;
    });
  }

  /**
   * Move a ship of a class to another fleet.
   * @param {PlannedFleet} from
   * @param {string} cls
   * @param {PlannedFleet | null} to null: to a new one
   */
  shift(from, cls, to) {
    const { page, force } = this;
    const name = force.nameOfClass(cls);
    const target = to ? to.name : phrase`a new fleet`;
    page.change(phrase`One ${name} from ${from.name} to ${target}`, () => {
      force.move(from, cls, to ?? force.newFleet(from.budget, from.hex));
    });
  }
}
