// SPDX-License-Identifier: MIT
// Which rows the job list has, in which order: sections, children under their parent, search and state filter. Pure.
import type { State } from '../api/types';
import type { HeldJob } from '../stream/state';
import { endedAt, hasEnded, jobName, needsALook } from './line';

export const sections = ['Needs a look', 'Running', 'Ended'] as const;
export type Section = (typeof sections)[number];
export interface Filter {
  readonly search: string;
  readonly state: State | undefined;
}
export interface Row {
  readonly job: HeldJob;
  readonly depth: number;
  readonly children: readonly HeldJob[];
}
export interface Group {
  readonly section: Section;
  readonly count: number;
  readonly rows: readonly Row[];
}

export function matches(job: HeldJob, filter: Filter): boolean {
  if (filter.state && job.state !== filter.state) return false;
  const tags = Object.entries(job.tags ?? {}).map(([key, value]) => `${key}=${value}`);
  const all = [jobName(job), job.host ?? '', job.id, ...tags].join(' ').toLowerCase();
  return filter.search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

function sectionOf(job: HeldJob, seen: ReadonlySet<string>): Section {
  if (needsALook(job) && !(hasEnded(job) && seen.has(job.id))) return 'Needs a look';
  return hasEnded(job) ? 'Ended' : 'Running';
}

const urgency: Partial<Record<State, number>> = { failed: 0, stalled: 1, 'no contact': 2, 'ended early': 3 };

function compare(section: Section, a: HeldJob, b: HeldJob): number {
  const worse = (urgency[a.state] ?? 4) - (urgency[b.state] ?? 4);
  if (section === 'Needs a look' && worse) return worse;
  const time = (job: HeldJob) => (section === 'Running' ? Date.parse(job.started ?? '') : endedAt(job)) || 0;
  return time(b) - time(a) || (a.id < b.id ? -1 : 1);
}

export function arrange(
  jobs: Iterable<HeldJob>,
  filter: Filter,
  seen: ReadonlySet<string>,
  folded: ReadonlySet<string>,
): Group[] {
  const all = new Map([...jobs].map((job) => [job.id, job]));
  const children = childrenOf(all);
  const filtered = filter.search.trim() !== '' || filter.state !== undefined;
  const tops = filtered ? [...all.values()].filter((job) => matches(job, filter)) : (children.get(undefined) ?? []);
  const row = (job: HeldJob, depth: number): Row[] => {
    const own = filtered ? [] : (children.get(job.id) ?? []);
    return [{ job, depth, children: own }, ...(folded.has(job.id) ? [] : own.flatMap((c) => row(c, depth + 1)))];
  };
  return sections.flatMap((section) => {
    const members = tops.filter((job) => sectionOf(job, seen) === section).sort((a, b) => compare(section, a, b));
    return members.length ? [{ section, count: members.length, rows: members.flatMap((job) => row(job, 0)) }] : [];
  });
}

/** Children by parent; those at the top, and those whose claimed ancestors form a ring, under undefined. */
export function childrenOf(jobs: ReadonlyMap<string, HeldJob>): Map<string | undefined, HeldJob[]> {
  const parentOf = (job: HeldJob) => (job.parent ? jobs.get(job.parent) : undefined);
  const inRing = (job: HeldJob) => {
    let steps = 0;
    for (let at = parentOf(job); at; at = parentOf(at)) if (++steps > jobs.size) return true;
    return false;
  };
  const children = new Map<string | undefined, HeldJob[]>();
  for (const job of jobs.values()) {
    const parent = parentOf(job);
    const key = parent && !inRing(job) ? parent.id : undefined;
    const siblings = children.get(key);
    if (siblings) siblings.push(job);
    else children.set(key, [job]);
  }
  return children;
}
