// The track of moments below the table of a replay.

import { WRECK, moments, seatOf, states } from "./battle_replay_data.js";
import { player } from "./battle_replay_player.js";
import { need, svg } from "./dom.js";

export const trackSvg = need(document, "#track", SVGSVGElement);

/** Draw the track of moments below the table. */
export function drawTrack() {
  const step = trackSvg.clientWidth / moments.length;
  const needle = (player.at + Math.min(1, player.part)) * step - 1.5;
  const parts = [...moments.keys()].flatMap((i) => [trackMoment(i, step), ...trackDeaths(i, step)]);
  trackSvg.replaceChildren(
    ...parts,
    ...trackTurns(step),
    svg("rect", { class: "needle", x: needle.toFixed(1), y: 11, width: 3, height: 13, rx: 1.5 }),
  );
}

/**
 * @param {number} i
 * @param {number} step pixels for a moment
 */
function trackMoment(i, step) {
  const { k } = moments[i];
  const isMove = k === "moves" || k === "begin";
  const isPast = i <= player.at;
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
 * Mark where turns begin, numbered where there is room.
 * @param {number} step
 */
function trackTurns(step) {
  const parts = [];
  let room = -1;
  for (const [i, { t }] of moments.entries()) {
    if (t === moments[i - 1]?.t) {
      continue;
    }
    const x = i * step;
    const size = { y: 12, width: 1, height: 11, "fill-opacity": 0.4 };
    parts.push(svg("rect", { class: "needle", x: x.toFixed(1), ...size }));
    if (x > room) {
      parts.push(svg("text", { x: (x + 3).toFixed(1), y: 10 }, String(t)));
      room = x + 15;
    }
  }
  return parts;
}

/**
 * Mark the losses of a moment.
 * @param {number} i
 * @param {number} step
 */
function trackDeaths(i, step) {
  const lost = Object.entries(moments[i].set ?? {}).filter(([, { out }]) => out === WRECK);
  return lost.map(([n]) => {
    const seat = seatOf(states[i][Number(n)].s);
    const d = `M${(i + 0.5) * step - 3} 4l6 6m0-6l-6 6`;
    return svg("path", { class: `death seat-${seat}`, d });
  });
}
