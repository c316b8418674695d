// The fire phase: which weapon of which ship fires at which target. For each weapon and target that
// it bears on, the server sends the dice and expected points; this script adds them up and writes
// the fields of the form, and only these are sent. Loaded with the page.

import { FOUR_ARCS, SIX_ARCS, coverageWedges, rangeRing } from "./battle_arcs.js";
import {
  choiceTable,
  dataButton,
  listenToChoices,
  markPressed,
  replaceContents,
  rowUnder,
  sum,
} from "./battle_cells.js";
import {
  RING_RANGES,
  addDrawer,
  byId,
  fieldNamed,
  inputsIn,
  polyline,
  rowsById,
  setUpPage,
  showCaptainNote,
  trails,
  phaseSignal,
} from "./battle_page.js";
import { icons, isPageKey } from "./battle_table.js";
import { closest, findAll, html, need, svg } from "./dom.js";
import { nameOf } from "./field.js";
import { number, phrase } from "./phrase.js";

/** @import { FireActions } from "./battle_fire_actions.js" */

const EQUAL_TOLERANCE = 0.001; // points, for comparisons of computed values
const MIN_SCREEN_EFFECT = 0.05; // points that screens must stop to be mentioned
const GROUP_POINTS = 6; // points per band that set the brightness of one group's arcs

const { data, table, visible } = setUpPage((found) => /** @type {FireData} */ (found));
const form = need(document, "#orders", HTMLFormElement);
const panel = byId("control-panel");
const list = byId("ships");
const frame = need(document, ".frame", HTMLElement);
const groupSeat = data.own[0]?.seat ?? 0;
/** @type {Map<string | undefined, TablePiece>} */
const piecesById = new Map();
for (const thing of data.things) {
  const seat = thing.kind === "group" ? groupSeat : 0;
  piecesById.set(thing.id, /** @type {TablePiece} */ (/** @type {unknown} */ ({ seat, ...thing })));
}
for (const ship of [...data.own, ...data.contacts]) {
  piecesById.set(ship.id, ship);
}

/** @type {Map<string, FireTarget>} */
const targetsById = new Map();
for (const [id, target] of Object.entries(data.targets)) {
  const piece = piecesById.get(id);
  if (piece) {
    targetsById.set(id, { ...piece, ...target });
  }
}

/**
 * Combine a ship's place, fire data and record sheet.
 * @param {TablePiece} piece
 * @param {FireData["ships"][string]} fire
 * @returns {FireShip}
 */
function makeFireShip(piece, fire) {
  const weapons = data.sheets[Number(fire.sheet)].map((weapon, i) => ({
    ...weapon,
    isWorking: !fire.out.includes(i),
    prospects: fire.bears[fire.on[i]],
  }));
  return { ...piece, ...fire, weapons };
}

const rows = rowsById(Object.keys(data.ships).filter((id) => piecesById.has(id)));
/** @type {Map<string, FireShip>} */
const ships = new Map();
/** @type {Map<string, HTMLElement>} the fields of each ship */
const fieldBoxes = new Map();
for (const [id, row] of rows) {
  const piece = piecesById.get(id);
  if (piece) {
    ships.set(id, makeFireShip(piece, data.ships[id]));
    fieldBoxes.set(id, need(row, ".fields", HTMLElement));
  }
}
/** The ids of ships in the order in which they fire. */
const firingOrder = findAll(list, "[data-row]", HTMLElement)
  .map((row) => row.dataset.row ?? "")
  .filter((id) => ships.has(id));
let selectedId = firingOrder[0];
/** @type {WeaponGroup | undefined} the weapons under the pointer */
let hoveredGroup;
let isStarted = false;

/** @param {string} id */
const shipOf = (id) => /** @type {FireShip} */ (ships.get(id));

/**
 * Return the field of a weapon's target.
 * @param {string} id the ship
 * @param {string} weapon
 * @param {number} n 0 for the first choice, 1 for the second, and so on
 */
const targetField = (id, weapon, n) => fieldNamed(form, nameOf(data.fields.target, id, weapon, n));

/**
 * Check whether a weapon can be ordered to fire.
 * @param {string} id
 * @param {FireWeapon} weapon
 */
const canFire = (id, weapon) => weapon.isWorking && targetField(id, weapon.id, 0) !== null;

/**
 * Return the first target of a weapon; "" if it holds its fire.
 * @param {string} id the ship
 * @param {string} weapon
 */
const firstTargetOf = (id, weapon) => targetField(id, weapon, 0)?.value ?? "";

/**
 * Add the level of a target's screens to its description.
 * @param {FireTarget} target
 * @param {string} words
 */
const withScreens = (target, words) =>
  target.screens ? phrase`${words}, screen ${target.screens}` : words;

/**
 * Describe the expected result at a target.
 * @param {FireTarget} target
 * @param {number} points the expected points of damage, or craft shot down
 * @param {number} [landing] the expected people aboard, for boarding weapons
 */
function describeExpectation(target, points, landing = 0) {
  const count = number(points, 1);
  if (landing) {
    return phrase`${count} people aboard`;
  }
  return target.cls ? phrase`${count} points` : phrase`${count} {:craft|craft}`;
}

/**
 * Return the place of a piece.
 * @param {{x: number, y: number}} piece
 * @returns {TablePoint}
 */
const placeOf = ({ x, y }) => [x, y];

/**
 * Return the range from a ship to a target in MU.
 * @param {FireShip} ship
 * @param {TablePiece} target
 */
const distance = (ship, target) => Math.hypot(target.x - ship.x, target.y - ship.y);

/**
 * Return the arc of a ship in which a target lies.
 * @param {FireShip} ship
 * @param {TablePiece} target
 */
function arcOf(ship, target) {
  const hasSides = ship.weapons.some(({ arcs }) => arcs.includes("S") || arcs.includes("P"));
  const arcs = hasSides ? FOUR_ARCS : SIX_ARCS;
  const step = 360 / arcs.length;
  const bearing = (Math.atan2(target.x - ship.x, target.y - ship.y) * 180) / Math.PI;
  const bow = (ship.course + (ship.bow ?? 0)) * 30;
  return arcs[Math.floor(((bearing - bow + 720 + step / 2) % 360) / step)];
}

/**
 * Group the weapons of a ship by kind, whatever their arcs.
 * @param {FireShip} ship
 * @returns {WeaponGroup[]}
 */
function weaponGroups(ship) {
  /** @type {Map<string, WeaponGroup>} */
  const found = new Map();
  for (const weapon of ship.weapons) {
    if (!weapon.fc && !hasTarget(weapon)) {
      continue; // Point defence has no target until something attacks.
    }
    const group = found.get(weapon.key);
    if (group) {
      group.weapons.push(weapon);
    } else {
      found.set(weapon.key, { ...weapon, weapons: [weapon] });
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
const weaponsBearing = (ship, group, target) =>
  group.weapons.filter((weapon) => canFire(ship.id, weapon) && weapon.prospects[target]);

/**
 * Return the weapons of a group that bear on a target, and those of them that are aimed at it.
 * @param {FireShip} ship
 * @param {string} key the key of the group
 * @param {string} target
 */
function weaponsAimed(ship, key, target) {
  const group = weaponGroups(ship).find((other) => other.key === key);
  const bearing = group ? weaponsBearing(ship, group, target) : [];
  return {
    bearing,
    aimed: bearing.filter((weapon) => firstTargetOf(ship.id, weapon.id) === target),
  };
}

/**
 * Return the ids of the targets of a ship.
 * @param {string} id
 */
const targetsOf = (id) => [
  ...new Set(
    shipOf(id)
      .weapons.map((weapon) => firstTargetOf(id, weapon.id))
      .filter(Boolean),
  ),
];

/**
 * Return the FireCons that a ship uses, each as its kind and target.
 * @param {FireShip} ship
 * @param {FireWeapon[]} except weapons to leave out
 */
function fireConSettings(ship, except = []) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const weapon of ship.weapons) {
    const target = firstTargetOf(ship.id, weapon.id);
    if (weapon.fc && target && !except.includes(weapon)) {
      found.add(`${weapon.fc} ${target}`);
    }
  }
  return found;
}

/**
 * Check whether any weapon of a ship has orders.
 * @param {string} id
 */
function isFiring(id) {
  const names = [data.fields.target, data.fields.point];
  return shipOf(id).weapons.some(
    (weapon) =>
      firstTargetOf(id, weapon.id) ||
      names.some((name) => fieldNamed(form, nameOf(name, id, weapon.id))?.value),
  );
}

/**
 * Check whether a ship fires as its captain proposes: each weapon at the same targets in the same
 * order.
 * @param {string} id
 */
function isCaptains(id) {
  const ship = shipOf(id);
  const orders = ship.captain.split(";").map((part) => part.trim().split(/\s+/));
  const advised = new Map(orders.map(([weapon, ...targets]) => [weapon, targets]));
  return ship.weapons
    .filter((weapon) => canFire(id, weapon))
    .every((weapon) => {
      const targets = [0, 1, 2].map((n) => targetField(id, weapon.id, n)?.value).filter(Boolean);
      return targets.join(" ") === (advised.get(weapon.id) ?? []).slice(0, 3).join(" ");
    });
}

/**
 * Return the points that a weapon is expected to score on a target; 0 if it does not bear on it.
 * @param {FireWeapon} weapon
 * @param {string} target
 */
const pointsAt = (weapon, target) => weapon.prospects[target]?.[1] ?? 0;

/**
 * Return the points that a ship is expected to score on a target.
 * @param {FireShip} ship
 * @param {string} target
 */
const expectedPoints = (ship, target) =>
  sum(ship.weapons, (weapon) =>
    firstTargetOf(ship.id, weapon.id) === target ? pointsAt(weapon, target) : 0,
  );

/**
 * Return the points that all ships are expected to score on a target.
 * @param {string} target
 */
const expectedFromAll = (target) =>
  sum([...ships.values()], (ship) => expectedPoints(ship, target));

/** The parts of the page that FireActions uses. */
export const page = {
  fields: data.fields,
  form,
  list,
  fieldBoxes,
  ships,
  targetsById,
  rows,
  firingOrder,
  targetField,
  canFire,
  firstTargetOf,
  isFiring,
  pointsAt,
  expectedPoints,
  fireConSettings,
  weaponsAimed,
  distance,
  arcOf,
  describeExpectation,
};

/** @type {Promise<FireActions> | undefined} */
let loading;

/** Load the actions that change orders; later calls return the same ones. */
function loadActions() {
  loading ??= import("./battle_fire_actions.js").then(({ FireActions }) => new FireActions(page));
  return loading;
}

/**
 * Change the orders of the selected ship, and show the result.
 * @param {(actions: FireActions, ship: FireShip) => void} [action]
 */
async function changeFire(action = () => {}) {
  document.dispatchEvent(new Event("ordered"));
  const ship = shipOf(selectedId);
  const actions = await loadActions();
  action(actions, ship);
  actions.numberShips();
  refresh();
}

const others = findAll(list, "[data-row]", HTMLElement);
addDrawer(
  phrase`Weapon by weapon`,
  others.map((row) => fieldBoxes.get(row.dataset.row ?? "") ?? row),
)?.addEventListener(
  "toggle",
  async () => (await import("./battle_places.js")).listenToPlaceFields(table, form),
  { once: true },
);

/**
 * Return a short text in a rounded box.
 * @param {string} words
 */
const pill = (words) => html("span", { className: "pill" }, words);

/**
 * Draw symbols of the sprite on top of each other.
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
const firingTurn = need(panel, ".turn-of span", HTMLElement);
const aboardBox = html("div", { className: "aboard" }); // the boarding fields of the selected ship

/** Show the current orders in the rows, the control panel and on the table. */
function refresh() {
  if (!isStarted) {
    return;
  }
  const ship = shipOf(selectedId);
  const all = weaponGroups(ship);
  const shownTargets = [...targetsById.values()]
    .filter((target) => all.some((group) => weaponsBearing(ship, group, target.id).length))
    .sort((a, b) => distance(ship, a) - distance(ship, b));
  for (const [i, id] of firingOrder.entries()) {
    refreshRow(id, i);
  }
  moveAboardFields();
  showFireCons(ship);
  const words = shownTargets.length ? phrase`Expected` : phrase`No weapon bears`;
  replaceContents(
    panel,
    /** @type {Element} */ (panel.firstElementChild),
    choiceTable({
      label: phrase`Weapons of ${ship.name} by targets`,
      corner: words,
      columns: shownTargets.map((target) => targetHead(ship, target)),
      rows: all.map((group) => groupRow(ship, group, shownTargets)),
      foot: {
        words: phrase`This ship, all ships / hull left`,
        cells: shownTargets.map((target) => totalCell(ship, target)),
      },
    }),
    aboardBox,
  );
  byId("count").textContent =
    phrase`${firingOrder.filter(isFiring).length} of ${firingOrder.length} fire`;
  showCaptainNote(!firingOrder.every(isCaptains));
  drawOverlay(ship, shownTargets);
}

/**
 * Show the targets of a ship in its row.
 * @param {string} id
 * @param {number} i its place in the firing order, from 0
 */
function refreshRow(id, i) {
  const ship = shipOf(id);
  const targets = targetsOf(id);
  const row = /** @type {HTMLElement} */ (rows.get(id));
  const hasShot = ship.weapons.some(
    (weapon) => (ship.firecons || !weapon.fc) && canFire(id, weapon) && hasTarget(weapon),
  );
  const pills = targets.map((target) => {
    const name = targetsById.get(target)?.name ?? phrase`other`;
    return pill(`${name} ${number(expectedPoints(ship, target), 1)}`);
  });
  const what = pills.length ? pills : [pill(idleReason(ship, hasShot))];
  need(row, ".h", HTMLElement).replaceChildren(html("span", { className: "aims" }, ...what));
  need(row, ".o", HTMLElement).textContent = String(i + 1);
  const { classList } = need(row, ".ship", HTMLElement);
  classList.toggle("chosen", id === selectedId);
  classList.toggle("gone", !hasShot && !targets.length);
}

/**
 * Check whether a weapon bears on any target.
 * @param {FireWeapon} weapon
 */
const hasTarget = (weapon) => Object.keys(weapon.prospects).length > 0;

/**
 * Return why a ship has no target.
 * @param {FireShip} ship
 * @param {boolean} hasShot whether any of its weapons could fire
 */
function idleReason(ship, hasShot) {
  if (hasShot) {
    return phrase`holds its fire`;
  }
  return ship.firecons || ship.craft ? phrase`no weapon bears` : phrase`no FireCon left`;
}

/**
 * Move the boarding fields of the selected ship into the control panel, and those of other ships
 * back into their rows.
 */
function moveAboardFields() {
  for (const [id, box] of fieldBoxes) {
    const name = nameOf(data.fields.aboard, id, "");
    for (const input of inputsIn(form, `[name^="${CSS.escape(name)}"]`)) {
      const to = id === selectedId ? aboardBox : box;
      const label = input.closest("label");
      if (label && label.parentNode !== to) {
        to.append(label);
      }
    }
  }
}

/**
 * Show the turn of a ship to fire and its FireCons, used and free.
 * @param {FireShip} ship
 */
function showFireCons(ship) {
  title.textContent = ship.name;
  firingTurn.textContent = phrase`firing order: ${firingOrder.indexOf(selectedId) + 1} of ${firingOrder.length}`;
  if (ship.craft) {
    budget.replaceChildren(phrase`${ship.craft} craft`);
    return;
  }
  const used = fireConSettings(ship).size;
  const signs = Array.from({ length: ship.firecons }, (_, i) =>
    symbol(`ico${i < used ? " used" : " free"}`, { id: "firecon" }),
  );
  const words = phrase`${used} of ${ship.firecons} {:FireCon|FireCons}`;
  budget.replaceChildren(...signs, html("span", {}, words));
}

/**
 * Return the head of a target's column: name, range, arc and screens.
 * @param {FireShip} ship
 * @param {FireTarget} target
 */
function targetHead(ship, target) {
  const range = `${distance(ship, target).toFixed(0)} MU ${arcOf(ship, target)}`;
  const head = dataButton(
    "who",
    { all: target.id },
    html("b", {}, target.name),
    html("span", {}, withScreens(target, range)),
  );
  head.classList.toggle("set", targetsOf(selectedId).includes(target.id));
  head.title = phrase`All weapons that bear on ${target.name}`;
  return head;
}

/**
 * Return the row of a group of weapons.
 * @param {FireShip} ship
 * @param {WeaponGroup} group
 * @param {FireTarget[]} shownTargets
 */
function groupRow(ship, group, shownTargets) {
  /** @param {FireTarget} target */
  const points = (target) =>
    sum(weaponsBearing(ship, group, target.id), (weapon) => pointsAt(weapon, target.id));
  const most = Math.max(...shownTargets.map(points));
  const cells = shownTargets.map((target) =>
    choiceCell(ship, group, target, points(target) >= most - EQUAL_TOLERANCE),
  );
  return { head: groupHead(group), cells, key: group.key };
}

/**
 * Return the head of a group's row: symbol with arcs, number, name and losses.
 * @param {WeaponGroup} group
 */
function groupHead(group) {
  const working = group.weapons.filter(({ isWorking }) => isWorking);
  const arcs = new Set(working.flatMap((weapon) => (weapon.arcs.length ? weapon.arcs : SIX_ARCS)));
  const all = arcs.has("S") || arcs.has("P") ? FOUR_ARCS : SIX_ARCS;
  const segments = all.map((arc) => ({
    id: `w${all.length}-${arc}`,
    className: `seg${arcs.has(arc) ? " on" : ""}`,
  }));
  const words = html("span", {}, html("b", {}, group.name));
  if (group.weapons.length > 1) {
    words.prepend(`${group.weapons.length} × `);
  }
  if (!group.fc) {
    words.append(html("span", { className: "muted small" }, phrase` no FireCon`));
  }
  const lostCount = group.weapons.length - working.length;
  if (lostCount) {
    words.append(html("span", { className: "pill bad" }, phrase`${lostCount} lost`));
  }
  const wheel = symbol("wheel", ...segments, { id: group.type });
  return html("span", { className: "gun" }, wheel, words);
}

/**
 * Return the cell of a group of weapons and a target.
 * @param {FireShip} ship
 * @param {WeaponGroup} group
 * @param {FireTarget} target
 * @param {boolean} isBest whether the group is expected to score most on this target
 */
function choiceCell(ship, group, target, isBest) {
  const bearing = weaponsBearing(ship, group, target.id);
  if (!bearing.length) {
    return html("span", { className: "none" }, "·");
  }
  const set = bearing.filter((weapon) => firstTargetOf(ship.id, weapon.id) === target.id).length;
  const prospects = bearing.map((weapon) => weapon.prospects[target.id]);
  const dice = sum(prospects, ([weaponDice]) => weaponDice);
  const hits = sum(prospects, ([, weaponPoints]) => weaponPoints);
  const withoutScreens = sum(prospects, ([, screened, unscreened]) => unscreened ?? screened);
  const landing = sum(prospects, ([, , , people]) => people ?? 0);
  const points = landing || hits;
  const effect = landing ? phrase`land` : phrase`${dice}d`;
  const isPart = set > 0 && set < bearing.length;
  const element = dataButton(
    "cell",
    { gun: group.key, at: target.id },
    html("b", {}, number(points, 1)),
    html("span", {}, isPart ? phrase`${set} of ${bearing.length}` : effect),
  );
  element.classList.toggle("best", isBest);
  markPressed(element, set, bearing.length);
  const expects = describeExpectation(target, points, landing);
  const words = phrase`${bearing.length} of ${group.weapons.length} bear, ${dice} dice, ${expects} expected`;
  element.title =
    withoutScreens > hits + MIN_SCREEN_EFFECT
      ? phrase`${words}; ${number(withoutScreens, 1)} without its screens`
      : words;
  element.ariaLabel = phrase`${group.name} → ${target.name}: ${element.title}`;
  return element;
}

/**
 * Return the cell with the expected points at a target: of the selected ship and of all ships.
 * @param {FireShip} ship
 * @param {FireTarget} target
 */
function totalCell(ship, target) {
  const byShip = expectedPoints(ship, target.id);
  const all = expectedFromAll(target.id);
  let words = "";
  if (all >= target.left) {
    words = phrase`likely destroyed`;
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
    html("b", {}, byShip ? number(byShip, 1) : ""),
    html("span", {}, `${all ? number(all, 1) : ""} / ${target.left}`),
  );
  const element = html("td", { className: "sum" }, figures, bar, html("small", {}, words));
  element.classList.toggle("kills", words !== "");
  return element;
}

/** @type {FireTarget[]} the targets for which the table was drawn last */
let drawnTargets = [];

/**
 * Draw arcs, rings and lines to targets, and mark ships on the table.
 * @param {FireShip} ship
 * @param {FireTarget[]} shownTargets
 */
function drawOverlay(ship = shipOf(selectedId), shownTargets = drawnTargets) {
  drawnTargets = shownTargets;
  const centre = placeOf(ship);
  const coverage = hoveredGroup ? groupCoverage(hoveredGroup) : ship.cover;
  const arcs = visible.arcs ? coverageWedges(coverage, centre, ship.course + (ship.bow ?? 0)) : [];
  const radii = ship.craft ? [ship.reach] : RING_RANGES;
  table.underLayer.replaceChildren(
    ...trails(data),
    svg("g", { class: `seat-${ship.seat}` }, ...arcs),
    ...(visible.rings ? radii.map((radius) => rangeRing(centre, radius)) : []),
    ...[...firingOrder.filter((id) => id !== selectedId), selectedId].flatMap(aimLines),
  );
  markPieces(shownTargets);
  table.draw();
}

/**
 * Draw lines from a ship to its targets.
 * @param {string} id
 */
function aimLines(id) {
  const className = `aim${id === selectedId ? " chosen" : ""}`;
  const targets = [...targetsById.values()].filter((target) => targetsOf(id).includes(target.id));
  return targets.map((target) => polyline(className, [placeOf(shipOf(id)), placeOf(target)]));
}

/**
 * Mark the selected ship, its targets and those out of range, each with its expected points.
 * @param {FireTarget[]} shownTargets
 */
function markPieces(shownTargets) {
  for (const { id, seat } of ships.values()) {
    const isChosen = id === selectedId;
    const emphasis = isChosen ? " chosen" : "";
    table.setMark(id, { cls: `seat-${seat} own${emphasis}`, rank: isChosen ? 9 : 4 });
  }
  const aimed = targetsOf(selectedId);
  for (const target of targetsById.values()) {
    const all = expectedFromAll(target.id);
    const isNear = shownTargets.includes(target);
    const emphasis = (aimed.includes(target.id) ? " aimed" : "") + (isNear ? "" : " off");
    table.setMark(target.id, {
      cls: `seat-${target.seat} foe${emphasis}`,
      detail: all ? `${number(all, 1)} / ${target.left}` : "",
      rank: isNear ? 7 : 3,
    });
  }
}

/**
 * Return the arcs and bands in which a group of weapons bears, all equally bright.
 * @param {WeaponGroup} group
 */
function groupCoverage(group) {
  /** @type {Record<string, number[]>} */
  const points = {};
  const all = shipOf(selectedId).cover;
  for (const weapon of group.weapons.filter(({ isWorking }) => isWorking)) {
    for (const arc of weapon.arcs.length ? weapon.arcs : SIX_ARCS) {
      if (all[arc]) {
        points[arc] = all[arc].map(() => GROUP_POINTS);
      }
    }
  }
  return points;
}

table.loadCursor = () => import("./battle_cursor.js");
table.ringCentre = () => placeOf(shipOf(selectedId));
table.redraw = () => drawOverlay();

/**
 * Select a ship.
 * @param {string} id
 */
function selectShip(id) {
  selectedId = id;
  hoveredGroup = undefined;
  byId("tell").hidden = true;
  refresh();
  rows.get(id)?.scrollIntoView({ block: "nearest", inline: "center" });
}

/**
 * Aim all weapons that bear on a target at it, or let them hold their fire if they are already.
 * @param {string} target
 */
const aimAll = (target) => changeFire((actions, ship) => actions.aimAll(ship, target));

table.ontap = (id = "") => {
  if (ships.has(id)) {
    selectShip(id);
  } else if (targetsById.has(id)) {
    aimAll(id);
  }
};
table.onhover = async (id = "") => {
  const target = targetsById.get(id);
  const noteOnTable = byId("tell");
  noteOnTable.hidden = !target;
  if (target) {
    noteOnTable.textContent = (await loadActions()).describeTarget(shipOf(selectedId), target);
  }
};

const buttonActions = {
  best: () => changeFire((actions, ship) => actions.aimBest(ship)),
  captain: () => changeFire((actions, ship) => actions.useCaptainsFire(ship)),
  hold: () => changeFire((actions, ship) => actions.holdFire(ship)),
  earlier: () => changeFire((actions, ship) => actions.moveInOrder(ship, -1)),
  later: () => changeFire((actions, ship) => actions.moveInOrder(ship, 1)),
};
listenToChoices(panel, list, rows, {
  buttonActions,
  selectRow: selectShip,
  toggleColumn: aimAll,
  setCount: ({ dataset: { gun = "", at = "" } }, count) =>
    changeFire((actions, ship) => actions.aimGroup(ship, gun, at, count)),
  getCounts: ({ dataset: { gun = "", at = "" } }) => {
    const { bearing, aimed } = weaponsAimed(shipOf(selectedId), gun, at);
    return { chosen: aimed.length, available: bearing.length };
  },
});
panel.addEventListener("pointerover", ({ target }) => {
  const key = closest(target, "tr", HTMLElement)?.dataset.row;
  const group = weaponGroups(shipOf(selectedId)).find((other) => other.key === key);
  if (group?.key !== hoveredGroup?.key) {
    hoveredGroup = group;
    drawOverlay();
  }
});
list.addEventListener("keydown", async (event) => {
  // Alt and an arrow: the ship fires before or after another.
  const id = rowUnder(event.target);
  if (!ships.has(id) || !event.altKey || !/Arrow(Up|Down)/.test(event.key)) {
    return;
  }
  event.preventDefault();
  if (id !== selectedId) {
    selectShip(id);
  }
  await (event.key === "ArrowUp" ? buttonActions.earlier() : buttonActions.later());
  need(/** @type {HTMLElement} */ (rows.get(id)), ".ship", HTMLElement).focus();
});
form.addEventListener("change", ({ target }) =>
  changeFire((actions) => actions.chooseShipOf(target)),
);

/**
 * Select the next ship in the firing order.
 * @param {number} by how many ships to move; negative moves back
 */
function selectNext(by) {
  const index = firingOrder.indexOf(selectedId) + by;
  selectShip(firingOrder.at(index % firingOrder.length) ?? "");
}

/** @type {Record<string, () => unknown>} */
const KEYS = {
  n: () => selectNext(1),
  p: () => selectNext(-1),
  b: buttonActions.best,
  c: buttonActions.captain,
  0: buttonActions.hold,
  a: () => byId("arcs").click(),
  r: () => byId("rings").click(),
};
document.addEventListener(
  "keydown",
  (event) => {
    if (!isPageKey(event) || !ships.size) {
      return;
    }
    const action = KEYS[event.key.toLowerCase()];
    if (action) {
      event.preventDefault();
      action();
    } else if (event.target !== table.svg && !event.key.startsWith("Arrow")) {
      table.handleKey(event);
    }
  },
  { signal: phaseSignal() },
);
for (const [id, box] of fieldBoxes) {
  if (fieldNamed(form, nameOf(data.fields.brief, id))) {
    (await loadActions()).addFieldsOfShip(id);
  }
  need(box, "summary", HTMLElement).textContent = phrase`Every weapon of ${shipOf(id).name}`;
}
if (ships.size) {
  isStarted = true;
  frame.classList.add("started");
  refresh();
} else {
  frame.classList.add("flow");
  table.draw();
}
