// A force read back before it is sealed. Fetched with that.

import { decoys, over } from "./deploy_cards.js";
import { phrase } from "./phrase.js";

/** What is sealed, in words: one line a fleet, then what is left over. */
export function lines(force, name) {
  const made = (fleet) =>
    fleet.ships
      .map((row) => `${row.count} ${force.classes[row.cls]?.called ?? row.cls}`)
      .join(", ") || phrase`no ships`;
  const lines = force.fleets.map(
    (fleet) =>
      phrase`${fleet.name || phrase`A fleet`} at ${fleet.hex ? name(fleet.hex) : phrase`no place`}: ${made(fleet) + decoys(fleet)}`,
  );
  return [
    ...lines,
    ...force.budgets
      .filter((budget) => force.left(budget.id) !== 0)
      .map(
        (budget) =>
          phrase`${budget.title}: ${force.left(budget.id) < 0 ? over(force.left(budget.id)) : phrase`${force.left(budget.id)} {:point|points} not spent`}`,
      ),
  ];
}
