// SPDX-License-Identifier: MIT
// The job list: search, state chips, sections. On a phone it is a screen of its own. Only the rows on screen are in the
// document, and each follows its own job.
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useContext, useMemo, useRef, useState } from 'react';
import { type State, states } from '../api/types';
import { Name, Search, Track } from '../parts/parts';
import { href, type Tab } from '../routes/route';
import { MirrorContext, useNow, useSkew, useView } from '../stream/hooks';
import type { HeldJob } from '../stream/state';
import { Icon, StateIcon, stateKey, stateWord } from '../theme/Icon';
import { arrange, type Group, type Row, type Section } from './arrange';
import { hasEnded, jobLine, jobName, needsALook } from './line';
import './list.css';

export function JobList(props: { selected: string | undefined; tab: Tab; seen: ReadonlySet<string> }) {
  const jobs = useJobsBySecond();
  const [search, setSearch] = useState('');
  const [state, setState] = useState<State>();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const items = useMemo(
    () => itemsOf(arrange(jobs.values(), { search, state }, props.seen, folded)),
    [jobs, search, state, props.seen, folded],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => (items[i]?.row ? 48 : 28),
    getItemKey: (i) => items[i]?.row?.job.id ?? items[i]?.section ?? i,
    overscan: 8,
  });
  const fold = (id: string) =>
    setFolded(new Set(folded.has(id) ? [...folded].filter((f) => f !== id) : [...folded, id]));
  const clear = () => {
    setSearch('');
    setState(undefined);
  };

  return (
    <nav className="job-list" aria-label="Jobs">
      <div className="list-head">
        <Search value={search} placeholder="Search name, host, tag" onChange={setSearch} />
        <Chips jobs={jobs} state={state} onChange={setState} />
      </div>
      <div className="list-rows" ref={scroller}>
        <div className="list-space" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((place) => {
            const item = items[place.index];
            return (
              <div
                key={place.key}
                ref={virtual.measureElement}
                data-index={place.index}
                data-section={item?.section}
                className="list-place"
                style={{ transform: `translateY(${place.start}px)` }}
              >
                {item?.row ? (
                  <JobRow
                    row={item.row}
                    tab={props.tab}
                    selected={item.row.job.id === props.selected}
                    folded={folded.has(item.row.job.id)}
                    onFold={fold}
                  />
                ) : (
                  <h2>
                    {item?.section}
                    <span>{item?.count}</span>
                  </h2>
                )}
              </div>
            );
          })}
        </div>
        {items.length === 0 && jobs.size > 0 && (
          <p className="none">
            {search ? `No job matches “${search}”.` : 'No job is in this state now.'}{' '}
            <button type="button" className="link" onClick={clear}>
              Clear search
            </button>
          </p>
        )}
      </div>
    </nav>
  );
}

/** The jobs as they were at the last full second, or when one came or went: the list sorts no more often. */
function useJobsBySecond(): ReadonlyMap<string, HeldJob> {
  const mirror = useContext(MirrorContext);
  const size = useView((view) => view.state.jobs.size);
  const second = useNow(1000);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these two say when to look again
  return useMemo(() => mirror.shown().state.jobs, [mirror, size, second]);
}

interface Item {
  readonly section: Section;
  readonly count: number;
  /** None: the section's own line. */
  readonly row: Row | undefined;
}

const itemsOf = (groups: readonly Group[]): Item[] =>
  groups.flatMap(({ section, count, rows }) => [
    { section, count, row: undefined },
    ...rows.map((row) => ({ section, count, row })),
  ]);

function Chips(props: {
  jobs: ReadonlyMap<string, HeldJob>;
  state: State | undefined;
  onChange(s: State | undefined): void;
}) {
  const counts = new Map<State, number>();
  for (const job of props.jobs.values()) counts.set(job.state, (counts.get(job.state) ?? 0) + 1);
  const quiet: readonly State[] = ['finished', 'interrupted'];
  return (
    <div className="chips">
      <button type="button" className="chip" aria-pressed={!props.state} onClick={() => props.onChange(undefined)}>
        All {props.jobs.size}
      </button>
      {states
        .filter((s) => counts.has(s) && !quiet.includes(s))
        .map((s) => (
          <button
            key={s}
            type="button"
            className="chip"
            aria-pressed={props.state === s}
            aria-label={`${stateWord(s)}, ${counts.get(s)} ${counts.get(s) === 1 ? 'job' : 'jobs'}`}
            title={stateWord(s)}
            onClick={() => props.onChange(props.state === s ? undefined : s)}
          >
            <StateIcon state={s} />
            {counts.get(s)}
          </button>
        ))}
    </div>
  );
}

const JobRow = memo(function JobRow(props: {
  row: Row;
  tab: Tab;
  selected: boolean;
  folded: boolean;
  onFold(id: string): void;
}) {
  const { depth, children } = props.row;
  const id = props.row.job.id;
  const job = useView((view) => view.state.jobs.get(id)) ?? props.row.job;
  const skew = useSkew();
  const line = jobLine(job, useNow(hasEnded(job) ? 60_000 : 1000), skew, children);
  const kind = `job-row ${hasEnded(job) && !needsALook(job) ? 'ended' : ''}`;
  return (
    <div className="job-place" data-depth={Math.min(depth, 4)}>
      {children.length > 0 && (
        <button
          type="button"
          className="fold"
          aria-expanded={!props.folded}
          aria-label={`${props.folded ? 'Show' : 'Hide'} the jobs under ${jobName(job)}`}
          onClick={() => props.onFold(job.id)}
        >
          <Icon name={props.folded ? 'chevron-right' : 'chevron-down'} size={12} />
        </button>
      )}
      <a
        className={kind}
        href={href(job.id, props.tab)}
        aria-current={props.selected ? 'page' : undefined}
        data-job={job.id}
      >
        <StateIcon state={job.state} />
        <span className="top">
          <Name>{jobName(job)}</Name>
          <span className="best">{line.best}</span>
        </span>
        <span className="below">
          <span className="about">
            <span className={needsALook(job) ? `word state-${stateKey(job.state)}` : 'word'}>
              {stateWord(job.state)}
            </span>
            {line.about.map((part) => (
              <span key={part}>{part}</span>
            ))}
          </span>
          <span className={job.state === 'stalled' || job.state === 'no contact' ? `state-${stateKey(job.state)}` : ''}>
            {line.next}
          </span>
        </span>
        {line.showsProgress && <Track state={job.state} done={line.progress} thin />}
      </a>
    </div>
  );
});
