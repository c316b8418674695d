// The service worker of notifications: shows those that the site sends, opens the page that a
// notification is about, and tells the site when this browser's push address changes.

const ADDRESS_URL = "/me/push/"; // where the site takes a changed push address
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/**
 * Return the text of a notification and the page it is about.
 * @param {PushEvent} event
 * @returns {{title?: string, body?: string, path?: string, tag?: string}}
 */
function messageOf(event) {
  try {
    return event.data?.json() ?? {};
  } catch {
    return {}; // Browsers require a notification even for a push without data.
  }
}

worker.addEventListener("push", (event) => {
  const message = messageOf(event);
  const options = {
    body: message.body || "",
    data: { path: message.path || "/" },
    icon: "/static/img/mark.png", // Browsers draw no SVG in a notification.
    tag: message.tag,
  };
  event.waitUntil(worker.registration.showNotification(message.title || "Blind Jump", options));
});

/**
 * Focus the tab that already shows the page, or open the page in a new one.
 * @param {URL} address
 */
async function open(address) {
  const tabs = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find((client) => new URL(client.url).pathname === address.pathname);
  await (tab ? tab.focus() : worker.clients.openWindow(address.href));
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data.path, worker.location.origin);
  if (address.origin === worker.location.origin) {
    event.waitUntil(open(address));
  }
});

/** @param {string} key the site's public key */
const subscribe = (key) =>
  worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });

/**
 * Send the new push address to the site in place of the old one. If the site refuses it, or nobody
 * is logged in, turn off notifications in this browser.
 * @param {PushSubscription | undefined} oldSubscription
 * @param {PushSubscription | undefined} newSubscription subscribed here if left out
 */
async function replaceSubscription(oldSubscription, newSubscription) {
  let subscription = newSubscription;
  try {
    const { key, token } = await (await fetch(ADDRESS_URL, { redirect: "error" })).json();
    subscription ??= await subscribe(key);
    const { endpoint = "", keys } = subscription.toJSON();
    const before = oldSubscription?.endpoint ?? "";
    const body = new URLSearchParams({ before, endpoint, ...keys });
    const headers = { "X-CSRFToken": token };
    const answer = await fetch(ADDRESS_URL, { method: "POST", body, headers, redirect: "error" });
    if (!answer.ok) {
      throw new Error(String(answer.status));
    }
  } catch (error) {
    await subscription?.unsubscribe();
    throw error;
  }
}

worker.addEventListener("pushsubscriptionchange", (event) => {
  const { oldSubscription, newSubscription } = event;
  event.waitUntil(replaceSubscription(oldSubscription ?? undefined, newSubscription ?? undefined));
});
