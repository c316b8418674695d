// What the cards beside the plots are built of (battle_craft.js, battle_launch.js).

import { fieldNamed, line } from "./battle_page.js";
import { ask } from "./battle_places.js";
import { icons } from "./battle_table.js";
import { html, need, svg, withData } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { Input } from "./battle_page.js" */
/** @import { Table } from "./battle_table.js" */

/**
 * What the cards know of the page of plots.
 * @typedef {object} PlotPage
 * @property {PlotData} data
 * @property {Table} table
 * @property {HTMLFormElement} form
 * @property {HTMLDetailsElement} hangar the drawer of the cards
 * @property {Map<string, PlotShip>} ships
 * @property {(id: string) => string} textOf a ship's written order
 * @property {(id: string, text: string) => void} write
 * @property {() => void} show draws everything anew
 * @property {(id: string) => ShipMove} end
 */

/**
 * A card of a group, a launcher or a boarding party.
 * @typedef {object} Card
 * @property {string} key
 * @property {HTMLElement} row
 * @property {string} name
 * @property {string} [ship] whose order says what it does
 * @property {() => TablePoint | null} from where it is
 * @property {() => string[]} orders what it is ordered, in words
 * @property {string} none what it says without orders
 * @property {() => boolean} isYours whether it differs from the captain's orders
 * @property {Record<string, (button: HTMLElement, byKeys: boolean) => void>} actions
 * @property {() => (Node | string)[]} [notes] what it says beside its orders
 * @property {(data: DOMStringMap) => boolean | undefined} [pressed] whether a button shows what is
 *   ordered
 * @property {(action: string) => string} [refusal] why a button does nothing
 * @property {(key: string) => number} [count] what a stepper counts
 * @property {(string | undefined)[]} [fields] names of fields that ask for its place
 * @property {() => Partial<CursorOwner>} [reach]
 * @property {(seat: string, isInHand: boolean) => Node[]} drawn on the table
 */

/**
 * Round a distance to a tenth of an MU.
 * @param {number} distance
 */
export const mu = (distance) => Number(distance.toFixed(1));

/**
 * Split a ship's order into its parts.
 * @param {string} order
 */
export const partsOf = (order) =>
  order
    .split(";")
    .map((part) => part.trim())
    .filter(Boolean);

/**
 * Give a field a value, and tell the page that it has changed.
 * @param {Input} input
 * @param {string} value
 */
export function change(input, value) {
  input.value = value;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

/**
 * @param {string} action
 * @param {string} words
 * @param {string} [on] what it is about
 */
export function actionButton(action, words, on) {
  const button = html("button", { type: "button", className: "b" }, words);
  return withData(button, on === undefined ? { act: action } : { act: action, on });
}

/**
 * Draw the way to where something lands or boards.
 * @param {string} seat
 * @param {TablePoint} from
 * @param {TablePoint} to
 */
export function landing(seat, from, to) {
  const way = line(`plan ${seat}`, [from, to]);
  way.classList.add("landing");
  return way;
}

/** @param {string} words */
export const cardHead = (words) => html("li", { className: "head" }, html("h3", {}, words));

/**
 * Return the row of a card that has none from the server.
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
 * @param {string} key
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

/** The cards, and what they share. */
export class CardKit {
  /** @param {PlotPage} page */
  constructor(page) {
    this.page = page;
    this.data = page.data;
    this.list = need(page.hangar, ".ships", HTMLElement);
  }

  /** @param {string | undefined} name */
  field(name) {
    return name === undefined ? null : fieldNamed(this.page.form, name);
  }

  /**
   * Ask for a place; what asks already is no longer asked for.
   * @param {PlaceRequest} request
   * @param {boolean} byKeys
   */
  ask(request, byKeys) {
    const { table } = this.page;
    ask(table, table.asked?.by === request.by ? null : request, byKeys);
  }

  /**
   * Return where a ship or a group is: a ship that plots at the end of its move.
   * @param {string | undefined} id
   * @returns {TablePoint | null}
   */
  at(id = "") {
    const { marks } = this.page.table;
    const found = marks.get(`${id}*`) ?? marks.get(id) ?? this.data.craft[id];
    return found ? [found.x, found.y] : null;
  }
}
