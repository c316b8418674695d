// The star map to look at: what is known now, or was then.

import { LEGIBLE, StarMap, tools } from "./chart.js";
import { lists, row } from "./chart_card.js";
import { told } from "./chart_told.js";
import { data, layers } from "./chart_view.js";
import { distance } from "./hex.js";
import { phrase } from "./phrase.js";

const host = document.querySelector("[data-map]");
const given = host && data("chart");

if (given) {
  const { ground, moment, me } = given;
  const says = document.querySelector("[data-map-says]");
  const asked = new URLSearchParams(location.search);
  const chosen = asked.get("fleet");
  const place = asked.get("hex");
  host.setAttribute("role", "application");
  host.setAttribute("aria-roledescription", phrase`star map`);
  const tell = (words) => {
    says.textContent = words;
  };
  const map = new StarMap(host, ground, {
    pick: ({ hex, typed }) => {
      if (hex) {
        ask(hex, typed);
        show(hex);
        tell(`${told(ground, moment, hex).join(phrase`; `)}.`);
      }
    },
    look: (hex) => {
      if (hex) {
        tell(`${told(ground, moment, hex).join(phrase`; `)}.`);
      }
    },
  });
  tools(map, document.querySelector("[data-tools]"));
  document.querySelector("[data-tools]").hidden = false;
  const ask = lists(map, document.querySelector("[data-card]"), (hex) => {
    const [title, ...rest] = told(ground, moment, hex);
    const here = [...moment.fleets, ...moment.dummies].filter((one) => one.hex === hex);
    return {
      title,
      says: rest.length ? `${rest.join(phrase`; `)}.` : "",
      rows: here.map((one) => row(one.name, one.words ?? phrase`no ships`)),
    };
  });

  const show = (hex) => {
    const seen = layers(ground, moment, me);
    const fleet =
      moment.fleets.find((one) => one.key === chosen) ??
      moment.dummies.find((one) => one.key === chosen);
    for (const one of seen.fleets) {
      one.on = one.key === chosen;
    }
    const doubted = moment.contacts.find((one) => one.hex === hex && one.age && !one.gone);
    const reach = fleet && given.reach.length ? { id: chosen, bands: [given.reach] } : null;
    map.show({
      ...seen,
      reach,
      fan: fleet?.hex ?? hex,
      start: fleet?.hex ?? moment.fleets[0]?.hex,
      rings: doubted
        ? [
            {
              hex: doubted.hex,
              far: Math.min(99, doubted.age * ground.jump),
              seat: ground.powers[doubted.power]?.seat,
              cls: "doubt",
            },
          ]
        : [],
    });
  };
  show(place);
  const first = place ?? moment.fleets.find((one) => one.key === chosen)?.hex ?? nearest();
  if (first && (place || map.least < LEGIBLE)) {
    map.go(first, Math.max(map.least, 0.86));
  }
  if (place) {
    map.cursor = place;
    map.shade();
    tell(`${told(ground, moment, place).join(phrase`; `)}.`);
  }

  // Where a small screen looks first: the greatest stack of fleets.
  function nearest() {
    const by = (fleet) =>
      moment.fleets
        .filter((one) => distance(one.hex, fleet.hex) < 3)
        .reduce((all, one) => all + one.n.reduce((a, b) => a + b, 0), 0);
    return [...moment.fleets].sort((a, b) => by(b) - by(a))[0]?.hex;
  }
}
