// Cards of launchers, of what craft launch, of missiles with a further stage and of boarders, beside the plots: what is left, how far it
// goes, whom or what place it is for. A card writes the form's fields, or its ship's order; these alone are read.

import { ring } from "./battle_arcs.js";
import { line, node } from "./battle_look.js";
import { place, written } from "./battle_places.js";
import { leg } from "./battle_rules.js";
import { el } from "./battle_table.js";
import { phrase } from "./phrase.js";

const SHIPS = 3; // that have buttons, the nearest; others are touched on the table
const ALONGSIDE = 3;
const HARD = 8; // MU; the most that anybody may change his velocity by

const mu = (n) => Number(n.toFixed(1));
const marinesOf = (n) => phrase`${n} {:marine|marines}`;
const partiesOf = (n) => phrase`${n} {:party|parties}`;

/** The cards that `data` has, put into the list by `kit` (`battle_craft.js`). */
export function launches(kit) {
  const { data, list } = kit;
  const cards = data.launches.map((one) => launch(kit, one, () => cards));
  if (cards.length) {
    list.append(kit.head(phrase`Launches`), ...cards.map((card) => card.row));
  }
  for (const of of new Set(data.launches.map((one) => one.of))) {
    // the plain fields stay, behind the last card of whose they are
    const last = cards.filter((card) => card.of === of).at(-1).row;
    const row = [...list.children].find(
      (one) =>
        (one.dataset.row ?? "").replace(/\/load$/, "") === of && !data.craft[one.dataset.row],
    );
    const box =
      row?.querySelector(".fields") ?? list.querySelector(`.fields[data-of="${CSS.escape(of)}"]`);
    if (!box) {
      continue;
    }
    for (const fault of row?.querySelectorAll(".fault") ?? []) {
      last.append(fault);
    }
    box.dataset.of = of;
    box.querySelector("summary").firstChild.textContent = phrase`All fields`;
    const was = box.parentNode;
    last.append(box);
    was.remove();
  }
  const boards = Object.entries(data.boarders)
    .map((one) => boarders(kit, ...one))
    .filter(Boolean);
  if (boards.length) {
    list.append(kit.head(phrase`Boarding`), ...boards.map((card) => card.row));
  }
  return [...cards, ...boards];
}

function launch(kit, one, others) {
  const { field, change, button, ask } = kit;
  const get = (what) => (one[what] ? field(one[what]) : null);
  const value = (what) => get(what)?.value.trim() ?? "";
  const from = [one.x, one.y];
  const row = kit.row(one.name, one.type);
  const acts = row.querySelector(".acts");
  const load = () => one.loads.find(([grade]) => grade === value("load")) ?? one.loads[0];
  const reach = () => load().slice(2);
  const [left, salvo] = one.many ?? [];
  const whom = (id) =>
    one.targets.find(([each]) => each === id)?.[1] ?? get("prey").selectedOptions[0]?.text ?? id;
  // several places, each with so many rounds: "24 30 3; 26 32 3"
  const several = one.many && one.aim;
  const places = () =>
    value("aim")
      .split(";")
      .map((part) => part.match(/-?[\d.]+/g)?.map(Number))
      .filter((at) => at?.length > 1);
  const used = (list) => list.reduce((all, [, , n]) => all + (n ?? salvo), 0);
  const put = (list) =>
    change(get("aim"), list.map(([x, y, n]) => `${written([x, y])}${n ? ` ${n}` : ""}`).join("; "));

  const idle = !one.aim && one.targets?.length === 0; // there is nobody that it reaches
  if (one.why || (idle && !value("prey"))) {
    acts.remove();
  } else {
    if (one.aim) {
      acts.append(button("aim", phrase`Aim at…`));
    }
    if (one.loads.length > 1) {
      for (const [grade, , least, most] of one.loads) {
        const b = button(
          "load",
          least ? phrase`${grade}, ${least} to ${most} MU` : phrase`${grade}, ${most} MU`,
        );
        b.dataset.on = grade;
        acts.append(b);
      }
    }
    if (one.fuse) {
      acts.append(button("fuse", phrase`Goes off there`));
    }
    for (const [id, name, far] of (one.targets ?? []).slice(0, SHIPS)) {
      const b = button(
        "prey",
        one.aim ? phrase`Shaped, at ${name}, ${far} MU` : phrase`At ${name}, ${far} MU`,
      );
      b.dataset.on = id;
      acts.append(b);
    }
    if ((one.targets?.length ?? 0) > SHIPS) {
      acts.append(button("pick", phrase`At another…`));
    }
    if (one.many) {
      acts.append(kit.stepper("many", phrase`Rounds`));
    }
    if (Object.keys(one.captain).length) {
      acts.append(button("captain", phrase`Captain’s`));
    }
    acts.append(button("hold", phrase`Hold`));
  }
  const clear = (...but) => {
    for (const what of ["aim", "prey", "rounds"]) {
      if (one[what] && !but.includes(what) && value(what)) {
        change(get(what), "");
      }
    }
  };
  const want = (by) => ({
    by,
    name: one.name,
    from,
    reach: reach(),
    arcs: one.arcs,
    turn: one.turn,
    ahead: true,
  });
  const set = (id) => {
    const again = value("prey") === id;
    clear("prey");
    change(get("prey"), again ? "" : id);
    if (!again && one.many && !value("rounds")) {
      change(get("rounds"), String(salvo));
    }
  };
  const does = {
    aim(by, keys) {
      const list = several ? places() : [];
      if (several && used(list) >= left) {
        return kit.tell(phrase`${one.name}: none is left for a further place`, true);
      }
      return ask(
        {
          ...want(by),
          value: several ? null : place(value("aim")),
          put: (at) => {
            if (several) {
              put([...list, [...at, Math.min(salvo, left - used(list))]]);
            } else {
              if (one.prey) {
                clear("aim");
              }
              change(get("aim"), written(at));
            }
            kit.tell(phrase`${one.name}: ${said().join(", ")}`);
          },
        },
        keys,
      );
    },
    load: (by) => change(get("load"), value("load") === by.dataset.on ? "" : by.dataset.on),
    fuse() {
      get("fuse").checked = !get("fuse").checked;
      change(get("fuse"), get("fuse").value);
    },
    prey: (by) => set(by.dataset.on),
    pick: (by, keys) =>
      ask(
        {
          ...want(by),
          aims: one.targets.map(([id]) => id),
          put: (at, id) => {
            const may = one.targets.some(([each]) => each === id);
            if (may) {
              set(id);
            }
            kit.tell(
              may ? phrase`${one.name}: ${said().join(", ")}` : phrase`It cannot be fired at that`,
              !may,
            );
            return true;
          },
        },
        keys,
      ),
    many(by) {
      const step = Number(by.dataset.on);
      const list = several ? places() : [];
      if (several && !list.length) {
        return;
      }
      const last = list.at(-1);
      const now = several ? (last[2] ?? salvo) : Number(value("rounds")) || 0;
      const free = several ? left - used(list.slice(0, -1)) : left;
      const next = Math.max(0, Math.min(salvo, free, now + step));
      if (several) {
        put(next ? [...list.slice(0, -1), [last[0], last[1], next]] : list.slice(0, -1));
      } else {
        change(get("rounds"), next ? String(next) : "");
      }
    },
    captain() {
      for (const what of ["load", "aim", "prey", "rounds"]) {
        if (one[what]) {
          change(
            get(what),
            one.captain[one[what]] ?? (get(what).options ? get(what).options[0].value : ""),
          );
        }
      }
      if (one.fuse) {
        get("fuse").checked = Boolean(one.captain[one.fuse]);
        change(get("fuse"), get("fuse").value);
      }
    },
    hold() {
      clear();
      if (one.fuse) {
        get("fuse").checked = false;
      }
    },
  };
  function said() {
    const fuse = get("fuse")?.checked ? [phrase`goes off there`] : [];
    if (several) {
      return places().map(([x, y, n]) => phrase`${n ?? salvo} at ${written([x, y])}`);
    }
    if (value("prey")) {
      return [
        one.aim ? phrase`shaped, at ${whom(value("prey"))}` : phrase`at ${whom(value("prey"))}`,
        ...(value("rounds") ? [phrase`${Number(value("rounds"))} {:round|rounds}`] : []),
      ];
    }
    if (value("aim")) {
      return [
        one.loads.length > 1 ? phrase`${load()[0]} at ${value("aim")}` : phrase`at ${value("aim")}`,
        ...fuse,
      ];
    }
    return value("rounds") ? [phrase`${Number(value("rounds"))} dropped`] : [];
  }
  const draws = () => (one.holds && value("aim") ? `${one.holds} ${load()[0]}` : "");
  const taken = (grade) =>
    one.holds ? others().filter((card) => card.draws() === `${one.holds} ${grade}`).length : 0; // by this one, too
  const stock = () =>
    one.loads
      .filter(([, n]) => n)
      .map(([grade, n]) =>
        one.many
          ? phrase`${n} left`
          : taken(grade)
            ? phrase`${n} ${grade}, ${Math.min(n, taken(grade))} {:is|are} launched`
            : phrase`${n} ${grade}`,
      )
      .join(phrase`; `);
  const short = () =>
    draws() && taken(load()[0]) > load()[1]
      ? node("span", { className: "pill heed" }, phrase`its magazine has no more`)
      : "";
  return {
    key: `${one.of}:${one.name}`,
    of: one.of,
    row,
    draws,
    name: one.name,
    from: () => from,
    does,
    said,
    about: () => [
      one.why ? node("span", { className: "pill heed" }, one.why) : "",
      short(),
      stock(),
      one.why
        ? ""
        : node(
            "span",
            {},
            reach()[0]
              ? phrase`${mu(reach()[0])} to ${mu(reach()[1])} MU`
              : reach()[1]
                ? phrase`${mu(reach()[1])} MU`
                : "",
          ),
    ],
    none: one.why ? "" : idle ? phrase`nothing in reach` : phrase`not launched`,
    pressed: ({ act, on }) =>
      ({
        load: () => load()[0] === on && Boolean(value("load")),
        fuse: () => get("fuse").checked,
        prey: () => value("prey") === on,
      })[act]?.(),
    counts: () =>
      several
        ? (places().at(-1)?.[2] ?? (places().length ? salvo : 0))
        : Number(value("rounds")) || 0,
    mine: () =>
      ["aim", "load", "prey", "rounds"].some(
        (what) => one[what] && value(what) !== (one.captain[one[what]] ?? ""),
      ) || Boolean(one.fuse && get("fuse").checked !== Boolean(one.captain[one.fuse])),
    fields: [one.aim],
    reach: () => ({ reach: reach(), arcs: one.arcs, turn: one.turn }),
    drawn(seat, held) {
      const out = several
        ? places().flatMap(([x, y]) => [
            line(`plan ${seat}`, [from, [x, y]]),
            el("circle", { class: "place", cx: x, cy: y, r: 0.3 }),
          ])
        : [];
      const prey = value("prey") && kit.at(value("prey"));
      if (prey) {
        out.push(kit.landing(seat, [from, prey]));
      }
      return held && !one.why
        ? [
            ...out,
            ...reach()
              .filter(Boolean)
              .map((r) => ring(from, r)),
          ]
        : out;
    },
  };
}

/** Whom a ship sends aboard another where its move ends alongside: a word of its order. */
function boarders(kit, id, { name, marines, parties, targets }) {
  const { button, data, textOf, write, end } = kit;
  const row = kit.row(name, "marines");
  const acts = row.querySelector(".acts");
  const parts = () =>
    textOf(id)
      .split(";")
      .map((part) => part.trim())
      .filter(Boolean);
  const ours = (part) => /^board\b/i.test(part);
  const read = (part) => {
    const [, to, m = 0, p = 0] = part?.split(/[\s,]+/) ?? [];
    return to ? { to, m: Number(m), p: Number(p) } : null;
  };
  const said = () => read(parts().find(ours));
  const captains = read(
    kit.ships
      .get(id)
      .captain.split(";")
      .map((part) => part.trim())
      .find(ours),
  );
  const foe = (to) => data.contacts.find((one) => one.id === to);
  const gap = (to) => {
    const [x, y] = leg({ ...foe(to), v: foe(to).v ?? 0 }).path.at(-1);
    const at = end(id).path.at(-1);
    return Math.hypot(x - at[0], y - at[1]);
  };
  const ship = kit.ships.get(id);
  const comes = ({ x, y, v }) =>
    Math.hypot(x - ship.x, y - ship.y) <= ship.v + ship.main + (v ?? HARD) + HARD + ALONGSIDE;
  const near = targets.filter((to) => foe(to) && comes(foe(to))).sort((a, b) => gap(a) - gap(b));
  if (!near.length && !said()) {
    return null;
  } // nobody comes near enough this turn
  const put = (one) => {
    write(
      id,
      [
        ...parts().filter((part) => !ours(part)),
        ...(one ? [`board ${one.to} ${one.m}${one.p ? ` ${one.p}` : ""}`] : []),
      ].join("; "),
    );
  };
  const set = (to) =>
    put(said()?.to === to ? null : { m: marines, p: marines ? 0 : 1, ...said(), to });
  for (const to of near.slice(0, SHIPS)) {
    const b = button("whom", foe(to).name);
    b.dataset.on = to;
    acts.append(b);
  }
  if (near.length > SHIPS) {
    acts.append(button("pick", phrase`Another…`));
  }
  acts.append(
    ...[
      ["m", phrase`Marines`, marines],
      ["p", phrase`Parties`, parties],
    ]
      .filter(([, , most]) => most)
      .map(([key, words]) => kit.stepper(key, words)),
    button("hold", phrase`Nobody`),
  );
  const step = (key, most) => (by) => {
    // one at least goes aboard
    const now = said();
    const next = now && {
      ...now,
      [key]: Math.max(0, Math.min(most, now[key] + Number(by.dataset.on))),
    };
    if (!now) {
      kit.tell(phrase`${name}: say first aboard whom`, true);
    } else if (next.m || next.p) {
      put(next);
    }
  };
  function told() {
    const now = said();
    const to = now && (foe(now.to)?.name ?? now.to);
    if (!now) {
      return [];
    }
    return [
      now.m && now.p
        ? phrase`${marinesOf(now.m)} and ${partiesOf(now.p)} aboard ${to}`
        : phrase`${now.m ? marinesOf(now.m) : partiesOf(now.p)} aboard ${to}`,
    ];
  }
  return {
    key: `${id}:board`,
    of: id,
    ship: id,
    row,
    name,
    from: () => end(id).path.at(-1),
    said: told,
    none: phrase`nobody`,
    mine: () => JSON.stringify(said()) !== JSON.stringify(captains),
    does: {
      whom: (by) => set(by.dataset.on),
      m: step("m", marines),
      p: step("p", parties),
      hold: () => put(null),
      pick: (by, keys) =>
        kit.ask(
          {
            by,
            name,
            from: end(id).path.at(-1),
            aims: targets,
            put: (at, to) => {
              if (targets.includes(to)) {
                set(to);
              } else {
                kit.tell(phrase`That cannot be boarded`, true);
              }
              return true;
            },
          },
          keys,
        ),
    },
    about() {
      const to = said()?.to;
      const there = foe(to);
      const go = end(id);
      if (!there || there.v === null) {
        return [`${marinesOf(marines)}, ${partiesOf(parties)}`];
      }
      const alike = go.course === there.course && go.v === there.v;
      const well = gap(to) <= ALONGSIDE && alike;
      return [
        node(
          "span",
          { className: `pill${well ? "" : " heed"}` },
          alike
            ? phrase`if it flies on: ${mu(gap(to))} of ${ALONGSIDE} MU, same course and velocity`
            : phrase`if it flies on: ${mu(gap(to))} of ${ALONGSIDE} MU, C${go.course} V${go.v}, it C${there.course} V${there.v}`,
        ),
      ];
    },
    pressed: ({ act, on }) => (act === "whom" ? said()?.to === on : undefined),
    counts: (key) => said()?.[key] ?? 0,
    drawn(seat, held) {
      const to = said()?.to;
      const there = foe(to);
      if (!there) {
        return [];
      }
      const at = leg({ ...there, v: there.v ?? 0 }).path.at(-1);
      return [kit.landing(seat, [end(id).path.at(-1), at]), ...(held ? [ring(at, ALONGSIDE)] : [])];
    },
  };
}
