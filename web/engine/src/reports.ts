/** What a verb of the command line prints with `--json`; docs/cli.md tells the keys of each. */
export interface Report {
  warnings?: string[];
  notes?: string[];
  [key: string]: unknown;
}

export interface ClipDescription extends Report {
  format: string;
  joint_count: number;
  joints: { name: string; parent: string | null }[];
  frames: number;
  fps: number;
  duration_s: number;
  /** Of the file it was read from: what one of its units is in metres. */
  unit_m: number;
  up: string;
  roles: Record<string, string>;
}

export interface ClipStudy extends Report {
  contacts: Record<string, [number, number][]>;
  core: [number, number];
  root_speed_mps: number;
  cycle: { found: boolean; begin_s?: number; end_s?: number };
}

export interface ClipMeasures extends Report {
  foot_skate_mps: number;
  penetration_m: number;
  mean_jerk_mps3: number;
  peak_acceleration_mps2: number;
}
