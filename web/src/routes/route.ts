// SPDX-License-Identifier: MIT
// Where the reader is, in the address: #/ or #/job/<id>/<tab>.
import { useSyncExternalStore } from 'react';

export const tabs = ['overview', 'stages', 'metrics', 'log'] as const;
export type Tab = (typeof tabs)[number];
export interface Route {
  readonly job: string | undefined;
  readonly tab: Tab;
}

export function parseRoute(hash: string): Route {
  const [, place, job, tab] = hash.replace(/^#/, '').split('/');
  if (place !== 'job' || !job) return { job: undefined, tab: 'overview' };
  return { job: decoded(job), tab: tabs.find((t) => t === tab) ?? 'overview' };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const href = (job?: string, tab: Tab = 'overview') => (job ? `#/job/${encodeURIComponent(job)}/${tab}` : '#/');

const subscribe = (listener: () => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

export const useRoute = () => parseRoute(useSyncExternalStore(subscribe, () => location.hash));
