// Orders of craft, point defence, damage control and boarders: a table of what the ship or group in hand may do, at whom, and what to expect.
// A choice writes the form's own fields, which alone are read; what no table says stays a field, in the same place.

import { ring } from "./battle_arcs.js";
import { button, choices, grid, renew, sum } from "./battle_cells.js";
import { begin, drawer, line, node, note, say, trails } from "./battle_look.js";
import { el, icons, ours } from "./battle_table.js";
import { number, phrase } from "./phrase.js";

const { data, table, shows, $ } = begin();
const form = $("orders");
const helm = $("helm");
const list = $("ships");
const kept = form.appendChild(node("div", { hidden: true }));
const own = new Map(data.own.map((one) => [one.id, one]));
const foes = new Map(data.contacts.map((one) => [one.id, one]));
const rows = new Map(
  [...list.querySelectorAll("[data-row]")]
    .filter((row) => data.tasks[row.dataset.row])
    .map((row) => [row.dataset.row, row]),
);
const tasks = new Map(
  [...rows].map(([id, row]) => [
    id,
    {
      id,
      name: row.querySelector(".n").textContent,
      state: row.querySelector(".fields .hush")?.textContent ?? "",
      box: row.querySelector(".fields"),
      ...data.tasks[id],
    },
  ]),
);
let chosen =
  [...rows.keys()].find((id) => rows.get(id).querySelector(".fault")) ?? [...rows.keys()][0];

const fieldsOf = (task) => [...task.box.querySelectorAll("select, input:not([type=hidden])")];
const field = (name) => form.elements[name];
const blank = (input) => (input.options ? input.options[0].value : "");
const value = (input) =>
  input.type === "checkbox" ? (input.checked ? input.value : "") : input.value;
const set = (input, to) => {
  if (input.type === "checkbox") {
    input.checked = to === input.value;
  } else {
    input.value = to;
  }
};
const spent = (task) =>
  task.budget
    ? sum(
        task.rows.filter((row) => !row.free).flatMap((row) => row.fields),
        (name) => Number(field(name).value),
      )
    : 0;
const said = (task, row, col) =>
  row.fields.filter((name) => field(name).value === row.cells[col]?.[2]).length;
const isYours = (task) =>
  fieldsOf(task).some(
    (input) =>
      value(input).trim() !== (task.captain[input.name] ?? blank(input)) &&
      !(input.type === "checkbox" && !input.checked && !task.captain[input.name]),
  );

for (const task of tasks.values()) {
  // what the table says is no field beside it
  const covered = new Set(task.rows.flatMap((row) => row.fields));
  if (!task.point) {
    for (const input of fieldsOf(task)) {
      if (covered.has(input.name)) {
        input.closest("label").hidden = true;
      }
    }
  } // who flies on first reaches others
  task.rest = fieldsOf(task).filter((input) => !input.closest("label").hidden).length;
  task.box.querySelector("summary").textContent = task.rows.length
    ? phrase`More orders`
    : phrase`Orders`;
  task.box.open = !task.rows.length;
  task.box.querySelector(".hush")?.remove();
  kept.append(task.box);
}
drawer(
  phrase`Others`,
  [...list.querySelectorAll("[data-row]")].filter((row) => !rows.has(row.dataset.row)),
);

/** What a task is told, in short: the cells that are set, then the fields that say anything. */
function pills(task) {
  const told = new Set();
  const cells = task.rows.flatMap((row) =>
    task.cols.flatMap(([id, name]) => {
      const n = said(task, row, id);
      const many = row.fields.length > 1 ? `${n} × ` : "";
      if (!n) {
        return [];
      }
      row.fields.forEach((one) => told.add(one));
      return [
        task.still ? phrase`${many}${row.name}: ${name}` : `${many}${name} ${figure(row, id, n)}`,
      ];
    }),
  );
  const rest = fieldsOf(task).filter(
    (input) => !told.has(input.name) && value(input).trim() && value(input) !== blank(input),
  );
  return [
    ...cells,
    ...rest.map(
      (input) =>
        `${brief(input)}${input.type === "checkbox" ? "" : ` ${input.selectedOptions?.[0].text ?? input.value}`}`,
    ),
  ];
}
const brief = (input) =>
  input
    .closest("label")
    .textContent.trim()
    .split(input.options?.[0].text ?? "\n")[0]
    .replace(/ x, y.*/, "");
const figure = (row, id, n) => {
  const [whole] = row.cells[id];
  return Number(whole) ? number((Number(whole) * n) / row.fields.length, 1) : "";
};

function show() {
  const task = tasks.get(chosen);
  let yours = 0;
  for (const [id, row] of rows) {
    const one = tasks.get(id);
    const told = pills(one);
    const mine = isYours(one);
    yours += mine;
    row
      .querySelector(".h")
      .replaceChildren(
        node(
          "span",
          { className: "aims" },
          ...(told.length
            ? told.slice(0, 4)
            : [one.rows.length || one.rest ? phrase`no orders` : phrase`nothing to order`]
          ).map((words) => node("span", { className: `pill${mine ? " yours" : ""}` }, words)),
        ),
      );
    row.querySelector(".ship").classList.toggle("chosen", id === chosen);
  }
  $("count").textContent = phrase`${yours} by you, ${rows.size - yours} by the captain`;
  note(yours);
  const ends = node(
    "span",
    { className: "ends" },
    button("b", { do: "captain" }, phrase`Captain’s `, node("kbd", {}, "C")),
    button("b bare", { do: "hold" }, task.budget ? phrase`None` : phrase`Hold`),
    button("b bare", { do: "next" }, phrase`Next `, node("kbd", {}, "N")),
  );
  ends.firstChild.disabled = !isYours(task);
  const budget = task.budget
    ? [
        node(
          "span",
          { className: `budget${spent(task) > task.budget[0] ? " bad" : ""}` },
          phrase`${spent(task)} of ${task.budget[0]} ${task.budget[1]}`,
        ),
      ]
    : [];
  for (const one of helm.querySelectorAll(".fields")) {
    kept.append(one);
  }
  const parts = [
    node("div", { className: "top" }, node("h2", { id: "helm-name" }, task.name), ...budget, ends),
    ...(task.state ? [node("p", { className: "hush small said" }, task.state)] : []),
  ];
  if (task.rows.length) {
    parts.push(table_(task));
  } else if (task.head) {
    parts.push(node("p", { className: "hush" }, nothingNear(task)));
  }
  if (task.rest) {
    parts.push(task.box);
  }
  renew(helm, ...parts);
  draw();
}

/** Why there is no table of targets, and what can be done about it. */
function nothingNear(task) {
  const aimed = fieldsOf(task).some(
    (input) =>
      /^(target|dogfight|meet)-/.test(input.name) && value(input) && value(input) !== blank(input),
  );
  if (aimed) {
    return task.point
      ? phrase`The ordered target is out of range from here. Click the table to fly closer first.`
      : phrase`The ordered target is out of range from here.`;
  }
  return task.point
    ? phrase`No target in range. Click the table to set a destination.`
    : phrase`No target in range.`;
}

function table_(task) {
  const now = new Set(
    task.cols.filter(([id]) => task.rows.some((row) => said(task, row, id))).map(([id]) => id),
  );
  const heads = task.cols.map(([id, name, words]) =>
    task.still
      ? node("span", { className: "who" }, node("b", {}, name))
      : button(
          `who${now.has(id) ? " set" : ""}`,
          { all: id },
          node("b", {}, name),
          node("span", {}, words),
        ),
  );
  const body = task.rows.map((row, y) => {
    const most = Math.max(...Object.values(row.cells).map(([figure]) => parseFloat(figure) || 0));
    return [gun(row), task.cols.map(([id, name]) => cell(task, row, y, id, name, most))];
  });
  return grid(phrase`${task.name}: ${task.head}`, task.head, heads, body);
}

function gun(row) {
  const wheel = el(
    "svg",
    { class: "wheel", viewBox: "0 0 32 32", "aria-hidden": "true" },
    el("use", { href: `${icons}#${row.type}` }),
  );
  return node(
    "span",
    { className: "gun" },
    wheel,
    node(
      "span",
      {},
      row.fields.length > 1 ? `${row.fields.length} × ` : "",
      node("b", {}, row.name),
    ),
  );
}

function cell(task, row, y, id, name, most) {
  const does = row.cells[id];
  if (!does) {
    return node("span", { className: "none" }, "·");
  }
  const [whole, words, , title] = does;
  const n = said(task, row, id);
  const all = row.fields.length;
  const one = button(
    `cell${Number(whole) && Number(whole) >= most ? " best" : ""}`,
    { gun: String(y), at: id },
    node("b", {}, Number(whole) ? number(Number(whole), whole.includes(".") ? 1 : 0) : whole),
    node("span", {}, n && n < all ? phrase`${n} of ${all}` : words),
  );
  one.ariaPressed = n === all ? "true" : n ? "mixed" : "false";
  one.title = title;
  one.ariaLabel = phrase`${row.name} → ${name}: ${title}`;
  return one;
}

const group = (cls, ...kids) => el("g", { class: cls }, ...kids);
const place = (id) => {
  const one = table.marks.get(id) ?? table.spots?.find((spot) => spot.id === id);
  return one && [one.x, one.y];
};
const seat = `seat-${data.own[0]?.seat ?? 0}`;
function draw() {
  const task = tasks.get(chosen);
  const out = [...trails(data)];
  if (task.at && shows.rings) {
    out.push(...(task.rings ?? []).filter(Boolean).map((r) => ring(task.at, r)));
  }
  for (const one of [...tasks.values()].filter((each) => each !== task).concat(task)) {
    if (!one.at) {
      continue;
    }
    for (const [id] of one.cols) {
      if (!one.still && place(id) && one.rows.some((row) => said(one, row, id))) {
        out.push(line(`aim${one === task ? " chosen" : ""}`, [one.at, place(id)]));
      }
    }
    const to =
      one.point &&
      field(one.point)
        .value.match(/-?[\d.]+/g)
        ?.map(Number);
    if (to?.length === 2) {
      out.push(
        line(`plan${one === task ? " chosen" : ""}`, [one.at, to]),
        el("circle", { class: `reach${one === task ? " at" : ""}`, cx: to[0], cy: to[1], r: 0.3 }),
      );
    }
  }
  table.under.replaceChildren(group(seat, ...out));
  const may = new Set(task.cols.map(([id]) => id));
  for (const [id, one] of table.marks) {
    const is = one.cls.replace(/ (chosen|aimed|off)\b/g, "");
    table.mark(id, {
      cls: `${is}${id === chosen ? " chosen" : may.has(id) && task.rows.some((row) => said(task, row, id)) ? " aimed" : foes.has(id) && !may.has(id) && !task.still ? " off" : ""}`,
      rank: id === chosen ? 9 : may.has(id) ? 7 : own.has(id) ? 4 : 3,
    });
  }
  table.draw();
}
table.shown = draw;
table.aim = () => import("./battle_cursor.js");
table.centred = () => [-1e6, 0];
table.about = () => {
  const { name, at, cols, point, rings } = tasks.get(chosen);
  return {
    name,
    from: at ?? [0, 0],
    aims: cols.map(([id]) => id),
    reach: point && rings ? [0, rings.at(-1)] : undefined,
  };
};

function give(task, row, id, n) {
  // so many of a row's fields say this, the others of them nothing
  const [, , to] = row.cells[id];
  const none = blank(field(row.fields[0]));
  const able = row.fields.filter(
    (name) => !field(name).options || [...field(name).options].some((one) => one.value === to),
  );
  const has = able.filter((name) => field(name).value === to);
  const many = n ?? (has.length === able.length ? 0 : able.length);
  const before = able.map((name) => field(name).value);
  for (const name of has) {
    field(name).value = none;
  }
  for (const name of able.slice(0, many)) {
    field(name).value = to;
  }
  for (const name of able.slice(0, many).reverse()) {
    if (!row.free && many > 1 && spent(task) > task.budget?.[0]) {
      field(name).value = none;
    }
  } // as many as there are for
  if (task.budget && spent(task) > task.budget[0]) {
    able.forEach((name, i) => {
      field(name).value = before[i];
    });
    return say(phrase`${task.name} has ${task.budget[0]} ${task.budget[1]}, and no more`, true);
  }
  say(
    phrase`${task.name}: ${many ? `${row.name}, ${task.cols.find(([one]) => one === id)[1]}, ${row.cells[id][3]}` : phrase`${row.name}: none`}`,
  );
}
function all(id) {
  const task = tasks.get(chosen);
  const able = task.rows.filter((row) => row.cells[id]);
  const off = able.every((row) => said(task, row, id) === row.fields.length);
  if (!able.length) {
    return say(phrase`Nothing of ${task.name} reaches that`, true);
  }
  for (const row of able) {
    give(task, row, id, off ? 0 : row.fields.length);
  }
  show();
}
function fill(from) {
  // every field of the task in hand: the captain's, or none
  const task = tasks.get(chosen);
  for (const input of fieldsOf(task)) {
    set(input, from[input.name] ?? (input.type === "checkbox" ? "\0" : blank(input)));
  }
  say(phrase`${task.name}: ${pills(task).join(", ") || phrase`no orders`}`);
  show();
}
function choose(id) {
  chosen = id;
  $("tell").hidden = true;
  show();
  rows.get(id).scrollIntoView({ block: "nearest", inline: "center" });
}
const next = (step = 1) => {
  const ids = [...rows.keys()];
  choose(ids.at((ids.indexOf(chosen) + step) % ids.length));
};
const act = {
  next: () => next(),
  captain: () => fill(tasks.get(chosen).captain),
  hold: () => fill({}),
};

table.ontap = (id, at) => {
  const task = tasks.get(chosen);
  const may = task.cols.some(([one]) => one === id);
  if (may && !task.still) {
    all(id);
  } else if (rows.has(id)) {
    choose(id);
  } else if (task.point && !foes.has(id)) {
    field(task.point).value = at.map((n) => Math.round(n * 10) / 10).join(" ");
    say(phrase`${task.name}: to ${field(task.point).value}`);
    show();
  } else if (id) {
    say(phrase`Nothing of ${task.name} reaches that`, true);
  }
};
table.onhover = (id) => {
  const task = tasks.get(chosen);
  const col = task.cols.find(([one]) => one === id);
  $("tell").hidden = !col;
  if (col) {
    $("tell").textContent = phrase`${col[1]}, ${col[2]}: ${task.rows
      .filter((row) => row.cells[id])
      .map((row) => `${row.name} ${row.cells[id][3]}`)
      .join(phrase`; `)}`;
  }
};
choices(helm, list, rows, {
  act,
  all,
  choose,
  give: ({ dataset: { gun, at } }, n) => {
    const task = tasks.get(chosen);
    give(task, task.rows[gun], at, n);
    show();
  },
  counts: ({ dataset: { gun, at } }) => {
    const task = tasks.get(chosen);
    const row = task.rows[gun];
    return [said(task, row, at), row.fields.length];
  },
});
form.addEventListener("change", () => show());
document.addEventListener("keydown", (e) => {
  if (!ours(e) || !rows.size) {
    return;
  }
  const does = {
    n: () => next(),
    p: () => next(-1),
    c: act.captain,
    0: act.hold,
    r: () => $("rings").click(),
  }[e.key.toLowerCase()];
  if (does) {
    e.preventDefault();
    does();
  } else if (e.target !== table.svg && !e.key.startsWith("Arrow")) {
    table.key(e);
  }
});
$("arcs").hidden = true;
if (rows.size) {
  document.querySelector(".frame").classList.add("started");
  show();
} else {
  document.querySelector(".frame").classList.add("flow");
  table.draw();
}
