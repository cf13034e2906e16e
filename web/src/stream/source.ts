// SPDX-License-Identifier: MIT
// The one EventSource of the page. The browser itself reconnects after a lost connection, with Last-Event-ID; when it
// gives up (an error answer closes it for good) we open a new one, later each time, with jitter so that many browsers
// do not come back at the same moment. To share one stream between tabs, give Mirror another Source.
import type { MirrorEvent } from '../api/types';

export interface Listener {
  event(event: MirrorEvent): void;
  /** Whether events flow; said at every change. */
  live(live: boolean): void;
}

/** Starts to deliver events, and returns what stops it. */
export type Source = (listener: Listener) => () => void;

const kinds = ['snapshot', 'job', 'log', 'gone'] as const;

/** How long to wait before the nth try, ms: 1 s, doubling to 15 s, a third of it by chance. */
export const backoff = (tries: number, random: () => number) =>
  Math.min(15_000, 1000 * 2 ** tries) * (1 - random() / 3);

export const eventSource =
  (url: string, open: (url: string) => EventSource = (u) => new EventSource(u)): Source =>
  (listener) => {
    let stream: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let tries = 0;
    let lastId = '';
    const connect = () => {
      stream = open(lastId ? `${url}?after=${encodeURIComponent(lastId)}` : url);
      stream.onopen = () => {
        tries = 0;
        listener.live(true);
      };
      stream.onerror = () => {
        listener.live(false);
        if (stream.readyState === EventSource.CLOSED) timer = setTimeout(connect, backoff(tries++, Math.random));
      };
      for (const kind of kinds) {
        stream.addEventListener(kind, (message) => {
          lastId = message.lastEventId || lastId;
          const data = parsed(message.data);
          if (data) listener.event({ kind, data } as MirrorEvent);
        });
      }
    };
    connect();
    return () => {
      clearTimeout(timer);
      stream.close();
    };
  };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
