// The page around the verifier: reads files or the archive that the page contains, and shows what
// the worker finds. It uses no network.

import { FAULTS } from "./faults.js";
import { WORDS, filled } from "./words.js";

/** @typedef {import("./verifier.js").Verdict} Verdict */
/** @typedef {import("./witnesses.js").Finding} Finding */

const MAX_KEPT_FILE = 1_000_000; // bytes; larger files are archives
const ENTRY_CODES = ["stands", "unsealed", "missing", "counts", "not-here"]; // findings about sealed orders
const AVERAGE = [48, 52]; // percent of wars with worse luck that are neither good nor bad

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) {
    throw new Error(`there is no #${id}`);
  }
  return element;
}

const input = byId("file", HTMLInputElement);
const language = byId("language", HTMLSelectElement);
const status = byId("status", HTMLElement);
const facts = byId("facts", HTMLElement);
const bar = byId("progress", HTMLProgressElement);
const keptText = byId("kept", HTMLTextAreaElement);
const keptFiles = byId("kept-files", HTMLInputElement);
const findings = byId("findings", HTMLUListElement);
const luck = byId("luck", HTMLElement);

const source = byId("worker", HTMLScriptElement).textContent ?? "";
const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
/** @type {Verdict | null} */
let shown = null;
let statusKey = "choose";
/**
 * What the worker answered about what was kept, in order; null if it had no proven archive.
 * @type {(Finding[] | null)[]}
 */
let answers = [];

/**
 * @param {string} key
 * @param {...(string | number)} values
 */
function say(key, ...values) {
  return filled(WORDS[language.value][key] ?? key, ...values);
}

/**
 * @param {number} value
 * @param {number} digits
 */
function numberText(value, digits) {
  return value.toLocaleString(language.value, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Writes the texts of the page in the chosen language. */
function translate() {
  document.documentElement.lang = language.value;
  document.title = say("title");
  for (const element of document.querySelectorAll("[data-words]")) {
    element.textContent = say(/** @type {HTMLElement} */ (element).dataset.words ?? "");
  }
  bar.setAttribute("aria-label", say("progress"));
  setStatus(statusKey);
  if (shown) {
    show(shown);
  }
  showAnswers();
}

/** @param {string} key */
function setStatus(key) {
  statusKey = key;
  status.textContent = say(key);
}

/** @param {Uint8Array} bytes */
function check(bytes) {
  shown = null;
  setStatus("checking");
  facts.replaceChildren();
  forgetAnswers();
  luck.hidden = true;
  bar.hidden = false;
  bar.value = 0;
  delete document.body.dataset.verdict;
  worker.postMessage({ kind: "archive", bytes });
}

/** @param {Verdict} verdict */
function show(verdict) {
  shown = verdict;
  bar.hidden = true;
  facts.replaceChildren();
  const { fault } = verdict;
  document.body.dataset.verdict = fault ? "differs" : "proven";
  if (fault) {
    const row = fault.row === null ? "" : say("in-row", fault.row, fault.week ?? "");
    status.textContent = say("differs", fault.line, row, faultWords(fault));
    return;
  }
  status.textContent = say(verdict.own ? "proven-own" : "proven", verdict.name);
  addFact("head", `${verdict.head}, ${say(verdict.signature, verdict.signer)}`);
  addFact("weeks", say("weeks-in-rows", verdict.weeks, verdict.rows));
  addFact("entries", `${verdict.entries}`);
  if (!verdict.own) {
    addFact("battles", `${verdict.battles}`);
    addFact("dice", `${verdict.dice}`);
  }
  if (verdict.hasEndRow) {
    addFact("seed", say("seed-published"));
  }
  for (const limit of verdict.limits) {
    addFact("not-proven", say(limit));
  }
  showThrows(verdict);
  if (!verdict.own) {
    showLuck(verdict);
  }
}

/** @param {Verdict} verdict */
function showThrows({ unshownThrows, oneStepThrows }) {
  if (unshownThrows) {
    addFact("not-proven", say("unshown-throws", unshownThrows));
  }
  if (oneStepThrows) {
    addFact("not-proven", say("one-step-throws", oneStepThrows));
  }
}

/** @param {import("./verifier.js").Fault} fault */
function faultWords({ template, values }) {
  return filled(FAULTS[language.value]?.[template] ?? template, ...values);
}

/**
 * @param {string} key
 * @param {string} value
 */
function addFact(key, value) {
  const term = document.createElement("dt");
  const description = document.createElement("dd");
  term.textContent = say(key);
  description.textContent = value;
  facts.append(term, description);
}

/** @param {Verdict} verdict */
function showLuck({ luck: account, factions }) {
  const list = byId("luck-lines", HTMLUListElement);
  const lines = (account?.lines ?? []).filter((line) => !line.battle);
  luck.hidden = false;
  list.replaceChildren(...lines.map((line) => luckItem(line, factions)));
  if (!lines.length) {
    list.append(item(say("luck-none")));
  }
  const kinds = Object.entries(account?.not_counted ?? {}).sort();
  const names = kinds.map(([kind, count]) => `${kind} (${count})`).join(", ");
  byId("not-counted", HTMLElement).textContent = names ? say("not-counted", names) : "";
}

/**
 * @param {import("./luck.js").LuckLine} line
 * @param {Record<string, string>} factions
 */
function luckItem(line, factions) {
  const { faction, part, thrown: effect, expected, sd, p } = line;
  const numbers = [effect, numberText(expected, 1), numberText(sd, 1), numberText(100 * p, 1)];
  const names = faction.split("+").map((key) => factions[key] ?? key);
  const element = item(say("luck-line", names.join(" + "), say(part), ...numbers));
  const strong = document.createElement("strong");
  strong.textContent = luckWords(line.better_than);
  element.append(" ", strong, bars(effect, expected));
  return element;
}

/** @param {number} betterThan */
function luckWords(betterThan) {
  const percent = Math.round(100 * betterThan);
  if (percent > AVERAGE[1]) {
    return say("better", Math.min(percent, 99));
  }
  return percent < AVERAGE[0] ? say("worse", Math.min(100 - percent, 99)) : say("average");
}

/**
 * Returns two bars: what the dice did above what was to be expected.
 * @param {number} effect
 * @param {number} expected
 */
function bars(effect, expected) {
  const longest = Math.max(effect, expected, 1);
  const element = document.createElement("span");
  element.className = "bars";
  element.setAttribute("aria-hidden", "true");
  for (const value of [effect, expected]) {
    const line = document.createElement("span");
    line.style.width = `${(100 * value) / longest}%`;
    element.append(line);
  }
  return element;
}

/** @param {string} text */
function item(text) {
  const element = document.createElement("li");
  element.textContent = text;
  return element;
}

function showAnswers() {
  findings.replaceChildren(...answers.flatMap(answerItems));
}

function forgetAnswers() {
  answers = [];
  showAnswers();
}

/** @param {Finding[] | null} answer */
function answerItems(answer) {
  if (answer === null) {
    return [item(say("no-archive"))];
  }
  return answer.length ? answer.map(findingItem) : [item(say("no-kept"))];
}

/** @param {Finding} finding */
function findingItem({ code, what, row, signed }) {
  const isReceipt = what.includes("/");
  const unchecked = isReceipt && signed === null ? ` ${say("kept-unchecked")}` : "";
  const isEntry = ENTRY_CODES.includes(code);
  return item(say(`kept-${code}`, isEntry ? entryWords(what) : what, row ?? "") + unchecked);
}

/**
 * Returns in words which sealed orders a receipt names.
 * @param {string} place `<branch>/<stage>/<again>/<faction>/<revision>`
 */
function entryWords(place) {
  const parts = place.split("/");
  const stage = parts.slice(1, -3).join("/");
  const [faction, revision] = parts.slice(-2);
  return say("entry", shown?.factions[faction] ?? faction, stage, revision);
}

/**
 * Checks the archives among files, then compares the others with the last of them.
 * @param {Iterable<File>} files
 */
async function take(files) {
  const isArchive = (/** @type {File} */ file) =>
    /\.(jsonl|gz)$/.test(file.name) || file.size > MAX_KEPT_FILE;
  forgetAnswers();
  for (const file of [...files].filter(isArchive)) {
    await checkFile(file);
  }
  for (const file of [...files].filter((other) => !isArchive(other))) {
    worker.postMessage({ kind: "kept", text: await file.text() });
  }
}

/** @param {File | undefined} file */
async function checkFile(file) {
  if (file) {
    check(new Uint8Array(await file.arrayBuffer()));
  }
}

worker.addEventListener("message", ({ data }) => {
  if (data.kind === "progress") {
    bar.value = data.share;
  } else if (data.kind === "verdict") {
    show(data.verdict);
  } else if (data.kind === "kept") {
    answers.push(data.findings);
    showAnswers();
  } else if (data.kind === "no-archive") {
    answers.push(null);
    showAnswers();
  } else {
    bar.hidden = true;
    setStatus(data.kind);
  }
});
input.addEventListener("change", () => checkFile(input.files?.[0]));
keptFiles.addEventListener("change", () => take(keptFiles.files ?? []));
byId("compare", HTMLButtonElement).addEventListener("click", () => {
  forgetAnswers();
  worker.postMessage({ kind: "kept", text: keptText.value });
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  take(event.dataTransfer?.files ?? []);
});
language.addEventListener("change", translate);

const [preferred] = navigator.language.split("-");
language.value = preferred in WORDS ? preferred : "en";
translate();
const embedded = document.getElementById("archive")?.textContent?.trim();
if (embedded) {
  check(Uint8Array.from(atob(embedded), (char) => char.charCodeAt(0)));
}
