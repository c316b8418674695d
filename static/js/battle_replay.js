// The player of a battle: every moment knows the table before and after it, so that any of them is shown at once. What it plays
// stands in the page (`campaign.replays.replay.document_of`); without this script each turn is a page.

import { Table, el, icons, ours } from "./battle_table.js";
import { phrase } from "./phrase.js";

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("replay").textContent);
const { units, sides, moments } = data;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const LONG = { begin: 900, moves: 1500, fire: 900, other: 1000, over: 1500 }; // milliseconds a moment plays at 1×
const LINGER = 1.12; // how much of a moment passes before the next begins
const WRECK = data.wreck;
const FIGHTER = "fighter";
const esc = (text) =>
  String(text).replace(
    /[&<>"]/g,
    (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c],
  );

// The table after each moment: units by place, shared as long as nothing changes them.
const states = [];
for (const [i, m] of moments.entries()) {
  const now = (states[i - 1] ?? units.map(() => ({ out: "unseen" }))).slice();
  for (const [n, what] of Object.entries(m.set ?? {})) {
    now[n] = { ...now[n], ...what };
  }
  for (const [n, path] of Object.entries(m.paths ?? {})) {
    if (m.set?.[n]?.x === undefined) {
      now[n] = { ...now[n], x: path.at(-1)[0], y: path.at(-1)[1] };
    }
  }
  states.push(now);
  m.p = data.phases[m.p];
  m.n = moments.filter((o, j) => j <= i && o.t === m.t).length;
}
const died = units.map((_, n) => moments[states.findIndex((s) => s[n].out === WRECK)]?.t);
const before = (i) => states[Math.max(0, i - 1)];
const named = (n, s) => (s.b && units[n].bogey) || units[n].name;
const style = (s) =>
  `seat-${sides[s.s]?.seat ?? 0} ${s.m || data.mine < 0 ? "own" : s.b ? "foe bogey" : "foe"}`;
const ship = (n) => units[n].size !== FIGHTER;

const query = new URLSearchParams(location.search); // without the turn: the moment stands behind #
query.delete("turn");
let at = 0;
let part = 1;
let playing = false;
let dice = false;
let last = 0;
let shownTurn = 0;
let tab = "log";
let gaze = null;
let followed = null;
$("table").replaceChildren();
const table = new Table($("table"), data.table, { arrows: false });

// dice and other details stand on the page of a turn without scripts; they are read there when somebody wants them
const thrown = new Map();
async function details(turn) {
  if (thrown.has(turn)) {
    return;
  }
  thrown.set(turn, new Map());
  const asked = new URLSearchParams(query);
  asked.set("turn", turn);
  try {
    const got = await fetch(`${location.pathname}?${asked}`);
    if (!got.ok) {
      throw new Error(`status ${got.status}`);
    }
    const page = new DOMParser().parseFromString(await got.text(), "text/html");
    thrown.set(
      turn,
      new Map(
        [...page.querySelectorAll("#log .say")].map((one) => [
          one.id,
          [...one.querySelectorAll(".rolls li")].map((li) => li.textContent),
        ]),
      ),
    );
  } catch {
    // said where a reader hears it; the next press asks again
    thrown.delete(turn);
    $("said").textContent = phrase`The dice cannot be read now.`;
    return;
  }
  if (dice && moments[at].t === turn) {
    shownTurn = 0;
    log();
  }
}

// in words
const mark = ([n, name], s) => `<b class="${style(s[n])}">${esc(name ?? units[n].name)}</b>`;
const html = (parts, s) => parts.map((p) => (typeof p === "string" ? esc(p) : mark(p, s))).join("");
const text = (parts) =>
  parts.map((p) => (typeof p === "string" ? p : (p[1] ?? units[p[0]].name))).join("");
function said(i) {
  const m = moments[i];
  const s = states[i];
  const lines = dice && thrown.get(m.t)?.get(`t${m.t}.${m.n}`);
  const rolls = lines?.length
    ? `<span class="rolls">${lines.map((d) => `<i>${esc(d)}</i>`).join("")}</span>`
    : "";
  return (
    (m.say ?? []).map((p) => `<span class="line">${html(p, s)}</span>`).join("") +
    (m.end ?? [])
      .map(([p, dead]) => `<span class="end${dead ? " dead" : ""}">${html(p, s)}</span>`)
      .join("") +
    rolls
  );
}
const phase = (m, i) =>
  `${m.p}${m.who === undefined ? "" : phrase`: ${named(m.who, states[i][m.who])}`}`;

// on the table
const ease = (t) => t * t * (3 - 2 * t);
function along(path, course, t) {
  // where a ship is, and which way it points, at a part of its move
  const lens = path.slice(1).map((p, i) => Math.hypot(p[0] - path[i][0], p[1] - path[i][1]));
  const sum = lens.reduce((a, b) => a + b, 0);
  let far = sum * t;
  for (const [i, len] of lens.entries()) {
    if (far <= len && len) {
      const [a, b] = [path[i], path[i + 1]];
      const f = far / len;
      return [
        a[0] + (b[0] - a[0]) * f,
        a[1] + (b[1] - a[1]) * f,
        t < 1 ? (Math.atan2(b[0] - a[0], b[1] - a[1]) * 6) / Math.PI : course,
      ];
    }
    far -= len;
  }
  return [...path.at(-1), course];
}

let lying = -1;
function draw() {
  const m = moments[at];
  const was = before(at);
  const is = states[at];
  const under = [];
  const pops = [];
  const done = part >= 1;
  const hits = new Map(m.shots ?? []);
  const now = m.k === "moves" ? was : part < 0.55 ? was : is;
  const on = m.on ?? 0;
  if (lying !== on) {
    lying = on;
    table.pieces(
      data.pieces[on].map((p) => ({
        ...p,
        r: p.r ?? 0,
        cls: `seat-${sides[p.s]?.seat ?? 0}${p.s === data.mine ? "" : " foe"}`,
      })),
    );
  }
  for (const n of units.keys()) {
    const to = is[n];
    const from = was[n].x === undefined ? to : was[n];
    if (to.x === undefined) {
      table.unmark(String(n));
      continue;
    }
    const s = now[n].x === undefined ? to : now[n];
    const path = m.paths?.[n];
    const end = done ? to : s;
    let { x, y, c } = m.k === "moves" ? from : end;
    if (path && !from.out) {
      [x, y, c] = along(path, to.c, ease(Math.min(1, part)));
      under.push(
        el("path", {
          class: `trail ${style(to)}`,
          d: `M${path.map((p) => p.join(" ")).join("L")}`,
        }),
      );
    } else if (done) {
      ({ x, y, c } = to);
    }
    const wreck = (part > 0.55 ? to : s).out === WRECK;
    const fading = wreck && from.out === WRECK;
    const gone = wreck
      ? fading && m.t > died[n]
      : Boolean(done ? to.out : from.out && (to.out || m.k === "moves"));
    const sub = wreck ? (fading ? "" : WRECK) : ship(n) ? end.note : `${end.d ?? ""}`;
    table.mark(String(n), {
      x,
      y,
      course: c,
      size: units[n].size,
      hidden: gone,
      name: fading || gone ? "" : named(n, end),
      sub,
      rank: m.who === n || hits.has(n) ? 9 : followed === n ? 8 : wreck ? 1 : ship(n) ? 4 : 3,
      cls: `${style(end)}${wreck ? " wreck" : ""}${m.who === n ? " fires" : ""}${hits.get(n) ? " hurt" : ""}${followed === n ? " chosen" : ""}`,
    });
  }
  if (m.who !== undefined && part > 0.05) {
    const a = now[m.who];
    const grow = Math.min(1, part / 0.45);
    for (const [n, hit] of hits) {
      const b = now[n];
      if (a.x === undefined || b.x === undefined) {
        continue;
      }
      under.push(
        el("path", {
          class: `beam ${style(a)} ${hit ? "hit" : "miss"}`,
          "stroke-width": (1 + Math.min(3, hit * 0.2)).toFixed(1),
          d: `M${a.x} ${a.y}L${(a.x + (b.x - a.x) * grow).toFixed(2)} ${(a.y + (b.y - a.y) * grow).toFixed(2)}`,
        }),
      );
      if (part > 0.45) {
        pops.push({ x: b.x, y: b.y, text: hit ? `−${hit}` : phrase`miss`, zero: !hit });
      }
    }
  }
  table.under.replaceChildren(...under);
  table.pops = pops;
  table.follow =
    followed !== null && table.marks.has(String(followed))
      ? () => {
          const one = table.marks.get(String(followed));
          return [one.x, one.y];
        }
      : null;
  table.draw();
}
const boxOf = (node) => {
  const b = node.getBoundingClientRect();
  const o = table.svg.getBoundingClientRect();
  return [b.left - o.left, b.top - o.top, b.right - o.left, b.bottom - o.top];
};
let tools = [0, 0, 0, 0];
table.onview = () =>
  table.top.replaceChildren(
    ...(table.pops ?? []).map(({ x, y, text: words, zero }) => {
      const [px, py] = table.px(x, y);
      return el(
        "text",
        { class: `hits${zero ? " zero" : ""}`, x: px.toFixed(1), y: (py - 18).toFixed(1) },
        words,
      );
    }),
  );
table.keep = () => [
  ...(table.pops ?? []).map(({ x, y }) => {
    const [px, py] = table.px(x, y);
    return [px - 20, py - 32, px + 20, py - 14];
  }),
  tools,
  ...($("tell").hidden ? [] : [boxOf($("tell"))]),
];

const frames = new Map(); // the part of the table where a turn is played
function frame(turn) {
  if (!frames.has(turn)) {
    const xs = [];
    const ys = [];
    for (const [i, m] of moments.entries()) {
      if (m.t === turn) {
        for (const all of [before(i), states[i]]) {
          for (const s of all) {
            if (!s.out && s.x !== undefined) {
              xs.push(s.x);
              ys.push(s.y);
            }
          }
        }
      }
    }
    if (!xs.length) {
      xs.push(0, data.table[0]);
      ys.push(0, data.table[1]);
    }
    const wide = Math.max(0, 44 - (Math.max(...xs) - Math.min(...xs))) / 2 + 7;
    frames.set(turn, [
      Math.min(...xs) - wide,
      Math.min(...ys) - 6,
      Math.max(...xs) + wide,
      Math.max(...ys) + 6,
    ]);
  }
  return frames.get(turn);
}
function look() {
  // glides from turn to turn, unless the reader has moved the table
  if (!table.fitted || followed !== null) {
    return;
  }
  const [x1, y1, x2, y2] = frame(moments[at].t);
  const want = [x1, y1 - (tab === "ships" ? 8 : 0), x2, y2]; // room for the caption
  if (!gaze || !playing || calm.matches) {
    gaze = want;
  } else {
    gaze = gaze.map((n, i) => n + (want[i] - n) * 0.08);
  }
  table.quiet = true;
  table.fit(gaze);
  table.quiet = false;
}

// beside the table
function strip({ rows, armour = 0 }, s) {
  // armour as circles, hull as boxes, a gap at each threshold
  let x = 0;
  let out = "";
  let hurt = s.d ?? 0;
  const total = rows.reduce((a, b) => a + b, 0);
  const wide = total > 80 ? 200 / total - 0.8 : total > 40 ? 2 : total > 26 ? 2.6 : 3.4;
  if (armour <= 80) {
    for (let i = 0; i < armour; i++, x += 5) {
      out += `<circle class="arm${i < (s.a ?? 0) ? "" : " off"}" cx="${x + 2.2}" cy="5" r="1.9"/>`;
    }
  }
  if (x) {
    x += 2;
  }
  for (const row of rows) {
    for (let i = 0; i < row; i++, x += wide + 0.8, hurt--) {
      out += `<rect class="${hurt > 0 ? "out" : "box"}" x="${x.toFixed(1)}" y="1" width="${wide.toFixed(1)}" height="8"/>`;
    }
    x += 2.4;
  }
  const hull = phrase`hull ${Math.max(0, total - (s.d ?? 0))} of ${total}`;
  return `<svg class="strip" viewBox="0 0 ${(x - 2.4).toFixed(1)} 10" role="img" aria-label="${s.a ? phrase`${hull}, armour ${s.a}` : hull}">${out}</svg>`;
}
function row(n, s) {
  const unit = units[n];
  const gone = s.out || s.note;
  const right = gone
    ? `<span class="pill">${esc(gone)}</span>`
    : `<span class="hush small">${ship(n) ? `C${s.c} V${s.v ?? "?"}` : phrase`${s.d} craft`}</span>`;
  const hull = unit.rows
    ? strip(unit, s)
    : ship(n) && s.d
      ? `<span class="k">${phrase`${s.d} damage`}</span>`
      : "";
  return `<li><button type="button" class="ship ${style(s)}${s.out ? " gone" : ""}${followed === n ? " chosen" : ""}" data-unit="${n}" aria-pressed="${followed === n}"><svg class="glyph" viewBox="0 0 32 32" aria-hidden="true"><use href="${icons}#ship-${unit.size}"/></svg><span class="n"><b>${esc(named(n, s))}</b></span><span class="h"><span class="k">${esc(s.b ? phrase`bogey` : (unit.cls ?? ""))}</span>${hull}</span><span class="o">${right}</span></button></li>`;
}
const heads = [...$("list").querySelectorAll("h2")].map((h) => h.cloneNode(true));
function list() {
  const s = states[at];
  const box = document.createDocumentFragment();
  for (const [k, side] of sides.entries()) {
    const ul = document.createElement("ul");
    const those = [...units.keys()]
      .filter((n) => s[n].s === k && s[n].x !== undefined && (ship(n) || !s[n].out))
      .sort((a, b) => ship(b) - ship(a) || named(a, s[a]).localeCompare(named(b, s[b])));
    if (!those.length) {
      continue;
    }
    const head =
      heads.find((h) => h.dataset.side === String(k))?.cloneNode(true) ??
      document.createElement("h2");
    head.lastChild?.replaceWith?.(` ${side.name}`);
    ul.className = "ships";
    ul.innerHTML = those.map((n) => row(n, s[n])).join("");
    box.append(head, ul);
  }
  const focused = document.activeElement?.dataset?.unit;
  $("list").replaceChildren(box);
  if (focused !== undefined) {
    $("list").querySelector(`[data-unit="${focused}"]`)?.focus();
  }
}
function log() {
  const m = moments[at];
  if (tab === "ships") {
    list();
    return;
  }
  if (shownTurn !== m.t) {
    shownTurn = m.t;
    if (dice) {
      details(m.t);
    }
    let now = "";
    let out = "";
    for (const [i, one] of moments.entries()) {
      if (one.t !== m.t) {
        continue;
      }
      if (one.p !== now) {
        now = one.p;
        out += `<h3>${esc(now)}</h3>`;
      }
      out += `<button type="button" class="say" data-at="${i}" data-kind="${one.k}">${said(i)}</button>`;
    }
    $("log").innerHTML =
      `<h2>${phrase`Turn ${m.t}`}<span><button type="button" class="b bare" data-turn="-1" aria-label="${phrase`Turn before`}">‹</button> <button type="button" class="b bare" data-turn="1" aria-label="${phrase`Next turn`}">›</button></span></h2>${out}`;
  }
  for (const one of $("log").querySelectorAll(".say")) {
    const i = Number(one.dataset.at);
    one.classList.toggle("now", i === at);
    one.classList.toggle("next", i > at);
    if (i !== at) {
      one.removeAttribute("aria-current");
      continue;
    }
    one.setAttribute("aria-current", "step");
    const box = one.closest(".scroll");
    const a = one.getBoundingClientRect();
    const b = box.getBoundingClientRect();
    if (a.top < b.top + 60 || a.bottom > b.bottom - 10) {
      box.scrollTop += a.top - b.top - b.height / 3;
    }
  }
}
function track() {
  const svg = $("track");
  const w = svg.clientWidth;
  const n = moments.length;
  const x = (i) => (i / n) * w;
  const out = [];
  let turn = -1;
  let room = -1;
  for (const [i, m] of moments.entries()) {
    const moves = m.k === "moves" || m.k === "begin";
    out.push(
      el("rect", {
        class: i <= at ? "past" : moves ? "move" : "act",
        x: (x(i) + 0.5).toFixed(1),
        y: 15,
        width: Math.max(1, x(1) - 1).toFixed(1),
        height: 6,
        "fill-opacity": i <= at && moves ? 0.55 : 1,
      }),
    );
    if (m.t !== turn) {
      turn = m.t;
      out.push(
        el("rect", {
          class: "needle",
          x: x(i).toFixed(1),
          y: 12,
          width: 1,
          height: 11,
          "fill-opacity": 0.4,
        }),
      );
      if (x(i) > room) {
        out.push(el("text", { x: (x(i) + 3).toFixed(1), y: 10 }, String(turn)));
        room = x(i) + 15;
      }
    }
    for (const [k, what] of Object.entries(m.set ?? {})) {
      if (what.out === WRECK) {
        const cx = x(i + 0.5);
        out.push(
          el("path", {
            class: `death seat-${sides[states[i][k].s]?.seat ?? 0}`,
            d: `M${cx - 3} 4l6 6m0-6l-6 6`,
          }),
        );
      }
    }
  }
  out.push(
    el("rect", {
      class: "needle",
      x: (x(at + Math.min(1, part)) - 1.5).toFixed(1),
      y: 11,
      width: 3,
      height: 13,
      rx: 1.5,
    }),
  );
  svg.replaceChildren(...out);
}

// the player
function show(full = true) {
  const m = moments[at];
  if (full) {
    $("tell").hidden = tab === "log";
    $("tell").innerHTML = said(at)
      .replace(/<span class="rolls">.*<\/span>$/s, "")
      .replaceAll("</span>", "</span> ");
  }
  look();
  draw();
  if (!full) {
    return;
  }
  log();
  track();
  const words = phase(m, at);
  $("seek").value = at;
  $("seek").setAttribute("aria-valuetext", phrase`Turn ${m.t}, ${words}`);
  $("now").innerHTML = `<b>${phrase`Turn ${m.t}`}</b> <span class="hush">${esc(words)}</span>`;
  for (const b of document.querySelectorAll("[data-left]")) {
    b.textContent = units.filter(
      (_, n) => ship(n) && states[at][n].s === Number(b.dataset.left) && !states[at][n].out,
    ).length;
  }
  if (!playing) {
    $("said").textContent =
      `${phrase`Turn ${m.t}, ${m.p}`}. ${[...(m.say ?? []), ...(m.end ?? []).map(([p]) => p)].map(text).join(" ")}`;
  }
}
const address = () => `t${moments[at].t}.${moments[at].n}`;
function note() {
  history.replaceState(
    null,
    "",
    `${location.pathname}${query.size ? `?${query}` : ""}#${address()}`,
  );
}
function to(i, begin = 1) {
  at = Math.max(0, Math.min(moments.length - 1, i));
  part = begin;
  note();
  show();
}
function step(by) {
  play(false);
  to(at + by);
}
function byTurn(by) {
  play(false);
  const turns = [...new Set(moments.map((m) => m.t))];
  const t = turns[turns.indexOf(moments[at].t) + by];
  to(t === undefined ? (by < 0 ? 0 : moments.length - 1) : moments.findIndex((m) => m.t === t));
}
function play(on = !playing) {
  if (playing === on) {
    return;
  }
  playing = on;
  $("go").textContent = on ? "❚❚" : "▶";
  $("go").setAttribute("aria-label", on ? phrase`Pause` : phrase`Play`);
  if (!on) {
    if (part < 1) {
      part = 1;
      show();
    }
    return;
  }
  if (at === moments.length - 1 && part >= 1) {
    at = 0;
  } else if (part >= 1) {
    at++;
  }
  part = 0;
  last = performance.now();
  show();
  requestAnimationFrame(tick);
}
function tick(time) {
  if (!playing) {
    return;
  }
  part += (Math.max(0, time - last) / LONG[moments[at].k]) * Number($("speed").value);
  last = time;
  if (part >= LINGER) {
    if (at === moments.length - 1) {
      part = 1;
      play(false);
      show();
      return;
    }
    at++;
    part = 0;
    note();
    show();
  } else if (!calm.matches) {
    show(false);
  } else if (part < 1) {
    const left = part;
    part = 1;
    draw();
    part = left;
  }
  requestAnimationFrame(tick);
}
function follow(n) {
  followed = n;
  $("follow").value = n === null ? "" : String(n);
  if (n === null) {
    table.follow = null;
    table.fitted = true;
    gaze = null;
  } else {
    table.k = Math.max(table.k, 11);
  }
  show();
}
function pick(name) {
  tab = name;
  for (const t of ["log", "ships"]) {
    $(`tab-${t}`).setAttribute("aria-selected", t === name);
    $(`tab-${t}`).tabIndex = t === name ? 0 : -1;
  }
  $("log").hidden = name !== "log";
  $("list").hidden = name === "log";
  shownTurn = 0;
  document.querySelector(".side .scroll").scrollTop = 0;
  show();
}
function rolls() {
  dice = !dice;
  $("dice").setAttribute("aria-pressed", dice);
  shownTurn = 0;
  if (tab === "ships") {
    pick("log");
  } else {
    log();
  }
}
function speed(by) {
  $("speed").selectedIndex = Math.max(
    0,
    Math.min($("speed").options.length - 1, $("speed").selectedIndex + by),
  );
}
async function link() {
  const words = $("link").innerHTML;
  note();
  try {
    await navigator.clipboard.writeText(location.href);
    $("link").textContent = phrase`Copied`;
  } catch {
    $("link").textContent = phrase`In the address bar`;
  }
  $("said").textContent = $("link").textContent;
  setTimeout(() => {
    $("link").innerHTML = words;
  }, 1500);
}

for (const [k, side] of sides.entries()) {
  const group = document.createElement("optgroup");
  group.label = side.name;
  const end = states.at(-1);
  for (const n of units.keys()) {
    if (end[n].s === k && ship(n)) {
      group.append(new Option(units[n].name, String(n)));
    }
  }
  if (group.children.length) {
    $("follow").append(group);
  }
}
$("seek").max = moments.length - 1;
$("seek").addEventListener("input", () => {
  play(false);
  to(Number($("seek").value));
});
$("follow").addEventListener("change", () =>
  follow($("follow").value === "" ? null : Number($("follow").value)),
);
$("log").addEventListener("click", (e) => {
  const one = e.target.closest(".say");
  const turn = e.target.closest("[data-turn]");
  if (one) {
    play(false);
    to(Number(one.dataset.at));
  } else if (turn) {
    byTurn(Number(turn.dataset.turn));
  }
});
$("list").addEventListener("click", (e) => {
  const n = e.target.closest("[data-unit]")?.dataset.unit;
  if (n !== undefined) {
    follow(followed === Number(n) ? null : Number(n));
  }
});
const clicks = {
  go: () => play(),
  back: () => step(-1),
  on: () => step(1),
  dice: rolls,
  link,
  "tab-log": () => pick("log"),
  "tab-ships": () => pick("ships"),
  in: () => table.zoom(1.4),
  out: () => table.zoom(1 / 1.4),
  fit: () => follow(null),
};
for (const [id, act] of Object.entries(clicks)) {
  $(id).addEventListener("click", act);
}
table.ontap = (id) => {
  if (id !== undefined) {
    follow(followed === Number(id) ? null : Number(id));
  }
};
const keys = {
  " ": () => play(),
  ArrowLeft: (e) => (e.shiftKey ? byTurn(-1) : step(-1)),
  ArrowRight: (e) => (e.shiftKey ? byTurn(1) : step(1)),
  PageUp: () => byTurn(-1),
  PageDown: () => byTurn(1),
  Home: () => step(-moments.length),
  End: () => step(moments.length),
  d: rolls,
  l: link,
  f: () => follow(null),
  ",": () => speed(-1),
  ".": () => speed(1),
};
document.addEventListener("keydown", (e) => {
  if (!ours(e) || (e.key === " " && e.target.matches("button, a, summary"))) {
    return;
  }
  if (e.target.matches("[role=tab]") && /^Arrow/.test(e.key)) {
    const other = tab === "log" ? "ships" : "log";
    pick(other);
    $(`tab-${other}`).focus();
    e.preventDefault();
    return;
  }
  const act = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
  if (act) {
    e.preventDefault();
    act(e);
  } else {
    table.key(e);
  }
});
function asked() {
  const found = location.hash.match(/^#t(\d+)(?:\.(\d+))?$/);
  const turn = Number(found?.[1] ?? new URLSearchParams(location.search).get("turn"));
  const those = [...moments.keys()].filter((i) => moments[i].t === turn);
  return those[Math.min(those.length, Number(found?.[2] ?? 1)) - 1] ?? 0;
}
addEventListener("hashchange", () => {
  if (location.hash !== `#${address()}`) {
    play(false);
    to(asked());
  }
});

document.querySelector(".replay").classList.add("live");
for (const one of document.querySelectorAll(".player, .tabs, .tools")) {
  one.hidden = false;
}
document.querySelector(".side .scroll").removeAttribute("tabindex");
new ResizeObserver(() => {
  tools = boxOf(document.querySelector(".tools"));
  track();
}).observe($("track"));
at = asked();
pick("log");
