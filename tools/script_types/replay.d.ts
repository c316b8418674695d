// The replay of a battle (`document_of` of campaign/replays/replay.py).

/** A ship, or a group of craft (its `size` is "fighter"). */
interface ReplayUnit {
  name: string;
  size: string;
  /** Of a group of craft: what the table shows for its name. */
  code?: string;
  cls?: string;
  /** Its name until it is identified. */
  bogey?: string;
  /** Hull boxes of each row. */
  rows?: number[];
  /** Boxes of armour. */
  armour?: number;
}

interface ReplaySide {
  name: string;
  seat: number;
}

/** A unit after a moment. Values that nothing has set yet are absent. */
interface UnitState {
  x?: number;
  y?: number;
  /** Its course, 1 to 12. */
  c?: number;
  /** Its velocity in MU; null if it is not known. */
  v?: number | null;
  /** Lost hull boxes; for craft, how many are left. */
  d?: number;
  /** Boxes of armour that are left. */
  a?: number;
  /** The number of its side. */
  s?: number;
  /** Whether it is a bogey. */
  b?: boolean;
  /** Whether it is the reader's. */
  m?: boolean;
  /** Why it is not on the table. */
  out?: string;
  note?: string;
}

/** A text in pieces. A unit is its number, with the name if it differs from the unit's. */
type ReplayText = (string | [number, string?])[];

/** A moment of the battle. */
interface ReplayMoment {
  /** The turn. */
  t: number;
  /** The number of the phase. */
  p: number;
  /** Its kind: begin, moves, fire, other or over. */
  k: string;
  /** The unit that acts. */
  who?: number;
  /** The index in `pieces` of the pieces on the table; 0 if absent. */
  on?: number;
  /** What happens. */
  say?: ReplayText[];
  /** Consequences for units, each with whether a unit is destroyed by it. */
  end?: [ReplayText, boolean][];
  /** What a film draws, in order. */
  acts?: FilmAct[];
  /** Changes of units, by number. */
  set?: Record<string, Partial<UnitState>>;
}

/** Something on the table that is no unit, such as a marker or terrain. */
interface ReplayPiece extends TableThing {
  /** The number of its side. */
  s: number;
}

interface ReplayData {
  table: TablePoint;
  units: ReplayUnit[];
  sides: ReplaySide[];
  moments: ReplayMoment[];
  phases: string[];
  pieces: ReplayPiece[][];
  /** The number of the reader's side; negative if they have none. */
  mine: number;
  /** The value of `out` of a wreck, also shown beside it. */
  wreck: string;
}
