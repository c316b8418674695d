// Events for what is fetched with its first use.

/**
 * Listen for events, and fetch what handles them at the first one. Until it is there they wait, in
 * their order. If it cannot be fetched the next event tries again.
 * @template {Event} E
 * @param {EventTarget} target
 * @param {string[]} types
 * @param {() => Promise<(event: E) => unknown>} load
 * @param {(event: E) => unknown} accepts says whether an event is meant, and does what cannot wait
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
