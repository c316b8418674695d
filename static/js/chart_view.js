// From what a faction knows (campaign/web/chart_data.py) to what the star map shows (chart.js).

/** Data that the server has put into the page. */
export function data(id) {
  const found = document.getElementById(id);
  return found ? JSON.parse(found.textContent) : null;
}

/** The layers of a moment: fleets of one's own, contacts, open markers, who holds what, where there is a battle. */
export function layers(ground, moment, me) {
  const seat = ground.powers[me]?.seat ?? 0;
  const seatOf = (power) => ground.powers[power]?.seat ?? 0;
  return {
    fleets: [
      ...moment.fleets.map((fleet) => ({ ...fleet, seat })),
      ...moment.dummies.map((dummy) => ({ ...dummy, seat, n: [0, 0, 0, 0], dummy: true })),
    ],
    contacts: moment.contacts.map((contact) => ({ ...contact, seat: seatOf(contact.power) })),
    marks: moment.marks,
    holds: moment.holds,
    fights: moment.fights,
    ways: [
      ...moment.tracks,
      ...moment.came.map((one) => ({ hexes: one.hexes, seat: seatOf(one.power) })),
    ].map((way) => ({ ...way, cls: "then" })),
  };
}
