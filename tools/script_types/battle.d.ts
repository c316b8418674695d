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

/** Something that lies on the table and has no course, or flies a course of its own. */
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
}

/** What a mark of the table shows. */
interface MarkData {
  x: number;
  y: number;
  course?: number;
  facing?: number;
  /** Its silhouette. */
  size?: string;
  /** Classes: its seat and what it is. */
  cls?: string;
  name?: string;
  /** What stands behind its name in small. */
  sub?: string;
  /** Marks of high rank are named first where room is short. */
  rank?: number;
  /** Makes it a button of that name. */
  label?: string;
  tab?: number;
  scale?: number;
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
  grip: SVGCircleElement;
  /** Where it is on the screen, and its radius there. */
  px: number;
  py: number;
  rr: number;
  /** Where its name was placed last. */
  spot?: number;
}

/** What asks for a place of the table, and what it makes of one. */
interface PlaceRequest {
  /** The element that asks. */
  by: Element;
  name: string;
  /** Where it is. */
  from: TablePoint;
  /** MU at least and at most. */
  reach?: number[];
  /** Its arcs, as seen from the hour `turn`. */
  arcs?: string[];
  turn?: number;
  /** Whether it counts what others do next. */
  ahead?: boolean;
  /** The place that it has. */
  value?: TablePoint | null;
  /** The ships of which one is asked for, and no place. */
  aims?: string[];
  /** Takes a place and what was touched there; true: as something else than a place. */
  put: (at: TablePoint, id?: string) => boolean | void;
}

/** Whom the cursor is for. */
type CursorOwner = Omit<PlaceRequest, "by" | "put">;

/** What all pages of a battle know. */
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
  /** Points that it may turn with. */
  turning: number;
  /** Both by emergency thrust. */
  pressed?: { main: number; turning: number };
  /** Whether it may turn freely at velocity 0. */
  pivot?: boolean;
  /** Whether the first half of an odd velocity is rounded down. */
  whole?: boolean;
  /** Its movement in MU, where moves are vectors. */
  drift?: TablePoint;
  /** Hours by which its arcs are turned. */
  bow?: number;
  /** Points that bear by arc, in bands of 12 MU. */
  cover: Record<string, number[]>;
  /** Words with which it keeps course and velocity. */
  steady?: string[];
}

/** What a written order says. */
interface ShipPlot {
  /** Points to port (negative) and starboard. */
  turns: number[];
  thrust: number;
  /** Burns by vectors, each a kind and points. */
  burns: [string, number][];
  /** What is no move, as it is written. */
  more: string[];
}

/** Where a plot leads. */
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

/** A launcher, or what else launches (campaign/forms/battle/launch_data.py). */
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
  /** Grade, how many are left, MU at least and at most. */
  loads: [string, number, number, number][];
  /** How many are left in all, and in one salvo. */
  many?: [number, number];
  /** Id, name and MU of what it reaches. */
  targets?: [string, string, number][];
  /** The magazine that it draws from. */
  holds?: string;
  captain: Record<string, string>;
  /** Names of its fields. */
  aim?: string;
  load?: string;
  fuse?: string;
  prey?: string;
  rounds?: string;
}

/** A ship that may send people aboard another. */
interface Boarder {
  name: string;
  marines: number;
  parties: number;
  targets: string[];
}

/** The data of a page of plots. */
interface PlotData extends BattleData {
  ships: Record<string, Omit<PlotShip, keyof TablePiece> & Partial<TablePiece>>;
  craft: Record<string, Craft>;
  /** Ship, bay, words, key and short name of what is aboard. */
  decks: [string, string, string, string, string][];
  /** How many groups a ship launches in a turn, and the bays that share that. */
  limits: Record<string, [number, string[]]>;
  launches: Launcher[];
  boarders: Record<string, Boarder>;
}

/** A weapon of a record sheet (campaign/forms/battle/fire_data.py). */
interface SheetWeapon {
  id: string;
  /** Alike weapons have the same key. */
  key: string;
  name: string;
  /** Its symbol. */
  type: string;
  arcs: string[];
  /** The fire control that it needs, or empty. */
  fc: string;
}

/** Dice, points to expect, points without its screens, people that land. */
type Prospect = [number, number, number?, number?];

/** A weapon of a ship. */
interface FireWeapon extends SheetWeapon {
  /** Whether it works. */
  ok: boolean;
  /** What to expect of it by target. */
  t: Record<string, Prospect>;
}

/** Weapons of a ship that are alike. */
interface WeaponGroup extends FireWeapon {
  guns: FireWeapon[];
}

/** A ship that fires. */
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

/** A target. */
interface FireTarget extends TablePiece {
  /** Points that it has left, and points to the end of a row. */
  left: number;
  ends: number;
}

/** The data of a page of fire. */
interface FireData extends BattleData {
  targets: Record<string, { left: number; ends: number }>;
  sheets: Record<string, SheetWeapon[]>;
  ships: Record<
    string,
    Omit<FireShip, keyof TablePiece | "weapons"> & {
      sheet: string;
      /** Numbers of weapons that do not work. */
      out: number[];
      /** What weapons bear on, which of these each has. */
      bears: Record<string, Prospect>[];
      on: number[];
    }
  >;
}

/** A row of a table of choices: what a ship or a group may do (battle_tasks.js). */
interface TaskRow {
  name: string;
  type: string;
  fields: string[];
  /** Whether it takes nothing from the budget. */
  free?: boolean;
  /** By target: a figure, words, the value of the field, a title. */
  cells: Record<string, [string, string, string, string]>;
}

/** What a ship or a group has to decide. */
interface Task {
  id: string;
  name: string;
  /** Its state in words. */
  state: string;
  /** Its fields. */
  box: HTMLDetailsElement;
  /** How many fields the table does not say. */
  rest: number;
  head: string;
  rows: TaskRow[];
  /** Id, name and words of each target. */
  cols: [string, string, string][];
  captain: Record<string, string>;
  /** How many it may order, and of what. */
  budget?: [number, string];
  /** The field of a place to which it flies first. */
  point?: string;
  at?: TablePoint;
  rings?: number[];
  /** Whether its columns are no targets on the table. */
  still?: boolean;
}

/** The data of a page of choices. */
interface TasksData extends BattleData {
  tasks: Record<string, Omit<Task, "id" | "name" | "state" | "box" | "rest">>;
}
