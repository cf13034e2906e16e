// SPDX-License-Identifier: MIT
// Keeps one job's log in the store while a view of it is open: the newest lines first, then what the stream brings;
// fetched again after a lost connection or a repair.
import { useContext, useEffect, useState } from 'react';
import { fetchLog } from '../api/client';
import { MirrorContext, useView } from '../stream/hooks';
import { type HeldLog, keptLines } from '../stream/state';

export function useLog(id: string): { log: HeldLog | undefined; failed: boolean } {
  const mirror = useContext(MirrorContext);
  const log = useView((view) => (view.state.log?.id === id ? view.state.log : undefined));
  const snapshots = useView((view) => view.state.snapshots);
  const again = log?.again ?? 0;
  const [failed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a snapshot and a repair mean that lines may be missing
  useEffect(() => {
    const cancel = new AbortController();
    mirror.watchLog(id);
    fetchLog(id, { limit: keptLines }, cancel.signal).then(
      (page) => {
        setFailed(false);
        mirror.addLogPage(id, page);
      },
      () => setFailed(!cancel.signal.aborted),
    );
    return () => cancel.abort();
  }, [mirror, id, snapshots, again]);
  return { log, failed };
}
