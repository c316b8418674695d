// The designer at once: the form is sent at every change, and the part that changed comes back; undo and redo.
// What saves goes the usual way, as a page does without this script.
const form = document.getElementById("designer");
const bench = document.getElementById("bench");
const said = document.getElementById("bench-said");
const MOST = 60; // states that can be undone
const SAVES = ["keep", "class"];
const past = [];
let future = [];
let asked; // what waits for its answer

const fields = () => {
  const sent = new URLSearchParams([...new FormData(form)]);
  sent.delete("act");
  return sent;
};

const snapshot = () => {
  const sent = fields();
  sent.delete("csrfmiddlewaretoken");
  sent.delete("notes");
  return sent.toString();
};

const shown = () => {
  said.textContent = bench.querySelector("[data-said]").textContent;
  const box = bench.querySelector("[data-undoing]");
  box.hidden = false;
  box.querySelector("[data-undo]").disabled = past.length < 2;
  box.querySelector("[data-redo]").disabled = future.length === 0;
};

const record = () => {
  const now = snapshot();
  if (past.at(-1) === now) {
    return;
  }
  past.push(now);
  if (past.length > MOST) {
    past.shift();
  }
  future = [];
};

const focusAgain = (id, row) => {
  const again = id && document.getElementById(id);
  if (again) {
    return again.focus({ preventScroll: true });
  }
  const rows = bench.querySelectorAll(".bench-rows > li");
  const at = bench.querySelector(".bench-rows > li.open") ?? rows[Math.min(row, rows.length - 1)];
  (at?.querySelector("button") ?? document.getElementById("palette-title"))?.focus({
    preventScroll: true,
  });
};

const send = async (body, fresh) => {
  asked?.abort();
  const mine = new AbortController();
  asked = mine;
  const inside = bench.contains(document.activeElement);
  const id = document.activeElement?.id;
  const row = Number(/-(\d+)$/.exec(id ?? "")?.[1] ?? 0);
  const open = [...bench.querySelectorAll("details[open]")].map((one) => one.id);
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { "HX-Request": "true" },
      body,
      signal: mine.signal,
    });
    if (!answer.ok) {
      return form.submit();
    }
    bench.innerHTML = await answer.text();
  } catch (error) {
    if (error.name === "AbortError") {
      return;
    }
    throw error;
  }
  for (const one of open) {
    document.getElementById(one)?.setAttribute("open", "");
  }
  if (fresh) {
    record();
  }
  shown();
  if (inside) {
    focusAgain(id, row);
  }
};

const act = (name) => {
  const body = fields();
  body.set("act", name);
  return send(body, true);
};

const step = (from, to, least) => {
  if (from.length < least) {
    return;
  }
  to.push(from.pop());
  const body = new URLSearchParams(past.at(-1));
  body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  body.set("act", "show");
  void send(body, false);
};
const undo = () => step(past, future, 2);
const redo = () => step(future, past, 1);

form.addEventListener("submit", (event) => {
  const name = event.submitter?.value ?? "show";
  if (SAVES.includes(name)) {
    return;
  }
  event.preventDefault();
  void act(name);
});
form.addEventListener("change", (event) => {
  if (event.target.name !== "notes") {
    void act("show");
  }
});
form.addEventListener("click", (event) => {
  if (event.target.closest("[data-undo]")) {
    undo();
  } else if (event.target.closest("[data-redo]")) {
    redo();
  }
});
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") {
    return;
  }
  if (event.target.matches("textarea, input:not([type=checkbox])")) {
    return;
  }
  event.preventDefault();
  if (event.shiftKey) {
    redo();
  } else {
    undo();
  }
});
record();
shown();
