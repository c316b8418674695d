// Loaded by every page: local times and time left, forms that are sent only once, keys of links
// that look like buttons. Every page works without it.

import { findAll, matches } from "./dom.js";
import { language, phrase } from "./phrase.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Return the time until a deadline in words: "in 2 days 4 h", "in 3 h 20 min", "12 min ago".
 * @param {number} seconds negative for a time that has passed
 */
function timeLeft(seconds) {
  const distance = Math.abs(seconds);
  const days = Math.floor(distance / DAY);
  const hours = Math.floor((distance % DAY) / HOUR);
  const minutes = Math.floor((distance % HOUR) / MINUTE);
  const parts = [];
  if (days) {
    parts.push(phrase`${days} {:day|days}`);
  }
  if (hours && days < 4) {
    parts.push(phrase`${hours} h`);
  }
  if (minutes && !days) {
    parts.push(phrase`${minutes} min`);
  }
  if (!parts.length) {
    return seconds < 0 ? phrase`just now` : phrase`in less than a minute`;
  }
  return seconds < 0 ? phrase`${parts.join(" ")} ago` : phrase`in ${parts.join(" ")}`;
}

// English times are British: day before month.
const localTime = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
});

/**
 * Show a deadline in the browser's own time zone.
 * @param {HTMLTimeElement} time
 * @param {Date} deadline
 */
function showLocally(time, deadline) {
  time.textContent = localTime.format(deadline);
  time.dataset.local = "1";
}

/**
 * Show how much time is left, beside the deadline.
 * @param {HTMLTimeElement} time
 * @param {Date} deadline
 */
function showTimeLeft(time, deadline) {
  const seconds = Math.round((deadline.getTime() - Date.now()) / 1000);
  let note = time.nextElementSibling;
  if (!note?.classList.contains("left")) {
    note = document.createElement("span");
    note.className = "left";
    time.after(" ", note);
  }
  const words = `(${timeLeft(seconds)})`;
  if (note.textContent !== words) {
    note.textContent = words;
  }
  note.classList.toggle("soon", seconds > 0 && seconds < DAY);
}

/**
 * Update all deadlines of the page. Readers who have chosen no time zone see them in the browser's.
 */
function updateTimes() {
  const hasNoZone = document.documentElement.dataset.zone === "";
  for (const time of findAll(document, "time[data-until]", HTMLTimeElement)) {
    const deadline = new Date(time.dateTime);
    if (Number.isNaN(deadline.getTime())) {
      continue;
    }
    if (hasNoZone && !time.dataset.local) {
      showLocally(time, deadline);
    }
    showTimeLeft(time, deadline);
  }
}

/** Submit a form only once, even if its button is pressed again, until the reader comes back. */
function preventDoubleSubmits() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.method !== "post") {
      return;
    }
    const isSentByScript = event.defaultPrevented || form.hasAttribute("data-hx-post");
    if (isSentByScript) {
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
    for (const form of findAll(document, "form[data-sent]", HTMLFormElement)) {
      delete form.dataset.sent;
      form.removeAttribute("aria-busy");
    }
  });
}

/** Let the space bar press links that look like buttons, as it presses buttons. */
function pressLinksBySpace() {
  document.addEventListener("keydown", (event) => {
    if (event.key === " " && matches(event.target, "a[role=button]")) {
      event.preventDefault();
      /** @type {HTMLElement} */ (event.target).click();
    }
  });
}

/** Ignore the answers of self-refreshing parts of the page while the reader is leaving it. */
function ignoreRefreshesWhileLeaving() {
  let isLeaving = false;
  addEventListener("beforeunload", () => {
    isLeaving = true;
    setTimeout(() => {
      isLeaving = false;
    }, 5000);
  });
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    if (isLeaving) {
      event.preventDefault();
    }
  });
}

/** Load and run site_fields.js if the page has fields for it. */
async function enhanceFieldsIfAny() {
  if (document.querySelector("[data-copy], [data-own-zone]")) {
    (await import("./site_fields.js")).enhanceFields();
  }
}

/** Update what depends on the page's content, at loading and whenever htmx changes it. */
function update() {
  updateTimes();
  enhanceFieldsIfAny();
}

update();
preventDoubleSubmits();
pressLinksBySpace();
ignoreRefreshesWhileLeaving();
import("./forget_on_logout.js");
setInterval(updateTimes, 30_000);
document.addEventListener("htmx:afterSettle", update);
