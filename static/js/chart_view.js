// Converts a faction's knowledge (campaign/web/chart_data.py) into data for a star map (chart.js).

const MAX_RING = 99; // hexes

/**
 * Return JSON data that the server included in the page.
 * @param {string} id the id of the script element
 * @returns {any} null if the page has no such data
 */
export function pageData(id) {
  const script = document.getElementById(id);
  return script ? JSON.parse(script.textContent ?? "") : null;
}

/**
 * Return the map data of a moment: the faction's fleets, contacts, markers of open play, holders of
 * systems, battles and routes.
 * @param {MapGround} ground
 * @param {MapMoment} moment
 * @param {string} me the faction's key
 */
export function mapLayers(ground, moment, me) {
  /** @param {string} power */
  const seatOf = (power) => ground.powers[power]?.seat ?? 0;
  const seat = seatOf(me);
  /** @type {MapFleet[]} */
  const fleets = moment.fleets.map((fleet) => ({ ...fleet, seat }));
  /** @type {MapFleet[]} */
  const dummies = moment.dummies.map((dummy) => ({
    ...dummy,
    seat,
    n: [0, 0, 0, 0],
    dummy: true,
  }));
  /** @type {MapWay[]} */
  const ways = [
    ...moment.tracks,
    ...moment.came.map(({ hexes, power }) => ({ hexes, seat: seatOf(power) })),
  ].map((way) => ({ ...way, cls: "then" }));
  return {
    fleets: [...fleets, ...dummies],
    contacts: moment.contacts.map((contact) => ({ ...contact, seat: seatOf(contact.power) })),
    marks: moment.marks,
    holds: moment.holds,
    fights: moment.fights,
    ways,
  };
}

/**
 * Return a ring around an old contact that shows how far its ships may have moved since.
 * @param {MapGround} ground
 * @param {MapMoment["contacts"][number] | null | undefined} contact
 * @returns {MapRing[]}
 */
export function uncertaintyRing(ground, contact) {
  if (!contact) {
    return [];
  }
  return [
    {
      hex: contact.hex,
      far: Math.min(MAX_RING, contact.age * ground.jump),
      seat: ground.powers[contact.power]?.seat,
      cls: "doubt",
    },
  ];
}

/**
 * Return a contact of an earlier week in a hex, whose ships may have moved since.
 * @param {MapMoment} moment
 * @param {Hex | null | undefined} hex
 */
export const oldContact = (moment, hex) =>
  moment.contacts.find((contact) => contact.hex === hex && contact.age && !contact.gone) ?? null;
