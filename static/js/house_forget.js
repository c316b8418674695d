// What this browser keeps of battles at a table, entries that wait (table_record.js) and pages to be read without network (table_worker.js),
// is forgotten. Who logs out takes all of it with him; where nobody is logged in no page is kept.

const TABLE = "blind-jump-table/";

/** Forget the pages, and who opens them. */
async function forgetPages() {
  try {
    for (const name of await caches.keys()) if (name.startsWith(TABLE)) await caches.delete(name);
    for (const one of await navigator.serviceWorker.getRegistrations()) if (one.scope.endsWith("/table/record/")) await one.unregister();
  } catch { /* it keeps nothing */ }
}

if (document.documentElement.dataset.zone === undefined) forgetPages();
document.querySelector("form[data-forget]")?.addEventListener("submit", () => {
  try { for (const key of Object.keys(localStorage)) if (key.startsWith(TABLE)) localStorage.removeItem(key); } catch { /* it keeps nothing */ }
  forgetPages();
});
