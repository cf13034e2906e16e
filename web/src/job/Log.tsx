// SPDX-License-Identifier: MIT
// The log: levels, search, follow. Only the rows on screen are in the document; their heights are measured, since
// lines wrap.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { clockSeconds, exact, num } from '../format/format';
import { Search } from '../parts/parts';
import type { HeldJob } from '../stream/state';
import { Icon } from '../theme/Icon';
import { cutAtHits, type LogRow, lineTime, logRows, type Severity, severities, severity } from './logRows';
import { useLog } from './useLog';
import './log.css';

export function Log({ job }: { job: HeldJob }) {
  const { log, failed } = useLog(job.id);
  const [hidden, setHidden] = useState<ReadonlySet<Severity>>(new Set());
  const [search, setSearch] = useState('');
  const [current, setCurrent] = useState(0);
  const [follow, setFollow] = useState(true);
  const [leftAt, setLeftAt] = useState(0);
  const lines = log?.lines ?? [];
  const rows = useMemo(() => logRows(job, log?.lines ?? [], hidden, search), [job, log?.lines, hidden, search]);
  const hits = useMemo(() => rows.flatMap((row, i) => (row.kind === 'line' && row.hit ? [i] : [])), [rows]);
  const hit = hits.length ? hits[Math.min(current, hits.length - 1)] : undefined;

  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    getItemKey: (i) => rows[i]?.no ?? i,
    overscan: 20,
  });
  const last = lines.at(-1)?.no ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last line is what to follow
  useLayoutEffect(() => {
    if (follow && rows.length) virtual.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [follow, last, rows.length]);
  useEffect(() => {
    if (search && hit !== undefined) virtual.scrollToIndex(hit, { align: 'center' });
  }, [search, hit, virtual]);

  const unfollow = () => {
    if (follow) setLeftAt(last);
    setFollow(false);
  };
  const go = (by: number) =>
    hits.length && setCurrent((Math.min(current, hits.length - 1) + by + hits.length) % hits.length);
  const toggle = (s: Severity) =>
    setHidden(new Set(hidden.has(s) ? [...hidden].filter((h) => h !== s) : [...hidden, s]));
  const fresh = follow ? 0 : lines.filter((line) => line.no > leftAt).length;

  return (
    <>
      <div className="tools">
        <Search
          value={search}
          placeholder="Find in log"
          onChange={(value) => {
            unfollow();
            setSearch(value);
            setCurrent(Number.MAX_SAFE_INTEGER);
          }}
        >
          {search && (
            <span className="count">
              {hits.length ? `${Math.min(current, hits.length - 1) + 1} of ${hits.length}` : 'none'}
            </span>
          )}
        </Search>
        {search && (
          <span className="steps">
            <button type="button" className="icon-button" aria-label="Earlier hit" onClick={() => go(-1)}>
              <Icon name="chevron-up" />
            </button>
            <button type="button" className="icon-button" aria-label="Later hit" onClick={() => go(1)}>
              <Icon name="chevron-down" />
            </button>
          </span>
        )}
        <Levels rows={lines.map(severity)} hidden={hidden} onToggle={toggle} />
        <button
          type="button"
          className={follow ? 'button follow on' : 'button follow'}
          aria-pressed={follow}
          onClick={() => (follow ? unfollow() : setFollow(true))}
        >
          <Icon name="follow" />
          {fresh > 0 && !follow ? `Follow, ${exact(fresh)} new` : 'Follow'}
        </button>
      </div>
      <div
        className="log-rows"
        ref={scroller}
        role="log"
        aria-live="off"
        onScroll={(event) => {
          const box = event.currentTarget;
          if (box.scrollHeight - box.scrollTop - box.clientHeight < 8 && !search) setFollow(true);
        }}
        onWheel={(event) => event.deltaY < 0 && unfollow()}
        onTouchMove={unfollow}
        onKeyDown={(event) => ['ArrowUp', 'PageUp', 'Home'].includes(event.key) && unfollow()}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
      >
        {rows.length === 0 && <p className="none">{emptyText(lines.length > 0, failed, log?.loaded ?? false)}</p>}
        <div className="log-space" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className="log-place"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {row && <LogRowView row={row} job={job} search={search} current={item.index === hit} />}
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

function emptyText(hasLines: boolean, failed: boolean, loaded: boolean): string {
  if (hasLines) return 'Every line is hidden by its level.';
  if (failed) return 'The log could not be read. It comes back with the stream.';
  return loaded ? 'No log lines yet.' : '';
}

const icons: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'info', debug: 'debug' };

function Levels(props: { rows: readonly Severity[]; hidden: ReadonlySet<Severity>; onToggle(s: Severity): void }) {
  const counts = new Map<Severity, number>();
  for (const s of props.rows) counts.set(s, (counts.get(s) ?? 0) + 1);
  return (
    <span className="levels">
      {severities
        .filter((s) => counts.has(s))
        .map((s) => (
          <button
            key={s}
            type="button"
            className={`chip level-${s}`}
            aria-pressed={!props.hidden.has(s)}
            aria-label={`${s}, ${counts.get(s)} lines, ${props.hidden.has(s) ? 'hidden' : 'shown'}`}
            onClick={() => props.onToggle(s)}
          >
            <Icon name={icons[s]} />
            {props.hidden.has(s) ? 'off' : exact(counts.get(s))}
          </button>
        ))}
    </span>
  );
}

function LogRowView(props: { row: LogRow; job: HeldJob; search: string; current: boolean }) {
  const { row } = props;
  if (row.kind === 'gap')
    return (
      <div className="log-row gap">
        <Icon name="gap" size={14} />
        <span>{row.text}</span>
      </div>
    );
  const { line } = row;
  const level = severity(line);
  return (
    <div className={`log-row level-${level} ${props.current ? 'current' : ''}`} data-no={line.no}>
      <time>{clockSeconds(lineTime(line, props.job))}</time>
      <span className="sign">
        {(level === 'error' || level === 'warning') && <Icon name={icons[level]} size={14} label={level} />}
      </span>
      <span className="text">
        {cutAtHits(line.text, row.hit ? props.search : '').map((piece, i) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
          i % 2 ? <mark key={i}>{piece}</mark> : piece,
        )}
        {num(line.cut) > 0 && <span className="cut">{` … ${exact(line.cut)} more bytes were cut`}</span>}
      </span>
    </div>
  );
}
