// Orders by typing: "hammer merrills then hudson". Fetched when somebody types a place or an order.

import { need } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { OrdersPage } from "./orders.js" */
/** @import { Plan } from "./orders_plan.js" */

/** @param {string} text */
const plain = (text) =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, "")
    .trim();

/** @type {Record<string, string>} standing orders in words */
const INTENT_WORDS = {
  fight: phrase`fights`,
  "stand-off": phrase`stands off`,
  withdraw: phrase`withdraws if met`,
};

/**
 * What may be typed: English, and the words of the reader's language.
 * @type {Record<string, string>}
 */
const INTENTS = {
  fights: "fight",
  fight: "fight",
  withdraws: "withdraw",
  withdraw: "withdraw",
  "stands off": "stand-off",
  "stand off": "stand-off",
  [plain(phrase`fights`)]: "fight",
  [plain(phrase`withdraws`)]: "withdraw",
  [plain(phrase`stands off`)]: "stand-off",
};
const STAYS = ["stay", "stays", plain(phrase`stays`)];
export const THEN = new RegExp(`\\b(?:then|${plain(phrase`, then `)})\\b`, "i");

/**
 * Return the hex of a typed place: a hex, or the system whose name begins so, or a later word of it
 * ("vaults").
 * @param {Plan} plan
 * @param {string} text
 * @returns {Hex | null}
 */
export function placeTyped(plan, text) {
  const typed = plain(text);
  if (/^\d{4}$/.test(typed)) {
    return plan.isOnMap(typed) ? typed : null;
  }
  if (!typed) {
    return null;
  }
  const withoutSpaces = typed.replace(/ /g, "");
  /** @param {(name: string) => boolean} fits */
  const find = (fits) => plan.ground.systems.find((system) => fits(plain(system.name)))?.hex;
  return (
    find((name) => name.startsWith(typed)) ??
    find((name) => name.replace(/ /g, "").startsWith(withoutSpaces)) ??
    find((name) => name.includes(` ${typed}`)) ??
    null
  );
}

/**
 * Return how much of a fleet's name words begin with: the whole name, its end, or its first word.
 * @param {OrderFleet} fleet
 * @param {string} words
 */
function nameTyped(fleet, words) {
  const name = plain(fleet.name);
  const parts = name.split(" ");
  const ends = parts.map((_, n) => parts.slice(n).join(" ")).slice(1);
  const candidates = [name, ...ends.filter((end) => end.length > 3), parts[0]];
  return candidates.find((part) => words === part || words.startsWith(`${part} `)) ?? "";
}

/**
 * Find the fleets that words may begin with. The longest match counts; of two as long a whole name
 * wins over the beginning of a longer one.
 * @param {OrderFleet[]} fleets
 * @param {string} words
 */
function fleetsTyped(fleets, words) {
  const found = fleets
    .map((fleet) => ({ fleet, typed: nameTyped(fleet, words) }))
    .filter(({ typed }) => typed)
    .map(({ fleet, typed }) => ({ fleet, typed, isWhole: typed === plain(fleet.name) }))
    .sort((a, b) => b.typed.length - a.typed.length || Number(b.isWhole) - Number(a.isWhole));
  return found.filter(
    ({ typed, isWhole }) => typed === found[0].typed && isWhole === found[0].isWhole,
  );
}

/**
 * Read a typed order: "hammer merrills", "hammer 1705 then hudson", "watch 4 stays", "hammer
 * fights".
 * @param {Plan} plan
 * @param {OrderFleet[]} fleets
 * @param {string} text
 * @returns {TypedOrder}
 */
export function orderTyped(plan, fleets, text) {
  const words = plain(text);
  const found = fleetsTyped(fleets, words);
  if (!found.length) {
    return { fault: phrase`Which fleet? Begin with its name.` };
  }
  if (found.length > 1) {
    const names = found.map(({ fleet }) => fleet.name).join(", ");
    return { fault: phrase`Which one? ${names}.` };
  }
  const [{ fleet, typed }] = found;
  const rest = words.slice(typed.length).trim();
  if (!rest) {
    return { fleet, fault: phrase`${fleet.name}: where to? A system, a hex, "stays", "fights".` };
  }
  if (INTENTS[rest]) {
    return { fleet, intent: INTENTS[rest] };
  }
  if (STAYS.includes(rest)) {
    return { fleet, to: [] };
  }
  return wayTyped(plan, fleet, rest);
}

/**
 * @param {Plan} plan
 * @param {OrderFleet} fleet
 * @param {string} text of one place, or several with "then" between them
 * @returns {TypedOrder}
 */
function wayTyped(plan, fleet, text) {
  const parts = text
    .split(THEN)
    .map((part) => part.trim().replace(/^to /, ""))
    .filter(Boolean);
  const to = [];
  for (const part of parts) {
    const hex = placeTyped(plan, part);
    if (!hex) {
      return { fleet, fault: phrase`No system or hex is called "${part}".` };
    }
    to.push(hex);
  }
  return { fleet, to };
}

/**
 * Return what handles the events of the field in which orders are typed.
 * @param {OrdersPage} page
 * @returns {(event: Event) => void}
 */
export function typing({ plan, host, fleets, act }) {
  const field = need(document, "#typed", HTMLInputElement);
  const answer = need(document, "[data-typed-says]", HTMLElement);

  /** @param {Exclude<TypedOrder, {fault: string}>} order */
  function inWords({ fleet, intent, to }) {
    if (intent !== undefined) {
      return phrase`${fleet.name}: ${INTENT_WORDS[intent]}`;
    }
    const way = to.map((hex) => plan.name(hex)).join(phrase`, then `);
    return `${fleet.name} → ${way || phrase`stays`}`;
  }

  /**
   * @param {string} words
   * @param {boolean} isFault
   */
  function says(words, isFault = false) {
    answer.textContent = words;
    answer.classList.toggle("bad", isFault);
  }

  const read = () =>
    orderTyped(
      plan,
      fleets().filter((fleet) => fleet.ships.length || fleet.dummy),
      field.value,
    );

  function preview() {
    if (!field.value.trim()) {
      says("");
      return;
    }
    const order = read();
    if (order.fault === undefined) {
      says(phrase`${inWords(order)}. Press Enter to order it.`);
    } else {
      says(order.fault, true);
    }
  }

  async function give() {
    const order = read();
    if (order.fault !== undefined) {
      says(order.fault, true);
      return;
    }
    field.value = "";
    says("");
    const words = inWords(order);
    await act((actions) => actions.typed(order, words));
  }

  return (event) => {
    if (event.type === "input") {
      preview();
    } else if (event instanceof KeyboardEvent && event.key === "Enter") {
      give();
    } else if (event instanceof KeyboardEvent && event.key === "Escape") {
      field.value = "";
      says("");
      host.focus();
    }
  };
}
