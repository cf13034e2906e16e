// SPDX-License-Identifier: MIT
// Light or dark follows the system until the reader chooses; the choice is kept in this browser.
const key = 'macaw.theme';
type Theme = 'light' | 'dark';

const system = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
const chosen = (): Theme | undefined => {
  const value = localStorage.getItem(key);
  return value === 'light' || value === 'dark' ? value : undefined;
};

export const currentTheme = (): Theme => chosen() ?? system();

export function applyTheme(): void {
  const theme = chosen();
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** The other theme; back at the system's own, the choice is forgotten. */
export function toggleTheme(): void {
  const next: Theme = currentTheme() === 'dark' ? 'light' : 'dark';
  if (next === system()) localStorage.removeItem(key);
  else localStorage.setItem(key, next);
  applyTheme();
}
