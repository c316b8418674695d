// Types of the orders page (campaign/pages/week/desk_data.py, campaign/forms/week).

/** A ship of the orders page. */
interface OrderShip {
  key: string;
  name: string;
  /** The key of its fleet at the start of the week. */
  home: string;
  /** Its classification. */
  kind?: string;
  mass?: number | string;
  /** Whether it cannot jump. */
  held?: boolean | string;
  /** The ship of which it is a part. */
  part?: string;
  /** The ids of the fields for its new fleet, its tug, and the fleet into which its own merges. */
  ids: { to: string; tow: string; merge: string };
}

/** A fleet as the draft orders it, at the end of the week. */
interface OrderFleet {
  key: string;
  /** Its part of the form. */
  section: HTMLElement;
  name: string;
  hex: Hex;
  ships: OrderShip[];
  /** Counts of capitals, cruisers, escorts and others. */
  n: number[];
  mass: number;
  /** Whether it is a new fleet. */
  isNew: boolean;
  dummy: boolean;
  /** The ships that keep it from jumping. */
  boundShips: OrderShip[];
  /** Whether its hex has a gate. */
  gate: boolean;
  /** Why it cannot move, or empty. */
  stuckReason: string;
  /** In words, the fleets into which it is merged; otherwise empty. */
  mergedInto: string;
  /** The hexes of its route this week, if they were ordered one by one. */
  path: Hex[];
  /** The hex at the end of this week's move; empty if it stays. */
  end: Hex;
  /** The goals of later weeks. */
  goals: Hex[];
}

/** A step of a fleet's orders and plan. */
interface Leg {
  from: Hex;
  end: Hex;
  /** The week of arrival; 0 if only the server knows it. */
  week: number;
  /** Whether the player chose this hex; otherwise it is a halt on the way. */
  goal: boolean;
  path?: Hex[];
}

/** A plan as the server has worked it out. */
interface ServerPlan {
  end: Hex;
  goals: Hex[];
  legs: { end: Hex; week: number; goal: boolean }[];
}

/** The server's line about a fleet's orders in the draft (campaign/forms/week/fleet_lines.py). */
interface FleetLine {
  key: string;
  name: string;
  state: string;
  words: string;
  /** A problem, or empty. */
  problem: string;
  /** Whether the fleet's plan waits for ships that cannot jump. */
  is_waiting?: boolean;
}

/** The lines about all fleets and about other orders. */
interface FleetLines {
  lines: Record<string, FleetLine>;
  other: string[];
  [more: string]: any;
}

/** A field's text, or whether it is ticked. */
type FieldValue = string | boolean;

/** A step that can be undone. */
interface OrderStep {
  words: string;
  /** The values of all fields before the step. */
  state: Map<string, FieldValue>;
  /** The key of the fleet that was chosen. */
  chosenKey: string | null;
}

/** The forms of orders: their field names, and the values of those that are not on the page. */
interface OrderForms {
  fields: Record<string, FormField>;
  /** Whether only one fleet's form is on the page. */
  folds: boolean;
  fleets: Record<
    string,
    { texts: Record<string, string>; ticks: [string, string][]; crew: Omit<OrderShip, "home" | "ids">[] }
  >;
}

/** The data of the page. */
interface OrdersData extends FleetLines {
  me: string;
  ground: MapGround;
  moment: MapMoment;
  known: { fleets: Record<string, string>; eyes: MapEye[] };
  plans?: Record<string, ServerPlan>;
  form: OrderForms;
  /** The routes that are ordered, once the orders are sealed. */
  ways: { fleet: string; hexes: Hex[] }[];
}

/** A typed order, or its fault. */
type TypedOrder =
  | { fault: string; fleet?: OrderFleet }
  | { fault?: undefined; fleet: OrderFleet; intent: string; to?: undefined }
  | { fault?: undefined; fleet: OrderFleet; intent?: undefined; to: Hex[] };
