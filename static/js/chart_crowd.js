// A crowded map seen from afar: flags and contacts that are near each other are one. Coming nearer, they part. Fetched where
// there are so many.

const WIDE = 58, HIGH = 40; // pixels of the screen: what is nearer than that to a greater one is one with it
// Where one stands about its hex, or a cluster about its greatest part, without a line to it: flags above, contacts below.
const ABOVE = [[-27, -20], [-27, 3], [-27, -9], [4, -9], [-58, -9]], BELOW = [[-26, 2], [-26, -21], [-26, -10], [4, -10], [-56, -10]];

const sum = (counts) => counts.reduce((all, n) => all + n, 0);
const added = (group) => group[0].n.map((_, i) => group.reduce((all, one) => all + one.n[i], 0));

/** What there is of a map, by what is alike and near each other: lists of it, the greatest first, and what stands alone whatever is near. */
function near(map, items, alike, alone) {
  const found = [], apart = [];
  for (const item of [...items].sort((a, b) => sum(b.n) - sum(a.n))) {
    if (alone(item)) { apart.push([item]); continue; }
    const [x, y] = map.at(item.hex), kind = alike(item), group = found.find((one) => one.kind === kind && Math.abs(one.x - x) < WIDE && Math.abs(one.y - y) < HIGH);
    if (group) group.all.push(item); else found.push({ kind, x, y, all: [item] });
  }
  return [...apart, ...found.map((one) => one.all)];
}

/** The same data with one flag for many fleets, and one contact for many. A cluster stands where most of it is. */
export function gathered(map) {
  const { data } = map;
  const whole = new Set((data.fleets ?? []).filter((fleet) => fleet.on).map((fleet) => fleet.hex)); // the chosen fleet's hex stays as it is
  const fleets = near(map, data.fleets ?? [], (fleet) => `${fleet.seat} ${Boolean(fleet.dummy)}`, (fleet) => whole.has(fleet.hex) || fleet.hex === data.fan);
  const contacts = near(map, data.contacts ?? [], (one) => `${one.seat} ${Boolean(one.gone)}`, (one) => one.on);
  return {
    ...data,
    fleets: fleets.flatMap((group) => {
      const many = new Set(group.map((fleet) => fleet.hex)).size > 1;
      return many ? [{ ...group[0], key: "", code: undefined, n: added(group), name: "", many, cluster: true, spots: ABOVE, todo: group.some((fleet) => fleet.todo), ftl: group.every((fleet) => fleet.ftl) }] : group.map((fleet) => (fleet.hex === data.fan || whole.has(fleet.hex) ? fleet : { ...fleet, spots: ABOVE }));
    }),
    contacts: contacts.map((group) => ({ ...group[0], n: added(group), age: Math.min(...group.map((one) => one.age)), cluster: group.length > 1, spots: BELOW })),
  };
}
