// SPDX-License-Identifier: MIT
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Job, MirrorEvent } from '../api/types';
import { Mirror, paintInterval } from './mirror';
import type { Listener } from './source';

const page = Object.assign(new EventTarget(), { hidden: false });
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  page.hidden = false;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const job = (elapsed: number): Job => ({ id: 'a', state: 'running', elapsed, bars: [], stages: [], metrics: {} });
const start: MirrorEvent = { kind: 'snapshot', data: { boot: 1, now: '2026-12-01T14:43:00Z', jobs: [job(0)] } };
const step = (elapsed: number): MirrorEvent => ({ kind: 'job', data: { id: 'a', elapsed } });

function followed() {
  const mirror = new Mirror(() => Date.now());
  let source: Listener | undefined;
  mirror.follow((listener) => {
    source = listener;
    return () => undefined;
  });
  if (!source) throw new Error('not followed');
  const painted = vi.fn();
  mirror.subscribe(painted);
  return { mirror, source, painted };
}

test('many events in a moment are painted once, and the last one wins', () => {
  const { mirror, source, painted } = followed();
  source.event(start);
  for (let i = 1; i <= 50; ++i) source.event(step(i));
  vi.advanceTimersByTime(paintInterval);
  expect(painted).toHaveBeenCalledTimes(1);
  expect(mirror.shown().state.jobs.get('a')?.elapsed).toBe(50);
  for (let i = 0; i < 20; ++i) {
    source.event(step(100 + i));
    vi.advanceTimersByTime(50);
  }
  expect(painted.mock.calls.length).toBeLessThanOrEqual(6);
});

test('a hidden tab paints nothing, and shows the newest when it comes back', () => {
  const { mirror, source, painted } = followed();
  page.hidden = true;
  source.event(start);
  for (let i = 1; i <= 5000; ++i) source.event(step(i));
  vi.advanceTimersByTime(60_000);
  expect(painted).not.toHaveBeenCalled();
  page.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  vi.advanceTimersByTime(paintInterval);
  expect(mirror.shown().state.jobs.get('a')?.elapsed).toBe(5000);
});

test('what was known stays when the stream is lost, with since when', () => {
  const { mirror, source } = followed();
  source.live(true);
  source.event(start);
  source.live(false);
  const lost = Date.now();
  vi.advanceTimersByTime(5000);
  source.live(false);
  vi.advanceTimersByTime(paintInterval);
  expect(mirror.shown().live).toEqual({ now: false, since: lost });
  expect(mirror.shown().state.jobs.size).toBe(1);
});
