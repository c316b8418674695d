// Small comforts of every page. Everything works without them.

import { language, phrase } from "./phrase.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What is left of a time in words: "in 2 days 4 h", "in 3 h 20 min", "12 min ago". */
function left(seconds) {
  const size = Math.abs(seconds);
  const some = [];
  const days = Math.floor(size / DAY);
  const hours = Math.floor((size % DAY) / HOUR);
  const minutes = Math.floor((size % HOUR) / MINUTE);
  if (days) {
    some.push(phrase`${days} {:day|days}`);
  }
  if (hours && days < 4) {
    some.push(phrase`${hours} h`);
  }
  if (minutes && !days) {
    some.push(phrase`${minutes} min`);
  }
  if (!some.length) {
    return seconds < 0 ? phrase`just now` : phrase`in less than a minute`;
  }
  return seconds < 0 ? phrase`${some.join(" ")} ago` : phrase`in ${some.join(" ")}`;
}

/** Beside every deadline what is left; in the browser's own zone for who has chosen none. */
function times() {
  const unchosen = document.documentElement.dataset.zone === "";
  for (const time of document.querySelectorAll("time[data-until]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) {
      continue;
    }
    if (unchosen && !time.dataset.local) {
      const form = {
        weekday: "short",
        day: "numeric",
        month: "short",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
        timeZoneName: "short",
      };
      time.textContent = new Intl.DateTimeFormat(
        language === "en" ? "en-GB" : language,
        form,
      ).format(at);
      time.dataset.local = "1";
    }
    const seconds = Math.round((at - Date.now()) / 1000);
    let said = time.nextElementSibling;
    if (!said?.classList.contains("left")) {
      said = document.createElement("span");
      said.className = "left";
      time.after(" ", said);
    }
    const words = `(${left(seconds)})`;
    if (said.textContent !== words) {
      said.textContent = words;
    }
    said.classList.toggle("soon", seconds > 0 && seconds < DAY);
  }
}

/** A form is sent once, however often its button is pressed; coming back to the page frees it. */
function once() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented || form.hasAttribute("data-hx-post")) {
      return;
    }
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "1";
    form.setAttribute("aria-busy", "true");
  });
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) {
      delete form.dataset.sent;
      form.removeAttribute("aria-busy");
    }
  });
}

/** Links that look like buttons answer to the space bar as buttons do. */
function spacebar() {
  document.addEventListener("keydown", (event) => {
    if (event.key === " " && event.target.matches("a[role=button]")) {
      event.preventDefault();
      event.target.click();
    }
  });
}

/** Who is on his way to another page is not called back by one that goes on by itself. */
function leaving() {
  let gone = false;
  addEventListener("beforeunload", () => {
    gone = true;
    setTimeout(() => {
      gone = false;
    }, 5000);
  });
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    if (gone) {
      event.preventDefault();
    }
  });
}

/** What few pages need is fetched where they do. */
async function seldom() {
  if (document.querySelector("[data-copy], [data-own-zone]")) {
    (await import("./house_fields.js")).fields();
  }
}

function all() {
  times();
  seldom();
}

all();
once();
spacebar();
leaving();
import("./house_forget.js");
setInterval(times, 30_000);
document.addEventListener("htmx:afterSettle", all);
