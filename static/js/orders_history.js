// A slider that shows past weeks as the player saw them then. This script and the data of all past
// weeks are loaded when the slider is first moved.

import { need } from "./dom.js";
import { phrase } from "./phrase.js";

/** The slider of weeks, and the moment that it selects. */
export class PastWeeks {
  /**
   * @param {HTMLElement} box
   * @param {MapMoment} present
   * @param {{show: () => void, showMessage: (words: string, bad?: boolean) => void}} page
   */
  constructor(box, present, { show, showMessage }) {
    this.present = present;
    this.show = show;
    this.showMessage = showMessage;
    this.address = box.dataset.weeks ?? "";
    this.slider = need(box, "input[type=range]", HTMLInputElement);
    this.caption = need(box, "output", HTMLOutputElement);
    this.week = present.week; // the selected week
    /** @type {Map<number, MapMoment> | null} moments by week; null before they are loaded */
    this.moments = null;
    this.slider.addEventListener("input", () => this.move());
  }

  /** Show the week that the slider selects. */
  async move() {
    this.week = Number(this.slider.value);
    if (this.week !== this.present.week && !this.moments) {
      await this.#load();
    }
    const words = this.isNow
      ? phrase`Week ${this.present.week}, now`
      : phrase`Week ${this.week}, as you saw it then`;
    this.caption.textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
    this.showMessage(
      this.isNow
        ? phrase`Back to now.`
        : phrase`You cannot give orders in the past. Move the slider to the right to return.`,
    );
    this.show();
  }

  /** Load the moments of all past weeks. */
  async #load() {
    this.moments = new Map();
    const answer = await fetch(this.address);
    if (!answer.ok) {
      this.showMessage(phrase`The past weeks cannot be loaded now.`, true);
      return;
    }
    const { moments } = await answer.json();
    for (const moment of moments) {
      this.moments.set(moment.week, moment);
    }
  }

  /** Whether the slider shows the current week. */
  get isNow() {
    return this.moment === this.present;
  }

  /**
   * The moment that is shown.
   * @returns {MapMoment}
   */
  get moment() {
    return (this.week !== this.present.week && this.moments?.get(this.week)) || this.present;
  }

  /**
   * Return the routes of the player's fleets from the week before, if it is loaded.
   * @param {number} seat
   * @returns {MapWay[]}
   */
  routes(seat) {
    const weekBefore = this.moments?.get(this.moment.week - 1);
    const earlierHexes = new Map(weekBefore?.fleets.map(({ key, hex }) => [key, hex]));
    /** @type {MapWay[]} */
    const routes = [];
    for (const { key, hex } of this.moment.fleets) {
      const earlier = earlierHexes.get(key);
      if (earlier && earlier !== hex) {
        routes.push({ hexes: [earlier, hex], seat, cls: "then" });
      }
    }
    return routes;
  }
}
