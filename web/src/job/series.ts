// SPDX-License-Identifier: MIT
// A metric's points as two plain columns, and how the stream's newest points join what was fetched. Pure.
import type { Metric, Series, Value } from '../api/types';
import { isFiniteValue, num } from '../format/format';

export interface Curve {
  /** Steps where every point has one, else seconds since the job's start. */
  readonly byStep: boolean;
  readonly x: readonly number[];
  /** null breaks the line: no finite number. */
  readonly y: readonly (number | null)[];
  /** Where the value was NaN or infinite, and which. */
  readonly broken: readonly { x: number; word: string }[];
}

export interface Points {
  readonly step: readonly number[];
  readonly up: readonly number[];
  readonly value: readonly Value[];
}

export const noPoints: Points = { step: [], up: [], value: [] };

export const pointsOf = (series: Series): Points => ({
  step: series.up.map((_, i) => num(series.step?.[i])),
  up: series.up.map(num),
  value: series.value,
});

/** The stream repeats the newest point of a metric: only a later one is added. */
export function withLatest(points: Points, metric: Metric): Points {
  const up = num(metric.up);
  const last = points.up.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (!(up > last)) return points;
  return {
    step: [...points.step, num(metric.step)],
    up: [...points.up, up],
    value: [...points.value, metric.value],
  };
}

export function isCurve(points: Points): boolean {
  return points.value.some((value) => typeof value === 'number' || !isFiniteValue(value));
}

export function curve(points: Points, byTime = false): Curve {
  const byStep = !byTime && points.step.length > 0 && points.step.every(Number.isFinite);
  const x = byStep ? points.step : points.up;
  const order = x.map((_, i) => i).sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0));
  const at = (i: number) => x[i] ?? 0;
  const y = order.map((i) => (Number.isFinite(num(points.value[i])) ? num(points.value[i]) : null));
  const broken = order
    .filter((i) => !isFiniteValue(points.value[i]))
    .map((i) => ({ x: at(i), word: { nan: 'NaN', inf: 'inf', '-inf': '-inf' }[String(points.value[i])] ?? '' }));
  return { byStep, x: order.map(at), y, broken };
}
