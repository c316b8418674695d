// Types of the deployment page (campaign/pages/week/deploy_data.py).

/** A budget of points, with the classes that it can buy. */
interface ForceBudget {
  id: string;
  title: string;
  points: number;
  /** "none" if its ships cannot jump. */
  ftl: string;
  /** The hexes where its fleets can start. */
  places: Hex[];
  /** The keys of the classes that it can buy. */
  classes: string[];
}

/** A ship class that can be bought. */
interface ShipClass {
  name: string;
  kind?: string;
  points: number;
  /** Its groups of fighters with pilots. */
  groups: number;
  mass: number;
  thrust: number;
  ftl: boolean;
  armour: number;
  /** The number of boxes in each row of the damage track. */
  rows: number[];
  systems: string[];
  own?: boolean;
  design?: string;
}

/** A fleet's doctrine: how it fights. */
interface Doctrine {
  range?: string;
  targets?: string;
  break_off?: string;
  flee?: boolean;
  [field: string]: any;
}

/** Ships of one class in a fleet. */
interface ShipRow {
  /** The key of the class. */
  cls: string;
  count: number;
  names: string[];
}

/** A fleet of the planned force. */
interface PlannedFleet {
  name: string;
  /** The id of its budget. */
  budget: string;
  hex: Hex;
  decoys: number;
  /** The thrust of its decoys; 0 if they fly as fast as the ships they pass for. */
  decoyThrust: number;
  /** Its groups of fighters with a bought ace. */
  aces: number;
  standing: string;
  doctrine: Doctrine | null;
  ships: ShipRow[];
}

/** A fleet in stored orders. */
interface DeployItem {
  name?: string;
  budget: string;
  hex?: Hex;
  decoys?: number | string;
  decoy_thrust?: number | string;
  /** The bought aces, by ship and bay. */
  pilots?: Record<string, Record<string, string>>;
  standing?: string;
  doctrine?: Doctrine | null;
  /** The class key and name of each ship. */
  ships?: [string, string][];
}

interface ForcePreset {
  id: string;
  title: string;
  deploy: DeployItem[];
}

/** The data of the page. */
interface DeployData {
  me: string;
  ground: MapGround;
  moment: MapMoment;
  fields: Record<string, FormField>;
  budgets: ForceBudget[];
  classes: Record<string, ShipClass>;
  presets: ForcePreset[];
  deploy: DeployItem[];
  faults: Fault[];
  /** The price of a decoy in points; null if decoys are not allowed. */
  decoys: number | null;
  /** The greatest thrust that a player may choose for decoys; 0 if they all fly alike. */
  decoyThrust: number;
  /** The price of an ace in points; null if they are not for sale. */
  aces: number | null;
  /** The largest share of ships of one classification, as a fraction: [1, 2] is a half. */
  limit: [number, number];
  /** The number of ships from which that limit applies. */
  few: number;
  /** The standing orders: value and label. */
  choices: [string, string][];
}
