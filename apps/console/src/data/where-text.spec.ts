import { expect, it } from '@jest/globals';
import { formatWhere } from './where-text.js';

const TYPES: Readonly<Record<string, string>> = { 'a.count': 'integer', 'a.flag': 'boolean', 'a.on': 'date' };
const typeOf = (path: string): string | undefined => TYPES[path] ?? 'text';

it('the query builder writes each value of an expression in the notation of its type', () => {
  const conditions = [
    { key: 'a.count', operator: '>=', values: ['4'] },
    { key: 'a.flag', operator: '=', values: ['true'] },
    { key: 'a.on', operator: '<', values: ['DATE("today")'] },
    { key: 'a.name', operator: '=', values: ['O"Neil'] },
    { key: 'a.name', operator: '!=', values: [''] },
    { key: 'a.name', operator: '!=', values: ['x', '4'] },
  ] as const;
  expect(formatWhere(conditions, 'OR', typeOf).split(' OR ')).toEqual([
    'a.count >= 4',
    'a.flag == TRUE',
    'a.on < DATE("today")',
    'a.name == "O\\"Neil"',
    'a.name != NULL',
    'a.name NOT IN {"x", "4"}',
  ]);
});
