// SPDX-License-Identifier: MIT
// What the process uses of its machine, as far as it says.
import { bytes, compact, exact, num, text } from '../format/format';
import { Section, Track } from '../parts/parts';
import type { HeldJob } from '../stream/state';

export function Usage({ job, title }: { job: HeldJob; title: string }) {
  const usage = job.usage;
  const peak = usage?.peak ?? job.peak_memory;
  const rows: { name: string; value: string; peak: string; part?: number }[] = [];
  if (usage?.cpu_rate !== null && usage?.cpu_rate !== undefined)
    rows.push({ name: 'CPU', value: `${usage.cpu_rate.toFixed(1)} cores`, peak: '' });
  if (usage?.rss !== null && usage?.rss !== undefined)
    rows.push({
      name: 'Memory',
      value: text(bytes(usage.rss)),
      peak: peak ? text(bytes(peak)) : '',
      part: num(usage.rss) / num(peak),
    });
  else if (peak) rows.push({ name: 'Memory', value: '–', peak: text(bytes(peak)) });
  if (usage?.cpu !== null && usage?.cpu !== undefined)
    rows.push({ name: 'CPU time', value: compact(usage.cpu), peak: '' });
  if (usage?.threads) rows.push({ name: 'Threads', value: exact(usage.threads), peak: '' });
  if (rows.length === 0) return null;
  return (
    <Section title={title} columns={['peak']} className="usage">
      {rows.map((row) => (
        <div key={row.name} className="row">
          <span className="label">{row.name}</span>
          <span className="meter">{row.part !== undefined && <Track state="running" done={row.part} thin />}</span>
          <span className="value">{row.value}</span>
          <span className="usual">{row.peak}</span>
        </div>
      ))}
    </Section>
  );
}
