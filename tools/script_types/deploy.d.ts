// The deployment page (campaign/pages/week/deploy_data.py).

/** Points that a side may spend, and on what. */
interface ForceBudget {
  id: string;
  title: string;
  points: number;
  /** "none" where its ships cannot jump. */
  ftl: string;
  /** Where its fleets may begin. */
  places: Hex[];
  /** The classes that it buys. */
  classes: string[];
}

/** A ship class as it can be bought. */
interface ShipClass {
  called: string;
  kind?: string;
  points: number;
  mass: number;
  thrust: number;
  ftl: boolean;
  armour: number;
  /** Boxes of each row of its damage track. */
  rows: number[];
  systems: string[];
  own?: boolean;
  design?: string;
}

/** How a fleet fights. */
interface Doctrine {
  range?: string;
  targets?: string;
  break_off?: string;
  flee?: boolean;
  [field: string]: any;
}

/** Ships of one class in a fleet. */
interface ShipRow {
  cls: string;
  count: number;
  names: string[];
}

/** A fleet of the force as it is planned. */
interface PlannedFleet {
  name: string;
  budget: string;
  hex: Hex;
  decoys: number;
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
  standing?: string;
  doctrine?: Doctrine | null;
  /** Class and name of each ship. */
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
  /** The price of a decoy; null where there are none. */
  decoys: number | null;
  /** The largest part of the ships that may be of one classification: 1 of 2 for a half. */
  limit: [number, number];
  /** The number of ships from which on that counts. */
  few: number;
  /** Standing orders: value and words. */
  choices: [string, string][];
}
