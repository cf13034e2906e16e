// SPDX-License-Identifier: MIT
// The bars as a tree: known, resumed, unknown total, past the total, done.
import type { Bar, State } from '../api/types';
import { count, fraction, leftCompact, num, rate, text } from '../format/format';
import { hasEnded } from '../list/line';
import { Indent, rowsUp, Section, Track } from '../parts/parts';
import type { HeldJob } from '../stream/state';

export function Bars({ job }: { job: HeldJob }) {
  const rows = tree(job.bars);
  const ups = rowsUp(rows.map((row) => row.depth));
  const title = hasEnded(job) && job.state !== 'finished' ? 'Progress when it ended' : 'Progress';
  return (
    <Section title={title} columns={['done', 'rate', 'left']} className="bars">
      {rows.map(({ bar, depth }, i) => (
        <BarRow key={String(bar.id)} bar={bar} depth={depth} up={ups[i] ?? 1} job={job} />
      ))}
    </Section>
  );
}

/** Parents before children, siblings by first appearance; a bar whose parent is unknown stands at the top. */
export function tree(bars: readonly Bar[]): { bar: Bar; depth: number }[] {
  const ids = new Set(bars.map((bar) => String(bar.id)));
  const parentOf = (bar: Bar) =>
    bar.parent !== null && bar.parent !== undefined && ids.has(String(bar.parent)) ? String(bar.parent) : '';
  const placed = new Set<string>();
  const under = (parent: string, depth: number): { bar: Bar; depth: number }[] =>
    bars
      .filter((bar) => parentOf(bar) === parent && !placed.has(String(bar.id)))
      .flatMap((bar) => {
        placed.add(String(bar.id));
        return [{ bar, depth }, ...under(String(bar.id), depth + 1)];
      });
  const rows = under('', 0);
  return [...rows, ...bars.filter((bar) => !placed.has(String(bar.id))).map((bar) => ({ bar, depth: 0 }))];
}

function BarRow({ bar, depth, up, job }: { bar: Bar; depth: number; up: number; job: HeldJob }) {
  const done = fraction(bar.n, bar.total);
  const over = done !== undefined && done > 1;
  const shown = barState(bar, job);
  const initial = num(bar.initial) / num(bar.total);
  return (
    <div className={over ? 'row over-run' : 'row'}>
      <span className="what">
        <Indent depth={depth} up={up} />
        <span className={depth ? 'label' : 'label root'}>{bar.desc || 'progress'}</span>
        {num(bar.repeats) > 1 && <span className="note">{`${count(bar.repeats)} times`}</span>}
      </span>
      <span className="meter" style={{ '--depth': depth } as React.CSSProperties}>
        {over ? (
          <Track state={shown} done={1 / done} over={1 - 1 / done} />
        ) : (
          <Track state={shown} done={bar.state === 'done' ? 1 : done} initial={initial > 0 ? initial : undefined} />
        )}
      </span>
      <span className="value">
        {count(bar.n)}
        {done !== undefined && <span className="of">{` / ${count(bar.total)}`}</span>}
      </span>
      <span className="rate">{text(rate(bar.rate, bar.unit ?? ''))}</span>
      <span className="usual">{leftOf(bar, job, over)}</span>
    </div>
  );
}

function barState(bar: Bar, job: HeldJob): State {
  if (bar.state === 'done') return job.state === 'finished' ? 'finished' : hasEnded(job) ? 'interrupted' : 'running';
  if (bar.state === 'failed' || bar.state === 'interrupted') return bar.state;
  return bar.state === 'left' ? 'interrupted' : job.state;
}

function leftOf(bar: Bar, job: HeldJob, over: boolean): string {
  if (over) return `+${count(num(bar.n) - num(bar.total))}`;
  if (bar.state === 'done') return 'done';
  if (bar.state !== 'running') return bar.state === 'left' ? 'left early' : bar.state;
  if (hasEnded(job) || job.state === 'no contact') return '';
  return fraction(bar.n, bar.total) === undefined ? 'no total' : leftCompact(bar.eta);
}
