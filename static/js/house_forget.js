// What this browser keeps (kept.js) goes with its reader: all of it, and the notifications, when logging out; pages
// also where nobody or somebody else is logged in.

import { forget, forgetPages, readerChanged } from "./kept.js";

// Milliseconds for the browser to end its notifications; the site ends them in any case.
const PATIENCE = 3000;

const form = document.querySelector("form[data-forget]");

/** End the notifications of this browser. Returns its address, so that the site forgets it, too. */
async function unsubscribe() {
  let address = "";
  for (const worker of await navigator.serviceWorker.getRegistrations()) {
    const subscription = await worker.pushManager?.getSubscription();
    const shown = (await worker.getNotifications?.()) ?? [];
    for (const notification of shown) {
      notification.close();
    }
    if (!subscription) {
      continue;
    }
    address = subscription.endpoint;
    await subscription.unsubscribe();
  }
  return address;
}

/** Forget everything, then log out. */
async function leave() {
  const late = new Promise((done) => setTimeout(done, PATIENCE));
  const both = Promise.all([unsubscribe(), forget()]).then(([address]) => address);
  const address = await Promise.race([both, late]).catch(() => "");
  form.elements.endpoint.value = address ?? "";
  form.submit();
}

if (readerChanged) {
  forgetPages();
}
form?.addEventListener("submit", (event) => {
  if (!("serviceWorker" in navigator)) {
    forget();
    return;
  }
  event.preventDefault();
  leave();
});
