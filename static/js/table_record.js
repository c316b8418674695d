// A battle kept at the table: a tap counts at once, waits where there is no network, and is sent in its order.
// Every entry has a name of its own, so that what is sent twice stands in the record once. Without this script the
// same buttons send the same form.

const form = document.querySelector("form[data-kept]"), said = document.getElementById("kept-data");
const PREFIX = "blind-jump-table/", EVERY = 5000, TIMEOUT = 15_000, SETTLED = 2000;

if (form && said) start();

function start() {
  let now = JSON.parse(said.textContent), sending = false, strange = false, cut = false, most = 100;
  const place = PREFIX + now.keep, waits = document.getElementById("queue"), refused = document.getElementById("refused");
  let queue = read() ?? [], settling = 0;
  const working = window.isSecureContext && navigator.serviceWorker?.register(form.dataset.worker).then(() => navigator.serviceWorker.ready);

  /** What waits, as all tabs of this browser have it; null where the browser keeps nothing. */
  function read() {
    try { return JSON.parse(localStorage.getItem(place)) ?? []; } catch { return null; }
  }

  function keep() {
    try { queue.length ? localStorage.setItem(place, JSON.stringify(queue)) : localStorage.removeItem(place); } catch { /* it is kept on the page alone */ }
  }

  /** The entry that a button and the fields beside it say; null where they say nothing. */
  function entry(value) {
    const [kind, ship, ...rest] = value.split("|"), field = (name) => form.elements[name]?.value.trim() ?? "";
    if (kind === "boxes") return { kind, ship, first: +rest[0], last: +rest[1], off: rest[2] === "1" };
    if (kind === "system") return { kind, ship, system: rest[0], hits: +rest[1] };
    if (kind === "stock") return { kind, ship, name: rest[0], left: +rest[1] };
    if (kind === "shown") return { kind, ship };
    if (kind === "phase") return { kind, turn: +ship, phase: +rest[0] };
    if (kind === "check") return { kind, ship, row: +rest[0], site: rest[1] === "site", rolls: rest[1] === "site" ? [] : (field(`check-${ship}-${rest[0]}`).match(/\d+/g) ?? []).map(Number) };
    if (kind === "end") return { kind, ship, status: field(`status-${ship}`), captor: field(`captor-${ship}`), how: field(`how-${ship}`) };
    if (kind === "dice") return { kind, about: field("about"), rolls: (field("rolls").match(/\d+/g) ?? []).map(Number) };
    if (kind === "throw") return { kind, about: field("about"), dice: Number(field("dice")) || 1 };
    if (kind !== "plot") return null;
    const fields = [...form.elements].filter((one) => one.name.startsWith("plot-"));
    return { kind, turn: now.turn, orders: Object.fromEntries(fields.map((one) => [one.name.slice(5), one.value.trim()])) };
  }

  /** The state with what waits laid over it. */
  function laid() {
    const state = structuredClone(now);
    for (const [, one] of queue) {
      const ship = state.ships[one.ship];
      if (one.kind === "plot") state.sealed = state.sealed || one.turn === state.turn;
      if (!ship) continue;
      if (one.kind === "boxes") {
        const crossed = new Set(ship.crossed);
        for (let n = one.first; n <= one.last; n++) one.off ? crossed.add(n) : crossed.delete(n);
        ship.crossed = [...crossed];
      }
      if (one.kind === "system") ship.hits[one.system] = one.hits;
      if (one.kind === "stock") ship.stock[one.name] = one.left;
      if (one.kind === "end") ship.status = one.status;
      if (one.kind === "shown") ship.shown = true;
    }
    return state;
  }

  function draw() {
    const state = laid();
    for (const pad of form.querySelectorAll("[data-ship]")) if (state.ships[pad.dataset.ship]) drawShip(pad, pad.dataset.ship, state.ships[pad.dataset.ship]);
    const seal = form.querySelector("button[value=plot]");
    if (seal) {
      seal.disabled = state.sealed;
      seal.textContent = state.sealed ? `The plot of turn ${state.turn} is sealed` : `Seal the plot of turn ${state.turn}`;
      for (const one of form.elements) if (one.name?.startsWith("plot-")) one.readOnly = state.sealed;
    }
    waits.hidden = queue.length === 0;
    const many = queue.length === 1 ? "1 entry waits to be sent" : `${queue.length} entries wait to be sent`;
    const why = strange ? ": log in again, and open this page anew. Nothing is lost." : cut || !navigator.onLine ? ": no network. Nothing is lost." : ".";
    if (waits.textContent !== many + why) waits.textContent = many + why;
  }

  function drawShip(pad, id, ship) {
    const crossed = new Set(ship.crossed), boxes = [...pad.querySelectorAll("[data-box]")];
    const next = boxes.map((one) => +one.dataset.box).find((n) => !crossed.has(n)) ?? 0;
    for (const box of boxes) {
      const n = +box.dataset.box, off = crossed.has(n);
      box.classList.toggle("off", off);
      box.setAttribute("aria-pressed", String(off));
      // a tap on a box further on takes all before it too, as damage is taken in order; on a crossed one it opens that again
      box.value = off ? `boxes|${id}|${n}|${Math.max(n, ...crossed)}|0` : `boxes|${id}|${Math.min(next || n, n)}|${n}|1`;
    }
    const working = [...pad.querySelectorAll("[data-system]")].filter((one) => ship.hits[one.dataset.system] < ship.whole[one.dataset.system]);
    const core = (system) => /^(bridge|life-support|power-core)(-\d+)?$/.test(system);
    for (const [row, check] of pad.querySelectorAll("[data-last]").entries()) {
      const done = ship.checks[check.dataset.last], waits = queue.some(([, one]) => one.kind === "check" && one.ship === id && one.row === +check.dataset.last);
      check.hidden = crossed.size < +check.dataset.last;
      for (const part of check.querySelectorAll("[data-throw]")) part.hidden = Boolean(done) || waits;
      const names = working.filter((one) => row > 0 || !core(one.dataset.system)).map((one) => one.firstChild.textContent.replace(":", "").trim());
      check.querySelector("[data-check]").textContent = done ? `Thrown: ${done}. Tap what is lost.` : waits ? "The check waits to be sent." : names.join(", ");
    }
    const left = pad.querySelector("[data-left]");
    if (left) left.textContent = ship.status === "fighting" ? `${boxes.length - crossed.size} of ${boxes.length} boxes` : ends(pad, ship.status);
    for (const one of pad.querySelectorAll("[data-system]")) {
      const system = one.dataset.system, hits = ship.hits[system], whole = ship.whole[system];
      one.classList.toggle("off", hits > 0);
      one.querySelector("[data-state]").textContent = hits === 0 ? "works" : hits < whole ? "halved" : "lost";
      one.value = `system|${id}|${system}|${hits === whole ? 0 : hits + 1}`;
    }
    for (const store of pad.querySelectorAll("[data-store]")) {
      const kept = ship.stock[store.dataset.store], most = +store.dataset.most;
      store.querySelector("[data-count]").textContent = kept;
      for (const step of store.querySelectorAll("[data-step]")) {
        const then = kept + +step.dataset.step;
        step.value = `stock|${id}|${store.dataset.store}|${then}`;
        step.disabled = then < 0 || then > most;
      }
    }
    const shown = pad.querySelector("[data-shown]");
    if (shown) { shown.disabled = ship.shown; shown.textContent = ship.shown ? "They have identified it" : "They identify it"; }
  }

  /** A status in the words of the form. */
  function ends(pad, status) {
    return [...pad.querySelectorAll("[name^=status-] option")].find((one) => one.value === status)?.textContent ?? status;
  }

  /** Send what waits, in its order; or ask whether anything has changed. */
  async function exchange() {
    if (sending || !navigator.onLine || (document.hidden && !queue.length)) return;
    sending = true;
    let gone = false;  // some of what waited
    try {
      const batch = queue.slice(0, most), stop = AbortSignal.timeout(TIMEOUT), redirect = "manual";
      const answer = batch.length
        ? await fetch(form.dataset.sync, { method: "POST", redirect, signal: stop, headers: { "Content-Type": "application/json", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value }, body: JSON.stringify({ entries: batch }) })
        : await fetch(`${form.dataset.sync}?at=${now.at}`, { redirect, signal: stop });
      strange = answer.type === "opaqueredirect" || answer.status === 403;
      if (strange) worker({ forget: true });
      cut = answer.status >= 500;
      if (answer.status === 422 && batch.length > 1) most = 1;  // one of them cannot be read: the others go one by one
      else if (answer.status === 409 || answer.status === 422) {
        tell([(await answer.json()).error]);
        drop(batch.map(([key]) => key));
        gone = true;
      } else if (answer.status === 200) { take(await answer.json()); gone = batch.length > 0; }
    } catch { cut = true; }  // it waits for the next time
    sending = false;
    draw();
    if (queue.length && gone) setTimeout(exchange, 400);
  }

  function take(answer) {
    const done = new Map(answer.written);
    tell([...done.values()].flat());
    drop([...done.keys()]);
    if (!queue.length) most = 100;
    now = { ...now, ...answer };
    keepPage();
    const shared = document.getElementById("shared"), open = shared.querySelector(".record")?.open;
    const focus = shared.contains(document.activeElement);
    shared.innerHTML = answer.shared;
    if (open) shared.querySelector(".record").open = true;
    if (focus) shared.querySelector("button")?.focus();
    for (const [id, drawn] of Object.entries(answer.sheets)) {
      const where = form.querySelector(`[data-ship="${CSS.escape(id)}"] [data-drawn]`);
      if (where) where.innerHTML = drawn;
    }
  }

  function drop(keys) {
    queue = (read() ?? queue).filter(([key]) => !keys.includes(key));
    keep();
  }

  /** What the site did not take, and why. */
  function tell(faults) {
    if (!faults.length) return;
    refused.hidden = false;
    for (const fault of faults) {
      const line = document.createElement("p");
      line.textContent = `Not entered: ${fault}.`;
      refused.append(line);
    }
  }

  form.addEventListener("submit", (event) => {
    const value = event.submitter?.value ?? "";
    if (value === "result") {
      if (queue.length) { event.preventDefault(); tell(["some entries still wait to be sent; take the record over when they are"]); }
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const one = entry(value);
    if (!one) return;
    queue = read() ?? queue;
    queue.push([crypto.randomUUID?.() ?? uuid(), one]);
    keep();
    if (one.kind === "plot") for (const field of form.elements) if (field.name?.startsWith("plot-")) field.value = "";
    if (one.kind === "dice") form.elements.rolls.value = "";
    draw();
    exchange();
  });
  /** Let the worker keep this page for when it is read again without network: as it is now, with what it is drawn with. */
  function keepPage() {
    clearTimeout(settling);
    settling = setTimeout(() => worker({ keep: performance.getEntriesByType("resource").map((one) => one.name).filter((name) => new URL(name).pathname.startsWith("/static/")) }), SETTLED);
  }

  function worker(message) {
    if (working) working.then((registered) => registered.active?.postMessage(message)).catch(() => null);  // it opens without network no more, and that is all
  }

  addEventListener("storage", (event) => { if (event.key === place || event.key === null) { queue = read() ?? queue; draw(); } });
  addEventListener("online", exchange);
  addEventListener("offline", draw);
  document.addEventListener("visibilitychange", exchange);
  setInterval(exchange, EVERY);
  keepPage();
  draw();
  exchange();
}

/** A name for an entry where the browser gives none, as it does over TLS and on the same machine alone. */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
