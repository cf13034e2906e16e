// SPDX-License-Identifier: MIT
// The design tokens as CSS variables: `import 'virtual:tokens.css'`. Light or dark follows the system unless the page's
// root says data-theme. "bg.selected.idle" becomes --bg-selected-idle.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

interface Tokens {
  color: Record<'light' | 'dark', Record<string, string>>;
  series: Record<'light' | 'dark', string[]>;
}

const file = new URL('../src/theme/tokens.json', import.meta.url);

export function tokensCss(tokens: Tokens): string {
  const variables = (theme: 'light' | 'dark') =>
    [
      `color-scheme:${theme}`,
      ...Object.entries(tokens.color[theme]).map(([name, value]) => `--${name.replaceAll('.', '-')}:${value}`),
      ...tokens.series[theme].map((value, i) => `--series-${i + 1}:${value}`),
    ].join(';');
  return [
    `:root{${variables('light')}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${variables('dark')}}}`,
    `:root[data-theme=dark]{${variables('dark')}}`,
  ].join('\n');
}

export function tokensAsCss(): Plugin {
  return {
    name: 'macaw-tokens-css',
    resolveId: (id) => (id === 'virtual:tokens.css' ? '\0tokens.css' : null),
    load: (id) => (id === '\0tokens.css' ? tokensCss(JSON.parse(readFileSync(file, 'utf8')) as Tokens) : null),
  };
}
