// SPDX-License-Identifier: MIT
// What the views of a job show, as values.
import { expect, test } from 'vitest';
import type { LogLine } from '../api/types';
import { rowsUp } from '../parts/parts';
import { job, now, stage } from '../testing';
import { tree } from './Bars';
import { cutAtHits, logRows } from './logRows';
import { reason } from './reason';
import { curve, isCurve, noPoints, pointsOf, withLatest } from './series';
import { measuredTotal, type Sort, stageRows } from './stageRows';
import { parseTraceback } from './traceback';

const why = (more: Parameters<typeof job>[0]) => {
  const answer = reason(job(more), now, 0);
  return answer && [answer.title, answer.what, answer.before].filter(Boolean).join(' | ').replaceAll('\u00a0', ' ');
};

test('the reason is said in sentences that hold only facts', () => {
  const bars = [{ id: 1, desc: 'iteration', n: 1284, total: 2000, state: 'failed' as const }];
  const error = { type: 'ValueError', message: 'array must not contain infs or NaNs' };
  const metrics = { residual: { value: 'nan', first_nonfinite: { step: 1281 } } };
  expect(why({ state: 'failed', exit_code: 1, error, bars, metrics })).toBe(
    'ValueError: array must not contain infs or NaNs | Raised in iteration 1,284 of 2,000. Exit code 1 after 2 h 32 min.' +
      ' | The metric residual first stopped being a number at step 1,281.',
  );
  expect(why({ state: 'failed', exit_signal: 9 })).toBe('Killed by SIGKILL after 2 h 32 min.');
  expect(why({ state: 'failed', exit_code: 3 })).toBe('Exit code 3 after 2 h 32 min.');
  expect(
    why({ state: 'stalled', stages: [stage('a', { open: 1, since: 840, avg: 12 })], usage: { cpu_rate: 0 } }),
  ).toBe('No progress for 14 min 00 s. a usually takes 12.0 s. | The process is alive and uses 0.0 cores.');
  expect(why({ state: 'no contact', last_contact: '2026-12-01T14:39:00Z' })).toMatch(/^Last heard 4 min 00 s ago\./);
  expect(why({ state: 'interrupted', bars: [{ id: 1, n: 37, total: 100, state: 'interrupted' }] })).toMatch(
    /^Stopped with Ctrl-C at 37\.0 %\./,
  );
  expect(why({ state: 'ended early', bars: [{ id: 1, n: 1180, total: 1200, state: 'running' }] })).toMatch(
    /^Exit code 0, but only 1,180 of 1,200 were done\./,
  );
  expect(why({})).toBeUndefined();
});

test('a traceback is cut into frames, with those of libraries folded', () => {
  const text = [
    'Traceback (most recent call last):',
    '  File "/home/u/run.py", line 3, in main',
    '    solve(x)',
    '    ~~~~~^^^',
    '  File "/v/lib/python3.11/site-packages/scipy/linalg/a.py", line 5, in f',
    '    g()',
    '  File "/v/lib/python3.11/site-packages/scipy/linalg/b.py", line 6, in g',
    'ValueError: no',
  ].join('\n');
  expect(parseTraceback(text)).toEqual([
    { library: undefined, frames: [{ file: '/home/u/run.py', line: '3', name: 'main', source: 'solve(x)' }] },
    {
      library: 'scipy',
      frames: [expect.objectContaining({ name: 'f' }), expect.objectContaining({ name: 'g', source: '' })],
    },
    { text: 'ValueError: no' },
  ]);
  expect(parseTraceback('Stacktrace:\n [1] f()')).toEqual([{ text: 'Stacktrace:\n [1] f()' }]);
});

test('stages are sorted among siblings, folded, searched, and orphans keep a place', () => {
  const stages = [
    stage('a', { total: 3 }),
    stage('a/x', { total: 1 }),
    stage('a/y', { total: 2 }),
    stage('b', { total: 9 }),
    stage('gone/z'),
  ];
  const shown = (sort: Sort, folded: string[] = [], search = '') =>
    stageRows(stages, sort, new Set(folded), search).map((row) => `${row.depth}${row.stage.path.join('/')}`);
  expect(shown({ column: 'total', down: true })).toEqual(['0b', '0a', '1a/y', '1a/x', '0gone/z']);
  expect(shown({ column: 'stage', down: false })).toEqual(['0a', '1a/x', '1a/y', '0b', '0gone/z']);
  expect(shown({ column: 'total', down: true }, ['["a"]'])).toEqual(['0b', '0a', '0gone/z']);
  expect(shown({ column: 'total', down: true }, ['["a"]'], 'X')).toEqual(['0a', '1a/x']);
  expect(measuredTotal(stages)).toBe(12);
});

test('bars stand under their parents; strangers and rings stand at the top', () => {
  const bar = (id: number, parent?: number) => ({ id, parent, n: 0, state: 'running' as const });
  const shown = tree([bar(1), bar(2, 1), bar(3), bar(4, 2), bar(5, 99), bar(6, 7), bar(7, 6)]);
  expect(shown.map((row) => `${row.depth}:${row.bar.id}`)).toEqual(['0:1', '1:2', '2:4', '0:3', '0:5', '0:6', '0:7']);
  expect(rowsUp([0, 1, 2, 1])).toEqual([0, 1, 1, 2]);
});

const line = (no: number, level: LogLine['level'], text: string): LogLine => ({ no, level, text, up: no });

test('lost lines show where they are missing; hidden levels are not lost', () => {
  const lines = [line(1, 'info', 'one'), line(2, 'debug', 'two'), line(3, 'info', 'three'), line(7, 'error', 'seven')];
  const rows = logRows(job(), lines, new Set(['debug']), 'THR');
  expect(rows.map((row) => (row.kind === 'gap' ? row.text : `${row.no}${row.hit ? ' hit' : ''}`))).toEqual([
    '1',
    '3 hit',
    '3 lines lost on the way, 12:11:03 to 12:11:07',
    '7',
  ]);
  expect(cutAtHits('aXbxa', 'x')).toEqual(['a', 'X', 'b', 'x', 'a']);
  expect(cutAtHits('<b>', '<b>')).toEqual(['', '<b>', '']);
});

test('a curve has each point once, breaks where a value is not finite, and goes along steps where all have one', () => {
  const fetched = pointsOf({ step: [1, 2, 3], up: [10, 20, 30], value: [0.5, 'nan', 0.25] });
  const later = withLatest(fetched, { value: 0.2, step: 4, up: 40 });
  expect(withLatest(later, { value: 0.2, step: 4, up: 40 })).toBe(later);
  expect(curve(later)).toEqual({
    byStep: true,
    x: [1, 2, 3, 4],
    y: [0.5, null, 0.25, 0.2],
    broken: [{ x: 2, word: 'NaN' }],
  });
  expect(curve(later, true).x).toEqual([10, 20, 30, 40]);
  expect(curve(withLatest(later, { value: 1, up: 50 })).byStep).toBe(false);
  expect(isCurve(withLatest(noPoints, { value: 'text', up: 1 }))).toBe(false);
  expect(isCurve(withLatest(noPoints, { value: 'inf', up: 1 }))).toBe(true);
});
