// The umpire's maps: the truth and, beside it, what one faction knows. They move as one, and one
// cursor is on both.

import { StarMap, describe, tools } from "./chart.js";
import { addCard, row } from "./chart_card.js";
import { holder, hexFacts } from "./chart_words.js";
import { data, layers } from "./chart_view.js";
import { closest, findAll, need } from "./dom.js";
import { distance } from "./hex.js";
import { phrase } from "./phrase.js";

const SMALL = 560; // pixels: on a narrower map the page opens where most ships are
const SMALL_ZOOM = 0.62;
const PLACE_ZOOM = 0.9; // the zoom at which a place of the addCard is shown

/**
 * What really is in the war (umpire/pages/true_chart.py).
 * @typedef {object} Truth
 * @property {MapFleet[]} fleets
 * @property {Record<Hex, MapHold>} holds
 * @property {Hex[]} fights
 * @property {MapWay[]} ways
 */

/**
 * Return the fleet that has most ships around it.
 * @param {Truth} truth
 */
function greatestStack({ fleets }) {
  /** @param {MapFleet} fleet */
  const shipsNear = (fleet) =>
    fleets
      .filter((other) => distance(other.hex, fleet.hex) < 3)
      .flatMap((other) => other.n)
      .reduce((total, count) => total + count, 0);
  return [...fleets].sort((a, b) => shipsNear(b) - shipsNear(a))[0];
}

/** @param {MapFleet} fleet */
function fleetInWords(fleet) {
  const words = fleet.dummy ? phrase`no ships` : (fleet.words ?? "");
  return fleet.ftl ? phrase`${words}, in FTL space` : words;
}

/**
 * @param {HTMLElement[]} hosts
 * @param {{ground: MapGround, truth: Truth, view: MapMoment | null, me: string}} given
 */
function begin(hosts, { ground, truth, view, me }) {
  const status = need(document, "[data-map-says]", HTMLElement);
  /** @param {HTMLElement} host */
  const isTruth = (host) => host.dataset.map === "truth";
  const shown = hosts.map((host) => (isTruth(host) || !view ? truth : layers(ground, view, me)));
  /** @type {ReturnType<typeof addCard>[]} */
  const showCards = [];

  const maps = hosts.map((host, n) => {
    describe(host);
    const map = new StarMap(host, ground, {
      pick: ({ hex, typed }) => {
        if (hex) {
          mark(hex);
          tell(hex);
          showCards[n](hex, typed);
        }
      },
      look: (hex) => {
        if (hex) {
          tell(hex);
        }
      },
      zoomed: () => follow(map),
    });
    map.show({ ...shown[n], start: greatestStack(truth)?.hex });
    return map;
  });
  for (const map of maps) {
    const box = need(map.host.parentElement ?? document, "[data-card]", HTMLElement);
    showCards.push(addCard(map, box, isTruth(map.host) ? trueCard : knownCard));
  }
  for (const box of findAll(document, "[data-tools]", HTMLElement)) {
    const map = maps.find(({ host }) => box.parentElement?.contains(host));
    if (map) {
      tools(map, box);
    }
  }

  /**
   * Let the other map look where one does. One that is not shown leads nobody.
   * @param {StarMap | undefined} map not there yet while it is made
   */
  function follow(map) {
    if (!map?.host.clientWidth) {
      return;
    }
    const { k, x, y, moved, cursor } = map;
    for (const other of maps ?? []) {
      const isThere = other.k === k && other.x === x && other.y === y;
      if (other !== map && other.host.clientWidth && !isThere) {
        Object.assign(other, { k, x, y, moved, cursor });
        other.draw();
      }
    }
  }

  /** @param {Hex} hex */
  function mark(hex) {
    for (const [n, map] of maps.entries()) {
      map.cursor = hex;
      map.show({ ...shown[n], fan: hex, start: hex });
    }
  }

  /**
   * Return the names and the words of the fleets that are in a hex in truth.
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
   * Return what is in a hex in truth.
   * @param {Hex} hex
   * @returns {HexCard}
   */
  function trueCard(hex) {
    const system = ground.systems.find((other) => other.hex === hex);
    const hold = truth.holds[hex];
    const fleets = fleetsIn(hex);
    const nobody = fleets.length ? "" : phrase`empty`;
    return {
      title: system ? `${system.name} ${hex}` : phrase`Hex ${hex}`,
      says: hold ? holder(ground, hold) : nobody,
      rows: fleets.map(([name, words]) => row(name, words)),
    };
  }

  /** @param {Hex} hex */
  const knownFleets = (hex) => (view?.fleets ?? []).filter((fleet) => fleet.hex === hex);

  /**
   * Return what the faction knows of a hex.
   * @param {Hex} hex
   * @returns {HexCard}
   */
  function knownCard(hex) {
    const [title, ...facts] = view ? hexFacts(ground, view, hex) : [hex];
    return {
      title,
      says: facts.join(phrase`; `),
      rows: knownFleets(hex).map((fleet) => row(fleet.name, fleet.words)),
    };
  }

  /**
   * Say what the faction knows of a hex.
   * @param {Hex} hex
   */
  function knowledge(hex) {
    if (!view) {
      return "";
    }
    const [, ...facts] = hexFacts(ground, view, hex);
    const fleets = knownFleets(hex).map((fleet) => phrase`its ${fleet.name}`);
    const known = [...fleets, ...facts].join(phrase`; `) || phrase`nothing about it`;
    return ` ${phrase`${ground.powers[me].name} knows: ${known}.`}`;
  }

  /**
   * Say what is in a hex: in truth, and as far as the faction knows.
   * @param {Hex} hex
   */
  function tell(hex) {
    const { title, says } = trueCard(hex);
    const fleets = fleetsIn(hex).map(([name, words]) => phrase`${name}: ${words}`);
    const parts = [says, ...fleets].filter(Boolean).join(phrase`; `);
    status.textContent = phrase`${title}: ${parts}.${knowledge(hex)}`;
  }

  const start = greatestStack(truth);
  if (start && maps[0].host.clientWidth < SMALL) {
    maps[0].go(start.hex, Math.max(maps[0].least, SMALL_ZOOM));
  }

  document.addEventListener("click", (event) => {
    const hex = closest(event.target, "a[data-hex]", HTMLElement)?.dataset.hex;
    if (!hex) {
      return;
    }
    event.preventDefault();
    mark(hex);
    const map = maps.find(({ host }) => host.clientWidth) ?? maps[0];
    map.go(hex, Math.max(map.k, PLACE_ZOOM));
    tell(hex);
    map.host.closest("section, figure")?.scrollIntoView({ block: "nearest" });
    map.host.focus({ preventScroll: true });
  });
}

const hosts = findAll(document, "[data-map]", HTMLElement);
const given = data("true-chart");
if (hosts.length && given) {
  begin(hosts, given);
}
