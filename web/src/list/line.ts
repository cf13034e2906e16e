// SPDX-License-Identifier: MIT
// What one row of the job list says, the same rules as the desktop window's. Pure.
import type { Bar, Job, State } from '../api/types';
import { bytes, clock, compact, count, duration, fraction, leftCompact, num, percent, text } from '../format/format';
import { elapsed, type HeldJob, openFor } from '../stream/state';

const terminal: ReadonlySet<State> = new Set(['finished', 'failed', 'interrupted', 'ended early']);
export const hasEnded = (job: Pick<Job, 'state'>) => terminal.has(job.state);
export const needsALook = (job: Pick<Job, 'state'>) =>
  ['failed', 'stalled', 'no contact', 'ended early'].includes(job.state);

export const jobName = (job: Job) => job.name?.trim() || 'Unnamed job';

/** The job's own progress: the top-level bar that ran longest. */
export function mainBar(job: Job): Bar | undefined {
  const top = job.bars.filter((bar) => bar.parent === null || bar.parent === undefined);
  return top.reduce<Bar | undefined>((a, b) => (a && num(a.elapsed) >= num(b.elapsed) ? a : b), undefined);
}

/** From 0 to 1; undefined when no end is known. */
export function progress(job: HeldJob, children: readonly HeldJob[] = []): number | undefined {
  const bar = mainBar(job);
  const done = bar && fraction(bar.n, bar.total);
  if (bar) return done === undefined ? undefined : Math.min(1, done);
  if (children.length === 0) return undefined;
  const sum = children.reduce((s, child) => s + (hasEnded(child) ? 1 : (progress(child) ?? 0)), 0);
  return sum / children.length;
}

export const endedAt = (job: Job) => Date.parse(job.started ?? '') + num(job.elapsed) * 1000;

/** In words, where the job's clock is so far from the collector's that its times mislead. */
export function clockOff(job: Job): string | undefined {
  const ahead = num(job.clock_skew);
  return Number.isNaN(ahead) ? undefined : `clock ${duration(Math.abs(ahead))} ${ahead > 0 ? 'ahead' : 'behind'}`;
}

/** For how long the youngest open stage has stood still. */
export function stillFor(job: HeldJob, now: number): number | undefined {
  const ages = job.stages.filter((s) => num(s.open) > 0).map((s) => openFor(s, job, now));
  return ages.length ? Math.min(...ages) : undefined;
}

function bestKnown(job: HeldJob, now: number, children: readonly HeldJob[]): string {
  const bar = mainBar(job);
  const nOfTotal = (b: Bar) => `${count(b.n)} of ${count(b.total)}`;
  if (job.state === 'ended early' && bar && fraction(bar.n, bar.total) !== undefined) return nOfTotal(bar);
  if (hasEnded(job)) return compact(elapsed(job, now));
  if (!bar) return children.length ? `${children.filter(hasEnded).length} of ${children.length}` : '';
  const done = fraction(bar.n, bar.total);
  if (done !== undefined) return done > 1 || children.length ? nOfTotal(bar) : percent(done);
  if (bar.unit === 'B') return text(bytes(bar.n));
  return bar.unit ? `${count(bar.n)} ${bar.unit}` : count(bar.n);
}

function whatComesNext(job: HeldJob, now: number, skew: number): string {
  if (hasEnded(job)) return clock(endedAt(job), now + skew);
  if (job.state === 'no contact') {
    const silent = (now + skew - Date.parse(job.last_contact ?? '')) / 1000;
    return Number.isFinite(silent) ? `silent for ${compact(Math.max(0, silent))}` : '';
  }
  if (job.state === 'stalled') {
    const still = stillFor(job, now);
    return still === undefined ? '' : `still for ${compact(still)}`;
  }
  const bar = mainBar(job);
  if (!bar) return '';
  const done = fraction(bar.n, bar.total);
  if (done === undefined) return 'no total';
  if (done > 1) return 'past its total';
  return bar.state === 'running' && Number.isFinite(num(bar.eta)) ? `${leftCompact(bar.eta)} left` : '';
}

export interface JobLine {
  readonly best: string;
  readonly next: string;
  readonly about: readonly string[];
  readonly showsProgress: boolean;
  readonly progress: number | undefined;
}

export function jobLine(job: HeldJob, now: number, skew: number, children: readonly HeldJob[] = []): JobLine {
  const about = job.host ? [job.host] : [];
  // Those that need a look drop the elapsed time first: what went wrong matters more.
  if (job.state === 'running') about.push(compact(elapsed(job, now)));
  const quiet = job.state === 'finished' || job.state === 'interrupted';
  return {
    best: bestKnown(job, now, children),
    next: whatComesNext(job, now, skew),
    about,
    showsProgress: !quiet && (mainBar(job) !== undefined || children.length > 0),
    progress: progress(job, children),
  };
}
