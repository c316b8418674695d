// What is written in a form of orders stays in this browser until the site has it. It is offered
// again where it did not arrive (draft_restore.js); logging out forgets it (forget_on_logout.js).

import { need } from "./dom.js";
import { drop, keys as allKeys, read, write } from "./browser_storage.js";

export { drop, read };

const HELD = "held/";
// Fields of one sending, which say nothing of what was written.
const PASSING = ["csrfmiddlewaretoken", "nonce", "version", "action", "stays"];

/** @param {HTMLFormElement} form */
export const place = (form) => `${HELD}${form.dataset.whose}/${form.dataset.key}`;

/** @param {HTMLFormElement} form */
export const version = (form) => need(form, "input[name=version]", HTMLInputElement).value;

/** @param {HTMLFormElement} form */
export const written = (form) =>
  JSON.stringify(
    [...new FormData(form)].filter(
      ([name, value]) => typeof value === "string" && !PASSING.includes(name),
    ),
  );

/**
 * Save a form as the draft.
 * @param {HTMLFormElement} form
 * @param {FormData} body what is saved, if not the form as it is now
 */
export function post(form, body = new FormData(form)) {
  body.set("action", "save");
  // `form.action` would be one of its buttons, which have that name.
  const address = form.getAttribute("action") || location.pathname;
  return fetch(address, {
    method: "POST",
    body,
    headers: { "X-Draft": "1" },
    redirect: "manual",
  });
}

export const keys = () => allKeys(HELD);

/**
 * Keep what is written in a form. What is still offered is not overwritten.
 * @param {HTMLFormElement} form
 * @param {boolean} sent whether it is on its way to the site
 * @returns {boolean} whether the browser keeps it
 */
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

/**
 * Forget what is written in a form: the site has it.
 * @param {HTMLFormElement} form
 */
export function release(form) {
  if (!form.dataset.offers) {
    drop(place(form));
  }
}
