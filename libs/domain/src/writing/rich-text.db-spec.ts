import { textToHtml } from '@ats/rich-text';
import { describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../test/test-database.js';
import { AddRichText1795220100000 } from '../migrations/1795220100000-add-rich-text.js';
import { migrations } from '../migrations/index.js';

const own = useTestDatabase();

/** Reverts the migration to rich text and all later migrations. */
async function revert(): Promise<void> {
  const newer = migrations.slice(migrations.indexOf(AddRichText1795220100000));
  for (let count = newer.length; count > 0; count--) await own.database.dataSource.undoLastMigration();
}

const TEXTS = [
  'One\nTwo\r\n\r\nThree\rFour',
  '<b>1 < 2</b> & "3" > 2 &amp;',
  '  indented\n   by  two  and \n',
  '',
  ' ',
  'a <script>alert(1)</script>',
  'Grüße 漢字 😀',
];

describe('the migration to rich text', () => {
  it('keeps existing texts as plain text, escapes them as HTML, and restores them when it is reverted', async () => {
    await revert();
    await own.database.query(
      `INSERT INTO opportunities (id, kind, title, state_id, process_id, description)
       SELECT 100 + position, 'vacancy', 'One', 302, 1, text
       FROM unnest($1::text[]) WITH ORDINALITY AS t(text, position)`,
      [TEXTS],
    );
    await own.database.query(`INSERT INTO job_boards (id, name, code) VALUES (31, 'Board', 'board')`);
    await own.database.query(
      `INSERT INTO postings (id, title, job_board_id, vacancy_id, description)
       SELECT id, title, 31, id, description FROM opportunities`,
    );
    await own.database.query(
      `INSERT INTO opportunities (id, kind, title, state_id, process_id) VALUES (200, 'event', 'Without', 302, 2)`,
    );

    await own.database.dataSource.runMigrations();
    const expected = [
      ...TEXTS.map((plain) => ({ description: textToHtml(plain), description_plain: plain })),
      { description: null, description_plain: null },
    ];
    const read = (table: string, columns: string) => own.database.query(`SELECT ${columns} FROM ${table} ORDER BY id`);
    expect(await read('opportunities', 'description, description_plain')).toEqual(expected);
    expect(await read('postings', 'description, description_plain')).toEqual(expected.slice(0, -1));

    await revert();
    expect(await read('opportunities', 'description')).toEqual(
      [...TEXTS, null].map((description) => ({ description })),
    );
    await own.database.dataSource.runMigrations();
  });
});
