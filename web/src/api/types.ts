// SPDX-License-Identifier: MIT
// The mirror's JSON, one type per endpoint and event (collector/mirror/API.md). Unknown is absent or null.

/** A number as the mirror sends it: NaN and infinities are "nan", "inf", "-inf"; integers above 2^53 decimal text. */
export type Num = number | string;
export type Maybe<T> = T | null | undefined;

export const states = ['running', 'stalled', 'no contact', 'finished', 'failed', 'interrupted', 'ended early'] as const;
export type State = (typeof states)[number];
export type BarState = 'running' | 'done' | 'left' | 'failed' | 'interrupted';
export const levels = ['debug', 'info', 'warning', 'error', 'critical'] as const;
export type Level = (typeof levels)[number];
export type Path = readonly string[];

export interface Bar {
  id: Num;
  parent?: Maybe<Num>;
  stage?: Maybe<Path>;
  desc?: Maybe<string>;
  n: Num;
  total?: Maybe<Num>;
  initial?: Maybe<Num>;
  unit?: Maybe<string>;
  elapsed?: Maybe<number>;
  rate?: Maybe<Num>;
  eta?: Maybe<Num>;
  eta_range?: Maybe<[Num, Num]>;
  state: BarState;
  repeats?: Maybe<Num>;
}

export interface Stage {
  path: Path;
  kind: 'stage' | 'call';
  count: Num;
  total: number;
  self: number;
  avg?: Maybe<number>;
  min?: Maybe<number>;
  max?: Maybe<number>;
  std?: Maybe<number>;
  last?: Maybe<number>;
  open?: Maybe<Num>;
  since?: Maybe<number>;
  errors?: Maybe<Num>;
  note?: Maybe<string>;
  trend?: Maybe<readonly Num[]>;
}

export type Value = Num | boolean;
export interface Metric {
  value: Value;
  step?: Maybe<Num>;
  up?: Maybe<number>;
  recent?: Maybe<readonly Value[]>;
  first_nonfinite?: Maybe<{ step?: Maybe<Num>; up?: Maybe<number> }>;
}

export interface Usage {
  rss?: Maybe<Num>;
  peak?: Maybe<Num>;
  cpu?: Maybe<number>;
  cpu_rate?: Maybe<number>;
  threads?: Maybe<number>;
  children?: Maybe<number>;
  tree_rss?: Maybe<Num>;
  gpu?: Maybe<readonly number[]>;
  gpu_mem?: Maybe<readonly number[]>;
}

export interface Job {
  id: string;
  name?: Maybe<string>;
  host?: Maybe<string>;
  pid?: Maybe<Num>;
  user?: Maybe<string>;
  parent?: Maybe<string>;
  tags?: Maybe<Readonly<Record<string, string>>>;
  state: State;
  started?: Maybe<string>;
  elapsed?: Maybe<number>;
  last_contact?: Maybe<string>;
  clock_skew?: Maybe<number>;
  exit_code?: Maybe<number>;
  exit_signal?: Maybe<number>;
  error?: Maybe<{ type?: Maybe<string>; message?: Maybe<string>; traceback?: Maybe<string> }>;
  peak_memory?: Maybe<Num>;
  usage?: Maybe<Usage>;
  iterations?: Maybe<{ n: Num; total?: Maybe<Num> }>;
  bars: readonly Bar[];
  stages: readonly Stage[];
  metrics: Readonly<Record<string, Metric>>;
  log?: Maybe<{ first?: Maybe<number>; last?: Maybe<number>; lines?: Maybe<number> }>;
  lost?: Maybe<{ datagrams?: number; logs?: number; metrics?: number }>;
}

export interface LogLine {
  no: number;
  up?: Maybe<number>;
  time?: Maybe<string>;
  level: Level;
  text: string;
  stage?: Maybe<Path>;
  cut?: Maybe<Num>;
}

/** GET /api/jobs/{id}/log */
export interface LogPage {
  lines: readonly LogLine[];
  first?: Maybe<number>;
  last?: Maybe<number>;
  lost?: Maybe<number>;
}

/** GET /api/jobs/{id}/metrics.json */
export interface Series {
  step?: Maybe<readonly Maybe<Num>[]>;
  up: readonly Num[];
  value: readonly Value[];
}
export type SeriesByName = Readonly<Record<string, Series>>;

/** A changed row names where a new one goes: after this row; null is first, absent is at the end. */
export type BarDelta = Partial<Bar> & Pick<Bar, 'id'> & { after?: Maybe<Num> };
export type StageDelta = Partial<Stage> & Pick<Stage, 'path'> & { after?: Maybe<Path> };
export type JobDelta = Omit<Partial<Job>, 'id' | 'bars' | 'stages'> & {
  id: string;
  added?: boolean;
  bars?: readonly BarDelta[];
  stages?: readonly StageDelta[];
};

/** The events of GET /events */
export type MirrorEvent =
  | { kind: 'snapshot'; data: { boot: Num; version?: string; now: string; jobs: readonly Job[] } }
  | { kind: 'job'; data: JobDelta }
  | { kind: 'log'; data: { id: string; lines: readonly LogLine[]; last?: number; again?: boolean } }
  | { kind: 'gone'; data: { id: string } };
