// What this browser keeps of battles at a table, entries that wait (table_record.js) and pages to be read without network (table_worker.js),
// and of orders that never reached the site (draft_held.js), is forgotten. Who logs out takes all of it with him, and notifications end; where nobody is logged in no page is kept.

const TABLE = "blind-jump-table/", HELD = "blind-jump-held/";
const PATIENCE = 3000; // milliseconds for the browser to end its notifications; the site ends them whatever it does

/** Forget the pages, and who opens them. */
async function forgetPages() {
  try {
    for (const name of await caches.keys()) if (name.startsWith(TABLE)) await caches.delete(name);
    for (const one of await navigator.serviceWorker.getRegistrations()) if (one.scope.endsWith("/table/record/")) await one.unregister();
  } catch { /* it keeps nothing */ }
}

if (document.documentElement.dataset.zone === undefined) forgetPages();
/** This browser takes no notifications any more and shows none. Its address, so that the site forgets it. */
async function untold() {
  let address = "";
  for (const one of await navigator.serviceWorker.getRegistrations()) {
    const taken = await one.pushManager?.getSubscription();
    for (const shown of await one.getNotifications?.() ?? []) shown.close();
    if (!taken) continue;
    address = taken.endpoint;
    await taken.unsubscribe();
  }
  return address;
}

document.querySelector("form[data-forget]")?.addEventListener("submit", (event) => {
  try { for (const key of Object.keys(localStorage)) if (key.startsWith(TABLE) || key.startsWith(HELD)) localStorage.removeItem(key); } catch { /* it keeps nothing */ }
  forgetPages();
  if (!("serviceWorker" in navigator)) return;
  event.preventDefault();
  const form = event.target, late = new Promise((done) => setTimeout(done, PATIENCE));
  Promise.race([untold(), late]).then((address) => { form.elements.endpoint.value = address ?? ""; }).finally(() => form.submit());
});
