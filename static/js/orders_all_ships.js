// The list with which all ships of a fleet load or land the same goods: it fills in theirs.

import { find } from "./dom.js";

/**
 * Write the goods that were chosen for all ships into the lists of the ships, without amounts.
 * @param {HTMLElement} section the fleet's part of the form
 * @param {HTMLSelectElement} list its value is `s3,s4:supplies`
 */
export function orderAllShips(section, list) {
  const [ships, ...rest] = list.value.split(":");
  const goods = rest.join(":");
  for (const ship of goods ? ships.split(",") : []) {
    const name = list.name.replace("all_", "").replace(/^([a-z]+-[a-z]+)/, `$1_${ship}`);
    const own = find(section, `[name="${CSS.escape(name)}"]`, HTMLSelectElement);
    const amountName = name.replace("-", "-amount_");
    const amount = find(section, `[name="${CSS.escape(amountName)}"]`, HTMLInputElement);
    if (own) {
      own.value = goods;
    }
    if (amount) {
      amount.value = "";
    }
  }
  list.value = "";
}
