// A page of orders whose last changes never arrived, for the network was gone, or who wrote them had been logged out: they are offered
// again while the stage is open. Forms without a script of their own are kept as one goes.

import { drop, hold, keys, place, post, read, version, written } from "./draft_held.js";
import { language, phrase } from "./phrase.js";

const MOMENT = 800; // milliseconds after the last change of a form that has no script of its own
const DAYS = 30; // it is kept at most

/** Forget what is too old, what was for an earlier stage, and what is sealed. */
function sweep(form) {
  const own = form && place(form);
  const before = own?.slice(0, own.lastIndexOf("/") + 1);
  const sealed = document.querySelector("section.sealed[data-receipt]")?.dataset.key;
  for (const key of keys()) {
    const earlier =
      own && key !== own && key.startsWith(before) && !key.slice(before.length).includes("/");
    if (
      earlier ||
      (sealed && key.endsWith(`/${sealed}`)) ||
      !(Date.now() - read(key)?.at < DAYS * 86_400_000)
    ) {
      drop(key);
    }
  }
}

/** What this browser alone has, to be used or forgotten. */
function offer(form, held) {
  const box = Object.assign(document.createElement("section"), { className: "banner lost" });
  const acts = Object.assign(document.createElement("p"), { className: "row" });
  const part = (tag, words) =>
    box.appendChild(Object.assign(document.createElement(tag), { textContent: words }));
  const press = (words, look, act) => {
    const one = Object.assign(document.createElement("button"), {
      type: "button",
      textContent: words,
      ...look,
    });
    one.addEventListener("click", act);
    acts.append(one, " ");
  };
  const on = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(held.at);
  box.setAttribute("role", "alert");
  part("h2", phrase`This browser has changes that never reached the server`);
  part(
    "p",
    held.version === version(form)
      ? phrase`You wrote them here on ${on}. They are not in the form below.`
      : phrase`You wrote them here on ${on}. Another version has been saved since, which the form below shows.`,
  );
  const says = part("p", "");
  press(phrase`Use my changes`, { className: "b" }, () =>
    use(form, held).catch(() => {
      says.textContent = phrase`They cannot be saved now. They stay in this browser.`;
    }),
  );
  press(phrase`Forget them`, { className: "secondary b" }, () => {
    delete form.dataset.offers;
    drop(place(form));
    box.remove();
  });
  box.append(acts);
  form.dataset.offers = "1";
  const notes = form.querySelector(".notes");
  if (notes) {
    notes.prepend(box);
  } else {
    form.before(box);
  }
}

/** Save them as the draft, and show it. */
async function use(form, held) {
  const body = new FormData();
  for (const [name, value] of JSON.parse(held.written)) {
    body.append(name, value);
  }
  for (const name of ["csrfmiddlewaretoken", "version"]) {
    body.set(name, form.querySelector(`input[name=${name}]`).value);
  }
  const answer = await post(form, body);
  if (answer.status !== 200) {
    throw new Error(String(answer.status));
  }
  const found = await answer.json();
  if (!found.lost && !found.closed && String(found.version) === version(form)) {
    throw new Error("refused");
  }
  if (!found.lost) {
    drop(place(form));
  }
  location.replace(location.pathname + location.search);
}

/** Nothing is sent where no server answers: the browser would leave the page. */
function reached(form) {
  let sure = false;
  form.addEventListener("submit", (event) => {
    if (event.defaultPrevented) {
      return;
    }
    if (navigator.onLine || sure) {
      sure = false;
      hold(form, true);
      return;
    }
    event.preventDefault(); // a browser without a network may still reach a server on its own machine
    fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(
      () => {
        sure = true;
        form.requestSubmit(event.submitter);
      },
      () => {
        const held = hold(form);
        const state = form.querySelector("[data-state]");
        if (state) {
          state.textContent = held
            ? phrase`Nothing is sealed or saved: there is no network. What you wrote stays in this browser.`
            : phrase`Nothing is sealed or saved: there is no network.`;
        }
      },
    );
  });
}

/** The draft of a form without a desk is kept as one goes, too: what is chosen at once, what is typed a moment later. Keys of a table are the page's. */
function watch(form) {
  const keeping = import("./draft_keep.js").then(
    ({ Keeper }) => new Keeper(form, { faults() {}, told() {} }),
  );
  let last = written(form);
  let waits = 0;
  const changed = () => {
    const now = written(form);
    const differs = now !== last;
    last = now;
    return differs;
  };
  const look = () => {
    if (changed()) {
      keeping.then(
        (keeper) => keeper.later(0),
        () => hold(form),
      );
    }
  };
  for (const type of ["change", "input", "click", "keyup"]) {
    document.addEventListener(type, () => {
      clearTimeout(waits);
      waits = setTimeout(look, type === "change" ? 0 : MOMENT);
    });
  }
  form.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) {
      clearTimeout(waits);
      last = written(form);
    }
  });
  addEventListener("pagehide", () => {
    if (changed()) {
      hold(form);
    }
  });
}

/** Look after a form of orders, and after what is sealed. */
export function begin(form) {
  sweep(form);
  if (!form?.querySelector("button[value=save]")) {
    return;
  }
  const held = read(place(form));
  if (held) {
    if (held.written === written(form) || (held.sent && held.version !== version(form))) {
      drop(place(form));
    } else {
      offer(form, held);
    }
  }
  reached(form);
  if (!document.body.classList.contains("live")) {
    watch(form);
  }
}
