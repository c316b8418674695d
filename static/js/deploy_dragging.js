// Lets ships be dragged onto the card of another fleet. Loaded after the deployment page.

import { closest } from "./dom.js";

/** @import { DeployEditor } from "./deploy.js" */

/**
 * Listen to dragging on the cards.
 * @param {DeployEditor} page
 * @param {(from: PlannedFleet, cls: string, to: PlannedFleet) => void} moveShip
 */
export function listenToDragging(page, moveShip) {
  const { list, force } = page;
  /** @type {{cls: string, from: PlannedFleet} | null} the dragged ship's class and fleet */
  let dragged = null;

  /**
   * Return the dragged ship and the fleet under it, or null if it cannot be dropped there.
   * @param {DragEvent} event
   */
  const dropOf = (event) => {
    const card = closest(event.target, "[data-fleet]", HTMLElement);
    const to = card && force.fleets[Number(card.dataset.fleet)];
    if (!to || !dragged || to === dragged.from || to.budget !== dragged.from.budget) {
      return null;
    }
    return { ...dragged, card, to };
  };

  list.addEventListener("dragstart", (event) => {
    const cls = closest(event.target, "[data-drawn]", HTMLElement)?.dataset.drawn;
    if (!cls || !page.chosenFleet || !event.dataTransfer) {
      return;
    }
    dragged = { cls, from: page.chosenFleet };
    event.dataTransfer.setData("text/plain", cls);
    event.dataTransfer.effectAllowed = "move";
  });
  list.addEventListener("dragover", (event) => {
    const drop = dropOf(event);
    if (drop) {
      event.preventDefault();
      drop.card.classList.add("over");
    }
  });
  list.addEventListener("dragleave", ({ target }) => {
    closest(target, "[data-fleet]", HTMLElement)?.classList.remove("over");
  });
  list.addEventListener("drop", (event) => {
    const drop = dropOf(event);
    if (drop) {
      event.preventDefault();
      moveShip(drop.from, drop.cls, drop.to);
    }
  });
  list.addEventListener("dragend", () => {
    dragged = null;
  });
}
