// Past weeks, as they were seen then: a slider, filled by one request when it is first moved. This
// script is loaded then, too.

import { need } from "./dom.js";
import { phrase } from "./phrase.js";

/** The slider of weeks, and what it shows. */
export class PastWeeks {
  /**
   * @param {HTMLElement} box
   * @param {MapMoment} present
   * @param {{show: () => void, says: (words: string, bad?: boolean) => void}} page
   */
  constructor(box, present, { show, says }) {
    this.present = present;
    this.show = show;
    this.says = says;
    this.address = box.dataset.weeks ?? "";
    this.slider = need(box, "input[type=range]", HTMLInputElement);
    this.caption = need(box, "output", HTMLOutputElement);
    this.week = present.week; // at which the slider stands
    /** @type {Map<number, MapMoment> | null} */
    this.past = null;
    this.slider.addEventListener("input", () => this.move());
  }

  /** Show the week at which the slider stands. */
  async move() {
    this.week = Number(this.slider.value);
    if (this.week !== this.present.week && !this.past) {
      await this.#load();
    }
    const words = this.now
      ? phrase`Week ${this.present.week}, now`
      : phrase`Week ${this.week}, as you saw it then`;
    this.caption.textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
    this.says(
      this.now
        ? phrase`Back to now.`
        : phrase`You cannot give orders in the past. Move the slider to the right to return.`,
    );
    this.show();
  }

  async #load() {
    this.past = new Map();
    const answer = await fetch(this.address);
    if (!answer.ok) {
      this.says(phrase`The past weeks cannot be loaded now.`, true);
      return;
    }
    const { moments } = await answer.json();
    for (const moment of moments) {
      this.past.set(moment.week, moment);
    }
  }

  get now() {
    return this.moment === this.present;
  }

  /** @returns {MapMoment} the moment that is shown */
  get moment() {
    return (this.week !== this.present.week && this.past?.get(this.week)) || this.present;
  }

  /**
   * Return where own fleets came from in the week before, as far as it is loaded.
   * @param {number} seat
   * @returns {MapWay[]}
   */
  ways(seat) {
    const before = this.past?.get(this.moment.week - 1);
    const places = new Map(before?.fleets.map(({ key, hex }) => [key, hex]));
    /** @type {MapWay[]} */
    const ways = [];
    for (const { key, hex } of this.moment.fleets) {
      const place = places.get(key);
      if (place && place !== hex) {
        ways.push({ hexes: [place, hex], seat, cls: "then" });
      }
    }
    return ways;
  }
}
