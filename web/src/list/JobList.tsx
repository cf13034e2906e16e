// SPDX-License-Identifier: MIT
// The job list: search, state chips, sections. On a phone it is a screen of its own.
import { memo, useMemo, useState } from 'react';
import { type State, states } from '../api/types';
import { Name, Search, Track } from '../parts/parts';
import { href, type Tab } from '../routes/route';
import { useNow, useSkew, useView } from '../stream/hooks';
import type { HeldJob } from '../stream/state';
import { Icon, StateIcon, stateKey, stateWord } from '../theme/Icon';
import { arrange, type Row } from './arrange';
import { hasEnded, jobLine, jobName, needsALook } from './line';
import './list.css';

export function JobList(props: { selected: string | undefined; tab: Tab; seen: ReadonlySet<string> }) {
  const jobs = useView((view) => view.state.jobs);
  const [search, setSearch] = useState('');
  const [state, setState] = useState<State>();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const groups = useMemo(
    () => arrange(jobs.values(), { search, state }, props.seen, folded),
    [jobs, search, state, props.seen, folded],
  );
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
      <div className="list-rows">
        {groups.map((group) => (
          <section key={group.section}>
            <h2>
              {group.section}
              <span>{group.count}</span>
            </h2>
            {group.rows.map((row) => (
              <JobRow
                key={row.job.id}
                row={row}
                tab={props.tab}
                selected={row.job.id === props.selected}
                folded={folded.has(row.job.id)}
                onFold={fold}
              />
            ))}
          </section>
        ))}
        {groups.length === 0 && jobs.size > 0 && (
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
  const { job, depth, children } = props.row;
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
