// The list of ships beside the table of a battle replay. Loaded when its tab is first opened.

import { hullStrip } from "./battle_hull.js";
import { unitClasses, isShip, unitName, sides, states, units } from "./battle_replay_data.js";
import { player } from "./battle_replay_player.js";
import { icons } from "./battle_table.js";
import { findAll, html, svg, withData } from "./dom.js";
import { phrase } from "./phrase.js";

/**
 * Return the list item of a unit.
 * @param {number} n the number of the unit
 */
function unitItem(n) {
  const state = states[player.moment][n];
  const glyph = svg(
    "svg",
    { class: "glyph", viewBox: "0 0 32 32", "aria-hidden": "true" },
    svg("use", { href: `${icons}#ship-${units[n].size}` }),
  );
  const cls = state.b ? phrase`bogey` : (units[n].cls ?? "");
  const button = html(
    "button",
    {
      type: "button",
      className: `ship ${unitClasses(state)}`,
      ariaPressed: String(player.followed === n),
    },
    glyph,
    html("span", { className: "n" }, html("b", {}, unitName(n, state))),
    html("span", { className: "h" }, html("span", { className: "k" }, cls), ...hullOf(n)),
    html("span", { className: "o" }, unitNote(n)),
  );
  button.classList.toggle("gone", Boolean(state.out));
  button.classList.toggle("chosen", player.followed === n);
  return html("li", {}, withData(button, { unit: String(n) }));
}

/**
 * Return the hull strip of a unit; for a bogey, whose hull is not known, its damage.
 * @param {number} n the number of the unit
 */
function hullOf(n) {
  const { rows, armour = 0 } = units[n];
  const state = states[player.moment][n];
  if (rows) {
    return [hullStrip(rows, armour, state)];
  }
  return isShip(n) && state.d ? [html("span", { className: "k" }, phrase`${state.d} damage`)] : [];
}

/**
 * Return why a unit is out of the battle, its note, its course and velocity, or its count of craft.
 * @param {number} n the number of the unit
 */
function unitNote(n) {
  const { out, note, c, v, d = 0 } = states[player.moment][n];
  if (out || note) {
    return html("span", { className: "pill" }, out || note || "");
  }
  const words = isShip(n) ? `C${c} V${v ?? "?"}` : phrase`${d} craft`;
  return html("span", { className: "muted small" }, words);
}

/** @type {{side: string | undefined, head: HTMLElement}[]} headings as the page has them */
let sideHeads = [];

/**
 * Return the heading of a side, with its emblem where the page has one.
 * @param {number} k the number of the side
 * @param {ReplaySide} side
 */
function sideHead(k, side) {
  const known = sideHeads.find((other) => other.side === String(k));
  const head = known ? /** @type {HTMLElement} */ (known.head.cloneNode(true)) : html("h2");
  head.lastChild?.replaceWith(` ${side.name}`);
  return head;
}

/**
 * Show the units at the current moment, by side; the focus stays on the same unit.
 * @param {HTMLElement} listBox
 */
export function showList(listBox) {
  if (!sideHeads.length) {
    sideHeads = findAll(listBox, "h2", HTMLElement).map((head) => ({
      side: head.dataset.side,
      head: /** @type {HTMLElement} */ (head.cloneNode(true)),
    }));
  }
  const state = states[player.moment];
  const parts = [];
  for (const [k, side] of sides.entries()) {
    const members = [...units.keys()].filter(
      (n) => state[n].s === k && state[n].x !== undefined && (isShip(n) || !state[n].out),
    );
    members.sort(
      (a, b) =>
        Number(isShip(b)) - Number(isShip(a)) ||
        unitName(a, state[a]).localeCompare(unitName(b, state[b])),
    );
    if (members.length) {
      parts.push(sideHead(k, side), html("ul", { className: "ships" }, ...members.map(unitItem)));
    }
  }
  const focused = document.activeElement;
  const unit = focused instanceof HTMLElement ? focused.dataset.unit : undefined;
  listBox.replaceChildren(...parts);
  if (unit !== undefined) {
    findAll(listBox, `[data-unit="${unit}"]`, HTMLElement)[0]?.focus();
  }
}
