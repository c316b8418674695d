// The list of ships beside the table of a replay; loaded when it is opened first.

import { hullStrip } from "./battle_hull.js";
import { classOf, isShip, nameOf, sides, states, units } from "./battle_replay_data.js";
import { player } from "./battle_replay_player.js";
import { icons } from "./battle_table.js";
import { findAll, html, svg, withData } from "./dom.js";
import { phrase } from "./phrase.js";

/**
 * Return a unit in the list of ships.
 * @param {number} n
 */
function unitItem(n) {
  const state = states[player.at][n];
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
      className: `ship ${classOf(state)}`,
      ariaPressed: String(player.followed === n),
    },
    glyph,
    html("span", { className: "n" }, html("b", {}, nameOf(n, state))),
    html("span", { className: "h" }, html("span", { className: "k" }, cls), ...hullOf(n)),
    html("span", { className: "o" }, unitNote(n)),
  );
  button.classList.toggle("gone", Boolean(state.out));
  button.classList.toggle("chosen", player.followed === n);
  return html("li", {}, withData(button, { unit: String(n) }));
}

/** @param {number} n */
function hullOf(n) {
  const { rows, armour = 0 } = units[n];
  const state = states[player.at][n];
  if (rows) {
    return [hullStrip(rows, armour, state)];
  }
  return isShip(n) && state.d ? [html("span", { className: "k" }, phrase`${state.d} damage`)] : [];
}

/** @param {number} n */
function unitNote(n) {
  const { out, note, c, v, d = 0 } = states[player.at][n];
  if (out || note) {
    return html("span", { className: "pill" }, out || note || "");
  }
  const words = isShip(n) ? `C${c} V${v ?? "?"}` : phrase`${d} craft`;
  return html("span", { className: "muted small" }, words);
}

// The heads of the list, as the page has them.
/** @type {{side: string | undefined, head: HTMLElement}[]} */
let sideHeads = [];

/**
 * @param {number} k
 * @param {ReplaySide} side
 */
function sideHead(k, side) {
  const known = sideHeads.find((other) => other.side === String(k));
  const head = known ? /** @type {HTMLElement} */ (known.head.cloneNode(true)) : html("h2");
  head.lastChild?.replaceWith(` ${side.name}`);
  return head;
}

/**
 * Show the list of ships.
 * @param {HTMLElement} listBox
 */
export function showList(listBox) {
  if (!sideHeads.length) {
    sideHeads = findAll(listBox, "h2", HTMLElement).map((head) => ({
      side: head.dataset.side,
      head: /** @type {HTMLElement} */ (head.cloneNode(true)),
    }));
  }
  const state = states[player.at];
  const parts = [];
  for (const [k, side] of sides.entries()) {
    const members = [...units.keys()].filter(
      (n) => state[n].s === k && state[n].x !== undefined && (isShip(n) || !state[n].out),
    );
    members.sort(
      (a, b) =>
        Number(isShip(b)) - Number(isShip(a)) ||
        nameOf(a, state[a]).localeCompare(nameOf(b, state[b])),
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
