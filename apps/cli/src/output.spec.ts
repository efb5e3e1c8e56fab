import { expect, test } from '@jest/globals';
import { itemText, tableText } from './output.js';

test('an item has one line for each property', () => {
  expect(itemText({ id: 7, name: 'Robin', tags: ['sql'], note: null })).toBe(
    'id    7\nname  Robin\ntags  ["sql"]\nnote  \n',
  );
});

test('a table has the named columns, and cuts long cells', () => {
  const items = [
    { id: 7, title: 'x'.repeat(60) },
    { id: 1_000, title: 'Two\nlines' },
  ];
  expect(tableText(items, ['id', 'title'])).toBe(`id    title\n7     ${'x'.repeat(39)}…\n1000  Two lines\n`);
});

test('a table without named columns has the usual ones that the items have', () => {
  expect(tableText([{ uuid: 'u', status: 'open', id: 3, title: 'Gardener' }])).toBe(
    'id  title     status\n3   Gardener  open\n',
  );
  expect(tableText([])).toBe('');
});
