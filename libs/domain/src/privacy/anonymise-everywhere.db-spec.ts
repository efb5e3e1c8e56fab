import { beforeAll, describe, expect, it } from '@jest/globals';
import { isExempt } from '../../test/exempt-columns.js';
import { addApplicant, addMentionRows, contentOf, plant, textColumns } from '../../test/mention-fixtures.js';
import { useTestDatabase } from '../../test/test-database.js';
import { entitySchemas } from '../writing/entities.js';
import { anonymiseCandidate } from './anonymise.js';
import { mentionPlaces } from './mention-places.js';
import { type RemovalReport } from './removal-report.js';

const SECRETS = ['Quillonia', 'Vexworth', 'qv.secret'];
const PLANTED = 'met Quillonia Vexworth (QV.secret@example.com)';
/**
 * The form in which a text about the person is stored, by the content of the column. Columns with other contents get
 * the plain text.
 */
const FORMS: Readonly<Record<string, string>> = {
  expression: `application.source != ${JSON.stringify(PLANTED)} AND application.rating > 3`,
  condition: `/source=${PLANTED}`,
};

const own = useTestDatabase({ entities: entitySchemas() });
let candidateId: number;
let planted: readonly string[];

beforeAll(async () => {
  await addMentionRows(own.database);
  candidateId = await addApplicant(own.database, {
    firstname: 'Quillonia',
    lastname: 'Vexworth',
    email: 'qv.secret@example.com',
  });
  const columns = (await textColumns(own.database)).filter(({ table, name }) => !isExempt(table, name));
  const done: string[] = [];
  for (const column of columns) {
    const text = FORMS[contentOf(column)] ?? PLANTED;
    if (await plant(own.database, column, text)) done.push(`${column.table}.${column.name}`);
  }
  planted = done;
});

/** Returns the columns in which a planted text is found. */
async function found(): Promise<readonly string[]> {
  const columns: string[] = [];
  for (const { table, name } of await textColumns(own.database)) {
    const [row] = await own.database.query(`SELECT 1 FROM ${table} WHERE ${name}::text ILIKE ANY ($1) LIMIT 1`, [
      SECRETS.map((secret) => `%${secret}%`),
    ]);
    if (row) columns.push(`${table}.${name}`);
  }
  return columns;
}

const anonymise = (isEverywhere = false): Promise<RemovalReport> =>
  own.database.transaction((transaction) =>
    anonymiseCandidate(transaction, candidateId, {
      recruiterId: 900,
      baseUrl: 'https://ats.example.com',
      isEverywhere,
    }),
  );

/** Columns with texts that other rows or other systems use as references. Such texts are reported and not changed. */
const KEYS = () =>
  new Set(
    mentionPlaces().flatMap(({ table, columns }) =>
      columns.filter(({ content }) => content === 'key').map(({ column }) => `${table}.${column}`),
    ),
  );

describe('anonymising a person', () => {
  it('is tested for every table: each has a row with texts about the person, or a reason why not', async () => {
    const columns = await textColumns(own.database);
    const empty: string[] = [];
    for (const table of new Set(
      columns.filter(({ table, name }) => !isExempt(table, name)).map((column) => column.table),
    ))
      if ((await own.database.query(`SELECT 1 FROM ${table} LIMIT 1`)).length === 0) empty.push(table);
    expect(empty).toEqual([]);
    expect(planted.length).toBeGreaterThan(50);
  });

  it('lists every place that still mentions the person, without the texts', async () => {
    const { remaining } = await anonymise();
    const after = await found();
    const places = mentionPlaces();
    // Every remaining mention must be in a column that the list covers. Triggers copy the words of these columns to
    // `quick_search_words`, which is covered, too.
    const covered = new Set(places.flatMap(({ table, columns }) => columns.map(({ column }) => `${table}.${column}`)));
    covered.add('quick_search_words.word');
    expect(after.filter((column) => !covered.has(column))).toEqual([]);
    expect(remaining).toEqual(
      expect.arrayContaining([
        {
          resource: 'notification_topics',
          id: 909,
          url: 'https://ats.example.com/api/v1/notification_topics/909',
          property: '/expression',
        },
        expect.objectContaining({ resource: 'selections', property: '/name' }),
        expect.objectContaining({ resource: 'forms', id: 906, property: '/sections/0/items/0/visible_if' }),
        expect.objectContaining({ resource: 'vacancies', id: 901, property: '/scoring_rules/0/expression' }),
        expect.objectContaining({ resource: 'layouts', id: 905, property: '/columns/0/title' }),
        expect.objectContaining({ resource: 'saved_searches', property: '/search' }),
        expect.objectContaining({ resource: 'message_templates', property: '/body' }),
      ]),
    );
    for (const secret of SECRETS) expect(JSON.stringify(remaining)).not.toContain(secret);
    const again = await anonymise();
    expect(again.removals).toEqual([]);
    expect(again.remaining).toEqual(remaining);
  });

  it('with `everywhere`, replaces these mentions except in keys, even of an anonymised person', async () => {
    const report = await anonymise(true);
    const after = await found();
    const keys = KEYS();
    expect(after.filter((column) => !keys.has(column))).toEqual([]);
    expect(report.remaining.map(({ property }) => property)).toEqual(
      expect.arrayContaining(['/destination_url', '/sections/0/items/0/key']),
    );
    const [topic] = await own.database.query<{ name: string; expression: string; description: string }>(
      'SELECT name, expression, description FROM notification_topics',
    );
    expect(topic).toEqual({
      name: 'met [anonymised] ([anonymised])',
      description: 'met [anonymised] ([anonymised])',
      expression: 'application.source != "[anonymised]" AND application.rating > 3',
    });
    const revisions = await own.database.query<{ expression: string }>(
      'SELECT expression FROM notification_topic_revisions',
    );
    expect(revisions).toEqual([{ expression: topic?.expression }, { expression: topic?.expression }]);
    expect(await own.database.query('SELECT search, sort FROM config_searches')).toEqual([
      { search: ['/source=anonymised'], sort: expect.anything() },
    ]);
    expect((await anonymise(true)).removals).toEqual([]);
  });
});
