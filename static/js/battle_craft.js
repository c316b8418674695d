// Cards beside the plots: of craft, what is launched, who boards. Each says what may be done, one
// act each: fly to a place, land, launch, aim. Fetched when they are looked at. What a card does it
// writes into the form's fields and ships' orders, which alone are read.

import { ring } from "./battle_arcs.js";
import {
  CardKit,
  actionButton,
  cardHead,
  cardRow,
  change,
  landing,
  partsOf,
} from "./battle_cards.js";
import { launches } from "./battle_launch.js";
import { PLACE, fieldNamed, inputsIn, labelOf, placeIn, say } from "./battle_page.js";
import { ask, fields, written } from "./battle_places.js";
import { closest, find, findAll, html, matches, need, withData } from "./dom.js";
import { nameOf } from "./field.js";
import { phrase } from "./phrase.js";

/** @import { Card, PlotPage } from "./battle_cards.js" */
/** @import { Input } from "./battle_page.js" */
/** @import { Table } from "./battle_table.js" */

const NEAREST = 3; // decks to land on that have buttons; the list has all

/**
 * Build the cards of a page, and listen to them.
 * @param {PlotPage} page
 */
export function hangar(page) {
  const { data, table, form, hangar: drawer, show } = page;
  const kit = new CardKit(page);
  /** @type {Map<string, Card>} */
  const cards = new Map();
  /** @type {string | null} the card in hand */
  let held = null;

  for (const card of [...crafts(kit), ...launches(kit)]) {
    const ship = need(card.row, ".ship", HTMLElement);
    ship.role = "button";
    ship.tabIndex = 0;
    card.row.dataset.card = card.key;
    cards.set(card.key, card);
  }

  /** @param {string | undefined} key */
  function hold(key) {
    held = key ?? null;
    show();
  }

  /**
   * Do what a button of a card does.
   * @param {Card} card
   * @param {HTMLElement} button
   * @param {boolean} byKeys
   */
  function act(card, button, byKeys) {
    const before = card.orders().join();
    card.actions[button.dataset.act ?? ""](button, byKeys);
    const order = fieldNamed(form, nameOf(data.fields.order, card.ship ?? ""));
    const orders = card.orders().join(", ");
    if (order?.classList.contains("fault")) {
      say(phrase`${card.name}: its ship cannot carry out this order: ${order.value}`, true);
    } else if (card.orders().join() !== before) {
      say(phrase`${card.name}: ${orders || card.none}`);
    }
  }

  /**
   * Take a card in hand, and do what its button does.
   * @param {Card} card
   * @param {HTMLElement | null} button
   * @param {boolean} byKeys
   */
  function press(card, button, byKeys) {
    if (table.asked && table.asked.by !== button) {
      ask(table, null);
    }
    held = card.key;
    if (button) {
      act(card, button, byKeys);
    }
    show();
    if (table.asked) {
      card.row.scrollIntoView({ block: "nearest" });
    }
  }

  kit.list.addEventListener("click", ({ target, detail }) => {
    const key = closest(target, "li", HTMLElement)?.dataset.card;
    const card = cards.get(key ?? "");
    const button = closest(target, "[data-act]", HTMLElement);
    const isPressed = button !== null || closest(target, ".ship", HTMLElement) !== null;
    if (card && isPressed) {
      press(card, button, !detail);
    }
  });
  kit.list.addEventListener("keydown", (event) => {
    const isPress = event.key === "Enter" || event.key === " ";
    if (isPress && matches(event.target, ".ship")) {
      event.preventDefault();
      event.stopPropagation();
      /** @type {HTMLElement} */ (event.target).click();
    }
  });
  /** @param {Input} input */
  function cardOf(input) {
    const key = closest(input, "[data-card]", HTMLElement)?.dataset.card ?? "";
    const named = [...cards.values()].find((other) => other.fields?.includes(input.name));
    return named ?? cards.get(key);
  }

  fields(table, form, (input) => {
    // A field that asks for a place is filled by the next touch, too.
    const card = cardOf(input);
    const centre = table.centred?.() ?? [0, 0];
    if (!card) {
      return { name: "", from: centre, ahead: true };
    }
    return { name: card.name, from: card.from() ?? centre, ahead: true, ...card.reach?.() };
  });

  return {
    /**
     * Take a card in hand while the drawer is open.
     * @param {boolean} isOpen
     */
    open(isOpen) {
      if (isOpen) {
        hold(held ?? drawer.dataset.first);
        return;
      }
      if (table.asked) {
        ask(table, null);
      }
      hold(undefined);
    },
    /**
     * Take a group of craft in hand that was touched on the table.
     * @param {string} id
     * @returns {boolean} whether there is one
     */
    placed(id) {
      const card = cards.get(id);
      if (!card) {
        return false;
      }
      drawer.open = true;
      hold(id);
      card.row.scrollIntoView({ block: "nearest" });
      return true;
    },
    /**
     * Show the cards, and return what is drawn of them on the table: how far the one in hand goes,
     * where groups land, whom what is launched is for.
     * @param {string} seat
     */
    drawn(seat) {
      for (const card of cards.values()) {
        showCard(card, card.key === held, table);
      }
      drawer.classList.toggle("asks", Boolean(table.asked));
      return [...cards.values()].flatMap((card) => card.drawn(seat, card.key === held));
    },
  };
}

/**
 * @param {Card} card
 * @param {boolean} isHeld
 * @param {Table} table
 */
function showCard(card, isHeld, table) {
  const orders = card.orders();
  const words = orders.length || !card.none ? orders : [card.none];
  const pills = words.map((text) => {
    const pill = html("span", { className: "pill" }, text);
    pill.classList.toggle("yours", card.isYours());
    return pill;
  });
  const notes = card.notes?.().filter(Boolean) ?? [];
  const summary = html("span", { className: "aims" }, ...pills, ...notes);
  need(card.row, ".h", HTMLElement).replaceChildren(summary);
  need(card.row, ".ship", HTMLElement).classList.toggle("chosen", isHeld);
  for (const button of findAll(card.row, "[data-act]", HTMLElement)) {
    showButton(card, button, table);
  }
  for (const output of findAll(card.row, "[data-count]", HTMLElement)) {
    output.textContent = String(card.count?.(output.dataset.count ?? "") ?? 0);
  }
}

/**
 * @param {Card} card
 * @param {HTMLElement} button
 * @param {Table} table
 */
function showButton(card, button, table) {
  const isPressed = button === table.asked?.by || card.pressed?.(button.dataset);
  if (isPressed !== undefined && !button.closest(".count")) {
    button.setAttribute("aria-pressed", String(isPressed));
  }
  const refusal = card.refusal?.(button.dataset.act ?? "") ?? "";
  if (refusal) {
    button.setAttribute("aria-disabled", "true");
  } else {
    button.removeAttribute("aria-disabled");
  }
  button.title = refusal;
}

/** A bay of a ship, which launches a group by a word of the ship's order. */
class Bay {
  /**
   * @param {CardKit} kit
   * @param {string} ship
   * @param {string} id
   */
  constructor(kit, ship, id) {
    this.kit = kit;
    this.ship = ship;
    this.id = id;
  }

  #parts() {
    return partsOf(this.kit.page.textOf(this.ship));
  }

  /**
   * Return the ids of the bays that its ship launches. An order may call a bay by a shorter name.
   */
  #launched() {
    const order = this.#parts().find((part) => /^launch\b/i.test(part)) ?? "";
    const names = order
      .split(/[\s,]+/)
      .slice(1)
      .filter(Boolean);
    return names.map((name) => {
      const deck = this.kit.data.decks.find(
        ([ship, , , , short]) => ship === this.ship && short === name,
      );
      return deck?.[1] ?? name;
    });
  }

  get isLaunched() {
    return this.#launched().includes(this.id);
  }

  /** Launch its group, or do not. */
  toggle() {
    const launched = this.#launched();
    const bays = this.isLaunched ? launched.filter((id) => id !== this.id) : [...launched, this.id];
    const parts = this.#parts().filter((part) => !/^launch\b/i.test(part));
    if (bays.length) {
      parts.push(`launch ${bays.join(" ")}`);
    }
    this.kit.page.write(this.ship, parts.join("; "));
  }

  /** Say why it cannot launch beside those that its ship launches already; "" where it can. */
  refusal() {
    const [most, sharing] = this.kit.data.limits[this.ship] ?? [0, []];
    if (!most || !sharing.includes(this.id) || this.isLaunched) {
      return "";
    }
    const used = this.#launched().filter((id) => sharing.includes(id)).length;
    return used < most ? "" : phrase`its ship can launch only ${most} {:group|groups} a turn`;
  }
}

/**
 * Build the cards of groups in flight, of those aboard and of what else may be launched.
 * @param {CardKit} kit
 * @returns {Card[]}
 */
function crafts(kit) {
  const { data, list } = kit;
  for (const [ship, bay, words, key] of data.decks) {
    // What is aboard has no row of its own.
    if (!data.craft[key]) {
      list.append(withData(cardRow(words, "fighter-bay"), { deck: `${ship} ${bay}` }));
    }
  }
  const rows = findAll(list, ":scope > li", HTMLElement).filter(
    ({ dataset }) => dataset.deck || data.craft[dataset.row ?? ""],
  );
  if (rows.length) {
    list.prepend(cardHead(phrase`Craft`), ...rows);
  }
  return rows.map((row) => new CraftCard(kit, row).card());
}

/**
 * @param {Craft | undefined} craft
 * @param {HTMLElement} row
 * @returns {(string | undefined)[]} the ship and the bay that a group is aboard
 */
const bayOf = (craft, { dataset }) =>
  craft?.bay ? [craft.ship, craft.bay] : (dataset.deck?.split(" ") ?? []);

/** The card of a group of craft. */
class CraftCard {
  /**
   * @param {CardKit} kit
   * @param {HTMLElement} row
   */
  constructor(kit, row) {
    const { data } = kit;
    const key = row.dataset.row ?? row.dataset.deck ?? "";
    const craft = data.craft[key];
    const [ship, bay] = bayOf(craft, row);
    this.kit = kit;
    this.row = row;
    this.key = key;
    this.craft = craft;
    this.ship = ship;
    this.bay = ship && bay ? new Bay(kit, ship, bay) : null;
    this.name = need(row, ".n", HTMLElement).textContent ?? "";
    this.inputs = inputsIn(row, ".fields select, .fields input:not([type=hidden])");
    this.place = find(row, PLACE, HTMLInputElement);
    const land = kit.field(nameOf(data.fields.land, key));
    this.land = land instanceof HTMLSelectElement ? land : null;
    this.#addButtons();
  }

  /** Return where the group is. */
  get from() {
    return this.kit.at(this.key) ?? this.kit.at(this.craft?.ship);
  }

  #addButtons() {
    const { row, name, craft } = this;
    const box =
      find(row, ".acts", HTMLElement) ??
      html("div", { className: "acts", role: "group", ariaLabel: name });
    if (this.bay) {
      box.append(actionButton("launch", phrase`Launch`));
    }
    if (this.place) {
      box.append(actionButton("fly", phrase`Fly to…`));
    }
    for (const { text, value } of this.#decks().slice(0, NEAREST)) {
      box.append(actionButton("land", phrase`Land on ${text}`, value));
    }
    if (craft?.captain) {
      box.append(actionButton("captain", phrase`Captain’s`), actionButton("stay", phrase`Stay`));
    }
    need(row, ".ship", HTMLElement).after(box);
    const summary = find(row, ".fields summary", HTMLElement);
    summary?.firstChild?.replaceWith(phrase`All orders`);
  }

  /** Return the decks on which the group may land, the nearest first. */
  #decks() {
    const { at } = this.kit;
    const { from } = this;
    /** @param {string} id */
    const away = (id) => {
      const deck = at.call(this.kit, id);
      return deck && from ? Math.hypot(deck[0] - from[0], deck[1] - from[1]) : Infinity;
    };
    const prefix = nameOf(this.kit.data.fields.land, "");
    const list = find(this.row, `select[name^="${prefix}"]`, HTMLSelectElement);
    return [...(list?.options ?? [])]
      .filter(({ value }) => value)
      .sort((a, b) => away(a.value) - away(b.value));
  }

  /** @returns {string[]} */
  #orders() {
    const set = this.inputs.filter((input) =>
      isTick(input) ? input.checked : input.value.trim() && input.value !== blankOf(input),
    );
    const launched = this.bay?.isLaunched ? [phrase`launched`] : [];
    return [...launched, ...set.map(inputInWords)];
  }

  #isYours() {
    const advised = this.craft?.captain ?? {};
    const differs = this.inputs.some((input) =>
      isTick(input)
        ? input.checked !== (advised[input.name] === input.value)
        : input.value.trim() !== (advised[input.name] ?? blankOf(input)),
    );
    return differs || (this.bay !== null && this.bay.isLaunched !== Boolean(advised.launch));
  }

  /**
   * Fill every field of the card.
   * @param {Record<string, string>} values those that are missing are emptied
   */
  #fill(values) {
    for (const input of this.inputs) {
      if (isTick(input)) {
        input.checked = values[input.name] === input.value;
      } else {
        input.value = values[input.name] ?? blankOf(input);
      }
    }
    if (this.bay && this.bay.isLaunched !== Boolean(values.launch)) {
      this.bay.toggle();
    }
    const [first] = this.inputs;
    if (first) {
      change(first, first.value);
    }
  }

  #launch() {
    const refusal = this.bay?.refusal();
    if (refusal) {
      say(phrase`${this.name}: ${refusal}`, true);
    } else {
      this.bay?.toggle();
    }
  }

  /**
   * Ask where the group flies. A ship that it may land on is taken as that.
   * @param {HTMLElement} by
   * @param {boolean} byKeys
   */
  #fly(by, byKeys) {
    const { name, place, land } = this;
    if (!place) {
      return;
    }
    this.kit.ask(
      {
        by,
        name,
        from: this.from ?? [0, 0],
        ...this.#reach(),
        ahead: true,
        value: placeIn(place.value),
        put: (at, id) => {
          if (land && [...land.options].some(({ value }) => value === id)) {
            change(land, id ?? "");
            say(phrase`${name}: lands on ${land.selectedOptions[0].text}`);
            return true;
          }
          change(place, written(at));
          say(phrase`${name}: ${labelOf(place)} ${place.value}`);
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
  card() {
    const { land, bay } = this;
    return {
      key: this.key,
      row: this.row,
      name: this.name,
      ship: this.ship,
      from: () => this.from,
      reach: () => this.#reach(),
      none: phrase`no orders`,
      orders: () => this.#orders(),
      isYours: () => this.#isYours(),
      actions: {
        launch: () => this.#launch(),
        fly: (by, byKeys) => this.#fly(by, byKeys),
        land: ({ dataset: { on = "" } }) => {
          if (land) {
            change(land, land.value === on ? "" : on);
          }
        },
        captain: () => this.#fill(this.craft?.captain ?? {}),
        stay: () => this.#fill({}),
      },
      refusal: (action) => (action === "launch" ? (bay?.refusal() ?? "") : ""),
      pressed: ({ act, on }) => {
        if (act === "launch") {
          return bay?.isLaunched;
        }
        if (act === "land") {
          return land?.value === on;
        }
        return act === "fly" ? false : undefined;
      },
      drawn: (seat, isInHand) => this.#drawn(seat, isInHand),
    };
  }

  /**
   * Draw where the group lands, and in hand how far it flies.
   * @param {string} seat
   * @param {boolean} isInHand
   */
  #drawn(seat, isInHand) {
    const { from } = this;
    const deck = this.land?.value ? this.kit.at(this.land.value) : null;
    const drawn = [];
    if (from && deck) {
      drawn.push(landing(seat, from, deck));
    }
    if (from && isInHand && this.craft?.reach) {
      drawn.push(ring(from, this.craft.reach));
    }
    return drawn;
  }
}

/**
 * @param {Input} input
 * @returns {input is HTMLInputElement}
 */
const isTick = (input) => input.type === "checkbox";

/**
 * Return what a field holds where it says nothing.
 * @param {Input} input
 */
const blankOf = (input) => (input instanceof HTMLSelectElement ? input.options[0].value : "");

/** @param {Input} input */
function inputInWords(input) {
  if (input.type === "checkbox") {
    return input.closest("label")?.textContent?.trim() ?? "";
  }
  const label = labelOf(input).replace(/ x, y$/, "");
  const value = input instanceof HTMLSelectElement ? input.selectedOptions[0].text : input.value;
  return `${label} ${value}`;
}
