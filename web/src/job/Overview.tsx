// SPDX-License-Identifier: MIT
// The first tab: will it end, and is it healthy? Time, progress, what is open now, metrics, usage, why it ended.
import { useMemo } from 'react';
import type { Metric } from '../api/types';
import { age, bytes, clock, compact, ends, exact, isFiniteValue, metric, num, rate, text } from '../format/format';
import { childrenOf } from '../list/arrange';
import { endedAt, hasEnded, jobName, mainBar, progress } from '../list/line';
import { Indent, Name, Section, Sparkline, Track } from '../parts/parts';
import { href } from '../routes/route';
import { useNow, useSkew, useView } from '../stream/hooks';
import { type HeldJob, openFor, pathKey } from '../stream/state';
import { Icon, StateIcon, stateKey, stateWord } from '../theme/Icon';
import { Bars } from './Bars';
import { LatestLog } from './LatestLog';
import { ReasonBox } from './ReasonBox';
import { Traceback } from './Traceback';

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

/** Wall time from start to the late end of the estimate. It measures time, the bars below measure work. */
function TimeLine({ job }: { job: HeldJob }) {
  const skew = useSkew();
  const now = useNow(1000) + skew;
  const start = Date.parse(job.started ?? '');
  if (!Number.isFinite(start)) return null;
  const bar = mainBar(job);
  const ended = hasEnded(job);
  const at = ended ? endedAt(job) : now;
  const eta = bar && bar.state === 'running' && !ended ? num(bar.eta) * 1000 : Number.NaN;
  const [low, high] = bar?.eta_range ? [num(bar.eta_range[0]) * 1000, num(bar.eta_range[1]) * 1000] : [eta, eta];
  const end = ended ? at : Number.isFinite(high) ? at + Math.max(high, eta) : at + (at - start) / 2;
  const part = (time: number) => `${Math.min(100, Math.max(0, ((time - start) / (end - start || 1)) * 100))}%`;
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
        <span className="end">{ended ? `Ended ${clock(at, now)}` : ends(now, eta / 1000, bar?.eta_range)}</span>
      </div>
      <div className="track">
        <div className="fill" style={{ width: part(at) }} />
        {!ended && <div className="mark" style={{ left: part(at) }} />}
        {Number.isFinite(low) && high > low && <div className="likely" style={{ left: part(at + low) }} />}
      </div>
    </div>
  );
}

/** The open stages from outer to inner; past twice the average they turn. */
function Now({ job }: { job: HeldJob }) {
  const now = useNow();
  const open = job.stages.filter((stage) => num(stage.open) > 0);
  const ended = hasEnded(job);
  if (job.stages.length === 0 || (ended && open.length === 0)) return null;
  const inner = open.reduce((depth, stage) => Math.max(depth, stage.path.length), 0);
  const outer = open.reduce((depth, stage) => Math.min(depth, stage.path.length), inner);
  return (
    <Section title={ended ? 'Stages open when it ended' : 'Now'} columns={['open for', 'usually']} className="now">
      {open.length === 0 && <p className="none">Between stages</p>}
      {open.map((stage) => {
        const openNow = openFor(stage, job, now);
        const usual = num(stage.count) > 0 ? num(stage.avg) : Number.NaN;
        const slow = openNow > 2 * usual;
        return (
          <div key={pathKey(stage.path)} className={slow ? 'row slow' : 'row'}>
            <span className="what">
              <Indent depth={stage.path.length - outer} />
              <span className={stage.path.length === inner ? 'label inner' : 'label'}>{stage.path.at(-1)}</span>
              {stage.note && <span className="note">{stage.note}</span>}
            </span>
            <span className="meter">
              {Number.isFinite(usual) && (
                <>
                  <Track state={slow ? 'stalled' : 'running'} done={openNow / (2 * usual)} />
                  <i className="tick" />
                </>
              )}
            </span>
            <span className="value">{age(openNow)}</span>
            <span className="usual">{age(usual)}</span>
          </div>
        );
      })}
    </Section>
  );
}

function Workers({ job }: { job: HeldJob }) {
  const jobs = useView((view) => view.state.jobs);
  const skew = useSkew();
  const now = useNow(1000) + skew;
  const workers = useMemo(() => childrenOf(jobs).get(job.id) ?? [], [jobs, job.id]);
  if (workers.length === 0) return null;
  const byName = [...workers].sort((a, b) => jobName(a).localeCompare(jobName(b), undefined, { numeric: true }));
  return (
    <Section title="Workers" columns={['rate', 'heard']} className="workers">
      {byName.map((worker) => {
        const inner = worker.stages
          .filter((s) => num(s.open) > 0)
          .reduce<string | undefined>((_, s) => s.path.at(-1), undefined);
        const heard = Math.max(0, (now - Date.parse(worker.last_contact ?? '')) / 1000);
        const well = worker.state === 'running';
        return (
          <a key={worker.id} className="row" href={href(worker.id)}>
            <StateIcon state={worker.state} />
            <span className="label">
              <Name>{jobName(worker)}</Name>
            </span>
            <span className="place">{[worker.host, worker.pid].filter(Boolean).join(' : ')}</span>
            <span className={well ? 'stage' : `stage state-${stateKey(worker.state)}`}>
              {well ? inner : stateWord(worker.state)}
            </span>
            <span className="meter">
              <Track state={worker.state} done={progress(worker)} />
            </span>
            <span className="value">{well ? text(rate(mainBar(worker)?.rate)) : '–'}</span>
            <span className={well ? 'usual' : `usual state-${stateKey(worker.state)}`}>
              {heard < 5 ? 'now' : compact(heard)}
            </span>
          </a>
        );
      })}
    </Section>
  );
}

const shownMetrics = 7;

function LatestMetrics({ job, title }: { job: HeldJob; title: string }) {
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

function Usage({ job, title }: { job: HeldJob; title: string }) {
  const usage = job.usage;
  const peak = usage?.peak ?? job.peak_memory;
  const rows: { name: string; value: string; peak: string; part?: number }[] = [];
  if (usage?.cpu_rate !== null && usage?.cpu_rate !== undefined)
    rows.push({ name: 'CPU', value: `${usage.cpu_rate.toFixed(1)} cores`, peak: '' });
  if (usage?.rss !== null && usage?.rss !== undefined)
    rows.push({
      name: 'Memory',
      value: text(bytes(usage.rss)),
      peak: peak ? text(bytes(peak)) : '',
      part: num(usage.rss) / num(peak),
    });
  else if (peak) rows.push({ name: 'Memory', value: '–', peak: text(bytes(peak)) });
  if (usage?.cpu !== null && usage?.cpu !== undefined)
    rows.push({ name: 'CPU time', value: compact(usage.cpu), peak: '' });
  if (usage?.threads) rows.push({ name: 'Threads', value: exact(usage.threads), peak: '' });
  if (rows.length === 0) return null;
  return (
    <Section title={title} columns={['peak']} className="usage">
      {rows.map((row) => (
        <div key={row.name} className="row">
          <span className="label">{row.name}</span>
          <span className="meter">{row.part !== undefined && <Track state="running" done={row.part} thin />}</span>
          <span className="value">{row.value}</span>
          <span className="usual">{row.peak}</span>
        </div>
      ))}
    </Section>
  );
}
