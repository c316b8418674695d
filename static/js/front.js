// The front page: a battle of the gallery plays beside the offer. It waits until the page is ready,
// pauses on request and when the page is hidden, and does not play where motion is unwanted.

const REST = 2500; // milliseconds between the end of the battle and its beginning

const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("film"));
const line = /** @type {HTMLElement} */ (document.getElementById("playing"));
const [words, button] = /** @type {Iterable<HTMLElement>} */ (line.children);

/** @type {import("./film/film.js").Film} */
let film;
let isWanted = true;

function follow() {
  const plays = isWanted && !document.hidden;
  if (plays && !film.isPlaying) {
    film.play();
  }
  if (!plays) {
    film.pause();
  }
  button.textContent = (isWanted ? button.dataset.pause : button.dataset.play) ?? "";
}

function playAgain() {
  setTimeout(() => {
    if (film.isStill) {
      film.seek(0);
      follow();
    }
  }, REST);
}

async function start() {
  const answer = await fetch(canvas.dataset.film ?? "");
  const { name, film: data } = answer.ok ? await answer.json() : {};
  if (!data) {
    return;
  }
  const { Film } = await import("./film/film.js");
  canvas.hidden = false;
  film = new Film(canvas, data, { onend: playAgain });
  await film.load(canvas.dataset.icons ?? "");
  canvas.parentElement?.classList.add("filming");
  words.textContent = name;
  line.hidden = false;
  button.addEventListener("click", () => {
    isWanted = !isWanted;
    follow();
  });
  document.addEventListener("visibilitychange", follow);
  film.seek(0);
  follow();
}

if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
  start();
}
