// The live table of a battle: seals by script, plays what follows as a film on the same table, and
// shows the next phase without loading a page. Loaded with the battle page, after its own script.
// Without this script sealing loads the next page.

import { shownPhase } from "../battle_page.js";
import { icons, isPageKey } from "../battle_table.js";
import { read, write } from "../browser_storage.js";
import { find, html, matches, need } from "../dom.js";
import { phrase } from "../phrase.js";
import { GLIDES, boxAround } from "./camera.js";
import { settle } from "./ease.js";

const WAITS = [300, 300, 500, 500, 1000, 1000, 2000]; // milliseconds until the next question
const QUICK_WAITS = 5; // how often it asks before it shows that the player waits
const LONG_WAIT = 5000; // the same, afterwards
const GLIDE = 500; // milliseconds from the film's view to that of the next phase
const PROGRESS_STEPS = 100;
const SPEED_KEY = "film-speed";
const motion = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{film: ReplayData | null, said: string[]}} Answer */

/** @type {import("./film.js").Film | null} the film that plays */
let film = null;
let phaseCount = 0; // how many phases this page has shown after its first
/** @type {number | undefined} */
let timer;

const form = () => need(document, "#orders", HTMLFormElement);
const state = () => form().dataset.at ?? "";

/**
 * Say a text in the page's live region.
 * @param {string} text
 */
function say(text) {
  const region = find(document, "#say", HTMLElement);
  if (region) {
    region.textContent = text;
  }
}

/**
 * Seal by script. The listeners of the form itself have run before.
 * @param {SubmitEvent} event
 */
function onSubmit(event) {
  const { submitter, target } = event;
  const isSeal = submitter instanceof HTMLButtonElement && submitter.value === "seal";
  if (!isSeal || event.defaultPrevented || target !== form()) {
    return;
  }
  event.preventDefault();
  seal(form(), new FormData(form(), submitter));
}

/**
 * @param {HTMLFormElement} sealed
 * @param {FormData} body
 */
async function seal(sealed, body) {
  sealed.setAttribute("aria-busy", "true");
  const headers = { "X-Film": state() };
  const answer = await fetch(location.href, { method: "POST", body, headers }).catch(() => null);
  if (!answer) {
    showFailure(sealed);
    return;
  }
  if (answer.headers.get("Content-Type")?.startsWith("application/json")) {
    const { drop, storageKey } = await import("../draft_storage.js");
    drop(storageKey(sealed));
    await showAnswer(await answer.json());
  } else {
    await showPage(await answer.text()); // with faults to correct
  }
}

/**
 * Say that the form was not sealed; it stays as it is.
 * @param {HTMLFormElement} sealed
 */
function showFailure(sealed) {
  delete sealed.dataset.sent;
  sealed.removeAttribute("aria-busy");
  const words = phrase`Not sealed: the server does not answer. Try again.`;
  const status = find(sealed, "[data-state]", HTMLElement);
  if (status) {
    status.textContent = words;
  }
  say(words);
}

/**
 * Play what followed, and show the next phase; without a film show the page as it is now.
 * @param {Answer} answer
 */
async function showAnswer({ film: data, said }) {
  clearTimeout(timer);
  if (!data && said.length) {
    const later = await answerSoon();
    if (later) {
      await showAnswer(later);
      return;
    }
  }
  const page = fetchPage();
  if (data && !motion.matches) {
    await play(data);
  }
  await showNext(await page, said);
  if (data && motion.matches) {
    need(document, "#happened", HTMLDetailsElement).open = true;
  }
}

/** Wait a little for the others on the same table, and return what followed, or null. */
async function answerSoon() {
  need(document, "#caption", HTMLElement).textContent = phrase`Sealed. Waiting for the others.`;
  setMode("film");
  for (const wait of WAITS.slice(0, QUICK_WAITS)) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    const later = await ask();
    if (later?.film) {
      return later;
    }
  }
  return null;
}

/**
 * Ask the server what happened since the phase that the page shows.
 * @returns {Promise<Answer | null>} null if nothing has
 */
async function ask() {
  const number = state().split("-")[0];
  const answer = await fetch(`${location.pathname}?at=${number}-sealed`).catch(() => null);
  return answer?.status === 200 ? answer.json() : null;
}

async function fetchPage() {
  const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
  if (!answer.ok) {
    throw new Error(String(answer.status));
  }
  return { address: answer.url, isElsewhere: answer.redirected, text: await answer.text() };
}

/**
 * Show the next phase, or a link to the result if the battle's page is no longer here.
 * @param {{address: string, isElsewhere: boolean, text: string}} page
 * @param {string[]} said
 */
async function showNext({ address, isElsewhere, text }, said) {
  if (isElsewhere) {
    showResultLink(address);
    return;
  }
  await showPage(text);
  const words = [...said, nextTask()].join(" ").replace(/\s+/g, " ").trim();
  setTimeout(() => say(words), 100); // a live region speaks only what changes in it
  if (document.activeElement === document.body) {
    need(document, "#table", SVGSVGElement).focus({ preventScroll: true });
  }
}

/** Return what the page asks the player to do, without its hidden parts. */
function nextTask() {
  const next = find(document, ".notes .next", HTMLElement)?.cloneNode(true);
  if (!(next instanceof HTMLElement)) {
    return "";
  }
  for (const part of next.querySelectorAll("[hidden]")) {
    part.remove();
  }
  return next.textContent ?? "";
}

/**
 * Show that the battle is over, with a link to its result.
 * @param {string} address
 */
function showResultLink(address) {
  const helm = need(document, "#helm", HTMLElement);
  const link = html("a", { className: "b main", href: address }, phrase`See the result`);
  helm.replaceChildren(html("p", {}, phrase`The battle is over.`), link);
  helm.hidden = false;
  setMode("over");
  link.focus({ preventScroll: true });
}

/**
 * Set what the page is for: deciding, the film, or the end of the battle.
 * @param {"decide" | "film" | "over"} mode
 */
function setMode(mode) {
  const isBusy = mode !== "decide";
  need(document, ".frame", HTMLElement).classList.toggle("watching", isBusy);
  for (const part of [
    find(document, ".side", HTMLElement),
    find(document, "#control-panel", HTMLElement),
  ]) {
    if (part) {
      part.inert = isBusy;
    }
  }
}

/**
 * Play a film on the table until its end.
 * @param {ReplayData} data
 */
async function play(data) {
  const { table } = shownPhase;
  if (!table) {
    return;
  }
  const { Film } = await import("./film.js");
  const canvas = html("canvas", { className: "film", ariaHidden: "true" });
  table.svg.after(canvas);
  const helm = need(document, "#helm", HTMLElement);
  const playing = new Film(canvas, data, { table });
  film = playing;
  setMode("film");
  helm.hidden = false;
  table.underLayer.replaceChildren();
  await playing.load(icons);
  need(document, "#skip", HTMLElement).focus({ preventScroll: true });
  const look = viewOf(table);
  const goal = table.isFitted ? viewFor(table, boxAround(placesIn(playing))) : look;
  const ended = new Promise((resolve) => {
    playing.options.onend = () => resolve(undefined);
  });
  const progress = need(document, "#progress", HTMLProgressElement);
  let glided = -1; // the share of the glide that is drawn
  playing.options.ontime = (share) => {
    const shown = Math.floor(share * PROGRESS_STEPS) / PROGRESS_STEPS;
    if (shown !== progress.value) {
      progress.value = shown; // each change is painted anew
    }
    const t = Math.min(1, playing.at / GLIDES);
    if (t !== glided) {
      glided = t;
      setView(table, viewBetween(look, goal, t));
    }
  };
  playing.options.onmoment = (i) => showCaption(playing, i);
  playing.play(speed());
  await ended;
  film = null;
}

/** @param {import("./film.js").Film} playing */
function placesIn({ states }) {
  const seen = states.flat().filter(({ x, out }) => x !== undefined && !out);
  /** @type {TablePoint[]} */
  const places = seen.map(({ x = 0, y = 0 }) => [x, y]);
  return places;
}

/**
 * Show what happens in a moment below the table.
 * @param {import("./film.js").Film} playing
 * @param {number} i the index of the moment
 */
function showCaption({ data }, i) {
  const { say: said = [], end = [] } = data.moments[i];
  /** @param {ReplayText} text */
  const plain = (text) =>
    text.map((piece) =>
      typeof piece === "string" ? piece : (piece[1] ?? data.units[piece[0]].name),
    );
  const texts = [...said, ...end.map(([text]) => text)].map((text) => plain(text).join(""));
  need(document, "#caption", HTMLElement).textContent = texts.join(" ");
}

/** @typedef {{pxPerMu: number, originX: number, originY: number}} View */

/**
 * @param {import("../battle_table.js").Table} table
 * @returns {View}
 */
const viewOf = ({ pxPerMu, originX, originY }) => ({ pxPerMu, originX, originY });

/**
 * @param {import("../battle_table.js").Table} table
 * @param {View} view
 */
function setView(table, view) {
  Object.assign(table, view);
  if (film) {
    table.drawGround();
  } else {
    table.draw();
  }
  return view;
}

/**
 * Return a view on the way between two.
 * @param {View} from
 * @param {View} to
 * @param {number} t 0 to 1
 * @returns {View}
 */
function viewBetween(from, to, t) {
  const share = settle(Math.min(1, t));
  return {
    pxPerMu: from.pxPerMu + (to.pxPerMu - from.pxPerMu) * share,
    originX: from.originX + (to.originX - from.originX) * share,
    originY: from.originY + (to.originY - from.originY) * share,
  };
}

/**
 * Return the view that shows a box, without showing it.
 * @param {import("../battle_table.js").Table} table
 * @param {Box} box in MU
 */
function viewFor(table, box) {
  const { fittedBox } = table;
  const now = viewOf(table);
  table.skipsDrawing = true;
  table.fit(box);
  table.skipsDrawing = false;
  const view = viewOf(table);
  Object.assign(table, now, { fittedBox });
  return view;
}

// The speed of films, kept in this browser.

const speeds = () => need(document, "#speed", HTMLSelectElement);
const speed = () => Number(read(SPEED_KEY) ?? 1);

/** @param {number} rate */
function setSpeed(rate) {
  write(SPEED_KEY, rate);
  speeds().value = String(rate);
  if (film) {
    film.clock.rate = rate;
  }
}

/** @param {number} step -1 for slower, 1 for faster */
function changeSpeed(step) {
  const { options, selectedIndex } = speeds();
  const index = Math.max(0, Math.min(options.length - 1, selectedIndex + step));
  setSpeed(Number(options[index].value));
}

/** @type {Record<string, () => void>} what keys do while the film plays */
const KEYS = {
  " ": () => film?.skip(),
  Escape: () => film?.skip(),
  ArrowRight: () => film?.next(),
  ",": () => changeSpeed(-1),
  ".": () => changeSpeed(1),
};

/** @param {KeyboardEvent} event */
function onKey(event) {
  const isFree =
    !matches(event.target, "select") && !(event.key === " " && matches(event.target, "#next"));
  if (!film || event.key === "Tab" || !isFree) {
    return;
  }
  event.stopImmediatePropagation(); // the keys of the phase wait
  if (event.key === "Enter") {
    return;
  }
  event.preventDefault();
  if (isPageKey(event) || event.key === "Escape") {
    KEYS[event.key]?.();
  }
}

/** Let the controls of the film on the page work. */
function listenToHelm() {
  need(document, "#skip", HTMLElement).addEventListener("click", () => film?.skip());
  need(document, "#next", HTMLElement).addEventListener("click", () => film?.next());
  speeds().value = String(speed());
  speeds().addEventListener("change", () => setSpeed(Number(speeds().value)));
  need(document, "#table", SVGSVGElement).addEventListener(
    "pointerdown",
    (event) => {
      if (film) {
        event.stopImmediatePropagation();
        film.skip();
      }
    },
    true,
  );
  for (const button of document.querySelectorAll("[data-watch]")) {
    button.addEventListener("click", watchLast);
  }
}

/**
 * Play what happened in the phase before, and come back to the decision.
 * @param {Event} event
 */
async function watchLast({ currentTarget: pressed }) {
  const { table } = shownPhase;
  const number = Number(state().split("-")[0]);
  const answer = await fetch(`${location.pathname}?at=${number - 1}-`);
  const { film: data } = /** @type {Answer} */ (await answer.json());
  if (!data || !table) {
    return;
  }
  const { fittedBox, isFitted } = table;
  const before = viewOf(table);
  await play(data);
  for (const canvas of document.querySelectorAll("canvas.film")) {
    canvas.remove();
  }
  need(document, "#helm", HTMLElement).hidden = true;
  need(document, "#caption", HTMLElement).textContent = "";
  setMode("decide");
  Object.assign(table, { fittedBox, isFitted });
  setView(table, before);
  table.redraw?.();
  if (pressed instanceof HTMLElement) {
    pressed.focus({ preventScroll: true });
  }
}

/** Ask the server while the page waits for others. */
function waitForOthers() {
  clearTimeout(timer);
  let count = 0;
  const askAgain = async () => {
    const answer = await fetch(`${location.pathname}?at=${state()}`).catch(() => null);
    if (answer?.status === 200) {
      await showAnswer(await answer.json());
      return;
    }
    timer = window.setTimeout(askAgain, WAITS[count++] ?? LONG_WAIT);
  };
  if (form().dataset.waits !== undefined) {
    timer = window.setTimeout(askAgain, WAITS[0]);
  }
}

/**
 * Show another page of the battle in place of this one: its content, styles and scripts.
 * @param {string} text its HTML
 */
async function showPage(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const outdated = await loadStyles(page);
  const { table } = shownPhase;
  const before = table ? viewOf(table) : null;
  const wasFitted = table?.isFitted ?? true;
  await atOnce(async () => {
    shownPhase.controller.abort();
    shownPhase.controller = new AbortController();
    shownPhase.table = null;
    replaceContent(page);
    outdated.forEach((link) => link.remove());
    await loadScripts(page);
    begin();
    arrive(before, wasFitted);
    need(document, ".frame", HTMLElement).classList.remove("arriving");
  });
}

/**
 * Change the page while the browser goes on showing it as it was, so that nothing moves before the
 * player's eyes. A browser without view transitions shows the change as it happens.
 * @param {() => Promise<void>} change
 */
async function atOnce(change) {
  if (document.startViewTransition) {
    await document.startViewTransition(change).updateCallbackDone;
  } else {
    await change();
  }
}

/**
 * Put the frame and the data of another page in place of this page's.
 * @param {Document} page
 */
function replaceContent(page) {
  document.title = page.title;
  const frame = document.importNode(need(page, ".frame", HTMLElement), true);
  if (frame.dataset.live !== undefined) {
    frame.classList.remove("flow");
    frame.classList.add(...frame.dataset.live.split(" ").filter(Boolean));
  }
  frame.classList.add("arriving"); // not seen until its scripts have run
  need(document, ".frame", HTMLElement).replaceWith(frame);
  const battle = need(page, "#battle", HTMLScriptElement);
  need(document, "#battle", HTMLScriptElement).textContent = battle.textContent;
}

/**
 * Run the scripts of another page. Each fragment of an address is a module of its own, from the
 * same file.
 * @param {Document} page
 */
async function loadScripts(page) {
  phaseCount += 1;
  for (const script of page.querySelectorAll("body > script[type=module]:not([data-keep])")) {
    const { href } = new URL(`${script.getAttribute("src")}#${phaseCount}`, location.href);
    await import(href);
  }
}

/**
 * Load the style sheets that another page needs, and return those that it does not.
 * @param {Document} page
 */
async function loadStyles(page) {
  const links = "head link[rel=stylesheet]";
  /** @param {Document} root */
  const hrefs = (root) =>
    [...root.querySelectorAll(links)].map((link) => link.getAttribute("href"));
  const present = hrefs(document);
  const needed = hrefs(page);
  const loads = needed
    .filter((href) => !present.includes(href))
    .map(async (href) => {
      const link = html("link", { rel: "stylesheet", href: href ?? "" });
      const loaded = new Promise((resolve) => {
        link.onload = resolve;
        link.onerror = resolve;
      });
      document.head.append(link);
      await loaded;
    });
  await Promise.all(loads);
  return [...document.querySelectorAll(links)].filter(
    (link) => !needed.includes(link.getAttribute("href")),
  );
}

/**
 * Glide from the view of the film to that of the phase, unless the player moves the table.
 * @param {View | null} before
 * @param {boolean} wasFitted false if the player had moved the table
 */
function arrive(before, wasFitted) {
  const { table } = shownPhase;
  if (!table || !before) {
    return;
  }
  table.fitToElement();
  const goal = viewOf(table);
  table.isFitted = false;
  if (!wasFitted) {
    setView(table, before);
    return;
  }
  const start = performance.now();
  let shown = setView(table, motion.matches ? goal : before);
  const step = () => {
    if (Object.values(viewOf(table)).join() !== Object.values(shown).join()) {
      return;
    }
    const t = motion.matches ? 1 : (performance.now() - start) / GLIDE;
    shown = setView(table, viewBetween(before, goal, t));
    if (t < 1) {
      requestAnimationFrame(step);
    } else {
      table.fit(table.fittedBox);
    }
  };
  requestAnimationFrame(step);
}

/** Let the page that is shown now work. */
function begin() {
  listenToHelm();
  waitForOthers();
}

document.addEventListener("submit", onSubmit);
addEventListener("keydown", onKey, true);
begin();
