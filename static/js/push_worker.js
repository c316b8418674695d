// Shows what the site sends to this browser, and opens the page it is about. Tells the site when
// this browser's address changes.

const HERE = "/me/push/";
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/**
 * @param {PushEvent} event
 * @returns {{title?: string, body?: string, path?: string, tag?: string}}
 */
function messageOf(event) {
  try {
    return event.data?.json() ?? {};
  } catch {
    return {}; // A service that sends nothing still wants the name of the site shown.
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
 * Show the page in the tab that has it already, else in a new one.
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

/** @param {string} key */
const subscribe = (key) =>
  worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });

/**
 * Send the new address to the site in place of the old one. If the site refuses it, or nobody is
 * logged in, notifications end in this browser.
 * @param {PushSubscription | undefined} before
 * @param {PushSubscription | undefined} given
 */
async function replace(before, given) {
  let subscription = given;
  try {
    const { key, token } = await (await fetch(HERE, { redirect: "error" })).json();
    subscription ??= await subscribe(key);
    const { endpoint = "", keys } = subscription.toJSON();
    const body = new URLSearchParams({ before: before?.endpoint ?? "", endpoint, ...keys });
    const headers = { "X-CSRFToken": token };
    const answer = await fetch(HERE, { method: "POST", body, headers, redirect: "error" });
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
  event.waitUntil(replace(oldSubscription ?? undefined, newSubscription ?? undefined));
});
