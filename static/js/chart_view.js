// From what a faction knows (campaign/web/chart_data.py) to what the star map shows (chart.js).

/**
 * Return data that the server has put into the page.
 * @param {string} id
 * @returns {any} null where the page has none
 */
export function data(id) {
  const script = document.getElementById(id);
  return script ? JSON.parse(script.textContent ?? "") : null;
}

/**
 * Return the layers of a moment: own fleets, contacts, open markers, who holds what, where there is
 * a battle.
 * @param {MapGround} ground
 * @param {MapMoment} moment
 * @param {string} me the faction
 */
export function layers(ground, moment, me) {
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
 * Return the ring around an old contact that shows where its ships may be by now.
 * @param {MapGround} ground
 * @param {MapMoment["contacts"][number] | null | undefined} contact
 * @returns {MapRing[]}
 */
export function doubtRing(ground, contact) {
  if (!contact) {
    return [];
  }
  return [
    {
      hex: contact.hex,
      far: Math.min(99, contact.age * ground.jump),
      seat: ground.powers[contact.power]?.seat,
      cls: "doubt",
    },
  ];
}

/**
 * Return the old contact of a hex whose ships may be elsewhere by now.
 * @param {MapMoment} moment
 * @param {Hex | null | undefined} hex
 */
export const doubtfulContact = (moment, hex) =>
  moment.contacts.find((contact) => contact.hex === hex && contact.age && !contact.gone) ?? null;
