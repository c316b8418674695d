// A crowded map seen from afar: flags and contacts that are near each other are one. Coming nearer, they part. Fetched where
// there are so many.

const WIDE = 80, HIGH = 54; // pixels of the screen that one of them has to itself

const sum = (counts) => counts.reduce((all, n) => all + n, 0);
const added = (group) => group[0].n.map((_, i) => group.reduce((all, one) => all + one.n[i], 0));

/** What there is of a map, by what is alike and near each other: lists of it, and what stands alone whatever is near. */
function near(map, items, alike, alone) {
  const found = new Map();
  items.forEach((item, n) => {
    const [x, y] = map.at(item.hex), key = alone(item) ? `alone ${n}` : `${alike(item)} ${Math.floor(x / WIDE)} ${Math.floor(y / HIGH)}`;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(item);
  });
  return [...found.values()];
}

/** The same data with one flag for many fleets, and one contact for many. A cluster stands where most of it is. */
export function gathered(map) {
  const { data } = map, most = (group) => group.reduce((a, b) => (sum(b.n) > sum(a.n) ? b : a));
  const whole = new Set((data.fleets ?? []).filter((fleet) => fleet.on).map((fleet) => fleet.hex)); // the chosen fleet's hex stays as it is
  const fleets = near(map, data.fleets ?? [], (fleet) => `${fleet.seat} ${Boolean(fleet.dummy)}`, (fleet) => whole.has(fleet.hex) || fleet.hex === data.fan);
  const contacts = near(map, data.contacts ?? [], (one) => `${one.seat} ${Boolean(one.gone)}`, (one) => one.on);
  return {
    ...data,
    fleets: fleets.flatMap((group) => {
      const many = new Set(group.map((fleet) => fleet.hex)).size > 1;
      return many ? [{ ...most(group), key: "", code: undefined, n: added(group), name: "", many, cluster: true, todo: group.some((fleet) => fleet.todo), ftl: group.every((fleet) => fleet.ftl) }] : group;
    }),
    contacts: contacts.map((group) => (group.length > 1 ? { ...most(group), n: added(group), age: Math.min(...group.map((one) => one.age)), cluster: true } : group[0])),
  };
}
