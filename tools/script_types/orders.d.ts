// The orders page (campaign/pages/week/desk_data.py, campaign/forms/week).

/** A ship of the orders page. */
interface OrderShip {
  key: string;
  name: string;
  /** The key of the fleet that it began the week in. */
  home: string;
  /** Its classification. */
  kind?: string;
  mass?: number | string;
  /** Whether it cannot jump. */
  held?: boolean | string;
  /** The ship that it is a part of. */
  part?: string;
  /** The names of the fields that say where it goes, who tows it and what its fleet merges into. */
  ids: { to: string; tow: string; merge: string };
}

/** A fleet as the draft orders it. */
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
  /** Whether it is to be formed of ships of others. */
  formed: boolean;
  dummy: boolean;
  /** Ships that keep it from jumping. */
  bound: OrderShip[];
  /** Whether a gate is in its hex. */
  gate: boolean;
  /** Why it cannot move, or empty. */
  stuck: string;
  /** Into what it is merged, or empty. */
  gone: string;
  /** Hexes on its way this week. */
  path: Hex[];
  /** Where it is at the end of this week, or empty. */
  end: Hex;
  /** Where it goes after that. */
  goals: Hex[];
}

/** A step of a fleet's orders and plan. */
interface Leg {
  from: Hex;
  end: Hex;
  /** 0 where only the server can say it. */
  week: number;
  /** Whether the player asked for that hex, and not for one further on. */
  goal: boolean;
  path?: Hex[];
}

/** A plan as the server works it out. */
interface ServerPlan {
  end: Hex;
  goals: Hex[];
  legs: { end: Hex; week: number; goal: boolean }[];
}

/** What the draft does with a fleet, as the server says it (campaign/forms/week/fleet_lines.py). */
interface FleetLine {
  key: string;
  name: string;
  state: string;
  words: string;
  /** A problem, or empty. */
  problem: string;
  /** Whether its plan waits for ships that cannot jump. */
  is_waiting?: boolean;
}

/** The lines of all fleets, and of what else is ordered. */
interface FleetLines {
  lines: Record<string, FleetLine>;
  other: string[];
  [more: string]: any;
}

/** A field's text, or whether its box is ticked. */
type FieldValue = string | boolean;

/** A step of the player's that can be undone. */
interface OrderStep {
  words: string;
  /** What all fields held before. */
  state: Map<string, FieldValue>;
  /** The fleet that was chosen. */
  chosen: string | null;
}

/** What the forms of orders hold, those of the page and others. */
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
  /** The ways that are ordered, where nothing can be changed. */
  ways: { fleet: string; hexes: Hex[] }[];
}

/** A typed order, or what is wrong with it. */
type TypedOrder =
  | { fault: string; fleet?: OrderFleet }
  | { fault?: undefined; fleet: OrderFleet; intent: string; to?: undefined }
  | { fault?: undefined; fleet: OrderFleet; intent?: undefined; to: Hex[] };
