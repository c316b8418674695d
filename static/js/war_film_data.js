// The film of a war as the server sends it (umpire/pages/film_steps.py), with each step complete.

/**
 * @typedef {import("./war_film_map.js").FilmMark} FilmMark
 *
 * @typedef {object} FilmBelief
 * @property {string} holders
 * @property {FilmMark[]} marks
 * @property {FilmMark[]} contacts those of the marks that are not its own
 * @property {number[]} fights hexes of the battles that the side knew of
 * @property {number[]} wrong
 *
 * @typedef {object} FilmStep
 * @property {number} seq
 * @property {number} week
 * @property {string} stage
 * @property {string} title
 * @property {string} caption
 * @property {string} holders the seat of each system's holder
 * @property {FilmMark[]} marks
 * @property {number[]} fights
 * @property {number[]} winners seats of the winners of its battles
 * @property {FilmBelief[]} beliefs
 * @property {boolean} isEmpty
 */

/**
 * Return the marks of fleets.
 * @param {number[]} rows fleet, hex, ships
 * @param {number[]} seats by fleet
 * @returns {FilmMark[]}
 */
function fleetMarks(rows, seats) {
  const marks = [];
  for (let i = 0; i < rows.length; i += 3) {
    const [fleet, hex, ships] = rows.slice(i, i + 3);
    marks.push({
      key: `fleet ${fleet}`,
      seat: seats[fleet],
      hex,
      ships: Math.abs(ships),
      className: ships < 0 ? "in-ftl" : "",
    });
  }
  return marks;
}

/**
 * Return the marks of contacts.
 * @param {number[]} rows seat, hex, ships, age
 * @returns {FilmMark[]}
 */
function contactMarks(rows) {
  const marks = [];
  for (let i = 0; i < rows.length; i += 4) {
    const [seat, hex, ships, age] = rows.slice(i, i + 4);
    marks.push({ key: `seen ${seat} ${hex}`, seat, hex, ships, className: `seen age-${age}` });
  }
  return marks;
}

/**
 * Sort marks by seat: the lowest mark of a hex is that of the first seat.
 * @param {FilmMark[]} marks
 */
const inSequence = (marks) => marks.sort((a, b) => a.seat - b.seat);

/**
 * Complete what a side believed.
 * @param {any[]} row
 * @param {FilmStep} step
 * @param {FilmMark[]} own its fleets as they were in truth
 * @param {FilmMark[]} contacts of the step before
 * @param {number[]} seats by fleet
 */
function filmBelief([fleets, held, seen, fights, wrong], step, own, contacts, seats) {
  const seenNow = seen === 0 ? contacts : contactMarks(seen);
  const ownNow = fleets === 0 ? own : fleetMarks(fleets, seats);
  return {
    holders: held === 0 ? step.holders : held,
    marks: inSequence([...ownNow, ...seenNow]),
    fights: fights === 0 ? step.fights : fights,
    contacts: seenNow,
    wrong,
  };
}

/**
 * Complete all steps: a 0 in the place of a list means that it is as at the step before, or in a
 * belief as in truth.
 * @param {any} data
 * @returns {FilmStep[]}
 */
export function filmSteps(data) {
  /** @type {FilmStep[]} */
  const steps = [];
  for (const row of data.steps) {
    const [seq, week, stage, title, caption, fleets, held, fights, winners, sides, empty] = row;
    const last = steps.at(-1);
    const marks = fleets === 0 && last ? last.marks : inSequence(fleetMarks(fleets, data.fleets));
    const holders = held === 0 && last ? last.holders : held;
    const isEmpty = Boolean(empty);
    /** @type {FilmStep} */
    const step = {
      ...{ seq, week, stage, title, caption, holders, marks, fights, winners, isEmpty },
      beliefs: [],
    };
    for (const [place, belief] of sides.entries()) {
      const own = marks.filter((/** @type {FilmMark} */ mark) => mark.seat === data.sides[place]);
      const contacts = last?.beliefs[place].contacts ?? [];
      step.beliefs.push(filmBelief(belief, step, own, contacts, data.fleets));
    }
    steps.push(step);
  }
  return steps;
}
