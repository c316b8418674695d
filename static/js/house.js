// Small comforts of every page. Everything works without them.

const MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

/** What is left of a time in words: "in 2 days 4 h", "in 3 h 20 min", "12 min ago". */
function left(seconds) {
  const size = Math.abs(seconds), some = [];
  const days = Math.floor(size / DAY), hours = Math.floor((size % DAY) / HOUR), minutes = Math.floor((size % HOUR) / MINUTE);
  if (days) some.push(`${days} day${days === 1 ? "" : "s"}`);
  if (hours && days < 4) some.push(`${hours} h`);
  if (minutes && !days) some.push(`${minutes} min`);
  if (!some.length) return seconds < 0 ? "just now" : "in less than a minute";
  return seconds < 0 ? `${some.join(" ")} ago` : `in ${some.join(" ")}`;
}

/** Beside every deadline what is left; in the browser's own zone for who has chosen none. */
function times() {
  const unchosen = document.documentElement.dataset.zone === "";
  for (const time of document.querySelectorAll("time[data-until]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    if (unchosen && !time.dataset.local) {
      const form = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" };
      time.textContent = new Intl.DateTimeFormat("en-GB", form).format(at);
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
    if (said.textContent !== words) said.textContent = words;
    said.classList.toggle("soon", seconds > 0 && seconds < DAY);
  }
}

/** Buttons that copy the text of a field; shown only where copying works. */
function copying() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("button[data-copy]")) {
    const field = document.getElementById(button.dataset.copy);
    if (!field || !button.hidden) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      field.select();
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }
}

/** A form is sent once, however often its button is pressed; coming back to the page frees it. */
function once() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented || form.hasAttribute("hx-post")) return;
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "1";
    form.setAttribute("aria-busy", "true");
  });
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) { delete form.dataset.sent; form.removeAttribute("aria-busy"); }
  });
}

/** Links that look like buttons answer to the space bar as buttons do. */
function spacebar() {
  document.addEventListener("keydown", (event) => {
    if (event.key === " " && event.target.matches("a[role=button]")) { event.preventDefault(); event.target.click(); }
  });
}

/** A field that offers the browser's own zone where nothing is chosen. */
function zones() {
  for (const field of document.querySelectorAll("[data-own-zone]")) {
    if (!field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  }
}

/** Who is on his way to another page is not called back by one that goes on by itself. */
function leaving() {
  let gone = false;
  addEventListener("beforeunload", () => { gone = true; setTimeout(() => { gone = false; }, 5000); });
  document.addEventListener("htmx:beforeOnLoad", (event) => { if (gone) event.preventDefault(); });
}

/** What this browser keeps of battles at a table: entries that wait (table_record.js), pages to be read without network (table_worker.js). */
const TABLE = "blind-jump-table/";

/** Forget the pages, and who opens them. */
async function forgetPages() {
  try {
    for (const name of await caches.keys()) if (name.startsWith(TABLE)) await caches.delete(name);
    for (const one of await navigator.serviceWorker.getRegistrations()) if (one.scope.endsWith("/table/record/")) await one.unregister();
  } catch { /* it keeps nothing */ }
}

/** Who logs out takes with him what this browser keeps of his battles; where nobody is logged in no page of them is kept. */
function forgetting() {
  if (document.documentElement.dataset.zone === undefined) forgetPages();
  document.querySelector("form[data-forget]")?.addEventListener("submit", () => {
    try { for (const key of Object.keys(localStorage)) if (key.startsWith(TABLE)) localStorage.removeItem(key); } catch { /* it keeps nothing */ }
    forgetPages();
  });
}

function all() { times(); copying(); zones(); }

all();
once();
spacebar();
leaving();
forgetting();
setInterval(times, 30_000);
document.addEventListener("htmx:afterSettle", all);
