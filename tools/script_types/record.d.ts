// The record of a battle that is kept at the table (campaign/pages/table/table_record.py).

/** What a tap or a form at the table says, by its kind. */
type RecordEntry =
  | { kind: "boxes"; ship: string; first: number; last: number; off: boolean }
  | { kind: "system"; ship: string; system: string; hits: number }
  | { kind: "stock"; ship: string; name: string; left: number }
  | { kind: "shown"; ship: string }
  | { kind: "check"; ship: string; row: number; site: boolean; rolls: number[] }
  | { kind: "end"; ship: string; status: string; captor: string; how: string }
  | { kind: "ground"; site: string; damage: number }
  | { kind: "phase"; turn: number; phase: number }
  | { kind: "plot"; turn: number; orders: Record<string, string> }
  | { kind: "dice"; about: string; rolls: number[] }
  | { kind: "throw"; about: string; dice: number };

/** A ship of the record. */
interface RecordShip {
  /** Boxes that are crossed out. */
  crossed: number[];
  /** Hits on each system, and how many it takes. */
  hits: Record<string, number>;
  whole: Record<string, number>;
  /** What is left in each store. */
  stock: Record<string, number>;
  /** Dice of threshold checks by the last box of their row. */
  checks: Record<string, string>;
  status: string;
  /** Whether the others have identified it. */
  shown: boolean;
}

/** The record as the site has it. */
interface RecordState {
  at: string;
  turn: number;
  phase: number;
  /** Whether the plot of the turn is sealed. */
  sealed: boolean;
  plot: Record<string, string>;
  ships: Record<string, RecordShip>;
  /** Damage of ground targets. */
  ground: Record<string, number>;
}

/** The data of the page. */
interface RecordData extends RecordState {
  fields: Record<string, FormField>;
  /** The name of the reader's store of the battle. */
  keep: string;
}

/** What the site answers to entries. */
interface RecordAnswer extends RecordState {
  /** Names of entries that are written, each with its faults. */
  written: [string, string[]][];
  shared: string;
  sheets: Record<string, string>;
}
