// SPDX-License-Identifier: MIT
// `npm run e2e`: the page as the real collector serves it, in the system's Chromium (tests/web).
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('../tests/web'),
  cacheDir: here('node_modules/.vite-e2e'),
  // The tests stand outside of this folder, their packages inside.
  resolve: { alias: { 'playwright-core': here('node_modules/playwright-core'), vitest: here('node_modules/vitest') } },
  server: { fs: { allow: [here('..')] } },
  test: {
    include: ['**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    reporters: ['verbose'],
  },
});
