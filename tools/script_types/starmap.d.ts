// The star map: what the server says of it (campaign/web/chart_data.py) and what scripts draw.

interface StarSystem {
  hex: Hex;
  name: string;
  settled: boolean;
  /** Its base in words, or empty. */
  base: string;
  about: string;
}

interface MapLink {
  a: Hex;
  b: Hex;
  kind: string;
  words: string;
}

interface MapPower {
  name: string;
  seat: number;
}

/** The map itself, the same for everybody and every moment. */
interface MapGround {
  columns: number;
  rows: number;
  /** Hexes that a fleet jumps in a week. */
  jump: number;
  /** The last week of the war. */
  weeks: number;
  /** Hexes closed to all ships. */
  closed: Hex[];
  systems: StarSystem[];
  links: MapLink[];
  /** The masses that gates take, the least first. */
  limits: number[];
  powers: Record<string, MapPower>;
}

/** Who holds a system, as far as is known. */
interface MapHold {
  power: string;
  state: string;
  week: number;
  /** Whether own ships are there. */
  here: boolean;
}

/** A flag: a fleet, or several that are drawn as one. */
interface MapFleet {
  key: string;
  name: string;
  hex: Hex;
  seat: number;
  /** Counts of capitals, cruisers, escorts and others. */
  n: number[];
  ftl?: boolean;
  dummy?: boolean;
  /** The number of its marker in open play. */
  code?: number;
  /** Whether it is chosen. */
  on?: boolean;
  /** Whether the player has still to order it. */
  todo?: boolean;
  /** Whether it stands for several fleets. */
  many?: boolean;
  /** Whether it stands for fleets of several hexes. */
  cluster?: boolean;
  /** Where it may be drawn, as seen from its hex. */
  spots?: Point[];
  power?: string;
  words?: string;
}

interface MapContact {
  hex: Hex;
  seat: number;
  power: string;
  n: number[];
  words: string;
  week: number;
  /** Weeks since it was seen. */
  age: number;
  gone: boolean;
  on?: boolean;
  cluster?: boolean;
  spots?: Point[];
}

/** A marker that lies open on the map. */
interface MapMark {
  hex: Hex;
  seat: number;
  label: string;
  words: string;
}

interface MapWay {
  hexes: Hex[];
  seat: number;
  /** Nothing for now, "later" or "then". */
  cls?: string;
  /** Whether it ends in an arrow. */
  tip?: boolean;
  /** The week that ends there, or 0. */
  week?: number;
}

interface MapRing {
  hex: Hex;
  /** Hexes from the centre. */
  far: number;
  seat?: number;
  cls: string;
}

/** The hexes reached this week, in the next one, and so on. */
interface MapReach {
  id: string;
  bands: Hex[][];
}

/** A mark that others may know of fleets in a hex. */
interface MapEye {
  hex: Hex;
  words: string;
  sure: boolean;
}

/** What a star map shows. */
interface MapData {
  holds?: Record<Hex, MapHold>;
  fights?: Hex[];
  fleets?: MapFleet[];
  contacts?: MapContact[];
  marks?: MapMark[];
  ways?: MapWay[];
  rings?: MapRing[];
  reach?: MapReach | null;
  /** When the chosen fleet is where, in words. */
  eta?: Map<Hex, string>;
  eyes?: MapEye[];
  /** The hex whose flags stand apart. */
  fan?: Hex | null;
  /** The hex where the cursor begins. */
  start?: Hex | null;
}

interface MomentFleet {
  key: string;
  name: string;
  hex: Hex;
  n: number[];
  words: string;
  ftl: boolean;
  notes: string[];
  marker?: number;
}

interface DummyFleet {
  key: string;
  name: string;
  hex: Hex;
  code: number;
}

/** What a faction knows after a stage. */
interface MapMoment {
  week: number;
  stage: string;
  fleets: MomentFleet[];
  dummies: DummyFleet[];
  contacts: Omit<MapContact, "seat">[];
  /** Where contacts may have come from. */
  came: { hexes: Hex[]; power: string; week: number }[];
  holds: Record<Hex, MapHold>;
  fights: Hex[];
  marks: MapMark[];
  tracks: { hexes: Hex[]; seat: number }[];
}

/** A hex, or a flag in it, that was clicked, typed or dragged to. */
interface MapPick {
  hex: Hex | null;
  /** Of the flag under the pointer; empty for one that stands for several; null for none. */
  key: string | null;
  shift: boolean;
  /** The key of the flag that was dragged there. */
  drop?: string;
  /** The key of the flag it was dragged onto. */
  onto?: string;
  typed?: boolean;
}

/** What a card shows of a hex. */
interface HexCard {
  title: string;
  says: string;
  rows: Node[];
}

interface HTMLElement {
  /** The star map that an element holds; tests look at it. */
  starMap?: object;
}
