// The orders page: players give orders on the map, in the list, by keys or by typing, and all of
// them are written into the fields of the plain form (orders_sheet.js). The actions of the player
// are loaded on the first touch of the page (orders_actions.js).

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
import { watchPlaces } from "./orders_places.js";
import { Plan } from "./orders_plan.js";
import { OrderSheet } from "./orders_sheet.js";
import { phrase } from "./phrase.js";
import { describeStep } from "./undo_buttons.js";

/** @import { OrdersActions } from "./orders_actions.js" */
/** @import { PastWeeks } from "./orders_history.js" */

const TEXT_FIELDS = "input:not([type=checkbox], [type=radio], [type=range]), textarea";
// Milliseconds that the pointer or cursor rests on a hex before it is described.
const MESSAGE_DELAY = 80;
const NARROW = 820; // pixels: the widest window with the layout for phones

const MAP_KEYS = "npti"; // next and previous fleet, "then", list of the hex

const isNarrow = () => innerWidth <= NARROW;

/** @param {string} selector */
const element = (selector) => need(document, selector, HTMLElement);

/** The orders page: its data, the chosen fleet, and the drawing of its map and list. */
export class OrdersPage {
  /** @type {string | null} the key of the chosen fleet */
  chosenKey = null;
  extendsPlan = false; // whether the next goal is added to the plan
  /** @type {MapMoment["contacts"][number] | null} the old contact whose ring is drawn */
  oldContactShown = null;
  /** @type {PastWeeks | null} loaded when the slider of weeks is first moved */
  pastWeeks = null;
  /** @type {((fleet: OrderFleet) => {reach: MapReach, eta: Map<Hex, string>}) | null} */
  reachOf = null;
  /** @type {Record<string, boolean>} the optional layers of the map: whether each is shown */
  visibleLayers = { contacts: true, plans: true, routes: true, known: false };
  /** @type {Promise<OrdersActions> | null} */
  #actions = null;
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {OrdersData} data
   * @param {HTMLElement} host the element of the map
   * @param {HTMLFormElement | null} form the form of orders; null if they are sealed
   */
  constructor(data, host, form) {
    const { ground, moment } = data;
    this.data = data;
    this.ground = ground;
    this.moment = moment;
    this.host = host;
    this.form = form;
    this.seat = ground.powers[data.me].seat;
    this.plan = new Plan(ground, moment, data.plans ?? {}, element(".stage").dataset.arrivals);
    this.map = new StarMap(host, ground, {
      onPick: (pick) => this.runAction((actions) => actions.onPick(pick)),
      onHover: (hex, dragged) => this.runAction((actions) => actions.onHover(hex, dragged)),
      onList: (event) => this.runAction((actions) => actions.onList(event)),
      canDrag: Boolean(form),
      padding: isNarrow() ? [22, 10, 66, 26] : [84, 16, 64, 26],
    });
    this.sheet = form && new OrderSheet(form, ground, data.form);
    this.list =
      this.sheet && new FleetList(element("[data-list]"), this.sheet, this.plan, this.seat, data);
    this.card = element("[data-card]");
  }

  /** Return the fleets as the draft orders them; none once the orders are sealed. */
  fleets = () => this.sheet?.fleets() ?? [];

  /**
   * Return a fleet by its key.
   * @param {string | null | undefined} key
   * @returns {OrderFleet | undefined}
   */
  fleet(key) {
    return this.fleets().find((fleet) => fleet.key === key);
  }

  /** Whether the map shows the current week. */
  get isNow() {
    return this.pastWeeks?.isNow ?? true;
  }

  /** The moment that the map shows. */
  get shownMoment() {
    return this.pastWeeks?.moment ?? this.moment;
  }

  /**
   * Run an action of the player. The script of the actions is loaded on first use; actions called
   * meanwhile run in order.
   * @template T
   * @param {(actions: OrdersActions) => T} action
   */
  runAction = async (action) => {
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
   * Show a message below the map.
   * @param {string} words
   * @param {boolean} isProblem
   */
  showMessage = (words, isProblem = false) => {
    clearTimeout(this.#timer);
    const box = element("[data-map-says]");
    box.textContent = words;
    box.classList.toggle("bad", isProblem);
  };

  /**
   * Show a message once the pointer or the cursor rests.
   * @param {string} words
   */
  showMessageAtRest(words) {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.showMessage(words), MESSAGE_DELAY);
  }

  /**
   * Redraw the list and the map.
   * @param {string} [words] a message to show
   */
  refresh(words) {
    this.drawList();
    if (words) {
      this.showMessage(words);
    }
    this.draw();
  }

  /** Draw the list of fleets, its counts and the undo buttons. */
  drawList() {
    if (!this.list || !this.sheet) {
      return;
    }
    const counts = this.list.draw(this.fleets(), this.chosenKey, this.extendsPlan);
    element("[data-count]").textContent = countInWords(counts);
    describeStep("[data-undo]", phrase`Undo`, this.sheet.undoSteps);
    describeStep("[data-redo]", phrase`Redo`, this.sheet.redoSteps);
  }

  /** Draw the map. */
  draw() {
    const { visibleLayers, data } = this;
    const fleet = this.isNow ? this.fleet(this.chosenKey) : undefined;
    const known = mapLayers(this.ground, this.shownMoment, data.me);
    const flags = this.isNow && this.sheet ? this.#flags() : known.fleets;
    const [first] = flags;
    const { hex } = fleet ?? { hex: undefined };
    this.map.show({
      ...known,
      ...this.#reach(fleet),
      eyes: this.#eyes(),
      fleets: flags,
      contacts: visibleLayers.contacts ? known.contacts : [],
      ways: [...this.#pastRoutes(known.ways), ...this.#plannedRoutes()],
      rings: uncertaintyRing(this.ground, this.isNow ? this.oldContactShown : null),
      fan: hex,
      start: hex ?? first?.hex,
    });
    element(".stage").classList.toggle("past", !this.isNow);
  }

  /** Return the eyes to draw, if that layer is shown. */
  #eyes() {
    return this.visibleLayers.known && this.isNow ? this.data.known.eyes : [];
  }

  /**
   * Return the map data of where a fleet can go, and when it arrives.
   * @param {OrderFleet | undefined} fleet
   * @returns {Pick<MapData, "reach" | "eta">}
   */
  #reach(fleet) {
    const canMove = fleet !== undefined && !this.list?.cannotMove(fleet);
    return (canMove && this.reachOf?.(fleet)) || { reach: null, eta: new Map() };
  }

  /**
   * Return the routes that fleets and contacts have taken, if that layer is shown.
   * @param {MapWay[]} knownRoutes
   */
  #pastRoutes(knownRoutes) {
    const past = this.pastWeeks?.routes(this.seat) ?? [];
    return this.visibleLayers.routes ? [...knownRoutes, ...past] : [];
  }

  /**
   * Return the flags of the fleets as the draft orders them.
   * @returns {MapFleet[]}
   */
  #flags() {
    const inFtlSpace = new Map(this.moment.fleets.map(({ key, ftl }) => [key, ftl]));
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
        ftl: inFtlSpace.get(fleet.key),
        code: fleet.dummy ? codes.get(fleet.key) : undefined,
        on: fleet.key === this.chosenKey,
        todo: this.list?.needsOrders(fleet),
      }));
  }

  /**
   * Return the routes that are ordered and planned, if that layer is shown.
   * @returns {MapWay[]}
   */
  #plannedRoutes() {
    const { seat, data } = this;
    if (!this.visibleLayers.plans || !this.isNow) {
      return [];
    }
    const legs = this.fleets().flatMap((fleet) => this.plan.legs(fleet));
    const sealedPlans = this.form ? [] : Object.values(data.plans ?? {});
    return [
      ...legs.map((leg) => this.#routeOfLeg(leg)),
      ...data.ways.map(({ hexes }) => ({ hexes, seat, tip: true })),
      ...sealedPlans.flatMap((plan) => this.#sealedRoutes(plan)),
    ];
  }

  /**
   * Return the route of a leg.
   * @param {Leg} leg
   * @returns {MapWay}
   */
  #routeOfLeg(leg) {
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
   * Return the routes of a sealed plan.
   * @param {ServerPlan} plan
   * @returns {MapWay[]}
   */
  #sealedRoutes(plan) {
    const starts = [plan.end, ...plan.legs.map(({ end }) => end)];
    return plan.legs.map((leg, n) => ({
      hexes: [starts[n], leg.end],
      seat: this.seat,
      cls: "later",
      tip: leg.goal,
      week: this.plan.systems.has(leg.end) ? 0 : leg.week,
    }));
  }

  /** Add the event listeners that pages with open and with sealed orders share. */
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

  /**
   * Load the past weeks, and show the one that the slider selects.
   * @param {HTMLElement} slider
   */
  async #loadPast(slider) {
    const { PastWeeks } = await import("./orders_history.js");
    const { showMessage } = this;
    this.pastWeeks = new PastWeeks(slider, this.moment, {
      show: () => this.refresh(),
      showMessage,
    });
    this.pastWeeks.move();
  }

  /**
   * Show or hide a layer of the map.
   * @param {HTMLElement} button
   * @param {string} layer
   */
  #toggleLayer(button, layer) {
    const { visibleLayers, data } = this;
    visibleLayers[layer] = !visibleLayers[layer];
    button.setAttribute("aria-pressed", String(visibleLayers[layer]));
    if (layer === "known" && visibleLayers.known) {
      this.runAction((actions) => actions.explainEyes(data.known.eyes.length));
    }
    this.draw();
  }

  /**
   * Add the event listeners of the form.
   * @param {HTMLFormElement} form
   */
  listenToForm(form) {
    const list = element("[data-list]");
    const seal = find(form, "button[value=seal]", HTMLButtonElement);
    seal?.addEventListener("click", (event) => {
      event.preventDefault();
      this.runAction((actions) => actions.readBack(seal));
    });
    list.addEventListener("click", ({ target }) => {
      // The line may be redrawn before the action runs, so find its button now.
      const pressed = closest(target, "button", HTMLElement) ?? target;
      this.runAction((actions) => actions.onListClick(pressed));
    });
    list.addEventListener("keydown", (event) => {
      const field = closest(event.target, "[data-goto]", HTMLInputElement);
      if (event.key === "Enter" && field) {
        event.preventDefault();
        this.runAction((actions) => actions.goTo(field, event.shiftKey));
      }
    });
    form.addEventListener("change", ({ target }) => {
      this.runAction((actions) => actions.onFieldChange(target));
    });
    const typed = need(form, "#typed", HTMLInputElement);
    lazily(
      typed,
      ["focus", "input", "keydown"],
      async () => (await import("./orders_typing.js")).typedOrderHandler(this),
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
   * Handle a key pressed on the page.
   * @param {KeyboardEvent} event
   * @param {HTMLInputElement} typed the field for typed orders
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
    const isMapKey = event.target === this.host && MAP_KEYS.includes(key);
    if (key === "/") {
      event.preventDefault();
      if (document.body.dataset.keys !== "off") {
        typed.focus();
      }
    } else if (key === "escape" || isMapKey) {
      this.runAction((actions) => actions.onKey(event));
    }
  }

  /**
   * Handle a key pressed with Ctrl or Cmd: Z undoes, with Shift redoes.
   * @param {KeyboardEvent} event
   * @param {string} key
   */
  #pressUndo(event, key) {
    if (key === "z" && !matches(event.target, TEXT_FIELDS)) {
      this.runAction((actions) => actions.onKey(event));
      event.preventDefault();
    }
  }

  /** Add the key listener of a page whose orders are sealed: keys still list what is in a hex. */
  listenWhileSealed() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      const isList = event.key.toLowerCase() === "i" && event.target === this.host;
      if (event.key === "Escape" || isList) {
        this.runAction((actions) => actions.onKey(event));
      }
    });
  }

  /** Draw the page when it opens. */
  open() {
    const linkedKey = new URLSearchParams(location.search).get("fleet");
    this.refresh(
      this.form
        ? phrase`Choose a fleet, then where it goes.`
        : phrase`Sealed. The map shows your orders.`,
    );
    if (linkedKey && this.fleet(linkedKey)) {
      this.runAction((actions) => actions.choose(linkedKey));
    }
    const planned = this.fleets().filter(
      (fleet) => fleet.goals.length && this.plan.needsArrivals(fleet),
    );
    if (planned.length) {
      this.plan.fetchArrivals(planned).then(() => this.refresh());
    }
    if (this.map.minZoom < LEGIBLE_ZOOM) {
      const movable = this.fleets().find((fleet) => !this.list?.cannotMove(fleet));
      const first = movable ?? this.moment.fleets[0];
      if (first) {
        this.map.centreOn(first.hex, START_ZOOM);
      }
    }
  }
}

/**
 * Return how many fleets have orders or problems, in words.
 * @param {Record<string, number>} counts the number of fleets by state
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
 * Set up the page.
 * @param {OrdersData} data
 * @param {HTMLElement} host the element of the map
 */
function start(data, host) {
  const form = find(document, "form[data-orders]", HTMLFormElement);
  const notices = findAll(document, "main > .notice", HTMLElement);
  element(".lists").prepend(...notices.reverse());
  setMapRole(host);
  host.classList.toggle("owns-wheel", !isNarrow()); // On wide screens the page itself does not scroll.
  const page = new OrdersPage(data, host, form);
  watchPlaces(document);
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

const data = pageData("desk");
const host = find(document, "[data-map]", HTMLElement);
if (data && host) {
  start(data, host);
}
