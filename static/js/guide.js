// A guided war: the step that was taken goes, the next one of the page is shown at once, and the account keeps it. What is
// not sent by the script is sent by the browser, as without scripts.

const form = document.getElementById("guide");
// In their order, which need not be that of their places on the page.
const steps = () =>
  [...document.querySelectorAll("[data-guide]")].sort(
    (a, b) => a.dataset.number - b.dataset.number,
  );

function take(step, focus) {
  const next = steps().find((one) => one !== step && one.hidden);
  step.remove();
  if (!next) {
    return;
  }
  next.hidden = false;
  if (focus) {
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }
}

async function send(value) {
  const body = new FormData(form);
  body.set("step", value);
  const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(
    () => null,
  );
  return answer !== null && (answer.ok || answer.type === "opaqueredirect");
}

// What a step says is done: it is taken, and the next one comes without the reader being moved to it.
function done(at) {
  const step = document.querySelector(`[data-guide=${at}]:not([hidden])`);
  if (step) {
    send(step.querySelector("button.secondary").value).then((kept) => {
      if (kept) {
        take(step, false);
      }
    });
  }
}
document.addEventListener("ordered", () => {
  if (!document.querySelector("[data-list] .todo")) {
    done("list");
  }
});
document.getElementById("go")?.addEventListener("click", () => done("player"));

form.addEventListener("submit", async (event) => {
  if (event.submitter.hasAttribute("formaction")) {
    return;
  } // it leads on to another page
  event.preventDefault();
  const { value } = event.submitter;
  const step = event.submitter.closest("[data-guide]");
  event.submitter.disabled = true;
  if (!(await send(value))) {
    event.submitter.disabled = false;
    return;
  }
  if (value === "all") {
    steps().forEach((one) => one.remove());
  } else {
    take(step, true);
  }
});
