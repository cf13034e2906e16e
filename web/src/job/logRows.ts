// SPDX-License-Identifier: MIT
// The log as rows on screen: lines, and the gaps where lines were lost on the way. Pure.
import type { Job, LogLine } from '../api/types';
import { clockSeconds, num, things } from '../format/format';

export const severities = ['error', 'warning', 'info', 'debug'] as const;
export type Severity = (typeof severities)[number];
export const severity = (line: LogLine): Severity => (line.level === 'critical' ? 'error' : line.level);

export const lineTime = (line: LogLine, job: Job) =>
  line.time ? Date.parse(line.time) : Date.parse(job.started ?? '') + num(line.up) * 1000;

export type LogRow =
  | { kind: 'line'; no: number; line: LogLine; hit: boolean }
  | { kind: 'gap'; no: number; text: string };

/** Gaps are where numbers are missing; hiding a level opens none. */
export function logRows(job: Job, lines: readonly LogLine[], hidden: ReadonlySet<Severity>, search: string): LogRow[] {
  const wanted = search.toLowerCase();
  const rows: LogRow[] = [];
  lines.forEach((line, i) => {
    const previous = lines[i - 1];
    if (previous && line.no > previous.no + 1) {
      const lost = things(line.no - previous.no - 1, 'line', 'lines');
      const [from, to] = [clockSeconds(lineTime(previous, job)), clockSeconds(lineTime(line, job))];
      rows.push({ kind: 'gap', no: line.no - 0.5, text: `${lost} lost on the way, ${from} to ${to}` });
    }
    if (hidden.has(severity(line))) return;
    rows.push({ kind: 'line', no: line.no, line, hit: wanted !== '' && line.text.toLowerCase().includes(wanted) });
  });
  return rows;
}

/** The text in pieces, every second one a hit. */
export function cutAtHits(text: string, search: string): string[] {
  if (!search) return [text];
  const pieces: string[] = [];
  const lower = text.toLowerCase();
  const wanted = search.toLowerCase();
  // Lower-casing may change the length of some texts: then nothing can be marked safely.
  if (lower.length !== text.length) return [text];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    pieces.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...pieces, text.slice(from)];
}
