// Marks a message thread as read once it is seen: the form is sent by itself, and its button goes.

import { find } from "./dom.js";

const form = find(document, "form[data-read]", HTMLFormElement);

/** @param {HTMLFormElement} markAsRead */
async function send(markAsRead) {
  const answer = await fetch(markAsRead.action, {
    method: "POST",
    body: new FormData(markAsRead),
    redirect: "manual",
  });
  if (answer.type === "opaqueredirect" || answer.ok) {
    markAsRead.remove();
  }
}

function sendWhenSeen() {
  if (!form || document.visibilityState !== "visible") {
    return;
  }
  document.removeEventListener("visibilitychange", sendWhenSeen);
  send(form).catch(() => {
    // Without network the button stays.
  });
}

if (form) {
  document.addEventListener("visibilitychange", sendWhenSeen);
  sendWhenSeen();
}
