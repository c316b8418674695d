// Event listeners whose script is loaded at the first event.

/**
 * Listen for events, and load their handler at the first one. Events that arrive while it loads are
 * handled afterwards, in their order. If loading fails, the next event tries again.
 * @template {Event} E
 * @param {EventTarget} target
 * @param {string[]} types
 * @param {() => Promise<(event: E) => unknown>} load imports the handler
 * @param {(event: E) => unknown} accepts tells whether to handle an event; also does whatever
 *   cannot wait, such as preventing its default
 * @returns {(event: E) => void} the listener
 */
export function lazily(target, types, load, accepts) {
  /** @type {((event: E) => unknown) | undefined} */
  let handle;
  /** @type {E[] | null} */
  let waiting = null;

  async function fetchHandler() {
    try {
      const loaded = await load();
      handle = loaded;
      waiting?.forEach((event) => loaded(event));
    } catch (error) {
      waiting = null;
      throw error;
    }
  }

  /** @param {E} event */
  function listen(event) {
    if (!accepts(event)) {
      return;
    }
    if (handle) {
      handle(event);
    } else if (waiting) {
      waiting.push(event);
    } else {
      waiting = [event];
      fetchHandler();
    }
  }

  for (const type of types) {
    target.addEventListener(type, /** @type {(event: Event) => void} */ (listen), {
      passive: false,
    });
  }
  return listen;
}
