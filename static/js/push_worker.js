// Shows what the site sends to this browser, and opens the page it is about; tells the site where it is another address.

const HERE = "/me/push/";

self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data.json();
  } catch {
    /* a service that sends nothing still wants the name of the site shown */
  }
  // Browsers draw no SVG in a notification.
  const options = {
    body: told.body || "",
    data: { path: told.path || "/" },
    icon: "/static/img/mark.png",
    tag: told.tag,
  };
  event.waitUntil(self.registration.showNotification(told.title || "Blind Jump", options));
});

/** The page in the tab that shows it already, else in a new one. */
async function open(there) {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = tabs.find((tab) => new URL(tab.url).pathname === there.pathname);
  await (shown ? shown.focus() : self.clients.openWindow(there.href));
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const there = new URL(event.notification.data.path, self.location.origin);
  if (there.origin === self.location.origin) {
    event.waitUntil(open(there));
  }
});

/** The new address goes to the site in place of the old one. Where that is told no more, or nobody is logged in, there is none. */
async function replaced(before, given) {
  let taken = given;
  try {
    const asked = await fetch(HERE, { redirect: "error" });
    const { key, token } = await asked.json();
    taken ??= await self.registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: key,
    });
    const { endpoint, keys } = taken.toJSON();
    const sent = new URLSearchParams({ before: before?.endpoint ?? "", endpoint, ...keys });
    const answer = await fetch(HERE, {
      method: "POST",
      body: sent,
      headers: { "X-CSRFToken": token },
      redirect: "error",
    });
    if (!answer.ok) {
      throw new Error(String(answer.status));
    }
  } catch (error) {
    await taken?.unsubscribe();
    throw error;
  }
}

self.addEventListener("pushsubscriptionchange", (event) =>
  event.waitUntil(replaced(event.oldSubscription, event.newSubscription)),
);
