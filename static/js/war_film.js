// The film of a finished war: the truth beside what a side believed, step by step. Without scripts
// each step is a page; the script changes that page in place.

import * as storage from "./browser_storage.js";
import { findAll, matches, need, svg } from "./dom.js";
import { phrase } from "./phrase.js";
import { filmSteps } from "./war_film_data.js";
import { FilmMap } from "./war_film_map.js";

const STEP_MS = 1500;
const BATTLE_MS = 2400; // also of the end
const LINE_EDGE = 8; // pixels of the time line before the first step and after the last
const SETTINGS = "film"; // key of the stored speed and choice

const film = need(document, ".film", HTMLElement);
const data = JSON.parse(need(document, "#film", HTMLScriptElement).textContent ?? "");
const steps = filmSteps(data);
const sideLinks = findAll(film, ".film-sides a", HTMLAnchorElement);
const sides = sideLinks.map((link) => link.dataset.as ?? "");
const chapters = findAll(film, ".film-chapters [data-seq]", HTMLAnchorElement);
const battles = findAll(film, ".film-battles li", HTMLLIElement);
const truth = new FilmMap(need(film, "#film-truth", SVGSVGElement));
const belief = new FilmMap(need(film, "#film-belief", SVGSVGElement));
const caption = need(film, "#film-caption", HTMLElement);
const when = need(film, "#film-when", HTMLElement);
const seek = need(film, "#film-seek", HTMLInputElement);
const go = need(film, "#film-go", HTMLButtonElement);
const pace = need(film, "#film-pace", HTMLSelectElement);
const skip = need(film, "#film-skip", HTMLInputElement);
const earlier = need(film, "#film-earlier", HTMLAnchorElement);
const later = need(film, "#film-later", HTMLAnchorElement);
const words = need(film, "#film-words", HTMLAnchorElement);

let at = Number(seek.value);
let side = Math.max(0, sides.indexOf(film.dataset.side ?? ""));
let timer = 0; // of the next step; 0 while the film stands

/**
 * Return the address of a step.
 * @param {number} n
 * @param {string} [as]
 */
const address = (n, as = sides[side]) => `?seq=${steps[n].seq}&as=${encodeURIComponent(as)}`;

/**
 * Show a step; the nearest one if there is none of this number.
 * @param {number} n
 */
function show(n) {
  at = Math.max(0, Math.min(steps.length - 1, n));
  const step = steps[at];
  const believed = step.beliefs[side];
  truth.show(step.holders, step.marks, step.fights, []);
  belief.show(believed.holders, believed.marks, believed.fights, believed.wrong);
  caption.textContent = step.caption;
  when.textContent = step.title;
  seek.value = String(at);
  seek.setAttribute("aria-valuetext", step.title);
  for (const item of battles) {
    item.hidden = Number(item.dataset.seq) !== step.seq;
  }
  markCurrent();
  linkStep(earlier, at - 1);
  linkStep(later, at + 1);
  words.href = `${film.dataset.back}${address(at)}`;
  history.replaceState(null, "", address(at));
}

/** Mark the chosen side and the chapter that is shown. */
function markCurrent() {
  for (const [i, link] of sideLinks.entries()) {
    link.toggleAttribute("aria-current", i === side);
    link.href = address(at, sides[i]);
  }
  for (const link of chapters) {
    const isHere = Number(link.dataset.seq) === steps[at].seq && link.dataset.as === sides[side];
    if (isHere && !link.hasAttribute("aria-current")) {
      link.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    link.toggleAttribute("aria-current", isHere);
  }
}

/**
 * Link to a step, if there is one.
 * @param {HTMLAnchorElement} link
 * @param {number} n
 */
function linkStep(link, n) {
  if (steps[n]) {
    link.href = address(n);
  } else {
    link.removeAttribute("href");
  }
}

/**
 * Show what another side believed.
 * @param {number} n
 */
function chooseSide(n) {
  side = n % sides.length;
  show(at);
}

/** Return the milliseconds that the present step is shown. */
function duration() {
  const { fights, stage } = steps[at];
  const isLong = fights.length > 0 || stage === "over";
  return (isLong ? BATTLE_MS : STEP_MS) / Number(pace.value);
}

/**
 * Return the step that follows when the film plays.
 */
function following() {
  let n = at + 1;
  while (skip.checked && n < steps.length - 1 && steps[n].isEmpty) {
    n += 1;
  }
  return n;
}

/**
 * Play the film, or stop it.
 * @param {boolean} isOn
 */
function play(isOn) {
  clearTimeout(timer);
  timer = 0;
  film.classList.toggle("playing", isOn);
  go.setAttribute("aria-label", isOn ? phrase`Pause` : phrase`Play`);
  // While it plays, captions would be read faster than they can be spoken.
  caption.setAttribute("aria-live", isOn ? "off" : "polite");
  if (isOn) {
    if (at === steps.length - 1) {
      show(0);
    }
    timer = setTimeout(advance, duration());
  }
}

/** Show the next step of the playing film. */
function advance() {
  show(following());
  if (at === steps.length - 1) {
    play(false);
  } else {
    timer = setTimeout(advance, duration());
  }
}

/**
 * Stop the film and show a step.
 * @param {number} n
 */
function jump(n) {
  play(false);
  show(n);
}

/**
 * Return the first step of a week so many weeks later; the last step after the last week.
 * @param {number} weeks
 */
function weekStep(weeks) {
  const n = steps.findIndex((step) => step.week === steps[at].week + weeks);
  return n < 0 && weeks > 0 ? steps.length - 1 : n;
}

/** Draw the time line: a tick for each week, a cross for each battle, a triangle for a chapter. */
function drawLine() {
  const line = need(film, "#film-line", SVGSVGElement);
  const width = line.clientWidth;
  const x = (/** @type {number} */ n) =>
    LINE_EDGE + (n / Math.max(1, steps.length - 1)) * (width - 2 * LINE_EDGE);
  const parts = [];
  for (const [n, step] of steps.entries()) {
    const isNewWeek = step.stage !== "over" && step.week !== steps[n - 1]?.week;
    if (isNewWeek) {
      const text = width < 500 ? String(step.week) : phrase`Week ${step.week}`;
      parts.push(svg("path", { class: "tick", d: `M${x(n)} 14v18` }));
      parts.push(svg("text", { x: x(n) + 3, y: 11 }, text));
    }
    for (const [i, seat] of step.winners.entries()) {
      const y = i % 2 ? 11 : 23;
      const cx = x(n) + 10 * Math.floor(i / 2);
      const cross = `M${cx - 4} ${y - 4}l8 8m0-8l-8 8`;
      parts.push(svg("path", { class: `fight seat-${seat}`, d: cross }));
    }
  }
  for (const link of chapters) {
    const n = steps.findIndex((step) => step.seq === Number(link.dataset.seq));
    parts.push(svg("path", { class: "chapter", d: `M${x(n)} 27l4 7h-8z` }));
  }
  line.replaceChildren(...parts);
}

/** @type {Record<string, () => void>} */
const KEYS = {
  " ": () => play(timer === 0),
  ArrowRight: () => jump(at + 1),
  ArrowLeft: () => jump(at - 1),
  PageDown: () => jump(weekStep(1)),
  PageUp: () => jump(weekStep(-1)),
  Home: () => jump(0),
  End: () => jump(steps.length - 1),
  b: () => chooseSide(side + 1),
};

document.addEventListener("keydown", (event) => {
  const action = KEYS[event.key];
  const isChord = event.ctrlKey || event.metaKey || event.altKey;
  const isOff = event.key === "b" && document.body.dataset.keys === "off";
  const isControl = matches(event.target, "select, summary");
  const isPressed = event.key === " " && matches(event.target, "button, [type=checkbox]");
  if (action && !isChord && !isOff && !isControl && !isPressed) {
    event.preventDefault();
    action();
  }
});
go.addEventListener("click", () => play(timer === 0));
seek.addEventListener("input", () => jump(Number(seek.value)));
for (const setting of [pace, skip]) {
  setting.addEventListener("change", () => {
    storage.write(SETTINGS, { pace: pace.value, skip: skip.checked });
  });
}
for (const [i, link] of sideLinks.entries()) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    chooseSide(i);
  });
}
for (const [link, by] of /** @type {[HTMLAnchorElement, number][]} */ ([
  [earlier, -1],
  [later, 1],
])) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    jump(at + by);
  });
}
for (const link of chapters) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    side = Math.max(0, sides.indexOf(link.dataset.as ?? ""));
    jump(steps.findIndex((step) => step.seq === Number(link.dataset.seq)));
  });
}
for (const button of findAll(film, "[data-flip]", HTMLButtonElement)) {
  button.addEventListener("click", () => {
    film.dataset.shows = film.dataset.shows === "belief" ? "truth" : "belief";
    need(film, `.film-${film.dataset.shows} [data-flip]`, HTMLButtonElement).focus();
  });
}

const stored = storage.read(SETTINGS);
if (stored) {
  pace.value = stored.pace;
  skip.checked = stored.skip;
}
film.classList.add("running");
show(at);
new ResizeObserver(drawLine).observe(need(film, "#film-line", SVGSVGElement));
