// SPDX-License-Identifier: MIT
// Our own icons, drawn in currentColor. The markup is ours and fixed at build time, so it may be set as HTML.
import type { State } from '../api/types';

const files = import.meta.glob<string>('./icons/*.svg', { query: '?raw', import: 'default', eager: true });
const shapes = new Map(
  Object.entries(files).map(([file, svg]) => [
    file.slice('./icons/'.length, -'.svg'.length),
    svg.slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>')),
  ]),
);

export function Icon({ name, size = 16, label }: { name: string; size?: number; label?: string }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: markup of our own files only
      dangerouslySetInnerHTML={{ __html: shapes.get(name) ?? '' }}
    />
  );
}

/** "no contact" as in class names, tokens and icon files: nocontact. */
export const stateKey = (state: State) => state.replaceAll(' ', '');
export const stateWord = (state: State) => state.charAt(0).toUpperCase() + state.slice(1);

export function StateIcon({ state, size = 14 }: { state: State; size?: number }) {
  return (
    <span className={`state-icon state-${stateKey(state)}`}>
      <Icon name={`state-${stateKey(state)}`} size={size} />
    </span>
  );
}
