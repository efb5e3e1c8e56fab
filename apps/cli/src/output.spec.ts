import { expect, test } from '@jest/globals';
import { forTerminal, itemText, tableText, textOf } from './output.js';

test('ats prints an item with one line for each property', () => {
  expect(itemText({ id: 7, name: 'Robin', tags: ['sql'], note: null })).toBe(
    'id    7\nname  Robin\ntags  ["sql"]\nnote  \n',
  );
});

test('a printed table has the requested columns, and long cells are cut', () => {
  const items = [
    { id: 7, title: 'x'.repeat(60) },
    { id: 1_000, title: 'Two\nlines' },
  ];
  expect(tableText(items, ['id', 'title'])).toBe(`id    title\n7     ${'x'.repeat(39)}…\n1000  Two lines\n`);
});

test('a printed table has the usual columns that the items have when none are requested', () => {
  expect(tableText([{ uuid: 'u', status: 'open', id: 3, title: 'Gardener' }])).toBe(
    'id  title     status\n3   Gardener  open\n',
  );
  expect(tableText([{ id: 4, name: 'Bank', certificate: '-----BEGIN', valid_to_dt: '2027-01-01T00:00:00Z' }])).toBe(
    'id  name  valid_to_dt\n4   Bank  2027-01-01T00:00:00Z\n',
  );
  expect(tableText([])).toBe('');
});

test('a printed text cannot control the terminal or change its direction, and keeps its lines and columns', () => {
  expect(forTerminal('a\u001b[2J\tb\r\n\u009bc\u202e\u2066\u200b\ufeffd\r')).toBe(
    'a\ufffd[2J b\n\ufffdc\ufffd\ufffd\ufffd\ufffdd\ufffd',
  );
  // Persian needs U+200C, so it stays.
  expect(forTerminal('\u0645\u06cc\u200c\u062e')).toBe('\u0645\u06cc\u200c\u062e');
});

test('a value in a table is printed on one line', () => {
  expect(textOf('a\n\u2028b\u001b\u202e')).toBe('a b\ufffd\ufffd');
  expect(textOf({ a: 1 })).toBe('{"a":1}');
});

test('printed names of properties cannot control the terminal', () => {
  const item = { 'a\u001b\nb': 1, c: 2 };
  expect(itemText(item)).toBe('a\ufffd b  1\nc     2\n');
  expect(tableText([item])).toBe('a\ufffd b  c\n1     2\n');
});
