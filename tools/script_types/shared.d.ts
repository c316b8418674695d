// Types of data that several scripts of static/js share, for the type checker alone.

/** A hex as its label: two digits of its column, two of its row. */
type Hex = string;

/** x and y; also columns and rows. */
type Point = [number, number];

/** Left, top, right and bottom, in pixels of the screen. */
type Box = [number, number, number, number];

/** A field of a form as the page describes it (`Field.for_script` of campaign/forms/field.py). */
interface FormField {
  name: string;
}

/** A problem that the server finds in a draft. */
interface Fault {
  words: string;
  subject?: string;
  /** The id of the element that has the problem. */
  anchor: string;
}

/** A line that the player confirms before sealing. */
interface ReadBackLine {
  words: string;
  problem?: boolean;
}

/** The server's answer to a draft. */
interface SavedDraft {
  version?: number;
  faults?: Fault[];
  /** Why nothing is saved any more, or true without a reason. */
  closed?: string | boolean;
  /** Whether another version has been saved meanwhile. */
  lost?: boolean;
  [more: string]: any;
}

/** The content of a form as this browser stores it. */
interface StoredDraft {
  at: number;
  version: string;
  sent: boolean;
  /** The form's names and values, as JSON. */
  written: string;
}

/** An unsent entry of a table battle's record, with its id. */
type QueuedEntry = [string, RecordEntry];
