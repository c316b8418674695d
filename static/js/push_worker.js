// Shows what the site sends to this browser, and opens the page it is about.

self.addEventListener("push", event => {
  let told = {};
  try { told = event.data.json(); } catch { /* a service that sends nothing still wants the name of the site shown */ }
  const options = { body: told.body || "", data: { path: told.path || "/" }, icon: "/static/img/mark.svg", tag: told.body };
  event.waitUntil(self.registration.showNotification(told.title || "Blind Jump", options));
});

self.addEventListener("notificationclick", event => {
  event.notification.close();
  const there = new URL(event.notification.data.path, self.location.origin);
  if (there.origin === self.location.origin) event.waitUntil(self.clients.openWindow(there.href));
});
