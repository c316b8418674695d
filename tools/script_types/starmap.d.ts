// Types of the star map: the data from the server (campaign/web/chart_data.py) and what is drawn.

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

/** The map itself, the same for all players and weeks. */
interface MapGround {
  columns: number;
  rows: number;
  /** The hexes that a fleet can jump in a week. */
  jump: number;
  /** The last week of the war. */
  weeks: number;
  /** Hexes closed to all ships. */
  closed: Hex[];
  systems: StarSystem[];
  links: MapLink[];
  /** The mass limits of gates, in ascending order. */
  limits: number[];
  powers: Record<string, MapPower>;
}

/** The known holder of a system. */
interface MapHold {
  /** What the faction knows of the stations and gates there, a sentence each. */
  stations?: string[];
  power: string;
  state: string;
  week: number;
  /** Whether the faction has ships there. */
  here: boolean;
}

/** A flag: one fleet, or several that are drawn as one. */
interface MapFleet {
  key: string;
  name: string;
  hex: Hex;
  seat: number;
  /** Counts of capitals, cruisers, escorts and others. */
  n: number[];
  ftl?: boolean;
  dummy?: boolean;
  /** The number of the fleet's marker in open play. */
  code?: number;
  /** Whether the fleet is chosen. */
  on?: boolean;
  /** Whether the fleet still needs orders, or has a problem. */
  todo?: boolean;
  /** Whether the flag represents several fleets. */
  many?: boolean;
  /** Whether the flag represents fleets of several hexes. */
  cluster?: boolean;
  /** Possible offsets from the centre of the hex, in pixels. */
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

/** A marker of open play. */
interface MapMark {
  hex: Hex;
  seat: number;
  label: string;
  words: string;
}

/** A route, from hex to hex. */
interface MapWay {
  hexes: Hex[];
  seat: number;
  /** A CSS class: "" for this week, "later" for later weeks, "then" for the past. */
  cls?: string;
  /** Whether the route ends in an arrow. */
  tip?: boolean;
  /** The week of arrival at its end, or 0 to show none. */
  week?: number;
}

interface MapRing {
  hex: Hex;
  /** The radius in hexes. */
  far: number;
  seat?: number;
  cls: string;
}

/** The hexes that a fleet can reach this week, the next week, and so on. */
interface MapReach {
  id: string;
  bands: Hex[][];
}

/** A sign that others may know about the faction's fleets in a hex. */
interface MapEye {
  hex: Hex;
  words: string;
  sure: boolean;
}

/** What a star map shows. */
interface MapData {
  holds?: Record<Hex, MapHold>;
  fights?: Hex[];
  /** The umpire's own marks by hex. */
  pencils?: Record<Hex, string>;
  fleets?: MapFleet[];
  contacts?: MapContact[];
  marks?: MapMark[];
  ways?: MapWay[];
  rings?: MapRing[];
  reach?: MapReach | null;
  /** When the chosen fleet can arrive in a hex, in words. */
  eta?: Map<Hex, string>;
  eyes?: MapEye[];
  /** The hex whose fleets have single flags. */
  fan?: Hex | null;
  /** The first hex of the cursor. */
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

/** What a faction knows after a stage of a week. */
interface MapMoment {
  week: number;
  stage: string;
  fleets: MomentFleet[];
  dummies: DummyFleet[];
  contacts: Omit<MapContact, "seat">[];
  /** Possible routes by which contacts arrived. */
  came: { hexes: Hex[]; power: string; week: number }[];
  holds: Record<Hex, MapHold>;
  fights: Hex[];
  marks: MapMark[];
  tracks: { hexes: Hex[]; seat: number }[];
}

/** A hex or flag that was clicked, chosen by key, or dragged to. */
interface MapPick {
  hex: Hex | null;
  /** The key of the flag that was clicked; empty if it represents several fleets; null for none. */
  key: string | null;
  shift: boolean;
  /** The key of the flag that was dragged to the hex. */
  drop?: string;
  /** The key of the flag that it was dropped on. */
  onto?: string;
  /** Whether the hex was chosen by a key. */
  typed?: boolean;
}

/** The content of a card about a hex. */
interface HexCard {
  title: string;
  text: string;
  rows: Node[];
}

interface HTMLElement {
  /** The star map in this element; used by tests. */
  starMap?: object;
}
