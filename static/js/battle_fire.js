// Fire: who aims at whom. The server says, for each weapon and target it bears on, dice and points to expect; this adds
// up and writes the lists of the form, which alone are read.

import { FOUR, SIX, cover, ring } from "./battle_arcs.js";
import { button, choices, grid, renew, sum } from "./battle_cells.js";
import { begin, drawer, line, node, note, say, trails } from "./battle_look.js";
import { el, icons, ours } from "./battle_table.js";
import { nameOf } from "./field.js";
import { number, phrase } from "./phrase.js";

const { data, table, shows, $, RANGES } = begin();
const form = $("orders");
const helm = $("helm");
const list = $("ships");
const there = new Map(
  [...data.things, ...data.own, ...data.contacts].map((one) => [
    one.id,
    { seat: one.kind === "group" ? (data.own[0]?.seat ?? 0) : 0, ...one },
  ]),
);
const foes = new Map(
  Object.entries(data.targets)
    .filter(([id]) => there.has(id))
    .map(([id, one]) => [id, { ...there.get(id), ...one }]),
);
const ships = new Map(
  Object.entries(data.ships)
    .filter(([id]) => there.has(id) && document.querySelector(`[data-row="${id}"]`))
    .map(([id, one]) => [
      id,
      {
        ...there.get(id),
        ...one,
        weapons: data.sheets[one.sheet].map((w, i) => ({
          ...w,
          ok: !one.out.includes(i),
          t: one.bears[one.on[i]],
        })),
      },
    ]),
);
const rows = new Map(
  [...ships.keys()].map((id) => [id, document.querySelector(`[data-row="${id}"]`)]),
);
const boxes = new Map([...rows].map(([id, row]) => [id, row.querySelector(".fields")]));
const order = [...list.querySelectorAll("[data-row]")]
  .map((row) => row.dataset.row)
  .filter((id) => rows.has(id));
let chosen = order[0];
let over = null;
let started = false;

const svg = (cls, ...uses) =>
  el(
    "svg",
    { class: cls, viewBox: "0 0 32 32", "aria-hidden": "true" },
    ...uses.map(([id, look]) => el("use", { href: `${icons}#${id}`, class: look })),
  );
const field = (id, weapon, n) => form.elements[nameOf(data.fields.target, id, weapon, n)];
const usable = (id, w) => w.ok && Boolean(field(id, w.id, 0));
const aimOf = (id, weapon) => field(id, weapon, 0)?.value ?? "";

// what is reckoned
const label = (c, at) => (c.screens ? phrase`${at}, screen ${c.screens}` : at);
const worth = (c, many, lands, n = number(many, 1)) =>
  lands ? phrase`${n} people aboard` : c.cls ? phrase`${n} points` : phrase`${n} {:craft|craft}`;
const spot = ({ x, y }) => [x, y];
const far = (ship, c) => Math.hypot(c.x - ship.x, c.y - ship.y);
function arcOf(ship, c) {
  const names = ship.weapons.some((w) => w.arcs.some((arc) => arc === "S" || arc === "P"))
    ? FOUR
    : SIX;
  const step = 360 / names.length;
  const deg =
    (Math.atan2(c.x - ship.x, c.y - ship.y) * 180) / Math.PI -
    (ship.course + (ship.bow ?? 0)) * 30 +
    720 +
    step / 2;
  return names[Math.floor((deg % 360) / step)];
}
function groups(ship) {
  // identical weapons in one row, whatever their arcs
  const found = new Map();
  for (const w of ship.weapons) {
    if (!w.fc && !Object.keys(w.t).length) {
      continue;
    } // point defence waits for what comes
    if (!found.has(w.key)) {
      found.set(w.key, { ...w, guns: [] });
    }
    found.get(w.key).guns.push(w);
  }
  return [...found.values()];
}
const bears = (ship, g, t) => g.guns.filter((w) => usable(ship.id, w) && w.t[t]);
const counts = (ship, gun, t) => {
  const able = bears(
    ship,
    groups(ship).find((one) => one.key === gun),
    t,
  );
  return [able, able.filter((w) => aimOf(ship.id, w.id) === t)];
};
const aimedAt = (id) => [
  ...new Set(
    ships
      .get(id)
      .weapons.map((w) => aimOf(id, w.id))
      .filter(Boolean),
  ),
];
const settings = (ship, but = []) =>
  new Set(
    ship.weapons
      .filter((w) => w.fc && !but.includes(w))
      .map((w) => [w.fc, aimOf(ship.id, w.id)])
      .filter(([, t]) => t)
      .map(([fc, t]) => `${fc} ${t}`),
  );
const fires = (id) =>
  ships
    .get(id)
    .weapons.some(
      (w) =>
        aimOf(id, w.id) ||
        form.elements[nameOf(data.fields.target, id, w.id)]?.value ||
        form.elements[nameOf(data.fields.point, id, w.id)]?.value,
    );
/** Whether a ship fires as its captain would: each weapon at the same targets in the same order. */
function isCaptains(id) {
  const ship = ships.get(id);
  const able = ship.weapons.filter((w) => usable(id, w)).map((w) => w.id);
  const aims = (weapon, targets) => [weapon, ...targets.slice(0, 3)].join(" ");
  const now = able.map((w) =>
    aims(w, [0, 1, 2].map((n) => field(id, w, n)?.value).filter(Boolean)),
  );
  const told = new Map(
    ship.captain
      .split(";")
      .map((part) => part.trim().split(/\s+/))
      .map(([w, ...targets]) => [w, targets]),
  );
  return now.every((one, i) => one === aims(able[i], told.get(able[i]) ?? []));
}
const expects = (ship, t) =>
  sum(ship.weapons, (w) => (aimOf(ship.id, w.id) === t ? (w.t[t]?.[1] ?? 0) : 0));
const total = (t) => sum([...ships.values()], (ship) => expects(ship, t));

const fire = {
  fields: data.fields,
  form,
  list,
  boxes,
  ships,
  foes,
  rows,
  order,
  sum,
  say,
  field,
  usable,
  aimOf,
  fires,
  expects,
  settings,
  counts,
  far,
  arcOf,
  worth,
};
let acts = async () => {
  const made = (await import("./battle_fire_acts.js")).acts(fire);
  acts = () => made;
  return made;
};
async function does(name, ...how) {
  // what changes fire is fetched with the first change
  const ship = ships.get(chosen);
  const { places, [name]: act } = await acts();
  act(ship, ...how);
  places();
  show();
}

drawer(
  phrase`Weapon by weapon`,
  [...list.querySelectorAll("[data-row]")].map((row) => boxes.get(row.dataset.row) ?? row),
)?.addEventListener(
  "toggle",
  async () => (await import("./battle_places.js")).fields(table, form),
  { once: true },
);

const pill = (words) => node("span", { className: "pill" }, words);
const [title, budget, place] = ["h2", ".budget", ".turn-of span"].map((what) =>
  helm.querySelector(what),
);
const aboard = node("div", { className: "aboard" }); // whom the ship in hand sends aboard others
function show() {
  if (!started) {
    return;
  }
  const ship = ships.get(chosen);
  const all = groups(ship);
  const used = settings(ship);
  const now = new Set(aimedAt(chosen));
  const near = [...foes.values()]
    .filter((c) => all.some((g) => bears(ship, g, c.id).length))
    .sort((a, b) => far(ship, a) - far(ship, b));
  order.forEach((id, i) => {
    const one = ships.get(id);
    const at = aimedAt(id);
    const row = rows.get(id);
    const able = one.weapons.some(
      (w) => (one.firecons || !w.fc) && usable(id, w) && Object.keys(w.t).length,
    );
    const pills = at.length
      ? at.map((t) => pill(`${foes.get(t)?.name ?? phrase`other`} ${number(expects(one, t), 1)}`))
      : [
          pill(
            able
              ? phrase`holds its fire`
              : one.firecons || one.craft
                ? phrase`nothing bears`
                : phrase`no FireCon left`,
          ),
        ];
    row.querySelector(".h").replaceChildren(node("span", { className: "aims" }, ...pills));
    row.querySelector(".o").textContent = i + 1;
    row.querySelector(".ship").classList.toggle("chosen", id === chosen);
    row.querySelector(".ship").classList.toggle("gone", !able && !at.length);
  });
  const heads = near.map((c) =>
    Object.assign(
      button(
        `who${now.has(c.id) ? " set" : ""}`,
        { all: c.id },
        node("b", {}, c.name),
        node("span", {}, label(c, `${far(ship, c).toFixed(0)} MU ${arcOf(ship, c)}`)),
      ),
      { title: phrase`Everything that bears on ${c.name}` },
    ),
  );
  const body = all.map((g) => {
    const all = (t) => sum(bears(ship, g, t), (w) => w.t[t][1]);
    const top = Math.max(...near.map((c) => all(c.id)));
    return [gun(ship, g), near.map((c) => cell(ship, g, c, all(c.id) >= top - 0.001)), g.key];
  });
  for (const [id, box] of boxes) {
    for (const one of form.querySelectorAll(`[name^="${nameOf(data.fields.aboard, id, "")}"]`)) {
      const to = id === chosen ? aboard : box;
      const label = one.closest("label");
      if (label.parentNode !== to) {
        to.append(label);
      }
    }
  }
  title.textContent = ship.name;
  budget.replaceChildren(
    ...(ship.craft
      ? [phrase`${ship.craft} craft`]
      : [
          ...Array.from({ length: ship.firecons }, (_, i) =>
            svg(`ico ${i < used.size ? "used" : "free"}`, ["firecon"]),
          ),
          node("span", {}, phrase`${used.size} of ${ship.firecons} {:FireCon|FireCons}`),
        ]),
  );
  place.textContent = phrase`fires ${order.indexOf(chosen) + 1} of ${order.length}`;
  renew(
    helm,
    helm.firstElementChild,
    grid(
      phrase`Weapons of ${ship.name} by targets`,
      near.length ? phrase`To expect` : phrase`Nothing bears`,
      heads,
      body,
      [phrase`Here, all ships / hull`, near.map((c) => below(ship, c))],
    ),
    aboard,
  );
  $("count").textContent = phrase`${order.filter(fires).length} of ${order.length} fire`;
  note(!order.every(isCaptains));
  draw(ship, near);
}

function gun(ship, g) {
  const arcs = new Set(g.guns.filter((w) => w.ok).flatMap((w) => (w.arcs.length ? w.arcs : SIX)));
  const n = arcs.has("S") || arcs.has("P") ? 4 : 6;
  const out = g.guns.filter((w) => !w.ok).length;
  const wheel = svg(
    "wheel",
    ...(n === 4 ? FOUR : SIX).map((arc) => [`w${n}-${arc}`, `seg${arcs.has(arc) ? " on" : ""}`]),
    [g.type],
  );
  return node(
    "span",
    { className: "gun" },
    wheel,
    node(
      "span",
      {},
      g.guns.length > 1 ? `${g.guns.length} × ` : "",
      node("b", {}, g.name),
      g.fc ? "" : node("span", { className: "hush small" }, phrase` no FireCon`),
      out ? node("span", { className: "pill bad" }, phrase`${out} out`) : "",
    ),
  );
}

function cell(ship, g, c, top) {
  const able = bears(ship, g, c.id);
  if (!able.length) {
    return node("span", { className: "none" }, "·");
  }
  const set = able.filter((w) => aimOf(ship.id, w.id) === c.id).length;
  const [dice, hits, bare, lands] = [0, 1, 2, 3].map((n) =>
    sum(able, (w) => w.t[c.id][n] ?? (n < 3 ? w.t[c.id][1] : 0)),
  );
  const points = lands || hits;
  const one = button(
    `cell${top ? " best" : ""}`,
    { gun: g.key, at: c.id },
    node("b", {}, number(points, 1)),
    node(
      "span",
      {},
      set && set < able.length
        ? phrase`${set} of ${able.length}`
        : lands
          ? phrase`land`
          : phrase`${dice}d`,
    ),
  );
  one.ariaPressed = set === able.length ? "true" : set ? "mixed" : "false";
  const is = phrase`${able.length} of ${g.guns.length} bear, ${dice} dice, ${worth(c, points, lands)} to expect`;
  one.title = bare > hits + 0.05 ? phrase`${is}; ${number(bare, 1)} without its screens` : is;
  one.ariaLabel = phrase`${g.name} → ${c.name}: ${one.title}`;
  return one;
}

function below(ship, c) {
  const { left, ends } = c;
  const here = expects(ship, c.id);
  const all = total(c.id);
  const words = all >= left ? phrase`destroys` : all >= ends ? phrase`ends a row` : "";
  const bar = el(
    "svg",
    { class: "bar-svg", viewBox: "0 0 100 6", "aria-hidden": "true", preserveAspectRatio: "none" },
    el("rect", { class: "all", width: 100, height: 6 }),
    el("rect", { class: "hit", width: Math.min(100, (all / left) * 100), height: 6 }),
  );
  return node(
    "td",
    { className: `sum${words ? " kills" : ""}` },
    node(
      "div",
      {},
      node("b", {}, here ? number(here, 1) : ""),
      node("span", {}, `${all ? number(all, 1) : ""} / ${left}`),
    ),
    bar,
    node("small", {}, words),
  );
}

let seen = [];
function draw(ship = ships.get(chosen), near = seen) {
  seen = near;
  const at = spot(ship);
  const out = [
    ...trails(data),
    el(
      "g",
      { class: `seat-${ship.seat}` },
      ...(shows.arcs
        ? cover(over ? reachOf(over) : ship.cover, at, ship.course + (ship.bow ?? 0))
        : []),
    ),
  ];
  if (shows.rings) {
    out.push(...(ship.craft ? [ship.reach] : RANGES).map((r) => ring(at, r)));
  }
  for (const id of [...order.filter((one) => one !== chosen), chosen]) {
    for (const t of aimedAt(id)) {
      if (foes.has(t)) {
        out.push(
          line(`aim${id === chosen ? " chosen" : ""}`, [spot(ships.get(id)), spot(foes.get(t))]),
        );
      }
    }
  }
  table.under.replaceChildren(...out);
  const now = new Set(aimedAt(chosen));
  for (const one of ships.values()) {
    table.mark(one.id, {
      cls: `seat-${one.seat} own${one.id === chosen ? " chosen" : ""}`,
      rank: one.id === chosen ? 9 : 4,
    });
  }
  for (const c of foes.values()) {
    const all = total(c.id);
    table.mark(c.id, {
      cls: `seat-${c.seat} foe${now.has(c.id) ? " aimed" : ""}${near.includes(c) ? "" : " off"}`,
      sub: all ? `${number(all, 1)} / ${c.left}` : "",
      rank: near.includes(c) ? 7 : 3,
    });
  }
  table.draw();
}
function reachOf(g) {
  // of the weapons in hand, as the ship's own cover has it: where they bear at all
  const by = {};
  const ship = ships.get(chosen);
  for (const w of g.guns.filter((one) => one.ok)) {
    for (const arc of w.arcs.length ? w.arcs : SIX) {
      if (ship.cover[arc]) {
        by[arc] = ship.cover[arc].map(() => 6);
      }
    }
  }
  return by;
}
table.aim = () => import("./battle_cursor.js");
table.centred = () => spot(ships.get(chosen));
table.shown = () => draw();

// who listens
function choose(id) {
  chosen = id;
  over = null;
  $("tell").hidden = true;
  show();
  rows.get(id).scrollIntoView({ block: "nearest", inline: "center" });
}
table.ontap = (id) => {
  if (ships.has(id)) {
    choose(id);
  } else if (foes.has(id)) {
    does("all", id);
  }
};
table.onhover = async (id) => {
  const c = foes.get(id);
  $("tell").hidden = !c;
  if (c) {
    $("tell").textContent = (await acts()).told(ships.get(chosen), c);
  }
};
const act = {
  best: () => does("best"),
  captain: () => does("captain"),
  hold: () => does("hold"),
  earlier: () => does("shift", -1),
  later: () => does("shift", 1),
};
choices(helm, list, rows, {
  act,
  choose,
  all: (t) => does("all", t),
  give: ({ dataset: { gun, at } }, n) => does("some", { gun, at }, n),
  counts: (one) =>
    counts(ships.get(chosen), one.dataset.gun, one.dataset.at).map((many) => many.length),
});
helm.addEventListener("pointerover", (e) => {
  const key = e.target.closest("tr")?.dataset.row;
  const g = groups(ships.get(chosen)).find((one) => one.key === key);
  if (g?.key !== over?.key) {
    over = g;
    draw();
  }
});
list.addEventListener("keydown", async (e) => {
  // before or after another
  const id = e.target.closest(".ship")?.closest("[data-row]").dataset.row;
  if (!ships.has(id) || !e.altKey || !/Arrow(Up|Down)/.test(e.key)) {
    return;
  }
  e.preventDefault();
  if (id !== chosen) {
    choose(id);
  }
  await act[e.key === "ArrowUp" ? "earlier" : "later"]();
  rows.get(id).querySelector(".ship").focus();
});
form.addEventListener("change", () => does("places"));
document.addEventListener("keydown", (e) => {
  if (!ours(e) || !ships.size) {
    return;
  }
  const step = (n) => choose(order.at((order.indexOf(chosen) + n) % order.length));
  const does = {
    n: () => step(1),
    p: () => step(-1),
    b: act.best,
    c: act.captain,
    0: act.hold,
    a: () => $("arcs").click(),
    r: () => $("rings").click(),
  }[e.key.toLowerCase()];
  if (does) {
    e.preventDefault();
    does();
  } else if (e.target !== table.svg && !e.key.startsWith("Arrow")) {
    table.key(e);
  }
});
for (const [id, box] of boxes) {
  if (form.elements[nameOf(data.fields.brief, id)]) {
    (await acts()).unfold(id);
  }
  box.querySelector("summary").textContent = phrase`Every weapon of ${ships.get(id).name}`;
}
if (ships.size) {
  started = true;
  document.querySelector(".frame").classList.add("started");
  show();
} else {
  document.querySelector(".frame").classList.add("flow");
  table.draw();
}
