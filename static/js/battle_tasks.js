// Orders of craft, point defence, damage control and boarders. For the selected ship or group, a
// table shows its choices, their targets and the expected results. A choice writes the fields of
// the form, and only these are sent; orders that no table covers stay fields. Loaded with the page.

import { rangeRing } from "./battle_arcs.js";
import {
  choiceTable,
  dataButton,
  listenToChoices,
  markPressed,
  replaceContents,
  sum,
} from "./battle_cells.js";
import {
  addDrawer,
  announce,
  byId,
  emptyValueOf,
  fieldNamed,
  inputsIn,
  isCheckbox,
  parsePlace,
  polyline,
  setUpPage,
  showCaptainNote,
  trails,
  phaseSignal,
} from "./battle_page.js";
import { icons, isPageKey } from "./battle_table.js";
import { findAll, html, need, svg } from "./dom.js";
import { number, phrase } from "./phrase.js";

/** @import { Input } from "./battle_page.js" */

const MAX_PILLS = 4; // orders of a task that fit into its row
const NO_VALUE = "\0"; // a value that no field has

const { data, table, visible } = setUpPage((found) => /** @type {TasksData} */ (found));
const form = need(document, "#orders", HTMLFormElement);
const panel = byId("control-panel");
const list = byId("ships");
const frame = need(document, ".frame", HTMLElement);
const hiddenFields = html("div", { hidden: true }); // fields of tasks that are not selected
form.append(hiddenFields);
const ownIds = new Set(data.own.map(({ id }) => id));
const contactIds = new Set(data.contacts.map(({ id }) => id));
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
      stateText: row.querySelector(".fields .muted")?.textContent ?? "",
      fieldsBox: need(row, ".fields", HTMLDetailsElement),
      extraFieldCount: 0,
      ...data.tasks[id],
    });
  }
}
const rowWithFault = [...rows].find(([, row]) => row.querySelector(".fault"));
let selectedId = rowWithFault?.[0] ?? [...rows.keys()][0];

/** @param {string} id */
const taskOf = (id) => /** @type {Task} */ (tasks.get(id));

/**
 * Return all visible fields of a task.
 * @param {Task} task
 */
const fieldsOf = (task) => inputsIn(task.fieldsBox, "select, input:not([type=hidden])");

/** @param {string} name */
const field = (name) => /** @type {Input} */ (fieldNamed(form, name));

/**
 * Return the value that a field would send; "" for a checkbox without a tick.
 * @param {Input} input
 */
function valueOf(input) {
  if (isCheckbox(input)) {
    return input.checked ? input.value : "";
  }
  return input.value;
}

/**
 * Check whether a field gives an order.
 * @param {Input} input
 */
const isSet = (input) => valueOf(input).trim() !== "" && valueOf(input) !== emptyValueOf(input);

/**
 * Return how much of its budget a task uses.
 * @param {Task} task
 */
function budgetUsed(task) {
  if (!task.budget) {
    return 0;
  }
  const names = task.rows.filter((row) => !row.free).flatMap((row) => row.fields);
  return sum(names, (name) => Number(field(name).value));
}

/**
 * Count the fields of a row that are set to the choice of a column.
 * @param {TaskRow} row
 * @param {string} id the column
 */
function countSet(row, id) {
  const [, , value] = row.cells[id] ?? [];
  return row.fields.filter((name) => field(name).value === value).length;
}

/**
 * Check whether any row of a task is set to the choice of a column.
 * @param {Task} task
 * @param {string} id the column
 */
const isChosen = (task, id) => task.rows.some((row) => countSet(row, id) > 0);

/**
 * Check whether the orders of a task differ from the captain's.
 * @param {Task} task
 */
const differsFromCaptain = (task) =>
  fieldsOf(task).some((input) => {
    const advised = task.captain[input.name];
    if (isCheckbox(input) && !input.checked && !advised) {
      return false;
    }
    return valueOf(input).trim() !== (advised ?? emptyValueOf(input));
  });

/**
 * Hide the fields that the table covers, and move the others out of the row of the ship.
 * @param {Task} task
 */
function hideCoveredFields(task) {
  const covered = new Set(task.rows.flatMap((row) => row.fields));
  const labels = fieldsOf(task).map((input) => ({ input, label: input.closest("label") }));
  for (const { input, label } of labels) {
    // A group that moves first may reach targets that the table lacks, so its fields stay.
    if (label && !task.point && covered.has(input.name)) {
      label.hidden = true;
    }
  }
  task.extraFieldCount = labels.filter(({ label }) => !label?.hidden).length;
  const summary = need(task.fieldsBox, "summary", HTMLElement);
  summary.textContent = task.rows.length ? phrase`More orders` : phrase`Orders`;
  task.fieldsBox.open = !task.rows.length;
  task.fieldsBox.querySelector(".muted")?.remove();
  hiddenFields.append(task.fieldsBox);
}

for (const task of tasks.values()) {
  hideCoveredFields(task);
}
const others = findAll(list, "[data-row]", HTMLElement);
addDrawer(
  phrase`Others`,
  others.filter((row) => !rows.has(row.dataset.row ?? "")),
);

/**
 * Summarise the orders of a task: the choices in its table, then its other fields.
 * @param {Task} task
 */
function orderSummary(task) {
  /** @type {Set<string>} */
  const covered = new Set();
  const words = [];
  for (const row of task.rows) {
    for (const [id, name] of task.cols) {
      const count = countSet(row, id);
      if (count) {
        row.fields.forEach((fieldName) => covered.add(fieldName));
        words.push(cellSummary(task, row, { id, name }, count));
      }
    }
  }
  const otherFields = fieldsOf(task).filter((input) => !covered.has(input.name) && isSet(input));
  return [...words, ...otherFields.map(fieldSummary)];
}

/**
 * Summarise one choice: the number of fields, the target and the expected result.
 * @param {Task} task
 * @param {TaskRow} row
 * @param {{id: string, name: string}} column
 * @param {number} count the number of fields set to this choice
 */
function cellSummary(task, row, { id, name }, count) {
  const countPrefix = row.fields.length > 1 ? `${count} × ` : "";
  if (task.still) {
    return phrase`${countPrefix}${row.name}: ${name}`;
  }
  const [expected] = row.cells[id];
  const total = Number(expected);
  const figure = total ? number((total * count) / row.fields.length, 1) : "";
  return `${countPrefix}${name} ${figure}`;
}

/**
 * Summarise a field: its label and its value.
 * @param {Input} input
 */
function fieldSummary(input) {
  const text = input.closest("label")?.textContent?.trim() ?? "";
  const firstOption = input instanceof HTMLSelectElement ? input.options[0].text : "\n";
  const label = text.split(firstOption)[0].replace(/ x, y.*/, "");
  if (input.type === "checkbox") {
    return label;
  }
  const value = input instanceof HTMLSelectElement ? input.selectedOptions[0].text : input.value;
  return `${label} ${value}`;
}

/** Show the current orders in the rows, the control panel and on the table. */
function refresh() {
  const task = taskOf(selectedId);
  for (const [id, row] of rows) {
    refreshRow(id, row);
  }
  const changedCount = [...tasks.values()].filter(differsFromCaptain).length;
  byId("count").textContent =
    phrase`${changedCount} by you, ${rows.size - changedCount} by the captain`;
  showCaptainNote(changedCount > 0);
  for (const fields of panel.querySelectorAll(".fields")) {
    hiddenFields.append(fields);
  }
  replaceContents(panel, ...panelParts(task));
  drawOverlay();
}

/**
 * Show a summary of its orders in the row of a ship or group.
 * @param {string} id
 * @param {HTMLElement} row
 */
function refreshRow(id, row) {
  const task = taskOf(id);
  const orders = orderSummary(task).slice(0, MAX_PILLS);
  const nothing =
    task.rows.length || task.extraFieldCount ? phrase`no orders` : phrase`nothing to order`;
  const pills = (orders.length ? orders : [nothing]).map((words) => {
    const pill = html("span", { className: "pill" }, words);
    pill.classList.toggle("yours", differsFromCaptain(task));
    return pill;
  });
  need(row, ".h", HTMLElement).replaceChildren(html("span", { className: "aims" }, ...pills));
  need(row, ".ship", HTMLElement).classList.toggle("chosen", id === selectedId);
}

/**
 * Return the contents of the control panel for a task.
 * @param {Task} task
 */
function panelParts(task) {
  const captain = dataButton("b", { do: "captain" }, phrase`Captain’s `, html("kbd", {}, "C"));
  captain.disabled = !differsFromCaptain(task);
  const buttons = html(
    "span",
    { className: "ends" },
    captain,
    dataButton("b bare", { do: "hold" }, task.budget ? phrase`None` : phrase`Hold`),
    dataButton("b bare", { do: "next" }, phrase`Next `, html("kbd", {}, "N")),
  );
  const name = html("h2", { id: "control-panel-name" }, task.name);
  /** @type {HTMLElement[]} */
  const parts = [html("div", { className: "top" }, name, ...budgetParts(task), buttons)];
  if (task.stateText) {
    parts.push(html("p", { className: "muted small said" }, task.stateText));
  }
  if (task.rows.length) {
    parts.push(taskTable(task));
  } else if (task.head) {
    parts.push(html("p", { className: "muted" }, emptyTableText(task)));
  }
  if (task.extraFieldCount) {
    parts.push(task.fieldsBox);
  }
  return parts;
}

/**
 * Return the used part of a task's budget in words; nothing for a task without a budget.
 * @param {Task} task
 */
function budgetParts(task) {
  if (!task.budget) {
    return [];
  }
  const [most, what] = task.budget;
  const used = budgetUsed(task);
  const words = html("span", { className: "budget" }, phrase`${used} of ${most} ${what}`);
  words.classList.toggle("bad", used > most);
  return [words];
}

/**
 * Return why a task has no table of targets, and what the player can do about it.
 * @param {Task} task
 */
function emptyTableText(task) {
  const isAimed = fieldsOf(task).some(
    (input) => /^(target|dogfight|meet)-/.test(input.name) && isSet(input),
  );
  const isTouched = matchMedia("(pointer: coarse)").matches;
  if (!task.point) {
    return isAimed
      ? phrase`The ordered target is out of range from here.`
      : phrase`No target in range.`;
  }
  if (isAimed) {
    return isTouched
      ? phrase`The ordered target is out of range from here. Tap the table to fly closer first.`
      : phrase`The ordered target is out of range from here. Click the table to fly closer first.`;
  }
  return isTouched
    ? phrase`No target in range. Tap the table to set a destination.`
    : phrase`No target in range. Click the table to set a destination.`;
}

/**
 * Build the table of choices of a task.
 * @param {Task} task
 */
function taskTable(task) {
  const heads = task.cols.map((column) => columnHead(task, column));
  const body = task.rows.map((row, y) => {
    const figures = Object.values(row.cells).map(([figure]) => parseFloat(figure) || 0);
    const most = Math.max(...figures);
    return {
      head: rowHead(row),
      cells: task.cols.map(([id, name]) => choiceCell(row, y, { id, name }, most)),
    };
  });
  return choiceTable({
    label: phrase`${task.name}: ${task.head}`,
    corner: task.head,
    columns: heads,
    rows: body,
  });
}

/**
 * Return the head of a column: a button for its choice, or its name if it is not a target.
 * @param {Task} task
 * @param {Task["cols"][number]} column
 */
function columnHead(task, [id, name, words]) {
  const title = html("b", {}, name);
  if (task.still) {
    return html("span", { className: "who" }, title);
  }
  const head = dataButton("who", { all: id }, title, html("span", {}, words));
  head.classList.toggle("set", isChosen(task, id));
  return head;
}

/**
 * Return the head of a row: symbol, number of fields and name.
 * @param {TaskRow} row
 */
function rowHead(row) {
  const wheel = svg(
    "svg",
    { class: "wheel", viewBox: "0 0 32 32", "aria-hidden": "true" },
    svg("use", { href: `${icons}#${row.type}` }),
  );
  const countPrefix = row.fields.length > 1 ? `${row.fields.length} × ` : "";
  const words = html("span", {}, countPrefix, html("b", {}, row.name));
  return html("span", { className: "gun" }, wheel, words);
}

/**
 * Return the cell of a row and a column: a button, or a dot if there is no such choice.
 * @param {TaskRow} row
 * @param {number} y the number of the row
 * @param {{id: string, name: string}} column
 * @param {number} most the largest figure of the row
 */
function choiceCell(row, y, { id, name }, most) {
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
  const element = dataButton(
    "cell",
    { gun: String(y), at: id },
    html("b", {}, shown),
    html("span", {}, isPart ? phrase`${count} of ${all}` : words),
  );
  element.classList.toggle("best", value > 0 && value >= most);
  markPressed(element, count, all);
  element.title = title;
  element.ariaLabel = phrase`${row.name} → ${name}: ${title}`;
  return element;
}

/**
 * Return the place of a mark or point on the table.
 * @param {string} id
 * @returns {TablePoint | null}
 */
function placeOf(id) {
  const found = table.marks.get(id) ?? table.points.find((spot) => spot.id === id);
  return found ? [found.x, found.y] : null;
}

/** Draw rings, targets and paths, and mark ships and targets on the table. */
function drawOverlay() {
  const task = taskOf(selectedId);
  const { at } = task;
  const radii = at && visible.rings ? (task.rings ?? []).filter(Boolean) : [];
  const drawingOrder = [...tasks.values()].filter((other) => other !== task).concat(task);
  const seat = `seat-${data.own[0]?.seat ?? 0}`;
  const overlay = svg(
    "g",
    { class: seat },
    ...trails(data),
    ...radii.map((radius) => rangeRing(at ?? [0, 0], radius)),
    ...drawingOrder.flatMap((other) => aimLines(other, other === task)),
  );
  table.underLayer.replaceChildren(overlay);
  for (const [id, mark] of table.marks) {
    markPiece(task, id, mark.cls);
  }
  table.draw();
}

/**
 * Draw lines to the targets of a task, and to the place to which it moves.
 * @param {Task} task
 * @param {boolean} isSelected
 */
function aimLines(task, isSelected) {
  const { at } = task;
  if (!at) {
    return [];
  }
  /** @type {SVGElement[]} */
  const lines = [];
  for (const [id] of task.cols) {
    const place = task.still ? null : placeOf(id);
    if (place && isChosen(task, id)) {
      lines.push(polyline(`aim${isSelected ? " chosen" : ""}`, [at, place]));
    }
  }
  const to = task.point ? parsePlace(field(task.point).value) : null;
  if (to) {
    const dot = svg("circle", { class: "reach", cx: to[0], cy: to[1], r: 0.3 });
    dot.classList.toggle("at", isSelected);
    lines.push(polyline(isSelected ? "plan chosen" : "plan", [at, to]), dot);
  }
  return lines;
}

/**
 * Mark a ship or piece as selected, targeted or out of range.
 * @param {Task} task the selected task
 * @param {string} id
 * @param {string} className the classes of its mark so far
 */
function markPiece(task, id, className) {
  const plain = className.replace(/ (chosen|aimed|off)\b/g, "");
  const isColumn = task.cols.some(([column]) => column === id);
  let emphasis = "";
  let rank = ownIds.has(id) ? 4 : 3;
  if (isColumn) {
    rank = 7;
    emphasis = isChosen(task, id) ? " aimed" : "";
  } else if (contactIds.has(id) && !task.still) {
    emphasis = " off";
  }
  if (id === selectedId) {
    rank = 9;
    emphasis = " chosen";
  }
  table.setMark(id, { cls: plain + emphasis, rank });
}

table.redraw = drawOverlay;
table.loadCursor = () => import("./battle_cursor.js");
table.ringCentre = () => [-1e6, 0]; // No range rings are drawn.
table.cursorOwner = () => {
  const { name, at, cols, point, rings } = taskOf(selectedId);
  return {
    name,
    from: at ?? [0, 0],
    targets: cols.map(([id]) => id),
    reach: point && rings ? [0, rings[rings.length - 1]] : undefined,
  };
};

/**
 * Set this many fields of a row to a choice, as far as the budget allows.
 * @param {Task} task
 * @param {TaskRow} row
 * @param {string} id the column of the choice
 * @param {number} [count] without it, all fields, or none if all are set
 */
function setRowChoice(task, row, id, count) {
  const [, , value, title] = row.cells[id];
  const emptyValue = emptyValueOf(field(row.fields[0]));
  const inputs = row.fields.map(field).filter((input) => hasOption(input, value));
  const chosenInputs = inputs.filter((input) => input.value === value);
  const wanted = count ?? (chosenInputs.length === inputs.length ? 0 : inputs.length);
  const before = inputs.map((input) => input.value);
  const filledInputs = inputs.slice(0, wanted);
  setValues(chosenInputs, emptyValue);
  setValues(filledInputs, value);
  if (!row.free && wanted > 1) {
    emptyOverspentFields(task, filledInputs, emptyValue);
  }
  if (isOverspent(task)) {
    for (const [i, input] of inputs.entries()) {
      input.value = before[i];
    }
    const [most, what] = task.budget ?? [0, ""];
    announce(phrase`${task.name} has only ${most} ${what}`, true);
    return;
  }
  const target = columnName(task, id);
  const what = wanted ? `${row.name}, ${target}, ${title}` : phrase`${row.name}: none`;
  announce(phrase`${task.name}: ${what}`);
}

/**
 * Set fields to a value.
 * @param {Input[]} inputs
 * @param {string} value
 */
function setValues(inputs, value) {
  for (const input of inputs) {
    input.value = value;
  }
}

/**
 * Check whether a task uses more than its budget.
 * @param {Task} task
 */
const isOverspent = (task) => task.budget !== undefined && budgetUsed(task) > task.budget[0];

/**
 * Return the name of a column.
 * @param {Task} task
 * @param {string} id
 */
const columnName = (task, id) => task.cols.find(([column]) => column === id)?.[1] ?? "";

/**
 * Empty fields, the last first, until the budget is enough.
 * @param {Task} task
 * @param {Input[]} inputs
 * @param {string} emptyValue
 */
function emptyOverspentFields(task, inputs, emptyValue) {
  for (const input of inputs.reverse()) {
    if (isOverspent(task)) {
      input.value = emptyValue;
    }
  }
}

/**
 * Check whether a field can have a value.
 * @param {Input} input
 * @param {string} value
 */
const hasOption = (input, value) =>
  !(input instanceof HTMLSelectElement) ||
  [...input.options].some((option) => option.value === value);

/**
 * Set all rows of the selected task to the choice of a column, or take it back if all are set.
 * @param {string} id the column
 */
function toggleColumn(id) {
  const task = taskOf(selectedId);
  const rowsWithChoice = task.rows.filter((row) => row.cells[id]);
  const isSet = rowsWithChoice.every((row) => countSet(row, id) === row.fields.length);
  if (!rowsWithChoice.length) {
    announce(phrase`${task.name} cannot reach that target`, true);
    return;
  }
  for (const row of rowsWithChoice) {
    setRowChoice(task, row, id, isSet ? 0 : row.fields.length);
  }
  refresh();
}

/**
 * Fill all fields of the selected task.
 * @param {Record<string, string>} values by field name; fields without one are emptied
 */
function fillTask(values) {
  const task = taskOf(selectedId);
  for (const input of fieldsOf(task)) {
    const value = values[input.name];
    if (isCheckbox(input)) {
      input.checked = (value ?? NO_VALUE) === input.value;
    } else {
      input.value = value ?? emptyValueOf(input);
    }
  }
  announce(phrase`${task.name}: ${orderSummary(task).join(", ") || phrase`no orders`}`);
  refresh();
}

/**
 * Select a ship or group.
 * @param {string} id
 */
function selectTask(id) {
  selectedId = id;
  byId("tell").hidden = true;
  refresh();
  rows.get(id)?.scrollIntoView({ block: "nearest", inline: "center" });
}

/**
 * Select the next ship or group.
 * @param {number} by how many rows to move; negative moves back
 */
function selectNext(by = 1) {
  const ids = [...rows.keys()];
  selectTask(ids.at((ids.indexOf(selectedId) + by) % ids.length) ?? selectedId);
}

const buttonActions = {
  next: () => selectNext(),
  captain: () => fillTask(taskOf(selectedId).captain),
  hold: () => fillTask({}),
};

table.ontap = (id = "", at) => {
  const task = taskOf(selectedId);
  const isColumn = task.cols.some(([column]) => column === id);
  if (isColumn && !task.still) {
    toggleColumn(id);
  } else if (rows.has(id)) {
    selectTask(id);
  } else if (task.point && !contactIds.has(id)) {
    const input = field(task.point);
    input.value = at.map((value) => Math.round(value * 10) / 10).join(" ");
    announce(phrase`${task.name}: to ${input.value}`);
    refresh();
  } else if (id) {
    announce(phrase`${task.name} cannot reach that target`, true);
  }
};
table.onhover = (id = "") => {
  const task = taskOf(selectedId);
  const column = task.cols.find(([other]) => other === id);
  const noteOnTable = byId("tell");
  noteOnTable.hidden = !column;
  if (column) {
    const choices = [];
    for (const row of task.rows.filter((other) => other.cells[id])) {
      const [, , , title] = row.cells[id];
      choices.push(`${row.name} ${title}`);
    }
    const [, name, words] = column;
    noteOnTable.textContent = phrase`${name}, ${words}: ${choices.join(phrase`; `)}`;
  }
};
listenToChoices(panel, list, rows, {
  buttonActions,
  selectRow: selectTask,
  toggleColumn,
  setCount: ({ dataset: { gun, at = "" } }, count) => {
    const task = taskOf(selectedId);
    setRowChoice(task, task.rows[Number(gun)], at, count);
    refresh();
  },
  getCounts: ({ dataset: { gun, at = "" } }) => {
    const row = taskOf(selectedId).rows[Number(gun)];
    return { chosen: countSet(row, at), available: row.fields.length };
  },
});
form.addEventListener("change", () => refresh());

/** @type {Record<string, () => unknown>} */
const KEYS = {
  n: () => selectNext(),
  p: () => selectNext(-1),
  c: buttonActions.captain,
  0: buttonActions.hold,
  r: () => byId("rings").click(),
};
document.addEventListener(
  "keydown",
  (event) => {
    if (!isPageKey(event) || !rows.size) {
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
byId("arcs").hidden = true;
if (rows.size) {
  frame.classList.add("started");
  refresh();
} else {
  frame.classList.add("flow");
  table.draw();
}
