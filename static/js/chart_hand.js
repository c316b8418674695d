// What mouse, fingers and keys do to a star map: they move it, come nearer, point to a hex, draw a flag to where it goes. Fetched
// with the first touch.

import { hexAt, label, neighbour, round, spot } from "./hex.js";

const SVG = "http://www.w3.org/2000/svg";
const DRAG = 6;
const TREMBLE = 10; // pixels a mouse, and a finger or a pen, strays before it is no click
const REST = 500; // milliseconds after which a finger or a pen at rest asks for the list of its hex
const NEARER = 0.6; // the zoom at which a cluster parts
const STILL = 90; // milliseconds of rest after which it is laid out again
const CHEAP = 8; // milliseconds that laying out may take while the map is drawn along

/** The hand of a map: takes its pointers' events, its wheel's and its keys'. */
export function hand(map) {
  const { svg, host, chart } = map;
  const fingers = new Map();
  let far = 0;
  let from = null;
  let strayed = false;
  let resting = 0;
  let held = false;
  let grab = null;
  let touched = null;
  let aim = null;
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const hexOf = (event) => {
    const [x, y] = at(event);
    return hexAt((x - map.x) / map.k, (y - map.y) / map.k, chart.columns, chart.rows);
  };
  /** Where laying out takes long, a pan moves the layers as they are; they are laid out again at rest. */
  function slide() {
    map.place();
    map.over.setAttribute(
      "transform",
      `translate(${round(map.x - map.laid[0])} ${round(map.y - map.laid[1])})`,
    );
    clearTimeout(map.rest);
    map.rest = setTimeout(() => map.hold(), STILL);
  }
  const over = (hex, key) => {
    if (hex !== map.hover) {
      map.hover = hex;
      map.shade();
      map.look(hex, key);
    }
  };
  const acts = {
    pointerdown(event) {
      if (event.button) {
        return;
      }
      fingers.set(event.pointerId, at(event));
      clearTimeout(resting);
      far = 0;
      grab = touched = null;
      if (fingers.size !== 1) {
        strayed = true;
        return;
      } // two fingers choose nothing
      from = at(event);
      strayed = held = false;
      if (event.pointerType !== "mouse" && map.list) {
        resting = setTimeout(() => acts.contextmenu(event), REST);
      }
      touched = event.target.closest?.("[data-hex]")?.dataset;
      if (map.drags && touched?.key && event.target.closest(".flag")) {
        grab = touched;
      }
    },
    pointermove(event) {
      if (!fingers.has(event.pointerId)) {
        return over(hexOf(event));
      }
      const now = at(event);
      const was = fingers.get(event.pointerId);
      fingers.set(event.pointerId, now);
      strayed ||=
        Math.hypot(now[0] - from[0], now[1] - from[1]) >=
        (event.pointerType === "mouse" ? DRAG : TREMBLE);
      if (held || !strayed) {
        return;
      }
      clearTimeout(resting);
      svg.classList.add("dragging");
      if (grab) {
        // a flag drawn to where it goes
        over(hexOf(event), grab.key);
        const [x, y] = map.at(grab.hex);
        aim ??= svg.appendChild(document.createElementNS(SVG, "path"));
        aim.setAttribute("class", "aim");
        aim.setAttribute("d", `M${x} ${y}L${now[0]} ${now[1]}`);
        return;
      }
      if (fingers.size === 2) {
        const [a, b] = [...fingers.values()];
        const apart = Math.hypot(a[0] - b[0], a[1] - b[1]);
        if (far) {
          map.zoom(apart / far, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
        }
        far = apart;
      }
      map.x += (now[0] - was[0]) / fingers.size;
      map.y += (now[1] - was[1]) / fingers.size;
      map.moved = true;
      if (map.cost > CHEAP && fingers.size === 1) {
        slide();
      } else {
        map.hold();
      }
    },
    pointerup(event) {
      if (!fingers.delete(event.pointerId)) {
        return;
      }
      clearTimeout(resting);
      svg.classList.remove("dragging");
      aim?.remove();
      aim = null;
      if (event.type !== "pointerup" || held) {
        return;
      }
      if (grab && strayed) {
        const onto = document
          .elementFromPoint(event.clientX, event.clientY)
          ?.closest("g.flag")?.dataset; // flags stand beside their hexes
        map.pick({
          hex: onto?.hex ?? hexOf(event),
          key: null,
          shift: event.shiftKey,
          drop: grab.key,
          onto: onto?.key,
        });
      } else if (!strayed && !fingers.size) {
        host.focus({ preventScroll: true });
        if (touched?.cluster !== undefined) {
          map.go(touched.hex, Math.max(2 * map.k, NEARER));
        } else {
          map.pick({
            hex: touched?.hex ?? hexOf(event),
            key: touched?.key ?? null,
            shift: event.shiftKey,
          });
        }
      }
    },
    /** The list of a hex: by the other button, or a finger at rest, whose browser may say so, too. */
    contextmenu(event) {
      if (fingers.size && (held || strayed)) {
        return;
      }
      held = fingers.size > 0;
      map.list(event);
    },
    pointerleave() {
      map.hover = null;
      map.shade();
      map.look(null);
    },
    wheel: (event) => map.zoom(Math.exp(-event.deltaY * 0.0016), at(event)),
    /** Arrow keys walk from hex to hex: left and right alternate, so that a row stays a row. With Shift four at a time. */
    keydown(event) {
      const from =
        map.cursor ??
        map.data.start ??
        label(Math.ceil(chart.columns / 2), Math.ceil(chart.rows / 2));
      const step = (hex) => {
        const odd = spot(hex)[0] % 2;
        return { ArrowUp: 4, ArrowDown: 1, ArrowRight: odd ? 0 : 5, ArrowLeft: odd ? 2 : 3 }[
          event.key
        ];
      };
      if (step(from) !== undefined) {
        let to = from;
        for (let n = 0; n < (event.shiftKey ? 4 : 1); n++) {
          const next = neighbour(to, step(to));
          if (map.has(next)) {
            to = next;
          }
        }
        map.walk(to);
      } else if (event.key === "Enter" || event.key === " ") {
        map.pick({ hex: from, key: null, shift: event.shiftKey, typed: true });
      } else if (event.key === "+" || event.key === "=") {
        map.zoom(1.35, map.at(from));
      } else if (event.key === "-") {
        map.zoom(1 / 1.35, map.at(from));
      } else {
        map.fit();
      }
    },
  };
  acts.pointercancel = acts.pointerup;
  return (event) => acts[event.type](event);
}
