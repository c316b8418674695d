// The deployment at the desk: fleets on the star map and on cards, ships by plus and minus, every step taken back. It writes the
// fields of the plain form, which it hides; the draft is kept as one goes, and the server says what is wrong with it.

import { StarMap, beneath, tools } from "./chart.js";
import { data, layers } from "./chart_view.js";
import { cards, over, purses } from "./deploy_cards.js";
import { Force } from "./deploy_force.js";
import { restOf } from "./field.js";
import { phrase } from "./phrase.js";

const DOCTRINE = ["range", "targets", "break_off", "flee"];

const $ = (what) => document.querySelector(what);
const given = data("deploy");
const host = $("[data-map]");
const form = $("form[data-deploy]");
if (given && host) {
  begin();
}

function begin() {
  const { ground, moment, me } = given;
  const seat = ground.powers[me].seat;
  const force = new Force(given);
  const narrow = () => innerWidth <= 820;
  const place = new Map(ground.systems.map((system) => [system.hex, system]));
  const name = (hex) => place.get(hex)?.name ?? phrase`hex ${hex}`;
  const faults = new Map();
  const main = [...force.budgets].sort(
    (a, b) => (b.ftl !== "none") - (a.ftl !== "none") || b.points - a.points,
  )[0]?.id; // shown where no fleet is chosen
  let chosen = null;
  let drawn = null;
  let spoken = 0;

  for (const notice of document.querySelectorAll("main > .notice")) {
    $(".lists").prepend(notice);
  }
  host.setAttribute("role", "application");
  host.setAttribute("aria-roledescription", phrase`star map`);
  host.classList.toggle("owns-wheel", !narrow());
  const map = new StarMap(host, ground, {
    pick: picked,
    look: looked,
    drags: Boolean(form),
    pad: narrow() ? [22, 10, 66, 26] : [84, 16, 64, 26],
  });
  beneath(map, $(".titles"));
  tools(map, $("[data-tools]"));
  $("[data-tools]").hidden = false;

  function says(words, bad) {
    spoken += 1;
    const box = $("[data-map-says]");
    box.textContent = words;
    box.classList.toggle("bad", Boolean(bad));
  }

  function chart() {
    const seen = layers(ground, moment, me);
    const at = chosen && force.purse.get(chosen.budget);
    const fleets = force.fleets
      .map((fleet, n) => ({
        key: String(n),
        name: fleet.name,
        hex: fleet.hex,
        n: force.kinds(fleet),
        seat,
        on: fleet === chosen,
        todo: faults.has(n),
      }))
      .filter((fleet) => fleet.hex);
    map.show({
      ...seen,
      fleets: [...seen.fleets, ...fleets],
      reach: form && at ? { id: at.id, bands: [at.places] } : null,
      fan: chosen?.hex,
      start: chosen?.hex || fleets[0]?.hex,
    });
  }

  async function looked(hex, key) {
    if (!hex) {
      return;
    }
    const now = spoken;
    const { told } = await import("./chart_told.js");
    if (now !== spoken) {
      return;
    } // something newer has been said
    const fleet = force.fleets[key] ?? chosen;
    const at = fleet && force.purse.get(fleet.budget);
    says(
      `${told(ground, moment, hex).join(phrase`; `)}.${fleet && form ? ` ${at.places.includes(hex) ? phrase`${fleet.name} may begin here.` : phrase`${fleet.name} may not begin here.`}` : ""}`,
    );
  }

  function picked({ hex, key, drop }) {
    if (!form) {
      return;
    }
    if (drop) {
      chosen = force.fleets[drop];
    } else if (key) {
      return choose(force.fleets[key] ?? null);
    }
    const here = force.fleets.filter((fleet) => fleet.hex === hex);
    if (key === "" && here.length) {
      return choose(here[(here.indexOf(chosen) + 1) % here.length]);
    }
    if (!chosen) {
      return here.length
        ? choose(here[0])
        : says(phrase`Choose a fleet first, then where it begins.`);
    }
    if (hex) {
      put(chosen, hex);
    }
  }

  function put(fleet, hex) {
    const at = force.purse.get(fleet.budget);
    if (!at.places.includes(hex)) {
      return says(
        `${phrase`${fleet.name} may not begin at ${name(hex)}.`} ${at.places.length > 1 ? phrase`The shaded places are open to it.` : phrase`${name(at.places[0])} alone is open to it.`}`,
        true,
      );
    }
    change(phrase`${fleet.name} begins at ${name(hex)}`, () => {
      fleet.hex = hex;
    });
  }

  function choose(fleet) {
    chosen = fleet;
    refresh(
      fleet
        ? phrase`${fleet.name}: choose where it begins, or change its ships.`
        : phrase`Nothing chosen.`,
    );
    if (fleet && !narrow()) {
      $("[data-fleet].chosen")?.scrollIntoView({ block: "nearest" });
    }
  }

  /** Change the force, as a step that can be taken back. */
  function change(words, act, whole = true) {
    if (!force.step(words, act)) {
      return;
    }
    saved();
    if (whole) {
      refresh(words);
    } else {
      count();
      chart();
      says(words);
    }
  }

  function saved() {
    force.write($("[data-fields]"));
    later();
  }

  function count() {
    $("[data-purses]").innerHTML = purses(force, chosen?.budget ?? main);
    const ships = force.fleets.reduce((sum, fleet) => sum + force.ships(fleet), 0);
    const shown = chosen?.budget ?? main;
    const left = force.left(shown);
    const worst = force.budgets.find((one) => force.left(one.id) < 0);
    $("[data-count]").textContent =
      phrase`${phrase`${force.fleets.length} {:fleet|fleets}, ${ships} {:ship|ships}`}; ${worst ? over(force.left(worst.id)) : phrase`${left} {:point|points} left`}`;
    for (const [what, steps, verb] of [
      ["undo", force.past, phrase`Undo`],
      ["redo", force.future, phrase`Redo`],
    ]) {
      const button = $(`[data-${what}]`);
      const words = steps.length ? phrase`${verb}: ${steps.at(-1).words}` : verb;
      button.disabled = !steps.length;
      button.setAttribute("aria-label", words);
      button.title = words;
    }
  }

  /** Draw all anew; what has the focus, and what is unfolded, stays so. */
  function refresh(words) {
    if (form) {
      const list = $("[data-cards]");
      const focus = document.activeElement?.dataset.f;
      const open = new Set(
        [...list.querySelectorAll("details[open]")].map(
          (one) => one.dataset.open ?? one.dataset.sheet ?? "doctrine",
        ),
      );
      list.innerHTML = cards(force, chosen, {
        name,
        faults,
        seat,
        more: $("template[data-doctrine]").innerHTML,
      });
      for (const one of list.querySelectorAll("details")) {
        if (open.has(one.dataset.open ?? one.dataset.sheet ?? "doctrine")) {
          one.open = true;
        }
      }
      if (chosen) {
        doctrine(list.querySelector(".doctrine"));
      }
      if (focus) {
        [...list.querySelectorAll("[data-f]")]
          .find((one) => one.dataset.f === focus)
          ?.focus({ preventScroll: true });
      }
      count();
    }
    if (words) {
      says(words);
    }
    chart();
  }

  /** The doctrine's fields lose their names: what is written in them goes into the force. */
  function doctrine(box) {
    for (const field of box.querySelectorAll("[name]")) {
      const what = DOCTRINE.find((part) => restOf(given.fields[part], field.name) !== null);
      const kept = chosen.doctrine?.[what];
      field.removeAttribute("name");
      field.dataset.how = what;
      if (chosen.doctrine) {
        if (what === "flee") {
          field.checked = Boolean(kept);
        } else {
          field.value = kept ?? "";
        }
      }
    }
  }

  if (!form) {
    return refresh(phrase`Sealed. The map shows where your fleets begin.`);
  }

  form.querySelector("[data-plain]").remove();
  for (const box of form.querySelectorAll("[data-at-desk]")) {
    box.hidden = false;
  }
  let keeping = null;

  /** The draft is kept a moment after a change; the script for it is fetched with the first one. */
  function later() {
    const told = (found) => {
      if (found.deploy) {
        force.named(found.deploy);
        names();
      }
    };
    keeping ??= import("./draft_keep.js").then(
      ({ Keeper }) => new Keeper(form, { faults: blame, told }),
    );
    keeping.then((keeper) => keeper.later());
  }

  blame(given.faults, true);

  function blame(found, first) {
    faults.clear();
    const rest = [];
    for (const fault of found) {
      const n = /^deploy-(\d+)$/.exec(fault.anchor)?.[1];
      if (n === undefined) {
        rest.push(fault.words);
      } else {
        faults.set(Number(n), [...(faults.get(Number(n)) ?? []), fault.words]);
      }
    }
    $("[data-general]").replaceChildren(
      ...rest.map((words) =>
        Object.assign(document.createElement("p"), { className: "fault", textContent: words }),
      ),
    );
    if (!first) {
      refreshQuietly();
    }
  }

  /** The names that the server gave to new ships, in their fields. */
  function names() {
    for (const field of form.querySelectorAll("[data-names]")) {
      if (field !== document.activeElement) {
        field.value =
          chosen?.ships.find((row) => row.cls === field.dataset.names)?.names.join(", ") ?? "";
      }
    }
  }

  /** What came from the server does not take a field away in which somebody writes. */
  function refreshQuietly() {
    if (document.activeElement?.matches("[data-cards] input, [data-cards] select")) {
      chart();
      document.activeElement.addEventListener("blur", () => setTimeout(refreshLater), {
        once: true,
      });
    } else {
      refresh();
    }
  }
  function refreshLater() {
    if (!document.activeElement?.matches("[data-cards] *")) {
      refresh();
    }
  }

  const list = $("[data-cards]");
  const at = (event, what) => event.target.closest(`[data-${what}]`);
  const back = (told, act) => {
    const n = force.fleets.indexOf(chosen);
    const step = act();
    if (step) {
      chosen = force.fleets[n] ?? null;
      saved();
      refresh(told(step.words));
    }
  };
  const undo = () =>
    back(
      (words) => phrase`Undone: ${words}`,
      () => force.back(),
    );
  const redo = () =>
    back(
      (words) => phrase`Redone: ${words}`,
      () => force.on(),
    );
  $("[data-undo]").addEventListener("click", undo);
  $("[data-redo]").addEventListener("click", redo);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input:not([type=checkbox]), textarea");
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing) {
      event.preventDefault();
      if (event.shiftKey) {
        redo();
      } else {
        undo();
      }
    }
    if (
      event.target === host &&
      (event.key === "n" || event.key === "p") &&
      force.fleets.length &&
      document.body.dataset.keys !== "off"
    ) {
      const now = force.fleets.indexOf(chosen);
      const to =
        force.fleets[
          (now +
            (event.key === "n" ? 1 : now < 0 ? force.fleets.length : force.fleets.length - 1)) %
            force.fleets.length
        ];
      choose(to);
      if (to.hex) {
        map.walk(to.hex);
      }
    }
  });
  form.querySelector("[data-presets]").addEventListener("click", (event) => {
    const preset = given.presets.find((one) => one.id === at(event, "preset")?.dataset.preset);
    if (preset) {
      change(phrase`${preset.title}: all fleets anew`, () => {
        force.fleets = force.read(preset.deploy);
        chosen = null;
      });
    }
  });

  const desk = {
    force,
    list,
    change,
    says,
    put,
    choose,
    get chosen() {
      return chosen;
    },
    set chosen(fleet) {
      chosen = fleet;
    },
  };
  let acting = null;

  /** What a hand does on the cards, in order; fetched with the first touch. */
  function act(what, ...more) {
    acting ??= import("./deploy_acts.js").then(({ acts }) => acts(desk));
    acting.then((acts) => acts[what](...more));
  }

  list.addEventListener("click", (event) => act("clicked", event));
  list.addEventListener("change", (event) => act("changed", event));
  form.addEventListener("change", (event) => {
    if (event.target.closest("#dummies")) {
      later();
    }
  });

  // A ship's sheet is drawn onto another fleet's card.
  list.addEventListener("dragstart", (event) => {
    const cls = event.target.closest?.("[data-drawn]")?.dataset.drawn;
    if (!cls) {
      return;
    }
    drawn = { cls, from: chosen };
    event.dataTransfer.setData("text/plain", cls);
    event.dataTransfer.effectAllowed = "move";
  });
  const under = (event) => {
    const card = event.target.closest?.("[data-fleet]");
    const to = card && force.fleets[card.dataset.fleet];
    return drawn && to && to !== drawn.from && to.budget === drawn.from.budget ? card : null;
  };
  list.addEventListener("dragover", (event) => {
    if (under(event)) {
      event.preventDefault();
      under(event).classList.add("over");
    }
  });
  list.addEventListener("dragleave", (event) =>
    event.target.closest?.("[data-fleet]")?.classList.remove("over"),
  );
  list.addEventListener("drop", (event) => {
    const card = under(event);
    if (card) {
      event.preventDefault();
      act("shift", drawn.from, drawn.cls, force.fleets[card.dataset.fleet]);
    }
  });
  list.addEventListener("dragend", () => {
    drawn = null;
  });

  const seal = form.querySelector("button[value=seal]");
  seal?.addEventListener("click", (event) => {
    event.preventDefault();
    Promise.all([import("./readback.js"), import("./deploy_lines.js")]).then(
      ([{ readBack }, { lines }]) =>
        readBack(
          form,
          seal,
          phrase`Seal this force?`,
          lines(force, name).map((words) => ({ words })),
        ),
      () => form.requestSubmit(seal),
    );
  });
  force.write($("[data-fields]"));
  refresh(phrase`Choose a fleet, then where it begins.`);
  if (host.clientWidth < 560 && force.fleets[0]?.hex) {
    map.go(force.fleets[0].hex, Math.max(map.least, 0.86));
  }
}
