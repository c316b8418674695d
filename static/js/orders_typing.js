// Parses typed orders such as "hammer merrills then hudson". Loaded when a player first types an
// order or a destination.

import { need } from "./dom.js";
import { phrase } from "./phrase.js";

/** @import { OrdersPage } from "./orders.js" */
/** @import { Plan } from "./orders_plan.js" */

/**
 * Return a text in lower case without accents and punctuation.
 * @param {string} text
 */
const plain = (text) =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, "")
    .trim();

/** @type {Record<string, string>} standing orders in words, by value */
const INTENT_WORDS = {
  fight: phrase`fights`,
  "stand-off": phrase`stands off`,
  withdraw: phrase`withdraws if met`,
};

/**
 * The standing orders by typed words, in English and in the player's language.
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
 * Return the hex of a typed destination: a hex label, or the beginning of a system's name or of a
 * later word of it ("vaults").
 * @param {Plan} plan
 * @param {string} text
 * @returns {Hex | null}
 */
export function parsePlace(plan, text) {
  const typed = plain(text);
  if (/^\d{4}$/.test(typed)) {
    return plan.isOnMap(typed) ? typed : null;
  }
  if (!typed) {
    return null;
  }
  const withoutSpaces = typed.replace(/ /g, "");
  /** @param {(name: string) => boolean} matches */
  const findSystem = (matches) =>
    plan.ground.systems.find((system) => matches(plain(system.name)))?.hex;
  return (
    findSystem((name) => name.startsWith(typed)) ??
    findSystem((name) => name.replace(/ /g, "").startsWith(withoutSpaces)) ??
    findSystem((name) => name.includes(` ${typed}`)) ??
    null
  );
}

/**
 * Return the part of a fleet's name with which a text begins: the whole name, its last words or its
 * first word.
 * @param {OrderFleet} fleet
 * @param {string} words
 */
function matchingName(fleet, words) {
  const name = plain(fleet.name);
  const parts = name.split(" ");
  const endings = parts.map((_, n) => parts.slice(n).join(" ")).slice(1);
  const candidates = [name, ...endings.filter((end) => end.length > 3), parts[0]];
  return candidates.find((part) => words === part || words.startsWith(`${part} `)) ?? "";
}

/**
 * Find the fleets with whose names a text begins. The longest match counts; of equally long ones a
 * whole name counts before part of a name.
 * @param {OrderFleet[]} fleets
 * @param {string} words
 */
function matchingFleets(fleets, words) {
  const found = fleets
    .map((fleet) => ({ fleet, typed: matchingName(fleet, words) }))
    .filter(({ typed }) => typed)
    .map(({ fleet, typed }) => ({ fleet, typed, isWhole: typed === plain(fleet.name) }))
    .sort((a, b) => b.typed.length - a.typed.length || Number(b.isWhole) - Number(a.isWhole));
  return found.filter(
    ({ typed, isWhole }) => typed === found[0].typed && isWhole === found[0].isWhole,
  );
}

/**
 * Parse a typed order: "hammer merrills", "hammer 1705 then hudson", "watch 4 stays", "hammer
 * fights".
 * @param {Plan} plan
 * @param {OrderFleet[]} fleets
 * @param {string} text
 * @returns {TypedOrder}
 */
export function parseOrder(plan, fleets, text) {
  const words = plain(text);
  const matches = matchingFleets(fleets, words);
  if (!matches.length) {
    return { fault: phrase`Which fleet? Begin with its name.` };
  }
  if (matches.length > 1) {
    const names = matches.map(({ fleet }) => fleet.name).join(", ");
    return { fault: phrase`Which one? ${names}.` };
  }
  const [{ fleet, typed }] = matches;
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
  return parseRoute(plan, fleet, rest);
}

/**
 * Parse the destinations of a typed order.
 * @param {Plan} plan
 * @param {OrderFleet} fleet
 * @param {string} text destinations separated by "then"
 * @returns {TypedOrder}
 */
function parseRoute(plan, fleet, text) {
  const parts = text
    .split(THEN)
    .map((part) => part.trim().replace(/^to /, ""))
    .filter(Boolean);
  const to = [];
  for (const part of parts) {
    const hex = parsePlace(plan, part);
    if (!hex) {
      return { fleet, fault: phrase`No system or hex is called "${part}".` };
    }
    to.push(hex);
  }
  return { fleet, to };
}

/**
 * Return a handler for the events of the field for typed orders.
 * @param {OrdersPage} page
 * @returns {(event: Event) => void}
 */
export function typedOrderHandler({ plan, host, fleets, runAction }) {
  const field = need(document, "#typed", HTMLInputElement);
  const answer = need(document, "[data-typed-says]", HTMLElement);

  /**
   * Return an order in words.
   * @param {Exclude<TypedOrder, {fault: string}>} order
   */
  function orderInWords({ fleet, intent, to }) {
    if (intent !== undefined) {
      return phrase`${fleet.name}: ${INTENT_WORDS[intent]}`;
    }
    const route = to.map((hex) => plan.name(hex)).join(phrase`, then `);
    return `${fleet.name} → ${route || phrase`stays`}`;
  }

  /**
   * Show an answer below the field.
   * @param {string} words
   * @param {boolean} isFault
   */
  function showAnswer(words, isFault = false) {
    answer.textContent = words;
    answer.classList.toggle("bad", isFault);
  }

  const parseField = () =>
    parseOrder(
      plan,
      fleets().filter((fleet) => fleet.ships.length || fleet.dummy),
      field.value,
    );

  /** Show what the typed text would order. */
  function preview() {
    if (!field.value.trim()) {
      showAnswer("");
      return;
    }
    const order = parseField();
    if (order.fault === undefined) {
      showAnswer(phrase`${orderInWords(order)}. Press Enter to order it.`);
    } else {
      showAnswer(order.fault, true);
    }
  }

  /** Give the typed order, or show its fault. */
  async function giveOrder() {
    const order = parseField();
    if (order.fault !== undefined) {
      showAnswer(order.fault, true);
      return;
    }
    field.value = "";
    showAnswer("");
    const words = orderInWords(order);
    await runAction((actions) => actions.giveTypedOrder(order, words));
  }

  return (event) => {
    if (event.type === "input") {
      preview();
    } else if (event instanceof KeyboardEvent && event.key === "Enter") {
      giveOrder();
    } else if (event instanceof KeyboardEvent && event.key === "Escape") {
      field.value = "";
      showAnswer("");
      host.focus();
    }
  };
}
