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

/** A problem of a draft, as the server finds it. */
interface Fault {
  words: string;
  subject?: string;
  /** The id of the element that it is about. */
  anchor: string;
}

/** A line of what is to be sealed, as it is read back. */
interface ReadBackLine {
  words: string;
  problem?: boolean;
}

/** What the server answers to a draft that was sent. */
interface SavedDraft {
  version?: number;
  faults?: Fault[];
  /** Why nothing is saved any more, or that it is not. */
  closed?: string | boolean;
  /** Another version has been saved meanwhile. */
  lost?: boolean;
  [more: string]: any;
}

/** What was written in a form, as this browser keeps it. */
interface HeldDraft {
  at: number;
  version: string;
  sent: boolean;
  /** The form's names and values, as JSON. */
  written: string;
}

/** An unsent entry of a table battle's record, with its id. */
type QueuedEntry = [string, RecordEntry];
