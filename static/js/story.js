// The clock of the story: the slider says which moment it points to, and shows it when it is let go.

import { language } from "./phrase.js";

const form = document.querySelector("[data-story]");
const range = form?.querySelector("[type=range]");
const says = form?.querySelector("[data-story-says]");

if (range && says) {
  const words = new Map(
    [...form.querySelectorAll("datalist option")].map((one) => [one.value, one.label]),
  );
  const tell = () => {
    const said = words.get(range.value) ?? "";
    says.textContent = language === "en" ? said.toLowerCase() : said; // German nouns keep their capitals
    range.setAttribute("aria-valuetext", says.textContent);
  };
  range.addEventListener("input", tell);
  range.addEventListener("pointerup", () => {
    if (range.value !== range.defaultValue) {
      form.requestSubmit();
    }
  });
}
