// SPDX-License-Identifier: MIT
// How components read the mirror: the part they show, and a clock for what ages while no event comes.
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { Mirror, paintInterval, type View } from './mirror';

export const MirrorContext = createContext(new Mirror());

/** The part of the view that `select` takes; it must return the same object while nothing changed. */
export function useView<T>(select: (view: View) => T): T {
  const mirror = useContext(MirrorContext);
  return useSyncExternalStore(mirror.subscribe, () => select(mirror.shown()));
}

/** The page's clock (ms), stepping while the tab is visible. */
export function useNow(step = paintInterval): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, step);
    return () => clearInterval(timer);
  }, [step]);
  return now;
}

/** A page clock's time on the collector's clock, for labels. */
export const useSkew = () => useView((view) => view.state.skew);
