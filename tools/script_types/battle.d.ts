// Battles on the table (campaign/pages/battle/fights.py, campaign/forms/battle).

/** A place on the table in MU, y upwards. */
type TablePoint = [number, number];

/** Something on the table: a ship, a contact, or a piece that moves. */
interface TablePiece {
  id: string;
  name: string;
  x: number;
  y: number;
  /** The hour it flies to, 1 to 12. */
  course: number;
  /** Its velocity; null where it is not known. */
  v: number | null;
  seat: number;
  size: string;
  /** Its class, where it is known. */
  cls?: string;
  foe?: boolean;
  screens?: number;
  kind?: string;
}

/** A piece on the table that is not a ship: with a course if it moves. */
interface TableThing {
  id?: string;
  kind: string;
  x: number;
  y: number;
  /** Its radius in MU; 0 for a point. */
  r: number;
  course: number;
  words: string;
  label: string;
  cls?: string;
  /** Of a group of craft: its owner's seat, silhouette, craft left, endurance, and its state. */
  seat?: number;
  size?: string;
  craft?: number;
  detail?: string;
  screens?: boolean;
  moved?: boolean;
}

/** The contents of a mark on the table. */
interface MarkData {
  x: number;
  y: number;
  course?: number;
  facing?: number;
  /** Its silhouette. */
  size?: string;
  /** Its CSS classes: the seat of its owner and what it is. */
  cls?: string;
  name?: string;
  /** A short text in small type behind its name. */
  detail?: string;
  /** Marks of high rank get room for their name first. */
  rank?: number;
  /** A name for screen readers; it makes the mark a button. */
  label?: string;
  tab?: number;
  scale?: number;
  /** Craft left in a group, shown as pips. */
  craft?: number;
  hidden?: boolean;
  /** The velocity of a contact. */
  v?: number | null;
  [more: string]: unknown;
}

/** A mark of the table, with its elements. */
interface Mark extends MarkData {
  id: string;
  cls: string;
  name: string;
  node: SVGGElement;
  body: SVGUseElement;
  halo: SVGCircleElement;
  touchArea: SVGCircleElement;
  /** The pips of craft that are left and that are lost; absent until it has craft. */
  pips?: SVGPathElement[];
  /** Pixels from its place, in a formation. */
  aside: Point;
  /** Its pixel in the view, and its radius in pixels. */
  screenX: number;
  screenY: number;
  screenRadius: number;
  /** The number of the box where its name was placed last. */
  nameSpot?: number;
}

/** A request for a place on the table, and what to do with the place. */
interface PlaceRequest {
  /** The field or button that asks. */
  element: Element;
  /** The ship, group or launcher for which the place is. */
  name: string;
  /** The place from which distances are measured. */
  from: TablePoint;
  /** The minimum and maximum range in MU. */
  reach?: number[];
  /** The arcs in which the place may be. */
  arcs?: string[];
  /** The hour (1 to 12) from which arcs count. */
  facing?: number;
  /** Whether the places of contacts after their next move are offered, too. */
  includesNextMoves?: boolean;
  /** The place that was chosen before. */
  currentPlace?: TablePoint | null;
  /** The ids of the possible answers, if a ship is asked for and not a place. */
  targets?: string[];
  /** Called with the place and the mark there; returns true if only the mark counts. */
  onPlace: (at: TablePoint, id?: string) => boolean | void;
}

/** The ship, group or launcher from which the cursor measures. */
type CursorOwner = Omit<PlaceRequest, "element" | "onPlace">;

/** The data that all battle pages have. */
interface BattleData {
  kind: string;
  turn: number;
  table: TablePoint;
  own: TablePiece[];
  contacts: TablePiece[];
  things: TableThing[];
  tracks: Record<string, TablePoint[]>;
  /** From x, y to x, y; whether it is own; whether it hit. */
  shots: [number, number, number, number, boolean, boolean][];
  fields: Record<string, FormField>;
}

/** A ship that plots (campaign/forms/battle/plot_data.py). */
interface PlotShip extends TablePiece {
  v: number;
  /** Its written order as it was loaded. */
  order: string;
  /** The captain's order. */
  captain: string;
  /** Points of its main drive. */
  main: number;
  /** Points that it may use to turn. */
  turning: number;
  /** Both with emergency thrust. */
  pressed?: { main: number; turning: number };
  /** Whether it may turn freely at velocity 0. */
  pivot?: boolean;
  /** Whether the first half of an odd velocity is rounded down. */
  whole?: boolean;
  /** Its movement in MU, where moves are vectors. */
  drift?: TablePoint;
  /** Hours by which its arcs are turned. */
  bow?: number;
  /** Expected points by arc, one number for each band of 12 MU. */
  cover: Record<string, number[]>;
  /** Words of an order with which a ship must keep course and velocity. */
  steady?: string[];
}

/** A ship's order as it was read. */
interface ShipPlot {
  /** Points to port (negative) and starboard. */
  turns: number[];
  thrust: number;
  /** Burns in vector movement, each its kind and points. */
  burns: [string, number][];
  /** The parts of the order that are not the move. */
  furtherOrders: string[];
}

/** The move that a plot results in. */
interface ShipMove {
  path: TablePoint[];
  course: number;
  v: number;
  drift?: TablePoint;
}

/** A group of craft, in flight or aboard. */
interface Craft {
  x: number;
  y: number;
  reach: number;
  ship?: string;
  bay?: string;
  captain?: Record<string, string>;
}

/** A launcher, or craft or a missile that launches (campaign/forms/battle/launch_data.py). */
interface Launcher {
  name: string;
  type: string;
  /** The ship. */
  of: string;
  x: number;
  y: number;
  turn: number;
  arcs?: string[];
  /** Why it cannot launch. */
  why?: string;
  /** Grade, number left, minimum and maximum range in MU. */
  loads: [string, number, number, number][];
  /** Rounds left, and rounds in one salvo. */
  many?: [number, number];
  /** Id, name and distance in MU of each target in range. */
  targets?: [string, string, number][];
  /** The magazine that it fires from. */
  holds?: string;
  captain: Record<string, string>;
  /** Names of its fields. */
  aim?: string;
  load?: string;
  fuse?: string;
  prey?: string;
  rounds?: string;
}

/** A ship that may board another. */
interface Boarder {
  name: string;
  marines: number;
  parties: number;
  targets: string[];
}

/** A ship with craft aboard (campaign/forms/battle/craft_data.py). */
interface Carrier {
  name: string;
  /** How many groups it can launch this turn. */
  most: number;
  /** The bays of as many groups. */
  first: string[];
  /** What a launch excludes, as a sentence; "" for nothing. */
  note: string;
  /** Groups that it cannot launch, and why. */
  aboard: [string, string][];
}

/** The data of a plot page. */
interface PlotData extends BattleData {
  ships: Record<string, Omit<PlotShip, keyof TablePiece> & Partial<TablePiece>>;
  craft: Record<string, Craft>;
  /** Groups aboard: ship, bay, description, key and the bay's short name. */
  decks: [string, string, string, string, string][];
  /** By ship: how many groups it can launch in a turn, and the bays to which this applies. */
  limits: Record<string, [number, string[]]>;
  carriers: Record<string, Carrier>;
  launches: Launcher[];
  boarders: Record<string, Boarder>;
}

/** A weapon of a record sheet (campaign/forms/battle/fire_data.py). */
interface SheetWeapon {
  id: string;
  /** Weapons of one kind have the same key. */
  key: string;
  name: string;
  /** Its symbol. */
  type: string;
  arcs: string[];
  /** The kind of fire control that it needs, or "". */
  fc: string;
}

/** Dice, expected points, expected points without screens, expected people aboard. */
type Prospect = [number, number, number?, number?];

/** A weapon of a ship. */
interface FireWeapon extends SheetWeapon {
  /** Whether it works. */
  isWorking: boolean;
  /** The expected result by target. */
  prospects: Record<string, Prospect>;
}

/** Weapons of one kind on a ship. */
interface WeaponGroup extends FireWeapon {
  weapons: FireWeapon[];
}

/** A ship or group of craft in the fire phase. */
interface FireShip extends TablePiece {
  weapons: FireWeapon[];
  /** FireCons that work. */
  firecons: number;
  captain: string;
  details?: { weapon: string; system?: string | string[]; mode?: string }[];
  cover: Record<string, number[]>;
  bow?: number;
  /** The number of craft in a group, and how far it fires. */
  craft?: number;
  reach: number;
}

/** A possible target of fire. */
interface FireTarget extends TablePiece {
  /** Hull points left, and points to the end of its hull row. */
  left: number;
  ends: number;
}

/** The data of a fire page. */
interface FireData extends BattleData {
  targets: Record<string, { left: number; ends: number }>;
  sheets: Record<string, SheetWeapon[]>;
  ships: Record<
    string,
    Omit<FireShip, keyof TablePiece | "weapons"> & {
      sheet: string;
      /** Numbers of weapons that do not work. */
      out: number[];
      /** The different sets of targets, and the number of the set of each weapon. */
      bears: Record<string, Prospect>[];
      on: number[];
    }
  >;
}

/** A row of a table of choices: an action of a ship or group (battle_tasks.js). */
interface TaskRow {
  name: string;
  type: string;
  fields: string[];
  /** Whether it does not count toward the budget. */
  free?: boolean;
  /** By target: a figure, words, the value of the field, a title. */
  cells: Record<string, [string, string, string, string]>;
}

/** The decisions of a ship or group in one phase. */
interface Task {
  id: string;
  name: string;
  /** Its state in words. */
  stateText: string;
  /** Its fields. */
  fieldsBox: HTMLDetailsElement;
  /** How many fields the table does not cover. */
  extraFieldCount: number;
  head: string;
  rows: TaskRow[];
  /** Id, name and words of each target. */
  cols: [string, string, string][];
  captain: Record<string, string>;
  /** How many it may order, and of what. */
  budget?: [number, string];
  /** The field for the place to which it moves before it acts. */
  point?: string;
  at?: TablePoint;
  rings?: number[];
  /** Whether its columns are not targets on the table. */
  still?: boolean;
}

/** Where a ship begins (campaign/pages/battle/set_up_page.py). */
interface StartPlace {
  at: TablePoint;
  /** Asteroids and terrain have neither course nor velocity. */
  course?: number;
  velocity?: number;
  ftl_entry?: number;
}

/** A zone in which a side may set up, in MU. */
interface SetUpZone {
  own: boolean;
  seat: number;
  /** Left, bottom, right and top. */
  box: Box;
  /** The course straight ahead. */
  ahead: number;
  /** Centre and radius of the circle around a ship or body that limits the zone. */
  circle: [number, number, number] | null;
}

/** An asteroid, terrain or a station that a side places before all ships. */
interface OpenBody {
  id: string;
  name: string;
  /** The radius in MU. */
  r: number;
}

/** The data of the set-up. */
interface SetUpData extends BattleData {
  zones: SetUpZone[];
  captain: Record<string, StartPlace>;
  formations: Record<string, Record<string, StartPlace>>;
  /** The first turn in which ships that are held back may drop out of FTL; 0: none may. */
  ftl: number;
  /** How many ships are placed now; 0: all. */
  step: number;
  /** The ids of the ships from which the player chooses now. */
  placeable: string[];
  /** The bodies that the player places now; then there are no ships to place. */
  bodies: OpenBody[];
}

/** The data of a page with tables of choices. */
interface TasksData extends BattleData {
  tasks: Record<string, Omit<Task, "id" | "name" | "stateText" | "fieldsBox" | "extraFieldCount">>;
}
