// Craft beside the plots: a card for each group says what it may do, one act each: fly to a place, land, launch. Fetched when they are
// looked at. What a card does it writes into the form's fields and ships' orders, which alone are read.

import { ring } from "./battle_arcs.js";
import { PLACE, line, node, say } from "./battle_look.js";

const DECKS = 3; // to land on that have buttons, the nearest; the list has all

/** `page`: {data, table, form, hangar, ships, textOf, write, show} of the plot. */
export function hangar({ data, table, form, hangar: drawer, ships, textOf, write, show }) {
  const list = drawer.querySelector(".ships"), cards = new Map();
  let held = null, waits = null; // the group in hand; the field that the next touch fills
  const field = (name) => form.elements[name], label = (input) => input.closest("label").firstChild.textContent.trim();
  const button = (does, words) => { const one = node("button", { type: "button", className: "b" }, words); one.dataset.act = does; return one; };
  const at = (key) => { const one = table.marks.get(key) ?? table.marks.get(`${data.craft[key]?.ship}*`) ?? data.craft[key]; return one && [one.x, one.y]; };
  const far = (key, id) => { const ship = table.marks.get(`${id}*`) ?? table.marks.get(id), from = at(key); return ship && from ? Math.hypot(ship.x - from[0], ship.y - from[1]) : Infinity; };
  const change = (input, value) => { input.value = value; input.dispatchEvent(new Event("change", { bubbles: true })); };

  // a ship's word to launch
  const parts = (id) => textOf(id).split(";").map((part) => part.trim()).filter(Boolean);
  const bays = (id) => parts(id).find((part) => /^launch\b/i.test(part))?.split(/[\s,]+/).slice(1) ?? [];
  function launch(id, bay) {
    const out = bays(id), now = out.includes(bay) ? out.filter((one) => one !== bay) : [...out, bay];
    write(id, [...parts(id).filter((part) => !/^launch\b/i.test(part)), ...(now.length ? [`launch ${now.join(" ")}`] : [])].join("; "));
  }

  for (const [ship, bay, words, key] of data.decks) { // what is aboard, where it has no row of its own
    if (data.craft[key]) continue;
    const row = node("li", {}, node("div", { className: "ship own lean" }, node("span", { className: "n" }, node("b", {}, words)), node("span", { className: "h" }), node("span", { className: "o" })));
    row.dataset.deck = `${ship} ${bay}`;
    list.append(row);
  }
  for (const row of list.children) {
    const key = row.dataset.row ?? row.dataset.deck, one = data.craft[key];
    if (!key) continue;
    const place = row.querySelector(PLACE), decks = [...(row.querySelector("select[name^=land-]")?.options ?? [])].filter((option) => option.value).sort((a, b) => far(key, a.value) - far(key, b.value));
    const [ship, bay] = one?.bay ? [one.ship, one.bay] : row.dataset.deck?.split(" ") ?? [], name = row.querySelector(".n").textContent;
    const acts = node("div", { className: "acts", role: "group", ariaLabel: name });
    if (bay) acts.append(button("launch", "Launch"));
    if (place) acts.append(button("fly", "Fly to…"));
    for (const option of decks.slice(0, DECKS)) { const land = button("land", `Land on ${option.text}`); land.dataset.on = option.value; acts.append(land); }
    if (one?.captain) acts.append(button("captain", "Captain’s"), button("stay", "Stay"));
    Object.assign(row.querySelector(".ship"), { role: "button", tabIndex: 0 });
    row.querySelector(".ship").after(acts);
    if (row.querySelector(".fields summary")) row.querySelector(".fields summary").firstChild.textContent = "All orders";
    cards.set(key, { key, row, acts, place, ship, bay, name, ...one, land: field(`land-${key}`) });
  }

  const fieldsOf = (card) => [...card.row.querySelectorAll(".fields select, .fields input:not([type=hidden])")];
  const blank = (input) => (input.options ? input.options[0].value : "");
  function set(card, from) { // every field of a card: what the captain says there, or nothing
    for (const input of fieldsOf(card)) if (input.type === "checkbox") input.checked = from[input.name] === input.value; else input.value = from[input.name] ?? blank(input);
    const { ship, bay } = card, wanted = Boolean(from.launch);
    if (bay && bays(ship).includes(bay) !== wanted) launch(ship, bay);
    change(fieldsOf(card)[0], fieldsOf(card)[0].value);
    say(`${card.name}: ${told(card).join(", ") || "stays"}`);
  }
  /** What a group is told, in short. */
  function told(card) {
    const said = fieldsOf(card).filter((input) => (input.type === "checkbox" ? input.checked : input.value.trim() && input.value !== blank(input)));
    return [...(card.bay && bays(card.ship).includes(card.bay) ? ["launched"] : []), ...said.map((input) => (input.type === "checkbox" ? input.closest("label").textContent.trim() : `${label(input).replace(/ x, y$/, "")} ${input.selectedOptions?.[0].text ?? input.value}`))];
  }

  function look() {
    for (const card of cards.values()) {
      const words = told(card);
      card.row.querySelector(".h").replaceChildren(node("span", { className: "aims" }, ...(words.length ? words : ["no orders"]).map((one) => node("span", { className: "pill" }, one))));
      card.row.querySelector(".ship").classList.toggle("chosen", card.key === held);
      for (const one of card.acts.children) {
        const does = one.dataset.act;
        if (does === "launch") one.setAttribute("aria-pressed", bays(card.ship).includes(card.bay));
        if (does === "fly") one.setAttribute("aria-pressed", waits === card.place);
        if (does === "land") one.setAttribute("aria-pressed", card.land.value === one.dataset.on);
      }
    }
  }
  function hold(key) {
    held = key;
    waits = null;
    show();
  }
  const acts = {
    launch: (card) => { launch(card.ship, card.bay); say(`${card.name}: ${bays(card.ship).includes(card.bay) ? "launched" : "stays aboard"}`); },
    fly: (card) => { waits = waits === card.place ? null : card.place; if (waits) say("Touch the table to say where", true); },
    land: (card, on) => { change(card.land, card.land.value === on ? "" : on); say(`${card.name}: ${told(card).join(", ") || "stays"}`); },
    captain: (card) => set(card, card.captain),
    stay: (card) => set(card, {}),
  };
  list.addEventListener("click", (e) => {
    const key = e.target.closest("li")?.dataset.row ?? e.target.closest("li")?.dataset.deck, card = cards.get(key), act = e.target.closest("[data-act]");
    if (!card || (!act && !e.target.closest(".ship"))) return;
    const before = waits;
    held = key;
    waits = act?.dataset.act === "fly" ? before : null;
    if (act) acts[act.dataset.act](card, act.dataset.on);
    show();
  });
  list.addEventListener("keydown", (e) => { if (e.target.matches(".ship") && (e.key === "Enter" || e.key === " ")) { e.preventDefault(); e.stopPropagation(); e.target.click(); } });
  form.addEventListener("focusin", (e) => { // a field that asks for a place is filled by the next touch too
    if (!e.target.matches("input, select")) return;
    waits = e.target.matches(PLACE) ? e.target : null;
    if (waits) say("Touch the table to say where", true);
  });

  return {
    open(is) {
      if (!is) { held = waits = null; show(); return; }
      held ??= drawer.dataset.first ?? null;
      show();
    },
    /** Whether a touch of the table was for craft: it says where a group flies, takes one in hand, or has it land on a ship. */
    placed(id, [x, y]) {
      const card = cards.get(held), ship = id?.replace("*", "");
      if (cards.has(id)) { drawer.open = true; hold(id); return true; }
      if (card?.land && waits === card.place && [...card.land.options].some((one) => one.value === ship)) acts.land(card, ship);
      else if (waits) {
        waits.value = `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
        waits.dispatchEvent(new Event("change", { bubbles: true }));
        say(`${waits.closest("[data-row], [data-of]").querySelector(".n, summary").textContent.trim()}, ${label(waits)}: ${waits.value}`);
      } else return false;
      waits = null;
      show();
      return true;
    },
    /** What is drawn of them: how far the group in hand flies, and where groups land. */
    drawn(seat) {
      look();
      const out = [];
      for (const card of cards.values()) {
        const from = at(card.key), deck = card.land?.value && (table.marks.get(`${card.land.value}*`) ?? table.marks.get(card.land.value));
        if (from && deck) out.push(line(`plan ${seat} landing`, [from, [deck.x, deck.y]]));
        if (from && card.key === held && card.reach) out.push(ring(from, card.reach));
      }
      return out;
    },
  };
}
