import { beforeAll, describe, expect, it } from '@jest/globals';
import { Dice } from '../../test/dice.js';
import { isExempt } from '../../test/exempt-columns.js';
import {
  addApplicant,
  addMentionRows,
  type Column,
  contentOf,
  plant,
  rowsOf,
  textColumns,
} from '../../test/mention-fixtures.js';
import { useTestDatabase } from '../../test/test-database.js';
import { entitySchemas } from '../writing/entities.js';
import { anonymiseCandidate } from './anonymise.js';

const own = useTestDatabase({ entities: entitySchemas() });
let columns: readonly Column[];

beforeAll(async () => {
  await addMentionRows(own.database);
  columns = (await textColumns(own.database)).filter(
    (column) => !isExempt(column.table, column.name) && SEARCHED.has(contentOf(column)),
  );
});

/** Contents of columns in which each mention is replaced by itself. */
const SEARCHED = new Set(['prose', 'html', 'template', 'fact', 'expression', 'condition']);
const LITERAL = new Set(['expression', 'condition']);

/** Names of people in several scripts, many of them with words of one or two letters. */
const FIRST = ['Li', 'An', 'Anna', 'Maria', 'Ng', 'José', 'Zoë', 'Иван', '太郎', '浩然', 'राम', 'محمد', '지우', 'Ο'];
const LAST = [
  'Wu',
  'Xu',
  'Ng',
  'Kowalczyk',
  'O’Neil',
  'de la Cruz',
  'Núñez',
  'Ли',
  '山田',
  '张',
  'शर्मा',
  'علي',
  '김',
  'Ωϊς',
];

/** Texts before and after a mention. None of them belongs to a word. */
const AROUND = [' ', '\n', '(', ') ', ', ', ': ', '“', '” ', '\t', ' – ', '/', ' "', '" '];
const GAPS = [' ', '  ', '\n', '\u00a0', '\u3000', ' \t'];

const fullname = (person: Person): string => `${person.firstname} ${person.lastname}`;

interface Person {
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
}

/** Writes one of the person's unique values in another form. */
function mentionOf(person: Person, dice: Dice): string {
  const value = dice.one([fullname(person), fullname(person), person.email]);
  const written = value.replace(/ /g, () => dice.one(GAPS));
  return dice.one([written, written.normalize('NFD'), written.toUpperCase(), written.toLowerCase()]);
}

/**
 * Reads the different texts in a column. Rows of an anonymised person have none. In stored searches, the replacement of
 * a literal has no brackets.
 */
const valuesOf = async ({ table, name }: Column): Promise<readonly string[]> => {
  const rows = await own.database.query<{ value: string }>(
    `SELECT DISTINCT ${name}::text AS value FROM ${table}
     WHERE ${rowsOf(table, name)} AND ${name}::text NOT IN ('', '{}') ORDER BY 1`,
  );
  return rows.map(({ value }) => value.replaceAll('"[anonymised]"', '"anonymised"'));
};

describe('anonymising everywhere', () => {
  const rounds = process.env['TEST_ALL'] === '1' ? 60 : 8;

  it.each(Array.from({ length: rounds }, (_, seed) => [seed]))(
    'removes all mentions of a random person, and nothing else (seed %i)',
    async (seed) => {
      const dice = new Dice(seed);
      const draw = (part: string): Person => ({
        firstname: dice.one(FIRST),
        lastname: `${dice.one(LAST)} ${part}${seed}`,
        email: `${part}.${seed}@wu.example`,
      });
      // The other person has the same first name, so the first name alone identifies nobody.
      const [person, drawn] = [draw('q'), draw('z')];
      const other = { ...drawn, firstname: person.firstname };
      const id = await addApplicant(own.database, { ...person });
      await addApplicant(own.database, { ...other });
      const expected = new Map<Column, readonly string[]>();
      for (const column of columns) {
        const [before, between, after] = [dice.one(AROUND), dice.one(AROUND), dice.one(AROUND)];
        const kept = `${dice.one(AROUND)}${mentionOf(other, dice)}${dice.one(AROUND)}`;
        const text = (mention: string): string =>
          `Ask${before}${mention}${between}or${kept}${person.firstname}${after}`;
        if (LITERAL.has(contentOf(column))) {
          const value = fullname(person);
          const stored = contentOf(column) === 'condition' ? `/source=${value}` : `application.source != "${value}"`;
          const cleared =
            contentOf(column) === 'condition' ? '/source=anonymised' : 'application.source != "[anonymised]"';
          if (!(await plant(own.database, column, cleared))) continue;
          expected.set(column, await valuesOf(column));
          await plant(own.database, column, stored);
        } else {
          if (!(await plant(own.database, column, text('[anonymised]')))) continue;
          expected.set(column, await valuesOf(column));
          await plant(own.database, column, text(mentionOf(person, dice)));
        }
      }
      expect(expected.size).toBeGreaterThan(40);
      await own.database.transaction((transaction) =>
        anonymiseCandidate(transaction, id, { recruiterId: 900, baseUrl: '', isEverywhere: true }),
      );
      for (const [column, values] of expected)
        expect([column.table, column.name, await valuesOf(column)]).toEqual([column.table, column.name, values]);
      expect(await own.database.query('SELECT firstname, lastname FROM users WHERE email = $1', [other.email])).toEqual(
        [{ firstname: other.firstname, lastname: other.lastname }],
      );
    },
  );
});
