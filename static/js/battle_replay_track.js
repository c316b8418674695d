// The track below the table of a battle replay: a bar for each moment, with turns and losses.

import { WRECK, moments, seatOf, states } from "./battle_replay_data.js";
import { player } from "./battle_replay_player.js";
import { need, svg } from "./dom.js";

export const trackSvg = need(document, "#track", SVGSVGElement);

/** Draw the track, with a needle at the current moment. */
export function drawTrack() {
  const step = trackSvg.clientWidth / moments.length; // pixels per moment
  const needle = (player.moment + 1) * step - 1.5;
  const parts = [...moments.keys()].flatMap((i) => [momentBar(i, step), ...lossMarks(i, step)]);
  trackSvg.replaceChildren(
    ...parts,
    ...turnMarks(step),
    svg("rect", { class: "needle", x: needle.toFixed(1), y: 11, width: 3, height: 13, rx: 1.5 }),
  );
}

/**
 * Return the bar of a moment; those that have been played look different.
 * @param {number} i the index of the moment
 * @param {number} step pixels per moment
 */
function momentBar(i, step) {
  const { k } = moments[i];
  const isMove = k === "moves" || k === "begin";
  const isPast = i <= player.moment;
  const kind = isMove ? "move" : "act";
  return svg("rect", {
    class: isPast ? "past" : kind,
    x: (i * step + 0.5).toFixed(1),
    y: 15,
    width: Math.max(1, step - 1).toFixed(1),
    height: 6,
    "fill-opacity": isPast && isMove ? 0.55 : 1,
  });
}

/**
 * Return marks where turns begin, with the turn's number if there is room.
 * @param {number} step pixels per moment
 */
function turnMarks(step) {
  const parts = [];
  let freeFrom = -1; // the x after the last number
  for (const [i, { t }] of moments.entries()) {
    if (t === moments[i - 1]?.t) {
      continue;
    }
    const x = i * step;
    const size = { y: 12, width: 1, height: 11, "fill-opacity": 0.4 };
    parts.push(svg("rect", { class: "needle", x: x.toFixed(1), ...size }));
    if (x > freeFrom) {
      parts.push(svg("text", { x: (x + 3).toFixed(1), y: 10 }, String(t)));
      freeFrom = x + 15;
    }
  }
  return parts;
}

/**
 * Return a cross for each unit that a moment destroys, in the colour of its side.
 * @param {number} i the index of the moment
 * @param {number} step pixels per moment
 */
function lossMarks(i, step) {
  const lost = Object.entries(moments[i].set ?? {}).filter(([, { out }]) => out === WRECK);
  return lost.map(([n]) => {
    const seat = seatOf(states[i][Number(n)].s);
    const d = `M${(i + 0.5) * step - 3} 4l6 6m0-6l-6 6`;
    return svg("path", { class: `death seat-${seat}`, d });
  });
}
