// The record of a battle fought at a table. A tap takes effect on the page at once; its entry is
// queued and sent in order, later if there is no network. Every entry has an id, so that an entry
// sent twice is recorded once. Without this script the same buttons submit the form.

import { closest, find, findAll, html, need } from "./dom.js";
import { nameOf, restOf } from "./field.js";
import { phrase } from "./phrase.js";
import { openStore } from "./table_queue.js";
import { drawBoxes, drawChecks, drawStores, drawSystems, partName } from "./table_record_panel.js";
import { applyEntry } from "./table_record_state.js";

// Times are in milliseconds.
const POLL_INTERVAL = 5000; // between requests for changes
const TIMEOUT = 15_000; // of a request
const STORE_DELAY = 2000; // between the last change and storing the page for offline use
const BATCH_SIZE = 100; // the most entries in one request
const NEXT_BATCH_DELAY = 400; // between two requests while entries are queued

/**
 * Return the numbers in a text, such as dice "4 6 1".
 * @param {string} text
 */
const numbersIn = (text) => (text.match(/\d+/g) ?? []).map(Number);

/**
 * Return the number that a text is, or the text.
 * @param {string} text
 */
const numberOrText = (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

/**
 * Return where a ship begins with one part more; an empty field is left out.
 * @param {StartOfShip} place
 * @param {string} part `x`, `y` or another key of the place
 * @param {string} typed
 * @returns {StartOfShip}
 */
function withPart(place, part, typed) {
  if (!typed) {
    return place;
  }
  if (part !== "x" && part !== "y") {
    return { ...place, [part]: numberOrText(typed) };
  }
  const [x, y] = place.at ?? ["", ""];
  const value = numberOrText(typed.replace(",", "."));
  return { ...place, at: part === "x" ? [value, y] : [x, value] };
}

/**
 * Describe an entry about the start of the battle.
 * @param {Extract<RecordEntry, {kind: "set_up" | "body"}>} entry
 */
const startInWords = (entry) =>
  entry.kind === "body" ? `${entry.body} ${entry.at.join(", ")}` : phrase`the set-up`;

/**
 * Describe an entry about dice: rolled by hand, or to be rolled or shown by the site.
 * @param {Extract<RecordEntry, {kind: "dice" | "throw" | "reveal"}>} entry
 */
function diceInWords(entry) {
  if (entry.kind === "reveal") {
    return phrase`dice number ${entry.number}`;
  }
  const rolls = entry.kind === "dice" ? entry.rolls.join(" ") : "";
  return phrase`dice, ${entry.about} ${rolls}`;
}

/** The record as this page shows it, with the queue of unsent entries. */
class TableRecord {
  isSending = false;
  isLoggedOut = false;
  isOffline = false;
  failureStatus = 0; // the HTTP status if the site could not process the last request, else 0
  batchSize = BATCH_SIZE;
  drawnPlot = ""; // the turn of the plot in the fields, and whether it is sealed; empty: draw it
  /** @type {Set<number>} numbers of reserved dice that this page has asked the site to show */
  asked = new Set();
  drawnTurn = ""; // the turn and phase shown ahead of the site's; empty if they are the site's
  /** @type {number | undefined} */
  storeTimer;

  /**
   * @param {HTMLFormElement} form
   * @param {RecordData} data
   */
  constructor(form, data) {
    this.form = form;
    this.fields = data.fields;
    /** @type {RecordState} */
    this.siteState = data; // the record as the site last sent it
    this.store = openStore(data.keep);
    this.queue = this.store.queue();
    this.queueStatus = need(document, "#queue", HTMLElement);
    this.refusals = need(document, "#refused", HTMLElement);
    this.shared = need(document, "#shared", HTMLElement);
    this.sharedMarkup = this.shared.innerHTML;
    this.plotFields = findAll(form, "input", HTMLInputElement).filter(
      ({ name }) => restOf(this.fields.plot, name) !== null,
    );
    this.plotExample = this.plotFields[0]?.placeholder ?? "";
    this.worker = this.#registerWorker();
  }

  /** Register the service worker that opens this page without a network. */
  async #registerWorker() {
    if (!window.isSecureContext || !("serviceWorker" in navigator)) {
      return null;
    }
    await navigator.serviceWorker.register(this.form.dataset.worker ?? "");
    return navigator.serviceWorker.ready;
  }

  /**
   * Return the id of the ship that a plot field belongs to.
   * @param {HTMLInputElement} field
   */
  #shipOf(field) {
    return restOf(this.fields.plot, field.name) ?? "";
  }

  /** Return the typed orders by ship. */
  #typedOrders() {
    return Object.fromEntries(
      this.plotFields.map((field) => [this.#shipOf(field), field.value.trim()]),
    );
  }

  /**
   * Return the value of a field of the form, or an empty text if there is none.
   * @param {string} name the name of the field
   */
  #valueOf(name) {
    const field = this.form.elements.namedItem(name);
    const hasValue = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
    return hasValue ? field.value.trim() : "";
  }

  /**
   * Make the entry of a pressed button, with the values of the fields beside it.
   * @param {string} value the button's value, "kind|subject|..." with the entry's other values. The
   *   subject is a ship, a ground target or a turn.
   * @returns {RecordEntry | null} null if the button makes no entry
   */
  #entryOf(value) {
    const [kind, subject, ...rest] = value.split("|");
    switch (kind) {
      case "boxes": {
        const [first, last, off] = rest;
        return { kind, ship: subject, first: Number(first), last: Number(last), off: off === "1" };
      }
      case "system": {
        const [system, hits] = rest;
        return { kind, ship: subject, system, hits: Number(hits) };
      }
      case "stock": {
        const [name, left] = rest;
        return { kind, ship: subject, name, left: Number(left) };
      }
      case "shown":
        return { kind, ship: subject };
      case "ground":
        return { kind, site: subject, damage: Number(rest[0]) };
      case "phase":
        return { kind, turn: Number(subject), phase: Number(rest[0]) };
      case "reveal":
        return { kind, number: Number(subject) };
      default:
        return this.#typedEntry(kind, subject, rest);
    }
  }

  /**
   * Make an entry whose values are partly typed.
   * @param {string} kind
   * @param {string} ship
   * @param {string[]} rest the other values of the button; a threshold check has its row, and
   *   "site" if the site rolls
   * @returns {RecordEntry | null} null if the button makes no entry
   */
  #typedEntry(kind, ship, rest) {
    const { fields } = this;
    if (kind === "check") {
      const [row, roller] = rest;
      const site = roller === "site";
      const typed = this.#valueOf(nameOf(fields.check, ship, row));
      return { kind, ship, row: Number(row), site, rolls: site ? [] : numbersIn(typed) };
    }
    if (kind === "end") {
      const status = this.#valueOf(nameOf(fields.status, ship));
      const captor = this.#valueOf(nameOf(fields.captor, ship));
      return { kind, ship, status, captor, how: this.#valueOf(nameOf(fields.how, ship)) };
    }
    if (kind === "dice") {
      return { kind, about: this.#valueOf("about"), rolls: numbersIn(this.#valueOf("rolls")) };
    }
    if (kind === "throw") {
      return { kind, about: this.#valueOf("about"), dice: Number(this.#valueOf("dice")) || 1 };
    }
    if (kind === "body") {
      const [x, y] = ["x", "y"].map((part) => this.#valueOf(nameOf(fields.body, ship, part)));
      return { kind, body: ship, at: [x, y].map((typed) => numberOrText(typed.replace(",", "."))) };
    }
    if (kind === "set_up") {
      return { kind, places: this.#typedPlaces() };
    }
    return kind === "plot" ? { kind, turn: this.state().turn, orders: this.#typedOrders() } : null;
  }

  /** Return where each ship begins, as typed; empty fields are left out. */
  #typedPlaces() {
    /** @type {Record<string, StartOfShip>} */
    const places = {};
    for (const field of findAll(this.form, "#setting-up input", HTMLInputElement)) {
      const [part, ...rest] = (restOf(this.fields.place, field.name) ?? "").split("-");
      const id = rest.join("-");
      places[id] = withPart(places[id] ?? {}, part, field.value.trim());
    }
    return places;
  }

  /** Return the site's state of the record with the queued entries applied. */
  state() {
    /** @type {RecordState} */
    const state = structuredClone(this.siteState);
    for (const [, entry] of this.queue) {
      applyEntry(state, entry);
    }
    return state;
  }

  /** Update the whole page from the state of the record and the queue. */
  draw() {
    const state = this.state();
    for (const panel of findAll(this.form, "[data-ship]", HTMLElement)) {
      const id = panel.dataset.ship ?? "";
      if (state.ships[id]) {
        this.#drawShip(panel, id, state.ships[id]);
      }
    }
    this.#drawSetUp(state);
    this.#drawPlot(state);
    this.#drawTurn(state);
    this.#drawGround(state);
    const reserved = find(this.shared, "#reserved", HTMLElement);
    if (reserved) {
      reserved.hidden = true; // its buttons do what askForDice does
    }
    this.queueStatus.hidden = this.queue.length === 0 && !this.store.isFull();
    const words = this.#queueInWords();
    if (this.queueStatus.textContent !== words) {
      this.queueStatus.textContent = words;
    }
  }

  /** Return how many entries are queued, and why they are not sent yet. */
  #queueInWords() {
    const { queue, failureStatus } = this;
    const many = phrase`${queue.length} {:entry waits|entries wait} to be sent`;
    if (this.store.isFull()) {
      return queue.length
        ? phrase`${many}, and this browser has no room to store them: leave the page open until they are sent.`
        : phrase`This browser has no room to store what you type: leave the page open until it is sealed.`;
    }
    if (this.isLoggedOut) {
      return phrase`${many}: log in again and reload this page. Nothing is lost.`;
    }
    if (failureStatus) {
      return phrase`${many}: the site answered ${failureStatus}; trying again. Nothing is lost.`;
    }
    return this.isOffline || !navigator.onLine
      ? phrase`${many}: no network. Nothing is lost.`
      : phrase`${many}.`;
  }

  /**
   * Show the set-up until it is sealed, and the plot from turn 1 on.
   * @param {RecordState} state
   */
  #drawSetUp({ turn, sealed }) {
    const setUp = find(this.form, "#setting-up", HTMLElement);
    if (setUp) {
      setUp.hidden = turn > 0 || sealed;
    }
    const bodies = find(this.form, "#bodies-section", HTMLElement);
    if (bodies) {
      bodies.hidden = turn > 0 || sealed;
    }
    const plot = find(this.form, "#plot-section", HTMLElement);
    if (plot) {
      plot.hidden = turn === 0;
    }
  }

  /**
   * Draw the plot of the turn: the sealed orders, or those typed so far.
   * @param {RecordState} state
   */
  #drawPlot({ turn, sealed, plot }) {
    const seal = find(this.form, "button[value=plot]", HTMLButtonElement);
    if (!seal) {
      return;
    }
    seal.disabled = sealed;
    seal.textContent = sealed
      ? phrase`The plot of turn ${turn} is sealed`
      : phrase`Seal the plot of turn ${turn}`;
    const typed = this.#storedPlot();
    const drawn = `${turn} ${sealed}`;
    if (this.drawnPlot === drawn) {
      return;
    }
    this.drawnPlot = drawn;
    const typedOrders = typed.turn === turn ? typed.orders : {};
    const orders = sealed ? plot : typedOrders;
    for (const field of this.plotFields) {
      field.readOnly = sealed;
      field.value = orders[this.#shipOf(field)] ?? "";
      field.placeholder = sealed ? phrase`no orders` : this.plotExample;
    }
  }

  /** Return the stored typed plot. Delete it from the store if the site has moved past it. */
  #storedPlot() {
    const { store, siteState } = this;
    const typed = store.typedPlot();
    const isOver = typed.turn < siteState.turn;
    const isSealed = typed.turn === siteState.turn && siteState.sealed;
    if (isOver || isSealed) {
      store.deletePlot();
    }
    return typed;
  }

  /**
   * Draw the turn and its phase if queued entries are ahead of those that the site knows.
   * @param {RecordState} state
   */
  #drawTurn({ turn, phase, sealed }) {
    const { siteState, shared } = this;
    const isOnSite = turn === siteState.turn && phase === siteState.phase;
    const drawn = isOnSite ? "" : `${turn} ${phase}`;
    if (drawn === this.drawnTurn) {
      return;
    }
    this.drawnTurn = drawn;
    this.#drawShared();
    if (isOnSite) {
      return;
    }
    const phases = findAll(shared, ".phases li", HTMLElement);
    const title = `${phases[phase].textContent}`;
    need(shared, "#turn-title", HTMLElement).textContent = phrase`Turn ${turn}, ${title}`;
    for (const [n, item] of phases.entries()) {
      if (n === phase) {
        item.setAttribute("aria-current", "step");
      } else {
        item.removeAttribute("aria-current");
      }
    }
    const button = find(shared, "button[value^='phase|']", HTMLButtonElement);
    if (button) {
      button.hidden = !sealed; // After a turn ends, the page does not know who has sealed.
      drawNextPhase(button, turn, phase, phases[phase + 1]?.textContent);
    }
  }

  /**
   * Draw the part that all players share, as the site last sent it. Open details stay open, and
   * focus stays inside.
   */
  #drawShared() {
    const { shared } = this;
    const openDetails = [".record", ".unreported"].filter(
      (selector) => find(shared, selector, HTMLDetailsElement)?.open,
    );
    const hadFocus = shared.contains(document.activeElement);
    shared.innerHTML = this.sharedMarkup;
    for (const selector of openDetails) {
      shared.querySelector(selector)?.setAttribute("open", "");
    }
    if (hadFocus) {
      shared.querySelector("button")?.focus();
    }
  }

  /**
   * Draw the boxes of ground targets. A tap on an open box marks off all boxes up to it; a tap on
   * one that is marked off opens it and all after it.
   * @param {RecordState} state
   */
  #drawGround(state) {
    for (const target of findAll(this.shared, "[data-ground]", HTMLElement)) {
      const site = target.dataset.ground ?? "";
      const damage = state.ground[site];
      const waits = this.queue.some(([, entry]) => entry.kind === "ground" && entry.site === site);
      for (const box of findAll(target, "[data-box]", HTMLButtonElement)) {
        const n = Number(box.dataset.box);
        const isOff = n <= damage;
        const isChanged = isOff !== n <= this.siteState.ground[site];
        box.classList.toggle("off", isOff);
        box.classList.toggle("waits", waits && isChanged);
        box.setAttribute("aria-pressed", String(isOff));
        box.value = `ground|${site}|${isOff ? n - 1 : n}`;
      }
    }
  }

  /**
   * Draw the panel of a ship.
   * @param {HTMLElement} panel the ship's part of the form
   * @param {string} id the ship's id
   * @param {RecordShip} ship
   */
  #drawShip(panel, id, ship) {
    const waiting = this.queue
      .map(([, entry]) => entry)
      .filter((entry) => "ship" in entry && entry.ship === id);
    drawBoxes(panel, id, ship, waiting);
    drawChecks(panel, ship, waiting);
    this.#drawStatus(panel, ship);
    drawSystems(panel, id, ship, waiting);
    drawStores(panel, id, ship);
    const button = find(panel, "[data-shown]", HTMLButtonElement);
    if (button) {
      button.disabled = ship.shown;
      button.textContent = ship.shown ? phrase`They have identified it` : phrase`They identify it`;
    }
  }

  /**
   * Draw how many boxes a ship has left, or how it left the battle.
   * @param {HTMLElement} panel
   * @param {RecordShip} ship
   */
  #drawStatus(panel, ship) {
    const left = find(panel, "[data-left]", HTMLElement);
    if (!left) {
      return;
    }
    const count = panel.querySelectorAll("[data-box]").length;
    const crossed = new Set(ship.crossed).size;
    const status = count && crossed >= count ? "destroyed" : ship.status;
    left.textContent =
      status === "fighting"
        ? phrase`${count - crossed} of ${count} boxes`
        : this.#statusInWords(panel, status);
  }

  /**
   * Return the label of a status, as in the form.
   * @param {HTMLElement} panel
   * @param {string} status
   */
  #statusInWords(panel, status) {
    const start = nameOf(this.fields.status, "");
    const options = findAll(panel, `[name^="${CSS.escape(start)}"] option`, HTMLOptionElement);
    return options.find(({ value }) => value === status)?.textContent ?? status;
  }

  /**
   * Describe an entry.
   * @param {RecordEntry} entry
   */
  #entryInWords(entry) {
    if (!("ship" in entry)) {
      return this.#sharedEntryInWords(entry);
    }
    const panel = need(this.form, `[data-ship="${CSS.escape(entry.ship)}"]`, HTMLElement);
    const name = need(panel, "summary b", HTMLElement).textContent;
    switch (entry.kind) {
      case "boxes":
        return entry.off
          ? phrase`${name}, boxes ${entry.first} to ${entry.last} crossed off`
          : phrase`${name}, boxes ${entry.first} to ${entry.last} open again`;
      case "system":
        return phrase`${name}, ${partName(panel, "system", entry.system)}, ${entry.hits} {:hit|hits}`;
      case "stock":
        return phrase`${name}, ${partName(panel, "store", entry.name)}, ${entry.left} left`;
      case "check":
        return phrase`${name}, threshold check of the row to box ${entry.row} (${entry.rolls.join(" ")})`;
      case "end":
        return `${name}, ${this.#statusInWords(panel, entry.status)}`;
      case "shown":
        return phrase`${name}, identified`;
    }
  }

  /**
   * Describe an entry that is not about one ship.
   * @param {Exclude<RecordEntry, {ship: string}>} entry
   */
  #sharedEntryInWords(entry) {
    if (entry.kind === "ground") {
      const selector = `[data-ground="${CSS.escape(entry.site)}"]`;
      const name = this.shared.querySelector(selector)?.getAttribute("aria-label");
      return phrase`${name ?? entry.site}: boxes marked off: ${entry.damage}`;
    }
    if (entry.kind === "plot") {
      const orders = this.plotFields.map((field) => {
        const name = field.labels?.[0]?.textContent?.trim() ?? "";
        return `${name} ${entry.orders[this.#shipOf(field)] || phrase`no orders`}`;
      });
      return phrase`the plot of turn ${entry.turn} (${orders.join(", ")})`;
    }
    if (entry.kind === "set_up" || entry.kind === "body") {
      return startInWords(entry);
    }
    if (entry.kind === "phase") {
      const phases = findAll(this.shared, ".phases li", HTMLElement);
      return phrase`turn ${entry.turn}, ${phases[entry.phase]?.textContent ?? ""}`;
    }
    return diceInWords(entry);
  }

  /** Send queued entries in order, or ask the site for changes if there are none. */
  async sync() {
    const isIdle = document.hidden && !this.queue.length;
    if (this.isSending || !navigator.onLine || isIdle) {
      return;
    }
    this.isSending = true;
    let hasChanged = false; // whether entries have left the queue or entered it
    try {
      const entries = this.queue.slice(0, this.batchSize);
      const answer = await this.#send(entries);
      this.isOffline = false;
      hasChanged = await this.#handleAnswer(answer, entries);
    } catch {
      this.isOffline = true; // The entries stay queued until the next attempt.
    }
    this.isSending = false;
    this.draw();
    if (this.queue.length && hasChanged) {
      setTimeout(() => this.sync(), NEXT_BATCH_DELAY);
    }
  }

  /**
   * Send entries, or ask for changes if there are none.
   * @param {QueuedEntry[]} entries
   */
  #send(entries) {
    const address = this.form.dataset.sync ?? "";
    const signal = AbortSignal.timeout(TIMEOUT);
    if (!entries.length) {
      return fetch(`${address}?at=${this.siteState.at}`, { redirect: "manual", signal });
    }
    const headers = {
      "Content-Type": "application/json",
      "X-CSRFToken": this.#valueOf("csrfmiddlewaretoken"),
    };
    const body = JSON.stringify({ entries, at: this.siteState.at });
    return fetch(address, { method: "POST", redirect: "manual", signal, headers, body });
  }

  /**
   * Process the site's answer.
   * @param {Response} answer
   * @param {QueuedEntry[]} entries the entries that were sent
   * @returns {Promise<boolean>} whether the queue has changed
   */
  async #handleAnswer(answer, entries) {
    this.failureStatus = 0;
    this.isLoggedOut = answer.type === "opaqueredirect" || answer.status === 403;
    if (this.isLoggedOut) {
      this.#postToWorker({ forget: true });
      return false;
    }
    if (answer.status === 200) {
      return this.#applyAnswer(await answer.json());
    }
    // 413: the request is too large; 422: it cannot be read; 409: it is refused.
    if ([413, 422].includes(answer.status) && entries.length > 1) {
      this.batchSize = 1; // Sent one by one, only the faulty entry is refused.
      return false;
    }
    if (answer.status === 409 || answer.status === 422) {
      const { error } = await answer.json();
      for (const [, entry] of entries) {
        this.#reportRefusal(entry, error);
      }
      this.#removeFromQueue(entries.map(([id]) => id));
      return true;
    }
    if (answer.status !== 204) {
      this.failureStatus = answer.status;
    }
    return false;
  }

  /**
   * Take over the state that the site sends, and report the entries that it refuses.
   * @param {RecordAnswer} answer
   * @returns {boolean} whether the queue has changed
   */
  #applyAnswer(answer) {
    const queued = new Map(this.queue);
    for (const [id, faults] of answer.written) {
      for (const fault of faults) {
        this.#reportRefusal(queued.get(id), fault);
      }
    }
    this.#removeFromQueue(answer.written.map(([id]) => id));
    if (!this.queue.length) {
      this.batchSize = BATCH_SIZE;
    }
    this.siteState = { ...this.siteState, ...answer };
    this.storePageSoon();
    this.sharedMarkup = answer.shared;
    this.drawnTurn = "";
    this.#drawShared();
    for (const [id, markup] of Object.entries(answer.sheets)) {
      const drawing = this.form.querySelector(`[data-ship="${CSS.escape(id)}"] [data-drawn]`);
      if (drawing) {
        drawing.innerHTML = markup;
      }
    }
    return this.askForDice(answer.reserved) || answer.written.length > 0;
  }

  /**
   * Queue the second step of each roll of the site: once its number is known, ask for its dice.
   * @param {number[]} reserved the numbers of dice that were not shown yet
   * @returns {boolean} whether there are any that this page has not asked for
   */
  askForDice(reserved) {
    const numbers = reserved.filter((number) => !this.asked.has(number));
    for (const number of numbers) {
      this.asked.add(number);
      this.store.add([newId(), { kind: "reveal", number }]);
    }
    this.queue = this.store.queue();
    return numbers.length > 0;
  }

  /** @param {string[]} ids the ids of entries */
  #removeFromQueue(ids) {
    this.store.remove(ids);
    this.queue = this.store.queue();
  }

  /**
   * Show that the site has refused an entry, and why.
   * @param {RecordEntry | undefined} entry
   * @param {string} fault
   */
  #reportRefusal(entry, fault) {
    if (entry?.kind === "plot") {
      this.drawnPlot = ""; // Its orders can be changed again.
    }
    const words = entry ? this.#entryInWords(entry) : "";
    this.#report(phrase`Not entered, ${words}: ${fault.replace(/\.$/, "")}.`);
  }

  /**
   * Add a line to the banner of refusals.
   * @param {string} words
   */
  #report(words) {
    this.refusals.hidden = false;
    this.refusals.append(html("p", {}, words));
  }

  /** Let the service worker store this page with its assets, once no more changes arrive. */
  storePageSoon() {
    clearTimeout(this.storeTimer);
    this.storeTimer = window.setTimeout(() => {
      const addresses = performance.getEntriesByType("resource").map(({ name }) => name);
      const assets = addresses.filter((name) => new URL(name).pathname.startsWith("/static/"));
      this.#postToWorker({ keep: assets });
    }, STORE_DELAY);
  }

  /**
   * Send a message to the service worker (table_worker.js).
   * @param {{keep?: string[], forget?: boolean}} message
   */
  async #postToWorker(message) {
    try {
      const registration = await this.worker;
      registration?.active?.postMessage(message);
    } catch {
      // Without the worker, only opening the page offline does not work.
    }
  }

  /**
   * Queue the entry of the pressed button. Only "Copy to the result" submits the form.
   * @param {SubmitEvent} event
   */
  #handleSubmit(event) {
    const button = event.submitter;
    const value = button instanceof HTMLButtonElement ? button.value : "";
    if (value === "result") {
      const refusal = this.#resultRefusal();
      if (refusal) {
        event.preventDefault();
        this.#report(refusal);
      }
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const entry = this.#entryOf(value);
    if (!entry) {
      return;
    }
    this.store.add([newId(), entry]);
    this.queue = this.store.queue();
    if (entry.kind === "dice") {
      need(this.form, "[name=rolls]", HTMLInputElement).value = "";
    }
    this.draw();
    this.sync();
  }

  /** Return why the record cannot be copied to the result yet, or an empty text. */
  #resultRefusal() {
    if (this.queue.length) {
      return phrase`Not yet: some entries have not been sent. Copy the record when they have.`;
    }
    return navigator.onLine
      ? ""
      : phrase`Not yet: there is no network. Copy the record when it is back.`;
  }

  /**
   * Let Enter go to the next plot field, or press the button beside any other field.
   * @param {KeyboardEvent} event
   */
  #handleEnter(event) {
    const field = event.target;
    if (event.key !== "Enter" || event.isComposing || !(field instanceof HTMLInputElement)) {
      return;
    }
    event.preventDefault();
    const index = this.plotFields.indexOf(field);
    if (index >= 0) {
      const seal = need(this.form, "button[value=plot]", HTMLButtonElement);
      (this.plotFields[index + 1] ?? seal).focus();
    } else {
      const pair = closest(field, ".pair", HTMLElement);
      pair?.querySelector("button")?.click();
    }
  }

  /** Listen to the page, the network, other tabs and the service worker. */
  listen() {
    const { form, store } = this;
    form.addEventListener("submit", (event) => this.#handleSubmit(event));
    form.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement && this.plotFields.includes(target)) {
        store.savePlot(this.state().turn, this.#typedOrders());
        this.draw();
      }
    });
    form.addEventListener("keydown", (event) => this.#handleEnter(event));
    navigator.serviceWorker?.addEventListener("message", (event) => {
      if (event.data?.full) {
        this.#report(
          phrase`This browser has no room to store the page: without a network you cannot open it again. Your entries are kept.`,
        );
      }
    });
    addEventListener("storage", (event) => {
      if (store.isQueueChange(event.key)) {
        this.queue = store.queue();
        this.draw();
      }
    });
    addEventListener("beforeunload", (event) => {
      if (this.queue.length && store.isFull()) {
        event.preventDefault();
      }
    });
    addEventListener("online", () => this.sync());
    addEventListener("offline", () => this.draw());
    addEventListener("load", () => this.storePageSoon());
    document.addEventListener("visibilitychange", () => this.sync());
    setInterval(() => this.sync(), POLL_INTERVAL);
  }
}

/**
 * Draw the button that moves on to the next phase.
 * @param {HTMLButtonElement} button
 * @param {number} turn
 * @param {number} phase the current phase
 * @param {string | null | undefined} nextTitle the title of the next phase; none if the turn ends
 */
function drawNextPhase(button, turn, phase, nextTitle) {
  button.value = nextTitle ? `phase|${turn}|${phase + 1}` : `phase|${turn + 1}|0`;
  button.textContent = phrase`Continue: ${nextTitle ?? phrase`turn ${turn + 1}`}`;
}

/** Return the id of a new entry, a random UUID. */
function newId() {
  return crypto.randomUUID?.() ?? uuid(); // only over TLS and on localhost
}

/** Return a random UUID, where the browser makes none. */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40; // version 4
  bytes[8] = (bytes[8] & 0x3f) | 0x80; // variant 1
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ];
  return parts.join("-");
}

const form = find(document, "form[data-kept]", HTMLFormElement);
const script = document.getElementById("kept-data");
if (form && script) {
  const record = new TableRecord(form, JSON.parse(script.textContent ?? ""));
  record.listen();
  record.storePageSoon();
  record.askForDice(record.siteState.reserved);
  record.draw();
  record.sync();
}
