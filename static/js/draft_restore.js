// Offers changes to a form of orders that never reached the server, because there was no network or
// the player was logged out, while the stage is open. Also saves drafts of forms that have no
// script of their own.

import { find, html, need } from "./dom.js";
import {
  contentOf,
  drop,
  isSameContent,
  postDraft,
  read,
  storageKey,
  storeForm,
  storedKeys,
  versionOf,
} from "./draft_storage.js";
import { language, phrase } from "./phrase.js";

const SAVE_DELAY = 800; // milliseconds after the last change
const LIFETIME = 30 * 86_400_000; // milliseconds: 30 days after which stored changes are deleted

/**
 * Delete stored changes that are too old, belong to an earlier stage, or are sealed.
 * @param {HTMLFormElement | null} form
 */
function deleteOutdated(form) {
  const ownKey = form && storageKey(form);
  const campaign = ownKey?.slice(0, ownKey.lastIndexOf("/") + 1);
  const sealed = find(document, "section.sealed[data-receipt]", HTMLElement)?.dataset.key;

  /** @param {string} key */
  const isOfEarlierStage = (key) =>
    campaign !== undefined &&
    key !== ownKey &&
    key.startsWith(campaign) &&
    !key.slice(campaign.length).includes("/");
  /** @param {string} key */
  const isSealed = (key) => sealed !== undefined && sealed !== "" && key.endsWith(`/${sealed}`);
  /** @param {string} key */
  const isFresh = (key) => Date.now() - read(key)?.at < LIFETIME;

  for (const key of storedKeys()) {
    if (isOfEarlierStage(key) || isSealed(key) || !isFresh(key)) {
      drop(key);
    }
  }
}

/**
 * Return a button.
 * @param {string} words the label
 * @param {string} className
 * @param {() => void} onClick
 */
function button(words, className, onClick) {
  const element = html("button", { type: "button", className }, words);
  element.addEventListener("click", onClick);
  return element;
}

/**
 * Return a time as weekday and hour, in the player's language.
 * @param {number} time milliseconds since 1970
 */
function timeInWords(time) {
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(time);
}

/**
 * Offer the player changes that only this browser has, to use or discard.
 * @param {HTMLFormElement} form
 * @param {StoredDraft} stored
 */
function offer(form, stored) {
  const time = timeInWords(stored.at);
  const status = html("p");
  const useButton = button(phrase`Use my changes`, "b", () => {
    restore(form, stored).catch(() => {
      status.textContent = phrase`They cannot be saved now. They stay in this browser.`;
    });
  });
  const discardButton = button(phrase`Discard them`, "b", () => {
    delete form.dataset.offers;
    drop(storageKey(form));
    box.remove();
  });
  discardButton.classList.add("secondary");
  const box = html(
    "section",
    { className: "banner lost", role: "alert" },
    html("h2", {}, phrase`This browser has changes that never reached the server`),
    html(
      "p",
      {},
      stored.version === versionOf(form)
        ? phrase`You made them here on ${time}. They are not in the form below.`
        : phrase`You made them here on ${time}. Another version has been saved since; the form below shows it.`,
    ),
    status,
    html("p", { className: "row" }, useButton, " ", discardButton, " "),
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
 * Save stored changes as the draft, and show it.
 * @param {HTMLFormElement} form
 * @param {StoredDraft} stored
 */
async function restore(form, stored) {
  const body = new FormData();
  for (const [name, value] of JSON.parse(stored.written)) {
    body.append(name, value);
  }
  for (const name of ["csrfmiddlewaretoken", "version"]) {
    body.set(name, need(form, `input[name=${name}]`, HTMLInputElement).value);
  }
  const answer = await postDraft(form, body);
  if (answer.status !== 200) {
    throw new Error(String(answer.status));
  }
  const draft = await answer.json();
  if (!draft.lost && !draft.closed && String(draft.version) === versionOf(form)) {
    throw new Error("refused");
  }
  if (!draft.lost) {
    drop(storageKey(form));
  }
  location.replace(location.pathname + location.search);
}

/**
 * Submit a form only if the server answers; without a network the browser would leave the page.
 * @param {HTMLFormElement} form
 */
function submitOnlyOnline(form) {
  let isServerReached = false;

  /** Show that the form cannot be sent without a network. */
  function showOffline() {
    const isStored = storeForm(form);
    const status = find(form, "[data-state]", HTMLElement);
    if (status) {
      status.textContent = isStored
        ? phrase`Not sealed or saved: there is no network. Your changes stay in this browser.`
        : phrase`Not sealed or saved: there is no network.`;
    }
  }

  form.addEventListener("submit", (event) => {
    if (event.defaultPrevented) {
      return;
    }
    if (navigator.onLine || isServerReached) {
      isServerReached = false;
      storeForm(form, true);
      return;
    }
    // Without a network the browser may still reach a server on the same machine.
    event.preventDefault();
    fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(() => {
      isServerReached = true;
      form.requestSubmit(event.submitter);
    }, showOffline);
  });
}

/**
 * Save the draft of a form without a script of its own: choices at once, typing shortly afterwards.
 * Table pages have keys outside the form, so the whole document is watched.
 * @param {HTMLFormElement} form
 */
function autosave(form) {
  const loading = import("./draft_autosave.js").then(({ DraftSaver }) => new DraftSaver(form));
  let lastContent = contentOf(form);
  /** @type {number | undefined} */
  let timer;

  /** Return whether the form has changed since the last check. */
  function hasChanged() {
    const current = contentOf(form);
    const differs = current !== lastContent;
    lastContent = current;
    return differs;
  }

  function save() {
    if (!hasChanged()) {
      return;
    }
    loading.then(
      (saver) => saver.saveSoon(0),
      () => storeForm(form),
    );
  }

  for (const type of ["change", "input", "click", "keyup"]) {
    document.addEventListener(type, () => {
      if (!form.isConnected) {
        return; // the table shows the next phase
      }
      clearTimeout(timer);
      timer = window.setTimeout(save, type === "change" ? 0 : SAVE_DELAY);
    });
  }
  form.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) {
      clearTimeout(timer);
      lastContent = contentOf(form);
    }
  });
  addEventListener("pagehide", () => {
    if (form.isConnected && hasChanged()) {
      storeForm(form);
    }
  });
}

/**
 * Offer stored changes of a form, and delete outdated ones.
 * @param {HTMLFormElement | null} form
 */
export function begin(form) {
  deleteOutdated(form);
  if (!form?.querySelector("button[value=save]")) {
    return;
  }
  /** @type {StoredDraft | null} */
  const stored = read(storageKey(form));
  if (stored) {
    const isSaved = isSameContent(stored.written, contentOf(form));
    const hasArrived = stored.sent && stored.version !== versionOf(form);
    if (isSaved || hasArrived) {
      drop(storageKey(form));
    } else {
      offer(form, stored);
    }
  }
  submitOnlyOnline(form);
  if (!document.body.classList.contains("live")) {
    autosave(form);
  }
}
