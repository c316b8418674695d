// What this browser keeps (browser_storage.js) goes with its reader: all of it, and the
// notifications, when logging out; pages also where nobody or somebody else is logged in.

import { find, need } from "./dom.js";
import { forget, forgetPages, readerChanged } from "./browser_storage.js";

// Milliseconds for the browser to end its notifications; the site ends them in any case.
const PATIENCE = 3000;

const form = find(document, "form[data-forget]", HTMLFormElement);

/**
 * End the notifications of this browser.
 * @returns {Promise<string>} its address, so that the site forgets it, too
 */
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

/**
 * Forget everything, then log out.
 * @param {HTMLFormElement} logOut
 */
async function leave(logOut) {
  /** @type {Promise<undefined>} */
  const tooLate = new Promise((resolve) => {
    setTimeout(() => resolve(undefined), PATIENCE);
  });
  const both = Promise.all([unsubscribe(), forget()]).then(([address]) => address);
  const address = await Promise.race([both, tooLate]).catch(() => "");
  need(logOut, "[name=endpoint]", HTMLInputElement).value = address ?? "";
  logOut.submit();
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
  leave(form);
});
