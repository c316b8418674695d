// Logging out deletes everything this browser stores (browser_storage.js) and turns off its
// notifications. Stored pages are also deleted when nobody, or another account, is logged in.
// Loaded after every page.

import { find, need } from "./dom.js";
import { accountChanged, clearStorage, deleteStoredPages } from "./browser_storage.js";

// Milliseconds to wait for the browser to turn off its notifications. The site stops sending them
// in any case.
const TIMEOUT = 3000;

const form = find(document, "form[data-forget]", HTMLFormElement);

/**
 * Turn off the notifications of this browser, and close those it shows.
 * @returns {Promise<string>} the push address, for the site to delete; empty if there is none
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
 * Delete everything this browser stores, then log out.
 * @param {HTMLFormElement} logoutForm
 */
async function logOut(logoutForm) {
  /** @type {Promise<undefined>} */
  const timeout = new Promise((resolve) => {
    setTimeout(() => resolve(undefined), TIMEOUT);
  });
  const cleanup = Promise.all([unsubscribe(), clearStorage()]).then(([address]) => address);
  const address = await Promise.race([cleanup, timeout]).catch(() => "");
  need(logoutForm, "[name=endpoint]", HTMLInputElement).value = address ?? "";
  logoutForm.submit();
}

if (accountChanged) {
  deleteStoredPages();
}
form?.addEventListener("submit", (event) => {
  if (!("serviceWorker" in navigator)) {
    clearStorage();
    return;
  }
  event.preventDefault();
  logOut(form);
});
