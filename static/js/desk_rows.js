// The list of fleets on the orders page: each a line that says what the draft does with it; its part
// of the form opens for the chosen one. What a line says, and its group, come from the server
// (campaign/forms/week/fleet_lines.py).

import { kinds } from "./kinds.js";
import { phrase } from "./phrase.js";

const GROUPS = ["problem", "todo", "done", "still"]; // what most needs the player comes first
const HEADS = {
  problem: (n) => phrase`${n} with a problem`,
  todo: (n) => phrase`${n} without orders`,
  done: (n) => phrase`${n} ordered`,
  still: (n) => phrase`${n} that cannot move`,
};

export class Rows {
  constructor(list, sheet, plan, seat, told) {
    Object.assign(this, { list, sheet, plan, seat });
    this.groups = GROUPS.map((name) => {
      const group = document.createElement("div");
      group.dataset.group = name;
      const head = document.createElement("h2");
      head.className = "group";
      group.append(head);
      return group;
    });
    this.decide = document.createElement("div");
    list.prepend(this.decide, ...this.groups);
    for (const choice of list.querySelectorAll(".place > .choosing")) {
      this.decide.append(choice);
    }
    this.near = new Set(); // rows in sight, or nearly: where there are many, only these have all their signs
    for (const section of sheet.sections) {
      this.fold(section);
    }
    this.spare = document.createElement("div");
    this.spare.hidden = true;
    list.append(this.spare);
    for (const place of list.querySelectorAll(".place:has([data-fleet])")) {
      this.spare.append(...place.querySelectorAll("[data-fleet]"));
      if (!place.querySelector("[name]")) {
        place.remove();
      } // all of it is in the list
    }
    this.take(told);
    if (sheet.folds) {
      import("./desk_near.js").then(({ watch }) =>
        watch(list, sheet.sections, this.near, (one) => this.seen(one)),
      );
    }
    list.dataset.ready = ""; // until then it is not seen, so that nothing moves before the eye
  }

  /** Take over what the server says of the draft. `stale`: the form has changed again since. */
  take(told, stale = false) {
    this.lines = told.lines;
    this.other = told.other;
    if (!stale) {
      this.list.removeAttribute("aria-busy");
    }
  }

  /** The form has changed: what the lines say is about the draft before. */
  wait() {
    this.list.setAttribute("aria-busy", "true");
  }

  /** A fleet's part of the form becomes a line that opens. */
  fold(section) {
    this.head(section);
    const more = section.querySelector("[data-more]");
    if (more) {
      this.dress(more, section.id);
    }
  }

  /** The line of a fleet. */
  head(section) {
    const head = document.createElement("h3");
    const top = document.createElement("button");
    top.type = "button";
    top.className = "top";
    top.dataset.choose = section.dataset.fleet;
    top.setAttribute("aria-controls", `${section.id}-orders`);
    head.append(top);
    section.querySelector("header")?.remove();
    section.querySelector(":scope > p")?.remove();
    section.prepend(head);
  }

  /** The form of a fleet as it opens below its line: what the line does already is folded, or gone. */
  dress(more, id) {
    more.id = `${id}-orders`;
    const grid = more.querySelector(".grid.move");
    if (grid) {
      const fold = document.createElement("details");
      const summary = document.createElement("summary");
      summary.textContent = phrase`By list, or hex by hex`;
      // Some have a fold of their own around them already, which goes.
      (grid.closest("details.more") ?? grid).replaceWith(fold);
      fold.append(summary, grid);
    }
    for (const gone of more.querySelectorAll("[data-cripples], [data-needs]")) {
      gone.remove();
    }
    return more;
  }

  /** Whether a fleet cannot be sent anywhere. */
  still(fleet) {
    return Boolean(fleet.stuck) || !this.sheet.has(this.sheet.id("move", fleet.key));
  }

  /** What the server says of a fleet; of one that was just formed nothing yet. */
  told(fleet) {
    return this.lines[fleet.key] ?? { name: fleet.name, state: "todo", words: "…", trouble: "" };
  }

  /** Whether a fleet is left to be ordered, or mended. */
  open(fleet) {
    return ["problem", "todo"].includes(this.told(fleet).state);
  }

  /** Draw every line anew; the chosen one stays in its group. How many there are of each. */
  draw(fleets, chosen, then) {
    const shown = fleets.filter((fleet) => !fleet.formed || fleet.ships.length);
    for (const fleet of fleets) {
      if (!shown.includes(fleet)) {
        this.spare.append(fleet.section);
      }
    }
    const state = (fleet) => this.told(fleet).state;
    const stays = ({ key, section }) => key === chosen && section.parentNode.dataset.group;
    const narrow = matchMedia("(max-width: 820px)").matches;
    const counts = {};
    for (const group of this.groups) {
      const name = group.dataset.group;
      const here = shown.filter((fleet) => (stays(fleet) || state(fleet)) === name);
      counts[name] = shown.filter((fleet) => state(fleet) === name).length;
      if (narrow) {
        here.sort((a, b) => (b.key === chosen) - (a.key === chosen));
      }
      group.hidden = !here.length;
      group.classList.toggle(
        "first",
        here.some((fleet) => fleet.key === chosen),
      );
      group.firstElementChild.textContent = HEADS[name](counts[name]);
      this.place(group, here);
      for (const fleet of here) {
        this.line(fleet, fleet.key === chosen, then);
      }
    }
    return counts;
  }

  /** Put the sections of a group in their order; the focus stays where it is. */
  place(group, here) {
    const focus = document.activeElement;
    here.forEach(({ section }, n) => {
      const at = group.children[n + 1];
      if (at !== section) {
        group.insertBefore(section, at ?? null);
      }
    });
    if (focus !== document.activeElement && focus?.isConnected) {
      focus.focus({ preventScroll: true });
    }
  }

  /** A row has come into sight, or left it. */
  seen(section) {
    const fleet = this.sheet.fleets().find((one) => one.section === section);
    if (fleet) {
      this.words(fleet);
    }
  }

  line(fleet, on, then) {
    const { section } = fleet;
    const top = section.querySelector(".top");
    section.classList.toggle("chosen", on);
    section.classList.toggle("todo", this.open(fleet));
    top.setAttribute("aria-expanded", on);
    this.words(fleet);
    const more = section.querySelector("[data-more]");
    if (more) {
      more.hidden = !on;
    }
    if (on) {
      this.opened?.(fleet, then);
    } // whoever chooses brings it: desk_acts.js
  }

  /** What the line of a fleet says, where that has changed. */
  words(fleet) {
    const { section, n } = fleet;
    const { name, state, words, trouble } = this.told(fleet);
    const signs = !this.sheet.folds || this.near.has(section);
    const said = JSON.stringify([name, state, words, trouble, n, signs]);
    if (section.said === said) {
      return;
    }
    section.said = said;
    const parts = [];
    if (signs) {
      parts.push(pennant(this.seat, fleet.dummy ? "?" : n.reduce((a, b) => a + b, 0)));
    }
    const title = element("span", "nm", `${name} `);
    title.append(element("small", "", this.plan.name(fleet.hex)));
    parts.push(title);
    if (signs) {
      const counts = element("span", "kinds", fleet.dummy ? phrase`dummy counter` : "");
      if (!fleet.dummy) {
        counts.innerHTML = kinds(n);
      }
      parts.push(counts);
    }
    const sum = element("span", "sum", words);
    sum.classList.toggle("none", state !== "done");
    parts.push(sum);
    if (trouble) {
      parts.push(element("span", "why", `▲ ${trouble}`));
    }
    section.querySelector(".top").replaceChildren(...parts);
  }
}

function element(tag, cls, text = "") {
  const made = document.createElement(tag);
  if (cls) {
    made.className = cls;
  }
  made.textContent = text;
  return made;
}

/** The flag of a fleet with how many ships it has. */
function pennant(seat, many) {
  const made = element("span");
  made.innerHTML =
    `<svg class="pennant seat-${seat}" viewBox="0 0 26 18" aria-hidden="true">` +
    `<path d="M0 0h26l-4 9 4 9H0z"/><text x="10" y="12.6" text-anchor="middle">${many}</text></svg>`;
  return made.firstElementChild;
}
