// The plot phase: a ghost of each ship at the end of its move. Dragging, keys, steppers and typing
// all write the ship's order into one field of the form. Only this field is sent; the lists that
// the page has for users without scripts are disabled. Loaded with the page.

import { coverageWedges, rangeRing } from "./battle_arcs.js";
import {
  PLACE_FIELDS,
  RING_RANGES,
  addDrawer,
  announce,
  byId,
  inputsIn,
  isInput,
  parsePlace,
  polyline,
  rowsById,
  setUpPage,
  showCaptainNote,
  trails,
  phaseSignal,
} from "./battle_page.js";
import {
  flyPlot,
  formatOrder,
  parseOrder,
  plotFault,
  reachableMoves,
  thrustUsed,
} from "./battle_rules.js";
import { isPageKey } from "./battle_table.js";
import { closest, find, findAll, html, matches, need, svg } from "./dom.js";
import { nameOf, restOf } from "./field.js";
import { phrase } from "./phrase.js";

/** @import { openCraftDrawer as openHangar } from "./battle_craft.js" */
/** @import { FurtherOrderFields } from "./battle_more_controls.js" */

const TAP_RADIUS = 26; // pixels around the end of a move in which a tap chooses the move
const EDGE_MARGIN = 60; // pixels from the edge of the view; nearer to it, the table is centred

// The numbers of steppers (battle_steps.js).
const TURN = 0;
const VELOCITY = 1;

const { data, table, visible } = setUpPage((found) => /** @type {PlotData} */ (found));
const form = need(document, "#orders", HTMLFormElement);
const panel = byId("control-panel");
const ships = new Map(
  data.own
    .filter(({ id }) => data.ships[id])
    .map((ship) => [ship.id, /** @type {PlotShip} */ ({ ...ship, ...data.ships[ship.id] })]),
);
const rows = rowsById([...ships.keys()]);
/** @type {Map<string, HTMLInputElement>} */
const fields = new Map();
for (const [id, row] of rows) {
  const name = nameOf(data.fields.order, id);
  fields.set(id, need(row, `[name="${CSS.escape(name)}"]`, HTMLInputElement));
}

let selectedId = "";
/** @type {ReturnType<typeof reachableMoves>} all moves of the selected ship */
let possibleMoves = [];
let isDragging = false;
/** @type {ReturnType<typeof openHangar> | null} the cards of craft, launches and boarding */
let craftDrawer = null;
/** @type {FurtherOrderFields | undefined} */
let furtherFields;

/** @param {string} id */
const shipOf = (id) => /** @type {PlotShip} */ (ships.get(id));

/** @param {string} id */
const fieldOf = (id) => /** @type {HTMLInputElement} */ (fields.get(id));

/** @param {string} id */
const writtenOrder = (id) => fieldOf(id).value.trim();

/** @param {string} id */
const plotOf = (id) => parseOrder(writtenOrder(id), Boolean(shipOf(id).drift));

/**
 * Check whether a ship's order is the captain's. "p2 +4" counts as the same as "P2+4".
 * @param {string} id
 */
function isCaptainsOrder(id) {
  const { captain, drift } = shipOf(id);
  return formatOrder(plotOf(id)) === formatOrder(parseOrder(captain, Boolean(drift)));
}

/** @param {string} id */
const moveOf = (id) => flyPlot(shipOf(id), plotOf(id));

/** @param {string} id */
const faultOf = (id) => plotFault(shipOf(id), plotOf(id));

/**
 * Return the place at which a move ends.
 * @param {ShipMove} move
 * @returns {TablePoint}
 */
const endOfMove = ({ path }) => path[path.length - 1];

/**
 * Show the field of a ship's order in its row, and disable the lists for users without scripts.
 * @param {string} id
 * @param {HTMLElement} row
 */
function prepareRow(id, row) {
  const field = fieldOf(id);
  const ship = shipOf(id);
  for (const lists of findAll(row, "[data-lists]", HTMLFieldSetElement)) {
    lists.disabled = true;
    lists.hidden = true;
  }
  row.querySelector(".seldom")?.remove();
  field.className = "order";
  field.placeholder = phrase`holds`;
  field.value = ship.order;
  field.ariaLabel = phrase`${ship.name}, order`;
  field.closest("label")?.remove();
  need(row, ".o", HTMLElement).replaceChildren(field);
}

for (const [id, row] of rows) {
  prepareRow(id, row);
}

/**
 * Return what to move from a row into the drawer of craft and launches: the launches of a ship, or
 * the whole row of anything that does not plot.
 * @param {HTMLElement} row
 */
function drawerPartsOf(row) {
  const id = row.dataset.row ?? "";
  if (!rows.has(id)) {
    return [row];
  }
  const box = need(row, ".fields", HTMLElement);
  box.hidden = !box.querySelector("[data-beside]");
  box.dataset.of = id;
  need(box, "summary", HTMLElement).textContent = phrase`Launches of ${shipOf(id).name}`;
  return box.hidden ? [] : [box];
}

const drawer = addDrawer(
  phrase`Craft and launches`,
  findAll(document, "[data-row]", HTMLElement).flatMap(drawerPartsOf),
  Object.keys(data.carriers).length > 0 || Object.keys(data.boarders).length > 0,
);
drawer?.addEventListener("toggle", async () => {
  // The cards are loaded when the drawer is first opened.
  if (!craftDrawer) {
    const { openCraftDrawer: open } = await import("./battle_craft.js");
    craftDrawer ??= open({
      data,
      table,
      form,
      drawer,
      ships,
      writtenOrder,
      writeOrder,
      refresh,
      moveOf,
    });
  }
  craftDrawer.onToggle(drawer.open);
});

/**
 * Give a ship another order.
 * @param {string} id
 * @param {string} text
 */
function writeOrder(id, text) {
  if (text !== writtenOrder(id)) {
    fieldOf(id).value = text;
    announceOrder(id);
    document.dispatchEvent(new Event("ordered"));
  }
  refresh();
}

/**
 * Announce the order of a ship and where it leads.
 * @param {string} id
 */
function announceOrder(id) {
  const { course, v } = moveOf(id);
  const order = writtenOrder(id) || phrase`holds`;
  announce(phrase`${shipOf(id).name}: ${order}, course ${course}, velocity ${v}`);
}

/**
 * Select a ship.
 * @param {string} id
 * @param {boolean} centresTable whether to centre the table on a ship near the edge of the view
 */
function selectShip(id, centresTable = false) {
  selectedId = id;
  refresh();
  rows.get(id)?.scrollIntoView({ block: "nearest", inline: "center" });
  const ship = shipOf(id);
  const [x, y] = table.toPixels(ship.x, ship.y);
  const isNearEdge =
    x < EDGE_MARGIN ||
    y < EDGE_MARGIN ||
    x > table.width - EDGE_MARGIN ||
    y > table.height - EDGE_MARGIN;
  if (centresTable && isNearEdge) {
    table.centre(ship.x, ship.y);
  }
}

/**
 * Change the selected ship's plot by a key or a stepper.
 * @param {number} control the number of the stepper (battle_steps.js)
 * @param {number} by points to add
 */
async function changeSelectedPlot(control, by) {
  const id = selectedId;
  const { changePlot } = await import("./battle_steps.js");
  const ship = shipOf(id);
  const plot = changePlot(ship, plotOf(id), control, by);
  const refusal = plotFault(ship, plot);
  if (refusal) {
    announce(`${ship.name} ${refusal}`, true);
  } else if (formatOrder(plot) === formatOrder(plotOf(id))) {
    announce(phrase`${ship.name} has no burn there to take back`, true);
  } else {
    writeOrder(id, formatOrder(plot));
  }
}

/**
 * Select the next ship.
 * @param {number} by how many ships to move; negative moves back
 */
function selectNext(by = 1) {
  const ids = [...ships.keys()];
  selectShip(ids.at((ids.indexOf(selectedId) + by) % ids.length) ?? selectedId, true);
}

/**
 * Draw one dot for each point of thrust: used to turn, used to change velocity, free or too many.
 * @param {number} driving the points for velocity
 * @param {number} turning the points for turning
 * @param {number} most the points that the ship has
 */
function thrustPips(driving, turning, most) {
  const count = Math.max(most, driving + turning);
  const points = Array.from({ length: count }, (_, i) => {
    const point = html("i");
    point.classList.toggle("turn", i < turning);
    point.classList.toggle("on", i >= turning && i < turning + driving);
    point.classList.toggle("over", i >= most);
    return point;
  });
  return html("span", { className: "pips" }, ...points);
}

// The elements of the control panel stay; only their contents change.
const title = need(panel, "h2", HTMLElement);
const budget = need(panel, ".budget", HTMLElement);
const moveSummary = need(panel, ".ends", HTMLElement);
const orderInput = need(panel, "#written", HTMLInputElement);
const furtherOrdersBox = need(panel, ".more", HTMLDetailsElement);
const furtherOrdersContent = need(panel, ".more > div", HTMLElement);
const captainButton = need(panel, "[data-do=captain]", HTMLButtonElement);
const outputs = findAll(panel, "output", HTMLOutputElement);
furtherOrdersBox.addEventListener("toggle", async () => {
  const { FurtherOrderFields } = await import("./battle_more_controls.js");
  furtherFields ??= new FurtherOrderFields({
    fold: furtherOrdersBox,
    box: furtherOrdersContent,
    selectedShip: () => ({
      id: selectedId,
      name: shipOf(selectedId).name,
      text: writtenOrder(selectedId),
    }),
    writeOrder,
    fields: data.fields,
  });
  furtherFields.show();
});

/** Show the current orders in the rows, the control panel and on the table. */
function refresh() {
  const ship = shipOf(selectedId);
  const move = moveOf(selectedId);
  showRows();
  showControlPanel(ship, move);
  drawOverlay(ship, move);
}

/** Show which orders are the player's, and which cannot be carried out. */
function showRows() {
  let changedCount = 0;
  let faultyCount = 0;
  for (const [id, row] of rows) {
    const isChanged = !isCaptainsOrder(id);
    const isFaulty = faultOf(id) !== "";
    changedCount += Number(isChanged);
    faultyCount += Number(isFaulty);
    const { classList } = fieldOf(id);
    classList.toggle("fault", isFaulty);
    classList.toggle("mine", isChanged && !isFaulty);
    need(row, ".ship", HTMLElement).classList.toggle("chosen", id === selectedId);
  }
  const captainsCount = ships.size - changedCount;
  byId("count").textContent = phrase`${changedCount} by you, ${captainsCount} by the captain`;
  showCaptainNote(changedCount > 0);
  if (faultyCount) {
    byId("state").textContent =
      phrase`${faultyCount} {:ship|ships} cannot carry out {:its|their} orders`;
  }
}

/**
 * Show thrust, move and order of the selected ship in the control panel.
 * @param {PlotShip} ship
 * @param {ShipMove} move
 */
function showControlPanel(ship, move) {
  const plot = plotOf(selectedId);
  const cost = thrustUsed(ship, plot);
  const refusal = faultOf(selectedId);
  title.textContent = ship.name;
  budget.replaceChildren(
    ...(ship.drift
      ? [
          phrase`drive `,
          thrustPips(cost.drive, 0, ship.main),
          phrase` thrusters `,
          thrustPips(0, cost.turn, ship.turning),
        ]
      : [phrase`thrust `, thrustPips(cost.drive, cost.turn, ship.main)]),
  );
  moveSummary.textContent = refusal || describeMove(ship, move);
  moveSummary.classList.toggle("bad", refusal !== "");
  for (const [i, text] of stepperTexts(ship, plot).entries()) {
    outputs[i].textContent = text;
  }
  if (document.activeElement !== orderInput) {
    orderInput.value = writtenOrder(selectedId);
  }
  orderInput.ariaLabel = phrase`${ship.name}, written order`;
  furtherFields?.show();
  captainButton.disabled = isCaptainsOrder(selectedId);
}

/**
 * Describe a move: course and velocity before and after, and where it ends.
 * @param {PlotShip} ship
 * @param {ShipMove} move
 */
function describeMove(ship, move) {
  const place = endOfMove(move)
    .map((value) => value.toFixed(0))
    .join(", ");
  return phrase`from C${ship.course} V${ship.v} to C${move.course} V${move.v}, at ${place}`;
}

/**
 * Return the texts between the buttons of each stepper, in the order of the steppers.
 * @param {PlotShip} ship
 * @param {ShipPlot} plot
 */
function stepperTexts(ship, plot) {
  if (!ship.drift) {
    const turn = formatOrder({ ...plot, thrust: 0, furtherOrders: [] });
    const sign = plot.thrust > 0 ? "+" : "";
    return [turn || "–", `${sign}${plot.thrust}`.replace("-", "−")];
  }
  /** @param {string[]} kinds */
  const burning = (kinds) => {
    const burns = plot.burns.filter(([kind]) => kinds.includes(kind));
    return burns.map((burn) => burn.join("")).join(" ") || "–";
  };
  return [["TP", "TS"], ["MD"], ["PP", "PS"], ["PR"]].map(burning);
}

table.redraw = () => drawOverlay(shipOf(selectedId), moveOf(selectedId));
table.loadCursor = () => import("./battle_cursor.js");
table.ringCentre = () => endOfMove(moveOf(selectedId));

/**
 * Return a ship's order in short: its move and the number of further orders.
 * @param {string} id
 */
function shortOrder(id) {
  const plot = plotOf(id);
  const move = formatOrder({ ...plot, furtherOrders: [] });
  if (!move && plot.furtherOrders.length === 1) {
    return plot.furtherOrders[0].split(/\s+/)[0];
  }
  const further = plot.furtherOrders.length ? ` +${plot.furtherOrders.length}` : "";
  return (move || phrase`holds`) + further;
}

/**
 * Draw paths, rings, arcs and possible moves, and mark ships on the table.
 * @param {PlotShip} ship
 * @param {ShipMove} move
 */
function drawOverlay(ship, move) {
  const centre = endOfMove(move);
  const seat = `seat-${ship.seat}`;
  possibleMoves = reachableMoves(ship, plotOf(selectedId).furtherOrders);
  const rings = visible.rings ? RING_RANGES.map((range) => rangeRing(centre, range)) : [];
  const arcs = visible.arcs
    ? coverageWedges(ship.cover, centre, move.course + (ship.bow ?? 0))
    : [];
  table.underLayer.replaceChildren(
    ...trails(data),
    ...otherPaths(seat),
    ...rings,
    svg("g", { class: seat }, ...arcs),
    ...possibleMoves.map(moveDot),
    ...craftPaths(seat),
    ...(craftDrawer?.drawCards(seat) ?? []),
    ...selectedPath(ship, move),
  );
  for (const id of ships.keys()) {
    markShip(id);
  }
  const ghost = table.marks.get(`${selectedId}*`);
  if (ghost) {
    table.marksLayer.append(ghost.node);
  }
  table.draw();
}

/**
 * Draw the paths of contacts if they keep their course, and the moves of the other ships.
 * @param {string} seat
 */
function otherPaths(seat) {
  const contacts = data.contacts.filter(({ v }) => v);
  const others = [...ships.keys()].filter((id) => id !== selectedId);
  return [
    ...contacts.map((contact) => {
      const flown = flyPlot({ ...contact, v: contact.v ?? 0 });
      return polyline(`course seat-${contact.seat}`, flown.path);
    }),
    ...others.map((id) => polyline(`plan ${seat}`, moveOf(id).path)),
  ];
}

/**
 * Draw a dot at the end of a possible move; fainter if the move turns the ship.
 * @param {typeof possibleMoves[number]} move
 */
function moveDot(move) {
  const { turns, burns } = move.plot;
  const isTurn = Boolean(turns[0]) || burns[0]?.[0].startsWith("T");
  const [cx, cy] = endOfMove(move);
  return svg("circle", { class: "reach", cx, cy, r: 0.16, "fill-opacity": isTurn ? 0.5 : 0.9 });
}

/**
 * Draw lines to the places in the fields of craft and launchers.
 * @param {string} seat
 */
function craftPaths(seat) {
  return inputsIn(form, PLACE_FIELDS).flatMap((input) => {
    const row = closest(input, "[data-row]", HTMLElement)?.dataset.row;
    const id = row ?? closest(input, "[data-of]", HTMLElement)?.dataset.of ?? "";
    const from = placeOf(id.replace(/\/load$/, ""));
    const to = parsePlace(input.value);
    if (!from || !to) {
      return [];
    }
    const dot = svg("circle", { class: "place", cx: to[0], cy: to[1], r: 0.3 });
    return [polyline(`plan ${seat}`, [from, to]), dot];
  });
}

/**
 * Return the place of a ship or group.
 * @param {string} id
 * @returns {TablePoint | null}
 */
function placeOf(id) {
  const found = table.marks.get(id) ?? data.craft[id];
  return found ? [found.x, found.y] : null;
}

/**
 * Draw the path of the selected ship; in vector movement, its drift in another style.
 * @param {PlotShip} ship
 * @param {ShipMove} move
 */
function selectedPath(ship, { path }) {
  if (!ship.drift) {
    return [polyline("plan chosen", path)];
  }
  return [polyline("plan chosen drift", path.slice(0, 2)), polyline("plan chosen", path.slice(1))];
}

/**
 * Mark a ship on the table, and a ghost at the end of its move. The id of the ghost is that of the
 * ship with an asterisk.
 * @param {string} id
 */
function markShip(id) {
  const ship = shipOf(id);
  const move = moveOf(id);
  const [x, y] = endOfMove(move);
  const isChosen = id === selectedId;
  const emphasis = isChosen ? " chosen" : "";
  table.setMark(id, { cls: `seat-${ship.seat} own${emphasis}`, rank: isChosen ? 9 : 5 });
  table.setMark(`${id}*`, {
    x,
    y,
    course: move.course,
    size: ship.size,
    scale: 0.9,
    cls: `seat-${ship.seat} ghost${emphasis}`,
    name: isChosen ? shortOrder(id) : "",
    detail: isChosen ? `C${move.course} V${move.v}` : "",
    rank: 10,
  });
}

/**
 * Return the possible move that ends nearest to a place, with its distance in MU.
 * @param {TablePoint} at
 */
function nearestMove(at) {
  let nearest = null;
  for (const move of possibleMoves) {
    const [x, y] = endOfMove(move);
    const distance = Math.hypot(x - at[0], y - at[1]);
    if (!nearest || distance < nearest.distance) {
      nearest = { distance, plot: move.plot };
    }
  }
  return nearest;
}

table.ondrag = (id, phase, at) => {
  if (phase === "start") {
    isDragging = id === `${selectedId}*`;
    return isDragging;
  }
  const nearest = nearestMove(at);
  if (isDragging && phase === "move" && nearest) {
    writeOrder(selectedId, formatOrder(nearest.plot));
  }
  return undefined;
};
table.ontap = (id, at) => {
  if (id !== undefined && craftDrawer?.selectGroup(id)) {
    return;
  }
  if (id !== undefined && !craftDrawer && data.craft[id] && drawer) {
    drawer.dataset.first = id;
    drawer.open = true;
    return;
  }
  tapMark(id, at);
};
table.onhover = announceContact;

/**
 * Select the ship that was tapped, or give the selected ship the move that ends there.
 * @param {string | undefined} id
 * @param {TablePoint} at
 */
function tapMark(id, at) {
  const ship = id?.replace("*", "");
  const isChosen = id === undefined || ship === selectedId;
  const end = isChosen ? moveUnder(at) : null;
  if (end) {
    if (id !== selectedId) {
      writeOrder(selectedId, formatOrder(end.plot));
    }
  } else if (ship !== undefined && ships.has(ship)) {
    if (ship !== selectedId) {
      selectShip(ship);
    }
  } else if (id !== undefined) {
    announceContact(id);
  }
}

/**
 * Return the possible move that ends under a tap, or null.
 * @param {TablePoint} at
 */
function moveUnder(at) {
  const nearest = nearestMove(at);
  return nearest && nearest.distance * table.pxPerMu < TAP_RADIUS ? nearest : null;
}

/**
 * Describe the contact under the pointer on the table.
 * @param {string | undefined} id
 */
async function announceContact(id) {
  const contact = data.contacts.find((other) => other.id === id);
  const noteOnTable = byId("tell");
  noteOnTable.hidden = !contact;
  if (contact) {
    const { describeContact } = await import("./battle_steps.js");
    noteOnTable.textContent = describeContact(contact, endOfMove(moveOf(selectedId)));
  }
}

for (const [id, row] of rows) {
  row.addEventListener("click", ({ target }) => {
    if (!closest(target, "input, details", HTMLElement)) {
      selectShip(id, true);
    }
  });
  fieldOf(id).addEventListener("focus", () => {
    if (id !== selectedId) {
      selectShip(id, true);
    }
  });
}
form.addEventListener("change", ({ target }) => {
  const id = isInput(target) ? (restOf(data.fields.order, target.name) ?? "") : "";
  if (ships.has(id)) {
    announceOrder(id);
    refresh();
  }
  if (target === orderInput) {
    writeOrder(selectedId, orderInput.value.trim());
  }
  if (target instanceof Node && drawer?.contains(target)) {
    refresh();
  }
});
panel.addEventListener("click", ({ target }) => {
  const action = closest(target, "[data-do]", HTMLElement)?.dataset.do;
  if (action === "next") {
    selectNext();
  } else if (action === "captain") {
    writeOrder(selectedId, shipOf(selectedId).captain);
  } else if (action) {
    const [control, sign] = action; // A stepper's buttons are "0-", "0+", "1-" and so on.
    changeSelectedPlot(Number(control), sign === "+" ? 1 : -1);
  }
});
form.addEventListener(
  "submit",
  (event) => {
    // Before sealing, select the first ship with an order that it cannot carry out.
    const { submitter } = event;
    const isSeal = submitter instanceof HTMLButtonElement && submitter.value === "seal";
    const first = isSeal ? [...ships.keys()].find(faultOf) : undefined;
    if (first !== undefined) {
      event.preventDefault();
      event.stopImmediatePropagation();
      selectShip(first, true);
      announce(`${shipOf(first).name} ${faultOf(first)}`, true);
      orderInput.focus();
    }
  },
  true,
);

/** @type {Record<string, () => unknown>} */
const KEYS = {
  p: () => changeSelectedPlot(TURN, -1),
  s: () => changeSelectedPlot(TURN, 1),
  "+": () => changeSelectedPlot(VELOCITY, 1),
  "=": () => changeSelectedPlot(VELOCITY, 1),
  "-": () => changeSelectedPlot(VELOCITY, -1),
  c: () => writeOrder(selectedId, shipOf(selectedId).captain),
  0: () => writeOrder(selectedId, ""),
  n: () => selectNext(),
  b: () => selectNext(-1),
  a: () => byId("arcs").click(),
  r: () => byId("rings").click(),
};

/**
 * Finish the order being typed, and select the next ship.
 * @param {KeyboardEvent} event
 */
function pressEnter(event) {
  const isOrder = event.target === orderInput || matches(event.target, ".order");
  const isFree = isPageKey(event) && !isInside(furtherOrdersBox, event.target);
  if (isOrder) {
    event.preventDefault();
    /** @type {HTMLElement} */ (event.target).blur();
    selectNext();
  } else if (isFree && !closest(event.target, "button, summary, a", Element)) {
    event.preventDefault();
    selectNext();
  }
}

/**
 * Check whether an event's target is inside an element.
 * @param {Element} element
 * @param {EventTarget | null} target
 */
const isInside = (element, target) => target instanceof Node && element.contains(target);

document.addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Enter") {
      pressEnter(event);
      return;
    }
    if (!isPageKey(event) || isInside(furtherOrdersBox, event.target)) {
      return;
    }
    const action = KEYS[event.key.toLowerCase()];
    if (action) {
      event.preventDefault();
      event.stopPropagation();
      action();
    } else if (event.target !== table.svg && !event.key.startsWith("Arrow")) {
      table.handleKey(event);
    }
  },
  { capture: true, signal: phaseSignal() },
);
if (ships.size) {
  const faulty = [...rows].find(([, row]) => find(row, ".fault", HTMLElement));
  selectShip(faulty?.[0] ?? [...ships.keys()][0]);
}
