// Plain moves of both rulebooks and of vectors, for previews alone: what counts is what the server makes of the written order.
// A ship: {x, y, course, v, drift, main, turning, pressed, pivot, whole, steady}, as `campaign/forms/battle/plot_data.py` has it; `whole`: the
// first half of an odd velocity is rounded down.

import { COURSES } from "./battle_table.js";
import { phrase } from "./phrase.js";

export const turned = (course, by) => ((((course + by - 1) % 12) + 12) % 12) + 1;
const ahead = ([x, y], course, far) => [x + COURSES[course][0] * far, y + COURSES[course][1] * far];
const sum = (list) => list.reduce((a, b) => a + b, 0);
const signed = (n) => (n ? (n > 0 ? "+" : "-") + Math.abs(n) : "");
const NONE = { turns: [], thrust: 0, burns: [], more: [] };

/** "P2+4; roll" -> {turns: [-2], thrust: 4, burns: [], more: ["roll"]}; what is no move is among `more` as it stands. */
export function parse(text, vector) {
  const plot = { ...NONE, more: [] };
  let moved = false;
  for (const part of text
    .split(";")
    .map((p) => p.trim())
    .filter(Boolean)) {
    const close = part.toUpperCase().replace(/[\s,]+/g, "");
    if (!moved && vector && /^((TP|TS|MD|PP|PS|PR)\d{1,2})+$/.test(close)) {
      plot.burns = [...close.matchAll(/([A-Z]{2})(\d+)/g)].map(([, k, n]) => [k, Number(n)]);
    } else if (
      !moved &&
      !vector &&
      /^(([PS]\d{1,2}){1,2}([+-]\d{1,3})?|[+-]\d{1,3}([PS]\d{1,2})?)$/.test(close)
    ) {
      plot.turns = [];
      for (const [, side, n, change] of close.matchAll(/([PS])(\d+)|([+-]\d+)/g)) {
        if (side) {
          plot.turns.push(side === "P" ? -n : Number(n));
        } else {
          plot.thrust = Number(change);
        }
      }
    } else {
      plot.more.push(part);
      continue;
    }
    moved = true;
  }
  return plot;
}

export function words({ turns, thrust, burns, more }) {
  const move = burns.length
    ? burns
        .filter(([, n]) => n)
        .map(([k, n]) => k + n)
        .join(" ")
    : turns
        .filter(Boolean)
        .map((t) => (t < 0 ? "P" : "S") + Math.abs(t))
        .join("") + signed(thrust);
  return [move, ...more].filter(Boolean).join("; ");
}

/** What a plot asks for: {drive, turn}; a roll takes a point off what turns the ship. */
export function spent(ship, { turns, thrust, burns, more }) {
  const roll = more.includes("roll") ? 1 : 0;
  if (!ship.drift) {
    return { drive: Math.abs(thrust), turn: sum(turns.map(Math.abs)) + roll };
  }
  return {
    drive: sum(burns.filter(([k]) => k === "MD").map(([, n]) => n)),
    turn: roll + sum(burns.filter(([k]) => k !== "MD").map(([k, n]) => (k[0] === "T" ? 1 : n))),
  };
}

/** Why a ship cannot fly a plain move; "" where it can. */
export function fault(ship, plot) {
  const { drive, turn } = spent(ship, plot);
  const { main, turning } = (plot.more.includes("et") && ship.pressed) || ship;
  const steady = drive + turn && plot.more.find((one) => ship.steady?.includes(one.split(" ")[0]));
  if (steady) {
    return phrase`must fly straight because of its order ${steady}: set turn and speed to 0`;
  }
  if (ship.drift) {
    for (const [letter, words] of [
      ["T", phrase`a turn has time for one rotation`],
      ["P", phrase`a turn has time for one push`],
    ]) {
      if (plot.burns.filter(([k]) => k[0] === letter).length > 1) {
        return words;
      }
    }
    if (plot.burns.some(([k, n]) => !n || (k[0] === "T" && n > 11))) {
      return phrase`a burn takes 1 point or more, a rotation at most 11`;
    }
    if (drive > main) {
      return phrase`burns ${drive} with its main drive; the limit is ${main}`;
    }
    return turn > turning ? phrase`uses ${turn} thruster points; the limit is ${turning}` : "";
  }
  if (ship.pivot && !plot.thrust) {
    return "";
  }
  if (turn > turning) {
    return phrase`turns ${turn} points; the limit is ${turning}`;
  }
  if (drive + turn > main) {
    return phrase`uses ${drive + turn} thrust; the limit is ${main}`;
  }
  return ship.v + plot.thrust < 0 ? phrase`velocity ${ship.v} cannot fall by ${-plot.thrust}` : "";
}

/** The move: {path, course, v, drift}. */
export function leg(ship, plot = NONE) {
  const start = [ship.x, ship.y];
  if (ship.drift) {
    let at = [ship.x + ship.drift[0], ship.y + ship.drift[1]];
    let course = ship.course;
    const path = [start, at];
    for (const [k, n] of plot.burns) {
      if (k === "TP") {
        course = turned(course, -n);
      } else if (k === "TS") {
        course = turned(course, n);
      } else {
        at = ahead(at, turned(course, { MD: 0, PP: -3, PS: 3, PR: 6 }[k]), n);
        path.push(at);
      }
    }
    const drift = [at[0] - ship.x, at[1] - ship.y];
    return { path, course, v: Math.round(Math.hypot(...drift)), drift };
  }
  const v = Math.max(0, ship.v + plot.thrust);
  const half = ship.whole ? Math.floor(v / 2) : v / 2;
  const [one = 0, two] = plot.turns;
  const first = two === undefined ? Math.trunc(one / 2) : one;
  const rest = two === undefined ? one - first : two;
  let course = turned(ship.course, first);
  const mid = ahead(start, course, half);
  course = turned(course, rest);
  return { path: [start, mid, ahead(mid, course, v - half)], course, v };
}

/** Every end a ship can reach by one turn and one change of speed (by vectors: one rotation, one burn). */
export function reach(ship, more = []) {
  const { main, turning } = (more.includes("et") && ship.pressed) || ship;
  const out = [];
  const add = (move) => {
    const plot = { ...NONE, ...move, more };
    if (!fault(ship, plot)) {
      out.push({ plot, ...leg(ship, plot) });
    }
  };
  if (ship.drift) {
    for (let t = -5; t <= 6; t++) {
      for (let md = t ? 1 : 0; md <= main; md++) {
        add({
          burns: [...(t ? [[t < 0 ? "TP" : "TS", Math.abs(t)]] : []), ...(md ? [["MD", md]] : [])],
        });
      }
    }
  } else {
    for (let t = -turning; t <= turning; t++) {
      for (let a = -main; a <= main; a++) {
        add({ turns: t ? [t] : [], thrust: a });
      }
    }
  }
  return out;
}
