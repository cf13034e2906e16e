// SPDX-License-Identifier: MIT
// How numbers look on screen: one pure function a kind, the same rules as the desktop window. Both test themselves
// against tests/vectors/numbers. Unknown is an en dash, never 0 or blank; nothing breaks before a unit.
import type { Maybe, Num, Value } from '../api/types';

export const unknown = '–';
const nbsp = '\u00a0';
const minute = 60;
const hour = 3600;
const day = 86400;

/** A number and its unit, apart, so that tables can put the unit into a gutter of its own. */
export interface Quantity {
  number: string;
  unit: string;
}
export const text = (q: Quantity) => spaced(q.number, q.unit);
export type Range = Maybe<readonly [Num, Num]>;

const spaced = (a: string, b: string) => (b ? `${a}${nbsp}${b}` : a);

/** The value as a number to calculate with; NaN when unknown. */
export function num(value: Maybe<Value>): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || value === undefined || value === '' || value === 'nan') return Number.NaN;
  if (value === 'inf') return Number.POSITIVE_INFINITY;
  if (value === '-inf') return Number.NEGATIVE_INFINITY;
  return Number(value);
}

const formats = new Map<number, Intl.NumberFormat>();
function decimals(value: number, places: number): string {
  let format = formats.get(places);
  if (!format) {
    format = new Intl.NumberFormat(undefined, { minimumFractionDigits: places, maximumFractionDigits: places });
    formats.set(places, format);
  }
  return format.format(value === 0 ? 0 : value);
}

const power = (value: number) => Math.floor(Math.log10(Math.abs(value)));

function rounded(value: number, digits: number): number {
  return value === 0 || !Number.isFinite(value) ? value : Number(value.toPrecision(digits));
}

function placesFor(value: number, digits: number): number {
  return value === 0 ? digits - 1 : Math.min(20, Math.max(0, digits - 1 - power(value)));
}

/** As placesFor, but trailing zeros say nothing: 1.85, not 1.850. */
function fewestPlaces(value: number, digits: number): number {
  const fraction = rounded(value, digits).toFixed(placesFor(value, digits)).split('.')[1] ?? '';
  return fraction.replace(/0+$/, '').length;
}

const threeDigits = (value: number) => decimals(value, placesFor(value, 3));

type Unit = readonly [name: string, size: number, below: number];

/** Rounds first, then chooses the unit: the first in which the number stays under the unit's limit. */
function inUnits(value: number, units: readonly Unit[]): Quantity {
  for (const [name, size, below] of units) {
    const number = rounded(value / size, 3);
    if (number < below) return { number: threeDigits(number), unit: name };
  }
  return { number: unknown, unit: '' };
}

const forever = Number.POSITIVE_INFINITY;
const timeUnits: readonly Unit[] = [
  ['ns', 1e-9, 1000],
  ['µs', 1e-6, 1000],
  ['ms', 1e-3, 1000],
  ['s', 1, 100],
  ['min', minute, 100],
  ['h', hour, 100],
  ['d', day, forever],
];

/** Measured times, in tables: three significant digits and one unit. */
export function measured(seconds: Maybe<Num>): Quantity {
  const s = num(seconds);
  if (!Number.isFinite(s) || s < 0) return { number: unknown, unit: '' };
  return s === 0 ? { number: '0', unit: 's' } : inUnits(s, timeUnits);
}

interface TwoUnits {
  high: number;
  low: number;
  highName: string;
  lowName: string;
  lowSize: number;
}

function twoUnits(seconds: number): TwoUnits {
  const s = Math.floor(seconds);
  const cut = (size: number, lowSize: number, highName: string, lowName: string) => ({
    high: Math.floor(s / size),
    low: Math.floor((s % size) / lowSize),
    highName,
    lowName,
    lowSize,
  });
  if (s < minute) return { high: 0, low: s, highName: '', lowName: 's', lowSize: 1 };
  if (s < hour) return cut(minute, 1, 'min', 's');
  if (s < day) return cut(hour, minute, 'h', 'min');
  return cut(day, hour, 'd', 'h');
}

const twoDigits = (n: number) => String(n).padStart(2, '0');
const isKnown = (s: number) => Number.isFinite(s) && s >= 0;

/** "2 h 04 min", "6 min 12 s": headers and sentences. */
export function duration(seconds: Maybe<Num>): string {
  const s = num(seconds);
  if (!isKnown(s)) return unknown;
  const t = twoUnits(s);
  if (t.high === 0) return spaced(String(t.low), t.lowName);
  const low = t.lowSize < hour ? twoDigits(t.low) : String(t.low);
  return spaced(spaced(String(t.high), t.highName), spaced(low, t.lowName));
}

/** "2h 04m", "6m 12s": lists and ages. */
export function compact(seconds: Maybe<Num>): string {
  const s = num(seconds);
  if (!isKnown(s)) return unknown;
  const t = twoUnits(s);
  if (t.high === 0) return `${t.low}${t.lowName.charAt(0)}`;
  return spaced(`${t.high}${t.highName.charAt(0)}`, `${twoDigits(t.low)}${t.lowName.charAt(0)}`);
}

/** The age of an open stage: compact, or measured below a second. */
export function age(seconds: Maybe<Num>): string {
  return num(seconds) < 1 ? text(measured(seconds)) : compact(seconds);
}

/** Estimates claim no more than they know: whole minutes from ten minutes, five-minute steps from ten hours. */
function roundedEstimate(s: number): number {
  if (s >= 10 * hour) return Math.round(s / (5 * minute)) * 5 * minute;
  if (s >= 10 * minute) return Math.round(s / minute) * minute;
  return Math.round(s);
}

const isWholeMinutes = (s: number) => s >= 10 * minute && s < hour;

/** What is left: "2 h 19 min ± 9", "about 3 h", "–". */
export function left(eta: Maybe<Num>, range?: Range): string {
  if (!isKnown(num(eta))) return unknown;
  const s = roundedEstimate(num(eta));
  const words = isWholeMinutes(s) ? spaced(String(s / minute), 'min') : duration(s);
  if (!range || s <= 0) return words;
  const half = (num(range[1]) - num(range[0])) / 2;
  const t = twoUnits(s);
  if (half > s / 2) {
    const unit = !t.high ? 1 : s >= day ? day : s >= hour ? hour : minute;
    return `about ${spaced(String(Math.round(s / unit)), t.high ? t.highName : t.lowName)}`;
  }
  const margin = Math.round(half / (isWholeMinutes(s) ? minute : t.lowSize));
  return half >= s * 0.05 && margin >= 1 ? `${words}${nbsp}±${nbsp}${margin}` : words;
}

export function leftCompact(eta: Maybe<Num>): string {
  if (!isKnown(num(eta))) return unknown;
  const s = roundedEstimate(num(eta));
  return isWholeMinutes(s) ? `${s / minute}m` : compact(s);
}

const local = (ms: number) => new Date(ms);
const hoursMinutes = (t: Date) => `${twoDigits(t.getHours())}:${twoDigits(t.getMinutes())}`;
const dayNumber = (t: Date) =>
  Math.round(new Date(t.getFullYear(), t.getMonth(), t.getDate()).getTime() / (day * 1000));
const dayMonth = (t: Date) => `${t.getDate()} ${t.toLocaleDateString(undefined, { month: 'short' })}`;

/** "Ends about 17:02", with weekday or date when it is not today. Points in time are ms. */
export function endsAbout(now: number, eta: Maybe<Num>): string {
  if (!isKnown(num(eta))) return 'No end known';
  const end = local(now + num(eta) * 1000);
  const days = dayNumber(end) - dayNumber(local(now));
  if (days > 6) return `Ends about ${dayMonth(end)}`;
  const weekday = days ? `${end.toLocaleDateString(undefined, { weekday: 'short' })} ` : '';
  return `Ends ${weekday}about ${hoursMinutes(end)}`;
}

/** "likely 16:53 to 17:11" when the range spans five minutes, today; else nothing. */
export function endsLikely(now: number, eta: Maybe<Num>, range?: Range): string {
  if (!isKnown(num(eta)) || !range || num(range[1]) - num(range[0]) < 5 * minute) return '';
  if (dayNumber(local(now + num(eta) * 1000)) !== dayNumber(local(now))) return '';
  return `likely ${hoursMinutes(local(now + num(range[0]) * 1000))} to ${hoursMinutes(local(now + num(range[1]) * 1000))}`;
}

export function ends(now: number, eta: Maybe<Num>, range?: Range): string {
  return [endsAbout(now, eta), endsLikely(now, eta, range)].filter(Boolean).join(', ');
}

/** "14:43", "Yesterday 22:10", "28 Nov 09:40". */
export function clock(time: number, now: number): string {
  if (!Number.isFinite(time)) return unknown;
  const t = local(time);
  const days = dayNumber(local(now)) - dayNumber(t);
  if (days === 0) return hoursMinutes(t);
  return days === 1 ? `Yesterday ${hoursMinutes(t)}` : `${dayMonth(t)} ${hoursMinutes(t)}`;
}

export function clockSeconds(time: number): string {
  return Number.isFinite(time) ? `${hoursMinutes(local(time))}:${twoDigits(local(time).getSeconds())}` : unknown;
}

export function clockMillis(time: number): string {
  if (!Number.isFinite(time)) return unknown;
  return `${clockSeconds(time)}.${String(local(time).getMilliseconds()).padStart(3, '0')}`;
}

export function exact(value: Maybe<Num>): string {
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return BigInt(value).toLocaleString();
  const n = num(value);
  if (!Number.isFinite(n)) return unknown;
  return decimals(n, Number.isInteger(n) ? 0 : fewestPlaces(n, 6));
}

const countUnits: readonly Unit[] = [
  ['M', 1e6, 1000],
  ['G', 1e9, 1000],
  ['T', 1e12, forever],
];

/** Whole below a million, then "3.41 M". */
export function count(value: Maybe<Num>): string {
  const n = num(value);
  if (!Number.isFinite(n)) return unknown;
  if (Math.abs(n) < 1e6) return exact(value);
  return (n < 0 ? '-' : '') + text(inUnits(Math.abs(n), countUnits));
}

/** The fraction done, or undefined when there is no total to measure against; 0 of 0 is done. */
export function fraction(n: Maybe<Num>, total: Maybe<Num>): number | undefined {
  if (!Number.isFinite(num(n)) || !Number.isFinite(num(total))) return undefined;
  return num(total) <= 0 ? 1 : Math.max(0, num(n) / num(total));
}

/** "61.8 %", floored, so that 100 % means done. */
export function percent(fraction: Maybe<Num>): string {
  const f = num(fraction);
  if (!Number.isFinite(f)) return unknown;
  if (f <= 0) return `0${nbsp}%`;
  if (f < 0.001 - 1e-12) return `<${decimals(0.1, 1)}${nbsp}%`;
  if (f >= 1 && f < 1.0005) return `100${nbsp}%`;
  // The small nudge keeps 0.618 at 61.8, which as a binary fraction lies just below it.
  return `${decimals(Math.floor(f * 1000 + 1e-9) / 10, 1)}${nbsp}%`;
}

/** Part of a whole in a table: "21.4 %", "<0.1 %", "100 %". */
export function share(fraction: Maybe<Num>): string {
  const f = num(fraction);
  if (!Number.isFinite(f)) return unknown;
  if (f <= 0) return `0${nbsp}%`;
  if (f < 0.001) return `<${decimals(0.1, 1)}${nbsp}%`;
  return f >= 0.9995 ? `100${nbsp}%` : `${decimals(f * 100, 1)}${nbsp}%`;
}

const byteUnits: readonly Unit[] = [
  ['B', 1, 1000],
  ['kB', 1e3, 1000],
  ['MB', 1e6, 1000],
  ['GB', 1e9, 1000],
  ['TB', 1e12, forever],
];

export function bytes(value: Maybe<Num>): Quantity {
  const n = num(value);
  if (!isKnown(n)) return { number: unknown, unit: '' };
  return n < 999.5 ? { number: decimals(Math.round(n), 0), unit: 'B' } : inUnits(n, byteUnits);
}

/** "41.6 of 128 GB": both in the unit of the limit. */
export function bytesOf(value: Maybe<Num>, limit: Maybe<Num>): string {
  const { unit } = bytes(limit);
  const size = byteUnits.find(([name]) => name === unit)?.[1] ?? 1;
  const plain = (v: Maybe<Num>) => {
    const scaled = rounded(num(v) / size, 3);
    return Number.isInteger(scaled) ? decimals(scaled, 0) : threeDigits(scaled);
  };
  return spaced(`${plain(value)} of ${plain(limit)}`, unit);
}

export function rate(perSecond: Maybe<Num>, unit = ''): Quantity {
  const r = num(perSecond);
  if (!isKnown(r)) return { number: unknown, unit: '' };
  if (unit === 'B') {
    const q = bytes(r);
    return { number: q.number, unit: `${q.unit}/s` };
  }
  if (r === 0) return { number: '0', unit: `${unit}/s` };
  const [size, name] = rounded(r, 3) >= 1 ? [1, '/s'] : rounded(r * minute, 3) >= 1 ? [minute, '/min'] : [hour, '/h'];
  const value = rounded(r * size, 3);
  return { number: value < 1e6 ? threeDigits(value) : count(value), unit: unit + name };
}

const nonFinite: Readonly<Record<string, string>> = { nan: 'NaN', inf: 'inf', '-inf': '-inf' };

/** Texts and truths count as finite: they are no broken numbers. */
export const isFiniteValue = (value: Maybe<Value>) => !(typeof value === 'string' && value in nonFinite);

export function metric(value: Maybe<Value>): string {
  if (value === null || value === undefined) return unknown;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return nonFinite[value] ?? value;
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return decimals(value, 0);
  const four = rounded(value, 4);
  if (Math.abs(four) >= 0.001 && Math.abs(four) < 1e6) return decimals(four, fewestPlaces(four, 4));
  const [mantissa = '', exponent = ''] = four.toExponential().split('e');
  return `${decimals(Number(mantissa), fewestPlaces(Number(mantissa), 4))}e${exponent}`;
}

/** "3 log lines", "1 job". */
export const things = (n: Num, one: string, many: string) => `${exact(n)} ${num(n) === 1 ? one : many}`;
