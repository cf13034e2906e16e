// SPDX-License-Identifier: MIT
// The first tab: will it end, and is it healthy? Time, progress, what is open now, metrics, usage, why it ended.
import { hasEnded } from '../list/line';
import type { HeldJob } from '../stream/state';
import { Bars } from './Bars';
import { LatestLog } from './LatestLog';
import { LatestMetrics } from './LatestMetrics';
import { Now } from './Now';
import { ReasonBox } from './ReasonBox';
import { TimeLine } from './TimeLine';
import { Traceback } from './Traceback';
import { Usage } from './Usage';
import { Workers } from './Workers';
import './overview.css';

export function Overview({ job }: { job: HeldJob }) {
  const ended = hasEnded(job);
  return (
    <>
      <ReasonBox job={job} />
      <TimeLine job={job} />
      <div className="columns">
        <div>
          {job.error?.traceback && <Traceback text={job.error.traceback} />}
          {job.bars.length > 0 && <Bars job={job} />}
          <Now job={job} />
          <Workers job={job} />
          <LatestLog job={job} />
        </div>
        <aside>
          <LatestMetrics job={job} title={ended ? 'Last metrics' : 'Latest metrics'} />
          <Usage job={job} title={ended ? 'Last usage' : 'Usage'} />
        </aside>
      </div>
    </>
  );
}
