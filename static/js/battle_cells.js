// What the tables of choices at the stops after movement share: who listens to cells, column heads, buttons and rows of ships.

import { node } from "./battle_look.js";
import { lazily } from "./lazily.js";

export const sum = (list, of) => list.reduce((all, one) => all + of(one), 0);
export const button = (cls, does, ...kids) => {
  const one = node("button", { type: "button", className: cls }, ...kids);
  Object.assign(one.dataset, does);
  return one;
};

/**
 * `give(cell, n)`: so many of a cell's group say it, undefined: all of them or none; `counts(cell)`: how many say it, of how many;
 * `all(id)`: a whole column; `act`: what buttons do, by `data-do`; `choose(id)`: the row of a ship or group.
 */
export function choices(helm, list, rows, { give, counts, all, act, choose }) {
  helm.addEventListener("click", (e) => {
    const cell = e.target.closest(".cell");
    const who = e.target.closest("[data-all]");
    const does = e.target.closest("[data-do]")?.dataset.do;
    if (cell) {
      give(cell, e.shiftKey ? 1 : undefined);
    } else if (who) {
      all(who.dataset.all);
    } else if (does) {
      act[does]();
    }
  });
  const load = async () => (await import("./battle_walk.js")).walking(helm, give, counts);
  lazily(helm, ["contextmenu", "keydown"], load, (e) => {
    const takes =
      e.target.closest(".cell") && (e.type === "contextmenu" || /^(Arrow.*|[0-9])$/.test(e.key));
    if (takes) {
      e.preventDefault();
      e.stopPropagation();
    }
    return takes;
  });
  const of = (e) => e.target.closest(".ship")?.closest("[data-row]").dataset.row;
  list.addEventListener("click", (e) => {
    const id = of(e);
    if (rows.has(id)) {
      choose(id);
    }
  });
  list.addEventListener("keydown", (e) => {
    const id = of(e);
    if (rows.has(id) && (e.key === "Enter" || e.key === " ")) {
      e.preventDefault();
      e.stopPropagation();
      choose(id);
    }
  });
  for (const row of rows.values()) {
    Object.assign(row.querySelector(".ship"), { role: "button", tabIndex: 0 });
  }
}

/** A table of choices in its box: the head of the corner, heads of columns, rows of [head, cells], and what stands below. */
export function grid(label, corner, heads, body, ...foot) {
  const th = (kid, scope) => node("th", scope ? { scope } : {}, kid);
  const small = (words) => node("span", { className: "hush small" }, words);
  const head = node("tr", {}, th(small(corner)), ...heads.map((one) => th(one, "col")));
  const lines = body.map(([first, cells, key]) => {
    const tr = node("tr", {}, th(first, "row"), ...cells.map((one) => node("td", {}, one)));
    if (key) {
      tr.dataset.row = key;
    }
    return tr;
  });
  const below = foot.map(([words, cells]) =>
    node("tfoot", {}, node("tr", {}, th(small(words), "row"), ...cells)),
  );
  return node(
    "div",
    { className: "grid-box", tabIndex: 0, role: "group", ariaLabel: label },
    node(
      "table",
      { className: "aim" },
      node("thead", {}, head),
      node("tbody", {}, ...lines),
      ...below,
    ),
  );
}

/** A new helm in the place of the old: the focus stays on what it was on, and the table where it was scrolled to. */
export function renew(helm, ...parts) {
  const focus = document.activeElement;
  const { gun, at, all, do: does } = focus?.dataset ?? {};
  const left = helm.querySelector(".grid-box")?.scrollLeft ?? 0;
  helm.replaceChildren(...parts);
  const box = helm.querySelector(".grid-box");
  if (box) {
    box.scrollLeft = left;
  }
  const again = gun
    ? `[data-gun="${gun}"][data-at="${at}"]`
    : all
      ? `[data-all="${all}"]`
      : does
        ? `[data-do="${does}"]`
        : "";
  (again ? helm.querySelector(again) : helm.contains(focus) ? focus : null)?.focus();
}
