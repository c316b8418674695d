// The star map to look at: what is known now, or was then.

import { LEGIBLE, NEAR, StarMap, describe, tools } from "./chart.js";
import { addCard, row } from "./chart_card.js";
import { hexInWords, hexFacts } from "./chart_words.js";
import { data, doubtRing, doubtfulContact, layers } from "./chart_view.js";
import { find, need } from "./dom.js";
import { distance } from "./hex.js";
import { phrase } from "./phrase.js";

/**
 * Return the middle of the greatest stack of fleets, where a small screen looks first.
 * @param {MapMoment} moment
 */
function greatestStack({ fleets }) {
  /** @param {MomentFleet} fleet */
  const shipsNear = (fleet) =>
    fleets
      .filter((other) => distance(other.hex, fleet.hex) < 3)
      .flatMap((other) => other.n)
      .reduce((total, count) => total + count, 0);
  return [...fleets].sort((a, b) => shipsNear(b) - shipsNear(a))[0]?.hex;
}

/**
 * @param {HTMLElement} host
 * @param {{ground: MapGround, moment: MapMoment, me: string, reach: Hex[]}} given
 */
function begin(host, { ground, moment, me, reach }) {
  const status = need(document, "[data-map-says]", HTMLElement);
  const query = new URLSearchParams(location.search);
  const chosen = query.get("fleet");
  const place = query.get("hex");
  const fleet = [...moment.fleets, ...moment.dummies].find(({ key }) => key === chosen);

  /** @param {Hex} hex */
  function tell(hex) {
    status.textContent = hexInWords(ground, moment, hex);
  }

  /** @param {Hex | null} hex */
  function show(hex) {
    const seen = layers(ground, moment, me);
    for (const flag of seen.fleets) {
      flag.on = flag.key === chosen;
    }
    map.show({
      ...seen,
      reach: fleet && reach.length ? { id: fleet.key, bands: [reach] } : null,
      fan: fleet?.hex ?? hex,
      start: fleet?.hex ?? moment.fleets[0]?.hex,
      rings: doubtRing(ground, doubtfulContact(moment, hex)),
    });
  }

  /**
   * @param {Hex} hex
   * @returns {HexCard}
   */
  function cardOf(hex) {
    const [title, ...facts] = hexFacts(ground, moment, hex);
    const fleets = moment.fleets.filter((other) => other.hex === hex);
    const dummies = moment.dummies.filter((dummy) => dummy.hex === hex);
    return {
      title,
      says: facts.length ? `${facts.join(phrase`; `)}.` : "",
      rows: [
        ...fleets.map((other) => row(other.name, other.words)),
        ...dummies.map((dummy) => row(dummy.name, phrase`no ships`)),
      ],
    };
  }

  describe(host);
  const map = new StarMap(host, ground, {
    pick: ({ hex, typed }) => {
      if (hex) {
        showCard(hex, typed);
        show(hex);
        tell(hex);
      }
    },
    look: (hex) => {
      if (hex) {
        tell(hex);
      }
    },
  });
  tools(map, need(document, "[data-tools]", HTMLElement));
  const showCard = addCard(map, need(document, "[data-card]", HTMLElement), cardOf);

  show(place);
  const first =
    place ?? moment.fleets.find(({ key }) => key === chosen)?.hex ?? greatestStack(moment);
  if (first && (place || map.least < LEGIBLE)) {
    map.go(first, Math.max(map.least, NEAR));
  }
  if (place) {
    map.cursor = place;
    map.shade();
    tell(place);
  }
}

const host = find(document, "[data-map]", HTMLElement);
const given = data("chart");
if (host && given) {
  begin(host, given);
}
