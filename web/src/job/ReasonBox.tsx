// SPDX-License-Identifier: MIT
import { hasEnded } from '../list/line';
import { href } from '../routes/route';
import { useNow, useSkew } from '../stream/hooks';
import type { HeldJob } from '../stream/state';
import { Icon, stateKey } from '../theme/Icon';
import { reason } from './reason';

export function ReasonBox({ job }: { job: HeldJob }) {
  const why = reason(job, useNow(1000), useSkew());
  if (!why) return null;
  return (
    <div className={`reason tint-${stateKey(job.state)}`}>
      <Icon name={`state-${stateKey(job.state)}`} size={18} />
      <div>
        <p className="title">{why.title}</p>
        {why.what && <p>{why.what}</p>}
        {why.before && <p className="before">{why.before}</p>}
      </div>
      {hasEnded(job) && job.log?.last ? <a href={href(job.id, 'log')}>Show in log</a> : null}
    </div>
  );
}
