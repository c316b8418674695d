// The film of a battle on a canvas: ships glide, weapons fire, hulls break. It draws what its score
// says at a time and nothing else, so that any moment can be shown at once.
//
// A page that shows a film needs a canvas with a size, the address of the sprite with all symbols,
// and a replay's data (`document_of` of campaign/replays/replay.py), of a whole battle or some
// phases:
//
//   const film = new Film(canvas, data, { onend: () => {...} });
//   await film.load(icons);   // silhouettes
//   film.seek(0);             // the table after the first moment
//   film.play(2);             // at twice the normal speed
//   film.pause(); film.next(); film.skip();
//
// With the option `table` the canvas lies above the SVG of a page's table, which draws the floor
// and the pieces: while the film plays, the table hides its marks and names, and the canvas draws
// them at the same pixels; when it rests, the canvas draws only trails, fire and figures. Without
// it the canvas draws everything. The film plays even if motion is unwanted: the page decides
// (`prefersStill`).

import { Camera, TableCamera } from "./camera.js";
import { Clock } from "./clock.js";
import { Ground } from "./ground.js";
import { readLook } from "./look.js";
import { drawTrails, drawUnits, nameColourOf, radiusOf } from "./marks.js";
import { Names } from "./names.js";
import { scoreOf } from "./score.js";
import { loadShapes } from "./shapes.js";
import { slotsOf, spotsOf } from "./spots.js";
import { isCraft } from "./silhouettes.js";
import { labelOf, statesOf, turnsOfLossOf } from "./states.js";
import { drawResults, drawShots, figureBoxes } from "./volleys.js";

const LINGERS = 500; // milliseconds for which a moment is drawn after its end
const NAMES_REST = 200; // milliseconds between searches for places of names
const SLOW = 24; // milliseconds a frame
const FRAMES_MEASURED = 30;
const STILL = 0.3; // the share of a moment at which a film at rest shows its fire
const MOST_PIXELS = 2; // device pixels per pixel

const motion = matchMedia("(prefers-reduced-motion: reduce)");

/** Tell whether the reader has asked for less motion. */
export const prefersStill = () => motion.matches;

export class Film {
  /** @type {number | null} the unit with a ring around it */
  chosen = null;
  isStill = true; // whether it rests after a moment
  moment = 0; // the index of the moment that plays
  at = 0; // milliseconds
  frames = { count: 0, pace: 16 }; // drawn since the start; milliseconds a frame
  #landed = -1; // the index of the newest moment whose effect is seen
  #ratio = 0;
  #most = MOST_PIXELS;
  #lastFrame = 0;
  #aimed = -1; // the index of the moment for which the camera was aimed
  /** @type {Map<number, FilmSpot>} where the units were drawn last */
  spots = new Map();
  /** @type {Record<string, Path2D>} */
  #shapes = {};

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {ReplayData} data
   * @param {FilmOptions} options
   */
  constructor(canvas, data, options = {}) {
    this.canvas = canvas;
    this.data = data;
    this.options = options;
    const ctx = canvas.getContext("2d");
    if (!ctx) {
      throw new ReferenceError("2d");
    }
    this.ctx = ctx;
    this.states = statesOf(data);
    this.losses = turnsOfLossOf(data, this.states);
    const { beats, end } = scoreOf(data.moments);
    this.beats = beats;
    this.end = end;
    this.look = readLook();
    this.slots = slotsOf(data.units);
    this.names = new Names();
    this.ground = new Ground();
    this.ownCamera = options.table ? null : new Camera(data.table, options.pad ?? [16, 28, 40, 28]);
    this.camera = options.table ? new TableCamera(options.table) : this.ownCamera;
    this.clock = new Clock(
      (at) => this.#frame(at),
      () => this.#finish(),
    );
    this.clock.end = end;
    this.observer = new ResizeObserver(() => this.#resize());
    this.observer.observe(canvas);
  }

  get isPlaying() {
    return this.clock.isRunning;
  }

  /**
   * Load the silhouettes.
   * @param {string} icons the address of the sprite with all symbols
   */
  async load(icons) {
    this.#shapes = await loadShapes(icons);
    this.#hideMarks(this.isPlaying);
    this.draw();
  }

  /**
   * Play on from where it rests; after the end from the beginning.
   * @param {number} [rate] the speed; 1 is normal
   */
  play(rate = this.clock.rate) {
    this.clock.rate = rate;
    if (this.isStill) {
      const next = this.beats[this.moment + 1];
      this.#jump(next?.at ?? 0);
    }
    this.isStill = false;
    this.#lastFrame = 0;
    this.#hideMarks(true);
    this.options.onmoment?.(this.moment);
    this.clock.start();
  }

  pause() {
    this.clock.stop();
    this.#hideMarks(false);
  }

  /** Go to the end at once. */
  skip() {
    this.clock.stop();
    this.#frame(this.end);
    this.#finish();
  }

  /** Go to the next moment. */
  next() {
    const next = this.beats.find(({ at }) => at > this.at + 1);
    this.clock.at = next?.at ?? this.end;
    if (!this.isPlaying) {
      this.#frame(this.clock.at);
    }
  }

  /**
   * Rest after a moment.
   * @param {number} i its index
   */
  seek(i) {
    const { at, long } = this.beats[i];
    this.pause();
    this.isStill = true;
    this.moment = i;
    this.at = at + long;
    this.clock.at = this.at;
    this.#landed = i;
    this.#aim(true);
    this.draw();
  }

  /**
   * Show the picture at a time.
   * @param {number} at milliseconds
   */
  show(at) {
    this.pause();
    this.isStill = false;
    this.#jump(at);
    this.#aim(true);
    this.draw();
  }

  /** Draw nothing any more, and show the table's marks again. */
  close() {
    this.pause();
    this.observer.disconnect();
    this.ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  #finish() {
    this.isStill = true;
    this.#hideMarks(false);
    this.draw();
    this.options.onend?.();
  }

  /** @param {boolean} isHidden */
  #hideMarks(isHidden) {
    const isLoaded = Boolean(this.#shapes.escort);
    this.options.table?.svg.classList.toggle("filming", isHidden && isLoaded);
  }

  /** @param {number} at milliseconds */
  #jump(at) {
    this.at = at;
    this.clock.at = at;
    const begun = this.beats.filter((beat) => beat.at <= at);
    this.moment = begun.length ? begun[begun.length - 1].i : 0;
    this.#landed = this.beats.filter((beat) => beat.lands <= at).length - 1;
  }

  /** @param {number} at milliseconds */
  #frame(at) {
    this.#measure();
    this.at = at;
    while (this.beats[this.moment + 1]?.at <= at) {
      this.moment += 1;
      this.options.onmoment?.(this.moment);
    }
    while (this.beats[this.#landed + 1]?.lands <= at) {
      this.#landed += 1;
      this.options.onland?.(this.#landed);
    }
    this.#aim(false);
    this.options.ontime?.(this.end ? at / this.end : 1);
    this.draw();
  }

  /**
   * Let the camera see what happens in the phase.
   * @param {boolean} isAtOnce whether it cuts instead of gliding
   */
  #aim(isAtOnce) {
    const camera = this.ownCamera;
    if (!camera) {
      return;
    }
    const first =
      this.beats.find((beat) => this.#isSamePhase(beat.i, this.moment)) ?? this.beats[0];
    if (this.#aimed !== first.i) {
      this.#aimed = first.i;
      camera.aim(this.#placesInPhase(this.moment));
    }
    camera.turn(isAtOnce ? Infinity : this.at - first.at);
  }

  /**
   * @param {number} i
   * @param {number} j
   */
  #isSamePhase(i, j) {
    const [a, b] = [this.data.moments[i], this.data.moments[j]];
    return a.t === b.t && a.p === b.p;
  }

  /** @param {number} i the index of a moment */
  #placesInPhase(i) {
    const moments = this.beats.filter((beat) => this.#isSamePhase(beat.i, i));
    const states = moments.flatMap((beat) => [...this.#before(beat), ...this.states[beat.i]]);
    const seen = states.filter(({ x, out }) => x !== undefined && !out);
    /** @type {TablePoint[]} */
    const places = seen.map(({ x = 0, y = 0 }) => [x, y]);
    return places;
  }

  /** @param {FilmBeat} beat */
  #before({ i }) {
    return this.states[Math.max(0, i - 1)];
  }

  #resize() {
    const { width, height } = this.canvas.getBoundingClientRect();
    if (!width) {
      return;
    }
    this.#ratio = Math.min(this.#most, devicePixelRatio || 1);
    this.canvas.width = Math.round(width * this.#ratio);
    this.canvas.height = Math.round(height * this.#ratio);
    this.ownCamera?.resize(width, height);
    this.draw();
  }

  /** Measure frames, and draw fewer pixels before fewer frames on a slow device. */
  #measure() {
    const time = performance.now();
    const passed = this.#lastFrame ? time - this.#lastFrame : 0;
    this.#lastFrame = time;
    if (!passed || passed > 250) {
      return;
    }
    this.frames.count += 1;
    this.frames.pace = this.frames.pace * 0.94 + passed * 0.06;
    if (this.frames.count > FRAMES_MEASURED && this.frames.pace > SLOW && this.#most > 1) {
      this.#most = 1;
      this.#resize();
    }
  }

  /** @returns {FilmView} */
  get view() {
    const beat = this.beats[this.moment];
    const isAtRest = this.isStill && this.beats[this.moment].moment.k === "fire";
    return {
      ...this.look,
      data: this.data,
      states: this.states[Math.max(0, this.#landed)],
      at: isAtRest ? beat.at + beat.long * STILL : this.at,
      turn: this.data.moments[this.moment].t,
      camera: /** @type {FilmCamera} */ (this.camera),
      shapes: this.#shapes,
      ratio: this.#ratio,
      slots: this.slots,
      losses: this.losses,
      chosen: this.chosen,
    };
  }

  /** Return the moments that are drawn: those that play, or the one after which the film rests. */
  #live() {
    if (this.isStill) {
      return [this.beats[this.moment]];
    }
    return this.beats.filter(({ at, long }) => at <= this.at && this.at < at + long + LINGERS);
  }

  /** Return the boxes in pixels where figures stand while the film rests. */
  get figureBoxes() {
    const beat = this.beats[this.moment];
    return figureBoxes({ ...this.view, at: beat.lands }, [beat], this.spots);
  }

  /** Draw the picture of the present time. */
  draw() {
    if (!this.#ratio || !this.#shapes.escort) {
      return;
    }
    const { ctx } = this;
    const view = this.view;
    const live = this.#live();
    this.spots = spotsOf(view, this.isStill ? [] : live);
    ctx.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.ownCamera) {
      this.ground.draw(ctx, view, this.data.moments[this.moment].on ?? 0);
    }
    drawTrails(ctx, view, live);
    if (!this.#leavesMarks) {
      drawUnits(ctx, view, this.spots, live);
    }
    for (const beat of live) {
      drawShots(ctx, view, beat, this.spots);
    }
    if (!this.#leavesMarks && this.options.hasNames !== false) {
      this.#drawNames(view, live);
    }
    this.#drawResults(view, live);
  }

  /** Whether the page's table shows units and names now. */
  get #leavesMarks() {
    return Boolean(this.options.table) && this.isStill;
  }

  /**
   * @param {FilmView} view
   * @param {FilmBeat[]} live
   */
  #drawResults(view, live) {
    const hasDice = this.options.hasDice !== false && !this.isStill;
    for (const beat of live) {
      const at = this.isStill ? beat.lands + beat.long * STILL : view.at;
      drawResults(this.ctx, { ...view, at }, beat, this.spots, hasDice);
    }
  }

  /**
   * Draw names: of units that act first, then of own ships, then of others, then of craft.
   * @param {FilmView} view
   * @param {FilmBeat[]} live
   */
  #drawNames(view, live) {
    const acting = new Set(live.flatMap(({ acts }) => acts.flatMap(({ u, at }) => [u, at])));
    const visible = [...this.spots].filter(([, { shown, state }]) => shown && !state.out);
    const list = visible.map(([n, { state, px, py }]) => {
      const unit = this.data.units[n];
      const isGroup = isCraft(unit.size);
      const own = state.m ? 4 : 2;
      const urgent = (n === this.chosen ? 20 : 0) + (acting.has(n) ? 10 : 0);
      return {
        n,
        x: px,
        y: py,
        r: radiusOf(view, n) + (isGroup ? 4 : 0),
        words: labelOf(unit, state),
        rank: urgent + own - (isGroup ? 3 : 0),
        colour: nameColourOf(view, n, state),
      };
    });
    const { camera } = view;
    const rest = this.isPlaying ? [] : [this.at, ...camera.px(0, 0), camera.scale];
    const key = [Math.floor(this.at / NAMES_REST), list.length, this.chosen, ...rest].join();
    const reserved = this.options.reserved?.() ?? [];
    const taken = [...figureBoxes(view, live, this.spots), ...reserved];
    this.names.draw(this.ctx, view, list, taken, key);
  }
}
