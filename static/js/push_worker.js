// Shows what the site sends to this browser, and opens the page it is about.

self.addEventListener("push", event => {
  let told = {};
  try { told = event.data.json(); } catch { /* a service that sends nothing still wants the name of the site shown */ }
  // Browsers draw no SVG in a notification.
  const options = { body: told.body || "", data: { path: told.path || "/" }, icon: "/static/img/mark.png", tag: told.body };
  event.waitUntil(self.registration.showNotification(told.title || "Blind Jump", options));
});

/** The page in the tab that shows it already, else in a new one. */
async function open(there) {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = tabs.find(tab => new URL(tab.url).pathname === there.pathname);
  await (shown ? shown.focus() : self.clients.openWindow(there.href));
}

self.addEventListener("notificationclick", event => {
  event.notification.close();
  const there = new URL(event.notification.data.path, self.location.origin);
  if (there.origin === self.location.origin) event.waitUntil(open(there));
});
