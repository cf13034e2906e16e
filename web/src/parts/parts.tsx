// SPDX-License-Identifier: MIT
// The small pieces that every view is put together from.
import type { CSSProperties, ReactNode } from 'react';
import type { State, Value } from '../api/types';
import { num, type Quantity } from '../format/format';
import { Icon, stateKey } from '../theme/Icon';

/** A name in one line, elided in the middle: its end tells as much as its start. */
export function Name({ children }: { children: string }) {
  const cut = children.length > 18 ? children.length - 10 : children.length;
  return (
    <span className="name" title={children}>
      <span className="name-head">{children.slice(0, cut)}</span>
      {cut < children.length && <span className="name-tail">{children.slice(cut)}</span>}
    </span>
  );
}

export function Search(props: { value: string; placeholder: string; onChange(v: string): void; children?: ReactNode }) {
  return (
    <label className="search">
      <Icon name="search" />
      <input
        type="search"
        value={props.value}
        placeholder={props.placeholder}
        aria-label={props.placeholder}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && props.onChange('')}
      />
      {props.children}
    </label>
  );
}

export function Section(props: {
  title: string;
  columns?: readonly string[];
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={`section ${props.className ?? ''}`}>
      <header>
        <h2>{props.title}</h2>
        {props.columns?.map((column) => (
          <span key={column}>{column}</span>
        ))}
      </header>
      {props.children}
    </section>
  );
}

const width = (part: number) => ({ width: `${Math.min(1, Math.max(0, part)) * 100}%` });

/** A part of a bar that was there before this run (at half strength), what this run did, and a mark or hatch. */
export function Track(props: {
  state: State;
  done: number | undefined;
  initial?: number | undefined;
  over?: number | undefined;
  thin?: boolean;
}) {
  const kind = `track fill-${stateKey(props.state)} ${props.thin ? 'thin' : ''}`;
  if (props.done === undefined) return <div className={`${kind} unknown`} />;
  return (
    <div className={kind}>
      <div className="fill" style={width(props.done)}>
        {props.initial ? <div className="initial" style={width(props.initial / (props.done || 1))} /> : null}
      </div>
      {props.over ? <div className="over" style={width(props.over)} /> : null}
    </div>
  );
}

/** Number and unit apart, the unit in a gutter of fixed width. */
export function Cell({ q, strong }: { q: Quantity; strong?: boolean }) {
  return (
    <>
      <span className={strong ? 'n strong' : 'n'}>{q.number}</span>
      <span className="u">{q.unit ? `\u00a0${q.unit}` : ''}</span>
    </>
  );
}

/** The recent values on their own scale, the last one marked; what is not finite is a gap. */
export function Sparkline({
  values,
  width: w = 92,
  height: h = 16,
}: {
  values: readonly Value[];
  width?: number;
  height?: number;
}) {
  const numbers = values.map(num);
  const finite = numbers.filter(Number.isFinite);
  if (finite.length < 2 || values.some((v) => typeof v === 'boolean'))
    return <svg className="spark" width={w} height={h} aria-hidden />;
  const low = Math.min(...finite);
  const span = Math.max(...finite) - low || 1;
  const x = (i: number) => 2 + (i / Math.max(1, numbers.length - 1)) * (w - 6);
  const y = (v: number) => 2 + (1 - (v - low) / span) * (h - 4);
  let pen = 'M';
  let path = '';
  for (const [i, v] of numbers.entries()) {
    if (Number.isFinite(v)) path += `${pen}${x(i).toFixed(1)} ${y(v).toFixed(1)}`;
    pen = Number.isFinite(v) ? 'L' : 'M';
  }
  const last = numbers.at(-1) ?? Number.NaN;
  return (
    <svg className="spark" width={w} height={h} viewBox={`0 0 ${w} ${h}`} aria-hidden>
      <path d={path} />
      {Number.isFinite(last) && <circle cx={x(numbers.length - 1)} cy={y(last)} r={2} />}
    </svg>
  );
}

/** How many rows up each row's parent or earlier sibling stands: so long is its guide. */
export function rowsUp(depths: readonly number[]): number[] {
  return depths.map((depth, i) => {
    for (let j = i - 1; j >= 0; --j) if ((depths[j] ?? 0) <= depth) return i - j;
    return i;
  });
}

/** The indent of a row of a tree, with the guide that leads to it. */
export function Indent({ depth, up = 1 }: { depth: number; up?: number }) {
  if (depth <= 0) return null;
  const shown = Math.min(depth, 12);
  return (
    <span className="indent" style={{ width: `${shown * 16}px` }}>
      <i className="guide" style={{ '--depth': shown, '--up': up } as CSSProperties} />
    </span>
  );
}
