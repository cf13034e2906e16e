// SPDX-License-Identifier: MIT
// The page's store: takes events as they come, tells React at most four times a second, and never in a hidden tab.
import type { LogPage } from '../api/types';
import type { Source } from './source';
import { type Arrival, applyEvents, applyLogPage, type MirrorState, nothing, watchLog } from './state';

export type Live = { now: true } | { now: false; since: number | undefined };

export interface View {
  readonly state: MirrorState;
  readonly live: Live;
}

/** Values change at most this often on screen, ms. */
export const paintInterval = 250;

/** Events taken in at once, at most. */
const batch = 1000;

export class Mirror {
  #view: View = { state: nothing, live: { now: false, since: undefined } };
  #shown = this.#view;
  #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastPaint = 0;
  #arrivals: Arrival[] = [];

  constructor(private readonly clock: () => number = Date.now) {}

  /** Follows the source until the returned function is called. */
  follow(source: Source): () => void {
    const stop = source({
      event: (event) => {
        this.#arrivals.push({ event, at: this.clock() });
        // A hidden tab paints nothing; what came is taken in all the same, in bounded batches.
        if (this.#arrivals.length >= batch) this.#takeIn();
        this.#schedule();
      },
      live: (live) => {
        if (live === this.#view.live.now) return;
        this.#set({ ...this.#view, live: live ? { now: true } : { now: false, since: this.clock() } });
      },
    });
    const visible = () => this.#schedule();
    document.addEventListener('visibilitychange', visible);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', visible);
    };
  }

  watchLog(id: string | undefined): void {
    this.#takeIn();
    this.#set({ ...this.#view, state: watchLog(this.#view.state, id) });
  }

  addLogPage(id: string, page: LogPage): void {
    this.#takeIn();
    this.#set({ ...this.#view, state: applyLogPage(this.#view.state, id, page) });
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly shown = () => this.#shown;

  #set(view: View) {
    this.#view = view;
    this.#schedule();
  }

  #takeIn() {
    if (this.#arrivals.length === 0) return;
    this.#view = { ...this.#view, state: applyEvents(this.#view.state, this.#arrivals) };
    this.#arrivals = [];
  }

  #schedule() {
    const same = this.#view === this.#shown && this.#arrivals.length === 0;
    if (this.#timer !== undefined || same || document.hidden) return;
    const wait = Math.max(0, this.#lastPaint + paintInterval - this.clock());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (document.hidden) return;
      this.#lastPaint = this.clock();
      this.#takeIn();
      this.#shown = this.#view;
      for (const listener of this.#listeners) listener();
    }, wait);
  }
}
