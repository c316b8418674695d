// Lays out the overlay of a star map: names, flags and other markers, in screen pixels and of the
// same size at every zoom. What is placed first gets the best spot.
//
// The functions return SVG as text: the map is laid out again at each step of a zoom, within one
// animation frame, and chart.js need not draw unchanged text again.

import { HEIGHT, SIDE, STEP, label, round } from "./hex.js";
import { phrase } from "./phrase.js";
import { placeBesideHex, placeInHex, placeLabel } from "./chart_space.js";

/** @import { StarMap } from "./chart.js" */
/** @import { ScreenSpace } from "./chart_space.js" */

// Heights of a hex in pixels at which the map shows more.
const ALL_NAMES = 17; // names of all systems, not only of settled ones
const WORDS_WITH_COUNTS = 32; // "3 ships" and "2 wk" instead of "3" and "2w"
const DETAILS = 62; // names of fleets, hex numbers and notes on systems
const SINGLE_FLAGS = 84; // a flag for each fleet of a hex

// Offsets of a mark's middle from the centre of its hex, in hex widths and heights, the preferred
// first: own flags above the centre, contacts and markers below.
/** @type {Point[]} */
const FLAG_SPOTS = [
  [0, -0.4],
  [0, 0.4],
  [-0.2, -0.3],
  [0.2, -0.3],
  [-0.34, 0],
  [0.34, 0],
  [0, 0],
];
/** @type {Point[]} */
const CONTACT_SPOTS = [
  [0, 0.4],
  [0.3, 0.3],
  [-0.3, 0.3],
  [0.36, 0],
  [-0.36, 0],
  [0.28, -0.3],
  [-0.28, -0.3],
  [0, 0],
];

// Pixels between the middles of single flags in a hex.
const ROW_STEP = 19;
const MIN_ROW_STEP = 13;
const COLUMN_STEP = 34;

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * Escape a text for HTML or SVG.
 * @param {string | number} text
 */
export const escapeMarkup = (text) =>
  String(text).replace(/[&<>"]/g, (character) => ENTITIES[character]);

/**
 * Estimate the width of a text in pixels.
 * @param {string | number} text
 * @param {number} size the font size in pixels
 */
const widthOf = (text, size = 12) => String(text).length * size * 0.55;

/** @param {number[]} counts */
const sum = (counts) => counts.reduce((total, count) => total + count, 0);

/**
 * Return the SVG of a faction's emblem.
 * @param {number} seat the number of a faction's seat; 0 for nobody
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
const emblem = (seat, x, y, size = 10) =>
  seat
    ? `<use class="em" href="${document.body.dataset.emblems}#e${seat}" x="${x}" y="${y}" width="${size}" height="${size}"/>`
    : "";

/**
 * Return the radius of stars in pixels at the current zoom.
 * @param {StarMap} map
 */
const starRadius = (map) => Math.max(3.2, Math.min(9, map.k * 6));

/**
 * Draw stars, with rings for their holders and signs for bases.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 */
export function stars(map, space) {
  const radius = starRadius(map);
  const drawn = [];
  for (const system of map.ground.systems) {
    const [x, y] = map.pixelOf(system.hex).map(round);
    if (!space.isInside(x, y)) {
      continue;
    }
    drawn.push(star(system, x, y, radius), holderRing(map, system.hex, x, y, radius));
    if (system.base) {
      drawn.push(
        `<path class="base" transform="translate(${round(x - radius * 1.5 - 9)} ${y})" d="M-5-5H5v3.5H2V5h-4v-6.5h-3z"/>`,
      );
    }
    if (!map.isCrowded) {
      const side = radius * 1.6;
      space.reserve([x - side - (system.base ? 14 : 0), y - side, x + side, y + side]);
    }
  }
  return drawn.join("");
}

/**
 * Draw a star, with a glow if its system is settled.
 * @param {StarSystem} system
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function star(system, x, y, radius) {
  if (!system.settled) {
    return `<circle class="core minor" cx="${x}" cy="${y}" r="${round(radius * 0.4)}"/>`;
  }
  return (
    `<circle class="glow" cx="${x}" cy="${y}" r="${round(radius * 3.2)}"/>` +
    `<circle class="core" cx="${x}" cy="${y}" r="${round(radius * 0.62)}"/>`
  );
}

/**
 * Draw the ring of a system's holder.
 * @param {StarMap} map
 * @param {Hex} hex
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function holderRing(map, hex, x, y, radius) {
  const hold = map.data.holds?.[hex];
  if (!hold?.power) {
    return "";
  }
  const age = hold.here ? "" : " old";
  const state = hold.state === "held" ? "" : ` ${hold.state}`;
  return `<circle class="hold seat-${map.seat(hold.power)}${age}${state}" cx="${x}" cy="${y}" r="${round(radius * 1.5)}"/>`;
}

/**
 * Draw the names of systems, each with the week in which the chosen fleet can arrive.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {boolean} settled true for settled systems, whose names show at every zoom; false for the
 *   others
 */
export function names(map, space, settled) {
  const isFar = map.hexHeight < ALL_NAMES;
  if (isFar && !settled) {
    return "";
  }
  return map.byRank
    .filter((system) => Boolean(system.settled) === settled)
    .map((system) => systemName(map, space, system))
    .join("");
}

/**
 * Place and draw the name of a system; nothing if there is no room for a minor one.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {StarSystem} system
 */
function systemName(map, space, system) {
  const [x, y] = map.pixelOf(system.hex);
  if (!space.isInside(x, y)) {
    return "";
  }
  const lines = nameLines(map, system);
  const width = Math.max(...lines.map(({ words, size }) => widthOf(words, size))) + 4;
  const height = 14 * lines.length + 2;
  const radius = starRadius(map);
  const spots = [
    { x, y: y + radius * 1.6 + 3, anchor: "middle", left: x - width / 2 },
    { x, y: y - radius * 1.6 - height - 3, anchor: "middle", left: x - width / 2 },
    { x: x + radius * 2 + 6, y: y - height / 2, anchor: "start", left: x + radius * 2 + 6 },
    { x: x - radius * 2 - 6, y: y - height / 2, anchor: "end", left: x - radius * 2 - 6 - width },
  ];
  /**
   * @param {{left: number, y: number}} spot
   * @returns {Box}
   */
  const boxAt = (spot) => [spot.left, spot.y, spot.left + width, spot.y + height];
  const mustShow = system.settled && !map.isCrowded;
  const best = mustShow
    ? space.bestSpot(spots, boxAt)
    : spots.find((spot) => space.isFree(boxAt(spot)));
  if (!best) {
    return "";
  }
  space.reserve(boxAt(best));
  const rows = lines.map(
    ({ className, words }, n) =>
      `<text class="${className} halo" x="${round(best.x)}" y="${round(best.y + 11 + 13 * n)}">${escapeMarkup(words)}</text>`,
  );
  return `<g text-anchor="${best.anchor}">${rows.join("")}</g>`;
}

/**
 * Return the lines below a star: the system's name, the arrival of the chosen fleet and, close up,
 * a note.
 * @param {StarMap} map
 * @param {StarSystem} system
 */
function nameLines(map, system) {
  const arrival = map.data.eta?.get(system.hex);
  const name = system.settled
    ? { className: "sysname", words: system.name, size: 13 }
    : { className: "sysname minor", words: system.name, size: 12 };
  const lines = [name];
  if (arrival) {
    lines.push({ className: "eta", words: arrival, size: 11 });
  }
  if (system.about && map.hexHeight >= DETAILS) {
    lines.push({ className: "sub", words: system.about, size: 11 });
  }
  return lines;
}

/**
 * Place the flags of fleets. Fleets in one hex share a flag, unless one of them is chosen or the
 * hex is large enough for single flags.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @returns {(() => string)[]} functions that place the label of a flag and return its SVG
 */
export function flags(map, space) {
  const stacks = stacksOf(map.drawnData.fleets ?? []);
  return stacks.flatMap((stack) => {
    const [x, y] = map.pixelOf(stack[0].hex);
    return space.isInside(x, y) ? stackOfFlags(map, space, stack) : [];
  });
}

/**
 * Group fleets by hex and owner, dummies apart from real fleets.
 * @param {MapFleet[]} fleets
 */
function stacksOf(fleets) {
  /** @type {Map<string, MapFleet[]>} */
  const stacks = new Map();
  for (const fleet of fleets) {
    const id = `${fleet.hex}/${fleet.seat}/${fleet.dummy ? 1 : 0}`;
    const stack = stacks.get(id);
    if (stack) {
      stack.push(fleet);
    } else {
      stacks.set(id, [fleet]);
    }
  }
  return [...stacks.values()];
}

/**
 * Place the flags of the fleets in one hex.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {MapFleet[]} stack the fleets
 */
function stackOfFlags(map, space, stack) {
  const { data, k } = map;
  const isSplit = stack.length > 1 && (data.fan === stack[0].hex || map.hexHeight >= SINGLE_FLAGS);
  /** @param {MapFleet} fleet */
  const isNamed = (fleet) =>
    fleet.on || isSplit || (fleet.many && !map.isCrowded) || map.hexHeight >= DETAILS;
  /** @param {MapFleet} fleet */
  const nameOf = (fleet) => (isNamed(fleet) ? fleet.name : "");
  const spots = isSplit ? singleFlagSpots(stack.length, k) : null;
  if (spots) {
    return stack.map((fleet, n) => flag(map, space, fleet, [spots[n]], nameOf(fleet)));
  }
  const shown = stack.length === 1 ? stack[0] : combined(stack);
  const drawn = [flag(map, space, shown, FLAG_SPOTS, isSplit ? "" : nameOf(shown))];
  if (isSplit) {
    drawn.push(...stack.map((fleet) => () => nameBeside(map, space, fleet)));
  }
  return drawn;
}

/**
 * Return spots for single flags, so that all of them are inside their hex.
 * @param {number} count
 * @param {number} k the zoom
 * @returns {Point[] | null} offsets from the centre; null if the hex is too small
 */
function singleFlagSpots(count, k) {
  const width = 2 * SIDE * k;
  const height = HEIGHT * k;
  const columns = width > 2 * COLUMN_STEP && count > 2 ? 2 : 1;
  const rows = Math.ceil(count / columns);
  const step = Math.min(ROW_STEP, (height - 8) / Math.max(1, rows - 1));
  const across = columns > 1 ? COLUMN_STEP / 2 : 0;
  const half = ((rows - 1) * step) / 2;
  // A hex is narrower at its top and bottom.
  const isTooWide = half > 0 && across > (width / 2) * (1 - half / height);
  if (step < MIN_ROW_STEP || isTooWide) {
    return null;
  }
  return Array.from({ length: count }, (_, n) => {
    const column = columns > 1 ? (n % columns) * 2 - 1 : 0;
    const row = Math.floor(n / columns);
    return [(column * across) / width, (row * step - half) / height];
  });
}

/**
 * Return one flag for all fleets in a hex.
 * @param {MapFleet[]} stack
 * @returns {MapFleet}
 */
const combined = (stack) => ({
  ...stack[0],
  code: undefined,
  n: stack[0].n.map((_, i) => sum(stack.map((fleet) => fleet.n[i]))),
  many: true,
  name: phrase`${stack.length} fleets`,
  on: stack.some((fleet) => fleet.on),
  todo: stack.some((fleet) => fleet.todo),
  ftl: stack.every((fleet) => fleet.ftl),
});

/**
 * Return the number on a flag: that of its marker in open play, otherwise its count of ships.
 * @param {MapFleet} fleet
 */
const flagNumber = (fleet) => fleet.code ?? sum(fleet.n);

/**
 * Return the SVG of a fleet's name.
 * @param {number} x
 * @param {number} y
 * @param {string} name
 */
const nameText = (x, y, name) =>
  `<text class="name halo" x="${x}" y="${y + 13}">${escapeMarkup(name)}</text>`;

/**
 * Return the SVG group of a flag, with the data that clicks on it need.
 * @param {MapFleet} fleet
 * @param {string} content the SVG inside the group
 */
function flagGroup(fleet, content) {
  const classes = ["flag", `seat-${fleet.seat}`];
  if (fleet.ftl) {
    classes.push("ftl");
  }
  if (fleet.dummy) {
    classes.push("dummy");
  }
  if (fleet.on) {
    classes.push("on");
  }
  const key = escapeMarkup(fleet.many ? "" : fleet.key);
  const cluster = fleet.cluster ? " data-cluster" : "";
  return `<g class="${classes.join(" ")}" data-key="${key}" data-hex="${fleet.hex}"${cluster}>${content}</g>`;
}

/**
 * Place a flag in its hex.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {MapFleet} fleet
 * @param {Point[]} spots possible offsets of its middle from the centre of the hex
 * @param {string} name the name to show, or empty
 * @returns {() => string} a function that places its label and returns its SVG
 */
function flag(map, space, fleet, spots, name) {
  const width = round(22 + widthOf(flagNumber(fleet)) + 4);
  const labelWidth = name ? widthOf(name) + 8 : 0;
  // On a crowded map labels are placed together with their flags.
  const joinedLabelWidth = map.isCrowded ? labelWidth : 0;
  const [left, top, labelLeft] = fleet.spots
    ? placeBesideHex(map, space, fleet.hex, fleet.spots, width)
    : placeInHex(map, space, fleet.hex, spots, [width, 18], joinedLabelWidth);

  function nameLabel() {
    if (!name) {
      return "";
    }
    if (joinedLabelWidth) {
      return nameText(labelLeft + 2, top, name);
    }
    return placeLabel(space, [left, top, left + width, top + 18], [labelWidth, 18], (x, y) =>
      nameText(x + 2, y, name),
    );
  }

  return () => flagGroup(fleet, nameLabel() + flagShape(fleet, left, top, width));
}

/**
 * Draw a flag with its emblem and number.
 * @param {MapFleet} fleet
 * @param {number} x
 * @param {number} y
 * @param {number} width
 */
function flagShape(fleet, x, y, width) {
  /**
   * @param {number} left
   * @param {number} top
   */
  const shape = (left, top) => `M${left} ${top}h${width}l-4 9 4 9h-${width}z`;
  const back = fleet.many ? `<path class="cloth back" d="${shape(x + 3, y - 3)}"/>` : "";
  const todo = fleet.todo ? `<circle class="todo" cx="${x}" cy="${y}" r="4.2"/>` : "";
  return (
    `${back}<rect class="touch" x="${x - 6}" y="${y - 8}" width="${width + 12}" height="34"/>` +
    `<path class="cloth" d="${shape(x, y)}"/>${emblem(fleet.seat, x + 4, y + 4)}` +
    `<text class="n" x="${x + 17}" y="${y + 13.3}">${flagNumber(fleet)}</text>${todo}`
  );
}

/**
 * Draw the name of a fleet beside its hex, which has no room for a flag of its own.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {MapFleet} fleet
 */
function nameBeside(map, space, fleet) {
  const [x, y] = map.pixelOf(fleet.hex);
  const width = widthOf(fleet.name) + 8;
  const text = placeLabel(
    space,
    [x - 16, y - 9, x + 16, y + 9],
    [width, 20],
    (left, top) =>
      `<rect class="touch" x="${left}" y="${top}" width="${width}" height="20"/>${nameText(left + 2, top + 1, fleet.name)}`,
  );
  return flagGroup(fleet, text);
}

/**
 * Place contacts: a lozenge with the emblem in the hex, and beside it the strength and age. The
 * lozenge fades with age, the words do not.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @returns {(() => string)[]} functions that place the label of a contact and return its SVG
 */
export function contacts(map, space) {
  const shown = map.drawnData.contacts ?? [];
  return shown
    .filter((contact) => space.isInside(...map.pixelOf(contact.hex)))
    .map((contact) => contactMark(map, space, contact));
}

/**
 * Return the strength of a contact: its ships in words close up, otherwise their count.
 * @param {StarMap} map
 * @param {MapContact} contact
 */
function strength(map, contact) {
  const count = sum(contact.n);
  if (map.hexHeight >= DETAILS || contact.on) {
    return contact.words;
  }
  return map.hexHeight < WORDS_WITH_COUNTS ? String(count) : phrase`${count} {:ship|ships}`;
}

/**
 * Return how many weeks ago a contact was seen, in words.
 * @param {StarMap} map
 * @param {MapContact} contact
 */
function ageInWords(map, contact) {
  const isSmall = map.hexHeight < WORDS_WITH_COUNTS;
  if (contact.gone) {
    return phrase`gone`;
  }
  if (contact.age === 0) {
    return isSmall ? "" : phrase`this week`;
  }
  return isSmall ? phrase`${contact.age}w` : phrase`${contact.age} wk`;
}

/**
 * Place a contact in its hex.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {MapContact} contact
 * @returns {() => string} a function that places its label and returns its SVG
 */
function contactMark(map, space, contact) {
  const words = strength(map, contact);
  const age = ageInWords(map, contact);
  const width = widthOf(words, 11) + widthOf(age, 11) + 8;
  const [left, top, labelLeft] = contact.spots
    ? placeBesideHex(map, space, contact.hex, contact.spots, 20 + width)
    : placeInHex(map, space, contact.hex, CONTACT_SPOTS, [20, 20], map.isCrowded ? width : 0);
  /**
   * @param {number} x
   * @param {number} y
   */
  const text = (x, y) =>
    `<text class="halo" x="${x}" y="${y + 14}"><tspan class="many">${escapeMarkup(words)}</tspan> <tspan class="age">${age}</tspan></text>`;

  return () => {
    const labelText = map.isCrowded
      ? text(labelLeft, top)
      : placeLabel(space, [left, top, left + 20, top + 20], [width, 18], (x, y) => text(x, y - 1));
    const fading = `a${contact.gone ? 3 : Math.min(3, contact.age)}`;
    const cluster = contact.cluster ? " data-cluster" : "";
    return (
      `<g class="ghost seat-${contact.seat} ${fading}" data-hex="${contact.hex}"${cluster}>${labelText}` +
      `<rect class="touch" x="${left - 6}" y="${top - 6}" width="32" height="32"/>` +
      `<path class="body" d="M${left} ${top + 10}l10-10 10 10-10 10z"/>` +
      `${emblem(contact.seat, left + 5.5, top + 5.5, 9)}</g>`
    );
  };
}

/**
 * Place the markers of open play: an arrow with their numbers in each hex.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @returns {(() => string)[]} functions that return the SVG of a marker
 */
export function marks(map, space) {
  const all = map.data.marks ?? [];
  return all
    .filter((mark) => space.isInside(...map.pixelOf(mark.hex)))
    .map((mark) => {
      const width = round(22 + widthOf(mark.label, 11));
      const [x, y] = placeInHex(map, space, mark.hex, CONTACT_SPOTS, [width + 8, 18]);
      return () =>
        `<g class="mark seat-${mark.seat}" data-hex="${mark.hex}">` +
        `<path class="body" d="M${x} ${y}h${width}l8 9-8 9h-${width}z"/>` +
        `${emblem(mark.seat, x + 4, y + 4)}<text x="${x + 17}" y="${y + 13}">${escapeMarkup(mark.label)}</text></g>`;
    });
}

/**
 * Draw the routes of fleets and contacts.
 * @param {StarMap} map
 */
export const ways = (map) => (map.data.ways ?? []).map((way) => wayOf(map, way)).join("");

/**
 * Draw a route with its arrow and week of arrival.
 * @param {StarMap} map
 * @param {MapWay} way
 */
function wayOf(map, way) {
  const points = way.hexes.map((hex) => map.pixelOf(hex).map(round));
  const line = points.map((point) => point.join(" ")).join("L");
  const [before, end] = points.length > 1 ? points.slice(-2) : [null, points[0]];
  let ends = "";
  if (way.tip && before) {
    const angle = round((Math.atan2(end[1] - before[1], end[0] - before[0]) * 180) / Math.PI);
    ends += `<path class="way-tip" transform="translate(${end[0]} ${end[1]}) rotate(${angle})" d="M-9-5.5 1.5 0-9 5.5-6.5 0z"/>`;
  }
  if (way.week) {
    ends +=
      `<circle class="week-dot" cx="${end[0]}" cy="${end[1]}" r="3.5"/>` +
      `<text class="week-no halo" x="${end[0]}" y="${round(end[1] - 8)}">${phrase`wk ${way.week}`}</text>`;
  }
  return `<g class="seat-${way.seat}"><path class="way ${way.cls ?? ""}" d="M${line}"/>${ends}</g>`;
}

/**
 * Draw the links between hexes, such as gates.
 * @param {StarMap} map
 */
export function links(map) {
  const radius = round(8 * map.k);
  return map.ground.links
    .map((link) => {
      const [ax, ay] = map.pixelOf(link.a).map(round);
      const [bx, by] = map.pixelOf(link.b).map(round);
      return (
        `<path class="link ${escapeMarkup(link.kind)}" d="M${ax} ${ay}L${bx} ${by}"/>` +
        `<circle class="link-end" cx="${ax}" cy="${ay}" r="${radius}"/>` +
        `<circle class="link-end" cx="${bx}" cy="${by}" r="${radius}"/>`
      );
    })
    .join("");
}

/**
 * Draw a sign in each hex with a battle.
 * @param {StarMap} map
 */
export const clashes = (map) =>
  (map.data.fights ?? [])
    .map((hex) => {
      const [x, y] = map.pixelOf(hex).map(round);
      return `<g transform="translate(${x} ${y})"><circle class="clash-bg" r="9.5"/><path class="clash" d="M-4-4 4 4M4-4-4 4"/></g>`;
    })
    .join("");

/**
 * Draw the umpire's pencil marks.
 * @param {StarMap} map
 */
export const pencils = (map) =>
  Object.keys(map.data.pencils ?? {})
    .map((hex) => {
      const [x, y] = map.pixelOf(hex).map(round);
      return `<g class="pencil" transform="translate(${x} ${y})"><path d="M-20-10l10-10 5 5-10 10-6 1z"/></g>`;
    })
    .join("");

/**
 * Draw the number of every hex close up, otherwise the rulers along the edge.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 */
export const numbers = (map, space) =>
  map.hexHeight >= DETAILS ? hexNumbers(map, space) : rulers(map, space);

/**
 * Draw the number of each hex where there is room.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 */
function hexNumbers(map, space) {
  const drawn = [];
  for (const hex of map.allHexes()) {
    const [x, y] = map.pixelOf(hex);
    const top = y - 21 * map.k + 4;
    if (space.isInside(x, y, 0) && space.isFree([x - 14, top, x + 14, top + 11])) {
      drawn.push(`<text class="hexno" x="${round(x)}" y="${round(top + 9)}">${hex}</text>`);
    }
  }
  return drawn.join("");
}

/**
 * Draw the numbers of columns and rows along the edge.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 */
function rulers(map, space) {
  const { ground, k } = map;
  const top = Math.max(13, map.padding[0] - 8);
  const columnStep = Math.ceil(22 / (STEP * k));
  const rowStep = Math.ceil(14 / (HEIGHT * k));
  /** @param {number} n */
  const twoDigits = (n) => String(n).padStart(2, "0");
  const drawn = [];
  for (let column = 1; column <= ground.columns; column += columnStep) {
    const [x] = map.pixelOf(label(column, 1));
    if (x > 26 && x < space.width - 10) {
      drawn.push(
        `<text class="ruler halo" text-anchor="middle" x="${round(x)}" y="${top}">${twoDigits(column)}</text>`,
      );
    }
  }
  for (let row = 1; row <= ground.rows; row += rowStep) {
    const [, y] = map.pixelOf(label(1, row));
    if (y > top + 12 && y < space.height - map.padding[2]) {
      drawn.push(`<text class="ruler halo" x="5" y="${round(y + 4)}">${twoDigits(row)}</text>`);
    }
  }
  return drawn.join("");
}
