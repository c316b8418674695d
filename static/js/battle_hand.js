// What mouse, fingers and keys do to a table: they move it, come nearer, hold what may be dragged, touch. Fetched with the first of them.

const STEP = 60; // pixels by an arrow
const MOVES = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

/** The hand of a table: takes its pointers' events, its wheel's and its keys'. */
export function hand(table) {
  const { svg } = table;
  const fingers = new Map();
  let drag = null;
  let from = null;
  let moved = 0;
  let spread = 0;
  const at = (e) => {
    const box = svg.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  };
  const id = (e) => e.target.closest?.(".mark")?.dataset.id;
  const acts = {
    wheel: (e) => table.zoom(Math.exp(-e.deltaY * (e.ctrlKey ? 0.01 : 0.0016)), ...at(e)),
    pointerdown(e) {
      if (e.button) {
        return;
      }
      fingers.set(e.pointerId, at(e));
      from = at(e);
      moved = 0;
      const hit = id(e);
      drag =
        fingers.size === 1
          ? { id: hit, own: table.ondrag?.(hit, "start", table.mu(...at(e))) }
          : null;
      spread = 0;
      if (!drag?.own) {
        svg.classList.add("grabbing");
      }
    },
    pointermove(e) {
      if (!fingers.has(e.pointerId)) {
        table.onhover?.(id(e), at(e));
        return;
      }
      const [x0, y0] = fingers.get(e.pointerId);
      const [x, y] = at(e);
      fingers.set(e.pointerId, [x, y]);
      moved = Math.max(moved, Math.hypot(x - from[0], y - from[1])); // how far it strayed: fingers and pens tremble
      if (fingers.size === 2) {
        const [[ax, ay], [bx, by]] = fingers.values();
        const now = Math.hypot(ax - bx, ay - by);
        table.tx += (x - x0) / 2;
        table.ty += (y - y0) / 2;
        if (spread) {
          table.zoom(now / spread, (ax + bx) / 2, (ay + by) / 2);
        }
        spread = now;
      } else if (drag?.own) {
        table.ondrag(drag.id, "move", table.mu(x, y));
      } else if (drag && moved > 4) {
        table.pan(x - x0, y - y0);
      }
    },
    pointerup(e) {
      if (!fingers.delete(e.pointerId)) {
        return;
      }
      svg.classList.remove("grabbing");
      if (drag?.own) {
        table.ondrag(drag.id, "end", table.mu(...at(e)), moved);
      }
      if (drag && moved <= (e.pointerType === "mouse" ? 6 : 10) && e.type === "pointerup") {
        touch(table, drag.id, table.mu(...at(e)), e);
      }
      drag = null;
    },
  };
  acts.pointercancel = acts.pointerup;
  const nearer = () => table.zoom(1.3);
  const farther = () => table.zoom(1 / 1.3);
  const keys = {
    z: nearer,
    "+": nearer,
    x: farther,
    "-": farther,
    f: () => table.fit(),
    async t() {
      if (table.aim) {
        (await table.aim()).cursor(table, touch);
      }
    },
  };
  acts.keydown = (e) => {
    const act = keys[e.key.toLowerCase()];
    if (act) {
      act();
    } else {
      table.pan(...MOVES[e.key]);
    }
  };
  return (e) => acts[e.type](e);
}

/** A touch of the table, by whatever it was touched: something that asks for a place has it. */
function touch(table, id, at, e) {
  if (table.asked) {
    table.asked.take(id, at);
  } else {
    table.ontap(id, at, e);
  }
}
