// The result card of a battle: plays the turning point on the picture of the last turn. Without
// scripts, or where motion is unwanted, its button leads to the replay.

import { find, need } from "./dom.js";

const REST = 1500; // milliseconds between the end of the turn and the last picture

const canvas = need(document, "#film", HTMLCanvasElement);
const button = find(document, "#watch", HTMLAnchorElement);

/** @type {import("./film/film.js").Film | null} */
let film = null;
let timer = 0;

/** @returns {Promise<import("./film/film.js").Film>} the film, at rest at the end of the battle */
async function load() {
  const { Film } = await import("./film/film.js");
  const data = JSON.parse(need(document, "#replay", HTMLScriptElement).textContent ?? "");
  canvas.hidden = false;
  canvas.parentElement?.classList.add("filming");
  const loaded = new Film(canvas, data, { onmoment, onend: rest });
  await loaded.load(canvas.dataset.icons ?? "");
  return loaded;
}

const turnOfMoment = (/** @type {number} */ i) => film?.data.moments[i].t ?? 0;
const wantedTurn = () => Number(canvas.dataset.turn);

/** @param {number} i the index of the moment that begins */
function onmoment(i) {
  if (film?.isPlaying && turnOfMoment(i) > wantedTurn()) {
    film.seek(i - 1);
    rest();
  }
}

/** Show the last picture of the battle again after a while. */
function rest() {
  clearTimeout(timer);
  timer = setTimeout(() => film?.seek(film.data.moments.length - 1), REST);
}

async function watch() {
  clearTimeout(timer);
  film ??= await load();
  const first = film.data.moments.findIndex(({ t }) => t === wantedTurn());
  if (first > 0) {
    film.seek(first - 1);
  } else {
    film.show(0);
  }
  film.play();
}

async function showLastPicture() {
  film ??= await load();
  film.seek(film.data.moments.length - 1);
}

if (matchMedia("(max-width: 700px)").matches) {
  showLastPicture(); // names on the server's picture are too small there
}
button?.addEventListener("click", (event) => {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
    event.preventDefault();
    watch();
  }
});
