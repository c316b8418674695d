// A force read back before it is sealed. Fetched with that.

import { decoys, over, shipsInWords } from "./deploy_cards.js";
import { phrase } from "./phrase.js";

/** @import { Force } from "./deploy_force.js" */

/**
 * Return what is sealed, in words: one line a fleet, then what is left over.
 * @param {Force} force
 * @param {(hex: Hex) => string} nameOfHex
 */
export function lines(force, nameOfHex) {
  const fleets = force.fleets.map((fleet) => {
    const place = fleet.hex ? nameOfHex(fleet.hex) : phrase`no place`;
    const ships = shipsInWords(force, fleet) || phrase`no ships`;
    return phrase`${fleet.name || phrase`A fleet`} at ${place}: ${ships + decoys(fleet)}`;
  });
  const rests = [];
  for (const { id, title } of force.budgets) {
    const left = force.left(id);
    if (left !== 0) {
      const words = left < 0 ? over(left) : phrase`${left} {:point|points} not spent`;
      rests.push(phrase`${title}: ${words}`);
    }
  }
  return [...fleets, ...rests];
}
