// A force as it is planned: fleets with ships by class, what they cost, every step taken back; and the fields of the plain form,
// which are all that the server reads. What is lawful the server says: here it is only counted along.

import { nameOf } from "./field.js";
import { phrase } from "./phrase.js";

const KINDS = ["capital", "cruiser", "escort"];

export class Force {
  constructor(given) {
    Object.assign(this, given, { past: [], future: [] });
    this.purse = new Map(this.budgets.map((budget) => [budget.id, budget]));
    this.fleets = this.read(this.deploy);
  }

  /** A deployment of orders as fleets: ships by class, in the order in which they stand. */
  read(deploy) {
    return deploy.map((item) => {
      const ships = [];
      for (const [cls, name] of item.ships ?? []) {
        let row = ships.find((one) => one.cls === cls);
        if (!row) {
          ships.push((row = { cls, count: 0, names: [] }));
        }
        row.count += 1;
        row.names.push(name);
      }
      return {
        name: item.name ?? "",
        budget: item.budget,
        hex: item.hex ?? "",
        decoys: Number(item.decoys) || 0,
        standing: item.standing ?? "",
        doctrine: item.doctrine ?? null,
        ships,
      };
    });
  }

  state() {
    return JSON.stringify(this.fleets);
  }

  /** Change something, as a step that can be taken back. Whether anything changed. */
  step(words, act) {
    const before = this.state();
    act();
    if (this.state() === before) {
      return false;
    }
    this.past.push({ words, state: before });
    this.future.length = 0;
    return true;
  }

  back(from = this.past, to = this.future) {
    const step = from.pop();
    if (!step) {
      return null;
    }
    to.push({ words: step.words, state: this.state() });
    this.fleets = JSON.parse(step.state);
    return step;
  }

  on() {
    return this.back(this.future, this.past);
  }

  points(cls) {
    return this.classes[cls]?.points ?? 0;
  }
  ships(fleet) {
    return fleet.ships.reduce((sum, row) => sum + row.count, 0);
  }
  cost(fleet) {
    return (
      fleet.ships.reduce((sum, row) => sum + row.count * this.points(row.cls), 0) +
      fleet.decoys * (this.decoys ?? 0)
    );
  }
  spent(budget) {
    return this.fleets.reduce(
      (sum, fleet) => sum + (fleet.budget === budget ? this.cost(fleet) : 0),
      0,
    );
  }
  left(budget) {
    return this.purse.get(budget).points - this.spent(budget);
  }
  of(budget) {
    return this.fleets.filter((fleet) => fleet.budget === budget);
  }

  kinds(fleet) {
    const found = [0, 0, 0, 0];
    for (const row of fleet.ships) {
      const at = KINDS.indexOf(this.classes[row.cls]?.kind);
      found[at < 0 ? 3 : at] += row.count;
    }
    return found;
  }

  /** Each classification's part of the ships that can jump, and whether it is too much. */
  shares() {
    const counts = {};
    const [part, whole] = this.limit;
    let all = 0;
    for (const fleet of this.fleets) {
      if (this.purse.get(fleet.budget)?.ftl !== "none") {
        for (const row of fleet.ships) {
          const kind = this.classes[row.cls]?.kind;
          if (!kind) {
            continue;
          }
          counts[kind] = (counts[kind] ?? 0) + row.count;
          all += row.count;
        }
      }
    }
    return {
      all,
      kinds: KINDS.map((kind) => ({
        kind,
        many: counts[kind] ?? 0,
        over: all >= this.few && (counts[kind] ?? 0) * whole > part * all,
      })),
    };
  }

  add(fleet, cls, by, names = []) {
    let row = fleet.ships.find((one) => one.cls === cls);
    if (!row && by > 0) {
      fleet.ships.push((row = { cls, count: 0, names: [] }));
    }
    if (!row) {
      return [];
    }
    row.count += by;
    row.names.push(...names);
    const gone = row.names.length > row.count ? row.names.splice(row.count) : [];
    if (row.count <= 0) {
      fleet.ships.splice(fleet.ships.indexOf(row), 1);
    }
    return gone;
  }

  /** Ships of a class to another fleet, each with its name. */
  move(from, cls, to, many = 1) {
    for (let n = 0; n < many; n++) {
      this.add(to, cls, 1, this.add(from, cls, -1));
    }
  }

  merge(from, to) {
    for (const row of [...from.ships]) {
      this.move(from, row.cls, to, row.count);
    }
    to.decoys += from.decoys;
    this.fleets.splice(this.fleets.indexOf(from), 1);
  }

  found(budget, hex) {
    const taken = new Set(this.fleets.map((fleet) => fleet.name));
    let n = 1;
    while (taken.has(phrase`Fleet ${n}`)) {
      n += 1;
    }
    const fleet = {
      name: phrase`Fleet ${n}`,
      budget,
      hex: hex || this.purse.get(budget).places[0] || "",
      decoys: 0,
      standing: "",
      doctrine: null,
      ships: [],
    };
    this.fleets.push(fleet);
    return fleet;
  }

  /** Half of every class into a fleet of its own. */
  split(fleet) {
    const to = this.found(fleet.budget, fleet.hex);
    Object.assign(to, { standing: fleet.standing, doctrine: fleet.doctrine });
    let odd = false;
    for (const row of [...fleet.ships]) {
      const half = row.count % 2 ? (row.count + (odd ? 1 : -1)) / 2 : row.count / 2;
      if (row.count % 2) {
        odd = !odd;
      }
      this.move(fleet, row.cls, to, half);
    }
    const drones = Math.min(Math.floor(fleet.decoys / 2), this.ships(to));
    fleet.decoys -= drones;
    to.decoys += drones;
    return to;
  }

  /** The names that the server gave, where the ships are still the same. */
  named(deploy) {
    const told = this.read(deploy);
    const like = (fleets) =>
      JSON.stringify(fleets.map((fleet) => fleet.ships.map((row) => [row.cls, row.count])));
    if (like(told) !== like(this.fleets)) {
      return;
    }
    told.forEach((fleet, n) =>
      fleet.ships.forEach((row, m) => {
        this.fleets[n].ships[m].names = row.names;
      }),
    );
  }

  /** The fields of the plain form, in an empty element of it. */
  write(box) {
    const written = [["fleets", this.fleets.length]];
    const put = (field, value, ...of) => written.push([nameOf(this.fields[field], ...of), value]);
    this.fleets.forEach((fleet, n) => {
      for (const what of ["name", "budget", "hex", "decoys", "standing"]) {
        put(what, fleet[what], n);
      }
      fleet.ships.forEach((row, m) => {
        put("cls", row.cls, n, m);
        put("count", row.count, n, m);
        put("names", row.names.join(", "), n, m);
      });
      const { doctrine } = fleet;
      if (!doctrine) {
        return;
      }
      for (const what of ["range", "targets", "break_off"]) {
        put(what, doctrine[what] ?? "", n);
      }
      if (doctrine.flee) {
        put("flee", "on", n);
      }
    });
    const input = ([name, value]) =>
      Object.assign(document.createElement("input"), { type: "hidden", name, value });
    box.replaceChildren(...written.map(input));
  }
}
