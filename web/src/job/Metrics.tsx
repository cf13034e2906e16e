// SPDX-License-Identifier: MIT
// A chart for each metric that has numbers; truths and texts as a list below.
import { useEffect, useMemo, useState } from 'react';
import { fetchSeries, jobUrl } from '../api/client';
import { isFiniteValue, metric } from '../format/format';
import { Search, Section } from '../parts/parts';
import { useView } from '../stream/hooks';
import type { HeldJob } from '../stream/state';
import { Icon } from '../theme/Icon';
import { Chart } from './Chart';
import { curve, isCurve, noPoints, type Points, pointsOf, withLatest } from './series';

/** At most this many points a chart, and how often the thinned series is fetched anew while the job runs, ms. */
const points = 600;
const refresh = 5_000;

export function Metrics({ job }: { job: HeldJob }) {
  const series = useSeries(job);
  const [search, setSearch] = useState('');
  const [byTime, setByTime] = useState(false);
  const names = Object.keys(job.metrics).filter((name) => name.toLowerCase().includes(search.trim().toLowerCase()));
  const curves = names.filter((name) => isCurve(series.get(name) ?? noPoints));
  const hasSteps = Object.values(job.metrics).some((m) => m.step !== null && m.step !== undefined);
  const others = names.filter((name) => !curves.includes(name));

  if (Object.keys(job.metrics).length === 0)
    return (
      <p className="none">
        No metrics yet. Add <code>macaw.metrics(loss=…)</code>
      </p>
    );
  return (
    <>
      <div className="tools">
        <Search value={search} placeholder="Find a metric" onChange={setSearch} />
        {hasSteps && (
          <fieldset className="segmented" aria-label="Along">
            <button type="button" aria-pressed={!byTime} onClick={() => setByTime(false)}>
              Step
            </button>
            <button type="button" aria-pressed={byTime} onClick={() => setByTime(true)}>
              Time
            </button>
          </fieldset>
        )}
        <a className="button" aria-label="Export CSV" href={jobUrl(job.id, 'metrics.csv')} download>
          <Icon name="export" />
          <span>CSV</span>
        </a>
      </div>
      {names.length === 0 && <p className="none">No metric matches “{search}”.</p>}
      <div className="charts">
        {curves.map((name) => (
          <MetricChart key={name} name={name} job={job} points={series.get(name) ?? noPoints} byTime={byTime} />
        ))}
      </div>
      {others.length > 0 && (
        <Section title="Without a curve" className="latest-metrics">
          {others.map((name) => (
            <div key={name} className="row">
              <span className="label">{name}</span>
              <span />
              <span className="value">{metric(job.metrics[name]?.value)}</span>
            </div>
          ))}
        </Section>
      )}
    </>
  );
}

function MetricChart(props: { name: string; job: HeldJob; points: Points; byTime: boolean }) {
  const value = props.job.metrics[props.name]?.value;
  const shown = useMemo(() => curve(props.points, props.byTime), [props.points, props.byTime]);
  const now = (
    <>
      {!isFiniteValue(value) && <Icon name="warning" size={14} />}
      {`now ${metric(value)}`}
    </>
  );
  return <Chart name={props.name} curve={shown} now={now} />;
}

/** The thinned series from the collector, and after it the points that the stream brought. */
function useSeries(job: HeldJob): ReadonlyMap<string, Points> {
  const snapshots = useView((view) => view.state.snapshots);
  const [held, setHeld] = useState<ReadonlyMap<string, Points>>(new Map());
  const runs = job.state === 'running';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a snapshot means that points may be missing
  useEffect(() => {
    const cancel = new AbortController();
    const ask = () =>
      fetchSeries(job.id, points, cancel.signal).then(
        (answer) => setHeld(new Map(Object.entries(answer).map(([name, s]) => [name, pointsOf(s)]))),
        () => undefined,
      );
    ask();
    const timer = runs ? setInterval(() => !document.hidden && ask(), refresh) : undefined;
    return () => {
      clearInterval(timer);
      cancel.abort();
    };
  }, [job.id, snapshots, runs]);
  useEffect(() => {
    setHeld((before) => {
      const next = Object.entries(job.metrics).map(
        ([name, m]) => [name, withLatest(before.get(name) ?? noPoints, m)] as const,
      );
      return next.some(([name, p]) => before.get(name) !== p) ? new Map([...before, ...next]) : before;
    });
  }, [job.metrics]);
  return held;
}
