// What is read on a star map, laid out in pixels of the screen: the same size at every zoom. What
// is laid out first stands best.
//
// Everything here is SVG as text: a map is laid out anew at each step of a zoom, within a frame,
// and unchanged text need not be drawn again (chart.js).

import { label, round } from "./hex.js";
import { phrase } from "./phrase.js";
import { placeBesideHex, placeInHex, placeLabel } from "./chart_space.js";

/** @import { StarMap } from "./chart.js" */
/** @import { ScreenSpace } from "./chart_space.js" */

// Pixels of a hex from which on more is shown.
const SETTLED_ONLY = 17;
const COUNTS_ONLY = 32;
const CLOSE = 62;
const FAN = 84;

// Where the middle of a mark may be in its hex, in parts of a hex's width and height: own flags
// above, contacts below.
/** @type {Point[]} */
const FLAGS = [
  [0, -0.4],
  [0, 0.4],
  [-0.2, -0.3],
  [0.2, -0.3],
  [-0.34, 0],
  [0.34, 0],
  [0, 0],
];
/** @type {Point[]} */
const OTHERS = [
  [0, 0.4],
  [0.3, 0.3],
  [-0.3, 0.3],
  [0.36, 0],
  [-0.36, 0],
  [0.28, -0.3],
  [-0.28, -0.3],
  [0, 0],
];

// Pixels from middle to middle of flags that fan out in a hex.
const FAN_ROW = 19;
const FAN_ROW_LEAST = 13;
const FAN_COLUMN = 34;

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * Escape a text for HTML or SVG.
 * @param {string | number} text
 */
export const esc = (text) => String(text).replace(/[&<>"]/g, (character) => ENTITIES[character]);

/**
 * Estimate the width of a text in pixels.
 * @param {string | number} text
 * @param {number} size of the font in pixels
 */
const widthOf = (text, size = 12) => String(text).length * size * 0.55;

/** @param {number[]} counts */
const sum = (counts) => counts.reduce((total, count) => total + count, 0);

/**
 * @param {number} seat 0: nobody's
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
const emblem = (seat, x, y, size = 10) =>
  seat
    ? `<use class="em" href="${document.body.dataset.emblems}#e${seat}" x="${x}" y="${y}" width="${size}" height="${size}"/>`
    : "";

/** @param {StarMap} map */
const starRadius = (map) => Math.max(3.2, Math.min(9, map.k * 6));

/**
 * Draw stars, who holds them, their bases.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 */
export function stars(map, space) {
  const radius = starRadius(map);
  const drawn = [];
  for (const system of map.chart.systems) {
    const [x, y] = map.at(system.hex).map(round);
    if (!space.isInside(x, y)) {
      continue;
    }
    drawn.push(star(system, x, y, radius), holder(map, system.hex, x, y, radius));
    if (system.base) {
      drawn.push(
        `<path class="base" transform="translate(${round(x - radius * 1.5 - 9)} ${y})" d="M-5-5H5v3.5H2V5h-4v-6.5h-3z"/>`,
      );
    }
    if (!map.crowd) {
      const side = radius * 1.6;
      space.take([x - side - (system.base ? 14 : 0), y - side, x + side, y + side]);
    }
  }
  return drawn.join("");
}

/**
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
function holder(map, hex, x, y, radius) {
  const hold = map.data.holds?.[hex];
  if (!hold?.power) {
    return "";
  }
  const age = hold.here ? "" : " old";
  const state = hold.state === "held" ? "" : ` ${hold.state}`;
  return `<circle class="hold seat-${map.seat(hold.power)}${age}${state}" cx="${x}" cy="${y}" r="${round(radius * 1.5)}"/>`;
}

/**
 * Draw the names of systems, each with when the chosen fleet is there.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {boolean} settled whether of settled systems, which are read from afar, or of the others
 */
export function names(map, space, settled) {
  const isFar = 42 * map.k < SETTLED_ONLY;
  if (isFar && !settled) {
    return "";
  }
  return map.byRank
    .filter((system) => Boolean(system.settled) === settled)
    .map((system) => systemName(map, space, system))
    .join("");
}

/**
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {StarSystem} system
 */
function systemName(map, space, system) {
  const [x, y] = map.at(system.hex);
  if (!space.isInside(x, y)) {
    return "";
  }
  const lines = linesOf(map, system);
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
  const mustShow = system.settled && !map.crowd;
  const best = mustShow
    ? space.best(spots, boxAt)
    : spots.find((spot) => space.isFree(boxAt(spot)));
  if (!best) {
    return "";
  }
  space.take(boxAt(best));
  const rows = lines.map(
    ({ className, words }, n) =>
      `<text class="${className} halo" x="${round(best.x)}" y="${round(best.y + 11 + 13 * n)}">${esc(words)}</text>`,
  );
  return `<g text-anchor="${best.anchor}">${rows.join("")}</g>`;
}

/**
 * Return the name of a system, when the chosen fleet is there, and what is known of it from near.
 * @param {StarMap} map
 * @param {StarSystem} system
 */
function linesOf(map, system) {
  const arrival = map.data.eta?.get(system.hex);
  const name = system.settled
    ? { className: "sysname", words: system.name, size: 13 }
    : { className: "sysname minor", words: system.name, size: 12 };
  const lines = [name];
  if (arrival) {
    lines.push({ className: "eta", words: arrival, size: 11 });
  }
  if (system.about && 42 * map.k >= CLOSE) {
    lines.push({ className: "sub", words: system.about, size: 11 });
  }
  return lines;
}

/**
 * Place own flags, one for each fleet. Several in a hex are one, which fans out when one of them is
 * chosen or there is room.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @returns {(() => string)[]} functions that place the label of a flag, and return its SVG
 */
export function flags(map, space) {
  const stacks = stacksOf(map.shown.fleets ?? []);
  return stacks.flatMap((stack) => {
    const [x, y] = map.at(stack[0].hex);
    return space.isInside(x, y) ? stackOfFlags(map, space, stack) : [];
  });
}

/**
 * Sort fleets by hex and owner; dummies stand apart.
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
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {MapFleet[]} stack
 */
function stackOfFlags(map, space, stack) {
  const { data, k } = map;
  const isFan = stack.length > 1 && (data.fan === stack[0].hex || 42 * k >= FAN);
  /** @param {MapFleet} fleet */
  const isNamed = (fleet) => fleet.on || isFan || (fleet.many && !map.crowd) || 42 * k >= CLOSE;
  /** @param {MapFleet} fleet */
  const nameOf = (fleet) => (isNamed(fleet) ? fleet.name : "");
  const spots = isFan ? fanSpots(stack.length, k) : null;
  if (spots) {
    return stack.map((fleet, n) => flag(map, space, fleet, [spots[n]], nameOf(fleet)));
  }
  const shown = stack.length === 1 ? stack[0] : combined(stack);
  const drawn = [flag(map, space, shown, FLAGS, isFan ? "" : nameOf(shown))];
  if (isFan) {
    drawn.push(...stack.map((fleet) => () => nameBeside(map, space, fleet)));
  }
  return drawn;
}

/**
 * Return where the middles of so many flags may be for all to be in their hex.
 * @param {number} count
 * @param {number} k the zoom
 * @returns {Point[] | null} null where the hex is too small
 */
function fanSpots(count, k) {
  const width = 48 * k;
  const height = 42 * k;
  const columns = width > 2 * FAN_COLUMN && count > 2 ? 2 : 1;
  const rows = Math.ceil(count / columns);
  const step = Math.min(FAN_ROW, (height - 8) / Math.max(1, rows - 1));
  const across = columns > 1 ? FAN_COLUMN / 2 : 0;
  const half = ((rows - 1) * step) / 2;
  // The hex is narrower at its upper and lower end.
  const isTooWide = half > 0 && across > (width / 2) * (1 - half / height);
  if (step < FAN_ROW_LEAST || isTooWide) {
    return null;
  }
  return Array.from({ length: count }, (_, n) => {
    const column = columns > 1 ? (n % columns) * 2 - 1 : 0;
    const row = Math.floor(n / columns);
    return [(column * across) / width, (row * step - half) / height];
  });
}

/**
 * Return one flag for all fleets of a stack.
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

/** @param {MapFleet} fleet */
const figureOn = (fleet) => fleet.code ?? sum(fleet.n);

/**
 * @param {number} x
 * @param {number} y
 * @param {string} name
 */
const nameText = (x, y, name) =>
  `<text class="name halo" x="${x}" y="${y + 13}">${esc(name)}</text>`;

/**
 * @param {MapFleet} fleet
 * @param {string} content
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
  const key = esc(fleet.many ? "" : fleet.key);
  const cluster = fleet.cluster ? " data-cluster" : "";
  return `<g class="${classes.join(" ")}" data-key="${key}" data-hex="${fleet.hex}"${cluster}>${content}</g>`;
}

/**
 * Place a flag in its hex.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {MapFleet} fleet
 * @param {Point[]} spots where its middle may be
 * @param {string} name empty: none is shown
 * @returns {() => string} places its label, and returns its SVG
 */
function flag(map, space, fleet, spots, name) {
  const width = round(22 + widthOf(figureOn(fleet)) + 4);
  const labelWidth = name ? widthOf(name) + 8 : 0;
  const withLabel = map.crowd ? labelWidth : 0; // In a crowd labels are placed with their flags.
  const [left, top, labelLeft] = fleet.spots
    ? placeBesideHex(map, space, fleet.hex, fleet.spots, width)
    : placeInHex(map, space, fleet.hex, spots, [width, 18], withLabel);

  function nameLabel() {
    if (!name) {
      return "";
    }
    if (withLabel) {
      return nameText(labelLeft + 2, top, name);
    }
    return placeLabel(space, [left, top, left + width, top + 18], [labelWidth, 18], (x, y) =>
      nameText(x + 2, y, name),
    );
  }

  return () => flagGroup(fleet, nameLabel() + cloth(fleet, left, top, width));
}

/**
 * Draw a flag.
 * @param {MapFleet} fleet
 * @param {number} x
 * @param {number} y
 * @param {number} width
 */
function cloth(fleet, x, y, width) {
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
    `<text class="n" x="${x + 17}" y="${y + 13.3}">${figureOn(fleet)}</text>${todo}`
  );
}

/**
 * Draw the name of a flag that has no room in its hex, beside it.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {MapFleet} fleet
 */
function nameBeside(map, space, fleet) {
  const [x, y] = map.at(fleet.hex);
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
 * Place contacts: a lozenge with the emblem in its hex; beside it the count, and how long ago. The
 * body fades with age, the words do not.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @returns {(() => string)[]} functions that place the label of a contact, and return its SVG
 */
export function contacts(map, space) {
  const seen = map.shown.contacts ?? [];
  return seen
    .filter((contact) => space.isInside(...map.at(contact.hex)))
    .map((contact) => ghost(map, space, contact));
}

/**
 * @param {StarMap} map
 * @param {MapContact} contact
 */
function strength(map, contact) {
  const count = sum(contact.n);
  if (42 * map.k >= CLOSE || contact.on) {
    return contact.words;
  }
  return 42 * map.k < COUNTS_ONLY ? String(count) : phrase`${count} {:ship|ships}`;
}

/**
 * Return how long ago a contact was seen, in words.
 * @param {StarMap} map
 * @param {MapContact} contact
 */
function ageInWords(map, contact) {
  const isSmall = 42 * map.k < COUNTS_ONLY;
  if (contact.gone) {
    return phrase`gone`;
  }
  if (contact.age === 0) {
    return isSmall ? "" : phrase`now`;
  }
  return isSmall ? phrase`${contact.age}w` : phrase`${contact.age} wk`;
}

/**
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @param {MapContact} contact
 */
function ghost(map, space, contact) {
  const words = strength(map, contact);
  const age = ageInWords(map, contact);
  const width = widthOf(words, 11) + widthOf(age, 11) + 8;
  const [left, top, labelLeft] = contact.spots
    ? placeBesideHex(map, space, contact.hex, contact.spots, 20 + width)
    : placeInHex(map, space, contact.hex, OTHERS, [20, 20], map.crowd ? width : 0);
  /**
   * @param {number} x
   * @param {number} y
   */
  const text = (x, y) =>
    `<text class="halo" x="${x}" y="${y + 14}"><tspan class="many">${esc(words)}</tspan> <tspan class="age">${age}</tspan></text>`;

  return () => {
    const beside = map.crowd
      ? text(labelLeft, top)
      : placeLabel(space, [left, top, left + 20, top + 20], [width, 18], (x, y) => text(x, y - 1));
    const fading = `a${contact.gone ? 3 : Math.min(3, contact.age)}`;
    const cluster = contact.cluster ? " data-cluster" : "";
    return (
      `<g class="ghost seat-${contact.seat} ${fading}" data-hex="${contact.hex}"${cluster}>${beside}` +
      `<rect class="touch" x="${left - 6}" y="${top - 6}" width="32" height="32"/>` +
      `<path class="body" d="M${left} ${top + 10}l10-10 10 10-10 10z"/>` +
      `${emblem(contact.seat, left + 5.5, top + 5.5, 9)}</g>`
    );
  };
}

/**
 * Place the markers that lie open on the map: an arrow with their numbers, in its hex.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 * @returns {(() => string)[]} functions that return the SVG of a marker
 */
export function marks(map, space) {
  const open = map.data.marks ?? [];
  return open
    .filter((mark) => space.isInside(...map.at(mark.hex)))
    .map((mark) => {
      const width = round(22 + widthOf(mark.label, 11));
      const [x, y] = placeInHex(map, space, mark.hex, OTHERS, [width + 8, 18]);
      return () =>
        `<g class="mark seat-${mark.seat}" data-hex="${mark.hex}">` +
        `<path class="body" d="M${x} ${y}h${width}l8 9-8 9h-${width}z"/>` +
        `${emblem(mark.seat, x + 4, y + 4)}<text x="${x + 17}" y="${y + 13}">${esc(mark.label)}</text></g>`;
    });
}

/**
 * Draw ways.
 * @param {StarMap} map
 */
export const ways = (map) => (map.data.ways ?? []).map((way) => wayOf(map, way)).join("");

/**
 * @param {StarMap} map
 * @param {MapWay} way
 */
function wayOf(map, way) {
  const points = way.hexes.map((hex) => map.at(hex).map(round));
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
 * Draw what links two hexes.
 * @param {StarMap} map
 */
export function links(map) {
  const radius = round(8 * map.k);
  return map.chart.links
    .map((link) => {
      const [ax, ay] = map.at(link.a).map(round);
      const [bx, by] = map.at(link.b).map(round);
      return (
        `<path class="link ${esc(link.kind)}" d="M${ax} ${ay}L${bx} ${by}"/>` +
        `<circle class="link-end" cx="${ax}" cy="${ay}" r="${radius}"/>` +
        `<circle class="link-end" cx="${bx}" cy="${by}" r="${radius}"/>`
      );
    })
    .join("");
}

/**
 * Draw where there are battles.
 * @param {StarMap} map
 */
export const clashes = (map) =>
  (map.data.fights ?? [])
    .map((hex) => {
      const [x, y] = map.at(hex).map(round);
      return `<g transform="translate(${x} ${y})"><circle class="clash-bg" r="9.5"/><path class="clash" d="M-4-4 4 4M4-4-4 4"/></g>`;
    })
    .join("");

/**
 * Draw the numbers of columns and rows along the edge, or of every hex where one is near.
 * @param {StarMap} map
 * @param {ScreenSpace} space
 */
export const numbers = (map, space) =>
  42 * map.k >= CLOSE ? hexNumbers(map, space) : rulers(map, space);

/**
 * @param {StarMap} map
 * @param {ScreenSpace} space
 */
function hexNumbers(map, space) {
  const drawn = [];
  for (const hex of map.allHexes()) {
    const [x, y] = map.at(hex);
    const top = y - 21 * map.k + 4;
    if (space.isInside(x, y, 0) && space.isFree([x - 14, top, x + 14, top + 11])) {
      drawn.push(`<text class="hexno" x="${round(x)}" y="${round(top + 9)}">${hex}</text>`);
    }
  }
  return drawn.join("");
}

/**
 * @param {StarMap} map
 * @param {ScreenSpace} space
 */
function rulers(map, space) {
  const { chart, k } = map;
  const top = Math.max(13, map.pad[0] - 8);
  const columnStep = Math.ceil(22 / (36 * k));
  const rowStep = Math.ceil(14 / (42 * k));
  /** @param {number} n */
  const twoDigits = (n) => String(n).padStart(2, "0");
  const drawn = [];
  for (let column = 1; column <= chart.columns; column += columnStep) {
    const [x] = map.at(label(column, 1));
    if (x > 26 && x < space.width - 10) {
      drawn.push(
        `<text class="ruler halo" text-anchor="middle" x="${round(x)}" y="${top}">${twoDigits(column)}</text>`,
      );
    }
  }
  for (let row = 1; row <= chart.rows; row += rowStep) {
    const [, y] = map.at(label(1, row));
    if (y > top + 12 && y < space.height - map.pad[2]) {
      drawn.push(`<text class="ruler halo" x="5" y="${round(y + 4)}">${twoDigits(row)}</text>`);
    }
  }
  return drawn.join("");
}
