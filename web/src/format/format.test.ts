// SPDX-License-Identifier: MIT
// The table that the desktop window is tested against, too (tests/vectors/numbers).
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as format from './format';

type Row = [kind: string, inputs: unknown[], expected: string];
const file = new URL('../../../tests/vectors/numbers/numbers.json', import.meta.url);
const rows = JSON.parse(readFileSync(file, 'utf8')) as Row[];

const camel = (kind: string) => kind.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const isTime = (input: unknown): input is string => typeof input === 'string' && /^\d{4}-\d\d-\d\dT/.test(input);

test.each(rows)('%s(%j) is %s', (kind, inputs, expected) => {
  const call = format[camel(kind) as keyof typeof format] as (...args: unknown[]) => string | format.Quantity;
  const answer = call(...inputs.map((input) => (isTime(input) ? Date.parse(input) : input)));
  const shown = typeof answer === 'string' ? answer : format.text(answer);
  expect(shown.replaceAll('\u00a0', ' ')).toBe(expected);
});

test('nothing to measure against is no fraction, and nothing of nothing is done', () => {
  expect(format.fraction(5, null)).toBeUndefined();
  expect(format.fraction(5, 'nan')).toBeUndefined();
  expect(format.fraction(0, 0)).toBe(1);
  expect(format.fraction(-5, 100)).toBe(0);
});
