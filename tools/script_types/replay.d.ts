// The replay of a battle (`document_of` of campaign/replays/replay.py).

/** A ship or a group of craft. */
interface ReplayUnit {
  name: string;
  size: string;
  cls?: string;
  /** What it is called until it is identified. */
  bogey?: string;
  /** Hull boxes of each row, and boxes of armour. */
  rows?: number[];
  armour?: number;
}

interface ReplaySide {
  name: string;
  seat: number;
}

/** A unit after a moment. Absent values have not been set yet. */
interface UnitState {
  x?: number;
  y?: number;
  /** Its course, velocity, damage and armour. */
  c?: number;
  v?: number | null;
  d?: number;
  a?: number;
  /** The number of its side. */
  s?: number;
  /** Whether it is a bogey, and whether it is the reader's. */
  b?: boolean;
  m?: boolean;
  /** Why it is not on the table. */
  out?: string;
  note?: string;
}

/** A text with marks of units in it: number, and name where it is another. */
type ReplayText = (string | [number, string?])[];

/** A moment of the battle. */
interface ReplayMoment {
  /** Its turn. */
  t: number;
  /** The number of its phase. */
  p: number;
  /** Its kind. */
  k: string;
  /** Who acts. */
  who?: number;
  /** The number of the pieces that lie on the table. */
  on?: number;
  say?: ReplayText[];
  /** What ends, and whether somebody died of it. */
  end?: [ReplayText, boolean][];
  /** Units that are fired at, with the damage. */
  shots?: [number, number][];
  paths?: Record<string, TablePoint[]>;
  set?: Record<string, Partial<UnitState>>;
}

/** A piece that lies on the table. */
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
  /** The number of the reader's side; negative for none. */
  mine: number;
  /** What a wreck is called. */
  wreck: string;
}
