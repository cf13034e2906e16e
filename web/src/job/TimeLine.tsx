// SPDX-License-Identifier: MIT
import { clock, endsAbout, endsLikely, num } from '../format/format';
import { endedAt, hasEnded, mainBar } from '../list/line';
import { useNow, useSkew } from '../stream/hooks';
import type { HeldJob } from '../stream/state';
import { stateKey } from '../theme/Icon';

/** Wall time from start to the late end of the estimate. It measures time, the bars below measure work. */
export function TimeLine({ job }: { job: HeldJob }) {
  const skew = useSkew();
  const now = useNow(1000) + skew;
  const start = Date.parse(job.started ?? '');
  if (!Number.isFinite(start)) return null;
  const bar = mainBar(job);
  const ended = hasEnded(job);
  const at = ended ? endedAt(job) : now;
  const eta = bar && bar.state === 'running' && !ended && job.state !== 'no contact' ? num(bar.eta) * 1000 : Number.NaN;
  const [low, high] = bar?.eta_range ? [num(bar.eta_range[0]) * 1000, num(bar.eta_range[1]) * 1000] : [eta, eta];
  const end = ended ? at : Number.isFinite(high) ? at + Math.max(high, eta) : at + (at - start) / 2;
  const part = (time: number) => `${Math.min(100, Math.max(0, ((time - start) / (end - start || 1)) * 100))}%`;
  const likely = ended ? '' : endsLikely(now, eta / 1000, bar?.eta_range);
  const nowAt = (at - start) / (end - start || 1);
  return (
    <div className={`time-line fill-${stateKey(job.state)}`}>
      <div className="labels">
        <span>Started {clock(start, now)}</span>
        {!ended && (
          <strong className={nowAt < 0.25 ? 'early' : nowAt > 0.62 ? 'late' : ''} style={{ left: part(at) }}>
            Now {clock(now, now)}
          </strong>
        )}
        <span className="end">
          {ended ? `Ended ${clock(at, now)}` : endsAbout(now, eta / 1000)}
          {likely && <span className="likely-text">, {likely}</span>}
        </span>
      </div>
      <div className="track">
        <div className="fill" style={{ width: part(at) }} />
        {!ended && <div className="mark" style={{ left: part(at) }} />}
        {Number.isFinite(low) && high > low && <div className="likely" style={{ left: part(at + low) }} />}
      </div>
    </div>
  );
}
