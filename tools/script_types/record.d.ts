// The record of a battle fought at a table (campaign/pages/table/table_record.py).

/** What a player enters, by its kind; `campaign/rules/table_record.py` explains each. */
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
  | { kind: "body"; body: string; at: (number | string)[] }
  | { kind: "set_up"; places: Record<string, StartOfShip> }
  | { kind: "dice"; about: string; rolls: number[] }
  | { kind: "throw"; about: string; dice: number }
  | { kind: "reveal"; number: number };

/** Where a ship begins; what is no number is sent as typed, and the site reports it. */
interface StartOfShip {
  at?: (number | string)[];
  course?: number | string;
  velocity?: number | string;
  ftl_entry?: number | string;
}

/** A ship of the record. */
interface RecordShip {
  /** The numbers of the boxes that are crossed out. */
  crossed: number[];
  /** Hits that each system has taken. */
  hits: Record<string, number>;
  /** Hits that destroy each system. */
  whole: Record<string, number>;
  /** How much is left in each store. */
  stock: Record<string, number>;
  /** The dice of threshold checks, by the last box of the row. */
  checks: Record<string, string>;
  /** The last boxes of the rows for whose threshold checks dice are reserved. */
  reserved: number[];
  /** "fighting", or how it left the battle. */
  status: string;
  /** Whether the other side has identified it. */
  shown: boolean;
}

/** The state of the record. */
interface RecordState {
  /** The version of the record, for asking the site whether it has changed. */
  at: string;
  turn: number;
  phase: number;
  /** Whether the plot of the turn is sealed. */
  sealed: boolean;
  /** The sealed orders by ship. */
  plot: Record<string, string>;
  ships: Record<string, RecordShip>;
  /** Boxes of each ground target that are marked off. */
  ground: Record<string, number>;
  /** The numbers of the side's dice that the site has reserved and not shown. */
  reserved: number[];
}

/** The data of the page. */
interface RecordData extends RecordState {
  fields: Record<string, FormField>;
  /** The name of the reader's store for the battle (static/js/table_queue.js). */
  keep: string;
}

/** The site's answer to entries. */
interface RecordAnswer extends RecordState {
  /** The ids of entries that are done with, each with the reasons why it was refused. */
  written: [string, string[]][];
  /** The HTML of the part that all players share. */
  shared: string;
  /** The HTML of the ship drawings that may have changed, by ship. */
  sheets: Record<string, string>;
}
