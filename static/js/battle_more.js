// What a ship says seldom in its plot: fields that the server makes of the ship's written order, and reads into it again.
// Nothing of the notation is known here. Fields not yet read go along with the form, and count there as well.

import { say } from "./battle_look.js";
import { nameOf } from "./field.js";
import { phrase } from "./phrase.js";

const WAIT = 250; // ms from a change of the written order to fields that show it

export class More {
  /** `ship`: gives {id, name, text} of the ship whose fields are shown; `write(id, text)`: its order is this now. `fields`: as the page describes them. */
  constructor(fold, box, ship, write, fields) {
    Object.assign(this, { fold, box, ship, write, fields, id: "", text: "", asked: 0, timer: 0 });
    fold.addEventListener("toggle", () => this.show());
    box.addEventListener("change", () => {
      if (!this.filling) {
        this.ask(true);
      }
    }); // a field that is replaced says that it changed
    box.addEventListener("keydown", (e) => {
      if (e.key === "Enter" && e.target.matches("input")) {
        e.preventDefault();
        this.ask(true);
      }
    });
  }

  /** The fields of the chosen ship as its order is now, where they are open. */
  show() {
    const { id, text } = this.ship();
    clearTimeout(this.timer);
    if (id !== this.id) {
      this.empty(id);
    }
    if (!this.fold.open || (text === this.text && this.box.firstChild)) {
      return;
    }
    this.timer = setTimeout(() => this.ask(false), this.box.firstChild ? WAIT : 0);
  }

  empty(id) {
    this.asked += 1;
    this.filling = true;
    this.box.replaceChildren();
    this.filling = false;
    Object.assign(this, { id, text: "" });
  }

  sent() {
    return [...this.box.querySelectorAll("[name]")]
      .filter((one) => one.type !== "checkbox" || one.checked)
      .map((one) => [one.name, one.value]);
  }

  async ask(changed) {
    const { id, name, text } = this.ship();
    const was = document.getElementsByName(nameOf(this.fields.was, id))[0];
    const mine = (this.asked += 1);
    clearTimeout(this.timer);
    const sent = this.sent();
    const query = new URLSearchParams([
      ["panel", id],
      [nameOf(this.fields.order, id), text],
      [was.name, was.value],
      ...(changed ? sent : []),
    ]);
    const answer = await fetch(`${location.pathname}?${query}`).catch(() => null);
    if (mine !== this.asked || (changed && String(this.sent()) !== String(sent))) {
      return;
    } // what is being typed now is asked for when it is done
    if (!answer?.ok) {
      say(phrase`The orders of ${name} cannot be read now. They are kept in the form.`, true);
      return;
    }
    const { name: held, value } = document.activeElement ?? {};
    const within = this.box.contains(document.activeElement);
    const fields = await answer.text();
    this.filling = true;
    this.box.innerHTML = fields;
    this.filling = false;
    Object.assign(this, { id, text: this.box.querySelector("[data-order]").dataset.order });
    was.value = this.text;
    if (within) {
      [...this.box.querySelectorAll("[name]")]
        .filter((one) => one.name === held)
        .sort((one) => (one.value === value ? -1 : 1))[0]
        ?.focus();
    }
    if (this.text !== text) {
      this.write(id, this.text);
    }
    const wrong = [...this.box.querySelectorAll(".wrong, .fault")]
      .map((one) => one.textContent)
      .join(" ");
    if (changed && wrong) {
      say(phrase`${name}: ${wrong}`, true);
    }
  }
}
