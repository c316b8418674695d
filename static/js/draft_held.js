// What is written in a form of orders stays in this browser until the site has it. It is offered again where it did not arrive
// (draft_offer.js); logging out forgets it (house_forget.js).

import { drop, keys as kept, read, write } from "./kept.js";

export { drop, read };

const HELD = "held/";
const PASSING = ["csrfmiddlewaretoken", "nonce", "version", "action", "stays"]; // fields of one sending, and of nothing that was written

export const place = (form) => `${HELD}${form.dataset.whose}/${form.dataset.key}`;
export const version = (form) => form.querySelector("input[name=version]").value;
export const written = (form) =>
  JSON.stringify(
    [...new FormData(form)].filter(
      ([name, value]) => typeof value === "string" && !PASSING.includes(name),
    ),
  );

/** Save a form as the draft, or what stood in it. */
export function post(form, body = new FormData(form)) {
  body.set("action", "save");
  const to = form.getAttribute("action") || location.pathname; // its buttons are called `action`, too
  return fetch(to, { method: "POST", body, headers: { "X-Draft": "1" }, redirect: "manual" });
}

export const keys = () => kept(HELD);

/** Keep what stands in a form; whether the browser does. `sent`: it is on its way. What is still offered is not written over. */
export function hold(form, sent = false) {
  if (form.dataset.offers) {
    return false;
  }
  return write(place(form), {
    at: Date.now(),
    version: version(form),
    sent,
    written: written(form),
  });
}

/** The site has what stands in a form. */
export function release(form) {
  if (!form.dataset.offers) {
    drop(place(form));
  }
}
