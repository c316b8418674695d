// What is done to the fire of ships: whom weapons aim at, the best of it, the captain's, which ship fires first. Fetched with the first act.

import { nameOf, restOf } from "./field.js";
import { phrase } from "./phrase.js";

const CHOICES = 3;
const words = (text) =>
  text
    .split(";")
    .map((part) => part.trim().split(/\s+/))
    .filter(([weapon]) => weapon);

/** The acts of a page, each on a ship. `fire`: what the page knows (`battle_fire.js`). */
export function acts({
  fields,
  form,
  list,
  boxes,
  ships,
  foes,
  rows,
  order,
  sum,
  say,
  field,
  usable,
  aimOf,
  fires,
  expects,
  settings,
  counts,
  far,
  arcOf,
  worth: told,
}) {
  const hidden = (id, name, value = "") => {
    const one = Object.assign(document.createElement("input"), { type: "hidden", name, value });
    boxes.get(id).append(one);
    return one;
  };
  const place = (id) => form.elements[nameOf(fields.order, id)]; // when it fires: who has nothing to fire has no number

  function aimAt(id, w, targets) {
    const [further] = document.getElementsByName(nameOf(fields.further, id, w.id));
    const rest = targets.slice(CHOICES).join(" ");
    for (let n = 0; n < CHOICES; n++) {
      const select = field(id, w.id, n) ?? hidden(id, nameOf(fields.target, id, w.id, n));
      const value = targets[n] ?? "";
      if (!select.options) {
        select.value = value;
        continue;
      }
      if (value && ![...select.options].some((one) => one.value === value)) {
        select.append(new Option(foes.get(value)?.name ?? value, value));
      }
      select.value = value;
    }
    if (further) {
      further.value = rest;
    } else if (rest) {
      hidden(id, nameOf(fields.further, id, w.id), rest);
    }
  }

  function aim(ship, guns, t) {
    const would = settings(ship, guns);
    for (const w of guns) {
      if (t && w.fc) {
        would.add(`${w.fc} ${t}`);
      }
    }
    if (t && guns.some((w) => w.fc) && would.size > ship.firecons) {
      say(phrase`No FireCon of ${ship.name} is free for that`, true);
      return;
    }
    for (const w of guns) {
      aimAt(
        ship.id,
        w,
        t
          ? [
              t,
              ...Object.keys(w.t)
                .filter((o) => o !== t)
                .sort((a, b) => w.t[b][1] - w.t[a][1]),
            ]
          : [],
      );
    }
    if (t) {
      say(
        phrase`${ship.name} → ${foes.get(t).name}: ${phrase`${told(foes.get(t), expects(ship, t))} to expect`}`,
      );
    }
  }

  const hold = (ship) => {
    for (const w of ship.weapons) {
      if (usable(ship.id, w)) {
        aimAt(ship.id, w, []);
      }
    }
  };

  return {
    aim,
    hold,

    /** So many of a group of weapons at a target, the rest of them at nobody. */
    some(ship, { gun, at: t }, n) {
      const [able, set] = counts(ship, gun, t);
      const many = n ?? (set.length === able.length ? 0 : able.length);
      aim(ship, set, null);
      if (many) {
        aim(ship, able.slice(0, many), t);
      }
    },

    all(ship, t) {
      const guns = ship.weapons.filter((w) => usable(ship.id, w) && w.t[t]);
      if (!guns.length) {
        say(phrase`Nothing of ${ship.name} bears on ${foes.get(t).name}`, true);
      } else {
        aim(ship, guns, guns.every((w) => aimOf(ship.id, w.id) === t) ? null : t);
      }
    },

    /** FireCons for the targets that take most, every weapon where it does most of these. */
    best(ship) {
      hold(ship);
      const worth = (t) =>
        sum(ship.weapons, (w) => (usable(ship.id, w) && w.fc ? (w.t[t]?.[1] ?? 0) : 0));
      const pick = [...foes.keys()]
        .filter(worth)
        .sort((a, b) => worth(b) - worth(a))
        .slice(0, ship.firecons);
      for (const w of ship.weapons.filter((one) => usable(ship.id, one))) {
        const t = (w.fc ? pick : Object.keys(w.t))
          .filter((o) => w.t[o])
          .sort((a, b) => w.t[b][1] - w.t[a][1])[0];
        if (t && (!w.fc || settings(ship, [w]).add(`${w.fc} ${t}`).size <= ship.firecons)) {
          aim(ship, [w], t);
        }
      }
    },

    captain(ship) {
      hold(ship);
      for (const [weapon, ...target] of words(ship.captain)) {
        const w = ship.weapons.find((one) => one.id === weapon);
        const { system, mode } = ship.details?.find((one) => one.weapon === weapon) ?? {};
        if (w && usable(ship.id, w)) {
          aimAt(ship.id, w, target);
        }
        for (const [what, value] of [
          [fields.system, [].concat(system ?? []).join(", ")],
          [fields.mode, mode ?? ""],
        ]) {
          const name = nameOf(what, ship.id, weapon);
          const input = form.elements[name] ?? (value && hidden(ship.id, name));
          if (input) {
            input.value = value;
          }
        }
      }
      say(phrase`${ship.name}: the captain's fire`);
    },

    /** A ship fires earlier or later than another: both change places. */
    shift(ship, by) {
      const i = order.indexOf(ship.id);
      const j = i + by;
      if (!order[j]) {
        return;
      }
      [order[i], order[j]] = [order[j], order[i]];
      const numbers = order
        .map((one) => Number(place(one).value))
        .filter(Boolean)
        .sort((a, b) => a - b);
      for (const one of order) {
        if (place(one).value) {
          place(one).value = numbers.shift();
        }
      }
      list.append(...order.map((one) => rows.get(one)));
      say(phrase`${ship.name} fires ${j + 1} of ${order.length}`);
    },

    /** Every ship that fires has a number, and no other. */
    places() {
      let last = Math.max(
        0,
        ...[...form.elements]
          .filter((one) => restOf(fields.order, one.name) !== null)
          .map((one) => Number(one.value)),
      );
      for (const id of order) {
        if (!fires(id)) {
          place(id).value = "";
        } else if (!place(id).value) {
          place(id).value = ++last;
        }
      }
    },

    /** The fields of a ship whose weapons the form does not show one by one, made of its text. */
    unfold(id) {
      const brief = form.elements[nameOf(fields.brief, id)];
      const ship = ships.get(id);
      const told = new Map(words(brief.value).map(([weapon, ...at]) => [weapon, at]));
      const named = [...told.keys()];
      for (const w of [
        ...named,
        ...ship.weapons
          .filter((one) => one.ok && Object.keys(one.t).length && !told.has(one.id))
          .map((one) => one.id),
      ]) {
        const at = told.get(w) ?? [];
        if (told.has(w) && !at.length) {
          hidden(id, nameOf(fields.target, id, w), "on");
        } else {
          for (let n = 0; n < Math.max(1, Math.min(CHOICES, at.length)); n++) {
            hidden(id, nameOf(fields.target, id, w, n), at[n]);
          }
        }
        if (at.length > CHOICES) {
          hidden(id, nameOf(fields.further, id, w), at.slice(CHOICES).join(" "));
        }
      }
      brief.remove();
    },

    /** What is said of a target beneath the pointer. */
    told(ship, c) {
      const mine = ship.weapons.filter((w) => usable(ship.id, w) && w.t[c.id]);
      return phrase`${c.name}: ${far(ship, c).toFixed(0)} MU, arc ${arcOf(ship, c)}, ${
        mine.length
          ? phrase`${told(
              c,
              sum(mine, (w) => w.t[c.id][1]),
            )} to expect of all that bears`
          : phrase`nothing bears`
      }`;
    },
  };
}
