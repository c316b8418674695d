// Elements and types that all cards on the plot page share: cards of craft, launchers and boarders.
// Loaded with them (battle_craft.js, battle_launch.js, battle_boarding.js).

import { fieldNamed, polyline } from "./battle_page.js";
import { requestPlace } from "./battle_places.js";
import { icons } from "./battle_table.js";
import { html, need, svg, withData } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { Input } from "./battle_page.js" */
/** @import { Table } from "./battle_table.js" */

/**
 * The parts of the plot page that cards use.
 * @typedef {object} PlotPage
 * @property {PlotData} data
 * @property {Table} table
 * @property {HTMLFormElement} form
 * @property {HTMLDetailsElement} drawer the element that contains the cards
 * @property {Map<string, PlotShip>} ships
 * @property {(id: string) => string} writtenOrder returns a ship's order
 * @property {(id: string, text: string) => void} writeOrder gives a ship another order
 * @property {() => void} refresh shows the current orders
 * @property {(id: string) => ShipMove} moveOf returns a ship's move
 */

/**
 * A card of a group, a launcher or a boarding party.
 * @typedef {object} Card
 * @property {string} key
 * @property {HTMLElement} row
 * @property {string} name
 * @property {string} [ship] the ship whose order contains the orders of the card
 * @property {() => TablePoint | null} getPlace where the group, launcher or ship is
 * @property {() => string[]} orders its orders in words
 * @property {string} emptyText the text shown without orders
 * @property {() => boolean} differsFromCaptain whether its orders differ from the captain's
 * @property {Record<string, (button: HTMLElement, byKeys: boolean) => void>} actions
 *   the actions of its buttons, by `data-act`; the second argument: whether a key was used
 * @property {() => (Node | string)[]} [notes] notes behind its orders
 * @property {(data: DOMStringMap) => boolean | undefined} [isPressed] whether the action of a
 *   button is ordered
 * @property {(action: string) => string} [refusalOf] why an action is not possible; "" if it is
 * @property {(key: string) => number} [countOf] the number of a stepper
 * @property {(string | undefined)[]} [placeFields] the names of its fields for places
 * @property {() => Partial<CursorOwner>} [getReach]
 * @property {(seat: string, isSelected: boolean) => Node[]} draw returns what to draw on the table
 */

/**
 * Round a distance to a tenth of an MU.
 * @param {number} distance
 */
export const roundMu = (distance) => Number(distance.toFixed(1));

/**
 * Split a ship's order into its parts.
 * @param {string} order
 */
export const orderParts = (order) =>
  order
    .split(";")
    .map((part) => part.trim())
    .filter(Boolean);

/**
 * Set the value of a field and send its change event.
 * @param {Input} input
 * @param {string} value
 */
export function changeField(input, value) {
  input.value = value;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

/**
 * Return a button of a card.
 * @param {string} action
 * @param {string} words
 * @param {string} [on] the object of the action: a target, a load, a step
 */
export function actionButton(action, words, on) {
  const button = html("button", { type: "button", className: "b" }, words);
  return withData(button, on === undefined ? { act: action } : { act: action, on });
}

/**
 * Draw the line to the place where craft land or people board.
 * @param {string} seat
 * @param {TablePoint} from
 * @param {TablePoint} to
 */
export function landingLine(seat, from, to) {
  const path = polyline(`plan ${seat}`, [from, to]);
  path.classList.add("landing");
  return path;
}

/**
 * Return the heading of a group of cards.
 * @param {string} words
 */
export const cardHead = (words) => html("li", { className: "head" }, html("h3", {}, words));

/**
 * Return the row of a card for which the server sent none.
 * @param {string} name
 * @param {string} symbol
 */
export function cardRow(name, symbol) {
  const glyph = svg(
    "svg",
    { class: "glyph", viewBox: "0 0 32 32", "aria-hidden": "true" },
    svg("use", { href: `${icons}#${symbol}` }),
  );
  return html(
    "li",
    {},
    html(
      "div",
      { className: "ship own" },
      glyph,
      html("span", { className: "n" }, html("b", {}, name)),
      html("span", { className: "h" }),
      html("span", { className: "o" }),
    ),
    html("div", { className: "acts", role: "group", ariaLabel: name }),
  );
}

/**
 * Return buttons for one more and one fewer, with the count between them.
 * @param {string} key the action of both buttons
 * @param {string} words
 */
export function stepper(key, words) {
  /**
   * @param {string} on
   * @param {string} sign
   * @param {string} label
   */
  const step = (on, sign, label) => {
    const button = actionButton(key, sign, on);
    button.ariaLabel = label;
    button.classList.add("square");
    return button;
  };
  return html(
    "span",
    { className: "count" },
    words,
    step("-1", "−", phrase`${words}: one fewer`),
    withData(html("output"), { count: key }),
    step("1", "+", phrase`${words}: one more`),
  );
}

/** The page, its list of cards, and helpers for them. */
export class CardContext {
  /** @param {PlotPage} page */
  constructor(page) {
    this.page = page;
    this.data = page.data;
    this.list = need(page.drawer, ".ships", HTMLElement);
  }

  /**
   * Return a field of the form, or null.
   * @param {string | undefined} name
   */
  field(name) {
    return name === undefined ? null : fieldNamed(this.page.form, name);
  }

  /**
   * Ask for a place on the table, or cancel the request if the same button asked before.
   * @param {PlaceRequest} request
   * @param {boolean} byKeys
   */
  togglePlaceRequest(request, byKeys) {
    const { table } = this.page;
    requestPlace(table, table.placeRequest?.element === request.element ? null : request, byKeys);
  }

  /**
   * Return the place of a group, or the end of the move of a ship (the mark with an asterisk).
   * @param {string | undefined} id
   * @returns {TablePoint | null}
   */
  placeOf(id = "") {
    const { marks } = this.page.table;
    const found = marks.get(`${id}*`) ?? marks.get(id) ?? this.data.craft[id];
    return found ? [found.x, found.y] : null;
  }
}
