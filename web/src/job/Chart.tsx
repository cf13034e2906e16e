// SPDX-License-Identifier: MIT
// One metric as a curve. uPlot draws; colours come from the tokens, values at the pointer stand in the title line.
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { compact, count, metric, num } from '../format/format';
import type { Curve } from './series';
import 'uplot/dist/uPlot.min.css';
import './metrics.css';

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Dotted lines with a triangle and the word where the curve is broken. */
function drawBroken(plot: uPlot, broken: Curve['broken']) {
  const { ctx, bbox } = plot;
  const px = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = token('state-stalled');
  ctx.font = `${11 * px}px system-ui, sans-serif`;
  ctx.textAlign = 'right';
  ctx.setLineDash([2 * px, 3 * px]);
  for (const { x, word } of broken.slice(-50)) {
    const at = plot.valToPos(x, 'x', true);
    if (at < bbox.left || at > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(at, bbox.top + 8 * px);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(at - 4 * px, bbox.top);
    ctx.lineTo(at + 4 * px, bbox.top);
    ctx.lineTo(at, bbox.top + 6 * px);
    ctx.fill();
    ctx.fillText(word, at - 6 * px, bbox.top + 8 * px);
  }
  ctx.restore();
}

function options(width: number, curve: () => Curve, onPoint: (index: number | null) => void): uPlot.Options {
  const axis = {
    stroke: () => token('text-3'),
    font: '11px system-ui, sans-serif',
    ticks: { show: false },
    grid: { stroke: () => token('line-soft'), width: 1 },
  };
  return {
    width,
    height: 180,
    padding: [10, 8, 0, 0],
    legend: { show: false },
    cursor: {
      sync: { key: 'metrics' },
      y: false,
      points: { size: 9, width: 2, stroke: () => token('bg-surface'), fill: () => token('series-1') },
    },
    scales: { x: { time: false } },
    axes: [
      {
        ...axis,
        size: 26,
        space: 70,
        grid: { show: false },
        values: (_, ticks) => ticks.map((t) => (curve().byStep ? count(t) : compact(t))),
      },
      { ...axis, size: 48, space: 28, values: (_, ticks) => ticks.map((t) => metric(t)) },
    ],
    series: [{}, { stroke: () => token('series-1'), width: 1.5, points: { show: false }, spanGaps: false }],
    hooks: {
      setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)],
      draw: [(plot) => drawBroken(plot, curve().broken)],
    },
  };
}

export function Chart({ name, curve, now }: { name: string; curve: Curve; now: React.ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(curve);
  latest.current = curve;
  const [at, setAt] = useState<number | null>(null);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const made = new uPlot(
      options(element.clientWidth, () => latest.current, setAt),
      data(latest.current),
      element,
    );
    plot.current = made;
    const sizes = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: 180 }));
    sizes.observe(element);
    const repaint = () => made.redraw(false);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', repaint);
    const theme = new MutationObserver(repaint);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      sizes.disconnect();
      theme.disconnect();
      scheme.removeEventListener('change', repaint);
      made.destroy();
    };
  }, []);

  useEffect(() => {
    const made = plot.current;
    if (!made) return;
    // A reader who zoomed in keeps the cut.
    const { min, max } = made.scales.x ?? {};
    const old = made.data[0];
    const zoomed = old.length > 1 && (num(min) > num(old[0]) || num(max) < num(old.at(-1)));
    made.setData(data(curve), !zoomed);
    if (zoomed) made.redraw();
  }, [curve]);

  const pointed = at === null ? undefined : curve.y[at];
  const where = at === null ? undefined : curve.x[at];
  return (
    <figure className="chart" aria-label={name}>
      <figcaption>
        <b>{name}</b>
        {where !== undefined && (
          <span>
            <i className="sample" />
            <b>{metric(pointed ?? 'nan')}</b>{' '}
            <span className="quiet">{curve.byStep ? `step ${count(where)}` : compact(where)}</span>
          </span>
        )}
        <span className="now">{now}</span>
      </figcaption>
      <div ref={box} />
    </figure>
  );
}

const data = (curve: Curve): uPlot.AlignedData => [curve.x as number[], curve.y as (number | null)[]];
