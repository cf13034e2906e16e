// SPDX-License-Identifier: GPL-3.0-or-later
// The page, played through: what jobs report shows, moves, survives, and stays text.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Collector, FakeJob, launch, open, phone } from './support';

let browser: Browser;
let collector: Collector;
const jobs: FakeJob[] = [];

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  collector = new Collector();
  await collector.start();
});
afterEach(async () => {
  for (const job of jobs.splice(0)) job.close();
  for (const context of browser.contexts()) await context.close();
  await collector.stop();
});

function job(hello: Record<string, unknown>): FakeJob {
  const made = new FakeJob(collector, hello);
  jobs.push(made);
  return made;
}

const bar = (n: number, more = {}) => ({
  id: 1,
  desc: 'epoch',
  n,
  total: 200,
  elapsed: 10,
  rate: 4,
  eta: 30,
  state: 'running',
  ...more,
});
const stage = (path: string[], n: number, sum: number, more = {}) => ({
  path,
  kind: 'stage',
  n,
  sum,
  min: sum / n,
  max: sum / n,
  m2: 0,
  last: sum / n,
  ...more,
});
const log = (no: number, text: string, level = 'info') => ({ no, up: no / 10, level, text });

const shows = (page: Page, selector: string, text: string | RegExp) =>
  page.locator(selector).filter({ hasText: text }).first().waitFor();
/** Text as the reader sees it, with plain spaces. */
const textOf = async (page: Page, selector: string) =>
  ((await page.locator(selector).first().textContent()) ?? '').replaceAll('\u00a0', ' ');
const goTo = (page: Page, tab: string) => page.locator('.tabs a').filter({ hasText: tab }).click();

test('an empty page waits, and the first job comes by itself', async () => {
  const { page, wrong } = await open(browser, collector.url);
  await shows(page, 'main', 'Waiting for the first job');
  await job({ name: 'first.py' }).report({ bars: [bar(82)] });
  await shows(page, '.job-row', 'first.py');
  expect(await textOf(page, '.job-row .best')).toBe('41.0 %');
  await shows(page, '.live', 'Live');
  expect(wrong).toEqual([]);
});

test('bars, stages, metrics and log show and move', async () => {
  const it = job({ name: 'solver.py', tags: { seed: '7' } });
  await it.report({
    bars: [bar(100), { id: 2, parent: 1, desc: 'batch', n: 3, total: 12, state: 'running' }],
    stages: [
      stage(['solve'], 100, 9, { open: 1, since: 0.5 }),
      stage(['solve', 'fft'], 100, 4.5),
      stage(['load'], 1, 1),
    ],
    metrics: [
      { no: 1, name: 'loss', step: 1, up: 1, value: 0.5 },
      { no: 2, name: 'good', step: 1, up: 1, value: true },
    ],
    logs: [log(1, 'hello'), log(2, 'careful', 'warning')],
  });
  const { page, wrong } = await open(browser, `${collector.url}/#/job/${it.id}/overview`);
  await shows(page, '.job-head h1', 'solver.py');
  await shows(page, '.bars .row', /epoch.*100 \/ 200/);
  await shows(page, '.bars .row', /batch.*3 \/ 12/);
  await shows(page, '.now .row', 'solve');
  await shows(page, '.latest-metrics .row', /loss.*0\.5/);
  await shows(page, '.latest-metrics .row', /good.*yes/);
  await shows(page, '.latest-log .row', 'careful');

  await it.report({
    bars: [bar(150)],
    metrics: [{ no: 3, name: 'loss', step: 2, up: 2, value: 'nan' }],
    logs: [log(3, 'third')],
  });
  await shows(page, '.bars .row', /epoch.*150 \/ 200/);
  await shows(page, '.latest-metrics .row.broken', 'NaN');
  await shows(page, '.readouts .done', /75\.0/);

  await goTo(page, 'Stages');
  expect(
    await page.locator('tr[data-stage]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-stage'))),
  ).toEqual(['solve', 'solve/fft', 'load']);
  expect(await textOf(page, 'tr[data-stage="solve/fft"] .c-avg')).toBe('45.0 ms');
  // 9 s of 10 s when it was reported, and it grows, for the stage is still open.
  expect(await textOf(page, 'tr[data-stage="solve"] .c-share')).toMatch(/^9[0-5]\.\d %$/);
  await it.report({ stages: [stage(['solve', 'fft'], 101, 4.6), stage(['solve', 'late'], 1, 0.1)] });
  await shows(page, 'tr[data-stage="solve/fft"] .c-count', '101');
  await page.locator('tr[data-stage="solve/late"]').waitFor();
  await page.locator('th.c-stage button').click();
  await expect.poll(() => page.locator('tr[data-stage]').first().getAttribute('data-stage')).toBe('load');

  await goTo(page, 'Log');
  await shows(page, '.log-row', 'third');
  await it.report({ logs: [log(6, 'sixth', 'error')] });
  await shows(page, '.log-row.gap', '2 lines lost on the way');
  await shows(page, '.log-row.level-error', 'sixth');
  await page.getByPlaceholder('Find in log').fill('ir');
  await shows(page, '.log-row mark', 'ir');
  expect(await textOf(page, '.search .count')).toBe('1 of 1');

  await goTo(page, 'Metrics');
  await page.locator('.chart canvas').waitFor();
  await shows(page, '.chart .now', 'now NaN');
  await it.report({ metrics: [{ no: 4, name: 'loss', step: 3, up: 3, value: 0.25 }] });
  await shows(page, '.chart .now', 'now 0.25');
  expect(wrong).toEqual([]);
});

test('a failed job says why', async () => {
  const it = job({ name: 'broken.py' });
  const traceback =
    'Traceback (most recent call last):\n  File "/home/u/broken.py", line 3, in main\n    f(x)\nValueError: no <b>luck</b>';
  await it.report({ bars: [bar(50)], logs: [log(1, traceback, 'critical')] });
  await it.report({
    finish: {
      elapsed: 61,
      code: 1,
      state: 'failed',
      error: { type: 'ValueError', message: 'no <b>luck</b>', trace: 1 },
    },
  });
  const { page, wrong } = await open(browser, `${collector.url}/#/job/${it.id}`);
  await shows(page, '.reason .title', 'ValueError: no <b>luck</b>');
  await shows(page, '.reason', 'Exit code 1 after 1 min 01 s.');
  await shows(page, '.traceback .frame.raising', 'broken.py:3');
  await shows(page, '[data-section="Needs a look"] .job-row', 'broken.py');
  expect(await textOf(page, '.readouts .done')).toBe('Reached25.0 %');
  expect(wrong).toEqual([]);
});

test('the collector killed and started again: the page comes back by itself, with nothing twice', async () => {
  const it = job({ name: 'steady.py' });
  const say = (n: number, lines: number) =>
    it.report({ bars: [bar(n)], logs: Array.from({ length: lines }, (_, i) => log(i + 1, `line ${i + 1}`)) });
  await say(20, 3);
  const { page, wrong } = await open(browser, `${collector.url}/#/job/${it.id}/log`);
  await shows(page, '.log-row', 'line 3');
  await collector.kill();
  await shows(page, '.app-head .live', /Not live since \d\d:\d\d\. Trying again…/);
  await shows(page, '.job-head h1', 'steady.py');
  await shows(page, '.log-row', 'line 3');

  await collector.start();
  await shows(page, '.app-head .live', /^\s*Live/);
  await say(60, 5);
  await shows(page, '.readouts .done', /30\.0/);
  await shows(page, '.log-row', 'line 5');
  const numbers = await page
    .locator('.log-row[data-no]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-no')));
  expect(numbers).toEqual(['1', '2', '3', '4', '5']);
  expect(wrong).toEqual([]);
});

test('names from outside stay text', async () => {
  const evil = '<img src=x onerror=alert(1)></script><script>alert(2)</script>';
  const it = job({ name: evil, host: '"><svg onload=alert(3)>', tags: { [evil]: evil } });
  await it.report({
    bars: [bar(1, { desc: evil, unit: '<b>' })],
    stages: [stage([evil], 1, 1, { open: 1, since: 1, note: evil })],
    metrics: [{ no: 1, name: evil, step: 1, up: 1, value: evil }],
    logs: [log(1, evil), log(2, 'javascript:alert(4)')],
  });
  const { page, wrong } = await open(browser, `${collector.url}/#/job/${it.id}`);
  await shows(page, '.job-row .name', evil);
  for (const tab of ['Overview', 'Stages', 'Metrics', 'Log']) {
    await goTo(page, tab);
    await shows(page, '.view', '<img src=x');
  }
  expect(await page.locator('img, body script').count()).toBe(0);
  expect(wrong).toEqual([]);
});

test('a phone has one column, deep links, and rows that open', async () => {
  const it = job({ name: 'pocket.py' });
  await it.report({ bars: [bar(20)], stages: [stage(['outer'], 2, 4), stage(['outer', 'inner'], 2, 1)] });
  const { page, wrong } = await open(browser, `${collector.url}/#/job/${it.id}/stages`, phone);
  await page.locator('tr[data-stage="outer/inner"]').waitFor();
  expect(await page.locator('.job-list').isVisible()).toBe(false);
  await page.locator('tr[data-stage="outer/inner"]').tap();
  await shows(page, '.details dd', '500\u00a0ms');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByLabel('All jobs').tap();
  await shows(page, '.job-row', 'pocket.py');
  expect(await page.locator('.job').count()).toBe(0);
  await page.locator('.job-row').tap();
  await shows(page, '.tabs a[aria-selected=true]', 'Overview');
  expect(wrong).toEqual([]);
});

test('the stage summary downloads as CSV', async () => {
  const it = job({ name: 'table.py' });
  await it.report({ stages: [stage(['a/b'], 4, 2)] });
  const { page } = await open(browser, `${collector.url}/#/job/${it.id}/stages`);
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('.tools a.button').click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const [head, row] = Buffer.concat(chunks).toString('utf8').split(/\r?\n/);
  expect(head).toBe('path,name,depth,kind,count,total_s,self_s,avg_s,min_s,max_s,std_s,errors,note');
  expect(row).toMatch(/^a~1b,a\/b,/);
});

test('search and state chips choose what the list shows', async () => {
  await job({ name: 'alpha.py', host: 'gpu-04' }).report({ bars: [bar(1)] });
  await job({ name: 'beta.py' }).report({ finish: { elapsed: 3, code: 3, state: 'failed' } });
  const { page } = await open(browser, collector.url);
  await expect.poll(() => page.locator('.job-row').count()).toBe(2);
  await page.getByPlaceholder('Search name, host, tag').fill('GPU-04');
  await expect.poll(() => page.locator('.job-row').count()).toBe(1);
  await page.getByPlaceholder('Search name, host, tag').fill('segx');
  await shows(page, '.none', 'No job matches “segx”.');
  await page.getByText('Clear search').click();
  await page.getByLabel('Failed, 1 job').click();
  await shows(page, '.job-row', 'beta.py');
  expect(await page.locator('.job-row').count()).toBe(1);
});
