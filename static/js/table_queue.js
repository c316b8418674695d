// What a browser keeps of a battle at a table until the site has it: entries that wait, and the
// plot that is typed and not yet sealed. Every tab of the browser has the same. What the browser
// has no room for is held by the page alone.

import { drop, isChangeOf, read, write } from "./browser_storage.js";

const PREFIX = "table/";

/**
 * Return the store of one reader and battle.
 * @param {string} name
 */
export function store(name) {
  const place = PREFIX + name;
  const draft = `${place}/plot`;
  /** @type {QueuedEntry[]} */
  let unkept = []; // entries that the page alone has
  let isFull = false; // whether the browser had no room the last time

  /**
   * @param {string} key
   * @param {unknown} value null removes it
   */
  function put(key, value) {
    if (value === null) {
      drop(key);
    }
    isFull = value !== null && !write(key, value);
    return !isFull;
  }

  /** @returns {QueuedEntry[]} all that waits, the earliest first */
  const all = () => [...(read(place) ?? []), ...unkept];

  return {
    all,
    /** @param {QueuedEntry} entry */
    add(entry) {
      unkept = put(place, [...all(), entry]) ? [] : [...unkept, entry];
    },
    /** @param {string[]} names */
    drop(names) {
      const rest = all().filter(([key]) => !names.includes(key));
      if (put(place, rest.length ? rest : null)) {
        unkept = [];
        return;
      }
      put(place, null);
      unkept = rest;
      isFull = true;
    },
    /** Say whether something would be lost with the page. */
    unkept: () => isFull,
    /** @returns {{turn: number, orders: Record<string, string>}} */
    plot: () => read(draft) ?? { turn: 0, orders: {} },
    /**
     * @param {number} turn
     * @param {Record<string, string>} orders
     */
    type: (turn, orders) => put(draft, { turn, orders }),
    forget() {
      if (read(draft)) {
        put(draft, null);
      }
    },
    /**
     * Say whether a change in the browser's storage is about this battle.
     * @param {string | null} key
     */
    is: (key) => isChangeOf(place, key),
  };
}
