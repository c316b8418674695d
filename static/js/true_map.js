// The umpire's maps: the truth and, beside it, what one faction knows. They move as one, and one cursor is on both.

import { StarMap, tools } from "./chart.js";
import { lists, row } from "./chart_card.js";
import { holder, told } from "./chart_told.js";
import { data, layers } from "./chart_view.js";
import { distance } from "./hex.js";
import { phrase } from "./phrase.js";

const hosts = [...document.querySelectorAll("[data-map]")];
const given = hosts.length && data("true-chart");

if (given) {
  const { ground, truth, view, me } = given;
  const says = document.querySelector("[data-map-says]");
  const sides = hosts.map((host) =>
    host.dataset.map === "truth" ? truth : layers(ground, view, me),
  );
  const maps = hosts.map((host, n) => {
    host.setAttribute("role", "application");
    host.setAttribute("aria-roledescription", phrase`star map`);
    const map = new StarMap(host, ground, {
      pick: ({ hex, typed }) => {
        if (hex) {
          mark(hex);
          tell(hex);
          asks[n](hex, typed);
        }
      },
      look: (hex) => {
        if (hex) {
          tell(hex);
        }
      },
      zoomed: () => follow(map),
    });
    map.show({ ...sides[n], start: greatest()?.hex });
    return map;
  });
  const asks = maps.map((map) =>
    lists(
      map,
      map.host.parentElement.querySelector("[data-card]"),
      map.host.dataset.map === "truth" ? lying : known,
    ),
  );
  for (const box of document.querySelectorAll("[data-tools]")) {
    const map = maps[hosts.indexOf(box.parentElement.querySelector("[data-map]"))];
    if (map) {
      tools(map, box);
      box.hidden = false;
    }
  }

  /** The other map looks where this one does. One that is not shown leads nobody. */
  function follow(map) {
    if (!map || !map.host.clientWidth) {
      return;
    }
    for (const other of maps) {
      if (
        other === map ||
        !other.host.clientWidth ||
        (other.k === map.k && other.x === map.x && other.y === map.y)
      ) {
        continue;
      }
      Object.assign(other, { k: map.k, x: map.x, y: map.y, moved: map.moved, cursor: map.cursor });
      other.draw();
    }
  }

  function mark(hex) {
    maps.forEach((map, n) => {
      map.cursor = hex;
      map.show({ ...sides[n], fan: hex, start: hex });
    });
  }

  const ftl = (fleet, words) => (fleet.ftl ? phrase`${words}, in FTL space` : words);

  /** What lies in a hex in truth, as its card shows it. */
  function lying(hex) {
    const place = ground.systems.find((one) => one.hex === hex);
    const hold = truth.holds[hex];
    const lies = truth.fleets
      .filter((fleet) => fleet.hex === hex)
      .map((fleet) => [
        `${ground.powers[fleet.power].name}, ${fleet.name}`,
        ftl(fleet, fleet.dummy ? phrase`no ships` : fleet.words),
      ]);
    return {
      title: place ? `${place.name} ${hex}` : phrase`Hex ${hex}`,
      says: hold ? holder(ground, hold) : lies.length ? "" : phrase`empty`,
      lies,
      rows: lies.map((one) => row(...one)),
    };
  }

  /** What the faction knows of it. */
  function known(hex) {
    const [title, ...rest] = told(ground, view, hex);
    return {
      title,
      says: rest.join(phrase`; `),
      rows: view.fleets
        .filter((fleet) => fleet.hex === hex)
        .map((fleet) => row(fleet.name, fleet.words)),
    };
  }

  /** What lies in a hex: in truth, and as far as the faction knows. */
  function tell(hex) {
    const { title, says: held, lies } = lying(hex);
    const parts = [held, ...lies.map((one) => one.join(": "))].filter(Boolean);
    const knows = view
      ? ` ${phrase`${ground.powers[me].name} knows: ${[...view.fleets.filter((fleet) => fleet.hex === hex).map((fleet) => phrase`its ${fleet.name}`), ...told(ground, view, hex).slice(1)].join(phrase`; `) || phrase`nothing of it`}.`}`
      : "";
    says.textContent = phrase`${title}: ${parts.join(phrase`; `)}.${knows}`;
  }

  // A small screen looks first where most ships are near each other.
  function greatest() {
    const ships = (fleet) =>
      truth.fleets
        .filter((one) => distance(one.hex, fleet.hex) < 3)
        .reduce((all, one) => all + one.n.reduce((a, b) => a + b, 0), 0);
    return [...truth.fleets].sort((a, b) => ships(b) - ships(a))[0];
  }
  if (maps[0].host.clientWidth < 560 && greatest()) {
    maps[0].go(greatest().hex, Math.max(maps[0].least, 0.62));
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-hex]");
    if (!link) {
      return;
    }
    event.preventDefault();
    mark(link.dataset.hex);
    const map = maps.find((one) => one.host.clientWidth) ?? maps[0];
    map.go(link.dataset.hex, Math.max(map.k, 0.9));
    tell(link.dataset.hex);
    map.host.closest("section, figure").scrollIntoView({ block: "nearest" });
    map.host.focus({ preventScroll: true });
  });
}
