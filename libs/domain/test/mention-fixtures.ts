import { type Database, type Transaction } from '@ats/postgres';
import { applications } from '../src/objects/application.model.js';
import { candidates } from '../src/objects/user.model.js';
import { mentionPlaces } from '../src/privacy/mention-places.js';
import { addCommunication } from '../src/rules/communication/add-communication.js';
import { addHistory } from '../src/rules/history/history.js';
import { insertObject } from '../src/writing/write-object.js';

export interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** The columns of all tables that can store texts, except generated ones. */
export const textColumns = (database: Database): Promise<readonly Column[]> =>
  database.query<Column>(
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
  history_entries: `subject_type IN ('opportunity', 'posting')`,
  'users.job_title': 'id = 900',
  'opportunities.venue': `kind = 'event'`,
  'opportunities.employment_type': `kind = 'vacancy'`,
};

/**
 * Stores a text in one column, in all rows in which the column can have it.
 * @returns false when a constraint does not allow the text
 */
export async function plant(database: Database, { table, name, type }: Column, text: string): Promise<boolean> {
  const value = type === 'ARRAY' ? [text] : type === 'jsonb' ? JSON.stringify({ en: text, de: text }) : text;
  try {
    await database.query(`UPDATE ${table} SET ${name} = $1 WHERE ${rowsOf(table, name)}`, [value]);
    return true;
  } catch {
    return false;
  }
}

/** SQL condition that selects the rows in which {@link plant} stores a text. */
export const rowsOf = (table: string, column: string): string => ROWS[`${table}.${column}`] ?? ROWS[table] ?? 'true';

/** Returns the content of a column, as the places of mentions declare it. */
export const contentOf = ({ table, name }: Column): string =>
  mentionPlaces()
    .filter((place) => place.table === table)
    .flatMap(({ columns }) => columns)
    .find(({ column }) => column === name)?.content ?? '';

/** Stores a row of each kind that can mention a person. The other candidate has the id 910, the recruiter 900. */
export async function addMentionRows(database: Database): Promise<void> {
  await database.query(`
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
  await database.transaction(async (transaction) => {
    await addApplication(transaction, 910);
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
}

/**
 * Adds a candidate with an application and a message.
 * @returns the id
 */
export const addApplicant = (database: Database, values: Readonly<Record<string, unknown>>): Promise<number> =>
  database.transaction(async (transaction) => {
    const id = await insertObject(transaction, candidates, values);
    await addApplication(transaction, id);
    return id;
  });

async function addApplication(transaction: Transaction, userId: number): Promise<void> {
  const application = { opportunity_id: 901, user_id: userId };
  const applicationId = await insertObject(transaction, applications, application, { state_id: 101 });
  await addCommunication(transaction, {
    subject: 'S',
    body: { html: 'B', plain: 'B' },
    to: ['a@example.com'],
    applicationId,
    userId,
    type: 'note',
    direction: 'outbound',
    authorId: 900,
    templateId: null,
  });
}
