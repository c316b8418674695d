// A cursor on the table for whoever has no pointer: arrows move it by 1 MU, with Shift by 6; Space goes from ship to ship; Enter is a touch
// of the table where it stands. It says how far it is from whom it is for, and whether that is in reach. Fetched with its first use.

import { line, node as html, say } from "./battle_look.js";
import { ask, judged } from "./battle_places.js";
import { COURSES, el } from "./battle_table.js";
import { number, phrase } from "./phrase.js";

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const STEP = 1;
const STRIDE = 6;
const MARGIN = 48;
const CLOSE = 12; // MU, MU, pixels to the edge of what is shown, MU within which a ship is told of
const HINT = phrase`Arrows: 1 MU, with Shift 6. Space: next ship. End: as far as it reaches. Enter: here. Escape: leave.`;
let leave = null;

/** A cursor for what asks for a place, or else for the ship or group in hand. `touch(table, id, at)`: a touch there. */
export function cursor(table, touch) {
  leave?.();
  const back = document.activeElement;
  const node = el(
    "g",
    {
      class: "cursor",
      tabindex: 0,
      role: "button",
      "aria-roledescription": phrase`cursor`,
      "aria-label": phrase`Cursor. ${HINT}`,
    },
    el("circle", { class: "halo", r: 17 }),
    el("path", { class: "edge", d: "M-13 0H-4M4 0H13M0 -13V-4M0 4V13" }),
    el("path", { d: "M-13 0H-4M4 0H13M0 -13V-4M0 4V13" }),
    el("circle", { r: 2 }),
    el("text", { x: 16, y: -14 }),
  );
  const way = table.world.appendChild(el("g", { class: "cursor-way" }));
  const { onview: seen, keep } = table;
  const [label] = node.querySelectorAll("text");
  const whom = () =>
    table.asked ??
    table.about?.() ?? {
      name: document.getElementById("helm-name").textContent,
      from: table.centred(),
    };
  let at = (whom().value ?? whom().from).map((n) => Math.round(n * 10) / 10);
  let on;
  let named = "";

  /** How far it is and why it is out of reach: of a ship on which it stands by who may be aimed at, where somebody aims. */
  function judge() {
    const one = whom();
    const [words, why] = judged(one, at);
    const foe = one.aims && / foe\b/.test(table.marks.get(on)?.cls);
    return foe
      ? [words, one.aims.includes(on) ? "" : phrase`out of reach`, true]
      : [words, why, Boolean(one.reach)];
  }
  /** Where it may go by Space: all that is on the table, and where others come to if they fly on, the nearest first. */
  function spots() {
    const { from, ahead } = whom();
    const found = [];
    for (const one of table.marks.values()) {
      if (one.hidden) {
        continue;
      }
      const own = one.id.endsWith("*") && table.marks.get(one.id.slice(0, -1));
      found.push({
        id: one.id,
        name: own ? phrase`${own.name}, end of its move` : one.name || one.label,
        x: one.x,
        y: one.y,
      });
      if (ahead && one.v && / foe\b/.test(one.cls)) {
        const [x, y] = COURSES[one.course];
        found.push({
          name: phrase`${one.name}, if it flies on`,
          x: one.x + one.v * x,
          y: one.y + one.v * y,
        });
      }
    }
    for (const one of table.spots ?? []) {
      found.push({ name: one.words, x: one.x, y: one.y });
    }
    const far = ({ x, y }) => Math.hypot(x - from[0], y - from[1]);
    const { aims } = table.asked ?? {}; // a ship is asked for, and no place
    return found
      .filter((one) => (aims ? aims.includes(one.id) : far(one) > 0.05))
      .sort((a, b) => far(a) - far(b));
  }
  function told(first) {
    const [words, why, says] = judge();
    const near = spots()
      .map((one) => [Math.hypot(one.x - at[0], one.y - at[1]), one])
      .sort(([a], [b]) => a - b)[0];
    const reach = says ? why || phrase`within reach` : "";
    const beside =
      !named && near?.[0] <= CLOSE ? phrase`${number(near[0], 1)} MU from ${near[1].name}` : "";
    say(
      [
        ...(first ? [whom().name] : []),
        named || at.map((n) => Math.round(n * 10) / 10).join(", "),
        words,
        reach,
        beside,
      ]
        .filter(Boolean)
        .join(phrase`; `),
    );
    const tell = document.getElementById("tell");
    tell.hidden = false;
    tell.replaceChildren(
      html("b", {}, whom().name ?? ""),
      ` ${document.getElementById("say").textContent} `,
      html("span", { className: "keyed" }, HINT),
    );
  }
  function drawn() {
    const [words, why] = judge();
    const [x, y] = table.px(...at);
    node.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    node.classList.toggle("bad", Boolean(why));
    label.replaceChildren(el("tspan", {}, words), why ? el("tspan", { x: 16, dy: 14 }, why) : "");
    label.setAttribute("text-anchor", x > table.width - 220 ? "end" : "start");
    for (const part of [label, ...label.children]) {
      if (part.hasAttribute("x")) {
        part.setAttribute("x", x > table.width - 220 ? -16 : 16);
      }
    }
    way.replaceChildren(line("plan chosen drift", [whom().from, at]));
  }
  function go(to, spot = {}, first = false) {
    at = [Math.max(0, Math.min(table.w, to[0])), Math.max(0, Math.min(table.h, to[1]))];
    on = spot.id;
    named = spot.name ?? "";
    const [x, y] = table.px(...at);
    drawn();
    if (x < MARGIN || y < MARGIN || x > table.width - MARGIN || y > table.height - MARGIN) {
      table.centre(...at);
    } else {
      table.draw();
    }
    told(first);
  }
  function furthest() {
    // on the way it points to, else ahead
    const { from, reach, turn = 0 } = whom();
    const away = Math.hypot(at[0] - from[0], at[1] - from[1]);
    if (!reach) {
      return;
    }
    const [x, y] =
      away > 0.05 ? [(at[0] - from[0]) / away, (at[1] - from[1]) / away] : COURSES[turn % 12];
    const far = reach[1] - 0.1; // written to a tenth, still in reach
    go([Math.round((from[0] + x * far) * 10) / 10, Math.round((from[1] + y * far) * 10) / 10]);
  }
  function step(by) {
    const list = spots();
    const now = list.findIndex(
      (one) => Math.hypot(one.x - at[0], one.y - at[1]) < 0.06 && (!named || one.name === named),
    );
    const one =
      list[now < 0 ? (by > 0 ? 0 : list.length - 1) : (now + by + list.length) % list.length];
    if (one) {
      go([one.x, one.y], one);
    }
  }
  function enter() {
    const asked = table.asked;
    touch(table, on, at);
    if (asked) {
      leave?.();
    } else {
      drawn();
    }
  }
  const keys = {
    " ": (e) => step(e.shiftKey ? -1 : 1),
    Home: () => go(whom().from),
    End: furthest,
    Enter: enter,
    Escape: () => {
      leave?.();
      ask(table, null);
      say(phrase`The cursor is gone`);
    },
  };
  function key(e) {
    if (document.activeElement !== node || e.ctrlKey || e.metaKey || e.altKey) {
      return;
    }
    const move = WAYS[e.key];
    const by = e.shiftKey ? STRIDE : STEP;
    const act = move ? () => go([at[0] + move[0] * by, at[1] + move[1] * by]) : keys[e.key];
    if (!act) {
      return;
    }
    e.preventDefault();
    e.stopImmediatePropagation();
    act(e);
  }
  leave = () => {
    leave = null;
    removeEventListener("keydown", key, true);
    Object.assign(table, { onview: seen, keep });
    const held = document.activeElement === node;
    node.remove();
    way.remove();
    if (held) {
      back.focus();
    }
  };
  const mine = leave;
  node.addEventListener("blur", () => {
    if (leave === mine && document.hasFocus()) {
      leave();
      document.getElementById("tell").hidden = true;
    }
  });
  table.onview = (one) => {
    seen(one);
    drawn();
  };
  table.keep = () => {
    // names keep clear of it and of what it says
    const [x, y] = table.px(...at);
    const { width, height } = label.getBBox();
    return [
      ...keep(),
      [x - 16, y - 16, x + 16, y + 16],
      x > table.width - 220
        ? [x - 18 - width, y - 28, x - 14, y - 28 + height]
        : [x + 14, y - 28, x + 18 + width, y - 28 + height],
    ];
  };
  addEventListener("keydown", key, true);
  table.svg.append(node);
  node.focus({ preventScroll: true });
  go(at, {}, true);
}
