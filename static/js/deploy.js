// The deployment page: players place fleets on the star map and buy ships for them on cards; every
// step can be undone. The page replaces the plain form, but writes its fields. The draft is saved
// after each change, and the server reports its problems.

import { START_ZOOM, StarMap, keepClearOf, setMapRole, addZoomButtons } from "./chart.js";
import { pageData, mapLayers } from "./chart_view.js";
import { cards, pointsTooMany, budgetPanels } from "./deploy_cards.js";
import { Force } from "./deploy_force.js";
import { closest, find, findAll, html, matches, need } from "./dom.js";
import { restOf } from "./field.js";
import { phrase } from "./phrase.js";
import { describeStep } from "./undo_buttons.js";

/** @import { DeployActions } from "./deploy_actions.js" */
/** @import { DraftSaver } from "./draft_autosave.js" */

// The fields of a fleet's doctrine.
const DOCTRINE_FIELDS = ["range", "targets", "break_off", "flee", "formation", "speed", "reserve"];
const SMALL_WIDTH = 560; // pixels: on a narrower map the page opens at the first fleet
const NARROW = 820; // pixels: the widest window with the layout for phones

const isNarrow = () => innerWidth <= NARROW;

/** @param {string} selector */
const element = (selector) => need(document, selector, HTMLElement);

/** The deployment page: its force, the chosen fleet, and the drawing of its map. */
export class DeployPage {
  /** @type {PlannedFleet | null} */
  chosenFleet = null;
  /** @type {Map<number, string[]>} problems by the number of their fleet */
  faults = new Map();
  #messageCount = 0; // the number of messages shown so far

  /**
   * @param {DeployData} data
   * @param {HTMLElement} host the element of the map
   * @param {boolean} isSealed
   */
  constructor(data, host, isSealed) {
    this.data = data;
    this.host = host;
    this.isSealed = isSealed;
    this.force = new Force(data);
    this.seat = data.ground.powers[data.me].seat;
    this.places = new Map(data.ground.systems.map(({ hex, name }) => [hex, name]));
    this.map = new StarMap(host, data.ground, {
      onPick: (pick) => this.#onPick(pick),
      onHover: (hex, key) => this.#onHover(hex, key),
      canDrag: !isSealed,
      padding: isNarrow() ? [22, 10, 66, 26] : [84, 16, 64, 26],
    });
  }

  /**
   * Return the name of the system in a hex, or else of the hex.
   * @param {Hex} hex
   */
  name = (hex) => this.places.get(hex) ?? phrase`hex ${hex}`;

  /**
   * Show a message below the map.
   * @param {string} words
   * @param {boolean} isProblem
   */
  showMessage(words, isProblem = false) {
    this.#messageCount += 1;
    const box = element("[data-map-says]");
    box.textContent = words;
    box.classList.toggle("bad", isProblem);
  }

  /** Draw the map. */
  drawMap() {
    const { chosenFleet, force, data, faults } = this;
    const known = mapLayers(data.ground, data.moment, data.me);
    const fleets = force.fleets.map((fleet, n) => ({
      key: String(n),
      name: fleet.name,
      hex: fleet.hex,
      n: force.countKinds(fleet),
      seat: this.seat,
      on: fleet === chosenFleet,
      todo: faults.has(n),
    }));
    const placed = fleets.filter(({ hex }) => hex);
    const budget = chosenFleet && !this.isSealed ? force.budget(chosenFleet.budget) : null;
    this.map.show({
      ...known,
      fleets: [...known.fleets, ...placed],
      reach: budget && { id: budget.id, bands: [budget.places] },
      fan: chosenFleet?.hex,
      start: chosenFleet?.hex || placed[0]?.hex,
    });
  }

  /**
   * Describe the hex under the pointer or the cursor.
   * @param {Hex | null} hex
   * @param {string} [key] the key of the flag being dragged
   */
  async #onHover(hex, key) {
    if (!hex) {
      return;
    }
    const messageCount = this.#messageCount;
    const { hexInWords } = await import("./chart_words.js");
    if (messageCount !== this.#messageCount) {
      return; // A newer message is shown.
    }
    const { force, data } = this;
    const words = hexInWords(data.ground, data.moment, hex);
    const fleet = (key && force.fleets[Number(key)]) || this.chosenFleet;
    if (!fleet || this.isSealed) {
      this.showMessage(words);
      return;
    }
    const canStart = force.budget(fleet.budget).places.includes(hex);
    const startInWords = canStart
      ? phrase`${fleet.name} can start here.`
      : phrase`${fleet.name} cannot start here.`;
    this.showMessage(`${words} ${startInWords}`);
  }

  /**
   * Handle a click, a key or a dragged flag on the map.
   * @param {MapPick} pick
   */
  #onPick({ hex, key, drop }) {
    const { force } = this;
    if (this.isSealed) {
      return;
    }
    if (drop) {
      this.chosenFleet = force.fleets[Number(drop)];
    } else if (key) {
      this.choose(force.fleets[Number(key)] ?? null);
      return;
    }
    const fleetsHere = force.fleets.filter((fleet) => fleet.hex === hex);
    if (key === "" && fleetsHere.length) {
      const current = this.chosenFleet ? fleetsHere.indexOf(this.chosenFleet) : -1;
      this.choose(fleetsHere[(current + 1) % fleetsHere.length]);
    } else {
      this.#onHexPick(hex, fleetsHere);
    }
  }

  /**
   * Handle a click on a hex: the chosen fleet starts there, or a fleet that starts there is chosen.
   * @param {Hex | null} hex null outside the map
   * @param {PlannedFleet[]} fleetsHere
   */
  #onHexPick(hex, fleetsHere) {
    if (this.chosenFleet) {
      if (hex) {
        this.placeFleet(this.chosenFleet, hex);
      }
    } else if (fleetsHere.length) {
      this.choose(fleetsHere[0]);
    } else {
      this.showMessage(phrase`Choose a fleet first, then where it starts.`);
    }
  }

  /**
   * Let a fleet start in a hex, if its budget allows that.
   * @param {PlannedFleet} fleet
   * @param {Hex} hex
   */
  placeFleet(fleet, hex) {
    const { places } = this.force.budget(fleet.budget);
    const place = this.name(hex);
    if (!places.includes(hex)) {
      const allowed =
        places.length > 1
          ? phrase`It can start at any shaded place.`
          : phrase`It can only start at ${this.name(places[0])}.`;
      this.showMessage(`${phrase`${fleet.name} cannot start at ${place}.`} ${allowed}`, true);
      return;
    }
    this.change(phrase`${fleet.name} starts at ${place}`, () => {
      fleet.hex = hex;
    });
  }

  /**
   * Choose a fleet.
   * @param {PlannedFleet | null} fleet null to choose none
   */
  choose(fleet) {
    this.chosenFleet = fleet;
    this.refresh(
      fleet
        ? phrase`${fleet.name}: choose where it starts, or change its ships.`
        : phrase`Nothing chosen.`,
    );
    if (fleet && !isNarrow()) {
      find(document, "[data-fleet].chosen", HTMLElement)?.scrollIntoView({ block: "nearest" });
    }
  }

  /**
   * Change the force as a step that can be undone.
   * @param {string} words what the step does
   * @param {() => void} change
   * @returns {boolean} whether anything changed
   */
  change(words, change) {
    const changed = this.force.recordStep(words, change);
    if (changed) {
      this.refresh(words);
    }
    return changed;
  }

  /**
   * Redraw the page.
   * @param {string} [words] a message to show
   */
  refresh(words) {
    if (words) {
      this.showMessage(words);
    }
    this.drawMap();
  }
}

/** The page while the force can be changed. */
export class DeployEditor extends DeployPage {
  /** @type {Promise<DraftSaver> | null} */
  #saver = null;
  /** @type {Promise<DeployActions> | null} */
  #actions = null;

  /**
   * @param {DeployData} data
   * @param {HTMLElement} host the element of the map
   * @param {HTMLFormElement} form
   */
  constructor(data, host, form) {
    super(data, host, false);
    this.form = form;
    this.list = need(form, "[data-cards]", HTMLElement);
    this.doctrine = need(document, "template[data-doctrine]", HTMLTemplateElement);
    // The budget shown while no fleet is chosen: the largest, with budgets for FTL ships first.
    const [main] = [...data.budgets].sort(
      (a, b) => Number(b.ftl !== "none") - Number(a.ftl !== "none") || b.points - a.points,
    );
    this.defaultBudget = main?.id;
  }

  /** Replace the plain form by the cards, and draw the page when it opens. */
  open() {
    need(this.form, "[data-plain]", HTMLElement).remove();
    for (const box of findAll(this.form, "[data-at-desk]", HTMLElement)) {
      box.hidden = false;
    }
    this.#showFaults(this.data.faults);
    this.#listen();
    this.#listenToDragging();
    this.force.writeFields(element("[data-fields]"));
    if (document.querySelector(".without-map")) {
      this.chosenFleet = this.force.fleets[0] ?? null;
      this.refresh("");
      return;
    }
    this.refresh(phrase`Choose a fleet, then where it starts.`);
    const first = this.force.fleets[0]?.hex;
    if (first && this.host.clientWidth < SMALL_WIDTH) {
      this.map.centreOn(first, Math.max(this.map.minZoom, START_ZOOM));
    }
  }

  /**
   * @override
   * @param {string} words
   * @param {() => void} change
   */
  change(words, change) {
    const changed = super.change(words, change);
    if (changed) {
      this.saveDraft();
    }
    return changed;
  }

  /**
   * Change something that the cards show already, so that they need not be redrawn.
   * @param {string} words
   * @param {() => void} change
   */
  changeInPlace(words, change) {
    if (this.force.recordStep(words, change)) {
      this.saveDraft();
      this.#drawCounts();
      this.drawMap();
      this.showMessage(words);
    }
  }

  /** Write the fields of the form, and save the draft. */
  saveDraft() {
    this.force.writeFields(element("[data-fields]"));
    this.#saveLater();
  }

  /** Draw the budgets, the counts and the undo buttons. */
  #drawCounts() {
    const { force } = this;
    const budget = this.chosenFleet?.budget ?? this.defaultBudget;
    element("[data-budgets]").replaceChildren(...budgetPanels(force, budget));
    const ships = force.fleets.reduce((total, fleet) => total + force.shipCount(fleet), 0);
    const size = phrase`${force.fleets.length} {:fleet|fleets}, ${ships} {:ship|ships}`;
    const overspent = force.budgets.find(({ id }) => force.pointsLeft(id) < 0);
    const rest = overspent
      ? pointsTooMany(force.pointsLeft(overspent.id))
      : phrase`${force.pointsLeft(budget ?? "")} {:point|points} left`;
    element("[data-count]").textContent = phrase`${size}; ${rest}`;
    describeStep("[data-undo]", phrase`Undo`, force.undoSteps);
    describeStep("[data-redo]", phrase`Redo`, force.redoSteps);
  }

  /**
   * Redraw the page, and restore the focus and the open folds.
   * @override
   * @param {string} [words]
   */
  refresh(words) {
    const { list } = this;
    const focused = document.activeElement;
    const focusId = focused instanceof HTMLElement ? focused.dataset.f : undefined;
    const openFolds = new Set(
      findAll(list, "details[open]", HTMLDetailsElement).map((fold) => foldName(fold)),
    );
    const { name, faults, seat, doctrine } = this;
    list.replaceChildren(...cards(this.force, this.chosenFleet, { name, faults, seat, doctrine }));
    for (const fold of findAll(list, "details", HTMLDetailsElement)) {
      if (openFolds.has(foldName(fold))) {
        fold.open = true;
      }
    }
    if (this.chosenFleet) {
      this.#prepareDoctrine(this.chosenFleet);
    }
    if (focusId) {
      const same = findAll(list, "[data-f]", HTMLElement).find(
        ({ dataset }) => dataset.f === focusId,
      );
      same?.focus({ preventScroll: true });
    }
    this.#drawCounts();
    super.refresh(words);
  }

  /**
   * Fill the fields of the doctrine. They lose their names, because the form sends the values that
   * the force stores.
   * @param {PlannedFleet} fleet
   */
  #prepareDoctrine({ doctrine }) {
    const box = need(this.list, ".doctrine", HTMLElement);
    for (const field of box.querySelectorAll("[name]")) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) {
        continue;
      }
      const part = DOCTRINE_FIELDS.find(
        (name) => restOf(this.data.fields[name], field.name) !== null,
      );
      field.removeAttribute("name");
      field.dataset.how = part;
      if (doctrine && part === "flee" && field instanceof HTMLInputElement) {
        field.checked = Boolean(doctrine.flee);
      } else if (doctrine && part) {
        field.value = doctrine[part] ?? "";
      }
    }
  }

  /** Save the draft shortly after a change. */
  #saveLater() {
    this.#loadSaver().then((saver) => saver.saveSoon());
  }

  /** Return what saves the draft. Its script is loaded on the first change. */
  #loadSaver() {
    this.#saver ??= import("./draft_autosave.js").then(
      ({ DraftSaver }) =>
        new DraftSaver(this.form, {
          onFaults: (faults) => {
            this.#showFaults(faults);
            this.#refreshQuietly();
          },
          onSaved: ({ deploy }) => {
            if (deploy) {
              this.force.adoptNames(deploy);
              this.#showNames();
            }
          },
        }),
    );
    return this.#saver;
  }

  /**
   * Store the problems of fleets, and show the others.
   * @param {Fault[]} faults
   */
  #showFaults(faults) {
    this.faults.clear();
    const general = [];
    for (const { anchor, words } of faults) {
      const n = /^deploy-(\d+)$/.exec(anchor)?.[1];
      if (n === undefined) {
        general.push(html("p", { className: "fault" }, words));
      } else {
        this.faults.set(Number(n), [...(this.faults.get(Number(n)) ?? []), words]);
      }
    }
    element("[data-general]").replaceChildren(...general);
  }

  /** Show the names that the server has given to new ships in their fields. */
  #showNames() {
    for (const field of findAll(this.form, "[data-names]", HTMLInputElement)) {
      if (field !== document.activeElement) {
        const row = this.chosenFleet?.ships.find(({ cls }) => cls === field.dataset.names);
        field.value = row?.names.join(", ") ?? "";
      }
    }
  }

  /** Redraw the page, but not while the player is typing in one of its fields. */
  #refreshQuietly() {
    const field = document.activeElement;
    if (!field?.matches("[data-cards] input, [data-cards] select")) {
      this.refresh();
      return;
    }
    this.drawMap();
    const refreshAfterwards = () => {
      if (!document.activeElement?.matches("[data-cards] *")) {
        this.refresh();
      }
    };
    field.addEventListener("blur", () => setTimeout(refreshAfterwards), { once: true });
  }

  /**
   * Show the page after an undo or redo, with the same fleet chosen.
   * @param {{words: string} | null} step the step; null if there was none
   * @param {number} chosenNumber the number of the fleet chosen before
   * @param {(words: string) => string} inWords
   */
  #afterUndo(step, chosenNumber, inWords) {
    if (step) {
      this.chosenFleet = this.force.fleets[chosenNumber] ?? null;
      this.saveDraft();
      this.refresh(inWords(step.words));
    }
  }

  /** The number of the chosen fleet, or -1. */
  get #chosenNumber() {
    return this.chosenFleet ? this.force.fleets.indexOf(this.chosenFleet) : -1;
  }

  #undo() {
    const chosenNumber = this.#chosenNumber;
    this.#afterUndo(this.force.undo(), chosenNumber, (words) => phrase`Undone: ${words}`);
  }

  #redo() {
    const chosenNumber = this.#chosenNumber;
    this.#afterUndo(this.force.redo(), chosenNumber, (words) => phrase`Redone: ${words}`);
  }

  /**
   * Run an action of the player on the cards. The script of the actions is loaded on first use.
   * @param {(actions: DeployActions) => unknown} action
   */
  async #runAction(action) {
    this.#actions ??= import("./deploy_actions.js").then(
      ({ DeployActions }) => new DeployActions(this),
    );
    action(await this.#actions);
  }

  #listen() {
    const { form, list } = this;
    element("[data-undo]").addEventListener("click", () => this.#undo());
    element("[data-redo]").addEventListener("click", () => this.#redo());
    document.addEventListener("keydown", (event) => this.#pressKey(event));
    need(form, "[data-presets]", HTMLElement).addEventListener("click", ({ target }) => {
      const id = closest(target, "[data-preset]", HTMLElement)?.dataset.preset;
      const preset = this.data.presets.find((other) => other.id === id);
      if (preset) {
        this.change(phrase`${preset.title}: all fleets replaced`, () => {
          this.force.fleets = this.force.fleetsFromOrders(preset.deploy);
          this.chosenFleet = null;
        });
      }
    });
    list.addEventListener("click", ({ target }) => {
      this.#runAction((actions) => actions.onClick(target));
    });
    list.addEventListener("change", ({ target }) => {
      this.#runAction((actions) => actions.onFieldChange(target));
    });
    form.addEventListener("change", ({ target }) => {
      if (closest(target, "#dummies", HTMLElement)) {
        this.#saveLater();
      }
    });
    const seal = find(form, "button[value=seal]", HTMLButtonElement);
    seal?.addEventListener("click", (event) => {
      event.preventDefault();
      this.#readBack(seal);
    });
  }

  /**
   * Handle a key pressed on the page.
   * @param {KeyboardEvent} event
   */
  #pressKey(event) {
    const hasModifier = event.ctrlKey || event.metaKey;
    if (hasModifier && event.key.toLowerCase() === "z") {
      this.#pressUndo(event);
    }
    const isForMap = event.target === this.host && document.body.dataset.keys !== "off";
    if (isForMap && (event.key === "n" || event.key === "p")) {
      this.#chooseNext(event.key === "n" ? 1 : -1);
    }
  }

  /**
   * Undo, or redo with Shift, unless the player is typing.
   * @param {KeyboardEvent} event
   */
  #pressUndo(event) {
    if (matches(event.target, "input:not([type=checkbox]), textarea")) {
      return;
    }
    event.preventDefault();
    if (event.shiftKey) {
      this.#redo();
    } else {
      this.#undo();
    }
  }

  /**
   * Choose the next or the previous fleet.
   * @param {1 | -1} step 1 for the next, -1 for the previous
   */
  #chooseNext(step) {
    const { fleets } = this.force;
    const current = this.#chosenNumber;
    const start = current < 0 && step < 0 ? 0 : current;
    const next = fleets.at((start + step) % fleets.length);
    if (next) {
      this.choose(next);
      if (next.hex) {
        this.map.moveCursor(next.hex);
      }
    }
  }

  /** Let ships be dragged onto the card of another fleet. */
  async #listenToDragging() {
    const { listenToDragging } = await import("./deploy_dragging.js");
    listenToDragging(this, (...move) => this.#runAction((actions) => actions.moveShip(...move)));
  }

  /**
   * Save the draft, then ask the player to confirm the force before it is sealed, or list the
   * problems that prevent this.
   * @param {HTMLButtonElement} seal the button that seals
   */
  async #readBack(seal) {
    const { form, force, name } = this;
    try {
      const [{ readBack }, { linesToSeal }, saver] = await Promise.all([
        import("./readback.js"),
        import("./deploy_lines.js"),
        this.#loadSaver(),
      ]);
      const draft = await saver.saveNow();
      if (!draft || draft.closed || draft.lost) {
        form.requestSubmit(seal); // The next page explains why nothing is sealed.
        return;
      }
      const { faults = [] } = draft;
      if (faults.length) {
        const title = phrase`${faults.length} {:problem|problems} to fix before you can seal`;
        const problems = faults.map((fault) => ({ words: fault.words, problem: true }));
        readBack(form, null, title, problems);
        return;
      }
      const words = linesToSeal(force, name).map((line) => ({ words: line }));
      readBack(form, seal, phrase`Seal this force?`, words);
    } catch {
      form.requestSubmit(seal);
    }
  }
}

/**
 * Return the name of a fold, which stays the same when the cards are redrawn.
 * @param {HTMLDetailsElement} fold
 */
const foldName = ({ dataset }) => dataset.open ?? dataset.sheet ?? "doctrine";

/**
 * Set up the page.
 * @param {DeployData} data
 * @param {HTMLElement} host the element of the map
 */
function start(data, host) {
  const form = find(document, "form[data-deploy]", HTMLFormElement);
  const notices = findAll(document, "main > .notice", HTMLElement);
  element(".lists").prepend(...notices.reverse());
  setMapRole(host);
  host.classList.toggle("owns-wheel", !isNarrow());
  const page = form ? new DeployEditor(data, host, form) : new DeployPage(data, host, true);
  keepClearOf(page.map, element(".titles"));
  addZoomButtons(page.map, element("[data-tools]"));
  if (page instanceof DeployEditor) {
    page.open();
  } else {
    const hasMap = !document.querySelector(".without-map");
    page.refresh(hasMap ? phrase`Sealed. The map shows where your fleets start.` : "");
  }
}

const data = pageData("deploy");
const host = find(document, "[data-map]", HTMLElement);
if (data && host) {
  start(data, host);
}
