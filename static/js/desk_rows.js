// The list of fleets at the admiral's desk: each a line that says what it is told to do; its part of the form opens for the
// chosen one. Those without an order come first, those that cannot move last.

import { esc } from "./chart_marks.js";
import { kinds } from "./kinds.js";
import { phrase } from "./phrase.js";

export class Rows {
  constructor(list, sheet, plan, seat) {
    Object.assign(this, { list, sheet, plan, seat, looked: new Set(), faults: new Map() });
    this.groups = ["todo", "done", "still"].map((name) => {
      const group = document.createElement("div");
      group.dataset.group = name;
      const head = document.createElement("h2");
      head.className = "group";
      group.append(head);
      return group;
    });
    this.decide = document.createElement("div");
    list.prepend(this.decide, ...this.groups);
    for (const choice of list.querySelectorAll(".place > .choosing")) this.decide.append(choice);
    for (const section of sheet.sections) this.fold(section);
    this.spare = document.createElement("div");
    this.spare.hidden = true;
    list.append(this.spare);
    for (const place of list.querySelectorAll(".place")) if (!place.querySelector(".yard, [name^='place-'], [name^='build-']") && place.querySelector("[data-fleet], details.slots")) place.classList.add("emptied");
  }

  /** A fleet's part of the form becomes a line that opens. */
  fold(section) {
    const more = section.querySelector("[data-more]"), head = document.createElement("h3"), top = document.createElement("button");
    more.id = `${section.id}-orders`;
    top.type = "button";
    top.className = "top";
    top.dataset.choose = section.dataset.fleet;
    top.setAttribute("aria-controls", more.id);
    head.append(top);
    section.querySelector("header")?.remove();
    section.prepend(head);
    const grid = section.querySelector(".grid.move");
    if (grid) {
      const fold = document.createElement("details");
      fold.innerHTML = `<summary>${phrase`By list, or hex by hex`}</summary>`;
      const outer = grid.closest("details, [data-fleet]"); // a new fleet's section is itself in a fold, which stays
      (outer === section ? grid : outer).replaceWith(fold);
      fold.append(grid);
    }
    for (const gone of section.querySelectorAll("[data-cripples], [data-needs], [data-unfold]")) gone.remove();
  }

  ordered(fleet) { return Boolean(fleet.gone || fleet.end || fleet.goals.length || this.looked.has(fleet.key)); }
  still(fleet) { return Boolean(fleet.stuck) || (!this.sheet.field(fleet.section, "move")); }
  trouble(fleet) { return this.faults.get(fleet.section.id)?.join(phrase`; `) ?? this.plan.trouble(fleet); }

  /** Draw every line anew. `chosen`: the key of the open one. */
  draw(fleets, chosen, then) {
    const shown = fleets.filter((fleet) => !fleet.formed || fleet.ships.length || this.sheet.byKey.get(fleet.key) === this.forming);
    const of = (fleet) => (this.trouble(fleet) ? "todo" : this.still(fleet) ? "still" : this.ordered(fleet) ? "done" : "todo");
    for (const fleet of fleets) if (!shown.includes(fleet)) this.spare.append(fleet.section);
    const counts = {};
    for (const group of this.groups) {
      const name = group.dataset.group, here = shown.filter((fleet) => of(fleet) === name);
      counts[name] = here.length;
      if (matchMedia("(max-width: 820px)").matches) here.sort((a, b) => (b.key === chosen) - (a.key === chosen));
      group.hidden = !here.length;
      group.classList.toggle("first", here.some((fleet) => fleet.key === chosen));
      group.firstElementChild.textContent = { todo: phrase`${here.length} without orders`, done: phrase`${here.length} ordered`, still: phrase`${here.length} that cannot move` }[name];
      const focus = document.activeElement;
      here.forEach((fleet, n) => { if (group.children[n + 1] !== fleet.section) group.insertBefore(fleet.section, group.children[n + 1] ?? null); });
      if (focus !== document.activeElement && focus?.isConnected) focus.focus({ preventScroll: true });
      for (const fleet of here) this.line(fleet, fleet.key === chosen, then, name);
    }
    return { shown, ...counts, troubled: shown.filter((fleet) => this.trouble(fleet)).length };
  }

  line(fleet, on, then, group) {
    const { section } = fleet, top = section.querySelector(".top"), why = this.trouble(fleet), place = this.plan.name(fleet.hex);
    const sum = fleet.gone || this.plan.sentence(fleet, this.looked.has(fleet.key)), none = fleet.stuck ? phrase`Stays at ${place}: ${fleet.stuck}` : phrase`No order: stays at ${place}`;
    const many = fleet.n.reduce((a, b) => a + b, 0);
    section.classList.toggle("chosen", on);
    section.classList.toggle("todo", group === "todo");
    top.setAttribute("aria-expanded", on);
    top.innerHTML = `<svg class="pennant seat-${this.seat}" viewBox="0 0 26 18" aria-hidden="true"><path d="M0 0h26l-4 9 4 9H0z"/><text x="10" y="12.6" text-anchor="middle">${fleet.dummy ? "?" : many}</text></svg><span class="nm">${esc(fleet.name)} <small>${esc(place)}</small></span><span class="kinds">${fleet.dummy ? phrase`dummy counter` : kinds(fleet.n)}</span><span class="sum${sum ? "" : " none"}">${esc(sum || none)}</span>${why ? `<span class="why">▲ ${esc(why)}</span>` : ""}`;
    section.querySelector("[data-more]").hidden = !on;
    if (on) this.opened?.(fleet, then); // whoever chooses brings it: desk_acts.js
  }

  /** What the server finds wrong: beside what it is about, and listed above. */
  blame(faults) {
    this.faults = new Map();
    for (const old of this.list.querySelectorAll("[data-faults-here]")) old.replaceChildren();
    for (const fault of faults) {
      const place = fault.anchor && document.getElementById(fault.anchor), fleet = place?.closest("[data-fleet]");
      const box = place?.querySelector(":scope > [data-faults-here], :scope > [data-more] > [data-faults-here]");
      if (box) { const line = document.createElement("p"); line.className = "fault"; line.textContent = fault.words; box.append(line); }
      if (fleet) this.faults.set(fleet.id, [...(this.faults.get(fleet.id) ?? []), fault.subject ? phrase`${fault.subject}: ${fault.words}` : fault.words]);
    }
  }
}
