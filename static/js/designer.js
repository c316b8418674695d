// The ship designer without reloading: sends the form at every change and shows the editor that the
// site returns, with undo and redo. Buttons that save submit the form as usual.

import { findAll, matches, need } from "./dom.js";

const MAX_UNDO = 60; // the most states to keep, including the current one
const SAVE_ACTIONS = ["keep", "class"]; // values of the buttons that save

const form = need(document, "#designer", HTMLFormElement);
const editor = need(document, "#design-editor", HTMLElement);
const status = need(document, "#design-status-spoken", HTMLElement);
const token = need(form, "[name=csrfmiddlewaretoken]", HTMLInputElement);

// The states of the form, as query strings.
/** @type {string[]} */
const past = []; // those that can be undone; the last one is the current state
/** @type {string[]} */
let future = []; // those that can be redone; the last one is next
/** @type {AbortController | undefined} aborts the request that has no answer yet */
let pendingRequest;

/** Return the fields of the form, without the pressed button. */
function formFields() {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    fields.append(name, String(value));
  }
  fields.delete("act");
  return fields;
}

/** Return the state of the form for undo: the design, without its notes. */
function snapshot() {
  const fields = formFields();
  fields.delete("csrfmiddlewaretoken");
  fields.delete("notes");
  return fields.toString();
}

/** Announce the state of the design, and enable the undo and redo buttons. */
function updateStatus() {
  status.textContent = need(editor, "[data-status]", HTMLElement).textContent;
  const undoBar = need(editor, "[data-undo-bar]", HTMLElement);
  undoBar.hidden = false;
  need(undoBar, "[data-undo]", HTMLButtonElement).disabled = past.length < 2;
  need(undoBar, "[data-redo]", HTMLButtonElement).disabled = future.length === 0;
}

/** Add the form's current state to those that can be undone, unless nothing has changed. */
function recordState() {
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
 * Focus the element that had the focus before the editor was replaced, or a row near it.
 * @param {string | undefined} id the element's id; it ends with the number of its row
 */
function restoreFocus(id) {
  const row = Number(/-(\d+)$/.exec(id ?? "")?.[1] ?? 0);
  const sameElement = id ? document.getElementById(id) : null;
  if (sameElement) {
    sameElement.focus({ preventScroll: true });
    return;
  }
  const rows = findAll(editor, ".design-rows > li", HTMLElement);
  const nearestRow =
    editor.querySelector(".design-rows > li.open") ?? rows[Math.min(row, rows.length - 1)];
  const button = nearestRow?.querySelector("button") ?? document.getElementById("palette-title");
  button?.focus({ preventScroll: true });
}

/**
 * Fetch the editor for a state of the form, and show it. If the site refuses, submit the form so
 * that its answer is shown as a page.
 * @param {URLSearchParams} body
 * @returns {Promise<boolean>} false if the editor was not replaced
 */
async function fetchEditor(body) {
  pendingRequest?.abort();
  const request = new AbortController();
  pendingRequest = request;
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
 * Send a state of the form, and show the editor that the site returns. Open details stay open, and
 * focus stays inside.
 * @param {URLSearchParams} body
 * @param {boolean} canBeUndone whether to record the new state
 */
async function refreshEditor(body, canBeUndone) {
  const hadFocus = editor.contains(document.activeElement);
  const focused = document.activeElement?.id;
  const openDetails = findAll(editor, "details[open]", HTMLDetailsElement).map(({ id }) => id);
  if (!(await fetchEditor(body))) {
    return;
  }
  for (const id of openDetails) {
    document.getElementById(id)?.setAttribute("open", "");
  }
  if (canBeUndone) {
    recordState();
  }
  updateStatus();
  if (hadFocus) {
    restoreFocus(focused);
  }
}

/**
 * Send the form with an action, as if its button were pressed.
 * @param {string} action the value of the button
 */
function act(action) {
  const body = formFields();
  body.set("act", action);
  return refreshEditor(body, true);
}

/**
 * Move one state from one list to the other, and show the state that is then current.
 * @param {string[]} from
 * @param {string[]} to
 * @param {number} minimum the least states in `from` for anything to happen
 */
function moveState(from, to, minimum) {
  const state = from.length < minimum ? undefined : from.pop();
  if (state === undefined) {
    return;
  }
  to.push(state);
  const body = new URLSearchParams(past.at(-1));
  body.set("csrfmiddlewaretoken", token.value);
  body.set("act", "show");
  refreshEditor(body, false);
}
const undo = () => moveState(past, future, 2);
const redo = () => moveState(future, past, 1);

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  const action = button instanceof HTMLButtonElement ? button.value : "show";
  if (SAVE_ACTIONS.includes(action)) {
    return;
  }
  event.preventDefault();
  act(action);
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
  const isUndoKey = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
  // In text fields the browser undoes typing.
  if (!isUndoKey || matches(event.target, "textarea, input:not([type=checkbox])")) {
    return;
  }
  event.preventDefault();
  if (event.shiftKey) {
    redo();
  } else {
    undo();
  }
});
recordState();
updateStatus();
