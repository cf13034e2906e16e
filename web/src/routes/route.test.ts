// SPDX-License-Identifier: MIT
import { expect, test } from 'vitest';
import { href, parseRoute } from './route';

test('addresses name a job and a tab, and survive anything', () => {
  expect(parseRoute('#/job/abc/stages')).toEqual({ job: 'abc', tab: 'stages' });
  expect(parseRoute('#/job/abc')).toEqual({ job: 'abc', tab: 'overview' });
  expect(parseRoute('#/job/abc/nonsense')).toEqual({ job: 'abc', tab: 'overview' });
  expect(parseRoute('')).toEqual({ job: undefined, tab: 'overview' });
  expect(parseRoute('#/job/%E0%A4%A')).toEqual({ job: '%E0%A4%A', tab: 'overview' });
  expect(parseRoute(href('a/b', 'log'))).toEqual({ job: 'a/b', tab: 'log' });
});
