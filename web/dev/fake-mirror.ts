// SPDX-License-Identifier: MIT
import type { Plugin } from 'vite';
export function fakeMirror(): Plugin { return { name: 'macaw-fake-mirror' }; }
