// A thread that is seen is read: the form that says so is sent by itself, and its button goes.
const form = document.querySelector("form[data-read]");

async function say() {
  const answer = await fetch(form.action, {
    method: "POST",
    body: new FormData(form),
    redirect: "manual",
  });
  if (answer.type === "opaqueredirect" || answer.ok) {
    form.remove();
  }
}

function seen() {
  if (document.visibilityState !== "visible") {
    return;
  }
  document.removeEventListener("visibilitychange", seen);
  say().catch(() => {}); // without network the button stays
}

if (form) {
  document.addEventListener("visibilitychange", seen);
  seen();
}
