// Handles what a player does on the cards of the deployment page: buys, moves and names ships;
// forms, splits and merges fleets. Loaded on the first touch of a card.

import { closest, findAll, need } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { DeployEditor } from "./deploy.js" */

/** The actions of the player on the cards. */
export class DeployActions {
  /** @param {DeployEditor} page */
  constructor(page) {
    this.page = page;
    this.force = page.force;
  }

  /**
   * Handle a click on a card.
   * @param {EventTarget | null} target
   */
  onClick(target) {
    const { page, force } = this;
    /** @param {string} name */
    const pressed = (name) => closest(target, `[data-${name}]`, HTMLElement)?.dataset[name];
    const choice = pressed("choose");
    const budget = pressed("new");
    if (choice !== undefined) {
      const fleet = force.fleets[Number(choice)];
      page.choose(fleet === page.chosenFleet ? null : fleet);
    } else if (budget !== undefined) {
      page.change(phrase`A new fleet`, () => {
        page.chosenFleet = force.newFleet(budget);
      });
    } else if (page.chosenFleet) {
      this.#onCardClick(page.chosenFleet, target, pressed);
    }
  }

  /**
   * Handle a click in the card of the chosen fleet.
   * @param {PlannedFleet} fleet
   * @param {EventTarget | null} target
   * @param {(name: string) => string | undefined} pressed finds the pressed element's data
   *   attribute
   */
  #onCardClick(fleet, target, pressed) {
    const { page, force } = this;
    const button = closest(target, "[data-f]", HTMLElement);
    const isRefused = button?.getAttribute("aria-disabled") === "true";
    const more = pressed("more");
    const less = pressed("less");
    const decoys = pressed("decoys");
    const aces = pressed("aces");
    if (more !== undefined) {
      this.#addShip(fleet, more, isRefused);
    } else if (less !== undefined) {
      this.#removeShip(fleet, less, isRefused);
    } else if (decoys !== undefined) {
      this.#changeDecoys(fleet, Number(decoys), isRefused);
    } else if (aces !== undefined) {
      this.#changeAces(fleet, Number(aces), isRefused);
    } else if (pressed("split") !== undefined) {
      page.change(phrase`${fleet.name} split in two`, () => force.split(fleet));
    } else if (pressed("away") !== undefined) {
      page.change(phrase`${fleet.name} disbanded`, () => {
        force.fleets.splice(force.fleets.indexOf(fleet), 1);
        page.chosenFleet = null;
      });
    }
  }

  /**
   * Add a ship to a fleet.
   * @param {PlannedFleet} fleet
   * @param {string} cls the key of its class
   * @param {boolean} isRefused whether too few points are left
   */
  #addShip(fleet, cls, isRefused) {
    const { page, force } = this;
    const name = force.nameOfClass(cls);
    if (isRefused) {
      const left = Math.max(0, force.pointsLeft(fleet.budget));
      page.showMessage(
        phrase`${name} costs ${force.priceOf(cls)} {:point|points}; ${left} {:is|are} left.`,
        true,
      );
      return;
    }
    page.change(phrase`One ${name} more in ${fleet.name}`, () => force.addShips(fleet, cls, 1));
  }

  /**
   * Remove a ship from a fleet.
   * @param {PlannedFleet} fleet
   * @param {string} cls the key of its class
   * @param {boolean} isRefused whether the fleet has no such ship
   */
  #removeShip(fleet, cls, isRefused) {
    const { page, force } = this;
    const name = force.nameOfClass(cls);
    if (isRefused) {
      page.showMessage(phrase`${fleet.name} has no ${name}.`, true);
      return;
    }
    page.change(phrase`One ${name} less in ${fleet.name}`, () => force.addShips(fleet, cls, -1));
  }

  /**
   * Add decoys to a fleet, or remove some.
   * @param {PlannedFleet} fleet
   * @param {number} count the number of decoys to add; negative to remove
   * @param {boolean} isRefused whether the change is not possible
   */
  #changeDecoys(fleet, count, isRefused) {
    const { page } = this;
    if (isRefused) {
      page.showMessage(
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
   * Buy aces for a fleet, or return some.
   * @param {PlannedFleet} fleet
   * @param {number} count the number of aces to add; negative to return
   * @param {boolean} isRefused whether the change is not possible
   */
  #changeAces(fleet, count, isRefused) {
    const { page } = this;
    if (isRefused) {
      page.showMessage(
        phrase`Each ace costs points and leads a group of fighters, one ace per group.`,
        true,
      );
      return;
    }
    page.change(phrase`Aces of ${fleet.name}`, () => {
      fleet.aces += count;
    });
  }

  /**
   * Handle a changed field of the chosen fleet's card.
   * @param {EventTarget | null} target
   */
  onFieldChange(target) {
    const { chosenFleet } = this.page;
    if (!chosenFleet) {
      return;
    }
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
      if (target.dataset.how) {
        this.#changeDoctrine(chosenFleet);
      } else if (target instanceof HTMLInputElement) {
        this.#onTextChange(chosenFleet, target);
      } else {
        this.#onSelection(chosenFleet, target);
      }
    }
  }

  /**
   * Handle a changed list.
   * @param {PlannedFleet} fleet
   * @param {HTMLSelectElement} list
   */
  #onSelection(fleet, list) {
    const { page, force } = this;
    const { value, dataset } = list;
    if (dataset.hex !== undefined) {
      page.placeFleet(fleet, value);
    } else if (dataset.thrust !== undefined) {
      page.change(phrase`Thrust of the decoys of ${fleet.name}`, () => {
        fleet.decoyThrust = Number(value);
      });
    } else if (dataset.standing !== undefined) {
      page.change(phrase`Standing order of ${fleet.name}`, () => {
        fleet.standing = value;
      });
    } else if (dataset.move !== undefined && value) {
      this.moveShip(fleet, dataset.move, value === "new" ? null : force.fleets[Number(value)]);
    } else if (dataset.merge !== undefined && value) {
      const target = force.fleets[Number(value)];
      page.change(phrase`${fleet.name} merged into ${target.name}`, () => {
        force.merge(fleet, target);
        page.chosenFleet = target;
      });
    }
  }

  /**
   * Handle a changed text: the name of the fleet or of its ships.
   * @param {PlannedFleet} fleet
   * @param {HTMLInputElement} field
   */
  #onTextChange(fleet, field) {
    const { page } = this;
    const { value, dataset } = field;
    const row = fleet.ships.find(({ cls }) => cls === dataset.names);
    if (dataset.name !== undefined) {
      const label = value.trim() ? phrase`${value} named` : phrase`Name of a fleet deleted`;
      page.changeInPlace(label, () => {
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

  /**
   * Read the fleet's doctrine from its fields.
   * @param {PlannedFleet} fleet
   */
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
   * @param {string} cls the key of the class
   * @param {PlannedFleet | null} to null for a new fleet
   */
  moveShip(from, cls, to) {
    const { page, force } = this;
    const name = force.nameOfClass(cls);
    const targetName = to ? to.name : phrase`a new fleet`;
    page.change(phrase`One ${name} from ${from.name} to ${targetName}`, () => {
      force.moveShips(from, cls, to ?? force.newFleet(from.budget, from.hex));
    });
  }
}
