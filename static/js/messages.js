// Marks a message thread as read once it is visible: sends the "mark as read" form by itself, and
// removes its button.

import { find } from "./dom.js";

const form = find(document, "form[data-read]", HTMLFormElement);

/**
 * Send the form that marks the thread as read, and remove it once the site has done so.
 * @param {HTMLFormElement} readForm
 */
async function markThreadAsRead(readForm) {
  const answer = await fetch(readForm.action, {
    method: "POST",
    body: new FormData(readForm),
    redirect: "manual",
  });
  if (answer.type === "opaqueredirect" || answer.ok) {
    readForm.remove();
  }
}

function markWhenVisible() {
  if (!form || document.visibilityState !== "visible") {
    return;
  }
  document.removeEventListener("visibilitychange", markWhenVisible);
  markThreadAsRead(form).catch(() => {
    // Without a network the button stays.
  });
}

if (form) {
  document.addEventListener("visibilitychange", markWhenVisible);
  markWhenVisible();
}
