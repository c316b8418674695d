// The plot: a ghost of every ship at the end of its written order. Dragging, keys, steppers and typing all write the same words into
// the ship's field `raw-<ship>` of the form, and the server reads nothing else: the lists it stands for are not sent.

import { cover, ring } from "./battle_arcs.js";
import { PLACE, begin, drawer, line, node, placing, say, trails } from "./battle_look.js";
import { More } from "./battle_more.js";
import { fault, leg, parse, reach, spent, words } from "./battle_rules.js";
import { ours } from "./battle_table.js";

const { data, table, shows, $, RANGES } = begin();
const form = $("orders"), helm = $("helm");
const ships = new Map(data.own.filter((one) => data.ships[one.id]).map((one) => [one.id, { ...one, ...data.ships[one.id] }]));
const rows = new Map([...ships.keys()].map((id) => [id, document.querySelector(`[data-row="${id}"]`)]));
const fields = new Map([...rows].map(([id, row]) => [id, row.querySelector(`[name="raw-${id}"]`)]));
const textOf = (id) => fields.get(id).value.trim(), plotOf = (id) => parse(textOf(id), Boolean(ships.get(id).drift));
const end = (id) => leg(ships.get(id), plotOf(id));
let chosen, dots = [], grab = null, touched = false;

for (const [id, row] of rows) { // the field stands in the row, and counts alone
  const field = fields.get(id);
  for (const lists of row.querySelectorAll("[data-lists]")) lists.disabled = lists.hidden = true;
  row.querySelector(".seldom")?.remove(); // the helm has it
  Object.assign(field, { className: "order", placeholder: "holds", value: ships.get(id).order, ariaLabel: `${ships.get(id).name}, order` });
  field.closest("label").remove();
  row.querySelector(".o").replaceChildren(field);
}
drawer("Craft and launches", [...document.querySelectorAll("[data-row]")].flatMap((row) => {
  const more = row.querySelector(".fields");
  if (!rows.has(row.dataset.row)) return [row];
  more.hidden = !more.querySelector("[data-beside]");
  more.dataset.of = row.dataset.row;
  more.querySelector("summary").textContent = `Launches of ${ships.get(row.dataset.row).name}`;
  return more.hidden ? [] : [more];
}));

function write(id, text) {
  if (text !== textOf(id)) {
    touched = true;
    fields.get(id).value = text;
    const { course, v } = end(id);
    say(`${ships.get(id).name}: ${text || "holds"}, course ${course}, velocity ${v}`);
  }
  show();
}

function choose(id, look) {
  chosen = id;
  show();
  rows.get(id).scrollIntoView({ block: "nearest", inline: "center" });
  const [x, y] = table.px(ships.get(id).x, ships.get(id).y);
  if (look && (x < 60 || y < 60 || x > table.width - 60 || y > table.height - 60)) table.centre(ships.get(id).x, ships.get(id).y);
}

function change(turn, thrust) { // by keys and steppers
  const ship = ships.get(chosen), plot = plotOf(chosen);
  if (ship.drift) {
    const get = (k) => plot.burns.find(([name]) => name === k)?.[1] ?? 0;
    const rotation = ((get("TS") - get("TP") + turn + 17) % 12) - 5, drive = Math.max(0, Math.min(ship.main, get("MD") + thrust));
    plot.burns = [...(rotation ? [[rotation < 0 ? "TP" : "TS", Math.abs(rotation)]] : []), ...(drive ? [["MD", drive]] : []), ...plot.burns.filter(([k]) => k[0] === "P")];
  } else {
    const sum = plot.turns.reduce((a, b) => a + b, 0) + turn;
    if (turn) plot.turns = sum ? [sum] : [];
    plot.thrust += thrust;
  }
  const why = fault(ship, plot);
  if (why) say(`${ship.name} ${why}`, true); else write(chosen, words(plot));
}

function next(step = 1) {
  const ids = [...ships.keys()];
  choose(ids[(ids.indexOf(chosen) + step + ids.length) % ids.length], true);
}

const pips = (used, turning, most) => node("span", { className: "pips" }, ...Array.from({ length: Math.max(most, used + turning) }, (_, i) => node("i", { className: `${i < turning ? "turn" : i < turning + used ? "on" : ""}${i >= most ? " over" : ""}` })));

// The helm is made once; what it says changes in place.
const step = (label, which, less, more, names) => node("div", { className: "step" }, node("span", {}, label), node("div", {},
  ...[["-", less, names[0]], ["+", more, names[1]]].map(([way, sign, name]) => { const b = node("button", { type: "button", className: "b sq", ariaLabel: name }, sign); b.dataset.do = which + way; return b; })));
const parts = { name: node("h2", { id: "helm-name" }), pips: node("span", { className: "budget" }), ends: node("span", { className: "ends" }), turn: node("output"), speed: node("output"), written: node("input", { className: "written", id: "written", spellcheck: false, placeholder: "holds" }), more: node("div") };
parts.fold = node("details", { className: "more" }, node("summary", { className: "b" }, "More orders"), parts.more);
const seldom = new More(parts.fold, parts.more, () => ({ id: chosen, name: ships.get(chosen).name, text: textOf(chosen) }), write);
{
  const vector = [...ships.values()].some((one) => one.drift);
  const turn = step(vector ? "Rotate" : "Turn", "0", "P", "S", ["one point to port", "one point to starboard"]), speed = step(vector ? "Main drive" : "Speed", "1", "−", "+", ["slower", "faster"]);
  turn.lastChild.firstChild.after(parts.turn);
  speed.lastChild.firstChild.after(parts.speed);
  const button = (does, cls, text, key) => { const b = node("button", { type: "button", className: cls }, text, node("kbd", {}, key)); b.dataset.do = does; return b; };
  helm.append(node("div", { className: "top" }, parts.name, parts.pips, parts.ends), node("div", { className: "controls" }, turn, speed, node("label", { className: "step" }, node("span", {}, "Written order"), parts.written), parts.fold, button("captain", "b bare", "Captain’s ", "C"), button("next", "b", "Next ", "Enter")));
  helm.hidden = false;
  document.querySelector(".frame").classList.remove("flow");
}

function show() {
  const ship = ships.get(chosen), plot = plotOf(chosen), go = end(chosen), cost = spent(ship, plot), why = fault(ship, plot), text = textOf(chosen);
  let yours = 0;
  for (const [id, row] of rows) {
    const mine = textOf(id) !== ships.get(id).captain, bad = fault(ships.get(id), plotOf(id));
    yours += mine;
    fields.get(id).className = `order${bad ? " fault" : mine ? " mine" : ""}`;
    row.querySelector(".ship").classList.toggle("chosen", id === chosen);
  }
  $("count").textContent = `${yours} by you, ${ships.size - yours} by the captain`;
  const faulty = [...ships.keys()].filter((id) => fault(ships.get(id), plotOf(id))).length;
  if (touched) $("state").textContent = faulty ? `${faulty} cannot fly so` : "Draft not saved";
  parts.name.textContent = ship.name;
  parts.pips.replaceChildren(...(ship.drift ? ["drive ", pips(cost.drive, 0, ship.main), " thrusters ", pips(0, cost.turn, ship.turning)] : ["thrust ", pips(cost.drive, cost.turn, ship.main)]));
  parts.ends.textContent = why || `from C${ship.course} V${ship.v} to C${go.course} V${go.v}, at ${go.path.at(-1).map((n) => n.toFixed(0)).join(", ")}`;
  parts.ends.classList.toggle("bad", Boolean(why));
  const rotation = plot.burns.find(([k]) => k[0] === "T");
  parts.turn.textContent = (ship.drift ? rotation?.join("") : words({ ...plot, thrust: 0, more: [] })) || "–";
  const speed = ship.drift ? plot.burns.find(([k]) => k === "MD")?.[1] ?? 0 : plot.thrust;
  parts.speed.textContent = `${!ship.drift && speed > 0 ? "+" : ""}${speed}`.replace("-", "−");
  if (document.activeElement !== parts.written) parts.written.value = text;
  parts.written.setAttribute("aria-label", `${ship.name}, written order`);
  seldom.show();
  helm.querySelector("[data-do=captain]").disabled = text === ship.captain;
  draw(ship, go);
}
table.shown = () => draw(ships.get(chosen), end(chosen));
table.centred = () => end(chosen).path.at(-1);

function draw(ship, go) {
  const at = go.path.at(-1), seat = `seat-${ship.seat}`;
  const out = [...trails(data), ...data.contacts.filter((one) => one.v).map((one) => line(`course seat-${one.seat}`, leg(one).path)), ...[...ships.keys()].filter((id) => id !== chosen).map((id) => line(`plan ${seat}`, end(id).path))];
  if (shows.rings) out.push(...RANGES.map((r) => ring(at, r)));
  if (shows.arcs) { const arcs = document.createElementNS("http://www.w3.org/2000/svg", "g"); arcs.setAttribute("class", seat); arcs.append(...cover(ship.cover, at, go.course + (ship.bow ?? 0))); out.push(arcs); }
  dots = reach(ship, plotOf(chosen).more);
  for (const dot of dots) { const one = ring(dot.path.at(-1), 0.16); one.setAttribute("class", "reach"); one.setAttribute("fill-opacity", dot.plot.turns[0] || dot.plot.burns[0]?.[0][0] === "T" ? 0.5 : 0.9); out.push(one); }
  for (const input of form.querySelectorAll(PLACE)) { // craft, and what is launched
    const from = table.marks.get((input.closest("[data-row]")?.dataset.row ?? input.closest("[data-of]")?.dataset.of)?.replace(/\/load$/, "")), to = input.value.match(/-?[\d.]+/g)?.map(Number);
    if (from && to?.length === 2) { const dot = ring(to, 0.3); dot.setAttribute("class", "place"); out.push(line(`plan ${seat}`, [[from.x, from.y], to]), dot); }
  }
  if (ship.drift) out.push(line("plan chosen drift", go.path.slice(0, 2)));
  out.push(line("plan chosen", go.path.slice(ship.drift ? 1 : 0)));
  table.under.replaceChildren(...out);
  for (const [id, one] of ships) {
    const to = end(id), [x, y] = to.path.at(-1), mine = id === chosen;
    table.mark(id, { cls: `seat-${one.seat} own${mine ? " chosen" : ""}`, rank: mine ? 9 : 5 });
    table.mark(`${id}*`, { x, y, course: to.course, size: one.size, scale: 0.9, cls: `seat-${one.seat} ghost${mine ? " chosen" : ""}`, name: mine ? textOf(id) || "holds" : "", sub: mine ? `C${to.course} V${to.v}` : "", rank: 10 });
  }
  table.over.append(table.marks.get(`${chosen}*`).node);
  table.draw();
}

// who listens
const close = (at) => dots.reduce((best, dot) => { const [x, y] = dot.path.at(-1), d = Math.hypot(x - at[0], y - at[1]); return d < best[0] ? [d, dot] : best; }, [Infinity, null]);
const to = (dot) => write(chosen, words(dot.plot));
table.ondrag = (id, phase, at) => {
  if (phase === "start") { grab = id === `${chosen}*`; return grab; }
  const dot = close(at)[1];
  if (grab && phase === "move" && dot) to(dot);
};
const placed = placing(form);
table.ontap = (id, at) => {
  if (placed(at)) return;
  const [far, dot] = close(at), own = id?.replace("*", "");
  if (ships.has(own) && own !== chosen) choose(own);
  else if (dot && far * table.k < 26 && (!id || own === chosen)) { if (id !== chosen) to(dot); } else if (own && !ships.has(own)) tell(id);
};
table.onhover = (id) => tell(id);
function tell(id) {
  const one = data.contacts.find((contact) => contact.id === id), at = table.centred();
  $("tell").hidden = !one;
  if (one) $("tell").textContent = `${one.name}: ${one.cls ?? "bogey"}, course ${one.course}${one.v === null ? "" : `, velocity ${one.v}`}, ${Math.hypot(one.x - at[0], one.y - at[1]).toFixed(0)} MU from the end of your move`;
}
$("ships").addEventListener("click", (e) => { const id = e.target.closest("[data-row]")?.dataset.row; if (ships.has(id) && !e.target.closest("input, details")) choose(id, true); });
$("ships").addEventListener("focusin", (e) => { const id = e.target.closest("[data-row]")?.dataset.row; if (ships.has(id) && id !== chosen && e.target === fields.get(id)) choose(id, true); });
form.addEventListener("change", (e) => {
  const id = e.target.name?.startsWith("raw-") ? e.target.name.slice(4) : "";
  if (ships.has(id)) { touched = true; const { course, v } = end(id); say(`${ships.get(id).name}: ${textOf(id) || "holds"}, course ${course}, velocity ${v}`); show(); }
  if (e.target === parts.written) write(chosen, parts.written.value.trim());
  if (e.target.matches(PLACE)) { touched = true; show(); }
});
helm.addEventListener("click", (e) => {
  const what = e.target.closest("[data-do]")?.dataset.do;
  if (what === "next") next(); else if (what === "captain") write(chosen, ships.get(chosen).captain);
  else if (what) change(what[0] === "0" ? (what[1] === "+" ? 1 : -1) : 0, what[0] === "1" ? (what[1] === "+" ? 1 : -1) : 0);
});
form.addEventListener("submit", (e) => { // the first that cannot fly so is shown, instead of an answer that says so
  const first = e.submitter?.value === "seal" && [...ships.keys()].find((id) => fault(ships.get(id), plotOf(id)));
  if (first) { e.preventDefault(); e.stopImmediatePropagation(); choose(first, true); say(`${ships.get(first).name} ${fault(ships.get(first), plotOf(first))}`, true); parts.written.focus(); }
}, true);
document.addEventListener("keydown", (e) => {
  if (e.key === "Enter" && (e.target === parts.written || e.target.matches(".order"))) { e.preventDefault(); e.target.blur(); next(); return; }
  if (!ours(e) || parts.more.contains(e.target)) return;
  if (e.key === "Enter" && !e.target.closest("button, summary, a")) { e.preventDefault(); next(); return; }
  const act = { p: () => change(-1, 0), s: () => change(1, 0), "+": () => change(0, 1), "=": () => change(0, 1), "-": () => change(0, -1), c: () => write(chosen, ships.get(chosen).captain), 0: () => write(chosen, ""), n: () => next(), b: () => next(-1), a: () => $("arcs").click(), r: () => $("rings").click() }[e.key.toLowerCase()];
  if (act) { e.preventDefault(); e.stopPropagation(); act(); } else if (e.target !== table.svg && !e.key.startsWith("Arrow")) table.key(e);
}, true);
if (ships.size) choose([...ships.keys()].find((id) => rows.get(id).querySelector(".fault")) ?? [...ships.keys()][0]);
