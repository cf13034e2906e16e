// SPDX-License-Identifier: MIT
import { age, num } from '../format/format';
import { hasEnded } from '../list/line';
import { Indent, rowsUp, Section, Track } from '../parts/parts';
import { useNow } from '../stream/hooks';
import { type HeldJob, openFor, pathKey } from '../stream/state';

/** The open stages from outer to inner; past twice the average they turn. */
export function Now({ job }: { job: HeldJob }) {
  const now = useNow();
  const open = job.stages.filter((stage) => num(stage.open) > 0);
  const ended = hasEnded(job);
  if (job.stages.length === 0 || (ended && open.length === 0)) return null;
  const inner = open.reduce((depth, stage) => Math.max(depth, stage.path.length), 0);
  const outer = open.reduce((depth, stage) => Math.min(depth, stage.path.length), inner);
  const depths = open.map((stage) => stage.path.length - outer);
  const ups = rowsUp(depths);
  return (
    <Section title={ended ? 'Stages open when it ended' : 'Now'} columns={['open for', 'usually']} className="now">
      {open.length === 0 && <p className="none">Between stages</p>}
      {open.map((stage, i) => {
        const openNow = openFor(stage, job, now);
        const usual = num(stage.count) > 0 ? num(stage.avg) : Number.NaN;
        const slow = openNow > 2 * usual;
        return (
          <div key={pathKey(stage.path)} className={slow ? 'row slow' : 'row'}>
            <span className="what">
              <Indent depth={depths[i] ?? 0} up={ups[i] ?? 0} />
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
