// SPDX-License-Identifier: MIT
import { clockSeconds } from '../format/format';
import { href } from '../routes/route';
import type { HeldJob } from '../stream/state';
import { Icon } from '../theme/Icon';
import { lineTime, severity } from './logRows';
import { useLog } from './useLog';

export function LatestLog({ job }: { job: HeldJob }) {
  const lines = (useLog(job.id).log?.lines ?? []).slice(-4);
  if (lines.length === 0) return null;
  return (
    <section className="section latest-log">
      <header>
        <h2>Latest log</h2>
        <a href={href(job.id, 'log')}>Open log</a>
      </header>
      {lines.map((line) => (
        <div key={line.no} className="row">
          <time>{clockSeconds(lineTime(line, job))}</time>
          <span className={`sign level-${severity(line)}`}>
            {severity(line) === 'warning' && <Icon name="warning" size={14} label="Warning" />}
            {severity(line) === 'error' && <Icon name="error" size={14} label="Error" />}
          </span>
          <span className="text">{line.text.split('\n', 1)[0]}</span>
        </div>
      ))}
    </section>
  );
}
