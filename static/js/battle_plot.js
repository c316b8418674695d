// The plot: a ghost of every ship at the end of its written order. Dragging, keys, steppers and
// typing all write the field of the ship's order in the form, and the server reads nothing else:
// the lists it stands for are not sent.

import { cover, ring } from "./battle_arcs.js";
import {
  PLACE,
  RANGES,
  begin,
  byId,
  drawer,
  inputsIn,
  isInput,
  line,
  note,
  placeIn,
  rowsOf,
  say,
  trails,
} from "./battle_page.js";
import { fault, leg, parse, reach, spent, words } from "./battle_rules.js";
import { ours } from "./battle_table.js";
import { closest, find, findAll, html, matches, need, svg } from "./dom.js";
import { nameOf, restOf } from "./field.js";
import { phrase } from "./phrase.js";

/** @import { hangar as openHangar } from "./battle_craft.js" */
/** @import { SeldomFields } from "./battle_more_controls.js" */

const TOUCHED = 26; // pixels around an end in which a touch means it
const EDGE = 60; // pixels to the edge of the table: a ship nearer to it is brought into the middle

const { data, table, shows } = begin((found) => /** @type {PlotData} */ (found));
const form = need(document, "#orders", HTMLFormElement);
const panel = byId("control-panel");
const ships = new Map(
  data.own
    .filter(({ id }) => data.ships[id])
    .map((ship) => [ship.id, /** @type {PlotShip} */ ({ ...ship, ...data.ships[ship.id] })]),
);
const rows = rowsOf([...ships.keys()]);
/** @type {Map<string, HTMLInputElement>} */
const fields = new Map();
for (const [id, row] of rows) {
  const name = nameOf(data.fields.order, id);
  fields.set(id, need(row, `[name="${CSS.escape(name)}"]`, HTMLInputElement));
}

let chosen = "";
/** @type {ReturnType<typeof reach>} every end that the chosen ship can reach */
let ends = [];
let isDragging = false;
/** @type {ReturnType<typeof openHangar> | null} the cards of craft, launches and boarding */
let craft = null;
/** @type {SeldomFields | undefined} */
let seldom;

/** @param {string} id */
const shipOf = (id) => /** @type {PlotShip} */ (ships.get(id));

/** @param {string} id */
const fieldOf = (id) => /** @type {HTMLInputElement} */ (fields.get(id));

/** @param {string} id */
const textOf = (id) => fieldOf(id).value.trim();

/** @param {string} id */
const plotOf = (id) => parse(textOf(id), Boolean(shipOf(id).drift));

/**
 * Say whether an order is the captain's. Orders are compared as they are read: "p2 +4" is no change
 * of "P2+4".
 * @param {string} id
 */
function isCaptains(id) {
  const { captain, drift } = shipOf(id);
  return words(plotOf(id)) === words(parse(captain, Boolean(drift)));
}

/** @param {string} id */
const end = (id) => leg(shipOf(id), plotOf(id));

/** @param {string} id */
const faultOf = (id) => fault(shipOf(id), plotOf(id));

/**
 * @param {ShipMove} move
 * @returns {TablePoint}
 */
const endOf = ({ path }) => path[path.length - 1];

/**
 * Put the field of a ship's order into its row, where it counts alone.
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
 * Return what a row gives to the drawer of craft and launches: all of a row that has no plot, of a
 * ship's its launches.
 * @param {HTMLElement} row
 */
function besideThePlot(row) {
  const id = row.dataset.row ?? "";
  if (!rows.has(id)) {
    return [row];
  }
  const more = need(row, ".fields", HTMLElement);
  more.hidden = !more.querySelector("[data-beside]");
  more.dataset.of = id;
  need(more, "summary", HTMLElement).textContent = phrase`Launches of ${shipOf(id).name}`;
  return more.hidden ? [] : [more];
}

const hangar = drawer(
  phrase`Craft and launches`,
  findAll(document, "[data-row]", HTMLElement).flatMap(besideThePlot),
  data.decks.length > 0 || Object.keys(data.boarders).length > 0,
);
hangar?.addEventListener("toggle", async () => {
  // What it holds is fetched when it is looked at.
  if (!craft) {
    const { hangar: open } = await import("./battle_craft.js");
    craft ??= open({ data, table, form, hangar, ships, textOf, write, show, end });
  }
  craft.open(hangar.open);
});

/**
 * Give a ship an order.
 * @param {string} id
 * @param {string} text
 */
function write(id, text) {
  if (text !== textOf(id)) {
    fieldOf(id).value = text;
    tellOrder(id);
  }
  show();
}

/** @param {string} id */
function tellOrder(id) {
  const { course, v } = end(id);
  const order = textOf(id) || phrase`holds`;
  say(phrase`${shipOf(id).name}: ${order}, course ${course}, velocity ${v}`);
}

/**
 * @param {string} id
 * @param {boolean} looks whether the table is moved to the ship
 */
function choose(id, looks = false) {
  chosen = id;
  show();
  rows.get(id)?.scrollIntoView({ block: "nearest", inline: "center" });
  const ship = shipOf(id);
  const [x, y] = table.px(ship.x, ship.y);
  const isBeside = x < EDGE || y < EDGE || x > table.width - EDGE || y > table.height - EDGE;
  if (looks && isBeside) {
    table.centre(ship.x, ship.y);
  }
}

/**
 * Change the chosen ship's plot by a key or a stepper.
 * @param {number} what
 * @param {number} by points
 */
async function step(what, by) {
  const id = chosen;
  const { changed } = await import("./battle_steps.js");
  const ship = shipOf(id);
  const plot = changed(ship, plotOf(id), what, by);
  const refusal = fault(ship, plot);
  if (refusal) {
    say(`${ship.name} ${refusal}`, true);
  } else if (words(plot) === words(plotOf(id))) {
    say(phrase`${ship.name} has no burn there to take back`, true);
  } else {
    write(id, words(plot));
  }
}

/** @param {number} by ships */
function next(by = 1) {
  const ids = [...ships.keys()];
  choose(ids.at((ids.indexOf(chosen) + by) % ids.length) ?? chosen, true);
}

/**
 * Draw points of thrust: those that turn, those that drive, those that are left, and those too
 * many.
 * @param {number} driving
 * @param {number} turning
 * @param {number} most
 */
function pips(driving, turning, most) {
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

// The control panel is made once; what it says changes in place.
const title = need(panel, "h2", HTMLElement);
const budget = need(panel, ".budget", HTMLElement);
const summary = need(panel, ".ends", HTMLElement);
const written = need(panel, "#written", HTMLInputElement);
const more = need(panel, ".more", HTMLDetailsElement);
const moreFields = need(panel, ".more > div", HTMLElement);
const captainButton = need(panel, "[data-do=captain]", HTMLButtonElement);
const outputs = findAll(panel, "output", HTMLOutputElement);
more.addEventListener("toggle", async () => {
  const { SeldomFields } = await import("./battle_more_controls.js");
  const shown = () => ({ id: chosen, name: shipOf(chosen).name, text: textOf(chosen) });
  seldom ??= new SeldomFields(more, moreFields, shown, write, data.fields);
  seldom.show();
});

/** Draw everything anew. */
function show() {
  const ship = shipOf(chosen);
  const move = end(chosen);
  showRows();
  showHelm(ship, move);
  draw(ship, move);
}

/** Show which orders are the player's, and which cannot be flown. */
function showRows() {
  let own = 0;
  let faulty = 0;
  for (const [id, row] of rows) {
    const isOwn = !isCaptains(id);
    const isFaulty = faultOf(id) !== "";
    own += Number(isOwn);
    faulty += Number(isFaulty);
    const { classList } = fieldOf(id);
    classList.toggle("fault", isFaulty);
    classList.toggle("mine", isOwn && !isFaulty);
    need(row, ".ship", HTMLElement).classList.toggle("chosen", id === chosen);
  }
  byId("count").textContent = phrase`${own} by you, ${ships.size - own} by the captain`;
  note(own > 0);
  if (faulty) {
    byId("state").textContent =
      phrase`${faulty} {:ship|ships} cannot carry out {:its|their} orders`;
  }
}

/**
 * @param {PlotShip} ship
 * @param {ShipMove} move
 */
function showHelm(ship, move) {
  const plot = plotOf(chosen);
  const cost = spent(ship, plot);
  const refusal = faultOf(chosen);
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
  summary.textContent = refusal || moveInWords(ship, move);
  summary.classList.toggle("bad", refusal !== "");
  for (const [i, text] of outputsOf(ship, plot).entries()) {
    outputs[i].textContent = text;
  }
  if (document.activeElement !== written) {
    written.value = textOf(chosen);
  }
  written.ariaLabel = phrase`${ship.name}, written order`;
  seldom?.show();
  captainButton.disabled = isCaptains(chosen);
}

/**
 * @param {PlotShip} ship
 * @param {ShipMove} move
 */
function moveInWords(ship, move) {
  const place = endOf(move)
    .map((value) => value.toFixed(0))
    .join(", ");
  return phrase`from C${ship.course} V${ship.v} to C${move.course} V${move.v}, at ${place}`;
}

/**
 * Return what the control panel says between its steppers.
 * @param {PlotShip} ship
 * @param {ShipPlot} plot
 */
function outputsOf(ship, plot) {
  if (!ship.drift) {
    const turn = words({ ...plot, thrust: 0, more: [] });
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

table.shown = () => draw(shipOf(chosen), end(chosen));
table.aim = () => import("./battle_cursor.js");
table.centred = () => endOf(end(chosen));

/**
 * Return a ship's order in short: its move, and how much more it says.
 * @param {string} id
 */
function brief(id) {
  const plot = plotOf(id);
  const move = words({ ...plot, more: [] });
  if (!move && plot.more.length === 1) {
    return plot.more[0].split(/\s+/)[0];
  }
  const further = plot.more.length ? ` +${plot.more.length}` : "";
  return (move || phrase`holds`) + further;
}

/**
 * @param {PlotShip} ship
 * @param {ShipMove} move
 */
function draw(ship, move) {
  const centre = endOf(move);
  const seat = `seat-${ship.seat}`;
  ends = reach(ship, plotOf(chosen).more);
  const rings = shows.rings ? RANGES.map((range) => ring(centre, range)) : [];
  const arcs = shows.arcs ? cover(ship.cover, centre, move.course + (ship.bow ?? 0)) : [];
  table.under.replaceChildren(
    ...trails(data),
    ...otherWays(seat),
    ...rings,
    svg("g", { class: seat }, ...arcs),
    ...ends.map(endDot),
    ...craftWays(seat),
    ...(craft?.drawn(seat) ?? []),
    ...chosenWay(ship, move),
  );
  for (const id of ships.keys()) {
    markShip(id);
  }
  const ghost = table.marks.get(`${chosen}*`);
  if (ghost) {
    table.over.append(ghost.node);
  }
  table.draw();
}

/**
 * Draw where contacts fly, and the ways of the other ships.
 * @param {string} seat
 */
function otherWays(seat) {
  const contacts = data.contacts.filter(({ v }) => v);
  const others = [...ships.keys()].filter((id) => id !== chosen);
  return [
    ...contacts.map((contact) => {
      const flown = leg({ ...contact, v: contact.v ?? 0 });
      return line(`course seat-${contact.seat}`, flown.path);
    }),
    ...others.map((id) => line(`plan ${seat}`, end(id).path)),
  ];
}

/** @param {typeof ends[number]} reached */
function endDot(reached) {
  const { turns, burns } = reached.plot;
  const isTurn = Boolean(turns[0]) || burns[0]?.[0].startsWith("T");
  const [cx, cy] = endOf(reached);
  return svg("circle", { class: "reach", cx, cy, r: 0.16, "fill-opacity": isTurn ? 0.5 : 0.9 });
}

/**
 * Draw where craft go, and what is launched.
 * @param {string} seat
 */
function craftWays(seat) {
  return inputsIn(form, PLACE).flatMap((input) => {
    const row = closest(input, "[data-row]", HTMLElement)?.dataset.row;
    const id = row ?? closest(input, "[data-of]", HTMLElement)?.dataset.of ?? "";
    const from = placeOf(id.replace(/\/load$/, ""));
    const to = placeIn(input.value);
    if (!from || !to) {
      return [];
    }
    const dot = svg("circle", { class: "place", cx: to[0], cy: to[1], r: 0.3 });
    return [line(`plan ${seat}`, [from, to]), dot];
  });
}

/**
 * @param {string} id of a ship or a group
 * @returns {TablePoint | null}
 */
function placeOf(id) {
  const found = table.marks.get(id) ?? data.craft[id];
  return found ? [found.x, found.y] : null;
}

/**
 * @param {PlotShip} ship
 * @param {ShipMove} move
 */
function chosenWay(ship, { path }) {
  if (!ship.drift) {
    return [line("plan chosen", path)];
  }
  return [line("plan chosen drift", path.slice(0, 2)), line("plan chosen", path.slice(1))];
}

/**
 * Mark where a ship is, and where its move ends.
 * @param {string} id
 */
function markShip(id) {
  const ship = shipOf(id);
  const move = end(id);
  const [x, y] = endOf(move);
  const isChosen = id === chosen;
  const emphasis = isChosen ? " chosen" : "";
  table.mark(id, { cls: `seat-${ship.seat} own${emphasis}`, rank: isChosen ? 9 : 5 });
  table.mark(`${id}*`, {
    x,
    y,
    course: move.course,
    size: ship.size,
    scale: 0.9,
    cls: `seat-${ship.seat} ghost${emphasis}`,
    name: isChosen ? brief(id) : "",
    sub: isChosen ? `C${move.course} V${move.v}` : "",
    rank: 10,
  });
}

/**
 * Return the end that is nearest to a place.
 * @param {TablePoint} at
 */
function nearestEnd(at) {
  let nearest = null;
  for (const reached of ends) {
    const [x, y] = endOf(reached);
    const away = Math.hypot(x - at[0], y - at[1]);
    if (!nearest || away < nearest.away) {
      nearest = { away, plot: reached.plot };
    }
  }
  return nearest;
}

table.ondrag = (id, phase, at) => {
  if (phase === "start") {
    isDragging = id === `${chosen}*`;
    return isDragging;
  }
  const nearest = nearestEnd(at);
  if (isDragging && phase === "move" && nearest) {
    write(chosen, words(nearest.plot));
  }
  return undefined;
};
table.ontap = (id, at) => {
  if (id !== undefined && craft?.placed(id)) {
    return;
  }
  if (id !== undefined && !craft && data.craft[id] && hangar) {
    hangar.dataset.first = id;
    hangar.open = true;
    return;
  }
  tapTable(id, at);
};
table.onhover = tellContact;

/**
 * Choose the ship that was touched, or send the chosen one to the end that was.
 * @param {string | undefined} id
 * @param {TablePoint} at
 */
function tapTable(id, at) {
  const ship = id?.replace("*", "");
  const isChosen = id === undefined || ship === chosen;
  const end = isChosen ? endUnder(at) : null;
  if (end) {
    if (id !== chosen) {
      write(chosen, words(end.plot));
    }
  } else if (ship !== undefined && ships.has(ship)) {
    if (ship !== chosen) {
      choose(ship);
    }
  } else if (id !== undefined) {
    tellContact(id);
  }
}

/**
 * Return the end that a touch means.
 * @param {TablePoint} at
 */
function endUnder(at) {
  const nearest = nearestEnd(at);
  return nearest && nearest.away * table.k < TOUCHED ? nearest : null;
}

/**
 * Say what a contact is.
 * @param {string | undefined} id
 */
async function tellContact(id) {
  const contact = data.contacts.find((other) => other.id === id);
  const tell = byId("tell");
  tell.hidden = !contact;
  if (contact) {
    const { contactInWords } = await import("./battle_steps.js");
    tell.textContent = contactInWords(contact, endOf(end(chosen)));
  }
}

for (const [id, row] of rows) {
  row.addEventListener("click", ({ target }) => {
    if (!closest(target, "input, details", HTMLElement)) {
      choose(id, true);
    }
  });
  fieldOf(id).addEventListener("focus", () => {
    if (id !== chosen) {
      choose(id, true);
    }
  });
}
form.addEventListener("change", ({ target }) => {
  const id = isInput(target) ? (restOf(data.fields.order, target.name) ?? "") : "";
  if (ships.has(id)) {
    tellOrder(id);
    show();
  }
  if (target === written) {
    write(chosen, written.value.trim());
  }
  if (target instanceof Node && hangar?.contains(target)) {
    show();
  }
});
panel.addEventListener("click", ({ target }) => {
  const what = closest(target, "[data-do]", HTMLElement)?.dataset.do;
  if (what === "next") {
    next();
  } else if (what === "captain") {
    write(chosen, shipOf(chosen).captain);
  } else if (what) {
    step(Number(what[0]), what[1] === "+" ? 1 : -1);
  }
});
form.addEventListener(
  "submit",
  (event) => {
    // The first ship that cannot fly so is shown, instead of an answer that says so.
    const { submitter } = event;
    const isSeal = submitter instanceof HTMLButtonElement && submitter.value === "seal";
    const first = isSeal ? [...ships.keys()].find(faultOf) : undefined;
    if (first !== undefined) {
      event.preventDefault();
      event.stopImmediatePropagation();
      choose(first, true);
      say(`${shipOf(first).name} ${faultOf(first)}`, true);
      written.focus();
    }
  },
  true,
);

/** @type {Record<string, () => unknown>} */
const KEYS = {
  p: () => step(0, -1),
  s: () => step(0, 1),
  "+": () => step(1, 1),
  "=": () => step(1, 1),
  "-": () => step(1, -1),
  c: () => write(chosen, shipOf(chosen).captain),
  0: () => write(chosen, ""),
  n: () => next(),
  b: () => next(-1),
  a: () => byId("arcs").click(),
  r: () => byId("rings").click(),
};

/** @param {KeyboardEvent} event */
function pressEnter(event) {
  const isOrder = event.target === written || matches(event.target, ".order");
  const isFree = ours(event) && !isInside(more, event.target);
  if (isOrder) {
    event.preventDefault();
    /** @type {HTMLElement} */ (event.target).blur();
    next();
  } else if (isFree && !closest(event.target, "button, summary, a", Element)) {
    event.preventDefault();
    next();
  }
}

/**
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
    if (!ours(event) || isInside(more, event.target)) {
      return;
    }
    const action = KEYS[event.key.toLowerCase()];
    if (action) {
      event.preventDefault();
      event.stopPropagation();
      action();
    } else if (event.target !== table.svg && !event.key.startsWith("Arrow")) {
      table.key(event);
    }
  },
  true,
);
if (ships.size) {
  const faulty = [...rows].find(([, row]) => find(row, ".fault", HTMLElement));
  choose(faulty?.[0] ?? [...ships.keys()][0]);
}
