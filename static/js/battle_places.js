// Places of the table that something asks for: the next touch of the table gives one, or the cursor. What it reaches is drawn, and told of
// any place; what is lawful the engine says. Fetched with the first that asks.

import { ring, wedge } from "./battle_arcs.js";
import { PLACE, say } from "./battle_look.js";
import { el } from "./battle_table.js";
import { number, phrase } from "./phrase.js";

const ARCS = ["F", "FS", "AS", "A", "AP", "FP"];
const NEAR = 1e-6;

const tenth = (n) => Math.round(n * 10) / 10;
export const written = (at) => at.map(tenth).join(" ");
export const place = (text) => {
  const at = text.match(/-?[\d.]+/g)?.map(Number);
  return at?.length === 2 ? at : null;
};

/**
 * The next touch of the table is for `want`, null: for nobody. {by, name, from, reach?, arcs?, turn?, ahead?, value?, aims?, put}: `by`, what
 * asks; `from`, where it is; `reach`: MU at least and at most; `arcs` as seen from hour `turn`; `ahead`: what others do next counts; `value`:
 * the place that it has; `aims`: the ships of which one is asked for, and no place; `put([x, y], id)` takes a place and what was touched
 * there, true: as something else. `keys`: it was asked for by keys.
 */
export function ask(table, want, keys) {
  table.asked = want && {
    ...want,
    take(id, at) {
      const mark = table.marks.get(id);
      const where = (mark ? [mark.x, mark.y] : at).map(tenth);
      ask(table, null);
      done = want.by;
      setTimeout(() => {
        done = null;
      });
      if (want.put(where, id?.replace("*", ""))) {
        return;
      }
      const why = judged(want, where)[1];
      if (why) {
        say(phrase`${document.getElementById("say").textContent}: ${why}`, true);
      }
    },
  };
  asks = table;
  bounds(table);
  table.shown?.();
  if (!want) {
    return;
  }
  if (keys) {
    cursor(table);
  } else {
    say(
      matchMedia("(pointer: coarse)").matches
        ? phrase`Touch the table to say where`
        : want.by?.matches("input")
          ? phrase`Touch the table to say where, or press the arrow down for a cursor`
          : phrase`Touch the table to say where, or press T for a cursor`,
      true,
    );
  }
}
const cursor = (table) => table.hand({ type: "keydown", key: "t" });
let asks = null;
let done = null; // what had its place just now asks for no other
addEventListener("keydown", (e) => {
  if (e.key === "Escape" && asks?.asked) {
    ask(asks, null);
    say(phrase`Nothing is asked for any more`);
  }
});

/** What is reached is drawn above all else of the world. */
function bounds(table) {
  table.bounds ??= table.world.appendChild(el("g", { class: "bounds" }));
  const { from, reach, arcs = [], turn = 0 } = table.asked ?? {};
  if (!reach) {
    table.bounds.replaceChildren();
    return;
  }
  const parts =
    arcs.length && arcs.length < 6
      ? arcs.map((arc) =>
          el("path", {
            class: "may",
            d: wedge(
              from,
              turn,
              (ARCS.indexOf(arc) - 0.5) * 60,
              (ARCS.indexOf(arc) + 0.5) * 60,
              ...reach,
            ),
          }),
        )
      : [];
  table.bounds.replaceChildren(...parts, ...reach.filter(Boolean).map((r) => ring(from, r)));
}

/** How far a place is, on which course, as on a clock; and why it is out of reach, where it is. */
export function judged({ from, reach, arcs, turn = 0 }, [x, y]) {
  const dx = x - from[0];
  const dy = y - from[1];
  const away = Math.hypot(dx, dy);
  const hour = ((Math.atan2(dx, dy) * 6) / Math.PI + 12) % 12;
  const bearing = Number((hour < 0.05 ? 12 : hour).toFixed(1));
  const told =
    away < 0.05 ? phrase`${number(0, 1)} MU` : phrase`${number(away, 1)} MU, bearing ${bearing}`;
  if (!reach) {
    return [told, ""];
  }
  if (away > reach[1] + NEAR) {
    return [told, phrase`out of reach by ${number(Math.ceil((away - reach[1]) * 10) / 10, 1)} MU`];
  }
  if (away < reach[0] - NEAR) {
    return [told, phrase`too near, it goes ${reach[0]} MU at least`];
  }
  const deg = ((((hour - turn) * 30) % 360) + 360) % 360; // on the line between two arcs it is in both
  const bears =
    !arcs ||
    away < NEAR ||
    arcs.some((arc) => Math.abs(((deg - ARCS.indexOf(arc) * 60 + 540) % 360) - 180) <= 30 + NEAR);
  return [told, bears ? "" : phrase`out of its arcs`];
}

/** Fields of a form that ask for a place: the next touch goes to the one in focus, arrow down begins the cursor. `of(input)`: whose it is. */
export function fields(table, form, of = (input) => ofMark(table, input)) {
  form.addEventListener("focusin", ({ target: input }) => {
    if (!input.matches("input, select") || input === table.asked?.by || input === done) {
      return;
    }
    ask(
      table,
      input.matches(PLACE)
        ? { by: input, value: place(input.value), put: (at) => write(input, at), ...of(input) }
        : null,
    );
  });
  form.addEventListener("keydown", (e) => {
    if (e.key !== "ArrowDown" || !table.asked || e.target !== table.asked.by) {
      return;
    }
    e.preventDefault();
    cursor(table);
  });
}

function write(input, at) {
  input.value = written(at);
  input.dispatchEvent(new Event("change", { bubbles: true }));
  say(phrase`${input.closest("label").firstChild.textContent.trim()}: ${input.value}`);
}

function ofMark(table, { name }) {
  // the ship that a field's name holds
  const id = [...table.marks.keys()]
    .filter((one) => `${name}-`.includes(`-${one}-`))
    .sort((a, b) => b.length - a.length)[0];
  const mark = table.marks.get(id);
  return { name: mark?.name ?? "", from: mark ? [mark.x, mark.y] : table.centred() };
}
