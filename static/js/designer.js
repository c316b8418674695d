// The ship designer without reloading: the form is sent at every change, and the part that changed
// comes back; undo and redo. What saves goes the usual way, as a page does without this script.

import { findAll, matches, need } from "./dom.js";

const MAX_UNDO = 60; // states that can be undone
const SAVES = ["keep", "class"];

const form = need(document, "#designer", HTMLFormElement);
const editor = need(document, "#design-editor", HTMLElement);
const status = need(document, "#design-status-spoken", HTMLElement);
const token = need(form, "[name=csrfmiddlewaretoken]", HTMLInputElement);

/** @type {string[]} */
const past = [];
/** @type {string[]} */
let future = [];
/** @type {AbortController | undefined} the request that waits for its answer */
let pending;

function formFields() {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    fields.append(name, String(value));
  }
  fields.delete("act");
  return fields;
}

/** Return what undo compares: the design, without what is typed about it. */
function snapshot() {
  const fields = formFields();
  fields.delete("csrfmiddlewaretoken");
  fields.delete("notes");
  return fields.toString();
}

function updateUndo() {
  status.textContent = need(editor, "[data-said]", HTMLElement).textContent;
  const box = need(editor, "[data-undoing]", HTMLElement);
  box.hidden = false;
  need(box, "[data-undo]", HTMLButtonElement).disabled = past.length < 2;
  need(box, "[data-redo]", HTMLButtonElement).disabled = future.length === 0;
}

function record() {
  const state = snapshot();
  if (past.at(-1) === state) {
    return;
  }
  past.push(state);
  if (past.length > MAX_UNDO) {
    past.shift();
  }
  future = [];
}

/**
 * Bring the focus back to the element that had it, or near its row.
 * @param {string | undefined} id
 */
function restoreFocus(id) {
  const row = Number(/-(\d+)$/.exec(id ?? "")?.[1] ?? 0);
  const same = id ? document.getElementById(id) : null;
  if (same) {
    same.focus({ preventScroll: true });
    return;
  }
  const rows = findAll(editor, ".design-rows > li", HTMLElement);
  const near =
    editor.querySelector(".design-rows > li.open") ?? rows[Math.min(row, rows.length - 1)];
  const button = near?.querySelector("button") ?? document.getElementById("palette-title");
  button?.focus({ preventScroll: true });
}

/**
 * Fetch the editor for a state of the form, and show it.
 * @param {URLSearchParams} body
 * @returns {Promise<boolean>} whether it is shown
 */
async function fetchEditor(body) {
  pending?.abort();
  const request = new AbortController();
  pending = request;
  const headers = { "HX-Request": "true" };
  const { signal } = request;
  try {
    const answer = await fetch(form.action, { method: "POST", headers, body, signal });
    if (!answer.ok) {
      form.submit();
      return false;
    }
    editor.innerHTML = await answer.text();
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") {
      return false;
    }
    throw error;
  }
}

/**
 * Send a state of the form and show the editor that comes back.
 * @param {URLSearchParams} body
 * @param {boolean} isNew whether it becomes a step that can be undone
 */
async function send(body, isNew) {
  const hadFocus = editor.contains(document.activeElement);
  const focused = document.activeElement?.id;
  const open = findAll(editor, "details[open]", HTMLDetailsElement).map(({ id }) => id);
  if (!(await fetchEditor(body))) {
    return;
  }
  for (const id of open) {
    document.getElementById(id)?.setAttribute("open", "");
  }
  if (isNew) {
    record();
  }
  updateUndo();
  if (hadFocus) {
    restoreFocus(focused);
  }
}

/** @param {string} name of the button that was pressed */
function act(name) {
  const body = formFields();
  body.set("act", name);
  return send(body, true);
}

/**
 * Move one state from a list to the other, and show the last of those that are past.
 * @param {string[]} from
 * @param {string[]} to
 * @param {number} minimum states that must be there
 */
function move(from, to, minimum) {
  const state = from.length < minimum ? undefined : from.pop();
  if (state === undefined) {
    return;
  }
  to.push(state);
  const body = new URLSearchParams(past.at(-1));
  body.set("csrfmiddlewaretoken", token.value);
  body.set("act", "show");
  send(body, false);
}
const undo = () => move(past, future, 2);
const redo = () => move(future, past, 1);

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  const name = button instanceof HTMLButtonElement ? button.value : "show";
  if (SAVES.includes(name)) {
    return;
  }
  event.preventDefault();
  act(name);
});
form.addEventListener("change", ({ target }) => {
  if (!matches(target, "[name=notes]")) {
    act("show");
  }
});
form.addEventListener("click", ({ target }) => {
  if (matches(target, "[data-undo], [data-undo] *")) {
    undo();
  } else if (matches(target, "[data-redo], [data-redo] *")) {
    redo();
  }
});
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") {
    return;
  }
  if (matches(event.target, "textarea, input:not([type=checkbox])")) {
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
updateUndo();
