// What a player does on the orders page: fleets are chosen, sent, split and merged, orders taken
// back. Fetched with the first touch.

import { Card, hexOfEvent } from "./chart_card.js";
import { hexFacts, hexInWords } from "./chart_words.js";
import { oldContact } from "./chart_view.js";
import { closest, html, need } from "./dom.js";
import { kinds } from "./classification_counts.js";
import { arrivals, bands, weekWords, weeksTo } from "./orders_arrivals.js";
import { Editing } from "./orders_editing.js";
import { phrase } from "./phrase.js";

/** @import { OrdersPage } from "./orders.js" */
/** @import { OrderSheet } from "./orders_sheet.js" */

const OFFERED = 20; // systems in the list below the field of a place

/** What can be done on the page, whether there is a form or the orders are sealed. */
export class OrdersActions {
  /** @param {OrdersPage} page */
  constructor(page) {
    const { form, sheet, list } = page;
    this.page = page;
    this.card = new Card(page.map, page.card, () => {
      page.doubted = null;
      page.draw();
    });
    const reachOf = bands(page.plan);
    page.reached = (fleet) => ({ reach: reachOf(fleet), eta: arrivals(page.plan, fleet) });
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
   * @param {HTMLFormElement} form
   * @param {OrderSheet} sheet
   * @param {Editing} editing
   */
  #listen(form, sheet, editing) {
    const { ground, says } = this.page;
    const places = html("datalist", { id: "places" });
    form.append(places);
    form.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement && target.matches("[data-goto]")) {
        offerSystems(ground, places, target.value);
      }
    });
    const undo = need(document, "[data-undo]", HTMLElement);
    undo.addEventListener("click", () => editing.undo());
    const redo = need(document, "[data-redo]", HTMLElement);
    redo.addEventListener("click", () => editing.redo());
    import("./orders_drag.js").then(({ enableDragging }) => {
      enableDragging(sheet, says, (ships, key) => editing.moveShips(ships, key));
    });
    editing.makeDraggable();
  }

  /** @param {OrderFleet | undefined} fleet that is chosen */
  #chosenInWords(fleet) {
    if (!fleet) {
      return phrase`Nothing chosen.`;
    }
    if (this.page.list?.cannotMove(fleet)) {
      return phrase`${fleet.name} stays where it is.`;
    }
    return matchMedia("(pointer: coarse)").matches
      ? phrase`${fleet.name}: choose where it goes. "Then…" adds another week.`
      : phrase`${fleet.name}: choose where it goes. Shift adds another week.`;
  }

  /** @param {string | null} key null: choose none */
  choose(key) {
    const { page } = this;
    page.chosen = key;
    page.extendsPlan = false;
    page.map.cursor = null;
    this.#closeCard();
    const fleet = page.fleet(key);
    page.refresh(this.#chosenInWords(fleet));
    if (fleet && page.plan.needsArrivals(fleet)) {
      page.plan.fetchArrivals([fleet]).then(() => {
        if (page.chosen === key) {
          page.draw();
        }
      });
    }
    this.editing?.showChosen();
  }

  /**
   * Answer a click on the map.
   * @param {MapPick} pick
   */
  picked(pick) {
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
      this.#dropped(editing, dragged, hex, pick);
      return;
    }
    if (pick.key && page.fleet(pick.key)) {
      this.choose(pick.key);
      return;
    }
    this.#pickedHex(editing, hex, pick);
  }

  /**
   * Answer a flag that was dragged: onto another in its hex it is merged, elsewhere it is sent.
   * @param {Editing} editing
   * @param {OrderFleet} fleet
   * @param {Hex} hex
   * @param {MapPick} pick
   */
  async #dropped(editing, fleet, hex, { onto, shift }) {
    const { page } = this;
    page.chosen = fleet.key;
    if (onto === fleet.key) {
      page.refresh(phrase`${fleet.name} is unchanged.`);
      return;
    }
    const other = page.fleet(onto);
    if (other?.hex !== fleet.hex) {
      editing.send(hex, shift);
      return;
    }
    await editing.bringForm(fleet);
    editing.merge(page.fleet(fleet.key) ?? fleet, other);
  }

  /**
   * Answer a click on a hex: the chosen fleet goes there, or a fleet that is there is chosen.
   * @param {Editing} editing
   * @param {Hex} hex
   * @param {MapPick} pick
   */
  #pickedHex(editing, hex, { key, shift, typed }) {
    const { page } = this;
    const here = this.#fleetsIn(hex);
    const isOtherStack = key === "" && here.length > 0 && !shift;
    const isElsewhere = hex !== page.fleet(page.chosen)?.hex;
    if (page.chosen && !(isOtherStack && isElsewhere)) {
      page.map.cursor = typed ? hex : null;
      editing.send(hex, shift || page.extendsPlan);
      return;
    }
    if (here.length === 1) {
      this.choose(here[0].key);
      return;
    }
    page.doubted = oldContact(page.moment, hex);
    this.#showCard(hex, typed);
    page.draw();
  }

  /** @param {Hex} hex */
  #fleetsIn(hex) {
    return this.page
      .fleets()
      .filter((fleet) => fleet.hex === hex && (fleet.ships.length || fleet.dummy));
  }

  /**
   * Say what is in the hex under the pointer or the cursor, and when the fleet would be there.
   * @param {Hex | null} hex
   * @param {string} [dragged] the key of the flag that is dragged there
   */
  looked(hex, dragged) {
    const { page } = this;
    if (!hex) {
      return;
    }
    const fleet = page.fleet(dragged ?? page.chosen);
    const canSay =
      fleet && page.isNow && !page.list?.cannotMove(fleet) && !page.plan.needsArrivals(fleet);
    const words = hexInWords(page.ground, page.shownMoment, hex);
    page.saysAtRest(canSay ? `${words} ${this.#arrivalInWords(fleet, hex)}` : words);
  }

  /**
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
   * Show the list of a hex that was asked for, whatever is chosen: by the other button of the
   * mouse, by `i`.
   * @param {Event} event
   */
  listed(event) {
    const { page } = this;
    const hex = hexOfEvent(page.map, event);
    if (!hex || !page.isNow) {
      return;
    }
    page.doubted = oldContact(page.moment, hex);
    this.#showCard(hex, event.type === "keydown", true);
    page.draw();
  }

  /**
   * Show a card with everything in a hex.
   * @param {Hex} hex
   * @param {boolean} [typed] whether it was asked for by a key
   * @param {boolean} [evenEmpty] whether also where there is nothing
   */
  #showCard(hex, typed, evenEmpty = false) {
    const { page } = this;
    const { ground, moment, doubted } = page;
    const [title, ...facts] = hexFacts(ground, moment, hex);
    const rows = this.#cardRows(hex);
    if (!rows.length && !facts.length && !evenEmpty) {
      this.#closeCard();
      return;
    }
    const doubt = doubted
      ? ` ${phrase`By now it may be anywhere within ${doubted.age * ground.jump} hexes.`}`
      : "";
    const text = facts.length ? `${facts.join(phrase`; `)}.${doubt}` : "";
    this.card.show(hex, { title, text, rows }, typed);
  }

  /** @param {Hex} hex */
  #cardRows(hex) {
    if (this.editing) {
      return this.#fleetsIn(hex).map((fleet) => {
        const row = cardRow(fleet.name, kinds(fleet.n));
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
    this.page.doubted = null;
  }

  /**
   * Answer a click in the list.
   * @param {EventTarget | null} target
   */
  clicked(target) {
    const { page, editing } = this;
    /** @param {string} name */
    const pressed = (name) => closest(target, `[data-${name}]`, HTMLElement);
    const key = pressed("choose")?.dataset.choose;
    if (key !== undefined) {
      this.choose(key === page.chosen ? null : key);
      return;
    }
    const fleet = page.fleet(page.chosen);
    if (fleet && editing) {
      this.#clickedIn(editing, fleet, pressed);
    }
  }

  /**
   * Answer a click in the open row.
   * @param {Editing} editing
   * @param {OrderFleet} fleet
   * @param {(name: string) => HTMLElement | null} pressed
   */
  #clickedIn(editing, fleet, pressed) {
    const go = pressed("go");
    const drop = pressed("drop");
    if (pressed("leave")) {
      editing.leaveBehind(fleet);
    } else if (pressed("stay")) {
      editing.send(fleet.hex);
    } else if (go) {
      this.goTo(need(go.parentElement ?? document, "[data-goto]", HTMLInputElement));
    } else if (pressed("then")) {
      this.#toggleThen(fleet);
    } else if (drop) {
      editing.shortenPlan(fleet, Number(drop.dataset.drop));
    }
  }

  /**
   * Let the next goal go on with the plan, or begin it anew.
   * @param {OrderFleet | undefined} fleet that is chosen
   */
  #toggleThen(fleet) {
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
   * Send the chosen fleet to a place that was typed in its row.
   * @param {HTMLInputElement} field
   * @param {boolean} extendsPlan whether it is added to the plan
   */
  async goTo(field, extendsPlan = false) {
    const { page } = this;
    const { placeTyped } = await import("./orders_typing.js");
    const hex = placeTyped(page.plan, field.value);
    if (!hex) {
      page.says(phrase`No system or hex is called "${field.value}".`, true);
      return;
    }
    field.value = "";
    this.editing?.send(hex, extendsPlan || page.extendsPlan);
  }

  /** @param {EventTarget | null} target a field of the form that has changed */
  changed(target) {
    return this.editing?.fieldChanged(target);
  }

  /**
   * @param {Exclude<TypedOrder, {fault: string}>} order
   * @param {string} words
   */
  typed(order, words) {
    this.editing?.typed(order, words);
  }

  /** @param {KeyboardEvent} event a key that is for the page */
  keyed(event) {
    const { page, editing } = this;
    /** @type {Record<string, () => void>} */
    const actions = {
      z: () => (event.shiftKey ? editing?.redo() : editing?.undo()),
      escape: () => this.#leave(),
      i: () => this.listed(event),
      t: () => this.#toggleThen(page.fleet(page.chosen)),
      n: () => this.#chooseNext(1),
      p: () => this.#chooseNext(-1),
    };
    actions[event.key.toLowerCase()]?.();
  }

  /** Close the card, and choose nothing. */
  #leave() {
    const { page } = this;
    const hadFocus = page.card.contains(document.activeElement);
    this.#closeCard();
    if (page.chosen) {
      this.choose(null);
    } else {
      page.draw();
    }
    if (hadFocus) {
      page.host.focus({ preventScroll: true });
    }
  }

  /** @param {1 | -1} step to the next or the previous fleet that can be sent */
  #chooseNext(step) {
    const { page } = this;
    const fleets = page
      .fleets()
      .filter((fleet) => (fleet.ships.length || fleet.dummy) && !page.list?.cannotMove(fleet));
    const current = fleets.findIndex((fleet) => fleet.key === page.chosen);
    const start = current < 0 && step < 0 ? 0 : current;
    const next = fleets.at((start + step) % fleets.length);
    if (next) {
      this.choose(next.key);
      page.map.cursor = next.hex;
      page.map.drawCursors();
    }
  }

  /**
   * Say what the eyes on the map mean that was just asked for.
   * @param {number} count
   */
  eyes(count) {
    this.page.says(
      count
        ? phrase`An eye marks those of your fleets that others may know about, as far as you can tell.`
        : phrase`Nobody knows about your fleets, as far as you can tell.`,
    );
  }

  /** @param {HTMLButtonElement} seal */
  readBack(seal) {
    return this.editing?.readBack(seal);
  }
}

/**
 * @param {string} name
 * @param {(Node | string)[]} ships
 */
const cardRow = (name, ships) =>
  html("button", { type: "button" }, `${name} `, html("span", { className: "kinds" }, ...ships));

/**
 * Offer the systems that a name may mean which is being typed.
 * @param {MapGround} ground
 * @param {HTMLDataListElement} list
 * @param {string} typed
 */
function offerSystems(ground, list, typed) {
  const word = typed.trim().toLowerCase();
  const systems = word
    ? ground.systems.filter((system) => system.name.toLowerCase().includes(word))
    : [];
  const options = systems.slice(0, OFFERED).map(({ hex, name }) => new Option(hex, name));
  list.replaceChildren(...options);
}
