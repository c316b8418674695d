// Describes a force line by line for the player to confirm. Loaded when the player seals it.

import { acesInWords, decoysInWords, pointsTooMany, shipsInWords } from "./deploy_cards.js";
import { phrase } from "./phrase.js";

/** @import { Force } from "./deploy_force.js" */

/**
 * Return one line for each fleet, then one for each budget with points left or overspent.
 * @param {Force} force
 * @param {(hex: Hex) => string} nameOfHex
 */
export function linesToSeal(force, nameOfHex) {
  const fleets = force.fleets.map((fleet) => {
    const place = fleet.hex ? nameOfHex(fleet.hex) : phrase`no place`;
    const ships = shipsInWords(force, fleet) || phrase`no ships`;
    const extras = decoysInWords(force, fleet) + acesInWords(force, fleet);
    return phrase`${fleet.name || phrase`A fleet`} at ${place}: ${ships + extras}`;
  });
  const budgetLines = [];
  for (const { id, title } of force.budgets) {
    const left = force.pointsLeft(id);
    if (left !== 0) {
      const words = left < 0 ? pointsTooMany(left) : phrase`${left} {:point|points} not spent`;
      budgetLines.push(phrase`${title}: ${words}`);
    }
  }
  return [...fleets, ...budgetLines];
}
