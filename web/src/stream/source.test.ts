// SPDX-License-Identifier: MIT
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MirrorEvent } from '../api/types';
import { backoff, eventSource } from './source';

class FakeStream extends EventTarget {
  static all: FakeStream[] = [];
  onopen?: () => void;
  onerror?: () => void;
  readyState = 0;
  constructor(readonly url: string) {
    super();
    FakeStream.all.push(this);
  }
  say(kind: string, data: string, lastEventId = '') {
    this.dispatchEvent(Object.assign(new Event(kind), { data, lastEventId }));
  }
  fail(readyState: number) {
    this.readyState = readyState;
    this.onerror?.();
  }
  close() {
    this.readyState = 2;
  }
}

beforeEach(() => {
  FakeStream.all = [];
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', { CLOSED: 2 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function start() {
  const events: MirrorEvent[] = [];
  const live: boolean[] = [];
  const open = (url: string) => new FakeStream(url) as unknown as EventSource;
  const stop = eventSource('/events', open)({ event: (e) => events.push(e), live: (l) => live.push(l) });
  return { events, live, stop, stream: () => FakeStream.all.at(-1) as FakeStream };
}

test('events arrive by kind, and broken ones are skipped', () => {
  const { events, stream } = start();
  stream().say('gone', '{"id":"a"}', '7');
  stream().say('job', '{"id":');
  stream().say('surprise', '{}');
  expect(events).toEqual([{ kind: 'gone', data: { id: 'a' } }]);
});

test('while the browser retries by itself no second stream is opened', () => {
  const { live, stream } = start();
  stream().onopen?.();
  stream().fail(0);
  vi.advanceTimersByTime(60_000);
  expect(FakeStream.all).toHaveLength(1);
  stream().onopen?.();
  expect(live).toEqual([true, false, true]);
});

test('a closed stream is opened again after the last event seen, until stopped', () => {
  const { stop, stream } = start();
  stream().say('gone', '{"id":"a"}', '41');
  stream().fail(2);
  vi.advanceTimersByTime(1000);
  expect(stream().url).toBe('/events?after=41');
  stream().fail(2);
  stop();
  vi.advanceTimersByTime(60_000);
  expect(FakeStream.all).toHaveLength(2);
});

test('waits grow, stay bounded, and differ', () => {
  expect([0, 1, 2, 9].map((n) => backoff(n, () => 0))).toEqual([1000, 2000, 4000, 15_000]);
  expect(backoff(9, () => 1)).toBeCloseTo(10_000);
});
