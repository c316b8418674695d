// The orders page: orders on the map, in the list, by keys and by typing, all of which end in the
// plain form's fields (orders_sheet.js). What a player does is fetched with the first touch
// (orders_actions.js).

import {
  LEGIBLE_ZOOM,
  START_ZOOM,
  StarMap,
  keepClearOf,
  setMapRole,
  addZoomButtons,
} from "./chart.js";
import { pageData, uncertaintyRing, mapLayers } from "./chart_view.js";
import { closest, find, findAll, matches, need } from "./dom.js";
import { lazily } from "./lazy_events.js";
import { FleetList } from "./orders_list.js";
import { Plan } from "./orders_plan.js";
import { OrderSheet } from "./orders_sheet.js";
import { phrase } from "./phrase.js";
import { describeStep } from "./undo_buttons.js";

/** @import { OrdersActions } from "./orders_actions.js" */
/** @import { PastWeeks } from "./orders_history.js" */

const TEXT_FIELDS = "input:not([type=checkbox], [type=radio], [type=range]), textarea";
// Milliseconds after which the hex under the pointer or the cursor is spoken of.
const SPOKEN_AFTER = 80;

const isNarrow = () => innerWidth <= 820;

/** @param {string} selector */
const element = (selector) => need(document, selector, HTMLElement);

/** The page: what it knows, what is chosen, and how it is drawn. */
export class OrdersPage {
  /** @type {string | null} the key of the fleet that is chosen */
  chosen = null;
  extendsPlan = false; // whether the next goal goes on with the plan
  /** @type {MapMoment["contacts"][number] | null} an old contact that is looked at */
  doubted = null;
  /** @type {PastWeeks | null} loaded when the slider is first moved */
  past = null;
  /** @type {((fleet: OrderFleet) => {reach: MapReach, eta: Map<Hex, string>}) | null} */
  reached = null;
  /** @type {Record<string, boolean>} the layers of the map */
  shown = { contacts: true, plans: true, routes: true, known: false };
  /** @type {Promise<OrdersActions> | null} */
  #actions = null;
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {OrdersData} given
   * @param {HTMLElement} host of the map
   * @param {HTMLFormElement | null} form null: the orders are sealed
   */
  constructor(given, host, form) {
    const { ground, moment } = given;
    this.given = given;
    this.ground = ground;
    this.moment = moment;
    this.host = host;
    this.form = form;
    this.seat = ground.powers[given.me].seat;
    this.plan = new Plan(ground, moment, given.plans ?? {}, element(".stage").dataset.arrivals);
    this.map = new StarMap(host, ground, {
      onPick: (pick) => this.act((actions) => actions.picked(pick)),
      onHover: (hex, dragged) => this.act((actions) => actions.looked(hex, dragged)),
      onList: (event) => this.act((actions) => actions.listed(event)),
      canDrag: Boolean(form),
      padding: isNarrow() ? [22, 10, 66, 26] : [84, 16, 64, 26],
    });
    this.sheet = form && new OrderSheet(form, ground, given.form);
    this.list =
      this.sheet && new FleetList(element("[data-list]"), this.sheet, this.plan, this.seat, given);
    this.card = element("[data-card]");
  }

  /** Return the fleets as they are ordered; none once the orders are sealed. */
  fleets = () => this.sheet?.fleets() ?? [];

  /**
   * @param {string | null | undefined} key
   * @returns {OrderFleet | undefined}
   */
  fleet(key) {
    return this.fleets().find((fleet) => fleet.key === key);
  }

  /** Whether the map shows the present. */
  get isNow() {
    return this.past?.now ?? true;
  }

  /** The moment that the map shows. */
  get shownMoment() {
    return this.past?.moment ?? this.moment;
  }

  /**
   * Do what the player does, in order. The script for it is fetched with the first touch.
   * @template T
   * @param {(actions: OrdersActions) => T} action
   */
  act = async (action) => {
    this.#actions ??= import("./orders_actions.js").then(
      ({ OrdersActions }) => new OrdersActions(this),
      (error) => {
        this.#actions = null;
        throw error;
      },
    );
    return action(await this.#actions);
  };

  /**
   * Say something beside the map.
   * @param {string} words
   * @param {boolean} isProblem
   */
  says = (words, isProblem = false) => {
    clearTimeout(this.#timer);
    const box = element("[data-map-says]");
    box.textContent = words;
    box.classList.toggle("bad", isProblem);
  };

  /**
   * Say something once the pointer or the cursor rests.
   * @param {string} words
   */
  saysAtRest(words) {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.says(words), SPOKEN_AFTER);
  }

  /**
   * Draw everything anew.
   * @param {string} [words] what is said of it
   */
  refresh(words) {
    this.drawList();
    if (words) {
      this.says(words);
    }
    this.draw();
  }

  /** Draw the list of fleets, and what counts its fleets and steps. */
  drawList() {
    if (!this.list || !this.sheet) {
      return;
    }
    const counts = this.list.draw(this.fleets(), this.chosen, this.extendsPlan);
    element("[data-count]").textContent = countInWords(counts);
    describeStep("[data-undo]", phrase`Undo`, this.sheet.past);
    describeStep("[data-redo]", phrase`Redo`, this.sheet.future);
  }

  /** Draw the map. */
  draw() {
    const { shown, given } = this;
    const fleet = this.isNow ? this.fleet(this.chosen) : undefined;
    const seen = mapLayers(this.ground, this.shownMoment, given.me);
    const flags = this.isNow && this.sheet ? this.#flags() : seen.fleets;
    const [first] = flags;
    const { hex } = fleet ?? { hex: undefined };
    this.map.show({
      ...seen,
      ...this.#reach(fleet),
      eyes: this.#eyes(),
      fleets: flags,
      contacts: shown.contacts ? seen.contacts : [],
      ways: [...this.#routes(seen.ways), ...this.#plannedWays()],
      rings: uncertaintyRing(this.ground, this.isNow ? this.doubted : null),
      fan: hex,
      start: hex ?? first?.hex,
    });
    element(".stage").classList.toggle("past", !this.isNow);
  }

  #eyes() {
    return this.shown.known && this.isNow ? this.given.known.eyes : [];
  }

  /**
   * Return what a fleet reaches, and when.
   * @param {OrderFleet | undefined} fleet
   * @returns {Pick<MapData, "reach" | "eta">}
   */
  #reach(fleet) {
    const canMove = fleet !== undefined && !this.list?.cannotMove(fleet);
    return (canMove && this.reached?.(fleet)) || { reach: null, eta: new Map() };
  }

  /**
   * Return the ways that fleets and contacts came, where they are shown.
   * @param {MapWay[]} seen
   */
  #routes(seen) {
    const past = this.past?.ways(this.seat) ?? [];
    return this.shown.routes ? [...seen, ...past] : [];
  }

  /**
   * Return the flags of the fleets as they are ordered.
   * @returns {MapFleet[]}
   */
  #flags() {
    const jumping = new Map(this.moment.fleets.map(({ key, ftl }) => [key, ftl]));
    const codes = new Map(this.moment.dummies.map(({ key, code }) => [key, code]));
    return this.fleets()
      .filter((fleet) => fleet.ships.length || fleet.dummy)
      .map((fleet) => ({
        key: fleet.key,
        name: fleet.name,
        hex: fleet.hex,
        n: fleet.n,
        seat: this.seat,
        dummy: fleet.dummy,
        ftl: jumping.get(fleet.key),
        code: fleet.dummy ? codes.get(fleet.key) : undefined,
        on: fleet.key === this.chosen,
        todo: this.list?.needsOrders(fleet),
      }));
  }

  /**
   * Return the ways that are ordered and planned, where they are shown.
   * @returns {MapWay[]}
   */
  #plannedWays() {
    const { seat, given } = this;
    if (!this.shown.plans || !this.isNow) {
      return [];
    }
    const legs = this.fleets().flatMap((fleet) => this.plan.legs(fleet));
    const sealed = this.form ? [] : Object.values(given.plans ?? {});
    return [
      ...legs.map((leg) => this.#wayOf(leg)),
      ...given.ways.map(({ hexes }) => ({ hexes, seat, tip: true })),
      ...sealed.flatMap((plan) => this.#sealedWays(plan)),
    ];
  }

  /**
   * @param {Leg} leg
   * @returns {MapWay}
   */
  #wayOf(leg) {
    const hexes = leg.path?.length ? [leg.from, ...leg.path] : [leg.from, leg.end];
    const isNow = leg.week === this.moment.week;
    return {
      hexes,
      seat: this.seat,
      cls: isNow ? "" : "later",
      tip: leg.goal,
      week: this.plan.systems.has(leg.end) ? 0 : leg.week,
    };
  }

  /**
   * @param {ServerPlan} plan
   * @returns {MapWay[]}
   */
  #sealedWays(plan) {
    const starts = [plan.end, ...plan.legs.map(({ end }) => end)];
    return plan.legs.map((leg, n) => ({
      hexes: [starts[n], leg.end],
      seat: this.seat,
      cls: "later",
      tip: leg.goal,
      week: this.plan.systems.has(leg.end) ? 0 : leg.week,
    }));
  }

  /** Listen to what both a page with a form and a sealed one can do. */
  listen() {
    const slider = find(document, "[data-weeks]", HTMLElement);
    slider?.addEventListener("input", () => this.#loadPast(slider), { once: true });
    element("[data-layers]").addEventListener("click", ({ target }) => {
      const button = closest(target, "[data-layer]", HTMLElement);
      if (button) {
        this.#toggleLayer(button, button.dataset.layer ?? "");
      }
    });
  }

  /** @param {HTMLElement} slider */
  async #loadPast(slider) {
    const { PastWeeks } = await import("./orders_history.js");
    const { says } = this;
    this.past = new PastWeeks(slider, this.moment, { show: () => this.refresh(), says });
    this.past.move();
  }

  /**
   * @param {HTMLElement} button
   * @param {string} layer
   */
  #toggleLayer(button, layer) {
    const { shown, given } = this;
    shown[layer] = !shown[layer];
    button.setAttribute("aria-pressed", String(shown[layer]));
    if (layer === "known" && shown.known) {
      this.act((actions) => actions.eyes(given.known.eyes.length));
    }
    this.draw();
  }

  /**
   * Listen to the form.
   * @param {HTMLFormElement} form
   */
  listenToForm(form) {
    const list = element("[data-list]");
    const seal = find(form, "button[value=seal]", HTMLButtonElement);
    seal?.addEventListener("click", (event) => {
      event.preventDefault();
      this.act((actions) => actions.readBack(seal));
    });
    list.addEventListener("click", ({ target }) => {
      // What a line says may be drawn anew meanwhile.
      const pressed = closest(target, "button", HTMLElement) ?? target;
      this.act((actions) => actions.clicked(pressed));
    });
    list.addEventListener("keydown", (event) => {
      const field = closest(event.target, "[data-goto]", HTMLInputElement);
      if (event.key === "Enter" && field) {
        event.preventDefault();
        this.act((actions) => actions.goTo(field, event.shiftKey));
      }
    });
    form.addEventListener("change", ({ target }) => {
      this.act((actions) => actions.changed(target));
    });
    const typed = need(form, "#typed", HTMLInputElement);
    lazily(
      typed,
      ["focus", "input", "keydown"],
      async () => (await import("./orders_typing.js")).typing(this),
      (event) => {
        if (event instanceof KeyboardEvent && event.key === "Enter") {
          event.preventDefault();
        }
        return true;
      },
    );
    document.addEventListener("keydown", (event) => this.#pressKey(event, typed));
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLInputElement} typed the field in which orders are typed
   */
  #pressKey(event, typed) {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      this.#pressUndo(event, key);
      return;
    }
    if (event.altKey || matches(event.target, `${TEXT_FIELDS}, select`)) {
      return;
    }
    const isForMap = event.target === this.host && "npti".includes(key);
    if (key === "/") {
      event.preventDefault();
      if (document.body.dataset.keys !== "off") {
        typed.focus();
      }
    } else if (key === "escape" || isForMap) {
      this.act((actions) => actions.keyed(event));
    }
  }

  /**
   * @param {KeyboardEvent} event
   * @param {string} key
   */
  #pressUndo(event, key) {
    if (key === "z" && !matches(event.target, TEXT_FIELDS)) {
      this.act((actions) => actions.keyed(event));
      event.preventDefault();
    }
  }

  /** Let keys look into a hex, although the orders are sealed. */
  listenWhileSealed() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      const isList = event.key.toLowerCase() === "i" && event.target === this.host;
      if (event.key === "Escape" || isList) {
        this.act((actions) => actions.keyed(event));
      }
    });
  }

  /** Show the page as it opens. */
  open() {
    const asked = new URLSearchParams(location.search).get("fleet");
    this.refresh(
      this.form
        ? phrase`Choose a fleet, then where it goes.`
        : phrase`Sealed. The map shows your orders.`,
    );
    if (asked && this.fleet(asked)) {
      this.act((actions) => actions.choose(asked));
    }
    const planned = this.fleets().filter(
      (fleet) => fleet.goals.length && this.plan.needsArrivals(fleet),
    );
    if (planned.length) {
      this.plan.fetchArrivals(planned).then(() => this.refresh());
    }
    if (this.map.minZoom < LEGIBLE_ZOOM) {
      const free = this.fleets().find((fleet) => !this.list?.cannotMove(fleet));
      const first = free ?? this.moment.fleets[0];
      if (first) {
        this.map.centreOn(first.hex, START_ZOOM);
      }
    }
  }
}

/**
 * Say how many fleets are ordered, or have a problem.
 * @param {Record<string, number>} counts
 */
function countInWords({ problem, todo, done, still }) {
  if (problem) {
    return phrase`${problem} {:fleet has|fleets have} a problem`;
  }
  if (todo) {
    return phrase`Fleets with orders: ${done} of ${done + todo}`;
  }
  return done + still ? phrase`Every fleet has orders` : "";
}

/**
 * @param {OrdersData} given
 * @param {HTMLElement} host
 */
function begin(given, host) {
  const form = find(document, "form[data-orders]", HTMLFormElement);
  const notices = findAll(document, "main > .notice", HTMLElement);
  element(".lists").prepend(...notices.reverse());
  setMapRole(host);
  host.classList.toggle("owns-wheel", !isNarrow()); // The page itself does not scroll there.
  const page = new OrdersPage(given, host, form);
  keepClearOf(page.map, element(".titles"));
  addZoomButtons(page.map, element("[data-tools]"));
  if (form) {
    page.listenToForm(form);
  } else {
    page.listenWhileSealed();
  }
  page.listen();
  page.open();
}

const given = pageData("desk");
const host = find(document, "[data-map]", HTMLElement);
if (given && host) {
  begin(given, host);
}
