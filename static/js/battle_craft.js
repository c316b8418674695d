// Cards beside the plots: of craft, what is launched, who boards. Each says what may be done, one act each: fly to a place, land, launch,
// aim. Fetched when they are looked at. What a card does it writes into the form's fields and ships' orders, which alone are read.

import { ring } from "./battle_arcs.js";
import { launches } from "./battle_launch.js";
import { PLACE, line, node, say } from "./battle_look.js";
import { ask, fields, place, written } from "./battle_places.js";
import { el, icons } from "./battle_table.js";
import { nameOf } from "./field.js";
import { phrase } from "./phrase.js";

const DECKS = 3; // to land on that have buttons, the nearest; the list has all

/** `page`: {data, table, form, hangar, ships, textOf, write, show, end} of the plot. */
export function hangar(page) {
  const { data, table, form, hangar: drawer, show } = page;
  const list = drawer.querySelector(".ships");
  const cards = new Map();
  let held = null; // the card in hand
  const ship = (id) => table.marks.get(`${id}*`) ?? table.marks.get(id);
  const button = (does, words) => {
    const one = node("button", { type: "button", className: "b" }, words);
    one.dataset.act = does;
    return one;
  };
  const kit = {
    ...page,
    list,
    button,
    tell: say,
    field: (name) => form.elements[name],
    change: (input, value) => {
      input.value = value;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    },
    ask: (want, keys) => ask(table, table.asked?.by === want.by ? null : want, keys), // asked again: never mind
    at: (id) => {
      const one = ship(id) ?? data.craft[id];
      return one && [one.x, one.y];
    },
    landing(seat, points) {
      const way = line(`plan ${seat}`, points);
      way.classList.add("landing");
      return way;
    },
    head: (words) => node("li", { className: "head" }, node("h3", {}, words)),
    row(name, symbol) {
      // of what has none from the server
      const glyph = symbol
        ? el(
            "svg",
            { class: "glyph", viewBox: "0 0 32 32", "aria-hidden": "true" },
            el("use", { href: `${icons}#${symbol}` }),
          )
        : "";
      const row = node(
        "li",
        {},
        node(
          "div",
          { className: "ship own" },
          glyph,
          node("span", { className: "n" }, node("b", {}, name)),
          node("span", { className: "h" }),
          node("span", { className: "o" }),
        ),
        node("div", { className: "acts", role: "group", ariaLabel: name }),
      );
      row.dataset.card = name;
      return row;
    },
    stepper(key, words) {
      const by = (n, sign, says) => {
        const one = button(key, sign);
        one.dataset.on = n;
        one.ariaLabel = says;
        one.classList.add("sq");
        return one;
      };
      const count = node("output", {});
      count.dataset.count = key;
      return node(
        "span",
        { className: "count" },
        words,
        by(-1, "−", phrase`${words}: one fewer`),
        count,
        by(1, "+", phrase`${words}: one more`),
      );
    },
  };

  for (const card of [...crafts(kit), ...launches(kit)]) {
    Object.assign(card.row.querySelector(".ship"), { role: "button", tabIndex: 0 });
    card.row.dataset.card = card.key;
    cards.set(card.key, card);
  }

  function look() {
    for (const card of cards.values()) {
      const words = card.said();
      const pills = (words.length ? words : card.none ? [card.none] : []).map((one) =>
        node("span", { className: `pill${card.mine() ? " yours" : ""}` }, one),
      );
      card.row
        .querySelector(".h")
        .replaceChildren(
          node("span", { className: "aims" }, ...pills, ...(card.about?.() ?? []).filter(Boolean)),
        );
      card.row.querySelector(".ship").classList.toggle("chosen", card.key === held);
      for (const one of card.row.querySelectorAll("[data-act]")) {
        const is = one === table.asked?.by || card.pressed?.(one.dataset);
        if (is !== undefined && !one.closest(".count")) {
          one.setAttribute("aria-pressed", is);
        }
        const refused = card.refused?.(one.dataset.act) ?? "";
        if (refused) {
          one.setAttribute("aria-disabled", "true");
        } else {
          one.removeAttribute("aria-disabled");
        }
        one.title = refused;
      }
      for (const one of card.row.querySelectorAll("[data-count]")) {
        one.textContent = card.counts(one.dataset.count);
      }
    }
    drawer.classList.toggle("asks", Boolean(table.asked));
  }
  function hold(key) {
    held = key;
    show();
  }
  list.addEventListener("click", (e) => {
    const key = e.target.closest("li")?.dataset.card;
    const card = cards.get(key);
    const act = e.target.closest("[data-act]");
    if (!card || (!act && !e.target.closest(".ship"))) {
      return;
    }
    if (table.asked && table.asked.by !== act) {
      ask(table, null);
    }
    held = key;
    if (act) {
      const before = card.said().join();
      card.does[act.dataset.act](act, !e.detail);
      const flown = form.elements[nameOf(data.fields.order, card.ship)];
      if (flown?.classList.contains("fault")) {
        say(phrase`${card.name}: its ship cannot fly as written so: ${flown.value}`, true);
      } else if (card.said().join() !== before) {
        say(phrase`${card.name}: ${card.said().join(", ") || card.none}`);
      }
    }
    show();
    if (table.asked) {
      card.row.scrollIntoView({ block: "nearest" });
    }
  });
  list.addEventListener("keydown", (e) => {
    if (e.target.matches(".ship") && (e.key === "Enter" || e.key === " ")) {
      e.preventDefault();
      e.stopPropagation();
      e.target.click();
    }
  });
  fields(table, form, (input) => {
    // a field that asks for a place is filled by the next touch too
    const card = cards.get(input.closest("[data-card]")?.dataset.card);
    const of = [...cards.values()].find((one) => one.fields?.includes(input.name)) ?? card;
    return {
      name: of?.name ?? "",
      from: of?.from() ?? table.centred(),
      ahead: true,
      ...of?.reach?.(),
    };
  });

  return {
    open(is) {
      if (!is) {
        if (table.asked) {
          ask(table, null);
        }
        held = null;
        show();
        return;
      }
      held ??= drawer.dataset.first ?? null;
      show();
    },
    /** Whether a touch of the table was for a group of craft, which is then in hand. */
    placed(id) {
      if (!cards.has(id)) {
        return false;
      }
      drawer.open = true;
      hold(id);
      cards.get(id).row.scrollIntoView({ block: "nearest" });
      return true;
    },
    /** What is drawn of them: how far the one in hand goes, where groups land, whom what is launched is for. */
    drawn(seat) {
      look();
      return [...cards.values()].flatMap((card) => card.drawn(seat, card.key === held));
    },
  };
}

/** The cards of groups in flight, of those aboard and of what else may be launched. */
function crafts(kit) {
  const { data, list, field, change, button, at, textOf, write } = kit;
  const cards = [];
  const label = (input) => input.closest("label").firstChild.textContent.trim();
  const far = (key, id) => {
    const deck = at(id);
    const from = at(key) ?? at(data.craft[key]?.ship);
    return deck && from ? Math.hypot(deck[0] - from[0], deck[1] - from[1]) : Infinity;
  };
  const parts = (id) =>
    textOf(id)
      .split(";")
      .map((part) => part.trim())
      .filter(Boolean); // a ship's word to launch
  // An order may call a bay by a shorter name. Bays are compared by their ids.
  const bayId = (id, named) =>
    data.decks.find(([ship, , , , short]) => ship === id && short === named)?.[1] ?? named;
  const bays = (id) => {
    const order = parts(id).find((part) => /^launch\b/i.test(part)) ?? "";
    return order
      .split(/[\s,]+/)
      .slice(1)
      .filter(Boolean)
      .map((named) => bayId(id, named));
  };
  function launch(id, bay) {
    const out = bays(id);
    const now = out.includes(bay) ? out.filter((one) => one !== bay) : [...out, bay];
    write(
      id,
      [
        ...parts(id).filter((part) => !/^launch\b/i.test(part)),
        ...(now.length ? [`launch ${now.join(" ")}`] : []),
      ].join("; "),
    );
  }
  /** Why a bay cannot launch beside those that its ship launches already; "" where it can. */
  function full(id, bay) {
    const [most, sharing] = data.limits[id] ?? [];
    if (!most || !sharing.includes(bay) || bays(id).includes(bay)) {
      return "";
    }
    const used = bays(id).filter((one) => sharing.includes(one)).length;
    return used < most
      ? ""
      : phrase`its ship launches ${most} {:group|groups} a turn, and does so already`;
  }
  const blank = (input) => (input.options ? input.options[0].value : "");

  for (const [ship, bay, words, key] of data.decks) {
    // what is aboard, where it has no row of its own
    if (data.craft[key]) {
      continue;
    }
    const row = kit.row(words, "fighter-bay");
    row.dataset.deck = `${ship} ${bay}`;
    list.append(row);
  }
  const rows = [...list.children].filter((row) => row.dataset.deck || data.craft[row.dataset.row]);
  if (rows.length) {
    list.prepend(kit.head(phrase`Craft`), ...rows);
  }
  for (const row of rows) {
    const key = row.dataset.row ?? row.dataset.deck;
    const one = data.craft[key];
    const from = () => at(key) ?? at(one?.ship);
    const to = row.querySelector(PLACE);
    const decks = [
      ...(row.querySelector(`select[name^="${nameOf(data.fields.land, "")}"]`)?.options ?? []),
    ]
      .filter((option) => option.value)
      .sort((a, b) => far(key, a.value) - far(key, b.value));
    const [ship, bay] = one?.bay ? [one.ship, one.bay] : (row.dataset.deck?.split(" ") ?? []);
    const name = row.querySelector(".n").textContent;
    const acts =
      row.querySelector(".acts") ??
      node("div", { className: "acts", role: "group", ariaLabel: name });
    const land = field(nameOf(data.fields.land, key));
    if (bay) {
      acts.append(button("launch", phrase`Launch`));
    }
    if (to) {
      acts.append(button("fly", phrase`Fly to…`));
    }
    for (const option of decks.slice(0, DECKS)) {
      const deck = button("land", phrase`Land on ${option.text}`);
      deck.dataset.on = option.value;
      acts.append(deck);
    }
    if (one?.captain) {
      acts.append(button("captain", phrase`Captain’s`), button("stay", phrase`Stay`));
    }
    row.querySelector(".ship").after(acts);
    if (row.querySelector(".fields summary")) {
      row.querySelector(".fields summary").firstChild.textContent = phrase`All orders`;
    }
    const inputs = [...row.querySelectorAll(".fields select, .fields input:not([type=hidden])")];
    const reach = () => (one?.reach ? { reach: [0, one.reach] } : {});
    function fill(said) {
      // every field of a card: what the captain says there, or nothing
      for (const input of inputs) {
        if (input.type === "checkbox") {
          input.checked = said[input.name] === input.value;
        } else {
          input.value = said[input.name] ?? blank(input);
        }
      }
      if (bay && bays(ship).includes(bay) !== Boolean(said.launch)) {
        launch(ship, bay);
      }
      change(inputs[0], inputs[0].value);
    }
    cards.push({
      key,
      row,
      name,
      ship,
      from,
      reach,
      none: phrase`no orders`,
      said() {
        const told = inputs.filter((input) =>
          input.type === "checkbox"
            ? input.checked
            : input.value.trim() && input.value !== blank(input),
        );
        return [
          ...(bay && bays(ship).includes(bay) ? [phrase`launched`] : []),
          ...told.map((input) =>
            input.type === "checkbox"
              ? input.closest("label").textContent.trim()
              : `${label(input).replace(/ x, y$/, "")} ${input.selectedOptions?.[0].text ?? input.value}`,
          ),
        ];
      },
      mine: () =>
        inputs.some((input) =>
          input.type === "checkbox"
            ? input.checked !== (one?.captain?.[input.name] === input.value)
            : input.value.trim() !== (one?.captain?.[input.name] ?? blank(input)),
        ) || Boolean(bay && bays(ship).includes(bay) !== Boolean(one?.captain?.launch)),
      does: {
        launch: () => {
          const why = full(ship, bay);
          if (why) {
            kit.tell(phrase`${name}: ${why}`, true);
          } else {
            launch(ship, bay);
          }
        },
        fly: (by, keys) =>
          kit.ask(
            {
              by,
              name,
              from: from(),
              ...reach(),
              ahead: true,
              value: place(to.value),
              put: (where, id) => {
                if (land && [...land.options].some((option) => option.value === id)) {
                  change(land, id);
                  kit.tell(phrase`${name}: lands on ${land.selectedOptions[0].text}`);
                  return true;
                }
                change(to, written(where));
                kit.tell(phrase`${name}: ${label(to)} ${to.value}`);
              },
            },
            keys,
          ),
        land: ({ dataset: { on } }) => change(land, land.value === on ? "" : on),
        captain: () => fill(one.captain),
        stay: () => fill({}),
      },
      refused: (act) => (act === "launch" ? full(ship, bay) : ""),
      pressed: ({ act, on }) =>
        ({
          launch: () => bays(ship).includes(bay),
          fly: () => false,
          land: () => land.value === on,
        })[act]?.(),
      drawn(seat, inHand) {
        const start = from();
        const deck = land?.value && at(land.value);
        return [
          ...(start && deck ? [kit.landing(seat, [start, deck])] : []),
          ...(start && inHand && one?.reach ? [ring(start, one.reach)] : []),
        ];
      },
    });
  }
  return cards;
}
