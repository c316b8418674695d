// The read-only star map page: what the faction knows now, or knew in an earlier week.

import { LEGIBLE_ZOOM, START_ZOOM, StarMap, setMapRole, addZoomButtons } from "./chart.js";
import { addCard, textRow } from "./chart_card.js";
import { hexInWords, hexFacts } from "./chart_words.js";
import { pageData, uncertaintyRing, oldContact, mapLayers } from "./chart_view.js";
import { find, need } from "./dom.js";
import { distance } from "./hex.js";
import { phrase } from "./phrase.js";

/**
 * Return the hex with the most ships in and around it, where a small screen starts.
 * @param {MapMoment} moment
 */
function busiestHex({ fleets }) {
  /** @param {MomentFleet} fleet */
  const shipsNear = (fleet) =>
    fleets
      .filter((other) => distance(other.hex, fleet.hex) < 3)
      .flatMap((other) => other.n)
      .reduce((total, count) => total + count, 0);
  return [...fleets].sort((a, b) => shipsNear(b) - shipsNear(a))[0]?.hex;
}

/**
 * Set up the page.
 * @param {HTMLElement} host
 * @param {{ground: MapGround, moment: MapMoment, me: string, reach: Hex[]}} data
 */
function begin(host, { ground, moment, me, reach }) {
  const status = need(document, "[data-map-says]", HTMLElement);
  const query = new URLSearchParams(location.search);
  const chosenKey = query.get("fleet");
  const place = query.get("hex");
  const fleet = [...moment.fleets, ...moment.dummies].find(({ key }) => key === chosenKey);

  /**
   * Describe a hex below the map.
   * @param {Hex} hex
   */
  function showStatus(hex) {
    status.textContent = hexInWords(ground, moment, hex);
  }

  /**
   * Draw the map around the chosen fleet or a hex.
   * @param {Hex | null} hex
   */
  function show(hex) {
    const shown = mapLayers(ground, moment, me);
    for (const flag of shown.fleets) {
      flag.on = flag.key === chosenKey;
    }
    map.show({
      ...shown,
      reach: fleet && reach.length ? { id: fleet.key, bands: [reach] } : null,
      fan: fleet?.hex ?? hex,
      start: fleet?.hex ?? moment.fleets[0]?.hex,
      rings: uncertaintyRing(ground, oldContact(moment, hex)),
    });
  }

  /**
   * Return a card with what the faction knows about a hex.
   * @param {Hex} hex
   * @returns {HexCard}
   */
  function cardOf(hex) {
    const [title, ...facts] = hexFacts(ground, moment, hex);
    const fleets = moment.fleets.filter((other) => other.hex === hex);
    const dummies = moment.dummies.filter((dummy) => dummy.hex === hex);
    return {
      title,
      text: facts.length ? `${facts.join(phrase`; `)}.` : "",
      rows: [
        ...fleets.map((other) => textRow(other.name, other.words)),
        ...dummies.map((dummy) => textRow(dummy.name, phrase`no ships`)),
      ],
    };
  }

  setMapRole(host);
  const map = new StarMap(host, ground, {
    onPick: ({ hex, typed }) => {
      if (hex) {
        showCard(hex, typed);
        show(hex);
        showStatus(hex);
      }
    },
    onHover: (hex) => {
      if (hex) {
        showStatus(hex);
      }
    },
  });
  addZoomButtons(map, need(document, "[data-tools]", HTMLElement));
  const showCard = addCard(map, need(document, "[data-card]", HTMLElement), cardOf);

  show(place);
  const startHex =
    place ?? moment.fleets.find(({ key }) => key === chosenKey)?.hex ?? busiestHex(moment);
  if (startHex && (place || map.minZoom < LEGIBLE_ZOOM)) {
    map.centreOn(startHex, Math.max(map.minZoom, START_ZOOM));
  }
  if (place) {
    map.cursor = place;
    map.drawCursors();
    showStatus(place);
  }
}

const host = find(document, "[data-map]", HTMLElement);
const data = pageData("chart");
if (host && data) {
  begin(host, data);
}
