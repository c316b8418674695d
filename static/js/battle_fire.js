// Fire: who aims at whom. The server says, for each weapon and each target it bears on, the dice and the points to expect; this page adds
// up and writes the lists of the form, which alone are read: whom a weapon fires at, in order of preference, and when its ship fires.

import { cover, ring } from "./battle_arcs.js";
import { begin, drawer, line, node, say, trails } from "./battle_look.js";
import { icons, ours } from "./battle_table.js";

const { data, table, shows, $, RANGES } = begin();
const form = $("orders"), helm = $("helm"), list = $("ships");
const foes = new Map(data.contacts.filter((one) => one.cls).map((one) => [one.id, one]));
const own = new Map(data.own.map((one) => [one.id, one]));
const ships = new Map(Object.entries(data.ships).filter(([id]) => own.has(id) && document.querySelector(`[data-row="${id}"]`)).map(([id, one]) => [id, { ...own.get(id), ...one, weapons: data.sheets[one.sheet].map((w, i) => ({ ...w, ok: !one.out.includes(i), t: one.bears[one.on[i]] })) }]));
const rows = new Map([...ships.keys()].map((id) => [id, document.querySelector(`[data-row="${id}"]`)]));
const boxes = new Map([...rows].map(([id, row]) => [id, row.querySelector(".fields")]));
const CHOICES = 3, SIX = ["F", "FS", "AS", "A", "AP", "FP"], FOUR = ["F", "S", "A", "P"];
let order = [...list.querySelectorAll("[data-row]")].map((row) => row.dataset.row).filter((id) => rows.has(id)), chosen = order[0], over = null, touched = false;

const svg = (cls, box, ...uses) => { const one = document.createElementNS("http://www.w3.org/2000/svg", "svg"); one.setAttribute("class", cls); one.setAttribute("viewBox", box); one.setAttribute("aria-hidden", "true"); for (const [id, look] of uses) { const use = document.createElementNS(one.namespaceURI, "use"); use.setAttribute("href", `${icons}#${id}`); if (look) use.setAttribute("class", look); one.append(use); } return one; };
const button = (cls, does, ...kids) => { const one = node("button", { type: "button", className: cls }, ...kids); Object.assign(one.dataset, does); return one; };
const sum = (list, of) => list.reduce((all, one) => all + of(one), 0);

// the form's fields; of a ship whose weapons it does not show one by one they are made of its text
const words = (text) => text.split(";").map((part) => part.trim().split(/\s+/)).filter(([weapon]) => weapon);
const hidden = (id, name, value = "") => boxes.get(id).appendChild(node("input", { type: "hidden", name, value }));
for (const [id, ship] of ships) {
  const brief = form.elements[`fires-${id}`];
  if (!brief) continue;
  const told = new Map(words(brief.value).map(([weapon, ...at]) => [weapon, at])), named = [...told.keys()];
  for (const w of [...named, ...ship.weapons.filter((one) => one.ok && Object.keys(one.t).length && !told.has(one.id)).map((one) => one.id)]) {
    const at = told.get(w) ?? [];
    if (told.has(w) && !at.length) hidden(id, `fire-${id}-${w}`, "on");
    else for (let n = 0; n < Math.max(1, Math.min(3, at.length)); n++) hidden(id, `fire-${id}-${w}-${n}`, at[n]);
    if (at.length > 3) hidden(id, `further-${id}-${w}`, at.slice(3).join(" "));
  }
  brief.remove();
}
const field = (id, weapon, n) => form.elements[`fire-${id}-${weapon}-${n}`];
const usable = (id, w) => w.ok && Boolean(field(id, w.id, 0));
const aimOf = (id, weapon) => field(id, weapon, 0)?.value ?? "";
function aimAt(id, w, targets) {
  touched = true;
  const [further] = document.getElementsByName(`further-${id}-${w.id}`), rest = targets.slice(CHOICES).join(" ");
  for (let n = 0; n < CHOICES; n++) {
    const select = field(id, w.id, n) ?? hidden(id, `fire-${id}-${w.id}-${n}`), value = targets[n] ?? "";
    if (!select.options) { select.value = value; continue; }
    if (value && ![...select.options].some((one) => one.value === value)) select.append(new Option(foes.get(value)?.name ?? value, value));
    select.value = value;
  }
  if (further) further.value = rest;
  else if (rest) hidden(id, `further-${id}-${w.id}`, rest);
}
const place = (id) => form.elements[`order-${id}`]; // when it fires: who has nothing to fire has no number
function places() {
  let last = Math.max(0, ...[...form.elements].filter((one) => one.name.startsWith("order-")).map((one) => Number(one.value)));
  for (const id of order) if (!fires(id)) place(id).value = ""; else if (!place(id).value) place(id).value = ++last;
}

// what is reckoned
const hull = (c) => sum(c.hull.rows, Number) - c.hull.damage + sum(c.hull.armour, ([, now]) => now);
function rowLeft(c) { let left = c.hull.damage; for (const row of c.hull.rows) { if (left < row) return row - left + sum(c.hull.armour, ([, now]) => now); left -= row; } return 0; }
const far = (ship, c) => Math.hypot(c.x - ship.x, c.y - ship.y);
function arcOf(ship, c) {
  const names = ship.weapons.some((w) => w.arcs.some((arc) => arc === "S" || arc === "P")) ? FOUR : SIX, step = 360 / names.length;
  const deg = (Math.atan2(c.x - ship.x, c.y - ship.y) * 180) / Math.PI - (ship.course + (ship.bow ?? 0)) * 30 + 720 + step / 2;
  return names[Math.floor((deg % 360) / step)];
}
function groups(ship) { // identical weapons in one row, whatever their arcs
  const found = new Map();
  for (const w of ship.weapons) {
    if (!w.fc && !Object.keys(w.t).length) continue; // point defence waits for what comes
    if (!found.has(w.key)) found.set(w.key, { ...w, guns: [] });
    found.get(w.key).guns.push(w);
  }
  return [...found.values()];
}
const bears = (ship, g, t) => g.guns.filter((w) => usable(ship.id, w) && w.t[t]);
const aimedAt = (id) => [...new Set(ships.get(id).weapons.map((w) => aimOf(id, w.id)).filter(Boolean))];
const settings = (ship, but = []) => new Set(ship.weapons.filter((w) => w.fc && !but.includes(w)).map((w) => [w.fc, aimOf(ship.id, w.id)]).filter(([, t]) => t).map(([fc, t]) => `${fc} ${t}`));
const fires = (id) => ships.get(id).weapons.some((w) => aimOf(id, w.id) || form.elements[`fire-${id}-${w.id}`]?.value || form.elements[`at-${id}-${w.id}`]?.value);
const expects = (ship, t) => sum(ship.weapons, (w) => (aimOf(ship.id, w.id) === t ? w.t[t]?.[1] ?? 0 : 0));
const total = (t) => sum([...ships.values()], (ship) => expects(ship, t));

function aim(ship, guns, t) {
  const would = settings(ship, guns);
  for (const w of guns) if (t && w.fc) would.add(`${w.fc} ${t}`);
  if (would.size > ship.firecons) { say(`No FireCon of ${ship.name} is free for that`, true); return false; }
  for (const w of guns) aimAt(ship.id, w, t ? [t, ...Object.keys(w.t).filter((o) => o !== t).sort((a, b) => w.t[b][1] - w.t[a][1])] : []);
  if (t) say(`${ship.name} at ${foes.get(t).name}: ${expects(ship, t).toFixed(1)} points to expect`);
  return true;
}
const hold = (ship) => { for (const w of ship.weapons) if (usable(ship.id, w)) aimAt(ship.id, w, []); };
function best(ship) { // FireCons for the targets that take most, every weapon where it does most of these
  hold(ship);
  const worth = (t) => sum(ship.weapons, (w) => (usable(ship.id, w) && w.fc ? w.t[t]?.[1] ?? 0 : 0));
  const pick = [...foes.keys()].filter(worth).sort((a, b) => worth(b) - worth(a)).slice(0, ship.firecons);
  for (const w of ship.weapons.filter((one) => usable(ship.id, one))) {
    const t = (w.fc ? pick : Object.keys(w.t)).filter((o) => w.t[o]).sort((a, b) => w.t[b][1] - w.t[a][1])[0];
    if (t && settings(ship, [w]).add(`${w.fc} ${t}`).size <= ship.firecons) aim(ship, [w], t);
  }
}
function captains(ship) {
  hold(ship);
  for (const [weapon, ...target] of words(ship.captain)) {
    const w = ship.weapons.find((one) => one.id === weapon), { system, mode } = ship.details?.find((one) => one.weapon === weapon) ?? {};
    if (w && usable(ship.id, w)) aimAt(ship.id, w, target);
    for (const [what, value] of [["system", [].concat(system ?? []).join(", ")], ["mode", mode ?? ""]]) { const name = `${what}-${ship.id}-${weapon}`, input = form.elements[name] ?? (value && hidden(ship.id, name)); if (input) input.value = value; }
  }
  say(`${ship.name}: the captain's fire`);
}

for (const row of rows.values()) Object.assign(row.querySelector(".ship"), { role: "button", tabIndex: 0 });
for (const [id, box] of boxes) box.querySelector("summary").textContent = `Every weapon of ${ships.get(id).name}`;
drawer("Weapon by weapon, and craft", [...list.querySelectorAll("[data-row]")].map((row) => boxes.get(row.dataset.row) ?? row));

function show() {
  const ship = ships.get(chosen), all = groups(ship), used = settings(ship), now = new Set(aimedAt(chosen)), focus = document.activeElement?.dataset ?? {};
  const near = [...foes.values()].filter((c) => all.some((g) => bears(ship, g, c.id).length)).sort((a, b) => far(ship, a) - far(ship, b));
  order.forEach((id, i) => {
    const one = ships.get(id), at = aimedAt(id), row = rows.get(id), able = one.firecons && one.weapons.some((w) => w.fc && usable(id, w) && Object.keys(w.t).length);
    const pills = at.length ? at.map((t) => node("span", { className: "pill" }, `${foes.get(t)?.name ?? "other"} ${expects(one, t).toFixed(1)}`)) : [node("span", { className: "pill" }, able ? "holds its fire" : one.firecons ? "nothing bears" : "no FireCon left")];
    row.querySelector(".h").replaceChildren(node("span", { className: "aims" }, ...pills));
    row.querySelector(".o").textContent = i + 1;
    row.querySelector(".ship").classList.toggle("chosen", id === chosen);
    row.querySelector(".ship").classList.toggle("gone", !able && !at.length);
  });
  const head = node("tr", {}, node("th", {}, node("span", { className: "hush small" }, near.length ? "Points to expect" : "Nothing bears")), ...near.map((c) => {
    const th = node("th", { scope: "col" }, button(`who${now.has(c.id) ? " set" : ""}`, { all: c.id }, node("b", {}, c.name), node("span", {}, `${far(ship, c).toFixed(0)} MU ${arcOf(ship, c)}${c.screens ? `, screen ${c.screens}` : ""}`)));
    th.firstChild.title = `Everything that bears on ${c.name}`;
    return th;
  }));
  const body = all.map((g) => {
    const tr = node("tr", {}, node("th", { scope: "row" }, gun(ship, g))), worth = (t) => sum(bears(ship, g, t), (w) => w.t[t][1]), top = Math.max(...near.map((c) => worth(c.id)));
    tr.dataset.row = g.key;
    tr.append(...near.map((c) => node("td", {}, cell(ship, g, c, worth(c.id) >= top - 0.001))));
    return tr;
  });
  const foot = node("tr", {}, node("th", { scope: "row" }, node("span", { className: "hush small" }, "Here, all ships / hull")), ...near.map((c) => total_(ship, c)));
  const cons = node("span", { className: "budget" }, ...Array.from({ length: ship.firecons }, (_, i) => svg(`ico ${i < used.size ? "used" : "free"}`, "0 0 32 32", ["firecon"])), `${used.size} of ${ship.firecons} FireCons`);
  const turn = node("span", { className: "turn-of" }, `fires ${order.indexOf(chosen) + 1} of ${order.length} `, ...[["earlier", "↑"], ["later", "↓"]].map(([does, sign]) => { const one = button("b bare sq", { do: does }, sign); one.setAttribute("aria-label", `fires ${does}`); return one; }));
  const ends = node("span", { className: "ends" }, turn, button("b", { do: "best" }, "Best ", node("kbd", {}, "B")), button("b bare", { do: "captain" }, "Captain’s ", node("kbd", {}, "C")), button("b bare", { do: "hold" }, "Hold"));
  const kept = helm.querySelector(".grid-box")?.scrollLeft ?? 0;
  const box = node("div", { className: "grid-box", tabIndex: 0, role: "group", ariaLabel: `Weapons of ${ship.name} by targets` }, node("table", { className: "aim" }, node("thead", {}, head), node("tbody", {}, ...body), node("tfoot", {}, foot)));
  helm.replaceChildren(node("div", { className: "top" }, node("h2", { id: "helm-name" }, ship.name), cons, ends), box);
  box.scrollLeft = kept;
  if (focus.gun) helm.querySelector(`[data-gun="${focus.gun}"][data-at="${focus.at}"]`)?.focus(); else if (focus.do || focus.all) helm.querySelector(focus.do ? `[data-do="${focus.do}"]` : `[data-all="${focus.all}"]`)?.focus();
  if (touched) places();
  const firing = order.filter(fires).length;
  $("count").textContent = `${firing} of ${order.length} fire`;
  if (touched) $("state").textContent = "Draft not saved";
  draw(ship, near);
}

function gun(ship, g) {
  const arcs = new Set(g.guns.filter((w) => w.ok).flatMap((w) => (w.arcs.length ? w.arcs : SIX))), n = arcs.has("S") || arcs.has("P") ? 4 : 6, out = g.guns.filter((w) => !w.ok).length;
  const wheel = svg("wheel", "0 0 32 32", ...(n === 4 ? FOUR : SIX).map((arc) => [`w${n}-${arc}`, `seg${arcs.has(arc) ? " on" : ""}`]), [g.type]);
  return node("span", { className: "gun" }, wheel, node("span", {}, g.guns.length > 1 ? `${g.guns.length} × ` : "", node("b", {}, g.name), g.fc ? "" : node("span", { className: "hush small" }, " no FireCon"), out ? node("span", { className: "pill bad" }, `${out} out`) : ""));
}

function cell(ship, g, c, top) {
  const able = bears(ship, g, c.id);
  if (!able.length) return node("span", { className: "none" }, "·");
  const set = able.filter((w) => aimOf(ship.id, w.id) === c.id).length, [dice, points, bare] = [0, 1, 2].map((n) => sum(able, (w) => w.t[c.id][n] ?? w.t[c.id][1]));
  const one = button(`cell${top ? " best" : ""}`, { gun: g.key, at: c.id }, node("b", {}, points.toFixed(1)), node("span", {}, set && set < able.length ? `${set} of ${able.length}` : `${dice}d`));
  one.setAttribute("aria-pressed", set === able.length ? "true" : set ? "mixed" : "false");
  one.title = `${able.length} of ${g.guns.length} bear, ${dice} dice, ${points.toFixed(1)} points to expect${bare > points + 0.05 ? `; ${bare.toFixed(1)} without its screens` : ""}`;
  one.setAttribute("aria-label", `${g.name} at ${c.name}: ${one.title}`);
  return one;
}

function total_(ship, c) {
  const here = expects(ship, c.id), all = total(c.id), left = hull(c), words = all >= left ? "destroys" : all >= rowLeft(c) ? "ends a row" : "";
  const bar = svg("bar-svg", "0 0 100 6");
  bar.setAttribute("preserveAspectRatio", "none");
  for (const [look, width] of [["all", 100], ["hit", Math.min(100, (all / left) * 100)]]) { const rect = document.createElementNS(bar.namespaceURI, "rect"); rect.setAttribute("class", look); rect.setAttribute("width", width.toFixed(1)); rect.setAttribute("height", 6); bar.append(rect); }
  return node("td", { className: `sum${words ? " kills" : ""}` }, node("div", {}, node("b", {}, here ? here.toFixed(1) : ""), node("span", {}, `${all ? `${all.toFixed(1)} ` : ""}/ ${left}`)), bar, node("small", {}, words));
}

let seen = [];
function draw(ship = ships.get(chosen), near = seen) {
  seen = near;
  const at = [ship.x, ship.y], out = [...trails(data)], arcs = document.createElementNS("http://www.w3.org/2000/svg", "g");
  arcs.setAttribute("class", `seat-${ship.seat}`);
  if (shows.arcs) arcs.append(...cover(over ? reachOf(over) : ship.cover, at, ship.course + (ship.bow ?? 0)));
  out.push(arcs);
  if (shows.rings) out.push(...RANGES.map((r) => ring(at, r)));
  for (const id of [...order.filter((one) => one !== chosen), chosen]) for (const t of aimedAt(id)) if (foes.has(t)) out.push(line(`aim${id === chosen ? " chosen" : ""}`, [[ships.get(id).x, ships.get(id).y], [foes.get(t).x, foes.get(t).y]]));
  table.under.replaceChildren(...out);
  const now = new Set(aimedAt(chosen));
  for (const one of ships.values()) table.mark(one.id, { cls: `seat-${one.seat} own${one.id === chosen ? " chosen" : ""}`, rank: one.id === chosen ? 9 : 4 });
  for (const c of foes.values()) { const all = total(c.id); table.mark(c.id, { cls: `seat-${c.seat} foe${now.has(c.id) ? " aimed" : ""}${near.includes(c) ? "" : " off"}`, sub: all ? `${all.toFixed(1)} / ${hull(c)}` : "", rank: near.includes(c) ? 7 : 3 }); }
  table.draw();
}
function reachOf(g) { // of the weapons in hand, as the ship's own cover has it: where they bear at all
  const by = {}, ship = ships.get(chosen);
  for (const w of g.guns.filter((one) => one.ok)) for (const arc of w.arcs.length ? w.arcs : SIX) if (ship.cover[arc]) by[arc] = ship.cover[arc].map(() => 6);
  return by;
}
table.centred = () => [ships.get(chosen).x, ships.get(chosen).y];
table.shown = () => draw();

// who listens
function choose(id) { chosen = id; over = null; $("tell").hidden = true; show(); rows.get(id).scrollIntoView({ block: "nearest", inline: "center" }); }
function all(t) {
  const ship = ships.get(chosen), guns = ship.weapons.filter((w) => usable(chosen, w) && w.t[t]);
  if (!guns.length) say(`Nothing of ${ship.name} bears on ${foes.get(t).name}`, true);
  else if (aim(ship, guns, guns.every((w) => aimOf(chosen, w.id) === t) ? null : t)) show();
}
function some(gun, t, n) { // so many of a group at a target, the rest of them at nobody
  const ship = ships.get(chosen), able = bears(ship, groups(ship).find((one) => one.key === gun), t), set = able.filter((w) => aimOf(chosen, w.id) === t);
  const many = n ?? (set.length === able.length ? 0 : able.length);
  aim(ship, set, null);
  if (many) aim(ship, able.slice(0, many), t);
  show();
}
function shift(id, by) {
  const i = order.indexOf(id), j = i + by;
  if (!order[j]) return;
  [order[i], order[j]] = [order[j], order[i]];
  touched = true;
  const numbers = order.map((one) => Number(place(one).value)).filter(Boolean).sort((a, b) => a - b);
  for (const one of order) if (place(one).value) place(one).value = numbers.shift();
  list.append(...order.map((one) => rows.get(one)));
  show();
  say(`${ships.get(id).name} fires ${j + 1} of ${order.length}`);
}
table.ontap = (id) => { if (ships.has(id)) choose(id); else if (foes.has(id)) all(id); };
table.onhover = (id) => {
  const c = foes.get(id), ship = ships.get(chosen), mine = c ? ship.weapons.filter((w) => usable(chosen, w) && w.t[id]) : [];
  $("tell").hidden = !c;
  if (c) $("tell").textContent = `${c.name}: ${far(ship, c).toFixed(0)} MU, arc ${arcOf(ship, c)}, ${mine.length ? `${sum(mine, (w) => w.t[id][1]).toFixed(1)} points to expect of all that bears` : "nothing bears"}`;
};
const act = { best: () => best(ships.get(chosen)), hold: () => hold(ships.get(chosen)), captain: () => captains(ships.get(chosen)), earlier: () => shift(chosen, -1), later: () => shift(chosen, 1) };
helm.addEventListener("click", (e) => {
  const cell = e.target.closest(".cell"), who = e.target.closest("[data-all]"), does = e.target.closest("[data-do]")?.dataset.do;
  if (cell) some(cell.dataset.gun, cell.dataset.at, e.shiftKey ? 1 : undefined); else if (who) all(who.dataset.all); else if (does) { act[does](); show(); }
});
helm.addEventListener("contextmenu", (e) => { // a right click, a long press: one fewer
  const cell = e.target.closest(".cell");
  if (!cell) return;
  e.preventDefault();
  const ship = ships.get(chosen), able = bears(ship, groups(ship).find((one) => one.key === cell.dataset.gun), cell.dataset.at), set = able.filter((w) => aimOf(chosen, w.id) === cell.dataset.at).length;
  some(cell.dataset.gun, cell.dataset.at, set ? set - 1 : able.length);
});
helm.addEventListener("pointerover", (e) => { const key = e.target.closest("tr")?.dataset.row, g = groups(ships.get(chosen)).find((one) => one.key === key); if (g?.key !== over?.key) { over = g; draw(); } });
helm.addEventListener("keydown", (e) => { // arrows walk the cells, figures say how many
  const cell = e.target.closest(".cell"), way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
  if (cell && /^[0-9]$/.test(e.key)) { e.preventDefault(); e.stopPropagation(); some(cell.dataset.gun, cell.dataset.at, Number(e.key)); }
  if (!cell || !way) return;
  e.preventDefault();
  const grid = [...helm.querySelectorAll("tbody tr")].map((tr) => [...tr.children].map((td) => td.querySelector(".cell")));
  let y = grid.findIndex((row) => row.includes(cell)), x = grid[y].indexOf(cell);
  do { x += way[0]; y += way[1]; } while (grid[y]?.[x] === null);
  grid[y]?.[x]?.focus();
});
list.addEventListener("click", (e) => { const id = e.target.closest(".ship")?.closest("[data-row]").dataset.row; if (ships.has(id)) choose(id); });
list.addEventListener("keydown", (e) => {
  const id = e.target.closest(".ship")?.closest("[data-row]").dataset.row;
  if (!ships.has(id)) return;
  if (e.key === "Enter" || e.key === " ") { e.preventDefault(); e.stopPropagation(); choose(id); }
  if (e.altKey && /Arrow(Up|Down)/.test(e.key)) { e.preventDefault(); shift(id, e.key === "ArrowUp" ? -1 : 1); rows.get(id).querySelector(".ship").focus(); }
});
form.addEventListener("change", () => { touched = true; show(); });
document.addEventListener("keydown", (e) => {
  if (!ours(e) || !ships.size) return;
  const step = (n) => choose(order[(order.indexOf(chosen) + n + order.length) % order.length]);
  const does = { n: () => step(1), p: () => step(-1), b: () => { act.best(); show(); }, c: () => { act.captain(); show(); }, 0: () => { act.hold(); show(); }, a: () => $("arcs").click(), r: () => $("rings").click() }[e.key.toLowerCase()];
  if (does) { e.preventDefault(); does(); } else if (e.target !== table.svg && !e.key.startsWith("Arrow")) table.key(e);
});
if (ships.size) {
  helm.hidden = false;
  document.querySelector(".frame").classList.remove("flow");
  document.querySelector(".frame").classList.add("fire");
  show();
} else table.draw();
