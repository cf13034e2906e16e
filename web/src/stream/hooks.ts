// SPDX-License-Identifier: MIT
// How components read the mirror: the part they show, and a clock for what ages while no event comes.
import { createContext, useContext, useSyncExternalStore } from 'react';
import { Mirror, paintInterval, type View } from './mirror';

export const MirrorContext = createContext(new Mirror());

/** The part of the view that `select` takes; it must return the same object while nothing changed. */
export function useView<T>(select: (view: View) => T): T {
  const mirror = useContext(MirrorContext);
  return useSyncExternalStore(mirror.subscribe, () => select(mirror.shown()));
}

/** One timer for all who step alike, so that they are drawn together; it stands still in a hidden tab. */
class Clock {
  #now = Date.now();
  #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly step: number) {}

  readonly now = () => this.#now;
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => {
      if (document.hidden) return;
      this.#now = Date.now();
      for (const each of this.#listeners) each();
    }, this.step);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  };
}

const clocks = new Map<number, Clock>();

/** The page's clock (ms), in steps. */
export function useNow(step = paintInterval): number {
  let clock = clocks.get(step);
  if (!clock) {
    clock = new Clock(step);
    clocks.set(step, clock);
  }
  return useSyncExternalStore(clock.subscribe, clock.now);
}

/** A page clock's time on the collector's clock, for labels. */
export const useSkew = () => useView((view) => view.state.skew);
