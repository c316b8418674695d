// The umpire's maps: the true situation and, beside it, what one faction knows. Both show the same
// part of the map and the same cursor.

import { StarMap, setMapRole, addZoomButtons } from "./chart.js";
import { addCard, textRow } from "./chart_card.js";
import { hexFacts, holderInWords } from "./chart_words.js";
import { pageData, mapLayers } from "./chart_view.js";
import { closest, findAll, need } from "./dom.js";
import { distance } from "./hex.js";
import { phrase } from "./phrase.js";

const SMALL_WIDTH = 560; // pixels: on a narrower map the page opens where most ships are
const SMALL_ZOOM = 0.62; // the zoom at which a narrow map opens
const LINK_ZOOM = 0.9; // the minimum zoom after a click on a link to a hex

/**
 * The true situation of the war (umpire/pages/true_chart.py).
 * @typedef {object} Truth
 * @property {MapFleet[]} fleets
 * @property {Record<Hex, MapHold>} holds
 * @property {Hex[]} fights
 * @property {MapWay[]} ways
 * @property {Record<Hex, string>} [pencils] the umpire's own marks
 */

/**
 * Return the fleet with the most ships in and around its hex.
 * @param {Truth} truth
 */
function busiestFleet({ fleets }) {
  /** @param {MapFleet} fleet */
  const shipsNear = (fleet) =>
    fleets
      .filter((other) => distance(other.hex, fleet.hex) < 3)
      .flatMap((other) => other.n)
      .reduce((total, count) => total + count, 0);
  return [...fleets].sort((a, b) => shipsNear(b) - shipsNear(a))[0];
}

/**
 * Return the ships of a fleet in words, and whether it is in FTL space.
 * @param {MapFleet} fleet
 */
function fleetInWords(fleet) {
  const words = fleet.dummy ? phrase`no ships` : (fleet.words ?? "");
  return fleet.ftl ? phrase`${words}, in FTL space` : words;
}

/**
 * Set up the maps.
 * @param {HTMLElement[]} hosts
 * @param {{ground: MapGround, truth: Truth, view: MapMoment | null, me: string}} data
 */
function begin(hosts, { ground, truth, view, me }) {
  const status = need(document, "[data-map-says]", HTMLElement);
  /** @param {HTMLElement} host */
  const isTruth = (host) => host.dataset.map === "truth";
  const dataOfMaps = hosts.map((host) =>
    isTruth(host) || !view ? truth : mapLayers(ground, view, me),
  );
  /** @type {ReturnType<typeof addCard>[]} */
  const showCards = [];

  const maps = hosts.map((host, n) => {
    setMapRole(host);
    const map = new StarMap(host, ground, {
      onPick: ({ hex, typed }) => {
        if (hex) {
          moveCursors(hex);
          showStatus(hex);
          showCards[n](hex, typed);
        }
      },
      onHover: (hex) => {
        if (hex) {
          showStatus(hex);
        }
      },
      onDraw: () => alignOtherMaps(map),
    });
    map.show({ ...dataOfMaps[n], start: busiestFleet(truth)?.hex });
    return map;
  });
  for (const map of maps) {
    const box = need(map.host.parentElement ?? document, "[data-card]", HTMLElement);
    showCards.push(addCard(map, box, isTruth(map.host) ? trueCard : knownCard));
  }
  for (const box of findAll(document, "[data-tools]", HTMLElement)) {
    const map = maps.find(({ host }) => box.parentElement?.contains(host));
    if (map) {
      addZoomButtons(map, box);
    }
  }

  /**
   * Show the same part of the map on the other map. A hidden map changes no other.
   * @param {StarMap | undefined} map undefined while the map is being created
   */
  function alignOtherMaps(map) {
    if (!map?.host.clientWidth) {
      return;
    }
    const { k, x, y, hasMoved, cursor } = map;
    for (const other of maps ?? []) {
      const isAligned = other.k === k && other.x === x && other.y === y;
      if (other !== map && other.host.clientWidth && !isAligned) {
        Object.assign(other, { k, x, y, hasMoved, cursor });
        other.draw();
      }
    }
  }

  /**
   * Move the cursor of both maps to a hex.
   * @param {Hex} hex
   */
  function moveCursors(hex) {
    for (const [n, map] of maps.entries()) {
      map.cursor = hex;
      map.show({ ...dataOfMaps[n], fan: hex, start: hex });
    }
  }

  /**
   * Return the name and a description of each fleet that is really in a hex.
   * @param {Hex} hex
   * @returns {[string, string][]}
   */
  const fleetsIn = (hex) =>
    truth.fleets
      .filter((fleet) => fleet.hex === hex)
      .map((fleet) => [
        `${ground.powers[fleet.power ?? ""].name}, ${fleet.name}`,
        fleetInWords(fleet),
      ]);

  /**
   * Return a card with what is really in a hex.
   * @param {Hex} hex
   * @returns {HexCard}
   */
  function trueCard(hex) {
    const system = ground.systems.find((other) => other.hex === hex);
    const hold = truth.holds[hex];
    const fleets = fleetsIn(hex);
    const noFleets = fleets.length ? "" : phrase`empty`;
    return {
      title: system ? `${system.name} ${hex}` : phrase`Hex ${hex}`,
      text: hold ? holderInWords(ground, hold) : noFleets,
      rows: [
        ...fleets.map(([name, words]) => textRow(name, words)),
        ...(truth.pencils?.[hex] ? [textRow(phrase`Your mark`, truth.pencils[hex])] : []),
      ],
    };
  }

  /** @param {Hex} hex */
  const knownFleets = (hex) => (view?.fleets ?? []).filter((fleet) => fleet.hex === hex);

  /**
   * Return a card with what the faction knows about a hex.
   * @param {Hex} hex
   * @returns {HexCard}
   */
  function knownCard(hex) {
    const [title, ...facts] = view ? hexFacts(ground, view, hex) : [hex];
    return {
      title,
      text: facts.join(phrase`; `),
      rows: knownFleets(hex).map((fleet) => textRow(fleet.name, fleet.words)),
    };
  }

  /**
   * Return what the faction knows about a hex, as a sentence.
   * @param {Hex} hex
   */
  function knowledgeInWords(hex) {
    if (!view) {
      return "";
    }
    const [, ...facts] = hexFacts(ground, view, hex);
    const fleets = knownFleets(hex).map((fleet) => phrase`its ${fleet.name}`);
    const known = [...fleets, ...facts].join(phrase`; `) || phrase`nothing about it`;
    return ` ${phrase`${ground.powers[me].name} knows: ${known}.`}`;
  }

  /**
   * Describe below the maps what is really in a hex and what the faction knows about it.
   * @param {Hex} hex
   */
  function showStatus(hex) {
    const { title, text } = trueCard(hex);
    const fleets = fleetsIn(hex).map(([name, words]) => phrase`${name}: ${words}`);
    const parts = [text, ...fleets].filter(Boolean).join(phrase`; `);
    status.textContent = phrase`${title}: ${parts}.${knowledgeInWords(hex)}`;
  }

  const start = busiestFleet(truth);
  if (start && maps[0].host.clientWidth < SMALL_WIDTH) {
    maps[0].centreOn(start.hex, Math.max(maps[0].minZoom, SMALL_ZOOM));
  }

  document.addEventListener("click", (event) => {
    const hex = closest(event.target, "a[data-hex]", HTMLElement)?.dataset.hex;
    if (!hex) {
      return;
    }
    event.preventDefault();
    moveCursors(hex);
    const map = maps.find(({ host }) => host.clientWidth) ?? maps[0];
    map.centreOn(hex, Math.max(map.k, LINK_ZOOM));
    showStatus(hex);
    map.host.closest("section, figure")?.scrollIntoView({ block: "nearest" });
    map.host.focus({ preventScroll: true });
  });
}

const hosts = findAll(document, "[data-map]", HTMLElement);
const data = pageData("true-chart");
if (hosts.length && data) {
  begin(hosts, data);
}
