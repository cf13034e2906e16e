// SPDX-License-Identifier: MIT
import { expect, test } from 'vitest';
import type { Bar, State } from '../api/types';
import { job, now, stage } from '../testing';
import { arrange, childrenOf } from './arrange';
import { clockOff, jobLine, mainBar } from './line';

const bar = (n: number, total?: number, more: Partial<Bar> = {}): Bar => ({
  id: 1,
  n,
  total,
  state: 'running',
  ...more,
});
const said = (more: Parameters<typeof job>[0], children: Parameters<typeof jobLine>[3] = []) => {
  const line = jobLine(job(more), now, 0, children);
  return [line.best, line.next, line.about.join(' ')].map((text) => text.replaceAll('\u00a0', ' '));
};

test('a row says what is known best, and what comes next', () => {
  expect(said({ host: 'gpu-04', bars: [bar(618, 1000, { eta: 8340 })] })).toEqual([
    '61.8 %',
    '2h 19m left',
    'gpu-04 2h 32m',
  ]);
  expect(said({ bars: [bar(3_410_000, undefined, { unit: 'rows' })] })).toEqual(['3.41 M rows', 'no total', '2h 32m']);
  expect(said({ bars: [bar(1280, 1200)] })).toEqual(['1,280 of 1,200', 'past its total', '2h 32m']);
  expect(said({ state: 'finished', host: 'h', bars: [bar(1, 1)] })).toEqual(['2h 32m', '14:43', 'h']);
  expect(said({ state: 'ended early', bars: [bar(1180, 1200)] })).toEqual(['1,180 of 1,200', '14:43', '']);
  expect(said({ state: 'no contact', last_contact: '2026-12-01T14:39:00Z' })).toEqual(['', 'silent for 4m 00s', '']);
  const still = [stage('a', { open: 1, since: 900 }), stage('a/b', { open: 1, since: 840 })];
  expect(said({ state: 'stalled', stages: still })).toEqual(['', 'still for 14m 00s', '']);
  expect(said({}, [job({ state: 'finished' }), job()])).toEqual(['1 of 2', '', '2h 32m']);
});

test('a clock that is off is said, one that is right is not', () => {
  expect(clockOff(job({ clock_skew: 90 }))?.replaceAll('\u00a0', ' ')).toBe('clock 1 min 30 s ahead');
  expect(clockOff(job({ clock_skew: -7200 }))?.replaceAll('\u00a0', ' ')).toBe('clock 2 h 00 min behind');
  expect(clockOff(job({ clock_skew: null }))).toBeUndefined();
  expect(clockOff(job())).toBeUndefined();
});

test('progress of a job without a bar is the mean of its children', () => {
  const children = [job({ state: 'finished' }), job({ bars: [bar(1, 2)] })];
  expect(jobLine(job(), now, 0, children).progress).toBe(0.75);
  expect(jobLine(job(), now, 0).showsProgress).toBe(false);
});

test('the main bar is the top-level one that ran longest', () => {
  const bars = [
    bar(1, 2, { id: 1, elapsed: 3 }),
    bar(1, 2, { id: 2, elapsed: 9 }),
    bar(1, 2, { id: 3, elapsed: 99, parent: 2 }),
  ];
  expect(mainBar(job({ bars }))?.id).toBe(2);
});

const list = (jobs: ReturnType<typeof job>[], search = '', state?: State, seen: string[] = [], folded: string[] = []) =>
  arrange(jobs, { search, state }, new Set(seen), new Set(folded)).map((g) => [
    g.section,
    ...g.rows.map((r) => r.job.id),
  ]);

test('what needs a look comes first, the worst on top; a seen end moves to Ended', () => {
  const jobs = [
    job({ id: 'run' }),
    job({ id: 'early', state: 'ended early' }),
    job({ id: 'silent', state: 'no contact' }),
    job({ id: 'failed', state: 'failed' }),
    job({ id: 'done', state: 'finished' }),
  ];
  expect(list(jobs)).toEqual([
    ['Needs a look', 'failed', 'silent', 'early'],
    ['Running', 'run'],
    ['Ended', 'done'],
  ]);
  expect(list(jobs, '', undefined, ['failed', 'silent'])).toEqual([
    ['Needs a look', 'silent', 'early'],
    ['Running', 'run'],
    ['Ended', 'done', 'failed'],
  ]);
});

test('children stand under their parent, unless folded or filtered; rings and strangers stand at the top', () => {
  const jobs = [
    job({ id: 'a' }),
    job({ id: 'b', parent: 'a', name: 'beta', tags: { lr: '1e-3' } }),
    job({ id: 'c', parent: 'b' }),
  ];
  expect(list(jobs)).toEqual([['Running', 'a', 'b', 'c']]);
  expect(list(jobs, '', undefined, [], ['b'])).toEqual([['Running', 'a', 'b']]);
  expect(list(jobs, 'BETA lr=1')).toEqual([['Running', 'b']]);
  expect(list(jobs, '', 'failed')).toEqual([]);
  const ring = new Map(
    [job({ id: 'x', parent: 'y' }), job({ id: 'y', parent: 'x' }), job({ id: 'z', parent: '?' })].map((j) => [j.id, j]),
  );
  expect(childrenOf(ring).get(undefined)).toHaveLength(3);
});
