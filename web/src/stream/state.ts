// SPDX-License-Identifier: MIT
// What the page knows, as one immutable value, and how each event of the stream changes it. Pure: the clock comes in
// with the event. Parts that did not change keep their identity, so that React draws only what did.
import type { Bar, Job, JobDelta, LogLine, LogPage, Maybe, MirrorEvent, Num, Path, Stage } from '../api/types';
import { num } from '../format/format';

/** A job and when its ages were right, on the page's clock (ms); a row's own time wins over the job's. */
export interface HeldJob extends Job {
  readonly at: number;
  readonly stages: readonly HeldStage[];
}
export interface HeldStage extends Stage {
  readonly at: number;
}

/** The log of the job on screen: lines by rising number, whatever order they came in. */
export interface HeldLog {
  readonly id: string;
  readonly lines: readonly LogLine[];
  readonly first: number;
  /** Bumped when earlier lines were repaired and have to be fetched again. */
  readonly again: number;
  readonly loaded: boolean;
}

export interface MirrorState {
  readonly boot: Num | undefined;
  /** The collector's clock minus the page's, ms. */
  readonly skew: number;
  readonly jobs: ReadonlyMap<string, HeldJob>;
  readonly log: HeldLog | undefined;
  /** Rises with every snapshot: what was fetched by other routes may have gaps since the one before. */
  readonly snapshots: number;
}

export const nothing: MirrorState = { boot: undefined, skew: 0, jobs: new Map(), log: undefined, snapshots: 0 };

/** The page keeps this many log lines; the whole log is one click away at the collector. */
export const keptLines = 10_000;

/** An event, and when it came, on the page's clock. */
export interface Arrival {
  readonly event: MirrorEvent;
  readonly at: number;
}

/** Many events at once cost one copy of the job table, not one each. */
export function applyEvents(state: MirrorState, arrivals: readonly Arrival[]): MirrorState {
  let next = state;
  let own: Map<string, HeldJob> | undefined;
  const table = () => {
    own ??= new Map(next.jobs);
    return own;
  };
  for (const { event, at } of arrivals) {
    const { kind, data } = event;
    const jobs: ReadonlyMap<string, HeldJob> = own ?? next.jobs;
    if (kind === 'snapshot') {
      next = withSnapshot(next, data, at);
      own = undefined;
    } else if (kind === 'log') {
      next = withLog(next, data);
    } else if (kind === 'gone') {
      if (jobs.has(data.id)) table().delete(data.id);
    } else {
      const before = jobs.get(data.id);
      if (data.added) table().set(data.id, added(data, at));
      else if (before) table().set(data.id, merged(before, data, at));
    }
  }
  return own ? { ...next, jobs: own } : next;
}

export const applyEvent = (state: MirrorState, event: MirrorEvent, at: number) => applyEvents(state, [{ event, at }]);

type Data<Kind extends MirrorEvent['kind']> = Extract<MirrorEvent, { kind: Kind }>['data'];

function withSnapshot(state: MirrorState, { boot, now, jobs }: Data<'snapshot'>, at: number): MirrorState {
  const skew = Date.parse(now) - at;
  return {
    ...state,
    boot,
    skew: Number.isFinite(skew) ? skew : state.skew,
    jobs: new Map(jobs.map((job) => [job.id, held(job, at)])),
    snapshots: state.snapshots + 1,
  };
}

function withLog(state: MirrorState, { id, lines, again }: Data<'log'>): MirrorState {
  if (state.log?.id !== id) return state;
  const log = withLines(state.log, lines);
  return { ...state, log: again ? { ...log, again: log.again + 1 } : log };
}

/** Chooses whose log is kept: the one on screen. */
export function watchLog(state: MirrorState, id: string | undefined): MirrorState {
  if (state.log?.id === id) return state;
  return { ...state, log: id ? { id, lines: [], first: 1, again: 0, loaded: false } : undefined };
}

export function applyLogPage(state: MirrorState, id: string, page: LogPage): MirrorState {
  if (state.log?.id !== id) return state;
  const log = withLines(state.log, page.lines);
  return { ...state, log: { ...log, first: page.first ?? log.first, loaded: true } };
}

const held = (job: Job, at: number): HeldJob => ({ ...job, at, stages: job.stages.map((stage) => ({ ...stage, at })) });

function added(delta: JobDelta, at: number): HeldJob {
  const { added: _, bars = [], stages = [], ...rest } = delta;
  const empty: HeldJob = { id: delta.id, state: 'running', bars: [], stages: [], metrics: {}, at };
  return merged(empty, { ...rest, bars, stages }, at);
}

function merged(job: HeldJob, delta: JobDelta, at: number): HeldJob {
  const { bars, stages, metrics, added: _, ...rest } = delta;
  return {
    ...job,
    ...rest,
    at: delta.elapsed === undefined ? job.at : at,
    bars: bars ? mergeRows(job.bars, bars, barKey, (id) => String(id)) : job.bars,
    stages: stages
      ? mergeRows(job.stages, stages.map((stage) => ({ ...stage, at })) as HeldStage[], stageKey, pathKey)
      : job.stages,
    metrics: metrics ? { ...job.metrics, ...metrics } : job.metrics,
  };
}

export const pathKey = (path: Path) => JSON.stringify(path);
const barKey = (bar: Pick<Bar, 'id'>) => String(bar.id);
const stageKey = (stage: Pick<Stage, 'path'>) => pathKey(stage.path);

/** Changed rows replace the fields they name; an unknown row goes after the one it names, at the front for null. */
function mergeRows<Row extends object, Name>(
  rows: readonly Row[],
  changes: readonly (Partial<Row> & { after?: Maybe<Name> })[],
  keyOf: (row: Row) => string,
  keyOfName: (name: Name) => string,
): readonly Row[] {
  const merged = [...rows];
  const places = new Map(rows.map((row, i) => [keyOf(row), i]));
  for (const { after, ...change } of changes) {
    const row = change as unknown as Row;
    const key = keyOf(row);
    const place = places.get(key);
    if (place !== undefined) {
      merged[place] = { ...merged[place], ...row };
      continue;
    }
    const previous = after === null || after === undefined ? undefined : places.get(keyOfName(after));
    const where = after === null ? 0 : previous === undefined ? merged.length : previous + 1;
    merged.splice(where, 0, row);
    for (let i = where; i < merged.length; ++i) places.set(keyOf(merged[i] as Row), i);
  }
  return merged;
}

/** Merges by number: a line that is already there is replaced, never doubled. */
function withLines(log: HeldLog, lines: readonly LogLine[]): HeldLog {
  if (lines.length === 0) return log;
  const last = log.lines.at(-1)?.no ?? 0;
  const inOrder = lines.every((line, i) => line.no > (i ? (lines[i - 1]?.no ?? 0) : last));
  const all = inOrder ? [...log.lines, ...lines] : sorted([...log.lines, ...lines]);
  return { ...log, lines: all.length > keptLines ? all.slice(-keptLines) : all };
}

function sorted(lines: readonly LogLine[]): LogLine[] {
  const byNumber = new Map(lines.map((line) => [line.no, line]));
  return [...byNumber.values()].sort((a, b) => a.no - b.no);
}

/** Seconds since the job's values were right, while its clock runs. */
export function sinceHeard(job: HeldJob, now: number): number {
  return job.state === 'running' || job.state === 'stalled' ? Math.max(0, now - job.at) / 1000 : 0;
}

export function elapsed(job: HeldJob, now: number): number {
  return num(job.elapsed) + sinceHeard(job, now);
}

/** For how long a stage is open. A short one has most likely been left and entered again since the last word: within a
 * second of it the age stays as it was told, or every short stage would look slow. */
export function openFor(stage: HeldStage, job: HeldJob, now: number): number {
  const told = num(stage.since);
  const runs = job.state === 'running' || job.state === 'stalled';
  const since = runs ? Math.max(0, now - stage.at) / 1000 : 0;
  return told < 1 && since < 1 ? told : told + since;
}
