// SPDX-License-Identifier: MIT
// The routes that the page asks beside the stream. Cookies carry the token.
import type { Level, LogPage, SeriesByName } from './types';

export class HttpError extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status}`);
  }
}

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const answer = await fetch(path, { signal, headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new HttpError(answer.status);
  return (await answer.json()) as T;
}

export const jobUrl = (id: string, part: string) => `api/jobs/${encodeURIComponent(id)}/${part}`;

export function fetchLog(id: string, query: { limit?: number; after?: number; level?: Level }, signal?: AbortSignal) {
  const words = Object.entries(query).map(([key, value]) => [key, String(value)]);
  return get<LogPage>(`${jobUrl(id, 'log')}?${new URLSearchParams(words)}`, signal);
}

export function fetchSeries(id: string, points: number, signal?: AbortSignal) {
  return get<SeriesByName>(`${jobUrl(id, 'metrics.json')}?points=${points}`, signal);
}
