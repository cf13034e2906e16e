// SPDX-License-Identifier: MIT
import { expect, test } from 'vitest';
import type { Job, LogLine, MirrorEvent, Stage } from '../api/types';
import { applyEvent, applyEvents, applyLogPage, elapsed, keptLines, nothing, openFor, watchLog } from './state';

const stage = (...path: string[]): Stage => ({ path, kind: 'stage', count: 1, total: 1, self: 1 });
const job = (id: string, more: Partial<Job> = {}): Job => ({
  id,
  name: id,
  state: 'running',
  elapsed: 10,
  bars: [],
  stages: [],
  metrics: {},
  ...more,
});
const snapshot = (...jobs: Job[]): MirrorEvent => ({
  kind: 'snapshot',
  data: { boot: 1, now: '2026-12-01T14:43:00Z', jobs },
});
const line = (no: number, text = `line ${no}`): LogLine => ({ no, level: 'info', text });
const after = (...events: MirrorEvent[]) => events.reduce((state, event) => applyEvent(state, event, 1000), nothing);
const paths = (state: typeof nothing, id: string) => state.jobs.get(id)?.stages.map((s) => s.path.join('/'));

test('a snapshot replaces every job and sets the clocks', () => {
  const state = after(snapshot(job('a'), job('b')), snapshot(job('c')));
  expect([...state.jobs.keys()]).toEqual(['c']);
  expect(state.snapshots).toBe(2);
  expect(state.skew).toBe(Date.parse('2026-12-01T14:43:00Z') - 1000);
});

test('a delta changes only the keys it names, and leaves other jobs alone', () => {
  const before = after(snapshot(job('a', { host: 'h', metrics: { x: { value: 1 }, y: { value: 2 } } }), job('b')));
  const state = applyEvent(
    before,
    { kind: 'job', data: { id: 'a', state: 'failed', metrics: { x: { value: 3 } } } },
    1,
  );
  expect(state.jobs.get('a')).toMatchObject({
    state: 'failed',
    host: 'h',
    metrics: { x: { value: 3 }, y: { value: 2 } },
  });
  expect(state.jobs.get('b')).toBe(before.jobs.get('b'));
  expect(state.jobs.get('a')?.bars).toBe(before.jobs.get('a')?.bars);
});

test('a delta of an unknown job is dropped unless it brings the whole job', () => {
  const unknown: MirrorEvent = { kind: 'job', data: { id: 'a', state: 'failed' } };
  expect(after(unknown)).toBe(nothing);
  const whole: MirrorEvent = { kind: 'job', data: { ...job('a', { stages: [stage('x')] }), added: true } };
  expect(paths(after(whole), 'a')).toEqual(['x']);
  expect(after(whole).jobs.get('a')).not.toHaveProperty('added');
});

test('changed rows are matched by id and path, new ones go where `after` says', () => {
  const state = after(
    snapshot(job('a', { stages: [stage('x'), stage('y')], bars: [{ id: 1, n: 1, state: 'running' }] })),
    {
      kind: 'job',
      data: {
        id: 'a',
        stages: [
          { ...stage('x', 'z'), after: ['x'] },
          { ...stage('first'), after: null },
          { path: ['y'], count: 7 },
          stage('last'),
          { ...stage('x', 'w'), after: ['x', 'z'] },
        ],
        bars: [
          { id: 1, n: 5 },
          { id: 2, n: 0, state: 'running' },
        ],
      },
    },
  );
  expect(paths(state, 'a')).toEqual(['first', 'x', 'x/z', 'x/w', 'y', 'last']);
  expect(state.jobs.get('a')?.stages[4]).toMatchObject({ count: 7, total: 1 });
  expect(state.jobs.get('a')?.stages[1]).not.toHaveProperty('after');
  expect(state.jobs.get('a')?.bars.map((bar) => bar.n)).toEqual([5, 0]);
});

test('a name with separators in it is another path than one with more parts', () => {
  const state = after(snapshot(job('a', { stages: [stage('x', 'y')] })), {
    kind: 'job',
    data: { id: 'a', stages: [stage('x/y'), stage('x","y')] },
  });
  expect(state.jobs.get('a')?.stages).toHaveLength(3);
});

test('log lines come once, in order, however often they are sent', () => {
  const log = (...numbers: number[]): MirrorEvent => ({
    kind: 'log',
    data: { id: 'a', lines: numbers.map((no) => line(no)) },
  });
  let state = watchLog(after(snapshot(job('a'))), 'a');
  state = applyEvent(state, log(3, 4), 1);
  state = applyLogPage(state, 'a', { lines: [line(1), line(3), line(4)], first: 1 });
  state = applyEvent(state, log(4, 5), 1);
  state = applyEvent(state, log(2), 1);
  expect(state.log?.lines.map((l) => l.no)).toEqual([1, 2, 3, 4, 5]);
  expect(state.log?.loaded).toBe(true);
});

test('only the watched log is kept, bounded, and a repair asks for it again', () => {
  let state = watchLog(after(snapshot(job('a'))), 'a');
  state = applyEvent(state, { kind: 'log', data: { id: 'b', lines: [line(1)] } }, 1);
  expect(state.log?.lines).toEqual([]);
  const many = Array.from({ length: keptLines + 5 }, (_, i) => line(i + 1));
  state = applyEvent(state, { kind: 'log', data: { id: 'a', lines: many, again: true } }, 1);
  expect(state.log?.lines).toHaveLength(keptLines);
  expect(state.log?.lines[0]?.no).toBe(6);
  expect(state.log?.again).toBe(1);
  expect(watchLog(state, 'b').log?.lines).toEqual([]);
});

test('a batch of events makes what they make one by one, and leaves the state before as it was', () => {
  const events: MirrorEvent[] = [
    snapshot(job('a'), job('b')),
    { kind: 'job', data: { id: 'a', state: 'stalled' } },
    { kind: 'gone', data: { id: 'b' } },
    { kind: 'job', data: { ...job('c'), added: true } },
    snapshot(job('d')),
    { kind: 'job', data: { id: 'd', host: 'h' } },
  ];
  const before = after(snapshot(job('z')));
  const arrivals = events.map((event) => ({ event, at: 1000 }));
  expect(applyEvents(before, arrivals)).toEqual(events.reduce((s, e) => applyEvent(s, e, 1000), before));
  expect([...before.jobs.keys()]).toEqual(['z']);
});

test('gone jobs leave', () => {
  expect(after(snapshot(job('a')), { kind: 'gone', data: { id: 'a' } }).jobs.size).toBe(0);
});

test('a short stage is not aged by the way of its report', () => {
  const state = after(snapshot(job('a', { stages: [{ ...stage('x'), open: 1, since: 0.04 }] })));
  const a = state.jobs.get('a');
  if (!a?.stages[0]) throw new Error('a job');
  expect(openFor(a.stages[0], a, 1900)).toBe(0.04);
  expect(openFor(a.stages[0], a, 3000)).toBe(2.04);
});

test('clocks run on from the last word while the job runs, and stand still after', () => {
  const open = { ...stage('x'), open: 1, since: 2 };
  const state = after(snapshot(job('a', { stages: [open] }), job('b', { state: 'no contact' })));
  const [a, b] = [...state.jobs.values()];
  if (!a?.stages[0] || !b) throw new Error('two jobs');
  expect(elapsed(a, 4000)).toBe(13);
  expect(openFor(a.stages[0], a, 4000)).toBe(5);
  expect(elapsed(b, 4000)).toBe(10);
});
