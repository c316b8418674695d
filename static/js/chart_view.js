// From what a faction knows (campaign/pages/chart_data.py) to what the star map shows (chart.js).

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
    ways: [...moment.tracks, ...moment.came.map((one) => ({ hexes: one.hexes, seat: seatOf(one.power) }))].map((way) => ({ ...way, cls: "then" })),
  };
}

/** What lies in a hex, in words, part by part. */
export function told(ground, moment, hex) {
  const system = ground.systems.find((one) => one.hex === hex), hold = moment.holds[hex];
  const found = [system ? `${system.name} ${hex}` : `Hex ${hex}`];
  if (ground.closed.includes(hex)) found.push("closed to all ships");
  if (hold) {
    const age = hold.here ? "" : hold.week ? `, as of week ${hold.week}` : ", as the war began";
    found.push(hold.power ? `held by ${ground.powers[hold.power]?.name ?? hold.power}${hold.state === "held" ? "" : ` (${hold.state})`}${age}` : `nobody holds it${age}`);
  }
  if (system?.base) found.push(system.base.replace("-", " "));
  if (system?.about) found.push(system.about);
  for (const link of ground.links) if (link.a === hex || link.b === hex) found.push(`${link.kind.replace("-", " ")} to ${link.a === hex ? link.b : link.a}`);
  for (const contact of moment.contacts) {
    if (contact.hex !== hex) continue;
    const power = ground.powers[contact.power]?.name ?? contact.power;
    found.push(`${power}: ${contact.words}, ${contact.gone ? "not there any more" : contact.age ? `seen in week ${contact.week}` : "there now"}`);
  }
  for (const mark of moment.marks) if (mark.hex === hex) found.push(mark.words);
  return found;
}
