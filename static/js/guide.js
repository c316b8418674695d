// A guided war: the step that was taken goes, the next one of the page is shown at once, and the account keeps it. What is
// not sent by the script is sent by the browser, as without scripts.

const form = document.getElementById("guide");
const steps = () => [...document.querySelectorAll("[data-guide]")];

function take(step, focus) {
  const next = steps().find((one) => one !== step && one.hidden);
  step.remove();
  if (!next) return;
  next.hidden = false;
  if (focus) { next.focus({ preventScroll: true }); next.scrollIntoView({ block: "nearest" }); }
}

async function send(value) {
  const body = new FormData(form);
  body.set("step", value);
  const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => null);
  return answer !== null && (answer.ok || answer.type === "opaqueredirect");
}

// A fleet was ordered on the map or in the list: what that step says is done.
document.addEventListener("ordered", () => {
  const step = document.querySelector("[data-guide=list]:not([hidden])");
  if (step) send(step.querySelector("button").value).then((kept) => { if (kept) take(step, false); });
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { value } = event.submitter, step = event.submitter.closest("[data-guide]");
  event.submitter.disabled = true;
  if (!(await send(value))) { event.submitter.disabled = false; return; }
  if (value === "all") steps().forEach((one) => one.remove()); else take(step, true);
});
