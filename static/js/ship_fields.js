// Fields of ships in forms of scenarios and battles: a number for each class, and a menu that adds
// a class.

import { findAll, need } from "./dom.js";

export const SHIPS = "[data-ships]"; // a field of ships

/**
 * Add ships of a class to a fleet: to the number of that class, or as a new line.
 * @param {HTMLElement} field a field of ships
 * @param {string} className
 * @param {number} count
 */
export function addShips(field, className, count) {
  const name = `${field.dataset.ships}-class`;
  const list = need(field, "ul", HTMLUListElement);
  const item = findAll(list, "li", HTMLLIElement).find(
    (line) => need(line, `[name="${name}"]`, HTMLInputElement).value === className,
  );
  const input = item
    ? need(item, "label input", HTMLInputElement)
    : addShipLine(field, list, className);
  input.value = String((Number(input.value) || 0) + count);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Add a line for a class to a fleet, and return the field of its number.
 * @param {HTMLElement} field
 * @param {HTMLUListElement} list
 * @param {string} className
 */
function addShipLine(field, list, className) {
  const count = document.createElement("input");
  count.name = `${field.dataset.ships}-count`;
  count.inputMode = "numeric";
  const label = document.createElement("label");
  const title = document.createElement("span");
  title.textContent = className;
  label.append(count, title);
  const hidden = document.createElement("input");
  hidden.type = "hidden";
  hidden.name = `${field.dataset.ships}-class`;
  hidden.value = className;
  const item = document.createElement("li");
  item.append(label, hidden);
  list.append(item);
  return count;
}

/**
 * Let the menu of a field of ships add what is chosen at once.
 * @param {HTMLElement} field
 */
export function enableShips(field) {
  const menu = need(field, ".adds select", HTMLSelectElement);
  const count = need(field, ".adds input", HTMLInputElement);
  menu.addEventListener("change", () => {
    if (menu.value) {
      addShips(field, menu.value, Number(count.value) || 1);
      menu.value = "";
      count.value = "1";
    }
  });
}
