// Draws the cards of the deployment page: budgets, fleets, and ship classes with record sheets and
// prices. deploy_actions.js handles clicks on them. `data-f` identifies an element, so that it
// keeps the focus when the cards are redrawn.

import { html, svg, withData } from "./dom.js";
import { countInWords, kindCounts, kindSign } from "./classification_counts.js";
import { fleetFlag } from "./fleet_flag.js";
import { phrase } from "./phrase.js";

/** @import { Force } from "./deploy_force.js" */

const BOX = 6; // pixels: the size of a damage box with its gap
const MAX_TRACK_WIDTH = 240; // pixels

/**
 * Return by how many points a budget is overspent, in words.
 * @param {number} left the points left, which are negative
 */
export const pointsTooMany = (left) => phrase`${-left} {:point|points} too many`;

/**
 * Return the decoys of a fleet and their cost in words, after a comma; empty if it has none.
 * @param {Force} force
 * @param {PlannedFleet} fleet
 */
export const decoysInWords = (force, fleet) => {
  const cost = fleet.decoys * (force.decoyPoints ?? 0);
  return fleet.decoys
    ? `, ${phrase`${fleet.decoys} {:decoy|decoys} (${cost} {:point|points})`}`
    : "";
};

/**
 * Return the aces of a fleet and their cost in words, after a comma; empty if it has none.
 * @param {Force} force
 * @param {PlannedFleet} fleet
 */
export const acesInWords = (force, fleet) => {
  const cost = fleet.aces * (force.acePoints ?? 0);
  return fleet.aces ? `, ${phrase`${fleet.aces} {:ace|aces} (${cost} {:point|points})`}` : "";
};

/**
 * Return the ships of a fleet in words: "2 Ajax, 1 Dido".
 * @param {Force} force
 * @param {PlannedFleet} fleet
 */
export const shipsInWords = (force, fleet) =>
  fleet.ships.map((row) => `${row.count} ${force.nameOfClass(row.cls)}`).join(", ");

/**
 * Return an element whose text contains HTML. The text has no values except numbers, so that
 * nothing has to be escaped.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} className
 * @param {string} content
 */
function markup(tag, className, content) {
  const element = document.createElement(tag);
  element.className = className;
  element.innerHTML = content;
  return element;
}

/**
 * Return a text for screen readers only.
 * @param {string} words
 */
const hiddenLabel = (words) => html("span", { className: "visually-hidden" }, words);

/**
 * Return a budget with its points left, the overspent budgets, and the shares of classifications.
 * @param {Force} force
 * @param {string | undefined} budget the id of the budget
 */
export function budgetPanels(force, budget) {
  const shown = force.budget(budget ?? "");
  const left = force.pointsLeft(shown.id);
  const isOver = left < 0 ? " over" : "";
  const words = phrase`<b>${left}</b> of ${shown.points} {:point|points} left`;
  const total = markup("p", `sum${isOver}`, words);
  total.append(" ", html("small", {}, shown.title));
  const spent = shown.points ? (100 * (shown.points - left)) / shown.points : 0;
  const bar = svg(
    "svg",
    {
      class: `spent${isOver}`,
      viewBox: "0 0 100 2",
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    svg("path", { class: "all", d: "M0 0h100v2H0z" }),
    svg("path", { class: "used", d: `M0 0h${Math.min(100, Math.max(0, spent))}v2H0z` }),
  );
  const overspent = force.budgets.filter(
    (other) => other !== shown && force.pointsLeft(other.id) < 0,
  );
  const others = overspent.map(({ id, title }) =>
    html("span", { className: "over" }, phrase`${title}: ${pointsTooMany(force.pointsLeft(id))}`),
  );
  const parts = [total, bar, sharesInWords(force)];
  return others.length ? [...parts, html("p", { className: "others" }, ...others)] : parts;
}

/**
 * Return the number of ships of each classification, with the largest share allowed.
 * @param {Force} force
 */
function sharesInWords(force) {
  const { total, kinds: shares } = force.shares();
  const parts = shares.map(({ kind, count, isOver }) => {
    const words = countInWords[kind](count);
    const className = isOver ? "over" : "";
    return html(
      "span",
      { className },
      ...kindSign(kind),
      isOver ? phrase`${words}, too many` : words,
    );
  });
  const others = total - shares.reduce((count, share) => count + share.count, 0);
  if (others) {
    parts.push(html("span", {}, phrase`${others} others`));
  }
  const [numerator, denominator] = force.limit;
  if (numerator >= denominator) {
    return html("p", { className: "kinds-of" }, ...parts);
  }
  const rule = phrase`of ${total} with FTL; escorts, cruisers and capital ships may each be at most ${force.limit.join("/")} of them`;
  return html("p", { className: "kinds-of" }, ...parts, html("small", {}, rule));
}

/**
 * Return a small record sheet of a class.
 * @param {ShipClass} cls
 */
function recordSheet(cls) {
  const width = Math.max(...cls.rows, 1) * BOX;
  const boxes = cls.rows.flatMap((count, row) =>
    Array.from({ length: count }, (_, i) => `M${i * BOX + 0.5} ${row * BOX + 0.5}h5v5h-5z`),
  );
  const facts = [
    phrase`mass ${cls.mass}`,
    phrase`thrust ${cls.thrust}`,
    cls.ftl ? phrase`jumps` : phrase`cannot jump`,
  ];
  if (cls.armour) {
    facts.push(phrase`${cls.armour} armour`);
  }
  const track = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${cls.rows.length * BOX}`,
      width: Math.min(width, MAX_TRACK_WIDTH),
      role: "img",
      "aria-label": phrase`Damage track: ${cls.rows.join(", ")} boxes`,
    },
    svg("path", { d: boxes.join("") }),
  );
  const sheet = html("div", { className: "small-sheet" }, html("p", {}, facts.join(", ")), track);
  if (cls.systems.length) {
    sheet.append(html("p", { className: "fits" }, cls.systems.join(phrase`; `)));
  }
  return sheet;
}

/**
 * Return a fold with the name, price and record sheet of a class.
 * @param {Force} force
 * @param {number} n the number of the fleet
 * @param {string} cls the key of the class
 */
function classSummary(force, n, cls) {
  const known = force.classes[cls];
  const name = force.nameOfClass(cls);
  const title = html("span", { className: "of" }, html("b", {}, name));
  if (known?.own) {
    title.append(" ", html("span", { className: "tag" }, phrase`your own design`));
  }
  const price = phrase`${force.priceOf(cls)} {:point|points}`;
  const design = known?.design && known.design !== name ? `, ${known.design}` : "";
  title.append(html("small", {}, price + design));
  const picture = html("span", { className: "sign" }, ...kindSign(known?.kind));
  const fold = html("details", {}, html("summary", {}, picture, title));
  if (known) {
    fold.append(recordSheet(known));
  }
  return withData(fold, { sheet: `${n} ${cls}` });
}

/**
 * Return a button that adds or removes one.
 * @param {string} text
 * @param {string} label the accessible label
 * @param {boolean} isDisabled a disabled button still explains itself when pressed
 * @param {Record<string, string>} data
 */
function stepButton(text, label, isDisabled, data) {
  const button = html("button", { type: "button", ariaLabel: label }, text);
  if (isDisabled) {
    button.setAttribute("aria-disabled", "true");
  }
  return withData(button, data);
}

/**
 * Return the row of a class in a fleet: the number of its ships, with buttons and fields.
 * @param {Force} force
 * @param {PlannedFleet} fleet
 * @param {number} n the number of the fleet
 * @param {string} cls the key of the class
 */
function classRow(force, fleet, n, cls) {
  const name = force.nameOfClass(cls);
  const price = force.priceOf(cls);
  const isTooExpensive = price > force.pointsLeft(fleet.budget);
  const row = fleet.ships.find((other) => other.cls === cls);
  const count = row?.count ?? 0;
  const fewer = { less: cls, f: `less ${n} ${cls}` };
  const more = { more: cls, f: `more ${n} ${cls}` };
  const moreWords = phrase`One ${name} more, ${price} {:point|points}`;
  const item = html(
    "li",
    { className: count ? "buys-row aboard" : "buys-row" },
    classSummary(force, n, cls),
    html(
      "span",
      { className: "pm" },
      stepButton("−", phrase`One ${name} less`, !count, fewer),
      html("output", { className: count ? "" : "none" }, String(count)),
      stepButton("+", moreWords, isTooExpensive, more),
    ),
  );
  if (row) {
    item.draggable = true;
    item.dataset.drawn = cls;
    item.append(moveList(force, fleet, n, cls), namesField(row, name));
  }
  return item;
}

/**
 * Return a list to move a ship to another fleet.
 * @param {Force} force
 * @param {PlannedFleet} fleet
 * @param {number} n the number of the fleet
 * @param {string} cls the key of the class
 */
function moveList(force, fleet, n, cls) {
  const others = force.fleetsOf(fleet.budget).filter((other) => other !== fleet);
  const list = html(
    "select",
    {},
    new Option(phrase`Move one to…`, ""),
    ...others.map((other) => new Option(other.name, String(force.fleets.indexOf(other)))),
    new Option(phrase`a new fleet`, "new"),
  );
  withData(list, { move: cls, f: `move ${n} ${cls}` });
  const words = hiddenLabel(phrase`Move one ${force.nameOfClass(cls)}`);
  return html("label", { className: "shift" }, words, list);
}

/**
 * Return the field for the names of ships.
 * @param {ShipRow} row
 * @param {string} name the name of their class
 */
function namesField(row, name) {
  const field = html("input", {
    value: row.names.join(", "),
    placeholder: phrase`named when saved`,
    autocomplete: "off",
  });
  withData(field, { names: row.cls });
  return html("label", { className: "called" }, hiddenLabel(phrase`Names of ${name} ships`), field);
}

/**
 * Return an option of a list.
 * @param {string} value
 * @param {string} words
 * @param {boolean} isSelected
 */
const option = (value, words, isSelected = false) =>
  new Option(words, value, isSelected, isSelected);

/**
 * Return the fields for a fleet's name and starting place.
 * @param {PlannedFleet} fleet
 * @param {number} n the number of the fleet
 * @param {Hex[]} places
 * @param {(hex: Hex) => string} nameOfHex
 */
function nameAndPlace(fleet, n, places, nameOfHex) {
  const field = html("input", { value: fleet.name, maxLength: 40, autocomplete: "off" });
  withData(field, { name: "" });
  const all = places.includes(fleet.hex) ? places : [fleet.hex, ...places];
  const options = all.map((hex) => {
    const name = hex ? nameOfHex(hex) : phrase`nowhere yet`;
    // open space is named by its hex
    return option(hex, name.includes(hex) ? name : `${name} ${hex}`, hex === fleet.hex);
  });
  const list = withData(html("select", {}, ...options), { hex: "", f: `hex ${n}` });
  return html(
    "div",
    { className: "grid" },
    html("label", {}, phrase`Name`, " ", field),
    html("label", {}, phrase`Starts at`, " ", list),
  );
}

/**
 * Return the row of decoys, if the war has them.
 * @param {Force} force
 * @param {PlannedFleet} fleet
 * @param {number} n the number of the fleet
 */
function decoyRow(force, fleet, n) {
  const price = force.decoyPoints;
  if (price === null) {
    return [];
  }
  const isFull = price > force.pointsLeft(fleet.budget) || fleet.decoys >= force.shipCount(fleet);
  const words = phrase`${price} {:point|points} each, at most one per ship`;
  const fewer = { decoys: "-1", f: `decoy- ${n}` };
  const more = { decoys: "1", f: `decoy+ ${n}` };
  return [
    html(
      "div",
      { className: "buys-row decoys" },
      html("span", { className: "of" }, html("b", {}, phrase`Decoys`), html("small", {}, words)),
      html(
        "span",
        { className: "pm" },
        stepButton("−", phrase`One decoy less`, !fleet.decoys, fewer),
        html("output", {}, String(fleet.decoys)),
        stepButton("+", phrase`One decoy more`, isFull, more),
      ),
    ),
  ];
}

/**
 * Return the list for the thrust of a fleet's decoys, if its player may choose it.
 * @param {Force} force
 * @param {PlannedFleet} fleet
 * @param {number} n the number of the fleet
 */
function decoyThrust(force, fleet, n) {
  if (!fleet.decoys || !force.greatestDecoyThrust) {
    return [];
  }
  const options = [option("", phrase`as the fastest ship that looks like one`)];
  for (let thrust = 1; thrust <= force.greatestDecoyThrust; thrust += 1) {
    options.push(option(String(thrust), String(thrust), thrust === fleet.decoyThrust));
  }
  const list = withData(html("select", {}, ...options), { thrust: "", f: `thrust ${n}` });
  return [html("label", {}, phrase`Thrust of its decoys`, " ", list)];
}

/**
 * Return the row of aces, if they are for sale and the fleet has fighters.
 * @param {Force} force
 * @param {PlannedFleet} fleet
 * @param {number} n the number of the fleet
 */
function aceRow(force, fleet, n) {
  const price = force.acePoints;
  const groups = force.groupCount(fleet);
  if (price === null || !(groups || fleet.aces)) {
    return [];
  }
  const isFull = price > force.pointsLeft(fleet.budget) || fleet.aces >= groups;
  const words = phrase`${price} {:point|points} each, one per group of fighters`;
  const fewer = { aces: "-1", f: `ace- ${n}` };
  const more = { aces: "1", f: `ace+ ${n}` };
  return [
    html(
      "div",
      { className: "buys-row decoys" },
      html("span", { className: "of" }, html("b", {}, phrase`Aces`), html("small", {}, words)),
      html(
        "span",
        { className: "pm" },
        stepButton("−", phrase`One ace less`, !fleet.aces, fewer),
        html("output", {}, String(fleet.aces)),
        stepButton("+", phrase`One ace more`, isFull, more),
      ),
    ),
  ];
}

/**
 * Return the classes of which the fleet has no ships, in a fold that is closed if it has any ships.
 * @param {Force} force
 * @param {PlannedFleet} fleet
 * @param {number} n the number of the fleet
 */
function otherClasses(force, fleet, n) {
  const aboard = fleet.ships.map((row) => row.cls);
  const classes = force.budget(fleet.budget).classes.filter((cls) => !aboard.includes(cls));
  if (!classes.length) {
    return [];
  }
  const rows = classes.map((cls) => classRow(force, fleet, n, cls));
  const fold = html(
    "details",
    { open: !aboard.length },
    html("summary", {}, phrase`Add ships of another class`),
    html("ul", { className: "buys" }, ...rows),
  );
  return [withData(fold, { open: `shop ${n}` })];
}

/**
 * Return the buttons to split, merge and disband a fleet.
 * @param {Force} force
 * @param {PlannedFleet} fleet
 * @param {number} n the number of the fleet
 */
function fleetButtons(force, fleet, n) {
  const split = html(
    "button",
    { type: "button", className: "plainly", disabled: force.shipCount(fleet) < 2 },
    phrase`Split in two`,
  );
  const disband = html("button", { type: "button", className: "plainly" }, phrase`Disband`);
  const others = force.fleetsOf(fleet.budget).filter((other) => other !== fleet);
  const merge = html(
    "select",
    {},
    option("", phrase`Merge into…`),
    ...others.map((other) => option(String(force.fleets.indexOf(other)), other.name)),
  );
  withData(merge, { merge: "", f: `merge ${n}` });
  return html(
    "div",
    { className: "acts" },
    withData(split, { split: "", f: `split ${n}` }),
    ...(others.length ? [html("label", {}, hiddenLabel(phrase`Merge into`), merge)] : []),
    withData(disband, { away: "", f: `away ${n}` }),
  );
}

/**
 * Return the list of standing orders.
 * @param {Force} force
 * @param {PlannedFleet} fleet
 * @param {number} n the number of the fleet
 */
function standingOrder(force, fleet, n) {
  const list = html(
    "select",
    {},
    option("", phrase`stand off (default)`, !fleet.standing),
    ...force.choices.map(([value, words]) => option(value, words, value === fleet.standing)),
  );
  withData(list, { standing: "", f: `standing ${n}` });
  return html("label", {}, phrase`Standing order`, " ", list);
}

/**
 * @typedef {object} CardOptions
 * @property {(hex: Hex) => string} name returns the name of a hex
 * @property {Map<number, string[]>} faults problems by the number of their fleet
 * @property {number} seat the number of the faction's seat
 * @property {HTMLTemplateElement} doctrine the fields of a doctrine
 */

/**
 * Return the open part of the chosen fleet's card.
 * @param {Force} force
 * @param {PlannedFleet} fleet
 * @param {number} n the number of the fleet
 * @param {CardOptions} options
 */
function openFleet(force, fleet, n, { name, doctrine }) {
  const { places } = force.budget(fleet.budget);
  const rows = fleet.ships.map((row) => classRow(force, fleet, n, row.cls));
  const none = html("li", { className: "quiet" }, phrase`No ships yet: add some below.`);
  return html(
    "div",
    { className: "orders-of" },
    nameAndPlace(fleet, n, places, name),
    html("ul", { className: "buys" }, ...(rows.length ? rows : [none])),
    ...decoyRow(force, fleet, n),
    ...decoyThrust(force, fleet, n),
    ...aceRow(force, fleet, n),
    ...otherClasses(force, fleet, n),
    fleetButtons(force, fleet, n),
    standingOrder(force, fleet, n),
    doctrine.content.cloneNode(true),
  );
}

/**
 * Return the button that chooses a fleet, with a summary of the fleet.
 * @param {Force} force
 * @param {PlannedFleet} fleet
 * @param {number} n the number of the fleet
 * @param {CardOptions} options
 */
function fleetButton(force, fleet, n, { name, faults, seat }) {
  const place = fleet.hex ? name(fleet.hex) : phrase`nowhere yet`;
  const title = `${fleet.name || phrase`A fleet`} `;
  const cost = markup("span", "", phrase`<b>${force.cost(fleet)}</b> pt`);
  const ships = shipsInWords(force, fleet) || phrase`no ships yet`;
  const button = html(
    "button",
    { type: "button", className: "top" },
    fleetFlag(seat, force.shipCount(fleet)),
    html("span", { className: "nm" }, title, html("small", {}, place)),
    html(
      "span",
      { className: "kinds" },
      ...kindCounts(force.countKinds(fleet)),
      " ",
      ...cost.childNodes,
    ),
    html(
      "span",
      { className: "sum" },
      ships + decoysInWords(force, fleet) + acesInWords(force, fleet),
    ),
    ...(faults.get(n) ?? []).map((words) => html("span", { className: "why" }, `▲ ${words}`)),
  );
  return withData(button, { choose: String(n), f: `choose ${n}` });
}

/**
 * Return the card of a fleet.
 * @param {Force} force
 * @param {PlannedFleet} fleet
 * @param {boolean} isChosen
 * @param {CardOptions} options
 */
function fleetCard(force, fleet, isChosen, options) {
  const n = force.fleets.indexOf(fleet);
  const button = fleetButton(force, fleet, n, options);
  button.setAttribute("aria-expanded", String(isChosen));
  const card = html("section", { className: "fleet", id: `deploy-${n}` }, html("h3", {}, button));
  card.classList.toggle("chosen", isChosen);
  card.classList.toggle("todo", options.faults.has(n));
  if (isChosen) {
    card.append(openFleet(force, fleet, n, options));
  }
  return withData(card, { fleet: String(n) });
}

/**
 * Return the cards of all fleets, budget by budget.
 * @param {Force} force
 * @param {PlannedFleet | null} chosen the chosen fleet, whose card is open
 * @param {CardOptions} options
 * @returns {Element[]}
 */
export function cards(force, chosen, options) {
  return force.budgets.flatMap(({ id, title }) => {
    const left = force.pointsLeft(id);
    const rest = html("small", {}, phrase`${left} {:point|points} left`);
    const form = html(
      "button",
      { type: "button", className: "plainly new-fleet" },
      phrase`New fleet`,
    );
    const head = html("h2", { className: "group" }, `${title} `, rest);
    head.classList.toggle("over", left < 0);
    return [
      head,
      ...force.fleetsOf(id).map((fleet) => fleetCard(force, fleet, fleet === chosen, options)),
      withData(form, { new: id, f: `new ${id}` }),
    ];
  });
}
