// A battle kept at the table: a tap counts at once, waits where there is no network, and is sent in its order.
// Every entry has a name of its own, so that what is sent twice stands in the record once. Without this script the
// same buttons send the same form.

import { nameOf, restOf } from "./field.js";
import { phrase } from "./phrase.js";
import { store } from "./table_queue.js";

const form = document.querySelector("form[data-kept]");
const said = document.getElementById("kept-data");
const EVERY = 5000;
const TIMEOUT = 15_000;
const SETTLED = 2000;

if (form && said) {
  start();
}

function start() {
  let now = JSON.parse(said.textContent);
  let sending = false;
  let strange = false;
  let cut = false;
  let answered = 0;
  let most = 100;
  const kept = store(now.keep);
  const waits = document.getElementById("queue");
  const refused = document.getElementById("refused");
  const shared = document.getElementById("shared");
  let queue = kept.all();
  let settling = 0;
  let plotting = "";
  let ahead = "";
  let drawn = shared.innerHTML;
  const working =
    window.isSecureContext &&
    navigator.serviceWorker
      ?.register(form.dataset.worker)
      .then(() => navigator.serviceWorker.ready);
  const { fields } = now;
  const plots = [...form.elements].filter((one) => restOf(fields.plot, one.name) !== null);
  const sample = plots[0]?.placeholder ?? "";

  const orders = () =>
    Object.fromEntries(plots.map((one) => [restOf(fields.plot, one.name), one.value.trim()]));

  /** The entry that a button and the fields beside it say; null where they say nothing. */
  function entry(value) {
    const [kind, ship, ...rest] = value.split("|");
    const field = (name) => form.elements[name]?.value.trim() ?? "";
    if (kind === "boxes") {
      return { kind, ship, first: +rest[0], last: +rest[1], off: rest[2] === "1" };
    }
    if (kind === "system") {
      return { kind, ship, system: rest[0], hits: +rest[1] };
    }
    if (kind === "stock") {
      return { kind, ship, name: rest[0], left: +rest[1] };
    }
    if (kind === "shown") {
      return { kind, ship };
    }
    if (kind === "ground") {
      return { kind, site: ship, damage: +rest[0] };
    }
    if (kind === "phase") {
      return { kind, turn: +ship, phase: +rest[0] };
    }
    if (kind === "check") {
      return {
        kind,
        ship,
        row: +rest[0],
        site: rest[1] === "site",
        rolls:
          rest[1] === "site"
            ? []
            : (field(nameOf(fields.check, ship, rest[0])).match(/\d+/g) ?? []).map(Number),
      };
    }
    if (kind === "end") {
      return {
        kind,
        ship,
        status: field(nameOf(fields.status, ship)),
        captor: field(nameOf(fields.captor, ship)),
        how: field(nameOf(fields.how, ship)),
      };
    }
    if (kind === "dice") {
      return {
        kind,
        about: field("about"),
        rolls: (field("rolls").match(/\d+/g) ?? []).map(Number),
      };
    }
    if (kind === "throw") {
      return { kind, about: field("about"), dice: Number(field("dice")) || 1 };
    }
    return kind === "plot" ? { kind, turn: laid().turn, orders: orders() } : null;
  }

  /** The state with what waits laid over it. */
  function laid() {
    const state = structuredClone(now);
    for (const [, one] of queue) {
      const ship = state.ships[one.ship];
      if (one.kind === "plot" && one.turn === state.turn && !state.sealed) {
        Object.assign(state, { sealed: true, plot: one.orders });
      }
      if (
        one.kind === "phase" &&
        (one.turn > state.turn || (one.turn === state.turn && one.phase > state.phase))
      ) {
        if (one.turn > state.turn) {
          Object.assign(state, { sealed: false, plot: {} });
        }
        Object.assign(state, { turn: one.turn, phase: one.phase });
      }
      if (one.kind === "ground") {
        state.ground[one.site] = one.damage;
      }
      if (!ship) {
        continue;
      }
      if (one.kind === "boxes") {
        const crossed = new Set(ship.crossed);
        for (let n = one.first; n <= one.last; n++) {
          one.off ? crossed.add(n) : crossed.delete(n);
        }
        ship.crossed = [...crossed];
      }
      if (one.kind === "system") {
        ship.hits[one.system] = one.hits;
      }
      if (one.kind === "stock") {
        ship.stock[one.name] = one.left;
      }
      if (one.kind === "end") {
        ship.status = one.status;
      }
      if (one.kind === "shown") {
        ship.shown = true;
      }
    }
    return state;
  }

  function draw() {
    const state = laid();
    for (const pad of form.querySelectorAll("[data-ship]")) {
      if (state.ships[pad.dataset.ship]) {
        drawShip(pad, pad.dataset.ship, state.ships[pad.dataset.ship]);
      }
    }
    drawPlot(state);
    drawTurn(state);
    drawGround(state);
    waits.hidden = queue.length === 0 && !kept.unkept();
    const words = waiting();
    if (waits.textContent !== words) {
      waits.textContent = words;
    }
  }

  /** What waits, and for what. */
  function waiting() {
    const many = phrase`${queue.length} {:entry waits|entries wait} to be sent`;
    if (kept.unkept()) {
      return queue.length
        ? phrase`${many}, and this browser has no room to keep them: leave the page open until they are sent.`
        : phrase`This browser has no room to keep what you type: leave the page open until it is sealed.`;
    }
    if (strange) {
      return phrase`${many}: log in again, and open this page anew. Nothing is lost.`;
    }
    if (answered) {
      return phrase`${many}: the site answers ${answered} and is asked again. Nothing is lost.`;
    }
    return cut || !navigator.onLine
      ? phrase`${many}: no network. Nothing is lost.`
      : phrase`${many}.`;
  }

  /** The fields of the plot: as it is sealed, or as it was typed for this turn. */
  function drawPlot(state) {
    const seal = form.querySelector("button[value=plot]");
    const here = `${state.turn} ${state.sealed}`;
    if (!seal) {
      return;
    }
    seal.disabled = state.sealed;
    seal.textContent = state.sealed
      ? phrase`The plot of turn ${state.turn} is sealed`
      : phrase`Seal the plot of turn ${state.turn}`;
    const typed = kept.plot();
    if (typed.turn < now.turn || (typed.turn === now.turn && now.sealed)) {
      kept.forget();
    }
    if (plotting === here) {
      return;
    }
    plotting = here;
    const shows = state.sealed ? state.plot : typed.turn === state.turn ? typed.orders : {};
    for (const one of plots) {
      Object.assign(one, {
        readOnly: state.sealed,
        value: shows[one.name.slice(5)] ?? "",
        placeholder: state.sealed ? phrase`no orders` : sample,
      });
    }
  }

  /** The turn and its phase, where what waits has gone on from those that the site knows of. */
  function drawTurn(state) {
    const here =
      state.turn === now.turn && state.phase === now.phase ? "" : `${state.turn} ${state.phase}`;
    if (here === ahead) {
      return;
    }
    ahead = here;
    share();
    if (!here) {
      return;
    }
    const phases = [...shared.querySelectorAll(".phases li")];
    const next = phases[state.phase + 1]?.textContent;
    shared.querySelector("#turn-title").textContent =
      phrase`Turn ${state.turn}, ${phases[state.phase].textContent}`;
    for (const [n, one] of phases.entries()) {
      n === state.phase
        ? one.setAttribute("aria-current", "step")
        : one.removeAttribute("aria-current");
    }
    const on = shared.querySelector("button[value^='phase|']");
    if (!on) {
      return;
    }
    on.hidden = !state.sealed; // of another turn nobody knows whether all have sealed
    on.value = next ? `phase|${state.turn}|${state.phase + 1}` : `phase|${state.turn + 1}|0`;
    on.textContent = phrase`Go on: ${next ?? phrase`turn ${state.turn + 1}`}`;
  }

  /** The part that all at the table write together, as the site draws it. */
  function share() {
    const open = [".record", ".untold"].filter((one) => shared.querySelector(one)?.open);
    const focus = shared.contains(document.activeElement);
    shared.innerHTML = drawn;
    for (const one of open) {
      shared.querySelector(one)?.setAttribute("open", "");
    }
    if (focus) {
      shared.querySelector("button")?.focus();
    }
  }

  /** Boxes of ground targets: a tap on one takes all before it too; on one that is marked off it opens that again. */
  function drawGround(state) {
    for (const target of shared.querySelectorAll("[data-ground]")) {
      const site = target.dataset.ground;
      const off = state.ground[site];
      const waits = queue.some(([, one]) => one.site === site);
      for (const box of target.querySelectorAll("[data-box]")) {
        const n = +box.dataset.box;
        box.classList.toggle("off", n <= off);
        box.classList.toggle("waits", waits && n <= off !== n <= now.ground[site]);
        box.setAttribute("aria-pressed", String(n <= off));
        box.value = `ground|${site}|${n <= off ? n - 1 : n}`;
      }
    }
  }

  function drawShip(pad, id, ship) {
    const crossed = new Set(ship.crossed);
    const boxes = [...pad.querySelectorAll("[data-box]")];
    const mine = queue.map(([, one]) => one).filter((one) => one.ship === id);
    const next = boxes.map((one) => +one.dataset.box).find((n) => !crossed.has(n)) ?? 0;
    for (const box of boxes) {
      const n = +box.dataset.box;
      const off = crossed.has(n);
      box.classList.toggle("off", off);
      box.classList.toggle(
        "waits",
        mine.some((one) => one.kind === "boxes" && one.first <= n && n <= one.last),
      );
      box.setAttribute("aria-pressed", String(off));
      // a tap on a box further on takes all before it too, as damage is taken in order; on a crossed one it opens that again
      box.value = off
        ? `boxes|${id}|${n}|${Math.max(n, ...crossed)}|0`
        : `boxes|${id}|${Math.min(next || n, n)}|${n}|1`;
    }
    const working = [...pad.querySelectorAll("[data-system]")].filter(
      (one) => ship.hits[one.dataset.system] < ship.whole[one.dataset.system],
    );
    const core = (system) => /^(bridge|life-support|power-core)(-\d+)?$/.test(system);
    for (const [row, check] of pad.querySelectorAll("[data-last]").entries()) {
      const done = ship.checks[check.dataset.last];
      const waits = mine.some((one) => one.kind === "check" && one.row === +check.dataset.last);
      check.hidden = crossed.size < +check.dataset.last;
      for (const part of check.querySelectorAll("[data-throw]")) {
        part.hidden = Boolean(done) || waits;
      }
      const names = working
        .filter((one) => row > 0 || !core(one.dataset.system))
        .map((one) => one.dataset.words);
      check.querySelector("[data-check]").textContent = done
        ? phrase`Thrown: ${done}. Tap what is lost.`
        : waits
          ? phrase`The check waits to be sent.`
          : names.join(", ");
    }
    const left = pad.querySelector("[data-left]");
    const status = boxes.length && crossed.size >= boxes.length ? "destroyed" : ship.status;
    if (left) {
      left.textContent =
        status === "fighting"
          ? phrase`${boxes.length - crossed.size} of ${boxes.length} boxes`
          : ends(pad, status);
    }
    for (const one of pad.querySelectorAll("[data-system]")) {
      const system = one.dataset.system;
      const hits = ship.hits[system];
      const whole = ship.whole[system];
      one.classList.toggle("off", hits > 0);
      one.classList.toggle(
        "waits",
        mine.some((waiting) => waiting.system === system),
      );
      one.querySelector("[data-state]").textContent =
        hits === 0 ? phrase`works` : hits < whole ? phrase`halved` : phrase`lost`;
      one.value = `system|${id}|${system}|${hits >= whole ? one.dataset.least : hits + 1}`;
    }
    for (const store of pad.querySelectorAll("[data-store]")) {
      const kept = ship.stock[store.dataset.store];
      const most = +store.dataset.most;
      store.querySelector("[data-count]").textContent = kept;
      for (const step of store.querySelectorAll("[data-step]")) {
        const then = kept + +step.dataset.step;
        step.value = `stock|${id}|${store.dataset.store}|${then}`;
        step.disabled = then < 0 || then > most;
      }
    }
    const shown = pad.querySelector("[data-shown]");
    if (shown) {
      shown.disabled = ship.shown;
      shown.textContent = ship.shown ? phrase`They have identified it` : phrase`They identify it`;
    }
  }

  /** What a system, a store or a ship is called on the page. */
  function label(node) {
    return (
      node.firstElementChild?.tagName === "SPAN" ? node.firstElementChild : node
    ).firstChild.textContent
      .replace(":", "")
      .trim();
  }

  /** A status in the words of the form. */
  function ends(pad, status) {
    return (
      [...pad.querySelectorAll(`[name^="${nameOf(fields.status, "")}"] option`)].find(
        (one) => one.value === status,
      )?.textContent ?? status
    );
  }

  /** An entry in words, as its maker knows it from the page. */
  function told(one) {
    const pad = form.querySelector(`[data-ship="${CSS.escape(one.ship ?? "")}"]`);
    const node = pad?.querySelector(
      `[data-${one.kind === "stock" ? "store" : "system"}="${CSS.escape(one.name ?? one.system ?? "")}"]`,
    );
    const name = pad?.querySelector("summary b").textContent;
    const part = node ? label(node) : (one.name ?? one.system);
    const dice = one.rolls?.join(" ") ?? "";
    if (one.kind === "boxes") {
      return one.off
        ? phrase`${name}, boxes ${one.first} to ${one.last} crossed`
        : phrase`${name}, boxes ${one.first} to ${one.last} open again`;
    }
    if (one.kind === "system") {
      return phrase`${name}, ${part}, ${one.hits} {:hit|hits}`;
    }
    if (one.kind === "stock") {
      return phrase`${name}, ${part}, ${one.left} left`;
    }
    if (one.kind === "check") {
      return phrase`${name}, threshold check of the row to box ${one.row} (${dice})`;
    }
    if (one.kind === "end") {
      return `${name}, ${ends(pad, one.status)}`;
    }
    if (one.kind === "shown") {
      return phrase`${name}, identified`;
    }
    if (one.kind === "ground") {
      return phrase`${shared.querySelector(`[data-ground="${CSS.escape(one.site)}"]`)?.getAttribute("aria-label") ?? one.site}: boxes marked off: ${one.damage}`;
    }
    if (one.kind === "plot") {
      return phrase`the plot of turn ${one.turn} (${plots.map((field) => `${field.labels[0].textContent.trim()} ${one.orders[field.name.slice(5)] || phrase`no orders`}`).join(", ")})`;
    }
    if (one.kind === "phase") {
      return phrase`turn ${one.turn}, ${shared.querySelectorAll(".phases li")[one.phase]?.textContent ?? ""}`;
    }
    return phrase`dice, ${one.about} ${dice}`;
  }

  /** Send what waits, in its order; or ask whether anything has changed. */
  async function exchange() {
    if (sending || !navigator.onLine || (document.hidden && !queue.length)) {
      return;
    }
    sending = true;
    let gone = false; // some of what waited
    try {
      const batch = queue.slice(0, most);
      const stop = AbortSignal.timeout(TIMEOUT);
      const redirect = "manual";
      const answer = batch.length
        ? await fetch(form.dataset.sync, {
            method: "POST",
            redirect,
            signal: stop,
            headers: {
              "Content-Type": "application/json",
              "X-CSRFToken": form.elements.csrfmiddlewaretoken.value,
            },
            body: JSON.stringify({ entries: batch, at: now.at }),
          })
        : await fetch(`${form.dataset.sync}?at=${now.at}`, { redirect, signal: stop });
      cut = false;
      answered = 0;
      strange = answer.type === "opaqueredirect" || answer.status === 403;
      if (strange) {
        worker({ forget: true });
      } else if (answer.status === 200) {
        take(await answer.json());
        gone = batch.length > 0;
      } else if ([413, 422].includes(answer.status) && batch.length > 1) {
        most = 1;
      } // one of them cannot be read: the others go one by one
      else if (answer.status === 409 || answer.status === 422) {
        const { error } = await answer.json();
        tell(batch.map(([, one]) => [one, error]));
        drop(batch.map(([key]) => key));
        gone = true;
      } else if (answer.status !== 204) {
        answered = answer.status;
      }
    } catch {
      cut = true;
    } // it waits for the next time
    sending = false;
    draw();
    if (queue.length && gone) {
      setTimeout(exchange, 400);
    }
  }

  function take(answer) {
    const waited = new Map(queue);
    tell(
      answer.written.flatMap(([key, faults]) => faults.map((fault) => [waited.get(key), fault])),
    );
    drop(answer.written.map(([key]) => key));
    if (!queue.length) {
      most = 100;
    }
    now = { ...now, ...answer };
    keepPage();
    drawn = answer.shared;
    ahead = "";
    share();
    for (const [id, sheet] of Object.entries(answer.sheets)) {
      const where = form.querySelector(`[data-ship="${CSS.escape(id)}"] [data-drawn]`);
      if (where) {
        where.innerHTML = sheet;
      }
    }
  }

  function drop(keys) {
    kept.drop(keys);
    queue = kept.all();
  }

  /** What the site did not take, and why: entries, each with its fault. */
  function tell(faults) {
    for (const [one, fault] of faults) {
      if (one?.kind === "plot") {
        plotting = "";
      } // it is there again to be changed
      say(phrase`Not entered, ${one ? told(one) : ""}: ${fault.replace(/\.$/, "")}.`);
    }
  }

  function say(words) {
    refused.hidden = false;
    refused.append(Object.assign(document.createElement("p"), { textContent: words }));
  }

  form.addEventListener("submit", (event) => {
    const value = event.submitter?.value ?? "";
    if (value === "result") {
      const why = queue.length
        ? phrase`Not yet: some entries still wait to be sent; take the record over when they are.`
        : navigator.onLine
          ? ""
          : phrase`Not yet: there is no network; take the record over when there is.`;
      if (why) {
        event.preventDefault();
        say(why);
      }
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const one = entry(value);
    if (!one) {
      return;
    }
    kept.add([crypto.randomUUID?.() ?? uuid(), one]);
    queue = kept.all();
    if (one.kind === "dice") {
      form.elements.rolls.value = "";
    }
    draw();
    exchange();
  });

  form.addEventListener("input", (event) => {
    if (restOf(fields.plot, event.target.name) === null) {
      return;
    }
    kept.type(laid().turn, orders());
    draw();
  });

  // The key that ends a line presses the button beside the field, and none that stands elsewhere.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || event.target.tagName !== "INPUT") {
      return;
    }
    event.preventDefault();
    const at = plots.indexOf(event.target);
    if (at >= 0) {
      (plots[at + 1] ?? form.querySelector("button[value=plot]")).focus();
    } else {
      event.target.closest(".pair")?.querySelector("button").click();
    }
  });

  /** Let the worker keep this page for when it is read again without network: as it is now, with what it is drawn with. */
  function keepPage() {
    clearTimeout(settling);
    settling = setTimeout(
      () =>
        worker({
          keep: performance
            .getEntriesByType("resource")
            .map((one) => one.name)
            .filter((name) => new URL(name).pathname.startsWith("/static/")),
        }),
      SETTLED,
    );
  }

  function worker(message) {
    if (working) {
      working.then((registered) => registered.active?.postMessage(message)).catch(() => null);
    } // it opens without network no more, and that is all
  }

  navigator.serviceWorker?.addEventListener("message", (event) => {
    if (event.data?.full) {
      say(
        phrase`This browser has no room to keep the page: without network it does not open again. What you enter is kept.`,
      );
    }
  });
  addEventListener("storage", (event) => {
    if (kept.is(event.key)) {
      queue = kept.all();
      draw();
    }
  });
  addEventListener("beforeunload", (event) => {
    if (queue.length && kept.unkept()) {
      event.preventDefault();
    }
  });
  addEventListener("online", exchange);
  addEventListener("offline", draw);
  addEventListener("load", keepPage);
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
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}
