// The cards of the deployment: budgets, fleets, and classes as small record sheets with their prices. Each draws what a force
// holds; what is pressed on them is read by deploy.js.

import { esc } from "./chart_marks.js";

const SIGNS = { capital: "M1 5 6 1l5 4M1 8l5-4 5 4M1 11l5-4 5 4", cruiser: "M1 6.500 6 2.500l5 4M1 10l5-4 5 4", escort: "M1 8l5-4 5 4" };
const KINDS = ["capital", "cruiser", "escort", "other"];
const BOX = 6;

export const many = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
const sign = (kind) => (SIGNS[kind] ? `<svg viewBox="0 0 12 12" aria-hidden="true"><path d="${SIGNS[kind]}"/></svg>` : "");

export const kinds = (n) => KINDS.map((kind, i) => (n[i] ? `<i>${sign(kind)}${n[i]}<span class="visually-hidden"> ${kind}${i < 3 && n[i] > 1 ? "s" : ""}</span></i>` : "")).join("");

/** What is spent and left: the budget of the chosen fleet, others that are overspent, and the shares of the classifications. */
export function purses(force, budget) {
  const shown = force.purse.get(budget) ?? force.budgets[0], left = force.left(shown.id), { all, kinds: shares } = force.shares();
  const bar = shown.points ? Math.min(100, Math.max(0, (100 * (shown.points - left)) / shown.points)) : 0;
  const others = force.budgets.filter((one) => one !== shown && force.left(one.id) < 0).map((one) => { const rest = force.left(one.id); return `<span class="over">${esc(one.title)}: ${many(-rest, "point")} too many</span>`; });
  return `<p class="sum${left < 0 ? " over" : ""}"><b>${left.toLocaleString("en")}</b> of ${many(shown.points, "point")} left <small>${esc(shown.title)}</small></p>
    <svg class="spent${left < 0 ? " over" : ""}" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true"><path class="all" d="M0 0h100v2H0z"/><path class="used" d="M0 0h${bar}v2H0z"/></svg>
    <p class="kinds-of">${shares.map((one) => `<span class="${one.over ? "over" : ""}">${sign(one.kind)}${many(one.many, one.kind)}${one.over ? ", too many" : ""}</span>`).join("")}<small>of ${all} that can jump; at most ${force.limit.join("/")} of one kind</small></p>
    ${others.length ? `<p class="others">${others.join("")}</p>` : ""}`;
}

/** A class as a small record sheet. */
export function sheet(cls) {
  const wide = Math.max(...cls.rows, 1), boxes = cls.rows.map((n, row) => Array.from({ length: n }, (_, i) => `M${i * BOX + 0.5} ${row * BOX + 0.5}h5v5h-5z`).join("")).join("");
  const facts = [`mass ${cls.mass}`, `thrust ${cls.thrust}`, cls.ftl ? "jumps" : "cannot jump", cls.armour ? `${cls.armour} armour` : ""].filter(Boolean).join(", ");
  return `<div class="small-sheet"><p>${facts}</p><svg viewBox="0 0 ${wide * BOX} ${cls.rows.length * BOX}" width="${Math.min(wide * BOX, 240)}" role="img" aria-label="Damage track: ${cls.rows.join(", ")} boxes"><path d="${boxes}"/></svg>${cls.systems.length ? `<p class="fits">${esc(cls.systems.join("; "))}</p>` : ""}</div>`;
}

function steps(force, fleet, n, cls, count) {
  const found = force.classes[cls], called = found?.called ?? cls, price = force.points(cls), dear = price > force.left(fleet.budget);
  const row = fleet.ships.find((one) => one.cls === cls), others = force.of(fleet.budget).filter((one) => one !== fleet);
  const move = count ? `<label class="shift"><span class="visually-hidden">Move one ${esc(called)}</span><select data-move="${esc(cls)}" data-f="move ${n} ${esc(cls)}"><option value="">Move one to…</option>${others.map((one) => `<option value="${force.fleets.indexOf(one)}">${esc(one.name)}</option>`).join("")}<option value="new">a new fleet</option></select></label><label class="called"><span class="visually-hidden">Names of ${esc(called)} ships</span><input data-names="${esc(cls)}" value="${esc(row.names.join(", "))}" placeholder="named when saved" autocomplete="off"></label>` : "";
  return `<li class="buys-row${count ? " aboard" : ""}"${count ? ` draggable="true" data-drawn="${esc(cls)}"` : ""}><details data-sheet="${n} ${esc(cls)}"><summary><span class="sign">${sign(found?.kind)}</span><span class="of"><b>${esc(called)}</b>${found?.own ? ' <span class="tag">own design</span>' : ""}<small>${price.toLocaleString("en")} points${found && found.design && found.design !== called ? `, ${esc(found.design)}` : ""}</small></span></summary>${found ? sheet(found) : ""}</details>
    <span class="pm"><button type="button" data-less="${esc(cls)}" data-f="less ${n} ${esc(cls)}" aria-label="One ${esc(called)} less"${count ? "" : ' aria-disabled="true"'}>−</button><output${count ? "" : ' class="none"'}>${count}</output><button type="button" data-more="${esc(cls)}" data-f="more ${n} ${esc(cls)}" aria-label="One ${esc(called)} more, ${price} points"${dear ? ' aria-disabled="true"' : ""}>+</button></span>${move}</li>`;
}

function opened(force, fleet, n, name, more) {
  const budget = force.purse.get(fleet.budget), aboard = fleet.ships.map((row) => row.cls), rest = budget.classes.filter((cls) => !aboard.includes(cls)), others = force.of(fleet.budget).filter((one) => one !== fleet);
  const option = (value, words, on) => `<option value="${esc(String(value))}"${on ? " selected" : ""}>${esc(words)}</option>`;
  const places = budget.places.includes(fleet.hex) ? budget.places : [fleet.hex, ...budget.places];
  const drones = force.decoys === null ? "" : `<div class="buys-row drones"><span class="of"><b>Decoys</b><small>${force.decoys} points each, at most one a ship</small></span><span class="pm"><button type="button" data-drones="-1" data-f="drone- ${n}" aria-label="One decoy less"${fleet.decoys ? "" : ' aria-disabled="true"'}>−</button><output>${fleet.decoys}</output><button type="button" data-drones="1" data-f="drone+ ${n}" aria-label="One decoy more"${force.decoys > force.left(fleet.budget) || fleet.decoys >= force.ships(fleet) ? ' aria-disabled="true"' : ""}>+</button></span></div>`;
  return `<div class="grid"><label>Name <input data-name value="${esc(fleet.name)}" maxlength="40" autocomplete="off"></label><label>Begins at <select data-hex data-f="hex ${n}">${places.map((hex) => option(hex, hex ? `${name(hex)} ${hex}` : "nowhere yet", hex === fleet.hex)).join("")}</select></label></div>
    <ul class="buys">${aboard.map((cls) => steps(force, fleet, n, cls, fleet.ships.find((row) => row.cls === cls).count)).join("") || '<li class="quiet">No ships yet: add some below.</li>'}</ul>${drones}
    ${rest.length ? `<details data-open="shop ${n}"${aboard.length ? "" : " open"}><summary>Add ships of another class</summary><ul class="buys">${rest.map((cls) => steps(force, fleet, n, cls, 0)).join("")}</ul></details>` : ""}
    <div class="acts"><button type="button" class="plainly" data-split data-f="split ${n}"${force.ships(fleet) > 1 ? "" : " disabled"}>Split in two</button>${others.length ? `<label><span class="visually-hidden">Merge into</span><select data-merge data-f="merge ${n}"><option value="">Merge into…</option>${others.map((one) => option(force.fleets.indexOf(one), one.name)).join("")}</select></label>` : ""}<button type="button" class="plainly" data-away data-f="away ${n}">Disband</button></div>
    <label>Standing order <select data-standing data-f="standing ${n}">${option("", "stand off, as nothing is said", !fleet.standing)}${force.choices.map(([value, words]) => option(value, words, value === fleet.standing)).join("")}</select></label>${more}`;
}

/** All fleets, budget by budget. `chosen`: the open one; `name`: of a hex; `faults`: words by the fleet's number; `more`: what is below. */
export function cards(force, chosen, { name, faults, seat, more }) {
  return force.budgets.map((budget) => {
    const here = force.of(budget.id), left = force.left(budget.id);
    const rows = here.map((fleet) => {
      const n = force.fleets.indexOf(fleet), on = fleet === chosen, n4 = force.kinds(fleet), why = faults.get(n) ?? [];
      const made = fleet.ships.map((row) => `${row.count} ${force.classes[row.cls]?.called ?? row.cls}`).join(", ") || "no ships yet";
      return `<section class="fleet${on ? " chosen" : ""}${why.length ? " todo" : ""}" id="deploy-${n}" data-fleet="${n}"><h3><button type="button" class="top" data-choose="${n}" data-f="choose ${n}" aria-expanded="${on}"><svg class="pennant seat-${seat}" viewBox="0 0 26 18" aria-hidden="true"><path d="M0 0h26l-4 9 4 9H0z"/><text x="10" y="12.6" text-anchor="middle">${force.ships(fleet)}</text></svg><span class="nm">${esc(fleet.name || "A fleet")} <small>${esc(fleet.hex ? name(fleet.hex) : "nowhere yet")}</small></span><span class="kinds">${kinds(n4)} <b>${force.cost(fleet).toLocaleString("en")}</b> pt</span><span class="sum">${esc(made)}${fleet.decoys ? `, ${many(fleet.decoys, "decoy")}` : ""}</span>${why.map((words) => `<span class="why">▲ ${esc(words)}</span>`).join("")}</button></h3>${on ? `<div class="orders-of">${opened(force, fleet, n, name, more)}</div>` : ""}</section>`;
    });
    return `<h2 class="group${left < 0 ? " over" : ""}">${esc(budget.title)} <small>${left.toLocaleString("en")} points left</small></h2>${rows.join("")}<button type="button" class="plainly new-fleet" data-new="${esc(budget.id)}" data-f="new ${esc(budget.id)}">New fleet</button>`;
  }).join("");
}

/** What is sealed, in words: one line a fleet, then what is left over. */
export function readBack(force, name) {
  const lines = force.fleets.map((fleet) => `${fleet.name || "A fleet"} at ${fleet.hex ? name(fleet.hex) : "no place"}: ${fleet.ships.map((row) => `${row.count} ${force.classes[row.cls]?.called ?? row.cls}`).join(", ") || "no ships"}${fleet.decoys ? `, ${many(fleet.decoys, "decoy")}` : ""}`);
  return [...lines, ...force.budgets.filter((budget) => force.left(budget.id) !== 0).map((budget) => `${budget.title}: ${force.left(budget.id) < 0 ? `${many(-force.left(budget.id), "point")} too many` : `${many(force.left(budget.id), "point")} not spent`}`)];
}
