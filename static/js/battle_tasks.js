// Orders of craft, point defence, damage control and boarders: a table of what the ship or group in
// hand may do, at whom, and what to expect. A choice writes the form's own fields, which alone are
// read; what no table says stays a field, in the same place.

import { ring } from "./battle_arcs.js";
import { button, choices, grid, markPressed, renew, sum } from "./battle_cells.js";
import {
  begin,
  byId,
  drawer,
  fieldNamed,
  inputsIn,
  line,
  note,
  placeIn,
  say,
  trails,
} from "./battle_page.js";
import { icons, ours } from "./battle_table.js";
import { findAll, html, need, svg } from "./dom.js";
import { number, phrase } from "./phrase.js";

/** @import { Input } from "./battle_page.js" */

const SHOWN = 4; // choices of a task that its row has room for
const NEVER = "\0"; // a value that no field has

const { data, table, shows } = begin((found) => /** @type {TasksData} */ (found));
const form = need(document, "#orders", HTMLFormElement);
const panel = byId("control-panel");
const list = byId("ships");
const frame = need(document, ".frame", HTMLElement);
const spare = html("div", { hidden: true }); // fields of tasks that are not in hand
form.append(spare);
const ownIds = new Set(data.own.map(({ id }) => id));
const foeIds = new Set(data.contacts.map(({ id }) => id));
/** @type {Map<string, HTMLElement>} */
const rows = new Map();
/** @type {Map<string, Task>} */
const tasks = new Map();
for (const row of findAll(list, "[data-row]", HTMLElement)) {
  const id = row.dataset.row ?? "";
  if (data.tasks[id]) {
    rows.set(id, row);
    tasks.set(id, {
      id,
      name: need(row, ".n", HTMLElement).textContent ?? "",
      state: row.querySelector(".fields .muted")?.textContent ?? "",
      box: need(row, ".fields", HTMLDetailsElement),
      rest: 0,
      ...data.tasks[id],
    });
  }
}
const faulty = [...rows].find(([, row]) => row.querySelector(".fault"));
let chosen = faulty?.[0] ?? [...rows.keys()][0];

/** @param {string} id */
const taskOf = (id) => /** @type {Task} */ (tasks.get(id));

/** @param {Task} task */
const fieldsOf = (task) => inputsIn(task.box, "select, input:not([type=hidden])");

/** @param {string} name */
const field = (name) => /** @type {Input} */ (fieldNamed(form, name));

/**
 * Return what a field holds where it says nothing.
 * @param {Input} input
 */
const blankOf = (input) => (input instanceof HTMLSelectElement ? input.options[0].value : "");

/**
 * @param {Input} input
 * @returns {input is HTMLInputElement}
 */
const isTick = (input) => input.type === "checkbox";

/** @param {Input} input */
function valueOf(input) {
  if (isTick(input)) {
    return input.checked ? input.value : "";
  }
  return input.value;
}

/**
 * Say whether a field says something.
 * @param {Input} input
 */
const isSet = (input) => valueOf(input).trim() !== "" && valueOf(input) !== blankOf(input);

/**
 * Return how much of its budget a task has spent.
 * @param {Task} task
 */
function spent(task) {
  if (!task.budget) {
    return 0;
  }
  const names = task.rows.filter((row) => !row.free).flatMap((row) => row.fields);
  return sum(names, (name) => Number(field(name).value));
}

/**
 * Count the fields of a row that say a choice.
 * @param {TaskRow} row
 * @param {string} id of its column
 */
const countSet = (row, id) =>
  row.fields.filter((name) => field(name).value === row.cells[id]?.[2]).length;

/**
 * @param {Task} task
 * @param {string} id of a column
 */
const isChosen = (task, id) => task.rows.some((row) => countSet(row, id) > 0);

/**
 * Say whether a task differs from the captain's orders.
 * @param {Task} task
 */
const isYours = (task) =>
  fieldsOf(task).some((input) => {
    const advised = task.captain[input.name];
    if (isTick(input) && !input.checked && !advised) {
      return false;
    }
    return valueOf(input).trim() !== (advised ?? blankOf(input));
  });

/**
 * Take what the table says out of the fields beside it, and these out of the row.
 * @param {Task} task
 */
function prepare(task) {
  const covered = new Set(task.rows.flatMap((row) => row.fields));
  const labels = fieldsOf(task).map((input) => ({ input, label: input.closest("label") }));
  for (const { input, label } of labels) {
    // A group that flies on first reaches others, so its fields stay.
    if (label && !task.point && covered.has(input.name)) {
      label.hidden = true;
    }
  }
  task.rest = labels.filter(({ label }) => !label?.hidden).length;
  const summary = need(task.box, "summary", HTMLElement);
  summary.textContent = task.rows.length ? phrase`More orders` : phrase`Orders`;
  task.box.open = !task.rows.length;
  task.box.querySelector(".muted")?.remove();
  spare.append(task.box);
}

for (const task of tasks.values()) {
  prepare(task);
}
const others = findAll(list, "[data-row]", HTMLElement);
drawer(
  phrase`Others`,
  others.filter((row) => !rows.has(row.dataset.row ?? "")),
);

/**
 * Return what a task is ordered, in short: the cells that are set, then the fields that say
 * anything.
 * @param {Task} task
 */
function inShort(task) {
  /** @type {Set<string>} */
  const covered = new Set();
  const words = [];
  for (const row of task.rows) {
    for (const [id, name] of task.cols) {
      const count = countSet(row, id);
      if (count) {
        row.fields.forEach((fieldName) => covered.add(fieldName));
        words.push(cellInShort(task, row, { id, name }, count));
      }
    }
  }
  const rest = fieldsOf(task).filter((input) => !covered.has(input.name) && isSet(input));
  return [...words, ...rest.map(fieldInShort)];
}

/**
 * @param {Task} task
 * @param {TaskRow} row
 * @param {{id: string, name: string}} column
 * @param {number} count of fields that say it
 */
function cellInShort(task, row, { id, name }, count) {
  const many = row.fields.length > 1 ? `${count} × ` : "";
  if (task.still) {
    return phrase`${many}${row.name}: ${name}`;
  }
  const whole = Number(row.cells[id][0]);
  const figure = whole ? number((whole * count) / row.fields.length, 1) : "";
  return `${many}${name} ${figure}`;
}

/** @param {Input} input */
function fieldInShort(input) {
  const text = input.closest("label")?.textContent?.trim() ?? "";
  const firstOption = input instanceof HTMLSelectElement ? input.options[0].text : "\n";
  const label = text.split(firstOption)[0].replace(/ x, y.*/, "");
  if (input.type === "checkbox") {
    return label;
  }
  const value = input instanceof HTMLSelectElement ? input.selectedOptions[0].text : input.value;
  return `${label} ${value}`;
}

/** Draw everything anew. */
function show() {
  const task = taskOf(chosen);
  for (const [id, row] of rows) {
    showRow(id, row);
  }
  const yours = [...tasks.values()].filter(isYours).length;
  byId("count").textContent = phrase`${yours} by you, ${rows.size - yours} by the captain`;
  note(yours > 0);
  for (const fields of panel.querySelectorAll(".fields")) {
    spare.append(fields);
  }
  renew(panel, ...panelParts(task));
  draw();
}

/**
 * @param {string} id
 * @param {HTMLElement} row
 */
function showRow(id, row) {
  const task = taskOf(id);
  const orders = inShort(task).slice(0, SHOWN);
  const nothing = task.rows.length || task.rest ? phrase`no orders` : phrase`nothing to order`;
  const pills = (orders.length ? orders : [nothing]).map((words) => {
    const pill = html("span", { className: "pill" }, words);
    pill.classList.toggle("yours", isYours(task));
    return pill;
  });
  need(row, ".h", HTMLElement).replaceChildren(html("span", { className: "aims" }, ...pills));
  need(row, ".ship", HTMLElement).classList.toggle("chosen", id === chosen);
}

/**
 * Return what the control panel shows of a task.
 * @param {Task} task
 */
function panelParts(task) {
  const captain = button("b", { do: "captain" }, phrase`Captain’s `, html("kbd", {}, "C"));
  captain.disabled = !isYours(task);
  const buttons = html(
    "span",
    { className: "ends" },
    captain,
    button("b bare", { do: "hold" }, task.budget ? phrase`None` : phrase`Hold`),
    button("b bare", { do: "next" }, phrase`Next `, html("kbd", {}, "N")),
  );
  const name = html("h2", { id: "control-panel-name" }, task.name);
  /** @type {HTMLElement[]} */
  const parts = [html("div", { className: "top" }, name, ...budgetOf(task), buttons)];
  if (task.state) {
    parts.push(html("p", { className: "muted small said" }, task.state));
  }
  if (task.rows.length) {
    parts.push(tableOf(task));
  } else if (task.head) {
    parts.push(html("p", { className: "muted" }, whyEmpty(task)));
  }
  if (task.rest) {
    parts.push(task.box);
  }
  return parts;
}

/** @param {Task} task */
function budgetOf(task) {
  if (!task.budget) {
    return [];
  }
  const [most, what] = task.budget;
  const used = spent(task);
  const words = html("span", { className: "budget" }, phrase`${used} of ${most} ${what}`);
  words.classList.toggle("bad", used > most);
  return [words];
}

/**
 * Say why there is no table of targets, and what can be done about it.
 * @param {Task} task
 */
function whyEmpty(task) {
  const isAimed = fieldsOf(task).some(
    (input) => /^(target|dogfight|meet)-/.test(input.name) && isSet(input),
  );
  if (isAimed) {
    return task.point
      ? phrase`The ordered target is out of range from here. Click the table to fly closer first.`
      : phrase`The ordered target is out of range from here.`;
  }
  return task.point
    ? phrase`No target in range. Click the table to set a destination.`
    : phrase`No target in range.`;
}

/** @param {Task} task */
function tableOf(task) {
  const heads = task.cols.map((column) => columnHead(task, column));
  const body = task.rows.map((row, y) => {
    const figures = Object.values(row.cells).map(([figure]) => parseFloat(figure) || 0);
    const most = Math.max(...figures);
    return {
      head: rowHead(row),
      cells: task.cols.map(([id, name]) => cell(row, y, { id, name }, most)),
    };
  });
  return grid(phrase`${task.name}: ${task.head}`, task.head, heads, body);
}

/**
 * @param {Task} task
 * @param {Task["cols"][number]} column
 */
function columnHead(task, [id, name, words]) {
  const title = html("b", {}, name);
  if (task.still) {
    return html("span", { className: "who" }, title);
  }
  const head = button("who", { all: id }, title, html("span", {}, words));
  head.classList.toggle("set", isChosen(task, id));
  return head;
}

/** @param {TaskRow} row */
function rowHead(row) {
  const wheel = svg(
    "svg",
    { class: "wheel", viewBox: "0 0 32 32", "aria-hidden": "true" },
    svg("use", { href: `${icons}#${row.type}` }),
  );
  const many = row.fields.length > 1 ? `${row.fields.length} × ` : "";
  const words = html("span", {}, many, html("b", {}, row.name));
  return html("span", { className: "gun" }, wheel, words);
}

/**
 * @param {TaskRow} row
 * @param {number} y its place in the table
 * @param {{id: string, name: string}} column
 * @param {number} most the largest figure of the row
 */
function cell(row, y, { id, name }, most) {
  const choice = row.cells[id];
  if (!choice) {
    return html("span", { className: "none" }, "·");
  }
  const [figure, words, , title] = choice;
  const value = Number(figure);
  const count = countSet(row, id);
  const all = row.fields.length;
  const shown = value ? number(value, figure.includes(".") ? 1 : 0) : figure;
  const isPart = count > 0 && count < all;
  const made = button(
    "cell",
    { gun: String(y), at: id },
    html("b", {}, shown),
    html("span", {}, isPart ? phrase`${count} of ${all}` : words),
  );
  made.classList.toggle("best", value > 0 && value >= most);
  markPressed(made, count, all);
  made.title = title;
  made.ariaLabel = phrase`${row.name} → ${name}: ${title}`;
  return made;
}

/**
 * @param {string} id
 * @returns {TablePoint | null}
 */
function placeOf(id) {
  const found = table.marks.get(id) ?? table.spots.find((spot) => spot.id === id);
  return found ? [found.x, found.y] : null;
}

function draw() {
  const task = taskOf(chosen);
  const { at } = task;
  const radii = at && shows.rings ? (task.rings ?? []).filter(Boolean) : [];
  const last = [...tasks.values()].filter((other) => other !== task).concat(task);
  const seat = `seat-${data.own[0]?.seat ?? 0}`;
  const drawn = svg(
    "g",
    { class: seat },
    ...trails(data),
    ...radii.map((radius) => ring(at ?? [0, 0], radius)),
    ...last.flatMap((other) => aimLines(other, other === task)),
  );
  table.under.replaceChildren(drawn);
  for (const [id, mark] of table.marks) {
    markPiece(task, id, mark.cls);
  }
  table.draw();
}

/**
 * Draw at whom a task aims, and where it goes.
 * @param {Task} task
 * @param {boolean} isInHand
 */
function aimLines(task, isInHand) {
  const { at } = task;
  if (!at) {
    return [];
  }
  /** @type {SVGElement[]} */
  const lines = [];
  for (const [id] of task.cols) {
    const place = task.still ? null : placeOf(id);
    if (place && isChosen(task, id)) {
      lines.push(line(`aim${isInHand ? " chosen" : ""}`, [at, place]));
    }
  }
  const to = task.point ? placeIn(field(task.point).value) : null;
  if (to) {
    const dot = svg("circle", { class: "reach", cx: to[0], cy: to[1], r: 0.3 });
    dot.classList.toggle("at", isInHand);
    lines.push(line(isInHand ? "plan chosen" : "plan", [at, to]), dot);
  }
  return lines;
}

/**
 * Mark a piece as chosen, aimed at, or out of reach.
 * @param {Task} task in hand
 * @param {string} id
 * @param {string} className
 */
function markPiece(task, id, className) {
  const plain = className.replace(/ (chosen|aimed|off)\b/g, "");
  const isColumn = task.cols.some(([column]) => column === id);
  let emphasis = "";
  let rank = ownIds.has(id) ? 4 : 3;
  if (isColumn) {
    rank = 7;
    emphasis = isChosen(task, id) ? " aimed" : "";
  } else if (foeIds.has(id) && !task.still) {
    emphasis = " off";
  }
  if (id === chosen) {
    rank = 9;
    emphasis = " chosen";
  }
  table.mark(id, { cls: plain + emphasis, rank });
}

table.shown = draw;
table.aim = () => import("./battle_cursor.js");
table.centred = () => [-1e6, 0]; // No range rings are drawn.
table.about = () => {
  const { name, at, cols, point, rings } = taskOf(chosen);
  return {
    name,
    from: at ?? [0, 0],
    aims: cols.map(([id]) => id),
    reach: point && rings ? [0, rings[rings.length - 1]] : undefined,
  };
};

/**
 * Let so many of a row's fields say a choice, the others of them nothing.
 * @param {Task} task
 * @param {TaskRow} row
 * @param {string} id of the column
 * @param {number} [count] if left out, all of them or none
 */
function give(task, row, id, count) {
  const [, , value, title] = row.cells[id];
  const none = blankOf(field(row.fields[0]));
  const able = row.fields.map(field).filter((input) => offers(input, value));
  const set = able.filter((input) => input.value === value);
  const wanted = count ?? (set.length === able.length ? 0 : able.length);
  const before = able.map((input) => input.value);
  const given = able.slice(0, wanted);
  writeAll(set, none);
  writeAll(given, value);
  if (!row.free && wanted > 1) {
    takeBackOverspent(task, given, none);
  }
  if (isOverspent(task)) {
    for (const [i, input] of able.entries()) {
      input.value = before[i];
    }
    const [most, what] = task.budget ?? [0, ""];
    say(phrase`${task.name} has only ${most} ${what}`, true);
    return;
  }
  const target = columnName(task, id);
  const what = wanted ? `${row.name}, ${target}, ${title}` : phrase`${row.name}: none`;
  say(phrase`${task.name}: ${what}`);
}

/**
 * @param {Input[]} inputs
 * @param {string} value
 */
function writeAll(inputs, value) {
  for (const input of inputs) {
    input.value = value;
  }
}

/** @param {Task} task */
const isOverspent = (task) => task.budget !== undefined && spent(task) > task.budget[0];

/**
 * @param {Task} task
 * @param {string} id of a column
 */
const columnName = (task, id) => task.cols.find(([column]) => column === id)?.[1] ?? "";

/**
 * Leave as many of the given fields as the budget has room for.
 * @param {Task} task
 * @param {Input[]} given
 * @param {string} none
 */
function takeBackOverspent(task, given, none) {
  for (const input of given.reverse()) {
    if (isOverspent(task)) {
      input.value = none;
    }
  }
}

/**
 * @param {Input} input
 * @param {string} value
 */
const offers = (input, value) =>
  !(input instanceof HTMLSelectElement) ||
  [...input.options].some((option) => option.value === value);

/**
 * Give a whole column, or take it back.
 * @param {string} id
 */
function giveColumn(id) {
  const task = taskOf(chosen);
  const able = task.rows.filter((row) => row.cells[id]);
  const isSetAlready = able.every((row) => countSet(row, id) === row.fields.length);
  if (!able.length) {
    say(phrase`${task.name} cannot reach that target`, true);
    return;
  }
  for (const row of able) {
    give(task, row, id, isSetAlready ? 0 : row.fields.length);
  }
  show();
}

/**
 * Fill every field of the task in hand.
 * @param {Record<string, string>} values those that are missing are emptied
 */
function fill(values) {
  const task = taskOf(chosen);
  for (const input of fieldsOf(task)) {
    const value = values[input.name];
    if (isTick(input)) {
      input.checked = (value ?? NEVER) === input.value;
    } else {
      input.value = value ?? blankOf(input);
    }
  }
  say(phrase`${task.name}: ${inShort(task).join(", ") || phrase`no orders`}`);
  show();
}

/** @param {string} id */
function choose(id) {
  chosen = id;
  byId("tell").hidden = true;
  show();
  rows.get(id)?.scrollIntoView({ block: "nearest", inline: "center" });
}

/** @param {number} by tasks */
function next(by = 1) {
  const ids = [...rows.keys()];
  choose(ids.at((ids.indexOf(chosen) + by) % ids.length) ?? chosen);
}

const act = {
  next: () => next(),
  captain: () => fill(taskOf(chosen).captain),
  hold: () => fill({}),
};

table.ontap = (id = "", at) => {
  const task = taskOf(chosen);
  const isColumn = task.cols.some(([column]) => column === id);
  if (isColumn && !task.still) {
    giveColumn(id);
  } else if (rows.has(id)) {
    choose(id);
  } else if (task.point && !foeIds.has(id)) {
    const input = field(task.point);
    input.value = at.map((value) => Math.round(value * 10) / 10).join(" ");
    say(phrase`${task.name}: to ${input.value}`);
    show();
  } else if (id) {
    say(phrase`${task.name} cannot reach that target`, true);
  }
};
table.onhover = (id = "") => {
  const task = taskOf(chosen);
  const column = task.cols.find(([other]) => other === id);
  const tell = byId("tell");
  tell.hidden = !column;
  if (column) {
    const able = task.rows.filter((row) => row.cells[id]);
    const choicesOf = able.map((row) => `${row.name} ${row.cells[id][3]}`).join(phrase`; `);
    tell.textContent = phrase`${column[1]}, ${column[2]}: ${choicesOf}`;
  }
};
choices(panel, list, rows, {
  act,
  choose,
  all: giveColumn,
  give: ({ dataset: { gun, at = "" } }, count) => {
    const task = taskOf(chosen);
    give(task, task.rows[Number(gun)], at, count);
    show();
  },
  counts: ({ dataset: { gun, at = "" } }) => {
    const row = taskOf(chosen).rows[Number(gun)];
    return [countSet(row, at), row.fields.length];
  },
});
form.addEventListener("change", () => show());

/** @type {Record<string, () => unknown>} */
const KEYS = {
  n: () => next(),
  p: () => next(-1),
  c: act.captain,
  0: act.hold,
  r: () => byId("rings").click(),
};
document.addEventListener("keydown", (event) => {
  if (!ours(event) || !rows.size) {
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
byId("arcs").hidden = true;
if (rows.size) {
  frame.classList.add("started");
  show();
} else {
  frame.classList.add("flow");
  table.draw();
}
