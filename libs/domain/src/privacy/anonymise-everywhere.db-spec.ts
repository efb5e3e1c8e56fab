import { beforeAll, describe, expect, it } from '@jest/globals';
import { isExempt } from '../../test/exempt-columns.js';
import { useTestDatabase } from '../../test/test-database.js';
import { applications } from '../objects/application.model.js';
import { candidates } from '../objects/user.model.js';
import { addCommunication } from '../rules/communication/add-communication.js';
import { addHistory } from '../rules/history/history.js';
import { entitySchemas } from '../writing/entities.js';
import { insertObject } from '../writing/write-object.js';
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

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** The columns of all tables that can store texts, except generated ones. */
const textColumns = (): Promise<readonly Column[]> =>
  own.database.query<Column>(
    `SELECT c.table_name AS table, c.column_name AS name, c.data_type AS type FROM information_schema.columns c
     JOIN pg_class p ON p.oid = ('public.' || c.table_name)::regclass AND NOT p.relispartition
     WHERE c.table_schema = 'public' AND c.is_generated = 'NEVER' AND p.relkind IN ('r', 'p')
       AND c.data_type IN ('text', 'jsonb', 'json', 'ARRAY', 'character varying')
       AND c.udt_name NOT IN ('_int8', '_int4') ORDER BY 1, 2`,
  );

/**
 * SQL conditions that select the rows in which the test plants a text, by table or column. In other rows, the column
 * cannot have the text, or the row belongs to the person.
 */
const ROWS: Readonly<Record<string, string>> = {
  users: 'id = 910',
  'users.job_title': 'id = 900',
  'opportunities.venue': `kind = 'event'`,
  'opportunities.employment_type': `kind = 'vacancy'`,
};

/**
 * Stores the planted text in one column, in all rows.
 * @returns false when a constraint does not allow the text
 */
async function plant({ table, name, type }: Column): Promise<boolean> {
  const places = mentionPlaces().filter((place) => place.table === table);
  const content = places.flatMap(({ columns }) => columns).find(({ column }) => column === name)?.content ?? '';
  const text = FORMS[content] ?? PLANTED;
  const value = type === 'ARRAY' ? [text] : type === 'jsonb' ? JSON.stringify({ en: text, de: text }) : text;
  const where = ROWS[`${table}.${name}`] ?? ROWS[table] ?? 'true';
  try {
    await own.database.query(`UPDATE ${table} SET ${name} = $1 WHERE ${where}`, [value]);
    return true;
  } catch {
    return false;
  }
}

beforeAll(async () => {
  await own.database.query(`
    INSERT INTO users (id, type, firstname, lastname, email) VALUES (900, 'recruiter', 'R', 'R', 'r@example.com'),
      (910, 'candidate', 'Other', 'Person', 'o@example.com');
    INSERT INTO candidate_emails (user_id, position, label, address) VALUES (910, 0, 'work', 'o@work.example');
    INSERT INTO candidate_addresses (user_id, position, label, city) VALUES (910, 0, 'home', 'Town');
    INSERT INTO candidate_phones (user_id, position, label, number) VALUES (910, 0, 'home', '+1 2');
    INSERT INTO candidate_urls (user_id, position, label, address) VALUES (910, 0, 'website', 'https://o.example');
    INSERT INTO opportunities (id, kind, title, state_id, process_id) VALUES (901, 'vacancy', 'V', 302, 1),
      (911, 'event', 'E', 302, 2);
    INSERT INTO scoring_rules (opportunity_id, position, expression, points) VALUES (901, 0, 'x', 1);
    INSERT INTO job_boards (id, name, code) VALUES (902, 'B', 'b');
    INSERT INTO postings (id, title, job_board_id, vacancy_id) VALUES (903, 'P', 902, 901);
    INSERT INTO credentials (id, name, key_id, token_digest, scopes, user_id, recruiter_id)
      VALUES (904, 'c', 'abcdefgh', '', '{}', 900, 900);
    INSERT INTO message_templates (name, subject, body, body_plain) VALUES ('T', 'S', 'B', 'B');
    INSERT INTO client_certificates
        (name, certificate, subject, issuer, serial_number, fingerprint, valid_from_dt, valid_to_dt)
      VALUES ('C', 'C', 'CN=ats', 'CN=ats', '1', '1', now(), now());
    INSERT INTO documents (name, kind, media_type, size, sha256) VALUES ('D', 'other', 'text/plain', 1, '0');
    INSERT INTO saved_searches (name, resource, owner_id) VALUES ('S', 'applications', 900);
    INSERT INTO config_searches (name, resource) VALUES ('C', 'applications');
    INSERT INTO selections (name, resource) VALUES ('L', 'applications');
    INSERT INTO layouts (id, name, resource) VALUES (905, 'Y', 'applications');
    INSERT INTO layout_columns (layout_id, position, title, datapath, type, is_many)
      VALUES (905, 0, '{"en": "t"}', 'id', 'integer', false);
    INSERT INTO forms (id, name, resource) VALUES (906, 'F', 'vacancies');
    INSERT INTO form_sections (id, form_id, position, name, repeatable) VALUES (907, 906, 0, '{"en": "s"}', false);
    INSERT INTO form_items (id, section_id, position, key, label, type, required)
      VALUES (908, 907, 0, 'k', '{"en": "i"}', 'text', false);
    INSERT INTO form_options (item_id, position, value, label) VALUES (908, 0, 'v', '{"en": "o"}');
    INSERT INTO opportunity_form_values (owner_id, item_id, section_instance, form_instance, text_value)
      VALUES (901, 908, 1, 1, 'a');
    INSERT INTO notification_topics (id, type, name, revision) VALUES (909, 'STATE_CHANGE_APPLICATION', 'N', 2);
    INSERT INTO notification_topic_revisions (topic_id, revision, type, datapaths, valid_from_dt)
      VALUES (909, 1, 'STATE_CHANGE_APPLICATION', '{}', now()), (909, 2, 'STATE_CHANGE_APPLICATION', '{}', now());
    INSERT INTO notification_subscriptions (topic_id, destination_url, destination_origin, start_dt, active_from_dt)
      VALUES (909, 'https://example.com', 'https://example.com', now(), now())`);
  await own.database.transaction(async (transaction) => {
    candidateId = await insertObject(transaction, candidates, {
      firstname: 'Quillonia',
      lastname: 'Vexworth',
      email: 'qv.secret@example.com',
    });
    for (const userId of [candidateId, 910]) {
      const application = { opportunity_id: 901, user_id: userId };
      const applicationId = await insertObject(transaction, applications, application, { state_id: 101 });
      const message = { subject: 'S', body: { html: 'B', plain: 'B' }, to: ['a@example.com'], applicationId, userId };
      await addCommunication(transaction, {
        ...message,
        type: 'note',
        direction: 'outbound',
        authorId: 900,
        templateId: null,
      });
    }
    for (const subjectType of ['opportunity', 'posting'] as const)
      await addHistory(transaction, {
        type: 'field_change',
        subjectType,
        subjectId: subjectType === 'posting' ? 903 : 901,
        recruiterId: 900,
        comment: 'c',
        changes: [],
      });
  });
  const columns = (await textColumns()).filter(({ table, name }) => !isExempt(table, name));
  const done: string[] = [];
  for (const column of columns) if (await plant(column)) done.push(`${column.table}.${column.name}`);
  planted = done;
});

/** Returns the columns in which a planted text is found. */
async function found(): Promise<readonly string[]> {
  const columns: string[] = [];
  for (const { table, name } of await textColumns()) {
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
    const columns = await textColumns();
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
