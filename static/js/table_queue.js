// Stores in the browser what the site does not have yet of a battle at a table: the queue of unsent
// entries, and the plot while it is typed. All tabs of the browser share it. If the browser has no
// room, this page holds the entries in memory.

import { drop, isChangeOf, read, write } from "./browser_storage.js";

const PREFIX = "table/";

/**
 * Return the store of one reader and battle.
 * @param {string} name the reader and the battle
 */
export function openStore(name) {
  const queueKey = PREFIX + name;
  const plotKey = `${queueKey}/plot`;
  /** @type {QueuedEntry[]} */
  let onlyInPage = []; // entries that the browser had no room for
  let isFull = false; // whether the browser had no room at the last attempt

  /**
   * Store a value, and note whether the browser has room for it.
   * @param {string} key
   * @param {unknown} value null deletes it
   */
  function put(key, value) {
    if (value === null) {
      drop(key);
    }
    isFull = value !== null && !write(key, value);
    return !isFull;
  }

  /** @returns {QueuedEntry[]} all unsent entries, the earliest first */
  const queue = () => [...(read(queueKey) ?? []), ...onlyInPage];

  return {
    queue,
    /**
     * Append an entry to the queue.
     * @param {QueuedEntry} entry
     */
    add(entry) {
      onlyInPage = put(queueKey, [...queue(), entry]) ? [] : [...onlyInPage, entry];
    },
    /**
     * Remove entries from the queue.
     * @param {string[]} ids
     */
    remove(ids) {
      const rest = queue().filter(([id]) => !ids.includes(id));
      if (put(queueKey, rest.length ? rest : null)) {
        onlyInPage = [];
        return;
      }
      // Even the shorter queue does not fit: this page holds all of it.
      put(queueKey, null);
      onlyInPage = rest;
      isFull = true;
    },
    /** Tell whether closing the page would lose something, because the browser has no room. */
    isFull: () => isFull,
    /**
     * Return the plot as it was last typed, and its turn; turn 0 if there is none.
     * @returns {{turn: number, orders: Record<string, string>}}
     */
    typedPlot: () => read(plotKey) ?? { turn: 0, orders: {} },
    /**
     * @param {number} turn
     * @param {Record<string, string>} orders written orders by ship
     */
    savePlot: (turn, orders) => put(plotKey, { turn, orders }),
    deletePlot() {
      if (read(plotKey)) {
        put(plotKey, null);
      }
    },
    /**
     * Tell whether a `storage` event, a change in another tab, concerns the queue of this battle.
     * @param {string | null} key the event's key
     */
    isQueueChange: (key) => isChangeOf(queueKey, key),
  };
}
