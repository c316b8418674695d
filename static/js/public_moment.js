// A public moment: its film plays on the picture, and its link can be copied. Without scripts the
// page shows the picture and the words.

import { find, need } from "./dom.js";
import { phrase } from "./phrase.js";

const REST = 1500; // milliseconds between the end of the film and the last picture
const NARROW = "(max-width: 700px)"; // names on the server's picture are too small there

const canvas = need(document, "#film", HTMLCanvasElement);
const watch = need(document, "#watch", HTMLButtonElement);
const copy = find(document, "#copy", HTMLButtonElement);

/** @type {import("./film/film.js").Film | null} */
let film = null;

/** @returns {Promise<import("./film/film.js").Film>} the film at its end */
async function load() {
  const { Film } = await import("./film/film.js");
  const data = JSON.parse(need(document, "#replay", HTMLScriptElement).textContent ?? "");
  canvas.hidden = false;
  canvas.parentElement?.classList.add("filming");
  const loaded = new Film(canvas, data, { onend: offerAgain });
  await loaded.load(canvas.dataset.icons ?? "");
  loaded.seek(data.moments.length - 1);
  return loaded;
}

function offerAgain() {
  setTimeout(() => {
    watch.hidden = false;
    watch.textContent = phrase`Watch again`;
  }, REST);
}

async function play() {
  watch.hidden = true;
  film ??= await load();
  film.show(0);
  film.play();
}

async function copyLink() {
  const answer = need(document, "#copied", HTMLElement);
  try {
    await navigator.clipboard.writeText(location.href);
    answer.textContent = phrase`Copied`;
  } catch {
    answer.textContent = phrase`Copy the link from the address bar`;
  }
}

watch.hidden = false;
watch.addEventListener("click", play);
if (copy) {
  copy.hidden = false;
  copy.addEventListener("click", copyLink);
}
if (matchMedia(NARROW).matches) {
  load().then((loaded) => (film ??= loaded));
}
