// Offers the last changes of a form of orders again where they never arrived, for the network was
// gone or the player had been logged out, while the stage is open. Forms without a script of their
// own are kept while the player writes.

import { find, html, need } from "./dom.js";
import { drop, hold, keys, place, post, read, version, written } from "./draft_storage.js";
import { language, phrase } from "./phrase.js";

const MOMENT = 800; // milliseconds after the last change of a form that has no script of its own
const LIFETIME = 30 * 86_400_000; // milliseconds that it is kept at most

/**
 * Forget what is too old, what was for an earlier stage, and what is sealed.
 * @param {HTMLFormElement | null} form
 */
function sweep(form) {
  const own = form && place(form);
  const campaign = own?.slice(0, own.lastIndexOf("/") + 1);
  const sealed = find(document, "section.sealed[data-receipt]", HTMLElement)?.dataset.key;

  /** @param {string} key */
  const isOfEarlierStage = (key) =>
    campaign !== undefined &&
    key !== own &&
    key.startsWith(campaign) &&
    !key.slice(campaign.length).includes("/");
  /** @param {string} key */
  const isSealed = (key) => sealed !== undefined && sealed !== "" && key.endsWith(`/${sealed}`);
  /** @param {string} key */
  const isFresh = (key) => Date.now() - read(key)?.at < LIFETIME;

  for (const key of keys()) {
    if (isOfEarlierStage(key) || isSealed(key) || !isFresh(key)) {
      drop(key);
    }
  }
}

/**
 * @param {string} words
 * @param {string} className
 * @param {() => void} press
 */
function button(words, className, press) {
  const made = html("button", { type: "button", className }, words);
  made.addEventListener("click", press);
  return made;
}

/** @param {number} time */
function timeInWords(time) {
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(time);
}

/**
 * Offer what only this browser has, to be used or forgotten.
 * @param {HTMLFormElement} form
 * @param {HeldDraft} held
 */
function offer(form, held) {
  const time = timeInWords(held.at);
  const status = html("p");
  const use = button(phrase`Use my changes`, "b", () => {
    restore(form, held).catch(() => {
      status.textContent = phrase`They cannot be saved now. They stay in this browser.`;
    });
  });
  const forget = button(phrase`Discard them`, "b", () => {
    delete form.dataset.offers;
    drop(place(form));
    box.remove();
  });
  forget.classList.add("secondary");
  const box = html(
    "section",
    { className: "banner lost", role: "alert" },
    html("h2", {}, phrase`This browser has changes that never reached the server`),
    html(
      "p",
      {},
      held.version === version(form)
        ? phrase`You made them here on ${time}. They are not in the form below.`
        : phrase`You made them here on ${time}. Another version has been saved since; the form below shows it.`,
    ),
    status,
    html("p", { className: "row" }, use, " ", forget, " "),
  );
  form.dataset.offers = "1";
  const notes = find(form, ".notes", HTMLElement);
  if (notes) {
    notes.prepend(box);
  } else {
    form.before(box);
  }
}

/**
 * Save held changes as the draft, and show it.
 * @param {HTMLFormElement} form
 * @param {HeldDraft} held
 */
async function restore(form, held) {
  const body = new FormData();
  for (const [name, value] of JSON.parse(held.written)) {
    body.append(name, value);
  }
  for (const name of ["csrfmiddlewaretoken", "version"]) {
    body.set(name, need(form, `input[name=${name}]`, HTMLInputElement).value);
  }
  const answer = await post(form, body);
  if (answer.status !== 200) {
    throw new Error(String(answer.status));
  }
  const draft = await answer.json();
  if (!draft.lost && !draft.closed && String(draft.version) === version(form)) {
    throw new Error("refused");
  }
  if (!draft.lost) {
    drop(place(form));
  }
  location.replace(location.pathname + location.search);
}

/**
 * Send a form only where a server answers: the browser would leave the page.
 * @param {HTMLFormElement} form
 */
function submitOnlyOnline(form) {
  let isReached = false;

  function sayOffline() {
    const isHeld = hold(form);
    const status = find(form, "[data-state]", HTMLElement);
    if (status) {
      status.textContent = isHeld
        ? phrase`Not sealed or saved: there is no network. Your changes stay in this browser.`
        : phrase`Not sealed or saved: there is no network.`;
    }
  }

  form.addEventListener("submit", (event) => {
    if (event.defaultPrevented) {
      return;
    }
    if (navigator.onLine || isReached) {
      isReached = false;
      hold(form, true);
      return;
    }
    // A browser without a network may still reach a server on its own machine.
    event.preventDefault();
    fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(() => {
      isReached = true;
      form.requestSubmit(event.submitter);
    }, sayOffline);
  });
}

/**
 * Save the draft of a form without a script of its own, too: choices at once, typing a moment
 * later. The keys of a table belong to the page, so the whole document is watched.
 * @param {HTMLFormElement} form
 */
function watch(form) {
  const loading = import("./draft_autosave.js").then(
    ({ DraftSaver }) => new DraftSaver(form, { faults() {}, saved() {} }),
  );
  let last = written(form);
  /** @type {number | undefined} */
  let timer;

  function hasChanged() {
    const current = written(form);
    const differs = current !== last;
    last = current;
    return differs;
  }

  function save() {
    if (!hasChanged()) {
      return;
    }
    loading.then(
      (saver) => saver.later(0),
      () => hold(form),
    );
  }

  for (const type of ["change", "input", "click", "keyup"]) {
    document.addEventListener(type, () => {
      clearTimeout(timer);
      timer = window.setTimeout(save, type === "change" ? 0 : MOMENT);
    });
  }
  form.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) {
      clearTimeout(timer);
      last = written(form);
    }
  });
  addEventListener("pagehide", () => {
    if (hasChanged()) {
      hold(form);
    }
  });
}

/**
 * Look after a form of orders, and after what is sealed.
 * @param {HTMLFormElement | null} form
 */
export function begin(form) {
  sweep(form);
  if (!form?.querySelector("button[value=save]")) {
    return;
  }
  /** @type {HeldDraft | null} */
  const held = read(place(form));
  if (held) {
    const isSaved = held.written === written(form);
    const hasArrived = held.sent && held.version !== version(form);
    if (isSaved || hasArrived) {
      drop(place(form));
    } else {
      offer(form, held);
    }
  }
  submitOnlyOnline(form);
  if (!document.body.classList.contains("live")) {
    watch(form);
  }
}
