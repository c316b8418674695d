// A battle kept at the table: a tap counts at once, waits where there is no network, and is sent in
// its order. Every entry has a name of its own, so that what is sent twice is in the record once.
// Without this script the same buttons send the same form.

import { closest, find, findAll, html, need } from "./dom.js";
import { nameOf, restOf } from "./field.js";
import { phrase } from "./phrase.js";
import { store } from "./table_queue.js";
import { drawBoxes, drawChecks, drawStores, drawSystems, partName } from "./table_record_panel.js";
import { applyEntry } from "./table_record_state.js";

const EVERY = 5000; // milliseconds between questions whether anything has changed
const TIMEOUT = 15_000; // milliseconds for an answer
const SETTLED = 2000; // milliseconds after which the page is kept
const BATCH = 100; // entries that are sent at once
const NEXT_BATCH = 400; // milliseconds until the next ones are sent

/** @param {string} text */
const numbersIn = (text) => (text.match(/\d+/g) ?? []).map(Number);

/** The record, with what waits to be sent. */
class TableRecord {
  isSending = false;
  isLoggedOut = false;
  isOffline = false;
  failure = 0; // the status of an answer that was no answer
  batch = BATCH;
  drawnPlot = ""; // the turn whose plot is in the fields, and whether it is sealed
  drawnTurn = ""; // the turn and phase that are ahead of those that the site knows of
  /** @type {number | undefined} */
  settling;

  /**
   * @param {HTMLFormElement} form
   * @param {RecordData} data
   */
  constructor(form, data) {
    this.form = form;
    this.fields = data.fields;
    /** @type {RecordState} */
    this.now = data;
    this.kept = store(data.keep);
    this.queue = this.kept.all();
    this.status = need(document, "#queue", HTMLElement);
    this.refusals = need(document, "#refused", HTMLElement);
    this.shared = need(document, "#shared", HTMLElement);
    this.sharedMarkup = this.shared.innerHTML;
    this.plots = findAll(form, "input", HTMLInputElement).filter(
      ({ name }) => restOf(this.fields.plot, name) !== null,
    );
    this.sample = this.plots[0]?.placeholder ?? "";
    this.worker = this.#registerWorker();
  }

  async #registerWorker() {
    if (!window.isSecureContext || !("serviceWorker" in navigator)) {
      return null;
    }
    await navigator.serviceWorker.register(this.form.dataset.worker ?? "");
    return navigator.serviceWorker.ready;
  }

  /** @param {HTMLInputElement} field of a plot */
  #shipOf(field) {
    return restOf(this.fields.plot, field.name) ?? "";
  }

  /** Return the plot as it is typed. */
  get orders() {
    return Object.fromEntries(this.plots.map((field) => [this.#shipOf(field), field.value.trim()]));
  }

  /** @param {string} name of a field */
  #valueOf(name) {
    const field = this.form.elements.namedItem(name);
    const hasValue = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
    return hasValue ? field.value.trim() : "";
  }

  /**
   * Return the entry that a button and the fields beside it say; null where they say nothing.
   * @param {string} value of the button: "kind|ship|..."
   * @returns {RecordEntry | null}
   */
  entryOf(value) {
    const [kind, ship, ...rest] = value.split("|");
    switch (kind) {
      case "boxes":
        return { kind, ship, first: Number(rest[0]), last: Number(rest[1]), off: rest[2] === "1" };
      case "system":
        return { kind, ship, system: rest[0], hits: Number(rest[1]) };
      case "stock":
        return { kind, ship, name: rest[0], left: Number(rest[1]) };
      case "shown":
        return { kind, ship };
      case "ground":
        return { kind, site: ship, damage: Number(rest[0]) };
      case "phase":
        return { kind, turn: Number(ship), phase: Number(rest[0]) };
      default:
        return this.#typedEntry(kind, ship, rest);
    }
  }

  /**
   * Return an entry of which a part is typed.
   * @param {string} kind
   * @param {string} ship
   * @param {string[]} rest
   * @returns {RecordEntry | null}
   */
  #typedEntry(kind, ship, rest) {
    const { fields } = this;
    if (kind === "check") {
      const site = rest[1] === "site";
      const typed = this.#valueOf(nameOf(fields.check, ship, rest[0]));
      return { kind, ship, row: Number(rest[0]), site, rolls: site ? [] : numbersIn(typed) };
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
    return kind === "plot" ? { kind, turn: this.state().turn, orders: this.orders } : null;
  }

  /** Return the state of the record with what waits. */
  state() {
    /** @type {RecordState} */
    const state = structuredClone(this.now);
    for (const [, entry] of this.queue) {
      applyEntry(state, entry);
    }
    return state;
  }

  /** Draw everything anew. */
  draw() {
    const state = this.state();
    for (const panel of findAll(this.form, "[data-ship]", HTMLElement)) {
      const id = panel.dataset.ship ?? "";
      if (state.ships[id]) {
        this.#drawShip(panel, id, state.ships[id]);
      }
    }
    this.#drawPlot(state);
    this.#drawTurn(state);
    this.#drawGround(state);
    this.status.hidden = this.queue.length === 0 && !this.kept.unkept();
    const words = this.#waitingInWords();
    if (this.status.textContent !== words) {
      this.status.textContent = words;
    }
  }

  /** Say what waits, and for what. */
  #waitingInWords() {
    const { queue, failure } = this;
    const many = phrase`${queue.length} {:entry waits|entries wait} to be sent`;
    if (this.kept.unkept()) {
      return queue.length
        ? phrase`${many}, and this browser has no room to store them: leave the page open until they are sent.`
        : phrase`This browser has no room to store what you type: leave the page open until it is sealed.`;
    }
    if (this.isLoggedOut) {
      return phrase`${many}: log in again and reload this page. Nothing is lost.`;
    }
    if (failure) {
      return phrase`${many}: the site answered ${failure}; trying again. Nothing is lost.`;
    }
    return this.isOffline || !navigator.onLine
      ? phrase`${many}: no network. Nothing is lost.`
      : phrase`${many}.`;
  }

  /**
   * Draw the fields of the plot: as it is sealed, or as it was typed for this turn.
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
    const typed = this.#typedPlot();
    const drawn = `${turn} ${sealed}`;
    if (this.drawnPlot === drawn) {
      return;
    }
    this.drawnPlot = drawn;
    const current = typed.turn === turn ? typed.orders : {};
    const shown = sealed ? plot : current;
    for (const field of this.plots) {
      field.readOnly = sealed;
      field.value = shown[this.#shipOf(field)] ?? "";
      field.placeholder = sealed ? phrase`no orders` : this.sample;
    }
  }

  /** Return the plot that was typed, and forget it where the site has a later one. */
  #typedPlot() {
    const { kept, now } = this;
    const typed = kept.plot();
    if (typed.turn < now.turn || (typed.turn === now.turn && now.sealed)) {
      kept.forget();
    }
    return typed;
  }

  /**
   * Draw the turn and its phase, where what waits has gone on from those that the site knows of.
   * @param {RecordState} state
   */
  #drawTurn({ turn, phase, sealed }) {
    const { now, shared } = this;
    const isKnown = turn === now.turn && phase === now.phase;
    const drawn = isKnown ? "" : `${turn} ${phase}`;
    if (drawn === this.drawnTurn) {
      return;
    }
    this.drawnTurn = drawn;
    this.#drawShared();
    if (isKnown) {
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
      button.hidden = !sealed; // Of another turn nobody knows whether all have sealed.
      drawNextPhase(button, turn, phase, phases[phase + 1]?.textContent);
    }
  }

  /** Draw the part that all at the table write together, as the site has it. */
  #drawShared() {
    const { shared } = this;
    const open = [".record", ".untold"].filter(
      (selector) => find(shared, selector, HTMLDetailsElement)?.open,
    );
    const hadFocus = shared.contains(document.activeElement);
    shared.innerHTML = this.sharedMarkup;
    for (const selector of open) {
      shared.querySelector(selector)?.setAttribute("open", "");
    }
    if (hadFocus) {
      shared.querySelector("button")?.focus();
    }
  }

  /**
   * Draw the boxes of ground targets: a tap on one takes all before it too; on one that is marked
   * off it opens that again.
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
        const isChanged = isOff !== n <= this.now.ground[site];
        box.classList.toggle("off", isOff);
        box.classList.toggle("waits", waits && isChanged);
        box.setAttribute("aria-pressed", String(isOff));
        box.value = `ground|${site}|${isOff ? n - 1 : n}`;
      }
    }
  }

  /**
   * @param {HTMLElement} panel the part of the form for a ship
   * @param {string} id
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
   * Return a status in the words of the form.
   * @param {HTMLElement} panel
   * @param {string} status
   */
  #statusInWords(panel, status) {
    const list = nameOf(this.fields.status, "");
    const options = findAll(panel, `[name^="${CSS.escape(list)}"] option`, HTMLOptionElement);
    return options.find(({ value }) => value === status)?.textContent ?? status;
  }

  /** @param {RecordEntry} entry */
  inWords(entry) {
    if (!("ship" in entry)) {
      return this.#sharedInWords(entry);
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

  /** @param {Exclude<RecordEntry, {ship: string}>} entry */
  #sharedInWords(entry) {
    if (entry.kind === "ground") {
      const selector = `[data-ground="${CSS.escape(entry.site)}"]`;
      const name = this.shared.querySelector(selector)?.getAttribute("aria-label");
      return phrase`${name ?? entry.site}: boxes marked off: ${entry.damage}`;
    }
    if (entry.kind === "plot") {
      const orders = this.plots.map((field) => {
        const name = field.labels?.[0]?.textContent?.trim() ?? "";
        return `${name} ${entry.orders[this.#shipOf(field)] || phrase`no orders`}`;
      });
      return phrase`the plot of turn ${entry.turn} (${orders.join(", ")})`;
    }
    if (entry.kind === "phase") {
      const phases = findAll(this.shared, ".phases li", HTMLElement);
      return phrase`turn ${entry.turn}, ${phases[entry.phase]?.textContent ?? ""}`;
    }
    const rolls = entry.kind === "dice" ? entry.rolls.join(" ") : "";
    return phrase`dice, ${entry.about} ${rolls}`;
  }

  /** Send what waits, in its order; or ask whether anything has changed. */
  async exchange() {
    const isIdle = document.hidden && !this.queue.length;
    if (this.isSending || !navigator.onLine || isIdle) {
      return;
    }
    this.isSending = true;
    let isDone = false; // whether some of what waited is gone
    try {
      const entries = this.queue.slice(0, this.batch);
      const answer = await this.#send(entries);
      this.isOffline = false;
      isDone = await this.#answered(answer, entries);
    } catch {
      this.isOffline = true; // It waits for the next time.
    }
    this.isSending = false;
    this.draw();
    if (this.queue.length && isDone) {
      setTimeout(() => this.exchange(), NEXT_BATCH);
    }
  }

  /** @param {QueuedEntry[]} entries */
  #send(entries) {
    const address = this.form.dataset.sync ?? "";
    const signal = AbortSignal.timeout(TIMEOUT);
    if (!entries.length) {
      return fetch(`${address}?at=${this.now.at}`, { redirect: "manual", signal });
    }
    const headers = {
      "Content-Type": "application/json",
      "X-CSRFToken": this.#valueOf("csrfmiddlewaretoken"),
    };
    const body = JSON.stringify({ entries, at: this.now.at });
    return fetch(address, { method: "POST", redirect: "manual", signal, headers, body });
  }

  /**
   * Take an answer of the site.
   * @param {Response} answer
   * @param {QueuedEntry[]} entries that were sent
   * @returns {Promise<boolean>} whether some of what waited is gone
   */
  async #answered(answer, entries) {
    this.failure = 0;
    this.isLoggedOut = answer.type === "opaqueredirect" || answer.status === 403;
    if (this.isLoggedOut) {
      this.#tellWorker({ forget: true });
      return false;
    }
    if (answer.status === 200) {
      this.#take(await answer.json());
      return entries.length > 0;
    }
    if ([413, 422].includes(answer.status) && entries.length > 1) {
      this.batch = 1; // One of them cannot be read: the others go one by one.
      return false;
    }
    if (answer.status === 409 || answer.status === 422) {
      const { error } = await answer.json();
      for (const [, entry] of entries) {
        this.#refuse(entry, error);
      }
      this.#drop(entries.map(([key]) => key));
      return true;
    }
    if (answer.status !== 204) {
      this.failure = answer.status;
    }
    return false;
  }

  /** @param {RecordAnswer} answer */
  #take(answer) {
    const waited = new Map(this.queue);
    for (const [key, faults] of answer.written) {
      for (const fault of faults) {
        this.#refuse(waited.get(key), fault);
      }
    }
    this.#drop(answer.written.map(([key]) => key));
    if (!this.queue.length) {
      this.batch = BATCH;
    }
    this.now = { ...this.now, ...answer };
    this.keepPage();
    this.sharedMarkup = answer.shared;
    this.drawnTurn = "";
    this.#drawShared();
    for (const [id, markup] of Object.entries(answer.sheets)) {
      const sheet = this.form.querySelector(`[data-ship="${CSS.escape(id)}"] [data-drawn]`);
      if (sheet) {
        sheet.innerHTML = markup;
      }
    }
  }

  /** @param {string[]} keys */
  #drop(keys) {
    this.kept.drop(keys);
    this.queue = this.kept.all();
  }

  /**
   * Say what the site did not take, and why.
   * @param {RecordEntry | undefined} entry
   * @param {string} fault
   */
  #refuse(entry, fault) {
    if (entry?.kind === "plot") {
      this.drawnPlot = ""; // It is there again to be changed.
    }
    const words = entry ? this.inWords(entry) : "";
    this.say(phrase`Not entered, ${words}: ${fault.replace(/\.$/, "")}.`);
  }

  /** @param {string} words */
  say(words) {
    this.refusals.hidden = false;
    this.refusals.append(html("p", {}, words));
  }

  /** Let the worker keep this page, with what it is drawn with, for when there is no network. */
  keepPage() {
    clearTimeout(this.settling);
    this.settling = window.setTimeout(() => {
      const names = performance.getEntriesByType("resource").map(({ name }) => name);
      const keep = names.filter((name) => new URL(name).pathname.startsWith("/static/"));
      this.#tellWorker({ keep });
    }, SETTLED);
  }

  /** @param {{keep?: string[], forget?: boolean}} message */
  async #tellWorker(message) {
    try {
      const registration = await this.worker;
      registration?.active?.postMessage(message);
    } catch {
      // The page does not open without network then, and that is all.
    }
  }

  /** @param {SubmitEvent} event */
  #submitted(event) {
    const button = event.submitter;
    const value = button instanceof HTMLButtonElement ? button.value : "";
    if (value === "result") {
      const refusal = this.#whyNoResult();
      if (refusal) {
        event.preventDefault();
        this.say(refusal);
      }
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const entry = this.entryOf(value);
    if (!entry) {
      return;
    }
    this.kept.add([crypto.randomUUID?.() ?? uuid(), entry]);
    this.queue = this.kept.all();
    if (entry.kind === "dice") {
      need(this.form, "[name=rolls]", HTMLInputElement).value = "";
    }
    this.draw();
    this.exchange();
  }

  #whyNoResult() {
    if (this.queue.length) {
      return phrase`Not yet: some entries have not been sent. Copy the record when they have.`;
    }
    return navigator.onLine
      ? ""
      : phrase`Not yet: there is no network. Copy the record when it is back.`;
  }

  /**
   * Let the key that ends a line press the button beside the field, and none elsewhere.
   * @param {KeyboardEvent} event
   */
  #pressKey(event) {
    const field = event.target;
    if (event.key !== "Enter" || event.isComposing || !(field instanceof HTMLInputElement)) {
      return;
    }
    event.preventDefault();
    const index = this.plots.indexOf(field);
    if (index >= 0) {
      const seal = need(this.form, "button[value=plot]", HTMLButtonElement);
      (this.plots[index + 1] ?? seal).focus();
    } else {
      const pair = closest(field, ".pair", HTMLElement);
      pair?.querySelector("button")?.click();
    }
  }

  listen() {
    const { form, kept } = this;
    form.addEventListener("submit", (event) => this.#submitted(event));
    form.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement && this.plots.includes(target)) {
        kept.type(this.state().turn, this.orders);
        this.draw();
      }
    });
    form.addEventListener("keydown", (event) => this.#pressKey(event));
    navigator.serviceWorker?.addEventListener("message", (event) => {
      if (event.data?.full) {
        this.say(
          phrase`This browser has no room to store the page: without a network you cannot open it again. Your entries are kept.`,
        );
      }
    });
    addEventListener("storage", (event) => {
      if (kept.is(event.key)) {
        this.queue = kept.all();
        this.draw();
      }
    });
    addEventListener("beforeunload", (event) => {
      if (this.queue.length && kept.unkept()) {
        event.preventDefault();
      }
    });
    addEventListener("online", () => this.exchange());
    addEventListener("offline", () => this.draw());
    addEventListener("load", () => this.keepPage());
    document.addEventListener("visibilitychange", () => this.exchange());
    setInterval(() => this.exchange(), EVERY);
  }
}

/**
 * @param {HTMLButtonElement} button that goes on
 * @param {number} turn
 * @param {number} phase
 * @param {string | null | undefined} next the phase after it; none: a new turn begins
 */
function drawNextPhase(button, turn, phase, next) {
  button.value = next ? `phase|${turn}|${phase + 1}` : `phase|${turn + 1}|0`;
  button.textContent = phrase`Continue: ${next ?? phrase`turn ${turn + 1}`}`;
}

/** Make a name for an entry, as browsers give one only over TLS and on the same machine. */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
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
  record.keepPage();
  record.draw();
  record.exchange();
}
