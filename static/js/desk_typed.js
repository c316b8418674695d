// Orders by typing: "hammer merrills then hudson". Fetched when somebody types a place or an order.

import { phrase } from "./phrase.js";

const plain = (text) =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, "")
    .trim();

const INTENT = {
  fight: phrase`fights`,
  "stand-off": phrase`stands off`,
  withdraw: phrase`withdraws if met`,
};

// What may be said: English, and the words of the reader's language.
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

/** A typed place: a hex, or the system whose name begins so, or a later word of it ("vaults"); null where there is none. */
export function placeTyped(plan, text) {
  const word = plain(text);
  const close = word.replace(/ /g, "");
  if (/^\d{4}$/.test(word)) {
    return plan.known(word) ? word : null;
  }
  if (!word) {
    return null;
  }
  const begins = (found) => plan.ground.systems.find((system) => found(plain(system.name)))?.hex;
  return (
    begins((name) => name.startsWith(word)) ??
    begins((name) => name.replace(/ /g, "").startsWith(close)) ??
    begins((name) => name.includes(` ${word}`)) ??
    null
  );
}

/** A typed order: "hammer merrills", "hammer 1705 then hudson", "watch 4 stays", "hammer fights". */
export function orderTyped(plan, fleets, text) {
  const words = plain(text);
  const named = (fleet) => plain(fleet.name);
  const starts = (fleet) => {
    const name = named(fleet);
    const parts = name.split(" ");
    if (words === name || words.startsWith(`${name} `)) {
      return name;
    }
    const tails = parts
      .map((_, n) => parts.slice(n).join(" "))
      .filter((tail, n) => n > 0 && tail.length > 3);
    return (
      [...tails, parts[0]].find((part) => words === part || words.startsWith(`${part} `)) ?? ""
    );
  };
  // The longest match counts; of two as long a whole name wins over the beginning of a longer one.
  const found = fleets
    .map((fleet) => ({ fleet, said: starts(fleet) }))
    .filter((one) => one.said)
    .map((one) => ({ ...one, whole: one.said === named(one.fleet) }))
    .sort((a, b) => b.said.length - a.said.length || b.whole - a.whole);
  const also = (one) => one.said === found[0].said && one.whole === found[0].whole;
  if (!found.length) {
    return { fault: phrase`Which fleet? Begin with its name.` };
  }
  const alike = found.filter(also).map((one) => one.fleet.name);
  if (alike.length > 1) {
    return { fault: phrase`Which one? ${alike.join(", ")}.` };
  }
  const { fleet, said } = found[0];
  const rest = words.slice(said.length).trim();
  if (!rest) {
    return { fleet, fault: phrase`${fleet.name}: where to? A system, a hex, "stays", "fights".` };
  }
  const intent = INTENTS[rest];
  if (intent) {
    return { fleet, intent };
  }
  if (STAYS.includes(rest)) {
    return { fleet, to: [] };
  }
  const parts = rest
    .split(THEN)
    .map((part) => part.trim().replace(/^to /, ""))
    .filter(Boolean);
  const to = parts.map((part) => placeTyped(plan, part));
  const wrong = parts.find((_, n) => !to[n]);
  return wrong ? { fleet, fault: phrase`No system or hex is called "${wrong}".` } : { fleet, to };
}

/** The field in which orders are typed: takes its events. */
export function typing(desk) {
  const { plan, host } = desk;
  const field = document.querySelector("#typed");
  const out = document.querySelector("[data-typed-says]");
  const does = (got) =>
    got.intent
      ? phrase`${got.fleet.name}: ${INTENT[got.intent]}`
      : `${got.fleet.name} → ${got.to.map((hex) => plan.name(hex)).join(phrase`, then `) || phrase`stays`}`;
  const says = (words, bad) => {
    out.textContent = words;
    out.classList.toggle("bad", Boolean(bad));
  };
  const read = () =>
    orderTyped(
      plan,
      desk.fleets().filter((fleet) => fleet.ships.length || fleet.dummy),
      field.value,
    );

  async function order() {
    const got = read();
    if (got.fault) {
      return says(got.fault, true);
    }
    field.value = "";
    says("");
    await desk.act("typed", got, does(got));
  }

  return (event) => {
    if (event.type === "input") {
      const got = field.value.trim() ? read() : null;
      says(got ? (got.fault ?? phrase`${does(got)}. Enter orders it.`) : "", got?.fault);
    } else if (event.key === "Enter") {
      order();
    } else if (event.key === "Escape") {
      field.value = "";
      says("");
      host.focus();
    }
  };
}
