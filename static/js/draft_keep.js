// The draft is kept as one goes: the form is saved a moment after a change, and what the server finds wrong comes back at
// once. Somebody else's version is never written over; then, and without a line to the server, the page says so, and what was
// written stays in this browser (draft_held.js).

import { hold, post, release } from "./draft_held.js";
import { phrase } from "./phrase.js";

const MOMENT = 800; // milliseconds after the last change
const AGAIN = 10_000; // until it is tried again where the server does not answer
const GONE = [0, 302, 401, 403, 404, 413]; // logged out (what is long is then refused unread), or the stage is not there any more

export class Keeper {
  constructor(form, { faults, told }) {
    Object.assign(this, { form, faults, told, dirty: false, lost: false, running: null });
    this.state = form.querySelector("[data-state]");
    form.addEventListener("submit", (event) => {
      if (event.defaultPrevented) {
        return;
      }
      clearTimeout(this.timer);
      if (!this.running) {
        this.dirty = false;
        return;
      }
      event.preventDefault(); // of two on their way at once the second would seem to be somebody else's
      this.running.then(() => form.requestSubmit(event.submitter));
    });
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

  say(words) {
    if (this.state) {
      this.state.textContent = words;
    }
  }

  /** Something has changed. */
  later(wait = MOMENT) {
    this.dirty = true;
    if (this.lost) {
      return;
    }
    this.say(phrase`Changed, not saved yet.`);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), wait);
  }

  save() {
    if (this.running) {
      return this.later();
    }
    this.running = this.sent().finally(() => {
      this.running = null;
    });
  }

  /** Save what is in the form now. What the server answers; null where it does not. */
  async now() {
    clearTimeout(this.timer);
    while (this.running) {
      await this.running;
    }
    clearTimeout(this.timer);
    this.save();
    return this.running;
  }

  /** Send the form. What the server answers; null where it does not. */
  async sent() {
    const held = hold(this.form);
    this.dirty = false;
    try {
      const answer = await post(this.form);
      if (answer.status !== 200) {
        throw Object.assign(new Error(String(answer.status)), {
          gone: GONE.includes(answer.status),
        });
      }
      const found = await answer.json();
      this.kept(found);
      return found;
    } catch (error) {
      this.dirty = true;
      if (error.gone) {
        this.say(
          held
            ? phrase`Not saved: you are logged out, or this page is out of date. What you wrote stays in this browser: load the page again.`
            : phrase`Not saved: this page is out of date. Load it again.`,
        );
      } else {
        this.say(
          held
            ? phrase`Not saved yet: the server does not answer. What you wrote stays in this browser, and it is tried again.`
            : phrase`Not saved: the server does not answer. It is tried again.`,
        );
        this.timer = setTimeout(() => this.save(), AGAIN);
      }
      return error.gone ? { closed: true } : null;
    }
  }

  kept(found) {
    if (found.closed) {
      this.lost = true;
      return this.say(found.closed);
    }
    if (found.lost) {
      this.lost = this.dirty = true;
      document.body.classList.add("draft-lost"); // which shows the button
      return this.say(
        phrase`Another version has been saved, by somebody on your side or in another window. Save the draft to see both.`,
      );
    }
    this.form.querySelector("input[name=version]").value = found.version;
    this.faults(found.faults);
    this.told(found);
    if (this.dirty) {
      return;
    }
    release(this.form);
    this.say(
      found.faults.length
        ? phrase`Draft saved, with ${found.faults.length} {:problem|problems} to fix before it can be sealed.`
        : phrase`Draft saved. It counts only once it is sealed.`,
    );
  }
}
