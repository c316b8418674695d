// The time slider of the umpire's story page: shows which moment it points to while it is dragged,
// and loads that moment when it is released.

import { find } from "./dom.js";
import { language } from "./phrase.js";

/**
 * Name the slider's moment while it moves, and load that moment when it is released.
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} slider
 * @param {HTMLElement} caption
 */
function enableSlider(form, slider, caption) {
  const options = [...form.querySelectorAll("datalist option")].map(
    (option) =>
      /** @type {[string, string]} */ ([
        option.getAttribute("value"),
        option.getAttribute("label"),
      ]),
  );
  const moments = new Map(options);

  slider.addEventListener("input", () => {
    const words = moments.get(slider.value) ?? "";
    // German nouns keep their capitals.
    caption.textContent = language === "en" ? words.toLowerCase() : words;
    slider.setAttribute("aria-valuetext", caption.textContent);
  });
  slider.addEventListener("pointerup", () => {
    if (slider.value !== slider.defaultValue) {
      form.requestSubmit();
    }
  });
}

const form = find(document, "[data-story]", HTMLFormElement);
const slider = form && find(form, "[type=range]", HTMLInputElement);
const caption = form && find(form, "[data-story-moment]", HTMLElement);
if (form && slider && caption) {
  enableSlider(form, slider, caption);
}
