// Saves the draft shortly after each change and shows the problems that the server finds. A version
// saved by another player is never overwritten. If a draft cannot be saved, the page says so, and
// the changes stay in this browser (draft_storage.js).

import { find, need } from "./dom.js";
import { forgetForm, postDraft, storeForm } from "./draft_storage.js";
import { phrase } from "./phrase.js";

const SAVE_DELAY = 800; // milliseconds after the last change
const RETRY_DELAY = 10_000; // milliseconds until the next attempt if the server does not answer
// HTTP statuses that mean that the player is logged out (413: long texts are then refused unread)
// or that the stage is over.
const STATUSES_OF_OUTDATED_PAGES = [0, 302, 401, 403, 404, 413];

/** The server refused the draft. */
class RefusedError extends Error {
  /** @param {number} status */
  constructor(status) {
    super(String(status));
    this.isOutdated = STATUSES_OF_OUTDATED_PAGES.includes(status);
  }
}

/** Saves the draft of a form automatically. */
export class DraftSaver {
  /**
   * @param {HTMLFormElement} form
   * @param {object} [listeners]
   * @param {(faults: Fault[]) => void} [listeners.onFaults] is called with the problems; without it
   *   the status names the first problem
   * @param {(draft: SavedDraft) => void} [listeners.onSaved] is called with the server's answer
   */
  constructor(form, { onFaults, onSaved } = {}) {
    this.form = form;
    this.onFaults = onFaults;
    this.onSaved = onSaved;
    this.dirty = false; // whether there are changes that are not saved
    // Whether saving has ended, because another version exists or the stage is over.
    this.isStopped = false;
    /** @type {Promise<SavedDraft | null> | null} the request that is running */
    this.request = null;
    this.status = find(form, "[data-state]", HTMLElement);
    /** @type {number | undefined} */
    this.timer = undefined;
    form.addEventListener("submit", (event) => this.onSubmit(event));
    addEventListener("beforeunload", (event) => {
      if (this.dirty && form.isConnected && !storeForm(form)) {
        event.preventDefault();
      }
    });
    addEventListener("pagehide", () => {
      if (this.dirty && form.isConnected) {
        storeForm(form);
      }
    });
  }

  /**
   * Delay a submission until a running request is answered: the server would take the second of two
   * simultaneous requests for another player's version.
   * @param {SubmitEvent} event
   */
  onSubmit(event) {
    if (event.defaultPrevented) {
      return;
    }
    clearTimeout(this.timer);
    if (!this.request) {
      this.dirty = false;
      return;
    }
    event.preventDefault();
    this.request.then(() => this.form.requestSubmit(event.submitter));
  }

  /**
   * Show the state of the draft.
   * @param {string} words
   */
  showStatus(words) {
    if (this.status) {
      this.status.textContent = words;
    }
  }

  /**
   * Start the timer for saving, or restart it.
   * @param {number} wait milliseconds
   */
  saveAfter(wait) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.save(), wait);
  }

  /**
   * Save shortly after a change.
   * @param {number} wait milliseconds
   */
  saveSoon(wait = SAVE_DELAY) {
    this.dirty = true;
    if (this.isStopped) {
      return;
    }
    this.showStatus(phrase`Changed, not saved yet.`);
    this.saveAfter(wait);
  }

  /** Save the form now, or soon after a running request. */
  save() {
    if (this.request) {
      this.saveSoon();
      return;
    }
    this.request = this.send().finally(() => {
      this.request = null;
    });
  }

  /**
   * Save the form now, and wait for the answer.
   * @returns {Promise<SavedDraft | null>} the server's answer; null if it does not answer
   */
  async saveNow() {
    clearTimeout(this.timer);
    while (this.request) {
      await this.request;
    }
    clearTimeout(this.timer);
    this.save();
    return this.request;
  }

  /**
   * Send the form.
   * @returns {Promise<SavedDraft | null>} the server's answer; null if it does not answer
   */
  async send() {
    const isStored = storeForm(this.form);
    this.dirty = false;
    try {
      const answer = await postDraft(this.form);
      if (answer.status !== 200) {
        throw new RefusedError(answer.status);
      }
      const draft = await answer.json();
      this.onAnswer(draft);
      return draft;
    } catch (error) {
      this.dirty = true;
      if (error instanceof RefusedError && error.isOutdated) {
        this.showOutdated(isStored);
        return { closed: true };
      }
      this.showUnanswered(isStored);
      this.saveAfter(RETRY_DELAY);
      return null;
    }
  }

  /**
   * Show that the page is out of date.
   * @param {boolean} isStored whether this browser stores the changes
   */
  showOutdated(isStored) {
    this.showStatus(
      isStored
        ? phrase`Not saved: you are logged out, or this page is out of date. Your changes stay in this browser: reload the page.`
        : phrase`Not saved: this page is out of date. Reload it.`,
    );
  }

  /**
   * Show that the server does not answer.
   * @param {boolean} isStored whether this browser stores the changes
   */
  showUnanswered(isStored) {
    this.showStatus(
      isStored
        ? phrase`Not saved yet: the server does not answer. Your changes stay in this browser, and saving is tried again.`
        : phrase`Not saved: the server does not answer. Trying again.`,
    );
  }

  /**
   * Handle the server's answer.
   * @param {SavedDraft} draft
   */
  onAnswer(draft) {
    if (draft.closed) {
      this.isStopped = true;
      this.showStatus(String(draft.closed));
      return;
    }
    if (draft.lost) {
      this.isStopped = true;
      this.dirty = true;
      document.body.classList.add("draft-lost"); // shows the button "Save"
      this.showStatus(
        phrase`Another version was saved by another player on your side or in another window. Save the draft to see both.`,
      );
      return;
    }
    const { faults = [] } = draft;
    need(this.form, "input[name=version]", HTMLInputElement).value = String(draft.version);
    this.form.dispatchEvent(new CustomEvent("faults", { detail: faults }));
    this.onFaults?.(faults);
    this.onSaved?.(draft);
    if (this.dirty) {
      return;
    }
    forgetForm(this.form);
    if (!faults.length) {
      this.showStatus(phrase`Draft saved. It counts only once you seal it.`);
      return;
    }
    const status = phrase`Draft saved, with ${faults.length} {:problem|problems} to fix before it can be sealed.`;
    const [{ subject, words }] = faults;
    if (this.onFaults) {
      this.showStatus(status);
    } else if (subject) {
      this.showStatus(phrase`${status} ${subject}: ${words}`);
    } else {
      this.showStatus(`${status} ${words}`);
    }
  }
}
