// The record of a battle that is kept at the table (campaign/pages/table/table_record.py).

/** What a tap or a form at the table says. Which values it has depends on its kind. */
interface RecordEntry {
  kind: string;
  ship?: string;
  first?: number;
  last?: number;
  off?: boolean;
  system?: string;
  hits?: number;
  name?: string;
  left?: number;
  site?: string | boolean;
  damage?: number;
  turn?: number;
  phase?: number;
  row?: number;
  rolls?: number[];
  status?: string;
  captor?: string;
  how?: string;
  about?: string;
  dice?: number;
  orders?: Record<string, string>;
}
