// What a hand does on the cards of the deployment: ships are bought, moved and named, fleets formed, split and merged. Fetched with
// the first touch.

import { phrase } from "./phrase.js";

/** The acts of a deployment, by name. */
export function acts(desk) {
  const { force, list, change, says, put, choose } = desk;
  const at = (event, what) => event.target.closest(`[data-${what}]`);

  /** A click on a card. */
  function clicked(event) {
    const title = (cls) => force.classes[cls]?.called ?? cls;
    if (at(event, "choose")) {
      const fleet = force.fleets[at(event, "choose").dataset.choose];
      return choose(fleet === desk.chosen ? null : fleet);
    }
    if (at(event, "new")) {
      return change(phrase`A new fleet`, () => {
        desk.chosen = force.found(at(event, "new").dataset.new);
      });
    }
    if (!desk.chosen) {
      return;
    }
    const cls = at(event, "more")?.dataset.more ?? at(event, "less")?.dataset.less;
    const dear = at(event, "f")?.getAttribute("aria-disabled");
    if (cls) {
      const by = at(event, "more") ? 1 : -1;
      if (dear) {
        return says(
          by > 0
            ? phrase`${title(cls)} costs ${force.points(cls)} {:point|points}; ${Math.max(0, force.left(desk.chosen.budget))} {:is|are} left.`
            : phrase`${desk.chosen.name} has no ${title(cls)}.`,
          true,
        );
      }
      return change(
        by > 0
          ? phrase`One ${title(cls)} more in ${desk.chosen.name}`
          : phrase`One ${title(cls)} less in ${desk.chosen.name}`,
        () => force.add(desk.chosen, cls, by),
      );
    }
    const drones = at(event, "drones");
    if (drones) {
      return dear
        ? says(phrase`A decoy is paid for, and goes with a ship of its own.`, true)
        : change(phrase`Decoys of ${desk.chosen.name}`, () => {
            desk.chosen.decoys += Number(drones.dataset.drones);
          });
    }
    if (at(event, "split")) {
      return change(phrase`${desk.chosen.name} split in two`, () => force.split(desk.chosen));
    }
    if (at(event, "away")) {
      return change(phrase`${desk.chosen.name} disbanded`, () => {
        force.fleets.splice(force.fleets.indexOf(desk.chosen), 1);
        desk.chosen = null;
      });
    }
  }

  /** A field of a card has changed. */
  function changed(event) {
    const field = event.target;
    const value = field.value;
    if (field.matches("[data-hex]")) {
      return put(desk.chosen, value);
    }
    if (field.matches("[data-standing]")) {
      return change(phrase`Standing order of ${desk.chosen.name}`, () => {
        desk.chosen.standing = value;
      });
    }
    if (field.matches("[data-move]") && value) {
      return shift(desk.chosen, field.dataset.move, value === "new" ? null : force.fleets[value]);
    }
    if (field.matches("[data-merge]") && value) {
      const to = force.fleets[value];
      return change(phrase`${desk.chosen.name} merged into ${to.name}`, () => {
        force.merge(desk.chosen, to);
        desk.chosen = to;
      });
    }
    if (field.matches("[data-name]")) {
      return change(
        phrase`${value} named`,
        () => {
          desk.chosen.name = value;
          const top = list.querySelector(".chosen .nm");
          top.firstChild.textContent = `${value} `;
        },
        false,
      );
    }
    if (field.matches("[data-names]")) {
      const row = desk.chosen.ships.find((one) => one.cls === field.dataset.names);
      return change(
        phrase`Ships named`,
        () => {
          row.names = value
            .split(",")
            .map((one) => one.trim())
            .filter(Boolean)
            .slice(0, row.count);
        },
        false,
      );
    }
    if (field.dataset.how) {
      const how = {};
      for (const one of list.querySelectorAll("[data-how]")) {
        how[one.dataset.how] = one.type === "checkbox" ? one.checked : one.value;
      }
      change(
        phrase`Doctrine of ${desk.chosen.name}`,
        () => {
          desk.chosen.doctrine = how;
        },
        false,
      );
    }
  }

  /** A ship of a class to another fleet, or to a new one. */
  function shift(from, cls, to) {
    change(
      phrase`One ${force.classes[cls]?.called ?? cls} from ${from.name} to ${to ? to.name : phrase`a new fleet`}`,
      () => force.move(from, cls, to ?? force.found(from.budget, from.hex)),
    );
  }

  return { clicked, changed, shift };
}
