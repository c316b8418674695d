// When a fleet is where. Arrivals are the server's where gates or closed hexes count, else the hexes of the plain map. Nothing here
// says what is lawful, or what will happen: the server does, of what is saved (desk_rows.js).

import { distance, label, line } from "./hex.js";
import { phrase } from "./phrase.js";

export class Plan {
  constructor(ground, moment, server = {}, address = "") {
    Object.assign(this, {
      ground,
      moment,
      server,
      address,
      texts: new Map(),
      asked: new Map(),
      cuts: new Map(),
    });
    this.plain = !ground.links.length && !ground.closed.length;
    this.place = new Map(ground.systems.map((system) => [system.hex, system]));
  }

  name(hex) {
    return this.place.get(hex)?.name ?? phrase`hex ${hex}`;
  }
  known(hex) {
    const c = Number(hex.slice(0, 2));
    const r = Number(hex.slice(2));
    return (
      /^\d{4}$/.test(hex) && c >= 1 && r >= 1 && c <= this.ground.columns && r <= this.ground.rows
    );
  }

  /** What `texts` knows a fleet by, as it is ordered (campaign/web/chart_data.py). */
  leaves(fleet) {
    return `${fleet.hex}.${this.ground.limits.filter((limit) => fleet.mass > limit).length}${fleet.bound.length && fleet.gate ? "g" : ""}`;
  }

  /** The text of arrivals for a fleet: null where the plain map says it, undefined where it may not go, or nobody knows yet. */
  text(fleet) {
    return fleet.stuck ? undefined : this.plain ? null : this.texts.get(this.leaves(fleet));
  }

  /** Whether arrivals of a fleet have to be asked for first. */
  wants(fleet) {
    return !fleet.stuck && !this.plain && !this.texts.has(this.leaves(fleet));
  }

  /** Ask for them: once each (desk_ways.js). */
  ask(fleets) {
    const keys = [
      ...new Set(fleets.filter((fleet) => this.wants(fleet)).map((fleet) => this.leaves(fleet))),
    ];
    const id = keys.join();
    if (!id) {
      return Promise.resolve();
    }
    if (!this.asked.has(id)) {
      this.asked.set(
        id,
        import("./desk_ways.js")
          .then(({ load }) => load(this, keys))
          .finally(() => this.asked.delete(id)),
      );
    }
    return this.asked.get(id);
  }

  index(hex) {
    return (Number(hex.slice(0, 2)) - 1) * this.ground.rows + Number(hex.slice(2)) - 1;
  }

  /** Where the weeks of a way from the fleet's hex end, the goal last. */
  halts(fleet, goal) {
    const text = this.text(fleet);
    if (text === undefined) {
      return [];
    }
    if (text === null) {
      return this.cut(fleet.hex, goal);
    }
    const found = [];
    for (
      let here = goal;
      here !== fleet.hex && found.length < 40;
      here = text.halts.slice(4 * this.index(here), 4 * this.index(here) + 4)
    ) {
      found.unshift(here);
    }
    return found;
  }

  /** The plain way from hex to hex, cut week by week; on the map, and by a system where one lies on it. */
  cut(from, to) {
    const id = `${from} ${to}`;
    if (!this.cuts.has(id)) {
      this.cuts.set(id, this.halves(from, to));
    }
    return this.cuts.get(id);
  }

  halves(from, to) {
    const found = [];
    const { jump, columns, rows } = this.ground;
    while (from !== to) {
      const far = distance(from, to);
      if (far <= jump) {
        found.push(to);
        break;
      }
      const mark = line(from, to)[jump];
      const known = this.known(mark);
      let best = null;
      let least = Infinity;
      for (let c = 1; c <= columns; c++) {
        for (let r = 1; r <= rows; r++) {
          const hex = label(c, r);
          const off = known ? distance(hex, mark) : 0;
          if (off > 2 || distance(from, hex) > jump || distance(hex, to) > far - jump) {
            continue;
          }
          const cost = off - (this.place.has(hex) ? 2.5 : 0);
          if (cost < least) {
            [best, least] = [hex, cost];
          }
        }
      }
      if (!best) {
        break;
      }
      found.push(best);
      from = best;
    }
    return found;
  }

  /** The legs of a fleet's orders and plan: {from, end, week, goal}; the week is 0 where only the server can say it. */
  legs(fleet) {
    const found = [];
    const now = this.moment.week;
    let at = fleet.hex;
    let week = now;
    if (fleet.end) {
      const first =
        fleet.goals[0] && !this.place.has(fleet.end) && this.halts(fleet, fleet.goals[0]); // a hex on the way is no goal
      found.push({
        from: at,
        end: fleet.end,
        week,
        goal: !(first && first.length > 1 && first[0] === fleet.end),
        path: fleet.path,
      });
      at = fleet.end;
    }
    week += 1;
    const told = this.server[fleet.key];
    if (told && told.end === (fleet.end || fleet.hex) && told.goals.join() === fleet.goals.join()) {
      for (const leg of told.legs) {
        found.push({ from: at, ...leg });
        at = leg.end;
      }
      return found;
    }
    const plain = this.text(fleet) === null;
    for (const goal of fleet.goals) {
      const halts = plain ? this.cut(at, goal) : [goal];
      halts.forEach((end) => {
        found.push({ from: at, end, week: plain ? week : 0, goal: end === goal });
        at = end;
        week += 1;
      });
    }
    return found;
  }
}
