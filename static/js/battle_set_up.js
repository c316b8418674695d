// The set-up before the first turn: ships are dragged into place, alone or several at once, and
// their course, velocity and turn of FTL entry chosen. Everything is written into the fields of the
// form, which the server checks after each change. Loaded with the page.

import {
  announce,
  byId,
  fieldNamed,
  isInput,
  parsePlace,
  polyline,
  rowsById,
  setUpPage,
  showCaptainNote,
  phaseSignal,
} from "./battle_page.js";
import { COURSE_VECTORS, isPageKey } from "./battle_table.js";
import { closest, find, findAll, html, need, svg } from "./dom.js";
import { nameOf, restOf } from "./field.js";
import { number, phrase } from "./phrase.js";

const STEP = 0.5; // MU to which dragged ships snap
const PANEL_FIELDS = ["x", "y", "course", "velocity", "entry"]; // those with controls of their own
const WHEEL_NOTCH = 40; // pixels of the wheel that turn a ship by one point
const COURSES_ALONG_X = [2, 3, 4, 8, 9, 10];
/** @type {Record<string, TablePoint>} MU by which an arrow key moves ships */
const ARROW_MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const { data, table } = setUpPage((found) => /** @type {SetUpData} */ (found));
const form = need(document, "#orders", HTMLFormElement);
const panel = byId("control-panel");
const placeInput = need(panel, "#place", HTMLInputElement);
const formationSelect = find(panel, "#formation", HTMLSelectElement);
const entryInput = find(panel, "#entry", HTMLInputElement);
/** @type {Map<string, OpenBody>} the bodies that are placed now, before anybody places ships */
const bodies = new Map(data.bodies.map((body) => [body.id, body]));
const placed = data.bodies.length ? data.bodies : data.own;
const rows = rowsById(placed.map(({ id }) => id));
const names = new Map(placed.map(({ id, name }) => [id, name]));
const markClasses = new Map(data.own.map(({ id, seat }) => [id, `seat-${seat} own`]));
for (const { id } of data.bodies) {
  markClasses.set(id, `seat-${data.own[0]?.seat ?? 0} own body`);
}

/** @type {Set<string>} the ids of the selected ships */
const selected = new Set();
/** @type {Set<string>} the ids of ships with a fault */
const faulty = new Set();
let selectsSeveral = false;
let wheelTurn = 0; // pixels that the wheel has turned since the last point
/** @type {TablePoint} */
let dragStart = [0, 0];
/** @type {Map<string, TablePoint>} where dragged ships were at the start of the drag */
const draggedFrom = new Map();
/** @type {{from: TablePoint, to: TablePoint} | null} */
let frame = null;

/**
 * Return a field of a ship; null if the form does not have it.
 * @param {string} key
 * @param {string} id
 */
const fieldOf = (key, id) => fieldNamed(form, nameOf(data.fields[key], id));

/**
 * Return the number in a field of a ship.
 * @param {string} key
 * @param {string} id
 */
const numberIn = (key, id) => Number(fieldOf(key, id)?.value ?? 0);

/**
 * Return the place of a ship as its fields have it.
 * @param {string} id
 * @returns {TablePoint}
 */
const placeOf = (id) => [numberIn("x", id), numberIn("y", id)];

/**
 * Write a field of a ship.
 * @param {string} key
 * @param {string} id
 * @param {number | string} value
 */
function write(key, id, value) {
  const field = fieldOf(key, id);
  if (field) {
    field.value = String(value);
  }
}

/**
 * Write the place of a ship, inside the table.
 * @param {string} id
 * @param {TablePoint} at
 */
function writePlace(id, [x, y]) {
  const [width, height] = data.table;
  write("x", id, Math.max(0, Math.min(width, Math.round(x / STEP) * STEP)));
  write("y", id, Math.max(0, Math.min(height, Math.round(y / STEP) * STEP)));
}

/**
 * Check whether a ship has a place; where ships are placed in turn, others follow later.
 * @param {string} id
 */
const isPlaced = (id) => (fieldOf("x", id)?.value ?? "") !== "";

/** Return the selected ships that have a place; only those can be moved and turned. */
const movableShips = () => [...selected].filter(isPlaced);

/**
 * Empty the fields of a ship that is placed later.
 * @param {string} id
 */
function clearPlace(id) {
  for (const key of PANEL_FIELDS) {
    write(key, id, "");
  }
}

/**
 * Place a ship now, where ships are placed in turn: instead of the first one that was chosen, or
 * beside it if more may be placed.
 * @param {string} id
 */
function placeInstead(id) {
  const others = [...rows.keys()].filter(isPlaced);
  const [first] = others;
  if (first === undefined) {
    writePlaces(data.captain);
    return;
  }
  const at = placeOf(first);
  for (const key of ["course", "velocity"]) {
    write(key, id, numberIn(key, first));
  }
  if (others.length >= data.step) {
    clearPlace(first);
    writePlace(id, at);
  } else {
    writePlace(id, [at[0], at[1] + 2]);
  }
  finishChange(phrase`${names.get(id) ?? id} is placed now`);
}

/**
 * Write everything about the start of ships; where ships are placed in turn, others follow later.
 * @param {Record<string, StartPlace>} places by ship
 */
function writePlaces(places) {
  if (data.step) {
    [...rows.keys()].forEach(clearPlace);
  }
  for (const [id, place] of Object.entries(places)) {
    write("x", id, place.at[0]);
    write("y", id, place.at[1]);
    write("course", id, place.course ?? "");
    write("velocity", id, place.velocity ?? "");
    write("entry", id, place.ftl_entry ?? "");
  }
}

/**
 * Check whether the fields of a ship differ from the captain's proposal.
 * @param {string} id
 */
function differsFromCaptain(id) {
  if (!data.captain[id]) {
    return isPlaced(id);
  }
  const { at, course = "", velocity = "", ftl_entry: entry = "" } = data.captain[id];
  const advised = { x: at[0], y: at[1], course, velocity, entry };
  return Object.entries(advised).some(([key, value]) => {
    const field = fieldOf(key, id);
    return field !== null && field.value !== String(value);
  });
}

/** Move the further fields of the selected ship, such as its dock, from its row into the panel. */
function moveExtraFields() {
  const box = byId("extras");
  const [id, ...others] = selected;
  const owner = others.length ? "" : (id ?? "");
  if (box.dataset.ship === owner) {
    return;
  }
  const oldGrid = find(document, `[data-row="${box.dataset.ship}"] .grid`, HTMLElement);
  oldGrid?.append(...box.children);
  box.dataset.ship = owner;
  const row = rows.get(owner);
  const labels = row ? findAll(row, ".fields label", HTMLLabelElement) : [];
  /** @param {HTMLLabelElement} label */
  const isExtra = ({ control }) =>
    isInput(control) && !PANEL_FIELDS.some((key) => restOf(data.fields[key], control.name));
  box.append(...labels.filter(isExtra));
}

/** Draw the zones, the ships where they begin, and the panel and rows of the list. */
function refresh() {
  drawOverlay();
  for (const [id, row] of rows) {
    refreshRow(id, row);
  }
  table.draw();
  refreshPanel();
  moveExtraFields();
  showCaptainNote([...rows.keys()].some(differsFromCaptain));
}

/**
 * Draw a ship or body where it begins, and its row of the list.
 * @param {string} id
 * @param {HTMLElement} row
 */
function refreshRow(id, row) {
  const [x, y] = placeOf(id);
  const entry = fieldOf("entry", id)?.value ?? "";
  const isSelected = selected.has(id);
  const detail = detailOf(id, entry);
  const states = [
    isSelected ? "chosen" : "",
    faulty.has(id) ? "faulty" : "",
    entry ? "waiting" : "",
  ];
  table.setMark(id, {
    x,
    y,
    course: numberIn("course", id),
    label: names.get(id),
    cls: [markClasses.get(id), ...states].filter(Boolean).join(" "),
    detail,
    rank: isSelected ? 9 : 4,
    hidden: !isPlaced(id),
  });
  const place = [placeWords([x, y]), detail].filter(Boolean).join(" · ");
  const words = html("code", { className: "order" }, isPlaced(id) ? place : phrase`later`);
  words.classList.toggle("mine", differsFromCaptain(id));
  words.classList.toggle("bad", faulty.has(id));
  need(row, ".o", HTMLElement).replaceChildren(words);
  need(row, ".ship", HTMLElement).classList.toggle("chosen", isSelected);
}

/**
 * Write a place as the reader's language does, without rounding.
 * @param {TablePoint} at
 */
const placeWords = (at) => at.map((value) => number(value)).join(" ");

/**
 * Return the text beside the place of a ship: its velocity, or its turn of FTL entry.
 * @param {string} id
 * @param {string} entry
 */
function detailOf(id, entry) {
  if (bodies.has(id)) {
    return "";
  }
  return entry ? phrase`FTL ${entry}` : `V${numberIn("velocity", id)}`;
}

/** Draw what lies below the ships: the zones, where ships are heading, and the frame. */
function drawOverlay() {
  const zones = data.zones.map(({ own, seat, box: [left, bottom, right, top], circle }) => {
    const title = svg("title", {}, own ? phrase`Your zone` : phrase`The zone of another side`);
    const className = `zone seat-${seat} ${own ? "own" : "foe"}`;
    if (circle) {
      const [cx, cy, r] = circle;
      return svg("circle", { class: className, cx, cy, r }, title);
    }
    const size = { x: left, y: bottom, width: right - left, height: top - bottom };
    return svg("rect", { class: className, ...size }, title);
  });
  const headings = [...rows.keys()].filter(isPlaced).map((id) => {
    const [x, y] = placeOf(id);
    const [dx, dy] = COURSE_VECTORS[numberIn("course", id)] ?? [0, 0];
    const velocity = numberIn("velocity", id);
    const className = `plan drift${selected.has(id) ? " chosen" : ""}`;
    return polyline(className, [
      [x, y],
      [x + dx * velocity, y + dy * velocity],
    ]);
  });
  const discs = [...bodies.values()].filter(({ id }) => isPlaced(id)).map(bodyDisc);
  const seat = `seat-${data.own[0]?.seat ?? 0}`;
  const plans = svg("g", { class: seat }, ...headings);
  table.underLayer.replaceChildren(...zones, ...discs, plans, ...frameBox());
}

/**
 * Draw a body where it is placed.
 * @param {OpenBody} body
 */
function bodyDisc({ id, r }) {
  const [cx, cy] = placeOf(id);
  return svg("circle", { class: "thing rock", cx, cy, r: Math.max(r, 0.5) });
}

/** Return the frame that is being drawn, if any. */
function frameBox() {
  if (!frame) {
    return [];
  }
  const [left, bottom, right, top] = boxOf(frame.from, frame.to);
  const size = { x: left, y: bottom, width: right - left, height: top - bottom };
  return [svg("rect", { class: "frame-box", ...size })];
}

/**
 * Return the rectangle between two corners.
 * @param {TablePoint} from
 * @param {TablePoint} to
 * @returns {Box}
 */
const boxOf = ([x, y], [x2, y2]) => [
  Math.min(x, x2),
  Math.min(y, y2),
  Math.max(x, x2),
  Math.max(y, y2),
];

/** Show the selected ships in the panel. */
function refreshPanel() {
  const ids = [...selected];
  const [first] = ids;
  const isSingle = ids.length === 1;
  byId("control-panel-name").textContent = isSingle
    ? (names.get(first) ?? first)
    : phrase`${ids.length} {:ship|ships} selected`;
  for (const output of findAll(panel, "[data-shows]", HTMLOutputElement)) {
    const values = new Set(ids.map((id) => numberIn(output.dataset.shows ?? "", id)));
    output.textContent = values.size === 1 ? String([...values][0]) : "–";
  }
  placeInput.disabled = !isSingle;
  placeInput.value = isSingle ? placeWords(placeOf(first)) : "";
  const entries = ids.map((id) => fieldOf("entry", id)?.value ?? "");
  const isHeld = entries.some(Boolean);
  const holdButton = find(panel, "[data-do=hold]", HTMLButtonElement);
  holdButton?.setAttribute("aria-pressed", String(isHeld));
  if (entryInput) {
    byId("entry-step").hidden = !isHeld;
    entryInput.value = entries.find(Boolean) ?? "";
  }
  const frameButton = need(panel, "[data-do=frame]", HTMLButtonElement);
  frameButton.setAttribute("aria-pressed", String(selectsSeveral));
}

/**
 * Draw the page after a change of fields, and let the draft be saved and checked.
 * @param {string} words what changed, for screen readers
 */
function finishChange(words) {
  announce(words);
  form.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Describe the selected ships for screen readers. */
function describeSelected() {
  const parts = [...selected].map((id) => {
    const [x, y] = placeOf(id);
    if (bodies.has(id)) {
      return phrase`${names.get(id) ?? id} at ${x} ${y}`;
    }
    const [course, velocity] = [numberIn("course", id), numberIn("velocity", id)];
    return phrase`${names.get(id) ?? id} at ${x} ${y}, course ${course}, velocity ${velocity}`;
  });
  return parts.join(phrase`; `);
}

/**
 * Select ships, and show the first of them in the list.
 * @param {string[]} ids
 */
function select(...ids) {
  selectQuietly(ids);
  byId("tell").hidden = true;
  rows.get(ids[0])?.scrollIntoView({ block: "nearest", inline: "center" });
}

/**
 * Select ships without scrolling the list.
 * @param {string[]} ids
 */
function selectQuietly(ids) {
  selected.clear();
  for (const id of ids) {
    selected.add(id);
  }
  refresh();
}

/**
 * Select the next ship.
 * @param {number} by how many ships further; negative moves back
 */
function selectNext(by = 1) {
  const ids = [...rows.keys()].filter(isPlaced);
  const last = [...selected].at(-1) ?? "";
  select(ids.at((ids.indexOf(last) + by) % ids.length) ?? ids[0]);
}

/**
 * Turn the selected ships.
 * @param {number} points to starboard; negative turns to port
 */
function turn(points) {
  for (const id of movableShips()) {
    write("course", id, ((numberIn("course", id) + points + 11) % 12) + 1);
  }
  finishChange(describeSelected());
}

/**
 * Change the velocity of the selected ships.
 * @param {number} by MU
 */
function accelerate(by) {
  for (const id of movableShips()) {
    write("velocity", id, Math.max(0, numberIn("velocity", id) + by));
  }
  finishChange(describeSelected());
}

/**
 * Move the selected ships.
 * @param {TablePoint} by MU
 */
function move([dx, dy]) {
  for (const id of movableShips()) {
    const [x, y] = placeOf(id);
    writePlace(id, [x + dx, y + dy]);
  }
  finishChange(describeSelected());
}

/** Mirror all ships about the middle of the player's zone. */
function mirror() {
  const zone = data.zones.find(({ own }) => own);
  if (!zone) {
    return;
  }
  const [left, bottom, right, top] = zone.box;
  const isAlongX = COURSES_ALONG_X.includes(zone.ahead);
  for (const id of [...rows.keys()].filter(isPlaced)) {
    const [x, y] = placeOf(id);
    const course = numberIn("course", id);
    if (isAlongX) {
      write("y", id, bottom + top - y);
      write("course", id, (18 - course) % 12 || 12);
    } else {
      write("x", id, left + right - x);
      write("course", id, (12 - course) % 12 || 12);
    }
  }
  finishChange(phrase`All ships mirrored`);
}

/** Hold the selected ships back in FTL, or put them on the table if some are held back. */
function toggleHold() {
  const isHeld = [...selected].some((id) => fieldOf("entry", id)?.value);
  for (const id of movableShips()) {
    write("entry", id, isHeld ? "" : data.ftl);
  }
  finishChange(isHeld ? phrase`On the table in turn 1` : phrase`Held back in FTL`);
}

/** Place all ships as the captain proposes. */
function takeProposal() {
  writePlaces(data.captain);
  finishChange(phrase`All ships as the captain proposes`);
}

/** Let a drag on the table select the ships in a frame, or pan the table again. */
function toggleFrame() {
  selectsSeveral = !selectsSeveral;
  announce(selectsSeveral ? phrase`Draw a frame around ships, or tap them` : "", selectsSeveral);
  refreshPanel();
}

/** @type {Record<string, () => unknown>} */
const ACTIONS = {
  port: () => turn(-1),
  starboard: () => turn(1),
  slower: () => accelerate(-1),
  faster: () => accelerate(1),
  mirror,
  hold: toggleHold,
  frame: toggleFrame,
  captain: takeProposal,
  next: () => selectNext(),
};

/** @type {Record<string, () => unknown>} */
const KEYS = {
  p: ACTIONS.port,
  s: ACTIONS.starboard,
  "+": ACTIONS.faster,
  "=": ACTIONS.faster,
  "-": ACTIONS.slower,
  m: mirror,
  v: toggleFrame,
  c: takeProposal,
  n: () => selectNext(),
  b: () => selectNext(-1),
};
if (data.ftl) {
  KEYS.h = toggleHold;
}

/**
 * Begin to drag the ship under the pointer with all selected ones, or to draw a frame.
 * @param {string | undefined} id
 * @param {TablePoint} at
 * @returns {boolean} whether the drag belongs to the set-up
 */
function startDrag(id, at) {
  dragStart = at;
  draggedFrom.clear();
  if (id !== undefined && rows.has(id)) {
    if (selectsSeveral) {
      selected.add(id);
    } else if (!selected.has(id)) {
      select(id);
    }
    for (const ship of selected) {
      draggedFrom.set(ship, placeOf(ship));
    }
    return true;
  }
  if (selectsSeveral) {
    frame = { from: at, to: at };
  }
  return selectsSeveral;
}

/**
 * Move the dragged ships, or the corner of the frame, to the pointer.
 * @param {TablePoint} at
 */
function drag(at) {
  if (frame) {
    frame.to = at;
  }
  for (const [id, [x, y]] of draggedFrom) {
    writePlace(id, [x + at[0] - dragStart[0], y + at[1] - dragStart[1]]);
  }
  refresh();
}

/** Select the ships in the frame, or finish the move of the dragged ships. */
function endDrag() {
  if (frame) {
    const [left, bottom, right, top] = boxOf(frame.from, frame.to);
    frame = null;
    const inFrame = [...rows.keys()].filter(isPlaced).filter((id) => {
      const [x, y] = placeOf(id);
      return x >= left && x <= right && y >= bottom && y <= top;
    });
    if (inFrame.length) {
      select(...inFrame);
    } else {
      refresh();
    }
    return;
  }
  const hasMoved = [...draggedFrom].some(([id, from]) => placeOf(id).join() !== from.join());
  if (hasMoved) {
    finishChange(describeSelected());
  }
}

table.ondrag = (id, phase, at) => {
  if (phase === "start") {
    return startDrag(id, at);
  }
  if (phase === "move") {
    drag(at);
  } else {
    endDrag();
  }
  return true;
};
table.ontap = (id) => {
  if (id === undefined || !rows.has(id)) {
    return;
  }
  if (selectsSeveral) {
    refresh();
  } else {
    select(id);
  }
};
table.onwheel = (id, deltaY) => {
  if (id === undefined || !rows.has(id)) {
    return false;
  }
  if (!selected.has(id)) {
    select(id);
  }
  wheelTurn += deltaY;
  const points = Math.trunc(wheelTurn / WHEEL_NOTCH);
  if (points) {
    wheelTurn = 0;
    turn(Math.sign(points));
  }
  return true;
};
table.redraw = refresh;

/**
 * Move a ship to the installation at which it begins docked.
 * @param {HTMLSelectElement} field where the ship begins, such as `docked:base`
 */
function moveToDock(field) {
  const id = restOf(data.fields.begins, field.name);
  const [how, base] = field.value.split(":");
  const mark = how === "docked" ? table.marks.get(base) : undefined;
  if (id !== null && mark) {
    writePlace(id, [mark.x, mark.y]);
  }
}

/**
 * Show the faults that the server found at their ships.
 * @param {Fault[]} faults
 */
function showFaults(faults) {
  faulty.clear();
  for (const [id, row] of rows) {
    findAll(row, ".fault", HTMLElement).forEach((old) => old.remove());
    const own = faults.filter(({ anchor }) => anchor === row.id);
    if (own.length) {
      faulty.add(id);
    }
    const shown = own.map(({ words }) => html("p", { className: "fault" }, words));
    need(row, ".ship", HTMLElement).after(...shown);
  }
  const [first] = faults;
  if (first) {
    announce(first.subject ? phrase`${first.subject}: ${first.words}` : first.words, true);
  } else {
    byId("tell").hidden = true;
  }
  refresh();
}

form.addEventListener("faults", (event) => {
  if (event instanceof CustomEvent) {
    showFaults(event.detail);
  }
});
form.addEventListener("change", ({ target }) => {
  if (formationSelect && target === formationSelect) {
    writePlaces(data.formations[formationSelect.value] ?? {});
    finishChange(phrase`All ships placed in formation`);
    formationSelect.value = "";
    return;
  }
  if (target instanceof HTMLSelectElement) {
    moveToDock(target);
  }
  const [id] = selected;
  const typed = target === placeInput ? parsePlace(placeInput.value) : null;
  if (typed) {
    write("x", id, typed[0]);
    write("y", id, typed[1]);
  }
  if (entryInput && target === entryInput) {
    for (const ship of selected) {
      write("entry", ship, entryInput.value);
    }
  }
  refresh();
});
form.addEventListener("focusin", ({ target }) => {
  const name = target instanceof HTMLInputElement ? target.name : "";
  for (const field of Object.values(data.fields)) {
    const id = restOf(field, name);
    if (id !== null && rows.has(id) && !selected.has(id)) {
      select(id);
    }
  }
});
for (const [id, row] of rows) {
  need(row, ".ship", HTMLElement).addEventListener("click", () => {
    if (!data.step || isPlaced(id)) {
      select(id);
    } else if (data.placeable.includes(id)) {
      placeInstead(id);
      select(id);
    } else {
      announce(phrase`${names.get(id) ?? id} is placed later`, true);
    }
  });
}
panel.addEventListener("click", ({ target }) => {
  const action = closest(target, "[data-do]", HTMLElement)?.dataset.do ?? "";
  ACTIONS[action]?.();
});
document.addEventListener(
  "keydown",
  (event) => {
    if (!isPageKey(event) || !rows.size) {
      return;
    }
    const arrow = event.shiftKey ? ARROW_MOVES[event.key] : undefined;
    const action = arrow ? () => move(arrow) : KEYS[event.key.toLowerCase()];
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
for (const id of ["rings", "arcs", "aim"]) {
  byId(id).hidden = true;
}
table.ringCentre = () => [-1e6, 0]; // No range rings are drawn.
table.fittedBox = undefined;
for (const [id, row] of rows) {
  if (find(row, ".fault", HTMLElement)) {
    faulty.add(id);
  }
}
const [firstFaulty] = faulty;
if (firstFaulty === undefined) {
  const ids = [...rows.keys()];
  selectQuietly([ids.find(isPlaced) ?? ids[0]]);
} else {
  select(firstFaulty);
}
