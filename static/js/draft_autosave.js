// Saves the draft while the player writes: the form is sent a moment after a change, and the
// problems that the server finds come back at once. Somebody else's version is never overwritten.
// Then, and without a server, the page says so, and what was written stays in this browser
// (draft_storage.js).

import { find, need } from "./dom.js";
import { hold, post, release } from "./draft_storage.js";
import { phrase } from "./phrase.js";

const MOMENT = 800; // milliseconds after the last change
const RETRY = 10_000; // milliseconds until it is tried again where the server does not answer
// The player is logged out (long texts are then refused unread), or the stage is not there any
// more.
const GONE = [0, 302, 401, 403, 404, 413];

/** The server's answer was not a saved draft. */
class RefusedError extends Error {
  /** @param {number} status */
  constructor(status) {
    super(String(status));
    this.isGone = GONE.includes(status);
  }
}

/** Saves the draft of a form. */
export class DraftSaver {
  /**
   * @param {HTMLFormElement} form
   * @param {{faults: (faults: Fault[]) => void, saved: (draft: SavedDraft) => void}} listeners
   *   `faults` shows the problems, `saved` takes the rest of the server's answer
   */
  constructor(form, { faults, saved }) {
    this.form = form;
    this.showFaults = faults;
    this.draftSaved = saved;
    this.dirty = false;
    this.lost = false;
    /** @type {Promise<SavedDraft | null> | null} */
    this.running = null;
    this.status = find(form, "[data-state]", HTMLElement);
    /** @type {number | undefined} */
    this.timer = undefined;
    form.addEventListener("submit", (event) => this.submitted(event));
    addEventListener("beforeunload", (event) => {
      if (this.dirty && !hold(form)) {
        event.preventDefault();
      }
    });
    addEventListener("pagehide", () => {
      if (this.dirty) {
        hold(form);
      }
    });
  }

  /**
   * Let a submission wait until the draft has arrived: of two on their way at once the second would
   * seem to be somebody else's.
   * @param {SubmitEvent} event
   */
  submitted(event) {
    if (event.defaultPrevented) {
      return;
    }
    clearTimeout(this.timer);
    if (!this.running) {
      this.dirty = false;
      return;
    }
    event.preventDefault();
    this.running.then(() => this.form.requestSubmit(event.submitter));
  }

  /** @param {string} words */
  say(words) {
    if (this.status) {
      this.status.textContent = words;
    }
  }

  /** @param {number} wait milliseconds */
  saveAfter(wait) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.save(), wait);
  }

  /**
   * Save a moment after a change.
   * @param {number} wait milliseconds
   */
  later(wait = MOMENT) {
    this.dirty = true;
    if (this.lost) {
      return;
    }
    this.say(phrase`Changed, not saved yet.`);
    this.saveAfter(wait);
  }

  save() {
    if (this.running) {
      this.later();
      return;
    }
    this.running = this.send().finally(() => {
      this.running = null;
    });
  }

  /**
   * Save what is in the form now.
   * @returns {Promise<SavedDraft | null>} the server's answer; null where it does not answer
   */
  async now() {
    clearTimeout(this.timer);
    while (this.running) {
      await this.running;
    }
    clearTimeout(this.timer);
    this.save();
    return this.running;
  }

  /** @returns {Promise<SavedDraft | null>} the server's answer; null where it does not answer */
  async send() {
    const isHeld = hold(this.form);
    this.dirty = false;
    try {
      const answer = await post(this.form);
      if (answer.status !== 200) {
        throw new RefusedError(answer.status);
      }
      const draft = await answer.json();
      this.arrived(draft);
      return draft;
    } catch (error) {
      this.dirty = true;
      if (error instanceof RefusedError && error.isGone) {
        this.sayGone(isHeld);
        return { closed: true };
      }
      this.sayUnanswered(isHeld);
      this.saveAfter(RETRY);
      return null;
    }
  }

  /** @param {boolean} isHeld whether the browser keeps what was written */
  sayGone(isHeld) {
    this.say(
      isHeld
        ? phrase`Not saved: you are logged out, or this page is out of date. Your changes stay in this browser: reload the page.`
        : phrase`Not saved: this page is out of date. Reload it.`,
    );
  }

  /** @param {boolean} isHeld whether the browser keeps what was written */
  sayUnanswered(isHeld) {
    this.say(
      isHeld
        ? phrase`Not saved yet: the server does not answer. Your changes stay in this browser, and saving is tried again.`
        : phrase`Not saved: the server does not answer. Trying again.`,
    );
  }

  /** @param {SavedDraft} draft */
  arrived(draft) {
    if (draft.closed) {
      this.lost = true;
      this.say(String(draft.closed));
      return;
    }
    if (draft.lost) {
      this.lost = true;
      this.dirty = true;
      document.body.classList.add("draft-lost"); // shows the button that saves
      this.say(
        phrase`Another version was saved by another player on your side or in another window. Save the draft to see both.`,
      );
      return;
    }
    const { faults = [] } = draft;
    need(this.form, "input[name=version]", HTMLInputElement).value = String(draft.version);
    this.showFaults(faults);
    this.draftSaved(draft);
    if (this.dirty) {
      return;
    }
    release(this.form);
    this.say(
      faults.length
        ? phrase`Draft saved, with ${faults.length} {:problem|problems} to fix before it can be sealed.`
        : phrase`Draft saved. It counts only once you seal it.`,
    );
  }
}
