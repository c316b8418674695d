// What a browser keeps of a battle at a table until the site has it: entries that wait, and the plot that is typed and
// not yet sealed. Every tab of the browser has the same. What the browser has no room for stands on the page alone.

import { drop, isAbout, read, write } from "./kept.js";

const PREFIX = "table/";

/** The store of one reader and battle. */
export function store(name) {
  const place = PREFIX + name;
  const draft = `${place}/plot`;
  let loose = [];
  let full = false; // entries that the page alone has; the browser had no room the last time

  function stored(where, none) {
    return read(where) ?? none;
  }

  function put(where, value) {
    if (value === null) {
      drop(where);
    }
    full = value !== null && !write(where, value);
    return !full;
  }

  return {
    /** All that waits, [name, entry] each, the earliest first. */
    all: () => [...stored(place, []), ...loose],
    add(one) {
      const all = [...this.all(), one];
      loose = put(place, all) ? [] : [...loose, one];
    },
    drop(names) {
      const rest = this.all().filter(([key]) => !names.includes(key));
      if (put(place, rest.length ? rest : null)) {
        loose = [];
      } else {
        put(place, null);
        loose = rest;
        full = true;
      }
    },
    /** Whether something would be lost with the page. */
    unkept: () => full,
    plot: () => stored(draft, { turn: 0, orders: {} }),
    type: (turn, orders) => put(draft, { turn, orders }),
    forget() {
      if (stored(draft, null)) {
        put(draft, null);
      }
    },
    /** Whether a change in the browser's store is about this one. */
    is: (key) => isAbout(place, key),
  };
}
