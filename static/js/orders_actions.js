// Handles what a player does on the orders page: clicks on the map and the list, drags, and keys.
// Loaded on the first touch of the page.

import { Card, hexOfEvent } from "./chart_card.js";
import { hexFacts, hexInWords } from "./chart_words.js";
import { oldContact } from "./chart_view.js";
import { closest, html, need } from "./dom.js";
import { kindCounts } from "./classification_counts.js";
import { arrivalsInWords, reachFunction, weekWords, weeksTo } from "./orders_arrivals.js";
import { Editing } from "./orders_editing.js";
import { phrase } from "./phrase.js";

/** @import { OrdersPage } from "./orders.js" */
/** @import { OrderSheet } from "./orders_sheet.js" */

const MAX_SUGGESTIONS = 20; // systems suggested below the field of a destination

/** The actions of the player. Without a form, when orders are sealed, `editing` is null. */
export class OrdersActions {
  /** @param {OrdersPage} page */
  constructor(page) {
    const { form, sheet, list } = page;
    this.page = page;
    this.card = new Card(page.map, page.card, () => {
      page.oldContactShown = null;
      page.draw();
    });
    const reachOf = reachFunction(page.plan);
    page.reachOf = (fleet) => ({ reach: reachOf(fleet), eta: arrivalsInWords(page.plan, fleet) });
    page.card.addEventListener("click", ({ target }) => {
      const key = closest(target, "[data-choose]", HTMLElement)?.dataset.choose;
      if (key) {
        this.choose(key);
        page.host.focus({ preventScroll: true });
      }
    });
    this.editing = form && sheet && list && new Editing(page, form, sheet, list);
    if (form && sheet && this.editing) {
      this.#listen(form, sheet, this.editing);
    }
  }

  /**
   * Add the event listeners that need the form.
   * @param {HTMLFormElement} form
   * @param {OrderSheet} sheet
   * @param {Editing} editing
   */
  #listen(form, sheet, editing) {
    const { ground, showMessage } = this.page;
    const places = html("datalist", { id: "places" });
    form.append(places);
    form.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement && target.matches("[data-goto]")) {
        suggestSystems(ground, places, target.value);
      }
    });
    const undo = need(document, "[data-undo]", HTMLElement);
    undo.addEventListener("click", () => editing.undo());
    const redo = need(document, "[data-redo]", HTMLElement);
    redo.addEventListener("click", () => editing.redo());
    import("./orders_drag.js").then(({ enableDragging }) => {
      enableDragging(sheet, showMessage, (ships, key) => editing.moveShips(ships, key));
      editing.canDrag = true;
      editing.makeDraggable();
    });
  }

  /**
   * Return a prompt for what to do next.
   * @param {OrderFleet | undefined} fleet the chosen fleet
   */
  #promptFor(fleet) {
    if (!fleet) {
      return phrase`Nothing chosen.`;
    }
    if (this.page.list?.cannotMove(fleet)) {
      return phrase`${fleet.name} stays where it is.`;
    }
    return matchMedia("(pointer: coarse)").matches
      ? phrase`${fleet.name}: choose where it goes. "Then…" adds another week.`
      : phrase`${fleet.name}: choose where it goes. Shift-click to plan a further week.`;
  }

  /**
   * Choose a fleet.
   * @param {string | null} key the key of the fleet; null to choose none
   */
  choose(key) {
    const { page } = this;
    page.chosenKey = key;
    page.extendsPlan = false;
    page.map.cursor = null;
    this.#closeCard();
    const fleet = page.fleet(key);
    page.refresh(this.#promptFor(fleet));
    if (fleet && page.plan.needsArrivals(fleet)) {
      page.plan.fetchArrivals([fleet]).then(() => {
        if (page.chosenKey === key) {
          page.draw();
        }
      });
    }
    this.editing?.showChosen();
  }

  /**
   * Handle a click, a key or a dragged flag on the map.
   * @param {MapPick} pick
   */
  onPick(pick) {
    const { page, editing } = this;
    const { hex, typed } = pick;
    if (!hex || !page.isNow) {
      return;
    }
    if (!editing) {
      this.#showCard(hex, typed);
      return;
    }
    const dragged = pick.drop === undefined ? undefined : page.fleet(pick.drop);
    if (dragged) {
      this.#onDrop(editing, dragged, hex, pick);
      return;
    }
    if (pick.key && page.fleet(pick.key)) {
      this.choose(pick.key);
      return;
    }
    this.#onHexPick(editing, hex, pick);
  }

  /**
   * Handle a dragged flag: on a flag in the same hex the fleets merge, elsewhere the fleet moves.
   * @param {Editing} editing
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   * @param {MapPick} pick
   */
  async #onDrop(editing, fleet, hex, { onto, shift }) {
    const { page } = this;
    page.chosenKey = fleet.key;
    if (onto === fleet.key) {
      page.refresh(phrase`${fleet.name} is unchanged.`);
      return;
    }
    const other = page.fleet(onto);
    if (other?.hex !== fleet.hex) {
      editing.send(hex, shift);
      return;
    }
    await editing.loadForm(fleet);
    editing.merge(page.fleet(fleet.key) ?? fleet, other);
  }

  /**
   * Handle a click on a hex: send the chosen fleet there, or choose a fleet that is there.
   * @param {Editing} editing
   * @param {Hex} hex
   * @param {MapPick} pick
   */
  #onHexPick(editing, hex, { key, shift, typed }) {
    const { page } = this;
    const fleetsHere = this.#fleetsIn(hex);
    const isSharedFlag = key === "" && fleetsHere.length > 0 && !shift;
    const isElsewhere = hex !== page.fleet(page.chosenKey)?.hex;
    if (page.chosenKey && !(isSharedFlag && isElsewhere)) {
      page.map.cursor = typed ? hex : null;
      editing.send(hex, shift || page.extendsPlan);
      return;
    }
    if (fleetsHere.length === 1) {
      this.choose(fleetsHere[0].key);
      return;
    }
    page.oldContactShown = oldContact(page.moment, hex);
    this.#showCard(hex, typed);
    page.draw();
  }

  /**
   * Return the player's fleets in a hex.
   * @param {Hex} hex
   */
  #fleetsIn(hex) {
    return this.page
      .fleets()
      .filter((fleet) => fleet.hex === hex && (fleet.ships.length || fleet.dummy));
  }

  /**
   * Describe the hex under the pointer or the cursor, and when the fleet can arrive there.
   * @param {Hex | null} hex
   * @param {string} [draggedKey] the key of the flag being dragged
   */
  onHover(hex, draggedKey) {
    const { page } = this;
    if (!hex) {
      return;
    }
    const fleet = page.fleet(draggedKey ?? page.chosenKey);
    const isArrivalKnown =
      fleet && page.isNow && !page.list?.cannotMove(fleet) && !page.plan.needsArrivals(fleet);
    const words = hexInWords(page.ground, page.shownMoment, hex);
    page.showMessageAtRest(isArrivalKnown ? `${words} ${this.#arrivalInWords(fleet, hex)}` : words);
  }

  /**
   * Return when a fleet can arrive in a hex, as a sentence.
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   */
  #arrivalInWords(fleet, hex) {
    const { plan, moment } = this.page;
    if (hex === fleet.hex) {
      return phrase`${fleet.name} is here.`;
    }
    const weeks = weeksTo(plan, fleet, hex);
    return weeks
      ? phrase`${fleet.name}: ${weekWords(plan, moment.week + weeks - 1)}.`
      : phrase`${fleet.name} cannot get there.`;
  }

  /**
   * Show what is in a hex, on a right click, a long press or the key `i`.
   * @param {Event} event
   */
  onList(event) {
    const { page } = this;
    const hex = hexOfEvent(page.map, event);
    if (!hex || !page.isNow) {
      return;
    }
    page.oldContactShown = oldContact(page.moment, hex);
    this.#showCard(hex, event.type === "keydown", true);
    page.draw();
  }

  /**
   * Show a card with everything in a hex.
   * @param {Hex} hex
   * @param {boolean} [isTyped] whether a key requested it
   * @param {boolean} [evenEmpty] whether to show the card of an empty hex, too
   */
  #showCard(hex, isTyped, evenEmpty = false) {
    const { page } = this;
    const { ground, moment, oldContactShown } = page;
    const [title, ...facts] = hexFacts(ground, moment, hex);
    const rows = this.#cardRows(hex);
    if (!rows.length && !facts.length && !evenEmpty) {
      this.#closeCard();
      return;
    }
    const doubt = oldContactShown
      ? ` ${phrase`By now it may be anywhere within ${oldContactShown.age * ground.jump} hexes.`}`
      : "";
    const text = facts.length ? `${facts.join(phrase`; `)}.${doubt}` : "";
    this.card.show(hex, { title, text, rows }, isTyped);
  }

  /**
   * Return a row for each of the player's fleets in a hex.
   * @param {Hex} hex
   */
  #cardRows(hex) {
    if (this.editing) {
      return this.#fleetsIn(hex).map((fleet) => {
        const row = cardRow(fleet.name, kindCounts(fleet.n));
        row.dataset.choose = fleet.key;
        return row;
      });
    }
    const fleets = this.page.moment.fleets.filter((fleet) => fleet.hex === hex);
    return fleets.map((fleet) => {
      const row = cardRow(fleet.name, [fleet.words]);
      row.disabled = true;
      return row;
    });
  }

  #closeCard() {
    this.card.close();
    this.page.oldContactShown = null;
  }

  /**
   * Handle a click in the list of fleets.
   * @param {EventTarget | null} target
   */
  onListClick(target) {
    const { page, editing } = this;
    /** @param {string} name */
    const pressed = (name) => closest(target, `[data-${name}]`, HTMLElement);
    const key = pressed("choose")?.dataset.choose;
    if (key !== undefined) {
      this.choose(key === page.chosenKey ? null : key);
      if (page.chosenKey && page.host.getBoundingClientRect().top < 0) {
        // On a phone the list is below the map, on which the player now picks where the fleet goes.
        page.host.closest(".stay")?.scrollIntoView();
      }
      return;
    }
    const fleet = page.fleet(page.chosenKey);
    if (fleet && editing) {
      this.#onRowClick(editing, fleet, pressed);
    }
  }

  /**
   * Handle a click in the row of the chosen fleet.
   * @param {Editing} editing
   * @param {OrderFleet} fleet
   * @param {(name: string) => HTMLElement | null} pressed finds the pressed element by its data
   *   attribute
   */
  #onRowClick(editing, fleet, pressed) {
    const go = pressed("go");
    const drop = pressed("drop");
    if (pressed("leave")) {
      editing.leaveBehind(fleet);
    } else if (pressed("stay")) {
      editing.send(fleet.hex);
    } else if (go) {
      this.goTo(need(go.parentElement ?? document, "[data-goto]", HTMLInputElement));
    } else if (pressed("then")) {
      this.#toggleExtendsPlan(fleet);
    } else if (drop) {
      editing.shortenPlan(fleet, Number(drop.dataset.drop));
    }
  }

  /**
   * Switch between adding the next goal to the plan and replacing the plan.
   * @param {OrderFleet | undefined} fleet the chosen fleet
   */
  #toggleExtendsPlan(fleet) {
    const { page } = this;
    if (!fleet) {
      return;
    }
    page.extendsPlan = !page.extendsPlan;
    page.refresh(
      page.extendsPlan
        ? phrase`${fleet.name}: choose where it goes after that.`
        : phrase`${fleet.name}: choose where it goes.`,
    );
  }

  /**
   * Send the chosen fleet to the destination that was typed in its row.
   * @param {HTMLInputElement} field
   * @param {boolean} extendsPlan whether the destination is added to the plan
   */
  async goTo(field, extendsPlan = false) {
    const { page } = this;
    const { parsePlace } = await import("./orders_typing.js");
    const hex = parsePlace(page.plan, field.value);
    if (!hex) {
      page.showMessage(phrase`No system or hex is called "${field.value}".`, true);
      return;
    }
    field.value = "";
    this.editing?.send(hex, extendsPlan || page.extendsPlan);
  }

  /**
   * Handle a changed field of the form.
   * @param {EventTarget | null} target the field
   */
  onFieldChange(target) {
    return this.editing?.fieldChanged(target);
  }

  /**
   * Give an order that was typed.
   * @param {Exclude<TypedOrder, {fault: string}>} order
   * @param {string} words the order in words
   */
  giveTypedOrder(order, words) {
    this.editing?.giveTypedOrder(order, words);
  }

  /**
   * Handle a key.
   * @param {KeyboardEvent} event
   */
  onKey(event) {
    const { page, editing } = this;
    /** @type {Record<string, () => void>} */
    const actions = {
      z: () => (event.shiftKey ? editing?.redo() : editing?.undo()),
      escape: () => this.#deselect(),
      i: () => this.onList(event),
      t: () => this.#toggleExtendsPlan(page.fleet(page.chosenKey)),
      n: () => this.#chooseNext(1),
      p: () => this.#chooseNext(-1),
    };
    actions[event.key.toLowerCase()]?.();
  }

  /** Close the card, and choose no fleet. */
  #deselect() {
    const { page } = this;
    const hadFocus = page.card.contains(document.activeElement);
    this.#closeCard();
    if (page.chosenKey) {
      this.choose(null);
    } else {
      page.draw();
    }
    if (hadFocus) {
      page.host.focus({ preventScroll: true });
    }
  }

  /**
   * Choose the next or the previous fleet that can move.
   * @param {1 | -1} step 1 for the next, -1 for the previous
   */
  #chooseNext(step) {
    const { page } = this;
    const fleets = page
      .fleets()
      .filter((fleet) => (fleet.ships.length || fleet.dummy) && !page.list?.cannotMove(fleet));
    const current = fleets.findIndex((fleet) => fleet.key === page.chosenKey);
    const start = current < 0 && step < 0 ? 0 : current;
    const next = fleets.at((start + step) % fleets.length);
    if (next) {
      this.choose(next.key);
      page.map.cursor = next.hex;
      page.map.drawCursors();
    }
  }

  /**
   * Explain the eyes on the map, when the player turns them on.
   * @param {number} count the number of eyes
   */
  explainEyes(count) {
    this.page.showMessage(
      count
        ? phrase`An eye marks those of your fleets that others may know about, as far as you can tell.`
        : phrase`Nobody knows about your fleets, as far as you can tell.`,
    );
  }

  /**
   * Ask the player to confirm the orders before they are sealed.
   * @param {HTMLButtonElement} seal the button that seals
   */
  readBack(seal) {
    return this.editing?.readBack(seal);
  }
}

/**
 * Return a row of the card that chooses a fleet.
 * @param {string} name
 * @param {(Node | string)[]} ships
 */
const cardRow = (name, ships) =>
  html("button", { type: "button" }, `${name} `, html("span", { className: "kinds" }, ...ships));

/**
 * Suggest the systems whose names contain the text being typed.
 * @param {MapGround} ground
 * @param {HTMLDataListElement} list
 * @param {string} typed
 */
function suggestSystems(ground, list, typed) {
  const word = typed.trim().toLowerCase();
  const systems = word
    ? ground.systems.filter((system) => system.name.toLowerCase().includes(word))
    : [];
  const options = systems.slice(0, MAX_SUGGESTIONS).map(({ hex, name }) => new Option(hex, name));
  list.replaceChildren(...options);
}
