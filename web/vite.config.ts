// SPDX-License-Identifier: MIT
// The bundle: a fixed list of assets without hashes in their names, since the mirror serves them from memory and
// answers with an ETag. `vite` alone serves the page over a made-up mirror (dev/), or over MACAW_MIRROR, a real one.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { fakeMirror } from './dev/fake-mirror.ts';
import { tokensAsCss } from './dev/tokens-css.ts';

const mirror = process.env.MACAW_MIRROR;

export default defineConfig({
  plugins: [react(), tokensAsCss(), mirror ? [] : fakeMirror()],
  server: mirror
    ? { proxy: { '/events': { target: mirror, changeOrigin: true }, '/api': { target: mirror, changeOrigin: true } } }
    : {},
  build: {
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: 'assets/[name].js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
  test: { include: ['src/**/*.test.ts', 'src/**/*.test.tsx'], env: { TZ: 'UTC', LC_ALL: 'en_US.UTF-8' } },
});
