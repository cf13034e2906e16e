// SPDX-License-Identifier: MIT
// Jobs for unit tests: a plain running one, changed where a test says.
import type { Stage } from './api/types';
import type { HeldJob, HeldStage } from './stream/state';

/** When the values of made-up jobs were right, on the page's clock: 1 December 2026, 14:43 UTC. */
export const now = Date.parse('2026-12-01T14:43:00Z');

export const job = (more: Partial<HeldJob> = {}): HeldJob => ({
  id: 'job',
  name: 'job.py',
  state: 'running',
  started: '2026-12-01T12:11:00Z',
  elapsed: 9120,
  last_contact: '2026-12-01T14:43:00Z',
  bars: [],
  stages: [],
  metrics: {},
  at: now,
  ...more,
});

export const stage = (path: string, more: Partial<Stage> = {}): HeldStage => ({
  path: path.split('/'),
  kind: 'stage',
  count: 2,
  total: 2,
  self: 1,
  avg: 1,
  min: 1,
  max: 1,
  std: 0,
  last: 1,
  open: 0,
  at: now,
  ...more,
});
