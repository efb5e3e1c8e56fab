import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { objectModel } from '../objects/object-model.js';

const PAGE = readFileSync(join(__dirname, '../../../../docs/reference/data-protection.md'), 'utf8');
const PERSONAL = objectModel.types
  .map(({ name, attributes, scopes }) => ({
    name,
    scopes,
    attributes: Object.keys(attributes).filter((attribute) => attributes[attribute]?.personal),
  }))
  .filter(({ attributes }) => attributes.length > 0);

/** Returns the texts in backquotes, for each cell of an object type's row in the table. */
const cellsOf = (type: string): readonly (readonly string[])[] =>
  (PAGE.split('\n').find((line) => line.startsWith(`| \`${type}\` |`)) ?? '')
    .split('|')
    .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));

describe('the page about data protection', () => {
  it.each(PERSONAL)('lists the personal attributes of $name and their scopes', ({ name, attributes, scopes }) => {
    const [, , listed = [], needed = []] = cellsOf(name);
    expect([...listed].sort()).toEqual([...attributes].sort());
    // An object type without scopes of its own is a part of a candidate and needs the scope of candidates.
    expect(needed).toEqual((scopes.length > 0 ? scopes : ['candidates']).map((scope) => `${scope}:read`));
  });

  it('lists no object without personal attributes', () => {
    const rows = PAGE.split('## Copies')[0]?.match(/^\| `\w+` \|/gm) ?? [];
    expect(rows.map((row) => row.replace(/[^\w]/g, '')).sort()).toEqual(PERSONAL.map(({ name }) => name).sort());
  });
});
