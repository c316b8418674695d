// What all pages of a battle with a table share: every mark, what it is, where it came from.

import { Table, el } from "./battle_table.js";
import { phrase } from "./phrase.js";

const $ = (id) => document.getElementById(id);
const RANGES = [12, 24, 36];

/** The data of the page, its table with all that lies on it, and what all battle pages share. */
export function begin() {
  const data = JSON.parse($("battle").textContent);
  const box = document.querySelector(".table-box");
  const table = new Table($("table"), data.table);
  const shows = { rings: true, arcs: true };
  for (const node of box.querySelectorAll("[hidden]:not(.tell)")) {
    node.hidden = false;
  }
  table.svg.setAttribute("role", "application");
  table.svg.setAttribute("aria-roledescription", phrase`table`);
  table.pieces(data.things.filter((one) => !one.course).map((one) => ({ ...one, cls: "seat-0" })));
  for (const [i, one] of data.things.filter((thing) => thing.course).entries()) {
    table.mark(one.id ?? `thing-${i}`, {
      ...one,
      size: "fighter",
      scale: 0.8,
      cls:
        one.kind === "flyer"
          ? "seat-0 foe"
          : `seat-${one.kind === "group" ? (data.own[0]?.seat ?? 0) : 0} own`,
      name: one.label,
      rank: 1,
    });
  }
  for (const one of data.own) {
    table.mark(one.id, { ...one, cls: `seat-${one.seat} own`, rank: 4, label: one.name });
  }
  for (const one of data.contacts) {
    table.mark(one.id, {
      ...one,
      cls: `seat-${one.seat} foe${one.cls ? "" : " bogey"}`,
      sub: one.v === null ? "" : `V${one.v}`,
      rank: 3,
      label: phrase`${one.name}, ${one.cls ?? "bogey"}, course ${one.course}`,
    });
  }
  const ships = [...data.own, ...data.contacts];
  const xs = ships.map((s) => s.x);
  const ys = ships.map((s) => s.y);
  if (ships.length) {
    table.want = [
      Math.min(...xs) - 10,
      Math.min(...ys) - 9,
      Math.max(...xs) + 10,
      Math.max(...ys) + 9,
    ];
  }
  for (const [id, key] of Object.entries({ in: "z", out: "x", fit: "f", aim: "t" })) {
    $(id).addEventListener("click", () => table.hand({ type: "keydown", key }));
  }
  for (const id of Object.keys(shows)) {
    $(id).addEventListener("click", () => {
      shows[id] = !shows[id];
      $(id).setAttribute("aria-pressed", shows[id]);
      table.shown?.();
    });
  }
  // The numbers of the range rings stay upright, and names keep clear of them and of the tools.
  const figures = () =>
    shows.rings && table.centred
      ? RANGES.map((r) => [r, ...table.px(table.centred()[0], table.centred()[1] - r)])
      : [];
  table.onview = () =>
    table.top.replaceChildren(
      ...figures().map(([r, x, y]) => el("text", { class: "ring-n", x, y: y + 4 }, String(r))),
    );
  table.keep = () => {
    const origin = table.svg.getBoundingClientRect();
    const tools = [...box.querySelectorAll(".tools, .keys")]
      .map((node) => node.getBoundingClientRect())
      .map((b) => [
        b.left - origin.left,
        b.top - origin.top,
        b.right - origin.left,
        b.bottom - origin.top,
      ]);
    return [...tools, ...figures().map(([, x, y]) => [x - 10, y - 8, x + 10, y + 8])];
  };
  return { data, table, shows, $, RANGES };
}

const path = (points) => `M${points.map((p) => p.map((n) => n.toFixed(2)).join(" ")).join("L")}`;
export const line = (cls, points) => el("path", { class: cls, d: path(points) });
export const trails = (data) =>
  [...data.own, ...data.contacts]
    .filter((one) => data.tracks[one.id])
    .map((one) => line(`trail seat-${one.seat}`, data.tracks[one.id]));

export const node = (name, props = {}, ...kids) => {
  const one = Object.assign(document.createElement(name), props);
  one.append(...kids);
  return one;
};

/** Fields that ask for a place of the table. */
export const PLACE = "input[placeholder='24 30']";

/** What is no move and no shot has a drawer of its own behind the ships: whole rows, and the fields of ships. None where it is empty. */
export function drawer(title, rows, more = 0) {
  const list = node(
    "ul",
    { className: "ships" },
    ...rows.map((one) => (one.matches("li") ? one : node("li", {}, one))),
  );
  const made =
    rows.length || more
      ? node(
          "details",
          { className: "drawer" },
          node("summary", { className: "b bare" }, title),
          list,
        )
      : null;
  if (made) {
    document.getElementById("ships").after(made);
  }
  return made;
}

/** Says beside the seal what is done without one: the captain's orders, which are those shown until something is changed. */
export function note(yours) {
  const [ifChanged, ifNot] = document.querySelectorAll("[data-captains]");
  if (!ifNot) {
    return;
  }
  ifChanged.hidden = !yours;
  ifNot.hidden = Boolean(yours);
}

/** One live region says what changed; a note on the table says it to who looks. */
export function say(text, warn) {
  const tell = document.getElementById("tell");
  document.getElementById("say").textContent = text;
  tell.hidden = !warn;
  tell.textContent = text;
}
