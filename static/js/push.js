// Turns on notifications in this browser: the button asks the browser for a push address, and the
// form sends it to the site.

import { find, need } from "./dom.js";
import { phrase } from "./phrase.js";

const POLL_INTERVAL = 50; // milliseconds between checks whether the service worker is active

/**
 * Ask the browser for a push subscription, and fill in its address and keys.
 * @param {HTMLFormElement} form
 */
async function subscribe(form) {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error(phrase`Your browser does not allow notifications here.`);
  }
  const worker = await navigator.serviceWorker.register(form.dataset.worker ?? "");
  const earlier = await worker.pushManager.getSubscription();
  if (earlier) {
    await earlier.unsubscribe(); // It may use an old key of the site.
  }
  while (!worker.active) {
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_INTERVAL);
    });
  }
  const subscription = await worker.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.push })
    .catch(() => {
      throw new Error(
        phrase`Your browser could not turn its notifications on. Private windows and some browsers have none.`,
      );
    });
  const { endpoint, keys } = subscription.toJSON();
  need(form, "[name=endpoint]", HTMLInputElement).value = endpoint ?? "";
  need(form, "[name=p256dh]", HTMLInputElement).value = keys?.p256dh ?? "";
  need(form, "[name=auth]", HTMLInputElement).value = keys?.auth ?? "";
}

/**
 * Return the SHA-256 of a text in hexadecimal.
 * @param {string} text
 */
async function hashOf(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Mark this browser in the list of devices if it already has notifications, and update its worker.
 * @param {HTMLFormElement} form
 */
async function markOwnRow(form) {
  const script = form.dataset.worker ?? "";
  const worker = await navigator.serviceWorker.getRegistration(script);
  const subscription = await worker?.pushManager.getSubscription();
  if (!subscription) {
    return;
  }
  await navigator.serviceWorker.register(script);
  const device = await hashOf(subscription.endpoint);
  const row = document.querySelector(`input[name=device][value="${device}"]`)?.nextElementSibling;
  if (!row) {
    return;
  }
  row.append(` · ${phrase`this browser`}`);
  form.hidden = true;
}

/**
 * Show the form in place of the note that this browser has no notifications.
 * @param {HTMLFormElement} form
 */
function enableForm(form) {
  form.hidden = false;
  need(document, "[data-push-unavailable]", HTMLElement).hidden = true;
  markOwnRow(form).catch(() => {
    // The button works without the mark.
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const status = need(form, "[data-push-status]", HTMLElement);
    status.textContent = phrase`Asking your browser…`;
    subscribe(form).then(
      () => form.submit(),
      (error) => {
        status.textContent = error.message;
      },
    );
  });
}

const form = find(document, "form[data-push]", HTMLFormElement);
const canNotify =
  window.isSecureContext &&
  "serviceWorker" in navigator &&
  "PushManager" in window &&
  "Notification" in window;
if (form && canNotify) {
  enableForm(form);
}
