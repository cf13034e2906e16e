// SPDX-License-Identifier: MIT
// The stage tree: a table where there is room for its columns, rows with details below them on a phone.
import { type KeyboardEvent, useMemo, useState } from 'react';
import { jobUrl } from '../api/client';
import { exact, measured, num, share, text, things } from '../format/format';
import { Cell, Name, Search } from '../parts/parts';
import type { HeldJob, HeldStage } from '../stream/state';
import { Icon } from '../theme/Icon';
import { type Column, columns, measuredTotal, type Sort, type StageRow, stageRows } from './stageRows';
import './stages.css';

const titles: Record<Column, string> = {
  stage: 'Stage',
  count: 'Count',
  total: 'Total',
  self: 'Self',
  avg: 'Avg',
  min: 'Min',
  max: 'Max',
  std: '±',
  last: 'Last',
  share: 'Share',
};
const times = ['total', 'self', 'avg', 'min', 'max', 'std', 'last'] as const;

/** ± of one call is not known, and neither is the last one of none. */
function time(stage: HeldStage, column: (typeof times)[number]) {
  const known = num(stage.count) > (column === 'std' ? 1 : 0) || column === 'total' || column === 'self';
  return measured(known ? stage[column] : null);
}

export function Stages({ job }: { job: HeldJob }) {
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort>({ column: 'total', down: true });
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState<string>();
  const rows = useMemo(() => stageRows(job.stages, sort, folded, search), [job.stages, sort, folded, search]);
  const whole = measuredTotal(job.stages);

  if (job.stages.length === 0)
    return (
      <p className="none">
        This job has no stages. Add <code>with macaw.stage("name"):</code>
      </p>
    );

  const fold = (key: string, shut: boolean) =>
    setFolded(new Set(shut ? [...folded, key] : [...folded].filter((f) => f !== key)));
  const sortBy = (column: Column) =>
    setSort({ column, down: sort.column === column ? !sort.down : column !== 'stage' });
  const select = (key: string | undefined) => setSelected(key === selected ? undefined : key);
  const keys = (event: KeyboardEvent) => {
    const at = rows.findIndex((row) => row.key === selected);
    const row = rows[at];
    const next = { ArrowDown: rows[at + 1], ArrowUp: rows[at - 1] }[event.key];
    if (next) setSelected(next.key);
    else if (row?.parent && ['ArrowLeft', '-'].includes(event.key)) fold(row.key, true);
    else if (row?.parent && ['ArrowRight', '+'].includes(event.key)) fold(row.key, false);
    else if (event.key === '*') setFolded(new Set());
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className="tools">
        <Search value={search} placeholder="Find a stage" onChange={setSearch} />
        <label className="sort-by">
          <span>By {titles[sort.column].toLowerCase()}</span>
          <Icon name="chevron-down" />
          <select value={sort.column} aria-label="Sort by" onChange={(event) => sortBy(event.target.value as Column)}>
            {columns
              .filter((c) => c !== 'share')
              .map((column) => (
                <option key={column} value={column}>
                  By {titles[column].toLowerCase()}
                </option>
              ))}
          </select>
        </label>
        <span className="summary">{`${things(job.stages.length, 'stage', 'stages')}, ${text(measured(whole))} measured`}</span>
        <a className="button" href={jobUrl(job.id, 'stages.csv')} download>
          <Icon name="export" />
          CSV
        </a>
      </div>
      {rows.length === 0 && <p className="none">No stage matches “{search}”.</p>}
      <div className="table-box">
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows are a tree */}
        <table className="stages" role="treegrid" aria-label="Stages" tabIndex={0} onKeyDown={keys}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column}
                  className={`c-${column}`}
                  aria-sort={sort.column === column ? (sort.down ? 'descending' : 'ascending') : 'none'}
                >
                  <button type="button" tabIndex={-1} onClick={() => sortBy(column)}>
                    {sort.column === column && <Icon name={sort.down ? 'chevron-down' : 'chevron-up'} size={12} />}
                    {titles[column]}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <StageTableRow
                key={row.key}
                row={row}
                sort={sort.column}
                whole={whole}
                selected={row.key === selected}
                folded={folded.has(row.key)}
                onSelect={select}
                onFold={fold}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function StageTableRow(props: {
  row: StageRow;
  sort: Column;
  whole: number;
  selected: boolean;
  folded: boolean;
  onSelect(key: string): void;
  onFold(key: string, shut: boolean): void;
}) {
  const { stage, key, depth, parent } = props.row;
  const part = (value: number) => (props.whole > 0 ? num(value) / props.whole : 0);
  const open = num(stage.open) > 0;
  const name = stage.path.at(-1) ?? '';
  return (
    <>
      <tr
        className={`${open ? 'open' : ''} ${props.selected ? 'selected' : ''}`}
        aria-level={depth + 1}
        aria-selected={props.selected}
        aria-expanded={parent ? !props.folded : undefined}
        data-stage={stage.path.join('/')}
        onClick={() => props.onSelect(key)}
        onDoubleClick={() => parent && props.onFold(key, !props.folded)}
      >
        <td className="c-stage">
          <span className="stage-name">
            <span className="running-mark">{open && <Icon name="state-running" size={11} label="Open now" />}</span>
            <span className="indent" style={{ width: `calc(var(--stage-indent) * ${Math.min(depth, 16)})` }} />
            {parent && props.folded && (
              <button
                type="button"
                className="fold"
                aria-label={`Show what is in ${name}`}
                onClick={() => props.onFold(key, false)}
              >
                <Icon name="chevron-right" size={12} />
              </button>
            )}
            <Name>{name}</Name>
            {stage.note && <span className="note">{stage.note}</span>}
            {num(stage.errors) > 0 && <span className="errors">{things(stage.errors ?? 0, 'error', 'errors')}</span>}
          </span>
        </td>
        <td className="c-count">{exact(stage.count)}</td>
        {times.map((column) => (
          <td key={column} className={`c-${column}`}>
            <Cell q={time(stage, column)} strong={props.sort === column} />
          </td>
        ))}
        <td className="c-share">
          <ShareBar self={part(stage.self)} total={part(stage.total)} />
          <span>{share(part(stage.total))}</span>
        </td>
      </tr>
      {props.selected && (
        <tr className="details">
          <td colSpan={10}>
            <Details stage={stage} />
          </td>
        </tr>
      )}
    </>
  );
}

function ShareBar({ self, total }: { self: number; total: number }) {
  const width = (part: number) => ({ width: `${Math.min(1, Math.max(0, part)) * 100}%` });
  return (
    <span className="share-bar">
      <i className="children" style={width(total)} />
      <i className="self" style={width(self)} />
    </span>
  );
}

function Details({ stage }: { stage: HeldStage }) {
  const value = (column: (typeof times)[number]) => text(time(stage, column));
  const facts: readonly [string, string][] = [
    ['Count', exact(stage.count)],
    ['Avg', value('avg')],
    ['Min', value('min')],
    ['Max', value('max')],
    ['Self', value('self')],
    ['±', value('std')],
    ['Last', value('last')],
    ['Note', stage.note || '–'],
  ];
  return (
    <dl>
      {facts.map(([term, fact]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd title={fact}>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
