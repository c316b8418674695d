// What is written into the sheet of a week's orders (desk_sheet.js), step by step, so that every step can be taken back.

export class Changes {
  constructor(sheet) {
    this.sheet = sheet;
  }

  /** Keep what has been changed as one step. Whether anything was. */
  step(words, chosen) {
    const { sheet } = this;
    const now = sheet.state();
    if ([...now].every(([id, value]) => value === (sheet.kept.get(id) ?? ""))) {
      return false;
    }
    sheet.past.push({ words, state: sheet.kept, chosen });
    sheet.future.length = 0;
    sheet.kept = now;
    return true;
  }

  /** Write a text into a field, or tick its box, whether it is on the page or not. */
  write(id, value) {
    const field = this.sheet.live.get(id);
    if (!field) {
      this.sheet.away.set(id, value);
    } else if (typeof value === "boolean") {
      field.checked = value;
    } else {
      fill(field, value);
    }
    this.sheet.stale();
  }

  back() {
    return this.move(this.sheet.past, this.sheet.future);
  }
  on() {
    return this.move(this.sheet.future, this.sheet.past);
  }

  /** A step from one list to the other: the step, or nothing where there is none. */
  move(from, to) {
    const { sheet } = this;
    const step = from.pop();
    if (!step) {
      return null;
    }
    to.push({ ...step, state: sheet.kept });
    for (const [id, value] of sheet.kept) {
      const before = step.state.get(id) ?? (typeof value === "string" ? "" : false);
      if (before !== value) {
        this.write(id, before);
      }
    }
    sheet.kept = sheet.state();
    return step;
  }

  /** Order a fleet a move and a plan. An empty end: it stays. */
  go(key, end, goals = []) {
    const { sheet } = this;
    if (!sheet.has(sheet.id("move", key))) {
      return;
    }
    const list = sheet.live.get(sheet.id("move", key));
    const listed = !end || !list || [...list.options].some((option) => option.value === end);
    this.write(sheet.id("move", key), listed ? end : "");
    this.write(sheet.id("path", key), listed ? "" : end);
    if (sheet.has(sheet.id("plan", key))) {
      this.write(sheet.id("plan", key), goals.join(" "));
    }
  }

  /** A fleet that may be formed in a hex and is not yet. */
  slot(hex) {
    const { sheet } = this;
    const used = new Set(
      sheet
        .fleets()
        .filter((fleet) => fleet.ships.length)
        .map((fleet) => fleet.key),
    );
    const free = ({ classList, dataset }) =>
      classList.contains("new") && dataset.hex === hex && !used.has(dataset.fleet);
    return sheet.sections.find(free);
  }

  /** Send ships to a fleet in the same hex; back to their own where it is that. Whether all of them could be. */
  send(ships, key) {
    const { sheet } = this;
    const able = ships.filter((ship) => this.able(ship, key));
    for (const ship of able) {
      const home = ship.home === key;
      this.write(ship.ids.to, home ? "" : key);
      if (home && sheet.has(sheet.id("merge", key))) {
        this.write(sheet.id("merge", key), "");
      }
    }
    return able.length === ships.length;
  }

  /** Whether a ship could be sent to another fleet, as far as is known. */
  sendable(ship) {
    return this.sheet.has(ship.ids.to);
  }

  /** Whether a ship can be sent to a fleet. */
  able(ship, key) {
    const id = ship.ids.to;
    const list = this.sheet.live.get(id);
    if (!list) {
      return this.sheet.away.has(id);
    }
    return ship.home === key || [...list.options].some((option) => option.value === key);
  }
}

/** Write a text into a field; a list gets what it did not offer. */
export function fill(field, value) {
  field.value = value;
  if (field.value !== value && field.matches("select")) {
    field.add(new Option(value, value, false, true));
  }
}
