// Events for what is fetched with its first use.

/** Events of `types` go to what `load` fetches at the first of them, in order. `takes(event)`: whether it is meant, with what has to be done at once. Gives the listener. */
export function lazily(node, types, load, takes) {
  let hand;
  let waiting;
  const listen = (e) => {
    if (!takes(e)) {
      return;
    }
    if (hand) {
      hand(e);
    } else if (waiting) {
      waiting.push(e);
    } else {
      waiting = [e];
      load().then(
        (found) => {
          hand = found;
          waiting.forEach(hand);
        },
        (error) => {
          waiting = null;
          throw error;
        },
      ); // the next one tries again
    }
  };
  for (const type of types) {
    node.addEventListener(type, listen, { passive: false });
  }
  return listen;
}
