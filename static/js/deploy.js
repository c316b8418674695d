// The deployment page: fleets on the star map and on cards, ships by plus and minus, every step can
// be undone. It writes the fields of the plain form, which it hides; the draft is saved while the
// player works, and the server says what is wrong with it.

import { START_ZOOM, StarMap, keepClearOf, setMapRole, addZoomButtons } from "./chart.js";
import { pageData, mapLayers } from "./chart_view.js";
import { cards, over, budgetPanels } from "./deploy_cards.js";
import { Force } from "./deploy_force.js";
import { closest, find, findAll, html, matches, need } from "./dom.js";
import { restOf } from "./field.js";
import { phrase } from "./phrase.js";
import { describeStep } from "./undo_buttons.js";

/** @import { DeployActions } from "./deploy_actions.js" */
/** @import { DraftSaver } from "./draft_autosave.js" */

const DOCTRINE = ["range", "targets", "break_off", "flee"];
const SMALL = 560; // pixels: on a narrower map the page opens where the first fleet is

const isNarrow = () => innerWidth <= 820;

/** @param {string} selector */
const element = (selector) => need(document, selector, HTMLElement);

/** The page: the force, what is chosen, and how it is drawn. */
export class DeployPage {
  /** @type {PlannedFleet | null} */
  chosen = null;
  /** @type {Map<number, string[]>} what is wrong, by the fleet's number */
  faults = new Map();
  #spoken = 0; // how often something was said

  /**
   * @param {DeployData} given
   * @param {HTMLElement} host of the map
   * @param {boolean} isSealed
   */
  constructor(given, host, isSealed) {
    this.given = given;
    this.host = host;
    this.isSealed = isSealed;
    this.force = new Force(given);
    this.seat = given.ground.powers[given.me].seat;
    this.places = new Map(given.ground.systems.map(({ hex, name }) => [hex, name]));
    this.map = new StarMap(host, given.ground, {
      onPick: (pick) => this.#picked(pick),
      onHover: (hex, key) => this.#looked(hex, key),
      canDrag: !isSealed,
      padding: isNarrow() ? [22, 10, 66, 26] : [84, 16, 64, 26],
    });
  }

  /** @param {Hex} hex */
  name = (hex) => this.places.get(hex) ?? phrase`hex ${hex}`;

  /**
   * Say something beside the map.
   * @param {string} words
   * @param {boolean} isProblem
   */
  says(words, isProblem = false) {
    this.#spoken += 1;
    const box = element("[data-map-says]");
    box.textContent = words;
    box.classList.toggle("bad", isProblem);
  }

  /** Draw the map. */
  drawMap() {
    const { chosen, force, given, faults } = this;
    const seen = mapLayers(given.ground, given.moment, given.me);
    const fleets = force.fleets.map((fleet, n) => ({
      key: String(n),
      name: fleet.name,
      hex: fleet.hex,
      n: force.kinds(fleet),
      seat: this.seat,
      on: fleet === chosen,
      todo: faults.has(n),
    }));
    const placed = fleets.filter(({ hex }) => hex);
    const budget = chosen && !this.isSealed ? force.budget(chosen.budget) : null;
    this.map.show({
      ...seen,
      fleets: [...seen.fleets, ...placed],
      reach: budget && { id: budget.id, bands: [budget.places] },
      fan: chosen?.hex,
      start: chosen?.hex || placed[0]?.hex,
    });
  }

  /**
   * Say what is in the hex under the pointer or the cursor.
   * @param {Hex | null} hex
   * @param {string} [key] of the flag that is dragged there
   */
  async #looked(hex, key) {
    if (!hex) {
      return;
    }
    const spoken = this.#spoken;
    const { hexInWords } = await import("./chart_words.js");
    if (spoken !== this.#spoken) {
      return; // Something newer has been said.
    }
    const { force, given } = this;
    const words = hexInWords(given.ground, given.moment, hex);
    const fleet = (key && force.fleets[Number(key)]) || this.chosen;
    if (!fleet || this.isSealed) {
      this.says(words);
      return;
    }
    const isOpen = force.budget(fleet.budget).places.includes(hex);
    const may = isOpen
      ? phrase`${fleet.name} can start here.`
      : phrase`${fleet.name} cannot start here.`;
    this.says(`${words} ${may}`);
  }

  /**
   * Answer a click on the map.
   * @param {MapPick} pick
   */
  #picked({ hex, key, drop }) {
    const { force } = this;
    if (this.isSealed) {
      return;
    }
    if (drop) {
      this.chosen = force.fleets[Number(drop)];
    } else if (key) {
      this.choose(force.fleets[Number(key)] ?? null);
      return;
    }
    const here = force.fleets.filter((fleet) => fleet.hex === hex);
    if (key === "" && here.length) {
      const current = this.chosen ? here.indexOf(this.chosen) : -1;
      this.choose(here[(current + 1) % here.length]);
    } else {
      this.#pickedHex(hex, here);
    }
  }

  /**
   * Answer a click on a hex: the chosen fleet begins there, or a fleet that is there is chosen.
   * @param {Hex | null} hex null: beside the map
   * @param {PlannedFleet[]} here
   */
  #pickedHex(hex, here) {
    if (this.chosen) {
      if (hex) {
        this.put(this.chosen, hex);
      }
    } else if (here.length) {
      this.choose(here[0]);
    } else {
      this.says(phrase`Choose a fleet first, then where it starts.`);
    }
  }

  /**
   * Let a fleet begin in a hex, where it may.
   * @param {PlannedFleet} fleet
   * @param {Hex} hex
   */
  put(fleet, hex) {
    const { places } = this.force.budget(fleet.budget);
    const place = this.name(hex);
    if (!places.includes(hex)) {
      const open =
        places.length > 1
          ? phrase`It can start at any shaded place.`
          : phrase`It can only start at ${this.name(places[0])}.`;
      this.says(`${phrase`${fleet.name} cannot start at ${place}.`} ${open}`, true);
      return;
    }
    this.change(phrase`${fleet.name} starts at ${place}`, () => {
      fleet.hex = hex;
    });
  }

  /** @param {PlannedFleet | null} fleet */
  choose(fleet) {
    this.chosen = fleet;
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
   * Change the force, as a step that can be undone. An editor does more with it.
   * @param {string} words
   * @param {() => void} change
   * @returns {boolean} whether anything changed
   */
  change(words, change) {
    const changed = this.force.step(words, change);
    if (changed) {
      this.refresh(words);
    }
    return changed;
  }

  /**
   * Draw everything anew.
   * @param {string} [words] what is said of it
   */
  refresh(words) {
    if (words) {
      this.says(words);
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
  /** @type {{cls: string, from: PlannedFleet} | null} the ship that is dragged */
  #dragged = null;

  /**
   * @param {DeployData} given
   * @param {HTMLElement} host of the map
   * @param {HTMLFormElement} form
   */
  constructor(given, host, form) {
    super(given, host, false);
    this.form = form;
    this.list = need(form, "[data-cards]", HTMLElement);
    this.doctrine = need(document, "template[data-doctrine]", HTMLTemplateElement);
    // The budget that is shown where no fleet is chosen: the largest of ships that can jump.
    const [main] = [...given.budgets].sort(
      (a, b) => Number(b.ftl !== "none") - Number(a.ftl !== "none") || b.points - a.points,
    );
    this.mainBudget = main?.id;
  }

  /** Put the cards in the place of the plain form, and show the page as it opens. */
  open() {
    need(this.form, "[data-plain]", HTMLElement).remove();
    for (const box of findAll(this.form, "[data-at-desk]", HTMLElement)) {
      box.hidden = false;
    }
    this.#showFaults(this.given.faults);
    this.#listen();
    this.#listenToDragging();
    this.force.write(element("[data-fields]"));
    this.refresh(phrase`Choose a fleet, then where it starts.`);
    const first = this.force.fleets[0]?.hex;
    if (first && this.host.clientWidth < SMALL) {
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
      this.saved();
    }
    return changed;
  }

  /**
   * Change something that the cards show already.
   * @param {string} words
   * @param {() => void} change
   */
  changeInPlace(words, change) {
    if (this.force.step(words, change)) {
      this.saved();
      this.#drawCounts();
      this.drawMap();
      this.says(words);
    }
  }

  /** Write the fields of the form, and save the draft. */
  saved() {
    this.force.write(element("[data-fields]"));
    this.#saveLater();
  }

  /** Draw what is spent, and what can be undone. */
  #drawCounts() {
    const { force } = this;
    const shown = this.chosen?.budget ?? this.mainBudget;
    element("[data-budgets]").replaceChildren(...budgetPanels(force, shown));
    const ships = force.fleets.reduce((total, fleet) => total + force.ships(fleet), 0);
    const size = phrase`${force.fleets.length} {:fleet|fleets}, ${ships} {:ship|ships}`;
    const overspent = force.budgets.find(({ id }) => force.left(id) < 0);
    const rest = overspent
      ? over(force.left(overspent.id))
      : phrase`${force.left(shown ?? "")} {:point|points} left`;
    element("[data-count]").textContent = phrase`${size}; ${rest}`;
    describeStep("[data-undo]", phrase`Undo`, force.past);
    describeStep("[data-redo]", phrase`Redo`, force.future);
  }

  /**
   * Draw everything anew; what has the focus, and what is unfolded, stays so.
   * @override
   * @param {string} [words]
   */
  refresh(words) {
    const { list } = this;
    const focused = document.activeElement;
    const focus = focused instanceof HTMLElement ? focused.dataset.f : undefined;
    const open = new Set(
      findAll(list, "details[open]", HTMLDetailsElement).map((fold) => nameOfFold(fold)),
    );
    const { name, faults, seat, doctrine } = this;
    list.replaceChildren(...cards(this.force, this.chosen, { name, faults, seat, doctrine }));
    for (const fold of findAll(list, "details", HTMLDetailsElement)) {
      if (open.has(nameOfFold(fold))) {
        fold.open = true;
      }
    }
    if (this.chosen) {
      this.#prepareDoctrine(this.chosen);
    }
    if (focus) {
      const same = findAll(list, "[data-f]", HTMLElement).find(
        ({ dataset }) => dataset.f === focus,
      );
      same?.focus({ preventScroll: true });
    }
    this.#drawCounts();
    super.refresh(words);
  }

  /**
   * Take the names from the doctrine's fields: what is written in them goes into the force.
   * @param {PlannedFleet} fleet
   */
  #prepareDoctrine({ doctrine }) {
    const box = need(this.list, ".doctrine", HTMLElement);
    for (const field of box.querySelectorAll("[name]")) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) {
        continue;
      }
      const part = DOCTRINE.find((name) => restOf(this.given.fields[name], field.name) !== null);
      field.removeAttribute("name");
      field.dataset.how = part;
      if (doctrine && part === "flee" && field instanceof HTMLInputElement) {
        field.checked = Boolean(doctrine.flee);
      } else if (doctrine && part) {
        field.value = doctrine[part] ?? "";
      }
    }
  }

  /** Save the draft a moment after a change; the script for it is fetched with the first one. */
  #saveLater() {
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
    this.#saver.then((saver) => saver.saveSoon());
  }

  /** @param {Fault[]} faults */
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

  /** Show the names that the server gave to new ships, in their fields. */
  #showNames() {
    for (const field of findAll(this.form, "[data-names]", HTMLInputElement)) {
      if (field !== document.activeElement) {
        const row = this.chosen?.ships.find(({ cls }) => cls === field.dataset.names);
        field.value = row?.names.join(", ") ?? "";
      }
    }
  }

  /** Draw everything anew, but no field away in which somebody writes. */
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
   * Undo or redo a step, and keep the same fleet chosen.
   * @param {{words: string} | null} step that was moved
   * @param {number} chosen its number before
   * @param {(words: string) => string} inWords
   */
  #stepped(step, chosen, inWords) {
    if (step) {
      this.chosen = this.force.fleets[chosen] ?? null;
      this.saved();
      this.refresh(inWords(step.words));
    }
  }

  get #chosenNumber() {
    return this.chosen ? this.force.fleets.indexOf(this.chosen) : -1;
  }

  #undo() {
    const chosen = this.#chosenNumber;
    this.#stepped(this.force.undo(), chosen, (words) => phrase`Undone: ${words}`);
  }

  #redo() {
    const chosen = this.#chosenNumber;
    this.#stepped(this.force.redo(), chosen, (words) => phrase`Redone: ${words}`);
  }

  /**
   * Do what the player does on the cards, in order. The script for it is fetched with the first
   * touch.
   * @param {(actions: DeployActions) => unknown} action
   */
  async #act(action) {
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
      const preset = this.given.presets.find((other) => other.id === id);
      if (preset) {
        this.change(phrase`${preset.title}: all fleets replaced`, () => {
          this.force.fleets = this.force.read(preset.deploy);
          this.chosen = null;
        });
      }
    });
    list.addEventListener("click", ({ target }) => {
      this.#act((actions) => actions.clicked(target));
    });
    list.addEventListener("change", ({ target }) => {
      this.#act((actions) => actions.changed(target));
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

  /** @param {KeyboardEvent} event */
  #pressKey(event) {
    const isHeld = event.ctrlKey || event.metaKey;
    if (isHeld && event.key.toLowerCase() === "z") {
      this.#pressUndo(event);
    }
    const isForMap = event.target === this.host && document.body.dataset.keys !== "off";
    if (isForMap && (event.key === "n" || event.key === "p")) {
      this.#chooseNext(event.key === "n" ? 1 : -1);
    }
  }

  /** @param {KeyboardEvent} event */
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

  /** @param {1 | -1} step to the next or the previous fleet */
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

  /** Let a ship's sheet be dragged onto another fleet's card. */
  #listenToDragging() {
    const { list } = this;
    list.addEventListener("dragstart", (event) => {
      const cls = closest(event.target, "[data-drawn]", HTMLElement)?.dataset.drawn;
      if (!cls || !this.chosen || !event.dataTransfer) {
        return;
      }
      this.#dragged = { cls, from: this.chosen };
      event.dataTransfer.setData("text/plain", cls);
      event.dataTransfer.effectAllowed = "move";
    });
    list.addEventListener("dragover", (event) => {
      const drop = this.#dropOf(event);
      if (drop) {
        event.preventDefault();
        drop.card.classList.add("over");
      }
    });
    list.addEventListener("dragleave", ({ target }) => {
      closest(target, "[data-fleet]", HTMLElement)?.classList.remove("over");
    });
    list.addEventListener("drop", (event) => {
      const drop = this.#dropOf(event);
      if (drop) {
        event.preventDefault();
        this.#act((actions) => actions.shift(drop.from, drop.cls, drop.to));
      }
    });
    list.addEventListener("dragend", () => {
      this.#dragged = null;
    });
  }

  /**
   * Return what would be dropped where, if it may be.
   * @param {DragEvent} event
   */
  #dropOf(event) {
    const card = closest(event.target, "[data-fleet]", HTMLElement);
    const to = card && this.force.fleets[Number(card.dataset.fleet)];
    const dragged = this.#dragged;
    if (!to || !dragged || to === dragged.from || to.budget !== dragged.from.budget) {
      return null;
    }
    return { ...dragged, card, to };
  }

  /** @param {HTMLButtonElement} seal */
  async #readBack(seal) {
    const { form, force, name } = this;
    try {
      const [{ readBack }, { lines }] = await Promise.all([
        import("./readback.js"),
        import("./deploy_lines.js"),
      ]);
      const words = lines(force, name).map((line) => ({ words: line }));
      readBack(form, seal, phrase`Seal this force?`, words);
    } catch {
      form.requestSubmit(seal);
    }
  }
}

/** @param {HTMLDetailsElement} fold */
const nameOfFold = ({ dataset }) => dataset.open ?? dataset.sheet ?? "doctrine";

/**
 * @param {DeployData} given
 * @param {HTMLElement} host
 */
function begin(given, host) {
  const form = find(document, "form[data-deploy]", HTMLFormElement);
  const notices = findAll(document, "main > .notice", HTMLElement);
  element(".lists").prepend(...notices.reverse());
  setMapRole(host);
  host.classList.toggle("owns-wheel", !isNarrow());
  const page = form ? new DeployEditor(given, host, form) : new DeployPage(given, host, true);
  keepClearOf(page.map, element(".titles"));
  addZoomButtons(page.map, element("[data-tools]"));
  if (page instanceof DeployEditor) {
    page.open();
  } else {
    page.refresh(phrase`Sealed. The map shows where your fleets start.`);
  }
}

const given = pageData("deploy");
const host = find(document, "[data-map]", HTMLElement);
if (given && host) {
  begin(given, host);
}
