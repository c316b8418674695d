// Past weeks, as they were seen then: a slider, filled by one request when it is first moved; this script is loaded then, too.

import { phrase } from "./phrase.js";

export class Weeks {
  constructor(box, present, { show, says }) {
    Object.assign(this, { box, present, show, says, past: null, shown: present.week });
    const slider = box.querySelector("input[type=range]");
    slider.addEventListener("input", () => this.move());
  }

  /** Show the week at which the slider stands. */
  async move() {
    const slider = this.box.querySelector("input[type=range]");
    const { present } = this;
    this.shown = Number(slider.value);
    if (this.shown !== present.week && !this.past) {
      await this.load();
    }
    const words = this.now
      ? phrase`Week ${present.week}, now`
      : phrase`Week ${this.shown}, as you saw it then`;
    this.box.querySelector("output").textContent = words;
    slider.setAttribute("aria-valuetext", words);
    this.says(
      this.now
        ? phrase`Back to now.`
        : phrase`The past cannot be ordered. Move the slider to the right to go on.`,
    );
    this.show();
  }

  async load() {
    this.past = new Map();
    const answer = await fetch(this.box.dataset.weeks);
    if (!answer.ok) {
      return this.says(phrase`The past weeks cannot be loaded now.`, true);
    }
    for (const moment of (await answer.json()).moments) {
      this.past.set(moment.week, moment);
    }
  }

  get now() {
    return this.shown === this.present.week || !this.past?.has(this.shown);
  }
  get moment() {
    return this.now ? this.present : this.past.get(this.shown);
  }

  /** Where own fleets came from in the week before the one that is shown, as far as it is loaded. */
  ways(seat) {
    const before = this.past?.get(this.moment.week - 1);
    if (!before) {
      return [];
    }
    const was = new Map(before.fleets.map((fleet) => [fleet.key, fleet.hex]));
    return this.moment.fleets
      .filter((fleet) => was.has(fleet.key) && was.get(fleet.key) !== fleet.hex)
      .map((fleet) => ({ hexes: [was.get(fleet.key), fleet.hex], seat, cls: "then" }));
  }
}
