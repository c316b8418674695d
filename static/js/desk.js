// The desk: orders on the map, in the list, by keys and by typing, which end in the plain form's fields (desk_sheet.js). What a
// hand does is fetched with the first touch (desk_acts.js).

import { LEGIBLE, StarMap, beneath, tools } from "./chart.js";
import { data, layers } from "./chart_view.js";
import { Plan } from "./desk_plan.js";
import { Rows } from "./desk_rows.js";
import { Sheet } from "./desk_sheet.js";
import { lazily } from "./lazily.js";
import { phrase } from "./phrase.js";

const NOWHERE = { reach: null, eta: new Map() };
const $ = (what) => document.querySelector(what);
const given = data("desk");
const host = $("[data-map]");
const form = $("form[data-orders]");
if (given && host) {
  begin();
}

function begin() {
  const { ground, moment, me } = given;
  const seat = ground.powers[me].seat;
  const narrow = () => innerWidth <= 820;
  const plan = new Plan(ground, moment, given.plans ?? {}, $(".stage").dataset.arrivals);
  const shown = { contacts: true, plans: true, routes: true, known: false };

  for (const notice of document.querySelectorAll("main > .notice")) {
    $(".lists").prepend(notice);
  }
  host.setAttribute("role", "application");
  host.setAttribute("aria-roledescription", phrase`star map`);
  host.classList.toggle("owns-wheel", !narrow()); // the page itself does not scroll there
  const map = new StarMap(host, ground, {
    pick: (at) => act("picked", at),
    look: (hex, dragged) => act("looked", hex, dragged),
    list: (event) => act("listed", event),
    drags: Boolean(form),
    pad: narrow() ? [22, 10, 66, 26] : [84, 16, 64, 26],
  });
  beneath(map, $(".titles"));
  tools(map, $("[data-tools]"));
  $("[data-tools]").hidden = false;

  const sheet = form && new Sheet(form, ground, given.form);
  const rows = form && new Rows($("[data-list]"), sheet, plan, seat, given);
  const fleets = () => (sheet ? sheet.fleets() : []);
  const pick = (key) => fleets().find((fleet) => fleet.key === key);
  const desk = {
    ground,
    moment,
    known: given.known.fleets,
    plan,
    map,
    host,
    form,
    sheet,
    rows,
    fleets,
    pick,
    narrow,
    says,
    refresh,
    listed: list,
    draw,
    act,
    chosen: null,
    then: false,
    doubted: null,
    resting: 0,
    weeks: { now: true, moment, ways: () => [] }, // past ones are loaded when the slider is first moved, their script with them
  };
  const slider = $("[data-weeks]");
  if (slider) {
    slider.addEventListener(
      "input",
      async () => {
        const { Weeks } = await import("./desk_weeks.js");
        desk.weeks = new Weeks(slider, moment, { show: () => refresh(), says });
        desk.weeks.move();
      },
      { once: true },
    );
  }

  function says(words, bad) {
    clearTimeout(desk.resting);
    const box = $("[data-map-says]");
    box.textContent = words;
    box.classList.toggle("bad", Boolean(bad));
  }

  /** What a hand does, in order. */
  function act(what, ...more) {
    desk.acts ??= import("./desk_acts.js").then(
      ({ acts }) => acts(desk),
      (error) => {
        desk.acts = null;
        throw error;
      },
    );
    return desk.acts.then((acts) => acts[what](...more));
  }

  function draw() {
    const live = desk.weeks.now;
    const all = live ? fleets() : [];
    const fleet = live ? all.find((one) => one.key === desk.chosen) : null;
    const seen = layers(ground, desk.weeks.moment, me);
    const notes = new Map(moment.fleets.map((one) => [one.key, one]));
    const own =
      !live || !form
        ? seen.fleets
        : [
            ...all
              .filter((one) => one.ships.length || one.dummy)
              .map((one) => ({
                key: one.key,
                name: one.name,
                hex: one.hex,
                n: one.n,
                seat,
                dummy: one.dummy,
                ftl: notes.get(one.key)?.ftl,
                code: one.dummy
                  ? moment.dummies.find((dummy) => dummy.key === one.key)?.code
                  : undefined,
                on: one.key === desk.chosen,
                todo: rows.open(one),
              })),
          ];
    const ways = shown.routes ? [...seen.ways, ...desk.weeks.ways(seat)] : [];
    if (live && shown.plans) {
      for (const one of all) {
        for (const leg of plan.legs(one)) {
          const hexes = leg.path?.length ? [leg.from, ...leg.path] : [leg.from, leg.end];
          const now = leg.week === moment.week;
          ways.push({
            hexes,
            seat,
            cls: now ? "" : "later",
            tip: leg.goal,
            week: leg.week && !plan.place.has(leg.end) ? leg.week : 0,
          });
        }
      }
      for (const way of given.ways) {
        ways.push({ hexes: way.hexes, seat, tip: true });
      }
      if (!form) {
        for (const told of Object.values(given.plans ?? {})) {
          let at = told.end;
          for (const leg of told.legs) {
            ways.push({
              hexes: [at, leg.end],
              seat,
              cls: "later",
              tip: leg.goal,
              week: plan.place.has(leg.end) ? 0 : leg.week,
            });
            at = leg.end;
          }
        }
      }
    }
    const { reach, eta } = fleet && !rows.still(fleet) ? desk.reached(fleet) : NOWHERE;
    const rings =
      desk.doubted && live
        ? [
            {
              hex: desk.doubted.hex,
              far: Math.min(99, desk.doubted.age * ground.jump),
              seat: ground.powers[desk.doubted.power]?.seat,
              cls: "doubt",
            },
          ]
        : [];
    map.show({
      ...seen,
      eyes: shown.known && live ? given.known.eyes : [],
      fleets: own,
      contacts: shown.contacts ? seen.contacts : [],
      ways,
      reach,
      eta,
      rings,
      fan: fleet?.hex,
      start: fleet?.hex ?? own[0]?.hex,
    });
    $(".stage").classList.toggle("past", !live);
  }

  function refresh(words) {
    list();
    if (words) {
      says(words);
    }
    draw();
  }

  /** Draw the list anew, and what counts its fleets and steps. */
  function list() {
    if (sheet) {
      const all = fleets();
      const counts = rows.draw(all, desk.chosen, desk.then);
      const last = (steps) => (steps.length ? steps.at(-1).words : "");
      $("[data-count]").textContent = counted(counts);
      for (const [what, steps, verb] of [
        ["undo", sheet.past, phrase`Undo`],
        ["redo", sheet.future, phrase`Redo`],
      ]) {
        const button = $(`[data-${what}]`);
        button.disabled = !steps.length;
        button.setAttribute("aria-label", steps.length ? phrase`${verb}: ${last(steps)}` : verb);
        button.title = steps.length ? phrase`${verb}: ${last(steps)}` : "";
      }
    }
  }

  /** How many fleets are ordered, or have a problem. */
  function counted({ problem, todo, done, still }) {
    if (problem) {
      return phrase`${problem} {:fleet has|fleets have} a problem`;
    }
    if (todo) {
      return phrase`${done} of ${done + todo} fleets ordered`;
    }
    return done + still ? phrase`Every fleet is ordered` : "";
  }

  if (form) {
    const list = $("[data-list]");
    const seal = form.querySelector("button[value=seal]");
    seal?.addEventListener("click", (event) => {
      event.preventDefault();
      act("readBack", seal);
    });
    list.addEventListener("click", ({ target }) =>
      act("clicked", target.closest("button") ?? target),
    ); // what a line says may be drawn anew meanwhile
    list.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.target.matches("[data-goto]")) {
        return;
      }
      event.preventDefault();
      act("goTo", event.target, event.shiftKey);
    });
    form.addEventListener("change", (event) => act("changed", event));

    const typed = $("#typed");
    lazily(
      typed,
      ["focus", "input", "keydown"],
      async () => (await import("./desk_typed.js")).typing(desk),
      (event) => {
        if (event.key === "Enter") {
          event.preventDefault();
        }
        return true;
      },
    );
    document.addEventListener("keydown", (event) => {
      const key = event.key.toLowerCase();
      const held = event.ctrlKey || event.metaKey;
      if (
        event.target.matches(
          `input:not([type=checkbox], [type=radio], [type=range]), textarea${held ? "" : ", select"}`,
        )
      ) {
        return;
      }
      if (held ? key !== "z" : event.altKey) {
        return;
      }
      if (key === "/" && document.body.dataset.keys !== "off") {
        typed.focus();
      } else if (held || key === "escape" || ("npti".includes(key) && event.target === host)) {
        act("keyed", event);
      }
      if (held || key === "/") {
        event.preventDefault();
      }
    });
  } else {
    document.addEventListener("keydown", (event) => {
      // sealed: a hex can still be looked into
      if (event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      if (event.key === "Escape" || (event.key.toLowerCase() === "i" && event.target === host)) {
        act("keyed", event);
      }
    });
  }

  $("[data-layers]").addEventListener("click", (event) => {
    const button = event.target.closest("[data-layer]");
    if (!button) {
      return;
    }
    shown[button.dataset.layer] = !shown[button.dataset.layer];
    button.setAttribute("aria-pressed", shown[button.dataset.layer]);
    if (button.dataset.layer === "known" && shown.known) {
      act("eyes", given.known.eyes.length);
    }
    draw();
  });

  const asked = new URLSearchParams(location.search).get("fleet");
  refresh(
    form
      ? phrase`Choose a fleet, then where it goes.`
      : phrase`Sealed. The map shows what is ordered.`,
  );
  if (asked && pick(asked)) {
    act("choose", asked);
  }
  const planned = fleets().filter((fleet) => fleet.goals.length && plan.wants(fleet));
  if (planned.length) {
    plan.ask(planned).then(() => refresh());
  }
  if (map.least < LEGIBLE) {
    const first = fleets().find((fleet) => !rows?.still(fleet)) ?? moment.fleets[0];
    if (first) {
      map.go(first.hex, 0.86);
    }
  }
}
