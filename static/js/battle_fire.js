// Fire: who aims at whom. The server says, for each weapon and target it bears on, dice and points
// to expect; this adds up and writes the lists of the form, which alone are read.

import { FOUR, SIX, cover, ring } from "./battle_arcs.js";
import { button, choices, grid, markPressed, renew, rowUnder, sum } from "./battle_cells.js";
import {
  RANGES,
  begin,
  byId,
  drawer,
  fieldNamed,
  inputsIn,
  line,
  note,
  rowsOf,
  trails,
} from "./battle_page.js";
import { icons, ours } from "./battle_table.js";
import { closest, findAll, html, need, svg } from "./dom.js";
import { nameOf } from "./field.js";
import { number, phrase } from "./phrase.js";

/** @import { FireActions } from "./battle_fire_actions.js" */

const EVEN = 0.001; // points that do not count in a comparison
const SCREENS = 0.05; // points that screens take before it is said

const { data, table, shows } = begin((found) => /** @type {FireData} */ (found));
const form = need(document, "#orders", HTMLFormElement);
const panel = byId("control-panel");
const list = byId("ships");
const frame = need(document, ".frame", HTMLElement);
const groupSeat = data.own[0]?.seat ?? 0;
/** @type {Map<string | undefined, TablePiece>} */
const pieces = new Map();
for (const thing of data.things) {
  const seat = thing.kind === "group" ? groupSeat : 0;
  pieces.set(thing.id, /** @type {TablePiece} */ (/** @type {unknown} */ ({ seat, ...thing })));
}
for (const ship of [...data.own, ...data.contacts]) {
  pieces.set(ship.id, ship);
}

/** @type {Map<string, FireTarget>} */
const foes = new Map();
for (const [id, target] of Object.entries(data.targets)) {
  const piece = pieces.get(id);
  if (piece) {
    foes.set(id, { ...piece, ...target });
  }
}

/**
 * Return a ship with its weapons and what they bear on.
 * @param {TablePiece} piece
 * @param {FireData["ships"][string]} fire
 * @returns {FireShip}
 */
function fireShip(piece, fire) {
  const weapons = data.sheets[Number(fire.sheet)].map((weapon, i) => ({
    ...weapon,
    ok: !fire.out.includes(i),
    t: fire.bears[fire.on[i]],
  }));
  return { ...piece, ...fire, weapons };
}

const rows = rowsOf(Object.keys(data.ships).filter((id) => pieces.has(id)));
/** @type {Map<string, FireShip>} */
const ships = new Map();
/** @type {Map<string, HTMLElement>} the fields of each ship */
const boxes = new Map();
for (const [id, row] of rows) {
  const piece = pieces.get(id);
  if (piece) {
    ships.set(id, fireShip(piece, data.ships[id]));
    boxes.set(id, need(row, ".fields", HTMLElement));
  }
}
/** Ids of ships in the order in which they fire. */
const order = findAll(list, "[data-row]", HTMLElement)
  .map((row) => row.dataset.row ?? "")
  .filter((id) => ships.has(id));
let chosen = order[0];
/** @type {WeaponGroup | undefined} the weapons under the pointer */
let hovered;
let isStarted = false;

/** @param {string} id */
const shipOf = (id) => /** @type {FireShip} */ (ships.get(id));

/**
 * Return the list of a weapon's target.
 * @param {string} id
 * @param {string} weapon
 * @param {number} n of its targets, the first in view first
 */
const field = (id, weapon, n) => fieldNamed(form, nameOf(data.fields.target, id, weapon, n));

/**
 * Say whether a weapon can be ordered to fire.
 * @param {string} id
 * @param {FireWeapon} weapon
 */
const usable = (id, weapon) => weapon.ok && field(id, weapon.id, 0) !== null;

/**
 * @param {string} id
 * @param {string} weapon
 */
const aimOf = (id, weapon) => field(id, weapon, 0)?.value ?? "";

// What is reckoned.

/**
 * @param {FireTarget} target
 * @param {string} words
 */
const withScreens = (target, words) =>
  target.screens ? phrase`${words}, screen ${target.screens}` : words;

/**
 * Say how much is to be expected at a target.
 * @param {FireTarget} target
 * @param {number} points
 * @param {number} [landing] people that go aboard
 */
function expectedInWords(target, points, landing = 0) {
  const count = number(points, 1);
  if (landing) {
    return phrase`${count} people aboard`;
  }
  return target.cls ? phrase`${count} points` : phrase`${count} {:craft|craft}`;
}

/**
 * @param {{x: number, y: number}} piece
 * @returns {TablePoint}
 */
const placeOf = ({ x, y }) => [x, y];

/**
 * @param {FireShip} ship
 * @param {TablePiece} target
 */
const distance = (ship, target) => Math.hypot(target.x - ship.x, target.y - ship.y);

/**
 * Return the arc of a ship in which a target is.
 * @param {FireShip} ship
 * @param {TablePiece} target
 */
function arcOf(ship, target) {
  const hasSides = ship.weapons.some(({ arcs }) => arcs.includes("S") || arcs.includes("P"));
  const arcs = hasSides ? FOUR : SIX;
  const step = 360 / arcs.length;
  const bearing = (Math.atan2(target.x - ship.x, target.y - ship.y) * 180) / Math.PI;
  const bow = (ship.course + (ship.bow ?? 0)) * 30;
  return arcs[Math.floor(((bearing - bow + 720 + step / 2) % 360) / step)];
}

/**
 * Return the weapons of a ship, alike ones together, whatever their arcs.
 * @param {FireShip} ship
 * @returns {WeaponGroup[]}
 */
function groups(ship) {
  /** @type {Map<string, WeaponGroup>} */
  const found = new Map();
  for (const weapon of ship.weapons) {
    if (!weapon.fc && !Object.keys(weapon.t).length) {
      continue; // Point defence waits for what comes.
    }
    const group = found.get(weapon.key);
    if (group) {
      group.guns.push(weapon);
    } else {
      found.set(weapon.key, { ...weapon, guns: [weapon] });
    }
  }
  return [...found.values()];
}

/**
 * Return the weapons of a group that bear on a target.
 * @param {FireShip} ship
 * @param {WeaponGroup} group
 * @param {string} target
 */
const bearing = (ship, group, target) =>
  group.guns.filter((weapon) => usable(ship.id, weapon) && weapon.t[target]);

/**
 * Return the weapons of a group that bear on a target, and those of them that aim at it.
 * @param {FireShip} ship
 * @param {string} key of the group
 * @param {string} target
 */
function aiming(ship, key, target) {
  const group = groups(ship).find((other) => other.key === key);
  const able = group ? bearing(ship, group, target) : [];
  return { able, set: able.filter((weapon) => aimOf(ship.id, weapon.id) === target) };
}

/**
 * Return the ids of what a ship aims at.
 * @param {string} id
 */
const targetsOf = (id) => [
  ...new Set(
    shipOf(id)
      .weapons.map((weapon) => aimOf(id, weapon.id))
      .filter(Boolean),
  ),
];

/**
 * Return what the FireCons of a ship are set to: kind and target of each.
 * @param {FireShip} ship
 * @param {FireWeapon[]} except weapons that do not count
 */
function settings(ship, except = []) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const weapon of ship.weapons) {
    const target = aimOf(ship.id, weapon.id);
    if (weapon.fc && target && !except.includes(weapon)) {
      found.add(`${weapon.fc} ${target}`);
    }
  }
  return found;
}

/** @param {string} id */
function fires(id) {
  const names = [data.fields.target, data.fields.point];
  return shipOf(id).weapons.some(
    (weapon) =>
      aimOf(id, weapon.id) ||
      names.some((name) => fieldNamed(form, nameOf(name, id, weapon.id))?.value),
  );
}

/**
 * Say whether a ship fires as its captain would: each weapon at the same targets in the same order.
 * @param {string} id
 */
function isCaptains(id) {
  const ship = shipOf(id);
  const orders = ship.captain.split(";").map((part) => part.trim().split(/\s+/));
  const advised = new Map(orders.map(([weapon, ...targets]) => [weapon, targets]));
  return ship.weapons
    .filter((weapon) => usable(id, weapon))
    .every((weapon) => {
      const targets = [0, 1, 2].map((n) => field(id, weapon.id, n)?.value).filter(Boolean);
      return targets.join(" ") === (advised.get(weapon.id) ?? []).slice(0, 3).join(" ");
    });
}

/**
 * Return the points to expect of a ship at a target.
 * @param {FireShip} ship
 * @param {string} target
 */
const expected = (ship, target) =>
  sum(ship.weapons, (weapon) =>
    aimOf(ship.id, weapon.id) === target ? (weapon.t[target]?.[1] ?? 0) : 0,
  );

/**
 * Return the points to expect of all ships at a target.
 * @param {string} target
 */
const expectedOfAll = (target) => sum([...ships.values()], (ship) => expected(ship, target));

/** What the actions of the page know of it. */
export const page = {
  fields: data.fields,
  form,
  list,
  boxes,
  ships,
  foes,
  rows,
  order,
  field,
  usable,
  aimOf,
  fires,
  expected,
  settings,
  aiming,
  distance,
  arcOf,
  expectedInWords,
};

/** @type {Promise<FireActions> | undefined} */
let loading;

/** Return what changes fire, which is fetched with the first change. */
function loadActions() {
  loading ??= import("./battle_fire_actions.js").then(({ FireActions }) => new FireActions(page));
  return loading;
}

/**
 * Change the fire of the chosen ship.
 * @param {(actions: FireActions, ship: FireShip) => void} [action]
 */
async function change(action = () => {}) {
  const ship = shipOf(chosen);
  const actions = await loadActions();
  action(actions, ship);
  actions.numberShips();
  show();
}

const others = findAll(list, "[data-row]", HTMLElement);
drawer(
  phrase`Weapon by weapon`,
  others.map((row) => boxes.get(row.dataset.row ?? "") ?? row),
)?.addEventListener(
  "toggle",
  async () => (await import("./battle_places.js")).fields(table, form),
  { once: true },
);

/** @param {string} words */
const pill = (words) => html("span", { className: "pill" }, words);

/**
 * Draw symbols of the sprite above each other.
 * @param {string} className
 * @param {...{id: string, className?: string}} symbols
 */
const symbol = (className, ...symbols) =>
  svg(
    "svg",
    { class: className, viewBox: "0 0 32 32", "aria-hidden": "true" },
    ...symbols.map((part) => svg("use", { href: `${icons}#${part.id}`, class: part.className })),
  );

const title = need(panel, "h2", HTMLElement);
const budget = need(panel, ".budget", HTMLElement);
const turn = need(panel, ".turn-of span", HTMLElement);
const aboard = html("div", { className: "aboard" }); // whom the ship in hand sends aboard others

/** Draw everything anew. */
function show() {
  if (!isStarted) {
    return;
  }
  const ship = shipOf(chosen);
  const all = groups(ship);
  const near = [...foes.values()]
    .filter((target) => all.some((group) => bearing(ship, group, target.id).length))
    .sort((a, b) => distance(ship, a) - distance(ship, b));
  for (const [i, id] of order.entries()) {
    showRow(id, i);
  }
  moveAboardFields();
  showBudget(ship);
  const words = near.length ? phrase`Expected` : phrase`No weapon bears`;
  renew(
    panel,
    /** @type {Element} */ (panel.firstElementChild),
    grid(
      phrase`Weapons of ${ship.name} by targets`,
      words,
      near.map((target) => targetHead(ship, target)),
      all.map((group) => groupRow(ship, group, near)),
      {
        words: phrase`Here, all ships / hull`,
        cells: near.map((target) => totalCell(ship, target)),
      },
    ),
    aboard,
  );
  byId("count").textContent = phrase`${order.filter(fires).length} of ${order.length} fire`;
  note(!order.every(isCaptains));
  draw(ship, near);
}

/**
 * Say in its row what a ship does.
 * @param {string} id
 * @param {number} i when it fires
 */
function showRow(id, i) {
  const ship = shipOf(id);
  const targets = targetsOf(id);
  const row = /** @type {HTMLElement} */ (rows.get(id));
  const canFire = ship.weapons.some(
    (weapon) => (ship.firecons || !weapon.fc) && usable(id, weapon) && Object.keys(weapon.t).length,
  );
  const pills = targets.map((target) => {
    const name = foes.get(target)?.name ?? phrase`other`;
    return pill(`${name} ${number(expected(ship, target), 1)}`);
  });
  const what = pills.length ? pills : [pill(whyIdle(ship, canFire))];
  need(row, ".h", HTMLElement).replaceChildren(html("span", { className: "aims" }, ...what));
  need(row, ".o", HTMLElement).textContent = String(i + 1);
  const { classList } = need(row, ".ship", HTMLElement);
  classList.toggle("chosen", id === chosen);
  classList.toggle("gone", !canFire && !targets.length);
}

/**
 * @param {FireShip} ship
 * @param {boolean} canFire
 */
function whyIdle(ship, canFire) {
  if (canFire) {
    return phrase`holds its fire`;
  }
  return ship.firecons || ship.craft ? phrase`no weapon bears` : phrase`no FireCon left`;
}

/**
 * Bring the fields of boarding of the chosen ship beside its table, and others back to their rows.
 */
function moveAboardFields() {
  for (const [id, box] of boxes) {
    const name = nameOf(data.fields.aboard, id, "");
    for (const input of inputsIn(form, `[name^="${CSS.escape(name)}"]`)) {
      const to = id === chosen ? aboard : box;
      const label = input.closest("label");
      if (label && label.parentNode !== to) {
        to.append(label);
      }
    }
  }
}

/** @param {FireShip} ship */
function showBudget(ship) {
  title.textContent = ship.name;
  turn.textContent = phrase`fires ${order.indexOf(chosen) + 1} of ${order.length}`;
  if (ship.craft) {
    budget.replaceChildren(phrase`${ship.craft} craft`);
    return;
  }
  const used = settings(ship).size;
  const signs = Array.from({ length: ship.firecons }, (_, i) =>
    symbol(`ico${i < used ? " used" : " free"}`, { id: "firecon" }),
  );
  const words = phrase`${used} of ${ship.firecons} {:FireCon|FireCons}`;
  budget.replaceChildren(...signs, html("span", {}, words));
}

/**
 * @param {FireShip} ship
 * @param {FireTarget} target
 */
function targetHead(ship, target) {
  const range = `${distance(ship, target).toFixed(0)} MU ${arcOf(ship, target)}`;
  const head = button(
    "who",
    { all: target.id },
    html("b", {}, target.name),
    html("span", {}, withScreens(target, range)),
  );
  head.classList.toggle("set", targetsOf(chosen).includes(target.id));
  head.title = phrase`All weapons that bear on ${target.name}`;
  return head;
}

/**
 * @param {FireShip} ship
 * @param {WeaponGroup} group
 * @param {FireTarget[]} near
 */
function groupRow(ship, group, near) {
  /** @param {FireTarget} target */
  const points = (target) =>
    sum(bearing(ship, group, target.id), (weapon) => weapon.t[target.id][1]);
  const most = Math.max(...near.map(points));
  const cells = near.map((target) => cell(ship, group, target, points(target) >= most - EVEN));
  return { head: groupHead(group), cells, key: group.key };
}

/** @param {WeaponGroup} group */
function groupHead(group) {
  const working = group.guns.filter(({ ok }) => ok);
  const arcs = new Set(working.flatMap((weapon) => (weapon.arcs.length ? weapon.arcs : SIX)));
  const all = arcs.has("S") || arcs.has("P") ? FOUR : SIX;
  const segments = all.map((arc) => ({
    id: `w${all.length}-${arc}`,
    className: `seg${arcs.has(arc) ? " on" : ""}`,
  }));
  const words = html("span", {}, html("b", {}, group.name));
  if (group.guns.length > 1) {
    words.prepend(`${group.guns.length} × `);
  }
  if (!group.fc) {
    words.append(html("span", { className: "muted small" }, phrase` no FireCon`));
  }
  const out = group.guns.length - working.length;
  if (out) {
    words.append(html("span", { className: "pill bad" }, phrase`${out} lost`));
  }
  const wheel = symbol("wheel", ...segments, { id: group.type });
  return html("span", { className: "gun" }, wheel, words);
}

/**
 * Return the cell of a group of weapons and a target.
 * @param {FireShip} ship
 * @param {WeaponGroup} group
 * @param {FireTarget} target
 * @param {boolean} isBest whether the group does most there
 */
function cell(ship, group, target, isBest) {
  const able = bearing(ship, group, target.id);
  if (!able.length) {
    return html("span", { className: "none" }, "·");
  }
  const set = able.filter((weapon) => aimOf(ship.id, weapon.id) === target.id).length;
  const prospects = able.map((weapon) => weapon.t[target.id]);
  const dice = sum(prospects, (prospect) => prospect[0]);
  const hits = sum(prospects, (prospect) => prospect[1]);
  const bare = sum(prospects, (prospect) => prospect[2] ?? prospect[1]);
  const landing = sum(prospects, (prospect) => prospect[3] ?? 0);
  const points = landing || hits;
  const effect = landing ? phrase`land` : phrase`${dice}d`;
  const isPart = set > 0 && set < able.length;
  const made = button(
    "cell",
    { gun: group.key, at: target.id },
    html("b", {}, number(points, 1)),
    html("span", {}, isPart ? phrase`${set} of ${able.length}` : effect),
  );
  made.classList.toggle("best", isBest);
  markPressed(made, set, able.length);
  const expects = expectedInWords(target, points, landing);
  const words = phrase`${able.length} of ${group.guns.length} bear, ${dice} dice, ${expects} expected`;
  made.title =
    bare > hits + SCREENS ? phrase`${words}; ${number(bare, 1)} without its screens` : words;
  made.ariaLabel = phrase`${group.name} → ${target.name}: ${made.title}`;
  return made;
}

/**
 * Return the cell of all that is to be expected at a target.
 * @param {FireShip} ship
 * @param {FireTarget} target
 */
function totalCell(ship, target) {
  const here = expected(ship, target.id);
  const all = expectedOfAll(target.id);
  let words = "";
  if (all >= target.left) {
    words = phrase`destroys`;
  } else if (all >= target.ends) {
    words = phrase`ends a row`;
  }
  const hit = Math.min(100, (all / target.left) * 100);
  const bar = svg(
    "svg",
    { class: "bar-svg", viewBox: "0 0 100 6", "aria-hidden": "true", preserveAspectRatio: "none" },
    svg("rect", { class: "all", width: 100, height: 6 }),
    svg("rect", { class: "hit", width: hit, height: 6 }),
  );
  const figures = html(
    "div",
    {},
    html("b", {}, here ? number(here, 1) : ""),
    html("span", {}, `${all ? number(all, 1) : ""} / ${target.left}`),
  );
  const made = html("td", { className: "sum" }, figures, bar, html("small", {}, words));
  made.classList.toggle("kills", words !== "");
  return made;
}

/** @type {FireTarget[]} the targets of the table as it is drawn */
let drawnTargets = [];

/**
 * @param {FireShip} ship
 * @param {FireTarget[]} near
 */
function draw(ship = shipOf(chosen), near = drawnTargets) {
  drawnTargets = near;
  const centre = placeOf(ship);
  const bears = hovered ? coverOf(hovered) : ship.cover;
  const arcs = shows.arcs ? cover(bears, centre, ship.course + (ship.bow ?? 0)) : [];
  const radii = ship.craft ? [ship.reach] : RANGES;
  table.under.replaceChildren(
    ...trails(data),
    svg("g", { class: `seat-${ship.seat}` }, ...arcs),
    ...(shows.rings ? radii.map((radius) => ring(centre, radius)) : []),
    ...[...order.filter((id) => id !== chosen), chosen].flatMap(aimLines),
  );
  markPieces(near);
  table.draw();
}

/**
 * Draw at whom a ship aims.
 * @param {string} id
 */
function aimLines(id) {
  const lines = [];
  for (const target of targetsOf(id)) {
    const foe = foes.get(target);
    if (foe) {
      const className = `aim${id === chosen ? " chosen" : ""}`;
      lines.push(line(className, [placeOf(shipOf(id)), placeOf(foe)]));
    }
  }
  return lines;
}

/** @param {FireTarget[]} near */
function markPieces(near) {
  for (const { id, seat } of ships.values()) {
    const isChosen = id === chosen;
    const emphasis = isChosen ? " chosen" : "";
    table.mark(id, { cls: `seat-${seat} own${emphasis}`, rank: isChosen ? 9 : 4 });
  }
  const aimed = targetsOf(chosen);
  for (const target of foes.values()) {
    const all = expectedOfAll(target.id);
    const isNear = near.includes(target);
    const emphasis = (aimed.includes(target.id) ? " aimed" : "") + (isNear ? "" : " off");
    table.mark(target.id, {
      cls: `seat-${target.seat} foe${emphasis}`,
      sub: all ? `${number(all, 1)} / ${target.left}` : "",
      rank: isNear ? 7 : 3,
    });
  }
}

/**
 * Return where the weapons under the pointer bear at all, as the ship's own cover has it.
 * @param {WeaponGroup} group
 */
function coverOf(group) {
  /** @type {Record<string, number[]>} */
  const points = {};
  const all = shipOf(chosen).cover;
  for (const weapon of group.guns.filter(({ ok }) => ok)) {
    for (const arc of weapon.arcs.length ? weapon.arcs : SIX) {
      if (all[arc]) {
        points[arc] = all[arc].map(() => 6);
      }
    }
  }
  return points;
}

table.aim = () => import("./battle_cursor.js");
table.centred = () => placeOf(shipOf(chosen));
table.shown = () => draw();

/** @param {string} id */
function choose(id) {
  chosen = id;
  hovered = undefined;
  byId("tell").hidden = true;
  show();
  rows.get(id)?.scrollIntoView({ block: "nearest", inline: "center" });
}

/**
 * Let all that bears on a target fire at it, or at nobody.
 * @param {string} target
 */
const aimAll = (target) => change((actions, ship) => actions.aimAll(ship, target));

table.ontap = (id = "") => {
  if (ships.has(id)) {
    choose(id);
  } else if (foes.has(id)) {
    aimAll(id);
  }
};
table.onhover = async (id = "") => {
  const target = foes.get(id);
  const tell = byId("tell");
  tell.hidden = !target;
  if (target) {
    tell.textContent = (await loadActions()).targetInWords(shipOf(chosen), target);
  }
};

const act = {
  best: () => change((actions, ship) => actions.best(ship)),
  captain: () => change((actions, ship) => actions.captain(ship)),
  hold: () => change((actions, ship) => actions.hold(ship)),
  earlier: () => change((actions, ship) => actions.shift(ship, -1)),
  later: () => change((actions, ship) => actions.shift(ship, 1)),
};
choices(panel, list, rows, {
  act,
  choose,
  all: aimAll,
  give: ({ dataset: { gun = "", at = "" } }, count) =>
    change((actions, ship) => actions.aimGroup(ship, gun, at, count)),
  counts: ({ dataset: { gun = "", at = "" } }) => {
    const { able, set } = aiming(shipOf(chosen), gun, at);
    return [able.length, set.length];
  },
});
panel.addEventListener("pointerover", ({ target }) => {
  const key = closest(target, "tr", HTMLElement)?.dataset.row;
  const group = groups(shipOf(chosen)).find((other) => other.key === key);
  if (group?.key !== hovered?.key) {
    hovered = group;
    draw();
  }
});
list.addEventListener("keydown", async (event) => {
  // Alt and an arrow: the ship fires before or after another.
  const id = rowUnder(event.target);
  if (!ships.has(id) || !event.altKey || !/Arrow(Up|Down)/.test(event.key)) {
    return;
  }
  event.preventDefault();
  if (id !== chosen) {
    choose(id);
  }
  await (event.key === "ArrowUp" ? act.earlier() : act.later());
  need(/** @type {HTMLElement} */ (rows.get(id)), ".ship", HTMLElement).focus();
});
form.addEventListener("change", () => change());

/** @param {number} by ships */
const step = (by) => choose(order.at((order.indexOf(chosen) + by) % order.length) ?? chosen);

/** @type {Record<string, () => unknown>} */
const KEYS = {
  n: () => step(1),
  p: () => step(-1),
  b: act.best,
  c: act.captain,
  0: act.hold,
  a: () => byId("arcs").click(),
  r: () => byId("rings").click(),
};
document.addEventListener("keydown", (event) => {
  if (!ours(event) || !ships.size) {
    return;
  }
  const action = KEYS[event.key.toLowerCase()];
  if (action) {
    event.preventDefault();
    action();
  } else if (event.target !== table.svg && !event.key.startsWith("Arrow")) {
    table.key(event);
  }
});
for (const [id, box] of boxes) {
  if (fieldNamed(form, nameOf(data.fields.brief, id))) {
    (await loadActions()).unfold(id);
  }
  need(box, "summary", HTMLElement).textContent = phrase`Every weapon of ${shipOf(id).name}`;
}
if (ships.size) {
  isStarted = true;
  frame.classList.add("started");
  show();
} else {
  frame.classList.add("flow");
  table.draw();
}
