// SPDX-License-Identifier: GPL-3.0-or-later
// The example that readers see first, from Python to the page. Left out where the package is not importable.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Collector, launch, open } from './support';

const python = process.env.MACAW_PYTHON ?? 'python3';
const example = fileURLToPath(new URL('../../python/examples/doing_nothing.py', import.meta.url));
const importable = spawnSync(python, ['-c', 'import macaw, numpy']).status === 0;
const collector = new Collector();

beforeAll(() => collector.start());
afterAll(() => collector.stop());

test.skipIf(!importable)('the example runs, and the page tells the same story as the JSON', async () => {
  const browser = await launch();
  const { page, wrong } = await open(browser, collector.url);
  const env = { ...process.env, MACAW_URL: `udp://127.0.0.1:${collector.port}`, MACAW_CONSOLE: 'off' };
  const ended = new Promise((resolve) => spawn(python, [example], { env, stdio: 'inherit' }).once('exit', resolve));
  await page.locator('.job-row').waitFor();
  expect(await ended).toBe(0);
  await page.locator('.job-row').click();
  await page.locator('.pill').filter({ hasText: 'Finished' }).waitFor();
  await page.locator('.bars .row').filter({ hasText: '200 / 200' }).waitFor();
  await page.locator('.tabs a').filter({ hasText: 'Stages' }).click();
  await page
    .locator('tr[data-stage="fourier_transform/numpy.fft.fft"] .c-count')
    .filter({ hasText: /^200$/ })
    .waitFor();
  const answer = (await (await fetch(`${collector.url}/api/jobs`)).json()) as {
    jobs: { stages: { path: string[] }[] }[];
  };
  const told = answer.jobs[0]?.stages.map((stage) => stage.path.join('/')).sort();
  const shown = await page
    .locator('tr[data-stage]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-stage')));
  expect(shown.sort()).toEqual(told);
  expect(wrong).toEqual([]);
  await browser.close();
});
