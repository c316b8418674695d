// The plot: a ghost of every ship at the end of its written order. Dragging, keys, steppers and typing all write the field of the
// ship's order in the form, and the server reads nothing else: the lists it stands for are not sent.

import { cover, ring } from "./battle_arcs.js";
import { PLACE, begin, drawer, line, node, note, say, trails } from "./battle_look.js";
import { fault, leg, parse, reach, spent, words } from "./battle_rules.js";
import { el, ours } from "./battle_table.js";
import { nameOf, restOf } from "./field.js";
import { phrase } from "./phrase.js";

const { data, table, shows, $, RANGES } = begin();
const form = $("orders");
const helm = $("helm");
const ships = new Map(
  data.own
    .filter((one) => data.ships[one.id])
    .map((one) => [one.id, { ...one, ...data.ships[one.id] }]),
);
const rows = new Map(
  [...ships.keys()].map((id) => [id, document.querySelector(`[data-row="${id}"]`)]),
);
const fields = new Map(
  [...rows].map(([id, row]) => [
    id,
    row.querySelector(`[name="${nameOf(data.fields.order, id)}"]`),
  ]),
);
const textOf = (id) => fields.get(id).value.trim();
const plotOf = (id) => parse(textOf(id), Boolean(ships.get(id).drift));
// Orders are compared as they are read: "p2 +4" is no change of "P2+4".
const isCaptains = (id) =>
  words(plotOf(id)) === words(parse(ships.get(id).captain, Boolean(ships.get(id).drift)));
const end = (id) => leg(ships.get(id), plotOf(id));
const wrong = (id) => fault(ships.get(id), plotOf(id));
let chosen;
let dots = [];
let grab = null;
let craft = null;

for (const [id, row] of rows) {
  // the field stands in the row, and counts alone
  const field = fields.get(id);
  for (const lists of row.querySelectorAll("[data-lists]")) {
    lists.disabled = lists.hidden = true;
  }
  row.querySelector(".seldom")?.remove();
  Object.assign(field, {
    className: "order",
    placeholder: phrase`holds`,
    value: ships.get(id).order,
    ariaLabel: phrase`${ships.get(id).name}, order`,
  });
  field.closest("label").remove();
  row.querySelector(".o").replaceChildren(field);
}
const hangar = drawer(
  phrase`Craft and launches`,
  [...document.querySelectorAll("[data-row]")].flatMap((row) => {
    const more = row.querySelector(".fields");
    if (!rows.has(row.dataset.row)) {
      return [row];
    }
    more.hidden = !more.querySelector("[data-beside]");
    more.dataset.of = row.dataset.row;
    more.querySelector("summary").textContent =
      phrase`Launches of ${ships.get(row.dataset.row).name}`;
    return more.hidden ? [] : [more];
  }),
  data.decks.length || Object.keys(data.boarders).length,
);
hangar?.addEventListener("toggle", async () => {
  // fetched when they are looked at
  craft ??= (await import("./battle_craft.js")).hangar({
    data,
    table,
    form,
    hangar,
    ships,
    textOf,
    write,
    show,
    end,
  });
  craft.open(hangar.open);
});

function write(id, text) {
  if (text !== textOf(id)) {
    fields.get(id).value = text;
    spoken(id);
  }
  show();
}

function spoken(id) {
  const { course, v } = end(id);
  say(
    phrase`${ships.get(id).name}: ${textOf(id) || phrase`holds`}, course ${course}, velocity ${v}`,
  );
}

function choose(id, look) {
  chosen = id;
  show();
  rows.get(id).scrollIntoView({ block: "nearest", inline: "center" });
  const [x, y] = table.px(ships.get(id).x, ships.get(id).y);
  if (look && (x < 60 || y < 60 || x > table.width - 60 || y > table.height - 60)) {
    table.centre(ships.get(id).x, ships.get(id).y);
  }
}

const helms = () => import("./battle_helm.js");
async function change(what, by) {
  // by keys and steppers
  const id = chosen;
  const { changed } = await helms();
  const ship = ships.get(id);
  const plot = changed(ship, plotOf(id), what, by);
  const why = fault(ship, plot);
  if (why) {
    say(`${ship.name} ${why}`, true);
  } else if (words(plot) === words(plotOf(id))) {
    say(phrase`${ship.name} burns nothing there yet: there is nothing to take back`, true);
  } else {
    write(id, words(plot));
  }
}

function next(step = 1) {
  const ids = [...ships.keys()];
  choose(ids.at((ids.indexOf(chosen) + step) % ids.length), true);
}

const pips = (used, turning, most) =>
  node(
    "span",
    { className: "pips" },
    ...Array.from({ length: Math.max(most, used + turning) }, (_, i) =>
      node("i", {
        className: `${i < turning ? "turn" : i < turning + used ? "on" : ""}${i >= most ? " over" : ""}`,
      }),
    ),
  );

// The helm is made once; what it says changes in place.
const [title, budget, ends, written, seldoms, box] = [
  "h2",
  ".budget",
  ".ends",
  "#written",
  ".more",
  ".more > div",
].map((what) => helm.querySelector(what));
const told = [...helm.querySelectorAll("output")];
let seldom;
seldoms.addEventListener("toggle", async (e) => {
  const { More } = await import("./battle_more.js");
  seldom ??= new More(
    e.target,
    box,
    () => ({ id: chosen, name: ships.get(chosen).name, text: textOf(chosen) }),
    write,
    data.fields,
  );
  seldom.show();
});

function show() {
  const ship = ships.get(chosen);
  const plot = plotOf(chosen);
  const go = end(chosen);
  const cost = spent(ship, plot);
  const why = wrong(chosen);
  const text = textOf(chosen);
  let yours = 0;
  let faulty = 0;
  for (const [id, row] of rows) {
    const mine = !isCaptains(id);
    const bad = wrong(id);
    yours += mine;
    faulty += !!bad;
    fields.get(id).className = `order${bad ? " fault" : mine ? " mine" : ""}`;
    row.querySelector(".ship").classList.toggle("chosen", id === chosen);
  }
  $("count").textContent = phrase`${yours} by you, ${ships.size - yours} by the captain`;
  note(yours);
  if (faulty) {
    $("state").textContent = phrase`${faulty} {:ship|ships} cannot fly {:its|their} orders`;
  }
  title.textContent = ship.name;
  budget.replaceChildren(
    ...(ship.drift
      ? [
          phrase`drive `,
          pips(cost.drive, 0, ship.main),
          phrase` thrusters `,
          pips(0, cost.turn, ship.turning),
        ]
      : [phrase`thrust `, pips(cost.drive, cost.turn, ship.main)]),
  );
  ends.textContent =
    why ||
    phrase`from C${ship.course} V${ship.v} to C${go.course} V${go.v}, at ${go.path
      .at(-1)
      .map((n) => n.toFixed(0))
      .join(", ")}`;
  ends.classList.toggle("bad", Boolean(why));
  const burn = (k) =>
    plot.burns
      .filter(([name]) => k.includes(name))
      .map((one) => one.join(""))
      .join(" ") || "–";
  const signed = `${plot.thrust > 0 ? "+" : ""}${plot.thrust}`.replace("-", "−");
  (ship.drift
    ? [["TP", "TS"], ["MD"], ["PP", "PS"], ["PR"]].map(burn)
    : [words({ ...plot, thrust: 0, more: [] }) || "–", signed]
  ).forEach((text, i) => {
    told[i].textContent = text;
  });
  if (document.activeElement !== written) {
    written.value = text;
  }
  written.ariaLabel = phrase`${ship.name}, written order`;
  seldom?.show();
  helm.querySelector("[data-do=captain]").disabled = isCaptains(chosen);
  draw(ship, go);
}
table.shown = () => draw(ships.get(chosen), end(chosen));
table.aim = () => import("./battle_cursor.js");
table.centred = () => end(chosen).path.at(-1);

/** A ship's order on the table: its move, and how much more it says. */
function brief(id) {
  const plot = plotOf(id);
  const move = words({ ...plot, more: [] });
  const more = plot.more.length ? ` +${plot.more.length}` : "";
  if (!move && plot.more.length === 1) {
    return plot.more[0].split(/\s+/)[0];
  }
  return (move || phrase`holds`) + more;
}
const placeOf = (id) => {
  const one = table.marks.get(id) ?? data.craft[id];
  return one && [one.x, one.y];
};
function draw(ship, go) {
  const at = go.path.at(-1);
  const seat = `seat-${ship.seat}`;
  const out = [
    ...trails(data),
    ...data.contacts
      .filter((one) => one.v)
      .map((one) => line(`course seat-${one.seat}`, leg(one).path)),
    ...[...ships.keys()]
      .filter((id) => id !== chosen)
      .map((id) => line(`plan ${seat}`, end(id).path)),
  ];
  if (shows.rings) {
    out.push(...RANGES.map((r) => ring(at, r)));
  }
  if (shows.arcs) {
    out.push(el("g", { class: seat }, ...cover(ship.cover, at, go.course + (ship.bow ?? 0))));
  }
  dots = reach(ship, plotOf(chosen).more);
  for (const { path, plot } of dots) {
    const [cx, cy] = path.at(-1);
    out.push(
      el("circle", {
        class: "reach",
        cx,
        cy,
        r: 0.16,
        "fill-opacity": plot.turns[0] || plot.burns[0]?.[0][0] === "T" ? 0.5 : 0.9,
      }),
    );
  }
  for (const input of form.querySelectorAll(PLACE)) {
    // craft, and what is launched
    const from = placeOf(
      (input.closest("[data-row]")?.dataset.row ?? input.closest("[data-of]")?.dataset.of)?.replace(
        /\/load$/,
        "",
      ),
    );
    const to = input.value.match(/-?[\d.]+/g)?.map(Number);
    if (from && to?.length === 2) {
      out.push(
        line(`plan ${seat}`, [from, to]),
        el("circle", { class: "place", cx: to[0], cy: to[1], r: 0.3 }),
      );
    }
  }
  if (craft) {
    out.push(...craft.drawn(seat));
  }
  if (ship.drift) {
    out.push(line("plan chosen drift", go.path.slice(0, 2)));
  }
  out.push(line("plan chosen", go.path.slice(ship.drift ? 1 : 0)));
  table.under.replaceChildren(...out);
  for (const [id, one] of ships) {
    const to = end(id);
    const [x, y] = to.path.at(-1);
    const mine = id === chosen;
    table.mark(id, { cls: `seat-${one.seat} own${mine ? " chosen" : ""}`, rank: mine ? 9 : 5 });
    table.mark(`${id}*`, {
      x,
      y,
      course: to.course,
      size: one.size,
      scale: 0.9,
      cls: `seat-${one.seat} ghost${mine ? " chosen" : ""}`,
      name: mine ? brief(id) : "",
      sub: mine ? `C${to.course} V${to.v}` : "",
      rank: 10,
    });
  }
  table.over.append(table.marks.get(`${chosen}*`).node);
  table.draw();
}

// who listens
const close = (at) =>
  dots
    .map((dot) => {
      const [x, y] = dot.path.at(-1);
      return [Math.hypot(x - at[0], y - at[1]), dot];
    })
    .sort(([a], [b]) => a - b)[0] ?? [];
const to = (dot) => write(chosen, words(dot.plot));
table.ondrag = (id, phase, at) => {
  if (phase === "start") {
    grab = id === `${chosen}*`;
    return grab;
  }
  const dot = close(at)[1];
  if (grab && phase === "move" && dot) {
    to(dot);
  }
};
table.ontap = (id, at) => {
  if (craft?.placed(id, at)) {
    return;
  }
  if (!craft && data.craft[id]) {
    hangar.dataset.first = id;
    hangar.open = true;
    return;
  }
  const [far, dot] = close(at);
  const own = id?.replace("*", "");
  if (ships.has(own) && own !== chosen) {
    choose(own);
  } else if (dot && far * table.k < 26 && (!id || own === chosen)) {
    if (id !== chosen) {
      to(dot);
    }
  } else if (own && !ships.has(own)) {
    tell(id);
  }
};
table.onhover = tell;
async function tell(id) {
  const one = data.contacts.find((contact) => contact.id === id);
  $("tell").hidden = !one;
  if (one) {
    $("tell").textContent = (await helms()).told(one, table.centred());
  }
}
for (const [id, row] of rows) {
  row.addEventListener("click", (e) => {
    if (!e.target.closest("input, details")) {
      choose(id, true);
    }
  });
  fields.get(id).addEventListener("focus", () => {
    if (id !== chosen) {
      choose(id, true);
    }
  });
}
form.addEventListener("change", (e) => {
  const id = restOf(data.fields.order, e.target.name) ?? "";
  if (ships.has(id)) {
    spoken(id);
    show();
  }
  if (e.target === written) {
    write(chosen, written.value.trim());
  }
  if (hangar?.contains(e.target)) {
    show();
  }
});
helm.addEventListener("click", (e) => {
  const what = e.target.closest("[data-do]")?.dataset.do;
  if (what === "next") {
    next();
  } else if (what === "captain") {
    write(chosen, ships.get(chosen).captain);
  } else if (what) {
    change(Number(what[0]), what[1] === "+" ? 1 : -1);
  }
});
form.addEventListener(
  "submit",
  (e) => {
    // the first that cannot fly so is shown, instead of an answer that says so
    const first = e.submitter?.value === "seal" && [...ships.keys()].find(wrong);
    if (first) {
      e.preventDefault();
      e.stopImmediatePropagation();
      choose(first, true);
      say(`${ships.get(first).name} ${wrong(first)}`, true);
      written.focus();
    }
  },
  true,
);
document.addEventListener(
  "keydown",
  (e) => {
    if (e.key === "Enter" && (e.target === written || e.target.matches(".order"))) {
      e.preventDefault();
      e.target.blur();
      next();
      return;
    }
    if (!ours(e) || seldoms.contains(e.target)) {
      return;
    }
    if (e.key === "Enter" && !e.target.closest("button, summary, a")) {
      e.preventDefault();
      next();
      return;
    }
    const act = {
      p: () => change(0, -1),
      s: () => change(0, 1),
      "+": () => change(1, 1),
      "=": () => change(1, 1),
      "-": () => change(1, -1),
      c: () => write(chosen, ships.get(chosen).captain),
      0: () => write(chosen, ""),
      n: () => next(),
      b: () => next(-1),
      a: () => $("arcs").click(),
      r: () => $("rings").click(),
    }[e.key.toLowerCase()];
    if (act) {
      e.preventDefault();
      e.stopPropagation();
      act();
    } else if (e.target !== table.svg && !e.key.startsWith("Arrow")) {
      table.key(e);
    }
  },
  true,
);
if (ships.size) {
  choose(
    [...ships.keys()].find((id) => rows.get(id).querySelector(".fault")) ?? [...ships.keys()][0],
  );
}
