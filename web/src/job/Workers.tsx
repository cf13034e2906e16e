// SPDX-License-Identifier: MIT
// The jobs under this one, by name; a slow one is not moved to the top.
import { useMemo } from 'react';
import { compact, num, rate, text } from '../format/format';
import { childrenOf } from '../list/arrange';
import { jobName, mainBar, progress } from '../list/line';
import { Name, Section, Track } from '../parts/parts';
import { href } from '../routes/route';
import { useNow, useSkew, useView } from '../stream/hooks';
import type { HeldJob } from '../stream/state';
import { StateIcon, stateKey, stateWord } from '../theme/Icon';

export function Workers({ job }: { job: HeldJob }) {
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
