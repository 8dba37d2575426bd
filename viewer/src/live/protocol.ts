// What the server answers about a job that keeps statistics, as PROTOCOL.md describes it.

export interface Look {
  name: string;
  program: string;
  command: string;
  mpi: string;
  hosts: string[];
  world: number;
  phase: "running" | "ended" | "died" | "silent";
  started_ns: number | null;
  heard_ns: number | null;
  view: Seen;
  recent: { rank: number; mpi: number; waiting: number | null }[];
  course: Moment[];
  rank: { rank: number; statements: Statement[] } | null;
  trouble: string | null;
}

export interface Seen {
  state: string;
  at_ns: number;
  duration_ns: number;
  mpi_share: number;
  imbalance: number;
  calls_per_second: number;
  bytes_per_second: number;
  ranks: Rank[];
  statements: Statement[];
  cycle: number[];
  notes: string[];
}

export interface Rank {
  rank: number;
  host: string;
  pid: number;
  state: "running" | "ended" | "died" | "silent";
  threads: { thread: number; name: string; place: string | null; for_ns: number; waits_for: string | null }[];
  mpi_share: number;
  time_ns: number;
  work_ns: number;
  waiting_ns: number | null;
  calls: number;
  bytes: number;
  calls_per_second: number;
  bytes_per_second: number;
}

export interface Statement {
  name: string;
  place: string;
  time_ns: number;
  share: number;
  calls: number;
  bytes: number;
  recent_share: number;
  calls_per_second: number;
  imbalance: number;
  inside: number;
}

export interface Moment {
  at_ns: number;
  calls_per_second: number;
  bytes_per_second: number;
  mpi: number | null;
  waiting: number | null;
}
