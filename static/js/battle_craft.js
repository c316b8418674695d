// The drawer of cards on the plot page: groups of craft, launchers and boarders. The buttons of a
// card fly a group to a place, land or launch it, or aim. They write the fields of the form and the
// orders of ships, and only these are sent. Loaded when the drawer is first opened.

import { rangeRing } from "./battle_arcs.js";
import {
  CardContext,
  actionButton,
  cardHead,
  cardRow,
  changeField,
  landingLine,
} from "./battle_cards.js";
import { Bay, carrierCards } from "./battle_carriers.js";
import { launchCards } from "./battle_launch.js";
import {
  PLACE_FIELDS,
  announce,
  emptyValueOf,
  fieldNamed,
  inputsIn,
  isCheckbox,
  labelOf,
  parsePlace,
} from "./battle_page.js";
import { formatPlace, listenToPlaceFields, requestPlace } from "./battle_places.js";
import { closest, find, findAll, html, matches, need, withData } from "./dom.js";
import { nameOf } from "./field.js";
import { phrase } from "./phrase.js";

/** @import { Card, PlotPage } from "./battle_cards.js" */
/** @import { Input } from "./battle_page.js" */
/** @import { Table } from "./battle_table.js" */

const DECK_BUTTONS = 3; // the nearest decks have buttons; the list has all

/**
 * Build the cards of a page, listen to them, and return the functions for the page.
 * @param {PlotPage} page
 */
export function openCraftDrawer(page) {
  const { data, table, form, drawer, refresh } = page;
  const context = new CardContext(page);
  /** @type {Map<string, Card>} */
  const cards = new Map();
  /** @type {string | null} the key of the selected card */
  let selectedKey = null;

  for (const card of [...craftCards(context), ...launchCards(context)]) {
    const ship = need(card.row, ".ship", HTMLElement);
    ship.role = "button";
    ship.tabIndex = 0;
    card.row.dataset.card = card.key;
    cards.set(card.key, card);
  }

  /**
   * Select a card, or none.
   * @param {string | undefined} key
   */
  function selectCard(key) {
    selectedKey = key ?? null;
    refresh();
  }

  /**
   * Run the action of a button, and announce what changed.
   * @param {Card} card
   * @param {HTMLElement} button
   * @param {boolean} byKeys
   */
  function runAction(card, button, byKeys) {
    const before = card.orders().join();
    card.actions[button.dataset.act ?? ""](button, byKeys);
    const order = fieldNamed(form, nameOf(data.fields.order, card.ship ?? ""));
    const orders = card.orders().join(", ");
    if (order?.classList.contains("fault")) {
      announce(phrase`${card.name}: its ship cannot carry out this order: ${order.value}`, true);
    } else if (card.orders().join() !== before) {
      announce(phrase`${card.name}: ${orders || card.emptyText}`);
    }
  }

  /**
   * Select a card, and run the action of its button.
   * @param {Card} card
   * @param {HTMLElement | null} button null if the card itself was pressed
   * @param {boolean} byKeys whether a key was used
   */
  function pressCard(card, button, byKeys) {
    if (table.placeRequest && table.placeRequest.element !== button) {
      requestPlace(table, null);
    }
    selectedKey = card.key;
    if (button) {
      runAction(card, button, byKeys);
    }
    refresh();
    if (table.placeRequest) {
      card.row.scrollIntoView({ block: "nearest" });
    }
  }

  context.list.addEventListener("click", ({ target, detail }) => {
    const key = closest(target, "li", HTMLElement)?.dataset.card;
    const card = cards.get(key ?? "");
    const button = closest(target, "[data-act]", HTMLElement);
    const isPressed = button !== null || closest(target, ".ship", HTMLElement) !== null;
    if (card && isPressed) {
      pressCard(card, button, !detail);
    }
  });
  context.list.addEventListener("keydown", (event) => {
    const isPress = event.key === "Enter" || event.key === " ";
    if (isPress && matches(event.target, ".ship")) {
      event.preventDefault();
      event.stopPropagation();
      /** @type {HTMLElement} */ (event.target).click();
    }
  });
  /**
   * Return the card to which a field belongs.
   * @param {Input} input
   */
  function cardOf(input) {
    const key = closest(input, "[data-card]", HTMLElement)?.dataset.card ?? "";
    const named = [...cards.values()].find((other) => other.placeFields?.includes(input.name));
    return named ?? cards.get(key);
  }

  listenToPlaceFields(table, form, (input) => {
    // The fields of the drawer ask for places, too.
    const card = cardOf(input);
    const centre = table.ringCentre?.() ?? [0, 0];
    if (!card) {
      return { name: "", from: centre, includesNextMoves: true };
    }
    return {
      name: card.name,
      from: card.getPlace() ?? centre,
      includesNextMoves: true,
      ...card.getReach?.(),
    };
  });

  return {
    /**
     * Select a card when the drawer opens, and none when it closes.
     * @param {boolean} isOpen
     */
    onToggle(isOpen) {
      if (isOpen) {
        selectCard(selectedKey ?? drawer.dataset.first);
        return;
      }
      if (table.placeRequest) {
        requestPlace(table, null);
      }
      selectCard(undefined);
    },
    /**
     * Select a group of craft that was tapped on the table, and open the drawer.
     * @param {string} id
     * @returns {boolean} whether there is such a group
     */
    selectGroup(id) {
      const card = cards.get(id);
      if (!card) {
        return false;
      }
      drawer.open = true;
      selectCard(id);
      card.row.scrollIntoView({ block: "nearest" });
      return true;
    },
    /**
     * Show the cards, and return what to draw on the table: the range of the selected card, and
     * lines to targets and landing decks.
     * @param {string} seat
     */
    drawCards(seat) {
      for (const card of cards.values()) {
        showCard(card, card.key === selectedKey, table);
      }
      drawer.classList.toggle("asks", Boolean(table.placeRequest));
      return [...cards.values()].flatMap((card) => card.draw(seat, card.key === selectedKey));
    },
  };
}

/**
 * Show the orders of a card and the state of its buttons.
 * @param {Card} card
 * @param {boolean} isSelected
 * @param {Table} table
 */
function showCard(card, isSelected, table) {
  const orders = card.orders();
  const words = orders.length || !card.emptyText ? orders : [card.emptyText];
  const pills = words.map((text) => {
    const pill = html("span", { className: "pill" }, text);
    pill.classList.toggle("yours", card.differsFromCaptain());
    return pill;
  });
  const notes = card.notes?.().filter(Boolean) ?? [];
  const summary = html("span", { className: "aims" }, ...pills, ...notes);
  need(card.row, ".h", HTMLElement).replaceChildren(summary);
  need(card.row, ".ship", HTMLElement).classList.toggle("chosen", isSelected);
  for (const button of findAll(card.row, "[data-act]", HTMLElement)) {
    showButton(card, button, table);
  }
  for (const output of findAll(card.row, "[data-count]", HTMLElement)) {
    output.textContent = String(card.countOf?.(output.dataset.count ?? "") ?? 0);
  }
}

/**
 * Show whether a button is pressed and whether its action is possible.
 * @param {Card} card
 * @param {HTMLElement} button
 * @param {Table} table
 */
function showButton(card, button, table) {
  const isPressed = button === table.placeRequest?.element || card.isPressed?.(button.dataset);
  if (isPressed !== undefined && !button.closest(".count")) {
    button.setAttribute("aria-pressed", String(isPressed));
  }
  const refusal = card.refusalOf?.(button.dataset.act ?? "") ?? "";
  if (refusal) {
    button.setAttribute("aria-disabled", "true");
  } else {
    button.removeAttribute("aria-disabled");
  }
  button.title = refusal;
}

/**
 * Build the cards of groups of craft, in flight and aboard.
 * @param {CardContext} context
 * @returns {Card[]}
 */
function craftCards(context) {
  const { data, list } = context;
  for (const [ship, bay, words, key] of data.decks) {
    // The server sends no row for a group aboard that has no orders of its own.
    if (!data.craft[key]) {
      list.append(withData(cardRow(words, "fighter-bay"), { deck: `${ship} ${bay}` }));
    }
  }
  const rows = findAll(list, ":scope > li", HTMLElement).filter(
    ({ dataset }) => dataset.deck || data.craft[dataset.row ?? ""],
  );
  const cards = rows.map((row) => new CraftCard(context, row));
  const carriers = carrierCards(context);
  const sorted = [...cards.filter(({ bay }) => !bay).map(({ row }) => row)];
  for (const [ship, carrier] of carriers) {
    const aboard = cards.filter((card) => card.bay && card.ship === ship);
    sorted.push(carrier.row, ...aboard.map(({ row }) => row));
  }
  if (sorted.length) {
    list.prepend(cardHead(phrase`Craft`), ...sorted);
  }
  return [...carriers.values(), ...cards].map((card) => card.makeCard());
}

/**
 * Return the ship and the bay in which a group is; nothing for a group in flight.
 * @param {Craft | undefined} craft
 * @param {HTMLElement} row
 * @returns {(string | undefined)[]}
 */
const shipAndBay = (craft, { dataset }) =>
  craft?.bay ? [craft.ship, craft.bay] : (dataset.deck?.split(" ") ?? []);

/** The card of a group of craft. */
class CraftCard {
  /**
   * @param {CardContext} context
   * @param {HTMLElement} row
   */
  constructor(context, row) {
    const { data } = context;
    const key = row.dataset.row ?? row.dataset.deck ?? "";
    const craft = data.craft[key];
    const [ship, bay] = shipAndBay(craft, row);
    this.context = context;
    this.row = row;
    this.key = key;
    this.craft = craft;
    this.ship = ship;
    this.bay = ship && bay ? new Bay(context, ship, bay) : null;
    this.name = need(row, ".n", HTMLElement).textContent ?? "";
    this.inputs = inputsIn(row, ".fields select, .fields input:not([type=hidden])");
    this.placeField = find(row, PLACE_FIELDS, HTMLInputElement);
    const land = context.field(nameOf(data.fields.land, key));
    this.landingList = land instanceof HTMLSelectElement ? land : null;
    this.#addButtons();
  }

  /** The place of the group: its own, or that of the ship that carries it. */
  get place() {
    return this.context.placeOf(this.key) ?? this.context.placeOf(this.craft?.ship);
  }

  #addButtons() {
    const { row, name, craft } = this;
    const box =
      find(row, ".acts", HTMLElement) ??
      html("div", { className: "acts", role: "group", ariaLabel: name });
    if (this.bay) {
      box.append(actionButton("launch", phrase`Launch`));
    }
    if (this.placeField) {
      box.append(actionButton("fly", phrase`Fly to…`));
    }
    for (const { text, value } of this.#landingDecks().slice(0, DECK_BUTTONS)) {
      box.append(actionButton("land", phrase`Land on ${text}`, value));
    }
    if (craft?.captain) {
      box.append(actionButton("captain", phrase`Captain’s`), actionButton("stay", phrase`Stay`));
    }
    need(row, ".ship", HTMLElement).after(box);
    const summary = find(row, ".fields summary", HTMLElement);
    summary?.firstChild?.replaceWith(phrase`All orders`);
  }

  /** Return the options of the list of decks on which the group may land, the nearest first. */
  #landingDecks() {
    const { context, place } = this;
    /** @param {string} id */
    const away = (id) => {
      const deck = context.placeOf(id);
      return deck && place ? Math.hypot(deck[0] - place[0], deck[1] - place[1]) : Infinity;
    };
    const prefix = nameOf(this.context.data.fields.land, "");
    const list = find(this.row, `select[name^="${prefix}"]`, HTMLSelectElement);
    return [...(list?.options ?? [])]
      .filter(({ value }) => value)
      .sort((a, b) => away(a.value) - away(b.value));
  }

  /** @returns {string[]} */
  #orders() {
    const set = this.inputs.filter((input) =>
      isCheckbox(input) ? input.checked : input.value.trim() && input.value !== emptyValueOf(input),
    );
    const launched = this.bay?.isLaunched ? [phrase`launched`] : [];
    return [...launched, ...set.map(describeInput)];
  }

  #differsFromCaptain() {
    const advised = this.craft?.captain ?? {};
    const differs = this.inputs.some((input) =>
      isCheckbox(input)
        ? input.checked !== (advised[input.name] === input.value)
        : input.value.trim() !== (advised[input.name] ?? emptyValueOf(input)),
    );
    return differs || (this.bay !== null && this.bay.isLaunched !== Boolean(advised.launch));
  }

  /**
   * Fill all fields of the card.
   * @param {Record<string, string>} values by field name; fields without one are emptied
   */
  #fill(values) {
    for (const input of this.inputs) {
      if (isCheckbox(input)) {
        input.checked = values[input.name] === input.value;
      } else {
        input.value = values[input.name] ?? emptyValueOf(input);
      }
    }
    if (this.bay && this.bay.isLaunched !== Boolean(values.launch)) {
      this.bay.toggle();
    }
    const [first] = this.inputs;
    if (first) {
      changeField(first, first.value);
    }
  }

  #launch() {
    const refusal = this.bay?.refusal();
    if (refusal) {
      announce(phrase`${this.name}: ${refusal}`, true);
    } else {
      this.bay?.toggle();
    }
  }

  /**
   * Ask for the place to which the group flies. A tap on a ship with a free deck means landing.
   * @param {HTMLElement} element the button that asks
   * @param {boolean} byKeys
   */
  #fly(element, byKeys) {
    const { name, placeField, landingList } = this;
    if (!placeField) {
      return;
    }
    this.context.togglePlaceRequest(
      {
        element,
        name,
        from: this.place ?? [0, 0],
        ...this.#reach(),
        includesNextMoves: true,
        currentPlace: parsePlace(placeField.value),
        onPlace: (at, id) => {
          if (landingList && [...landingList.options].some(({ value }) => value === id)) {
            changeField(landingList, id ?? "");
            announce(phrase`${name}: lands on ${landingList.selectedOptions[0].text}`);
            return true;
          }
          changeField(placeField, formatPlace(at));
          announce(phrase`${name}: ${labelOf(placeField)} ${placeField.value}`);
          return false;
        },
      },
      byKeys,
    );
  }

  #reach() {
    return this.craft?.reach ? { reach: [0, this.craft.reach] } : {};
  }

  /** @returns {Card} */
  makeCard() {
    const { landingList, bay } = this;
    return {
      key: this.key,
      row: this.row,
      name: this.name,
      ship: this.ship,
      getPlace: () => this.place,
      getReach: () => this.#reach(),
      emptyText: phrase`no orders`,
      orders: () => this.#orders(),
      differsFromCaptain: () => this.#differsFromCaptain(),
      actions: {
        launch: () => this.#launch(),
        fly: (element, byKeys) => this.#fly(element, byKeys),
        land: ({ dataset: { on = "" } }) => {
          if (landingList) {
            changeField(landingList, landingList.value === on ? "" : on);
          }
        },
        captain: () => this.#fill(this.craft?.captain ?? {}),
        stay: () => this.#fill({}),
      },
      refusalOf: (action) => (action === "launch" ? (bay?.refusal() ?? "") : ""),
      isPressed: ({ act, on }) => {
        if (act === "launch") {
          return bay?.isLaunched;
        }
        if (act === "land") {
          return landingList?.value === on;
        }
        return act === "fly" ? false : undefined;
      },
      draw: (seat, isSelected) => this.#draw(seat, isSelected),
    };
  }

  /**
   * Draw a line to the deck on which the group lands, and its range if the card is selected.
   * @param {string} seat
   * @param {boolean} isSelected
   */
  #draw(seat, isSelected) {
    const { place } = this;
    const deck = this.landingList?.value ? this.context.placeOf(this.landingList.value) : null;
    const drawn = [];
    if (place && deck) {
      drawn.push(landingLine(seat, place, deck));
    }
    if (place && isSelected && this.craft?.reach) {
      drawn.push(rangeRing(place, this.craft.reach));
    }
    return drawn;
  }
}

/**
 * Describe the order that a field gives: its label and its value.
 * @param {Input} input
 */
function describeInput(input) {
  if (input.type === "checkbox") {
    return input.closest("label")?.textContent?.trim() ?? "";
  }
  const label = labelOf(input).replace(/ x, y$/, "");
  const value = input instanceof HTMLSelectElement ? input.selectedOptions[0].text : input.value;
  return `${label} ${value}`;
}
