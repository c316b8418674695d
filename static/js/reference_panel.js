// The quick reference beside a battle: the tables of the page behind "?", shown over the battle.
// Loaded with the battle page. Without this script "?" opens that page.

import { closest, find, html, need } from "./dom.js";
import { phrase } from "./phrase.js";

const PANEL = ".reference-panel";

/** Close the panel and return to the "?", which may belong to a later phase by now. */
function close() {
  find(document, PANEL, HTMLElement)?.remove();
  const link = find(document, "#reference", HTMLAnchorElement);
  link?.setAttribute("aria-expanded", "false");
  link?.focus({ preventScroll: true });
}

/**
 * Return the panel with the tables of a page.
 * @param {string} address
 */
async function panelOf(address) {
  const answer = await fetch(address);
  if (!answer.ok) {
    throw new Error(String(answer.status));
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const heading = html("h2", { id: "reference-title", tabIndex: -1 }, phrase`Quick reference`);
  const button = html("button", { type: "button", className: "b" }, phrase`Close`);
  button.addEventListener("click", close);
  const top = html("header", {}, heading, button);
  const whole = html("a", { href: address, target: "_blank" }, phrase`On a page of its own`);
  const tables = document.importNode(need(page, "#tables", HTMLElement), true);
  const panel = html("section", { className: "reference-panel" }, top, tables, whole);
  panel.setAttribute("aria-labelledby", heading.id);
  return panel;
}

/** @param {HTMLAnchorElement} link */
async function open(link) {
  link.setAttribute("aria-busy", "true");
  try {
    const panel = await panelOf(link.href);
    need(document, ".frame", HTMLElement).append(panel);
    link.setAttribute("aria-expanded", "true");
    need(panel, "h2", HTMLElement).focus({ preventScroll: true });
  } catch {
    window.open(link.href, "_blank");
  } finally {
    link.removeAttribute("aria-busy");
  }
}

document.addEventListener("click", (event) => {
  const link = closest(event.target, "#reference", HTMLAnchorElement);
  const isUsual = event.ctrlKey || event.metaKey || event.shiftKey;
  if (!link || isUsual) {
    return;
  }
  event.preventDefault();
  if (find(document, PANEL, HTMLElement)) {
    close();
  } else if (!link.hasAttribute("aria-busy")) {
    open(link);
  }
});

// Before the keys of the phase, which would steer ships
addEventListener(
  "keydown",
  (event) => {
    if (!closest(event.target, PANEL, HTMLElement)) {
      return;
    }
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "?") {
      event.preventDefault();
      close();
    }
  },
  true,
);
