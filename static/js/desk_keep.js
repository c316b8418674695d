// The draft is kept as one goes: the form is saved a moment after a change, and what the server finds wrong comes back at
// once. Somebody else's version is never written over; then, and without a line to the server, the page says so and waits.

import { phrase } from "./phrase.js";

const MOMENT = 800; // milliseconds after the last change
const AGAIN = 10_000; // until it is tried again where the server does not answer

export class Keeper {
  constructor(form, { faults, told }) {
    Object.assign(this, { form, faults, told, dirty: false, lost: false, running: false });
    this.state = form.querySelector(".seal-bar [data-state]");
    form.addEventListener("submit", () => { this.dirty = false; clearTimeout(this.timer); });
    addEventListener("beforeunload", (event) => { if (this.dirty) event.preventDefault(); });
  }

  say(words) { if (this.state) this.state.textContent = words; }

  /** Something has changed. */
  later(wait = MOMENT) {
    this.dirty = true;
    if (this.lost) return;
    this.say(phrase`Changed, not saved yet.`);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), wait);
  }

  async save() {
    if (this.running) return this.later();
    this.running = true;
    const sent = new FormData(this.form);
    sent.set("action", "save");
    this.dirty = false;
    try {
      const answer = await fetch(this.form.getAttribute("action"), { method: "POST", body: sent, headers: { "X-Draft": "1" }, redirect: "manual" });
      if (answer.status !== 200) throw new Error(String(answer.status));
      this.kept(await answer.json());
    } catch (error) {
      const gone = ["0", "302", "403", "404"].includes(error.message); // logged out, or the stage is not there any more
      this.dirty = true;
      this.say(gone ? phrase`Not saved: this page is out of date. Load it again.` : phrase`Not saved: the server does not answer. It is tried again.`);
      if (!gone) this.timer = setTimeout(() => this.save(), AGAIN);
    } finally {
      this.running = false;
    }
  }

  kept(found) {
    if (found.closed) { this.lost = true; return this.say(found.closed); }
    if (found.lost) {
      this.lost = this.dirty = true;
      document.body.classList.add("draft-lost"); // which shows the button
      return this.say(phrase`Somebody on your side has saved another version. Save the draft to see both.`);
    }
    this.form.querySelector("input[name=version]").value = found.version;
    this.faults(found.faults);
    this.told(found);
    if (!this.dirty) this.say(found.faults.length ? phrase`Draft saved, with ${found.faults.length} {:problem|problems} to fix before it can be sealed.` : phrase`Draft saved. It counts only once it is sealed.`);
  }
}
