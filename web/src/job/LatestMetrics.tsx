// SPDX-License-Identifier: MIT
// The newest value of each metric, with where it came from.
import type { Metric } from '../api/types';
import { exact, isFiniteValue, metric, num } from '../format/format';
import { Name, Section, Sparkline } from '../parts/parts';
import { href } from '../routes/route';
import type { HeldJob } from '../stream/state';
import { Icon } from '../theme/Icon';

const shownMetrics = 7;

export function LatestMetrics({ job, title }: { job: HeldJob; title: string }) {
  const all = Object.entries(job.metrics);
  if (all.length === 0) return null;
  const steps = all.map(([, m]) => num(m.step)).filter(Number.isFinite);
  const step = steps.length ? [`step ${exact(Math.max(...steps))}`] : [];
  return (
    <Section title={title} columns={step} className="latest-metrics">
      {all.slice(0, shownMetrics).map(([name, m]) => (
        <LatestMetric key={name} name={name} metric={m} />
      ))}
      {all.length > shownMetrics && (
        <a className="more" href={href(job.id, 'metrics')}>
          {all.length - shownMetrics} more
        </a>
      )}
    </Section>
  );
}

function LatestMetric({ name, metric: m }: { name: string; metric: Metric }) {
  const broken = !isFiniteValue(m.value);
  return (
    <div className={broken ? 'row broken' : 'row'}>
      <span className="label">
        <Name>{name}</Name>
      </span>
      <Sparkline values={m.recent ?? []} />
      <span className="value" title={String(m.value)}>
        {broken && <Icon name="warning" size={14} />}
        {metric(m.value)}
      </span>
    </div>
  );
}
