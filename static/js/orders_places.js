// Plans of a battle table on the orders page: a click puts a mine there, or takes it away again.
// The places are in the text field above the plan, which works without a script too.

import { closest, find, findAll, svg } from "./dom.js";

const REACH = 1; // MU around a mine in which a click takes it away

/**
 * Return the places of a field as pairs of numbers; words that are no places are left out.
 * @param {string} text
 * @returns {[number, number][]}
 */
export function placesIn(text) {
  /** @type {[number, number][]} */
  const places = [];
  for (const word of text.split(/\s+/)) {
    const match = /^(-?\d+),(-?\d+)$/.exec(word);
    if (match) {
      places.push([Number(match[1]), Number(match[2])]);
    }
  }
  return places;
}

/**
 * Return the places after a click: without the mine that was clicked, or with a new one if the ship
 * has one left.
 * @param {[number, number][]} places
 * @param {number} x
 * @param {number} y
 * @param {number} most
 * @returns {[number, number][]}
 */
export function toggled(places, x, y, most) {
  const hit = places.findIndex(([px, py]) => Math.hypot(px - x, py - y) <= REACH);
  if (hit >= 0) {
    return places.filter((_, number) => number !== hit);
  }
  return places.length < most ? [...places, [Math.round(x), Math.round(y)]] : places;
}

/**
 * Draw the places of a field on its plan.
 * @param {Element} box
 */
function draw(box) {
  const plan = find(box, ".place-plan", SVGElement);
  const field = find(box, "input", HTMLInputElement);
  if (!plan || !field) {
    return;
  }
  for (const mark of findAll(plan, ".plan-new", SVGElement)) {
    mark.remove();
  }
  for (const [x, y] of placesIn(field.value)) {
    plan.append(svg("circle", { class: "plan-new", cx: x, cy: -y, r: 0.7 }));
  }
}

/** @param {Event} event */
function onClick(event) {
  const plan = closest(event.target, ".place-plan", SVGSVGElement);
  const box = plan && closest(plan, "[data-places]", HTMLElement);
  const field = box && find(box, "input", HTMLInputElement);
  const matrix = plan?.getScreenCTM();
  if (
    !plan ||
    !box ||
    !field ||
    !matrix ||
    !(event instanceof MouseEvent) ||
    field.matches(":disabled")
  ) {
    return;
  }
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  const most = Number(plan.dataset.most);
  const places = toggled(placesIn(field.value), point.x, -point.y, most);
  field.value = places.map((place) => place.join(",")).join(" ");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
  draw(box);
}

/**
 * Let the plans of a page be clicked.
 * @param {Document | HTMLElement} root
 */
export function watchPlaces(root) {
  root.addEventListener("click", onClick);
  root.addEventListener("input", (event) => {
    const box = closest(event.target, "[data-places]", HTMLElement);
    if (box) {
      draw(box);
    }
  });
  for (const box of findAll(document, "[data-places]", HTMLElement)) {
    draw(box);
  }
}
