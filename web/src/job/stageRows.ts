// SPDX-License-Identifier: MIT
// The stage tree as the rows of a table: sorted among siblings, folded, searched. Pure.
import { num } from '../format/format';
import { type HeldStage, pathKey } from '../stream/state';

export const columns = ['stage', 'count', 'total', 'self', 'avg', 'min', 'max', 'std', 'last', 'share'] as const;
export type Column = (typeof columns)[number];
export interface Sort {
  readonly column: Column;
  readonly down: boolean;
}

export interface StageRow {
  readonly stage: HeldStage;
  readonly key: string;
  readonly depth: number;
  readonly parent: boolean;
}

/** What was measured in all: the total of the outermost stages. */
export const measuredTotal = (stages: readonly HeldStage[]) =>
  stages.filter((stage) => stage.path.length === 1).reduce((sum, stage) => sum + num(stage.total), 0);

export function stageRows(
  stages: readonly HeldStage[],
  sort: Sort,
  folded: ReadonlySet<string>,
  search: string,
): StageRow[] {
  const known = new Set(stages.map((stage) => pathKey(stage.path)));
  const children = new Map<string, HeldStage[]>();
  for (const stage of stages) {
    const parent = nearest(stage.path.slice(0, -1), known);
    children.set(parent, [...(children.get(parent) ?? []), stage]);
  }
  const wanted = search.trim().toLowerCase();
  const rows = (parent: string, depth: number): StageRow[] =>
    [...(children.get(parent) ?? [])].sort(comparing(sort)).flatMap((stage) => {
      const key = pathKey(stage.path);
      const isParent = children.has(key);
      const below = folded.has(key) && !wanted ? [] : rows(key, depth + 1);
      const found = !wanted || below.length > 0 || (stage.path.at(-1) ?? '').toLowerCase().includes(wanted);
      return found ? [{ stage, key, depth, parent: isParent }, ...below] : [];
    });
  return rows(pathKey([]), 0);
}

/** The path's nearest ancestor that is there: its parent may not have arrived yet. */
function nearest(path: readonly string[], known: ReadonlySet<string>): string {
  for (let length = path.length; length > 0; --length) {
    const key = pathKey(path.slice(0, length));
    if (known.has(key)) return key;
  }
  return pathKey([]);
}

function comparing({ column, down }: Sort) {
  const sign = down ? -1 : 1;
  if (column === 'stage')
    return (a: HeldStage, b: HeldStage) => sign * (a.path.at(-1) ?? '').localeCompare(b.path.at(-1) ?? '');
  const field = column === 'share' ? 'total' : column;
  const value = (stage: HeldStage) => num(stage[field]) || 0;
  return (a: HeldStage, b: HeldStage) => sign * (value(a) - value(b));
}
