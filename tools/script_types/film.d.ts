// The film of a battle (static/js/film): what its modules share.

/** A single thing that happened (campaign/replays/acts.py). */
interface FilmAct {
  k: string;
  /** The unit that it is about; of a shot the shooter. */
  u: number;
  /** The unit that is fired at. */
  at?: number;
  /** The ship from which a group starts, or the place from which missiles come. */
  from?: number | TablePoint;
  /** The place to which missiles fly. */
  to?: TablePoint;
  /** How fire looks: beam, torpedo, pack, missile, craft or pds. */
  w?: string;
  /** The number of weapons that fire. */
  guns?: number;
  /** A digit for each die, and 1 for each die that scores. */
  dice?: string;
  hit?: string;
  hits?: number;
  /** Boxes or craft that are lost. */
  n?: number;
  path?: TablePoint[];
  /** Systems that are lost, in words. */
  lost?: string[];
  words?: string;
  die?: number;
  ok?: boolean;
}

/** A moment in the film's time, in milliseconds. */
interface FilmBeat {
  /** The index of the moment. */
  i: number;
  moment: ReplayMoment;
  acts: FilmAct[];
  /** When it begins, how long it takes, and when its effect is seen. */
  at: number;
  long: number;
  lands: number;
  /** Whether it plays among many others: totals instead of dice. */
  brief: boolean;
}

/** Where a unit is drawn. */
interface FilmSpot {
  /** Its place in MU and in pixels. */
  x: number;
  y: number;
  px: number;
  py: number;
  /** Its heading in radians. */
  angle: number;
  state: UnitState;
  /** How visible it is, 0 to 1. */
  shown: number;
}

/** What part of the table is seen. */
interface FilmCamera {
  width: number;
  height: number;
  /** Pixels per MU. */
  scale: number;
  /** How much silhouettes are magnified. */
  grow: number;
  /** The pixel of a place in MU. */
  px(x: number, y: number): Point;
}

/** The colours of the page. */
interface FilmColours {
  [token: string]: string;
}

/** What everything that draws is given. */
interface FilmView {
  data: ReplayData;
  /** All units as far as moments have landed. */
  states: UnitState[];
  /** Milliseconds of the film, and the turn. */
  at: number;
  turn: number;
  camera: FilmCamera;
  colours: FilmColours;
  seats: string[];
  family: string;
  shapes: Record<string, Path2D>;
  /** Device pixels per pixel. */
  ratio: number;
  /** The slot of each group of craft in its formation. */
  slots: Map<number, number>;
  /** The turn in which each unit became a wreck. */
  losses: (number | undefined)[];
  chosen: number | null;
}

/** A name that looks for a place on the table. */
interface FilmName {
  n: number;
  x: number;
  y: number;
  r: number;
  words: string;
  rank: number;
  colour: string;
}

/** Fire of one shooter at one target with weapons that look alike. */
interface FilmShot {
  w: string;
  from: Point;
  to: Point;
  guns: number;
  hits: number;
  colour: string;
  /** Makes every showing the same. */
  key: number;
}

interface FilmOptions {
  /** The page's table; without one the film draws the floor and moves its own camera. */
  table?: import("../../static/js/battle_table.js").Table;
  /** Pixels kept free at the top, right, bottom and left, without a table. */
  pad?: [number, number, number, number];
  hasNames?: boolean;
  hasDice?: boolean;
  /** Boxes in pixels that names must not cover. */
  reserved?: () => Box[];
  /** A moment begins. */
  onmoment?: (i: number) => void;
  /** The effect of a moment is seen. */
  onland?: (i: number) => void;
  /** The share of the film that has passed, 0 to 1. */
  ontime?: (share: number) => void;
  /** The film is over. */
  onend?: () => void;
}
