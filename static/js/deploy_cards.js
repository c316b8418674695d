// The cards of the deployment: budgets, fleets, and classes as small record sheets with their prices. Each draws what a force
// holds; what is pressed on them is read by deploy.js.

import { esc } from "./chart_marks.js";
import { counted, kinds, sign } from "./kinds.js";
import { phrase } from "./phrase.js";

const BOX = 6;

export const over = (left) => phrase`${-left} {:point|points} too many`;
export const decoys = (fleet) =>
  fleet.decoys ? `, ${phrase`${fleet.decoys} {:decoy|decoys}`}` : "";

/** What is spent and left: the budget of the chosen fleet, others that are overspent, and the shares of the classifications. */
export function purses(force, budget) {
  const shown = force.purse.get(budget) ?? force.budgets[0];
  const left = force.left(shown.id);
  const { all, kinds: shares } = force.shares();
  const bar = shown.points
    ? Math.min(100, Math.max(0, (100 * (shown.points - left)) / shown.points))
    : 0;
  const others = force.budgets
    .filter((one) => one !== shown && force.left(one.id) < 0)
    .map((one) => {
      const rest = force.left(one.id);
      return `<span class="over">${phrase`${esc(one.title)}: ${over(rest)}`}</span>`;
    });
  return `<p class="sum${left < 0 ? " over" : ""}">${phrase`<b>${left}</b> of ${shown.points} {:point|points} left`} <small>${esc(shown.title)}</small></p>
    <svg class="spent${left < 0 ? " over" : ""}" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true"><path class="all" d="M0 0h100v2H0z"/><path class="used" d="M0 0h${bar}v2H0z"/></svg>
    <p class="kinds-of">${shares.map((one) => `<span class="${one.over ? "over" : ""}">${sign(one.kind)}${one.over ? phrase`${counted[one.kind](one.many)}, too many` : counted[one.kind](one.many)}</span>`).join("")}<small>${phrase`of ${all} that can jump; at most ${force.limit.join("/")} of one kind`}</small></p>
    ${others.length ? `<p class="others">${others.join("")}</p>` : ""}`;
}

/** A class as a small record sheet. */
export function sheet(cls) {
  const wide = Math.max(...cls.rows, 1);
  const boxes = cls.rows
    .map((n, row) =>
      Array.from({ length: n }, (_, i) => `M${i * BOX + 0.5} ${row * BOX + 0.5}h5v5h-5z`).join(""),
    )
    .join("");
  const facts = [
    phrase`mass ${cls.mass}`,
    phrase`thrust ${cls.thrust}`,
    cls.ftl ? phrase`jumps` : phrase`cannot jump`,
    cls.armour ? phrase`${cls.armour} armour` : "",
  ]
    .filter(Boolean)
    .join(", ");
  return `<div class="small-sheet"><p>${facts}</p><svg viewBox="0 0 ${wide * BOX} ${cls.rows.length * BOX}" width="${Math.min(wide * BOX, 240)}" role="img" aria-label="${phrase`Damage track: ${cls.rows.join(", ")} boxes`}"><path d="${boxes}"/></svg>${cls.systems.length ? `<p class="fits">${esc(cls.systems.join(phrase`; `))}</p>` : ""}</div>`;
}

function steps(force, fleet, n, cls, count) {
  const found = force.classes[cls];
  const called = found?.called ?? cls;
  const price = force.points(cls);
  const dear = price > force.left(fleet.budget);
  const row = fleet.ships.find((one) => one.cls === cls);
  const others = force.of(fleet.budget).filter((one) => one !== fleet);
  const move = count
    ? `<label class="shift"><span class="visually-hidden">${phrase`Move one ${esc(called)}`}</span><select data-move="${esc(cls)}" data-f="move ${n} ${esc(cls)}"><option value="">${phrase`Move one to…`}</option>${others.map((one) => `<option value="${force.fleets.indexOf(one)}">${esc(one.name)}</option>`).join("")}<option value="new">${phrase`a new fleet`}</option></select></label><label class="called"><span class="visually-hidden">${phrase`Names of ${esc(called)} ships`}</span><input data-names="${esc(cls)}" value="${esc(row.names.join(", "))}" placeholder="${phrase`named when saved`}" autocomplete="off"></label>`
    : "";
  return `<li class="buys-row${count ? " aboard" : ""}"${count ? ` draggable="true" data-drawn="${esc(cls)}"` : ""}><details data-sheet="${n} ${esc(cls)}"><summary><span class="sign">${sign(found?.kind)}</span><span class="of"><b>${esc(called)}</b>${found?.own ? ` <span class="tag">${phrase`own design`}</span>` : ""}<small>${phrase`${price} {:point|points}`}${found && found.design && found.design !== called ? `, ${esc(found.design)}` : ""}</small></span></summary>${found ? sheet(found) : ""}</details>
    <span class="pm"><button type="button" data-less="${esc(cls)}" data-f="less ${n} ${esc(cls)}" aria-label="${phrase`One ${esc(called)} less`}"${count ? "" : ' aria-disabled="true"'}>−</button><output${count ? "" : ' class="none"'}>${count}</output><button type="button" data-more="${esc(cls)}" data-f="more ${n} ${esc(cls)}" aria-label="${phrase`One ${esc(called)} more, ${price} {:point|points}`}"${dear ? ' aria-disabled="true"' : ""}>+</button></span>${move}</li>`;
}

function opened(force, fleet, n, name, more) {
  const budget = force.purse.get(fleet.budget);
  const aboard = fleet.ships.map((row) => row.cls);
  const rest = budget.classes.filter((cls) => !aboard.includes(cls));
  const others = force.of(fleet.budget).filter((one) => one !== fleet);
  const option = (value, words, on) =>
    `<option value="${esc(String(value))}"${on ? " selected" : ""}>${esc(words)}</option>`;
  const places = budget.places.includes(fleet.hex) ? budget.places : [fleet.hex, ...budget.places];
  const drones =
    force.decoys === null
      ? ""
      : `<div class="buys-row drones"><span class="of"><b>${phrase`Decoys`}</b><small>${phrase`${force.decoys} {:point|points} each, at most one a ship`}</small></span><span class="pm"><button type="button" data-drones="-1" data-f="drone- ${n}" aria-label="${phrase`One decoy less`}"${fleet.decoys ? "" : ' aria-disabled="true"'}>−</button><output>${fleet.decoys}</output><button type="button" data-drones="1" data-f="drone+ ${n}" aria-label="${phrase`One decoy more`}"${force.decoys > force.left(fleet.budget) || fleet.decoys >= force.ships(fleet) ? ' aria-disabled="true"' : ""}>+</button></span></div>`;
  return `<div class="grid"><label>${phrase`Name`} <input data-name value="${esc(fleet.name)}" maxlength="40" autocomplete="off"></label><label>${phrase`Begins at`} <select data-hex data-f="hex ${n}">${places.map((hex) => option(hex, hex ? `${name(hex)} ${hex}` : phrase`nowhere yet`, hex === fleet.hex)).join("")}</select></label></div>
    <ul class="buys">${aboard.map((cls) => steps(force, fleet, n, cls, fleet.ships.find((row) => row.cls === cls).count)).join("") || `<li class="quiet">${phrase`No ships yet: add some below.`}</li>`}</ul>${drones}
    ${rest.length ? `<details data-open="shop ${n}"${aboard.length ? "" : " open"}><summary>${phrase`Add ships of another class`}</summary><ul class="buys">${rest.map((cls) => steps(force, fleet, n, cls, 0)).join("")}</ul></details>` : ""}
    <div class="acts"><button type="button" class="plainly" data-split data-f="split ${n}"${force.ships(fleet) > 1 ? "" : " disabled"}>${phrase`Split in two`}</button>${others.length ? `<label><span class="visually-hidden">${phrase`Merge into`}</span><select data-merge data-f="merge ${n}"><option value="">${phrase`Merge into…`}</option>${others.map((one) => option(force.fleets.indexOf(one), one.name)).join("")}</select></label>` : ""}<button type="button" class="plainly" data-away data-f="away ${n}">${phrase`Disband`}</button></div>
    <label>${phrase`Standing order`} <select data-standing data-f="standing ${n}">${option("", phrase`stand off, as nothing is said`, !fleet.standing)}${force.choices.map(([value, words]) => option(value, words, value === fleet.standing)).join("")}</select></label>${more}`;
}

/** All fleets, budget by budget. `chosen`: the open one; `name`: of a hex; `faults`: words by the fleet's number; `more`: what is below. */
export function cards(force, chosen, { name, faults, seat, more }) {
  return force.budgets
    .map((budget) => {
      const here = force.of(budget.id);
      const left = force.left(budget.id);
      const rows = here.map((fleet) => {
        const n = force.fleets.indexOf(fleet);
        const on = fleet === chosen;
        const n4 = force.kinds(fleet);
        const why = faults.get(n) ?? [];
        const made =
          fleet.ships
            .map((row) => `${row.count} ${force.classes[row.cls]?.called ?? row.cls}`)
            .join(", ") || phrase`no ships yet`;
        return `<section class="fleet${on ? " chosen" : ""}${why.length ? " todo" : ""}" id="deploy-${n}" data-fleet="${n}"><h3><button type="button" class="top" data-choose="${n}" data-f="choose ${n}" aria-expanded="${on}"><svg class="pennant seat-${seat}" viewBox="0 0 26 18" aria-hidden="true"><path d="M0 0h26l-4 9 4 9H0z"/><text x="10" y="12.6" text-anchor="middle">${force.ships(fleet)}</text></svg><span class="nm">${esc(fleet.name || phrase`A fleet`)} <small>${esc(fleet.hex ? name(fleet.hex) : phrase`nowhere yet`)}</small></span><span class="kinds">${kinds(n4)} ${phrase`<b>${force.cost(fleet)}</b> pt`}</span><span class="sum">${esc(made + decoys(fleet))}</span>${why.map((words) => `<span class="why">▲ ${esc(words)}</span>`).join("")}</button></h3>${on ? `<div class="orders-of">${opened(force, fleet, n, name, more)}</div>` : ""}</section>`;
      });
      return `<h2 class="group${left < 0 ? " over" : ""}">${esc(budget.title)} <small>${phrase`${left} {:point|points} left`}</small></h2>${rows.join("")}<button type="button" class="plainly new-fleet" data-new="${esc(budget.id)}" data-f="new ${esc(budget.id)}">${phrase`New fleet`}</button>`;
    })
    .join("");
}
