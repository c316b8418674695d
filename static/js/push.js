// Notifications in this browser: the button asks for them, and the form takes the browser's address to the site.

import { phrase } from "./phrase.js";

const form = document.querySelector("form[data-push]");

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error(phrase`Your browser does not allow notifications here.`);
  }
  const worker = await navigator.serviceWorker.register(form.dataset.worker);
  const before = await worker.pushManager.getSubscription();
  if (before) {
    await before.unsubscribe();
  } // it may be of another key
  while (!worker.active) {
    await new Promise((done) => setTimeout(done, 50));
  }
  const taken = await worker.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.push })
    .catch(() => {
      throw new Error(
        phrase`Your browser could not turn its notifications on. Private windows and some browsers have none.`,
      );
    });
  const { endpoint, keys } = taken.toJSON();
  form.elements.endpoint.value = endpoint;
  form.elements.p256dh.value = keys.p256dh;
  form.elements.auth.value = keys.auth;
}

/** Where this browser is told already: its row says so, and its worker is the one of this release. */
async function already() {
  const worker = await navigator.serviceWorker.getRegistration(form.dataset.worker);
  const taken = await worker?.pushManager.getSubscription();
  if (!taken) {
    return;
  }
  await navigator.serviceWorker.register(form.dataset.worker);
  const hash = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(taken.endpoint)),
  );
  const device = [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const row = document.querySelector(`input[name=device][value="${device}"]`)?.nextElementSibling;
  if (!row) {
    return;
  }
  row.append(` · ${phrase`this browser`}`);
  form.hidden = true;
}

if (
  form &&
  window.isSecureContext &&
  "serviceWorker" in navigator &&
  "PushManager" in window &&
  "Notification" in window
) {
  form.hidden = false;
  document.querySelector("[data-push-not]").hidden = true;
  already().catch(() => {
    /* the button still asks for it */
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = form.querySelector("[data-push-said]");
    said.textContent = phrase`Asking your browser…`;
    subscribe().then(
      () => form.submit(),
      (error) => {
        said.textContent = error.message;
      },
    );
  });
}
