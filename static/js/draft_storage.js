// Stores the content of a form of orders in this browser until the server has it. Changes that
// never arrived are offered again (draft_restore.js); logging out deletes them
// (forget_on_logout.js).

import { need } from "./dom.js";
import { drop, keys as allKeys, read, write } from "./browser_storage.js";

export { drop, read };

const PREFIX = "held/"; // of the keys of stored forms
const SHOWN_BEFORE = "was-"; // prefix of fields with the order of a ship that the page showed
// Fields of a single request, which are not part of the orders.
const REQUEST_FIELDS = ["csrfmiddlewaretoken", "nonce", "share", "version", "action", "stays"];

/**
 * Return the storage key of a form.
 * @param {HTMLFormElement} form
 */
export const storageKey = (form) => `${PREFIX}${form.dataset.whose}/${form.dataset.key}`;

/**
 * Return the version of the draft that a form shows.
 * @param {HTMLFormElement} form
 */
export const versionOf = (form) => need(form, "input[name=version]", HTMLInputElement).value;

/**
 * Return the names and values of a form as JSON.
 * @param {HTMLFormElement} form
 */
export const contentOf = (form) =>
  JSON.stringify(
    [...new FormData(form)].filter(
      ([name, value]) => typeof value === "string" && !REQUEST_FIELDS.includes(name),
    ),
  );

/**
 * Return whether two contents of a form are the same orders. The order of the fields, empty fields,
 * spaces around values and the values that the page showed before make no difference.
 * @param {string} first as `contentOf` returns it
 * @param {string} second
 */
export function isSameContent(first, second) {
  /** @param {string} content */
  const normalized = (content) => {
    /** @type {[string, string][]} */
    const fields = JSON.parse(content);
    return JSON.stringify(
      fields
        .map(([name, value]) => [name, value.replaceAll("\r\n", "\n").trim()])
        .filter(([name, value]) => value && !name.startsWith(SHOWN_BEFORE))
        .sort(),
    );
  };
  return first === second || normalized(first) === normalized(second);
}

/**
 * Send a form to the server as a draft.
 * @param {HTMLFormElement} form
 * @param {FormData} body the data to send; the form's own by default
 */
export function postDraft(form, body = new FormData(form)) {
  body.set("action", "save");
  // `form.action` is one of its buttons, which have that name.
  const address = form.getAttribute("action") || location.pathname;
  return fetch(address, {
    method: "POST",
    body,
    headers: { "X-Draft": "1" },
    redirect: "manual",
  });
}

/** Return the keys of all stored forms. */
export const storedKeys = () => allKeys(PREFIX);

/**
 * Store the content of a form. Changes that are still offered to the player are not overwritten.
 * @param {HTMLFormElement} form
 * @param {boolean} sent whether the form is being sent to the server
 * @returns {boolean} whether the browser has stored it
 */
export function storeForm(form, sent = false) {
  if (form.dataset.offers) {
    return false;
  }
  return write(storageKey(form), {
    at: Date.now(),
    version: versionOf(form),
    sent,
    written: contentOf(form),
  });
}

/**
 * Delete the stored content of a form, because the server has it.
 * @param {HTMLFormElement} form
 */
export function forgetForm(form) {
  if (!form.dataset.offers) {
    drop(storageKey(form));
  }
}
