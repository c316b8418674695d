// The colours of films, read from the page's tokens (static/css/tokens.css).

const TOKENS = [
  "space",
  "space-floor",
  "space-line",
  "space-edge",
  "space-ink",
  "space-ink-2",
  "space-ink-3",
  "space-bright",
  "space-veil",
  "heed",
  "world",
  "rock",
  "rock-edge",
  "star",
];
const SEATS = 7; // seat 0 is nobody's

/** Return the colours by token, those of seats, and the font family. */
export function readLook() {
  const style = getComputedStyle(document.documentElement);
  /** @param {string} token */
  const value = (token) => style.getPropertyValue(`--${token}`).trim();
  /** @type {FilmColours} */
  const colours = Object.fromEntries(TOKENS.map((token) => [token, value(token)]));
  const seats = Array.from({ length: SEATS }, (_, seat) => value(`seat-${seat}`));
  return { colours, seats, family: style.fontFamily || "sans-serif" };
}
