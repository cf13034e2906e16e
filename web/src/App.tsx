// SPDX-License-Identifier: MIT
// The frame: a head with whether the page is live, the job list, the chosen job. On a phone one of the two last.
import { useEffect, useMemo, useState } from 'react';
import { clock, num, things } from './format/format';
import { JobView } from './job/JobView';
import { JobList } from './list/JobList';
import { useRoute } from './routes/route';
import { useSkew, useView } from './stream/hooks';
import { Icon } from './theme/Icon';
import { toggleTheme } from './theme/theme';

export function App() {
  const route = useRoute();
  const none = useView((view) => view.state.jobs.size === 0);
  const started = useView((view) => view.state.boot !== undefined);
  const seen = useSeen(route.job);
  const empty = started && none && !route.job;
  return (
    <div className={route.job ? 'app on-job' : 'app on-list'}>
      <header className="app-head">
        <h1>Macaw</h1>
        <span className="place">{location.hostname}</span>
        <LiveState />
        <Lost />
        <button
          type="button"
          className="icon-button"
          aria-label="Light or dark"
          title="Light or dark"
          onClick={toggleTheme}
        >
          <Icon name="theme" />
        </button>
      </header>
      {empty ? (
        <Empty />
      ) : (
        <>
          <JobList selected={route.job} tab={route.tab} seen={seen} />
          <main>
            {route.job ? <JobView key={route.job} id={route.job} tab={route.tab} /> : <Choose ready={started} />}
          </main>
        </>
      )}
    </div>
  );
}

export function LiveState() {
  const live = useView((view) => view.live);
  const skew = useSkew();
  if (live.now)
    return (
      <span className="live" role="status">
        <Icon name="check" size={14} /> Live
      </span>
    );
  return (
    <span className="live lost" role="status">
      <Icon name="warning" size={14} />
      {live.since === undefined
        ? 'Connecting…'
        : `Not live since ${clock(live.since + skew, Date.now() + skew)}. Trying again…`}
    </span>
  );
}

function Lost() {
  const lost = useView((view) => [...view.state.jobs.values()].reduce((sum, job) => sum + num(job.lost?.logs ?? 0), 0));
  if (!lost) return null;
  return (
    <span className="lost-lines">
      <Icon name="warning" size={14} />
      {`${things(lost, 'log line', 'log lines')} lost`}
    </span>
  );
}

function Empty() {
  return (
    <main className="empty">
      <h2>Waiting for the first job</h2>
      <p>Start a job as usual, with Macaw in it. It appears here by itself.</p>
      <pre>{'import macaw\nfor x in macaw.track(data):\n    ...'}</pre>
      <p className="quiet">Nothing has arrived yet.</p>
    </main>
  );
}

const Choose = ({ ready }: { ready: boolean }) => <p className="choose">{ready ? 'Choose a job on the left.' : ''}</p>;

/** Jobs whose end was looked at for 2 s; they move to Ended once the reader looks elsewhere. Kept in this browser. */
function useSeen(selected: string | undefined): ReadonlySet<string> {
  const key = 'macaw.seen';
  const [seen, setSeen] = useState<readonly string[]>(() => parseIds(localStorage.getItem(key)));
  const ended = useView((view) => (selected ? view.state.jobs.get(selected)?.state : undefined));
  useEffect(() => {
    if (!selected || (ended !== 'failed' && ended !== 'ended early')) return;
    const since = Date.now();
    return () => {
      if (Date.now() - since < 2000) return;
      setSeen((before) => {
        const next = [...before.filter((id) => id !== selected), selected].slice(-1000);
        localStorage.setItem(key, JSON.stringify(next));
        return next;
      });
    };
  }, [selected, ended]);
  return useMemo(() => new Set(seen), [seen]);
}

function parseIds(text: string | null): string[] {
  try {
    const ids: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
