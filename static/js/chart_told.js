// What a faction knows of a hex (campaign/pages/chart_data.py), in words.

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
