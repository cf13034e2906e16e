// SPDX-License-Identifier: MIT
// One job: a header that never scrolls away, tabs, and the tab's view below.

import { LiveState } from '../App';
import { clock, duration, left, num, percent } from '../format/format';
import { clockOff, endedAt, hasEnded, jobName, mainBar, progress } from '../list/line';
import { Name } from '../parts/parts';
import { href, type Tab, tabs } from '../routes/route';
import { useNow, useSkew, useView } from '../stream/hooks';
import { elapsed, type HeldJob } from '../stream/state';
import { Icon, StateIcon, stateKey, stateWord } from '../theme/Icon';
import { Log } from './Log';
import { Metrics } from './Metrics';
import { Overview } from './Overview';
import { Stages } from './Stages';
import './job.css';

const views = { overview: Overview, stages: Stages, metrics: Metrics, log: Log };
const titles: Record<Tab, string> = { overview: 'Overview', stages: 'Stages', metrics: 'Metrics', log: 'Log' };

export function JobView({ id, tab }: { id: string; tab: Tab }) {
  const job = useView((view) => view.state.jobs.get(id));
  const started = useView((view) => view.state.boot !== undefined);
  const live = useView((view) => view.live.now);
  const View = views[tab];
  return (
    <article className="job">
      {!live && (
        <div className="phone-live">
          <LiveState />
        </div>
      )}
      <Header job={job} />
      <div className="tabs" role="tablist" aria-label="Views of this job">
        {tabs.map((name) => (
          <a key={name} role="tab" aria-selected={name === tab} href={href(id, name)}>
            {titles[name]}
          </a>
        ))}
      </div>
      <div className={`view view-${tab}`} role="tabpanel" aria-label={titles[tab]}>
        {job ? (
          <View job={job} />
        ) : (
          started && <p className="choose">Nothing is known of this job. It shows here as soon as it reports.</p>
        )}
      </div>
    </article>
  );
}

function Header({ job }: { job: HeldJob | undefined }) {
  return (
    <header className="job-head">
      <a className="back icon-button" href={href()} aria-label="All jobs">
        <Icon name="chevron-left" size={20} />
      </a>
      <h1>{job && <Name>{jobName(job)}</Name>}</h1>
      {job && <About job={job} />}
      {job && <Readouts job={job} />}
    </header>
  );
}

function About({ job }: { job: HeldJob }) {
  const skew = useSkew();
  const now = Date.now() + skew;
  return (
    <div className="about">
      <span className={`pill tint-${stateKey(job.state)}`}>
        <StateIcon state={job.state} />
        {stateWord(job.state)}
      </span>
      {job.host && <span>{job.host}</span>}
      {job.pid && <span>{`pid ${job.pid}`}</span>}
      {hasEnded(job) && job.started && (
        <span>{`${clock(Date.parse(job.started), now)} to ${clock(endedAt(job), now)}`}</span>
      )}
      {clockOff(job) && <span>{clockOff(job)}</span>}
      {Object.entries(job.tags ?? {}).map(([key, value]) => (
        <span key={key} className="tag">{`${key}=${value}`}</span>
      ))}
    </div>
  );
}

function Readouts({ job }: { job: HeldJob }) {
  const now = useNow();
  const bar = mainBar(job);
  const done = progress(job);
  const ended = hasEnded(job);
  return (
    <dl className="readouts">
      <div className="elapsed">
        <dt>{ended ? 'Ran for' : 'Elapsed'}</dt>
        <dd>{duration(elapsed(job, now))}</dd>
      </div>
      {!ended && (
        <div className="left">
          <dt>Left</dt>
          <dd>{Number.isFinite(num(bar?.eta)) ? left(bar?.eta, bar?.eta_range) : '–'}</dd>
        </div>
      )}
      <div className="done">
        <dt>{ended ? 'Reached' : 'Done'}</dt>
        <dd>{percent(done)}</dd>
      </div>
    </dl>
  );
}
