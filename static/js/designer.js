// The designer at once: htmx sends the form at every change; here are undo and redo, and what is said of a change.
const form = document.getElementById("designer");
const bench = document.getElementById("bench");
const said = document.getElementById("bench-said");
const MOST = 60;
const past = [];
let future = [];

const snapshot = () => new URLSearchParams([...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "notes")).toString();

const shown = () => {
  const words = bench.querySelector("[data-said]");
  if (words && said) said.textContent = words.textContent;
  const box = bench.querySelector("[data-undoing]");
  if (!box) return;
  box.hidden = false;
  box.querySelector("[data-undo]").disabled = past.length < 2;
  box.querySelector("[data-redo]").disabled = future.length === 0;
};

const record = () => {
  const now = snapshot();
  if (past.at(-1) !== now) {
    past.push(now);
    if (past.length > MOST) past.shift();
    future = [];
  }
  shown();
};

const goTo = async (state) => {
  const sent = new URLSearchParams(state);
  sent.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  sent.set("act", "show");
  const answer = await fetch(form.action, { method: "POST", headers: { "HX-Request": "true" }, body: sent });
  if (!answer.ok) return;
  bench.innerHTML = await answer.text();
  window.htmx?.process(bench);
  shown();
};

const step = (from, to) => {
  if (from === past && past.length < 2) return;
  if (from === future && !future.length) return;
  to.push(from.pop());
  void goTo(past.at(-1));
};

if (form && bench) {
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target === form) event.detail.lastFocus = document.activeElement?.id;
  });
  document.body.addEventListener("htmx:afterSettle", (event) => {
    if (event.target !== bench && event.target !== form) return;
    record();
    const focused = document.activeElement;
    if (!focused || focused === document.body) bench.querySelector(".bench-rows > li.open button, .bench-rows > li:last-child button")?.focus({ preventScroll: true });
  });
  form.addEventListener("click", (event) => {
    if (event.target.closest("[data-undo]")) step(past, future);
    else if (event.target.closest("[data-redo]")) step(future, past);
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("textarea, input:not([type=checkbox])")) return;
    event.preventDefault();
    if (event.shiftKey) step(future, past);
    else step(past, future);
  });
  record();
}
