import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Transaction } from '@ats/postgres';
import { useTestDatabase } from '../../test/test-database.js';
import { candidate } from '../objects/user.model.js';
import { entitySchemas } from '../writing/entities.js';
import { mentionPlaces } from './mention-places.js';
import { countRows, findRowKeys } from './mention-rows.js';
import { PersonValues } from './person-values.js';
import { readPersonValues } from './read-person-values.js';

/** Tables that have few rows, because recruiters fill them: settings, searches and templates. They have no index. */
const SMALL = [
  'client_certificates',
  'config_searches',
  'credentials',
  'form_items',
  'form_options',
  'form_sections',
  'forms',
  'job_boards',
  'layout_columns',
  'layouts',
  'message_templates',
  'notification_endpoints',
  'notification_subscriptions',
  'notification_topic_revisions',
  'notification_topics',
  'saved_searches',
  'selections',
  'systems',
];

const own = useTestDatabase({ entities: entitySchemas() });

/** Number of rows in each table. With fewer rows, PostgreSQL would rather read the whole table. */
const COUNT = 3_000;

beforeAll(() =>
  own.database.query(
    `INSERT INTO users (id, type, firstname, lastname, email, source) SELECT 1000 + n, 'candidate', 'F' || n, 'L' || n,
       n || '@example.com', md5(n::text) FROM generate_series(0, $1::integer) n;
     INSERT INTO candidate_emails (user_id, position, label, address)
       SELECT 1000 + n, 0, 'work', n || '@work.example' FROM generate_series(0, $1::integer) n;
     INSERT INTO candidate_addresses (user_id, position, label, address_line, city)
       SELECT 1000 + n, 0, 'home', 'Road ' || n, md5(n::text) FROM generate_series(0, $1::integer) n;
     INSERT INTO candidate_phones (user_id, position, label, number)
       SELECT 1000 + n, 0, 'home', '+1 ' || n FROM generate_series(0, $1::integer) n;
     INSERT INTO candidate_urls (user_id, position, label, address)
       SELECT 1000 + n, 0, 'website', 'https://example.com/' || n FROM generate_series(0, $1::integer) n;
     INSERT INTO opportunities (id, kind, title, state_id, process_id) SELECT 1000 + n,
       (ARRAY['vacancy', 'event'])[1 + n % 2], md5(n::text), 302, 1 + n % 2 FROM generate_series(0, $1::integer) n;
     INSERT INTO scoring_rules (opportunity_id, position, expression, points)
       SELECT 1000 + n, 0, 'application.rating > ' || n, 1 FROM generate_series(0, $1::integer) n;
     INSERT INTO job_boards (id, name, code) VALUES (902, 'B', 'b');
     INSERT INTO postings (id, title, job_board_id, vacancy_id)
       SELECT 1000 + n, md5(n::text), 902, 1000 + n FROM generate_series(0, $1::integer, 2) n;
     INSERT INTO applications (id, app_type, reference, opportunity_id, user_id, state_id, source)
       SELECT 1000 + n, (ARRAY['vacancy_application', 'event_application'])[1 + n % 2], 'R' || n, 1000 + n, 1000 + n, 101,
         md5(n::text) FROM generate_series(0, $1::integer) n;
     INSERT INTO communications (type, direction, status, subject, body, body_plain, user_id, author_id)
       SELECT 'note', 'inbound', 'sent', 'S', md5(n::text), md5(n::text), 1000 + n, 1000
       FROM generate_series(0, $1::integer) n;
     INSERT INTO documents (name, kind, media_type, size, sha256, candidate_id)
       SELECT md5(n::text), 'other', 'text/plain', 1, '0', 1000 + n FROM generate_series(0, $1::integer) n;
     INSERT INTO forms (id, name, resource) VALUES (906, 'F', 'vacancies');
     INSERT INTO form_sections (id, form_id, position, name, repeatable) VALUES (907, 906, 0, '{"en": "s"}', false);
     INSERT INTO form_items (id, section_id, position, key, label, type, required)
       VALUES (908, 907, 0, 'k', '{"en": "i"}', 'text', false);
     INSERT INTO opportunity_form_values (owner_id, item_id, section_instance, form_instance, text_value)
       SELECT 1000 + n, 908, 1, 1, md5(n::text) FROM generate_series(0, $1::integer) n;
     INSERT INTO history_entries (subject_type, subject_id, type, comment)
       SELECT 'opportunity', 1000 + n, 'state_change', md5(n::text) FROM generate_series(0, $1::integer) n
       UNION ALL SELECT 'posting', 1000 + n, 'field_change', md5(n::text) FROM generate_series(0, $1::integer, 2) n;
     ANALYZE`.replaceAll('$1', String(COUNT)),
  ),
);

/** Returns the plans of the statements that `run` sends. */
const plansOf = (run: (transaction: Transaction) => Promise<unknown>): Promise<string> =>
  own.database.transaction(async (transaction) => {
    const plans: string[] = [];
    const explaining = new Proxy(transaction, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== 'query') return value.bind(target) as unknown;
        return async (text: string, parameters: unknown[]) => {
          const plan = await transaction.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, parameters);
          plans.push(...plan.map((row) => row['QUERY PLAN']));
          return transaction.query<unknown>(text, parameters);
        };
      },
    });
    await run(explaining);
    return plans.join('\n');
  });

describe('the search for mentions of a person', () => {
  const values = new PersonValues(['li wu', '山田 太郎', 'quillonia']);
  // Recruiters are few, and an index of `type` finds them.
  const larger = mentionPlaces().filter(({ name, table }) => name !== 'recruiters' && !SMALL.includes(table));

  it.each(larger.map((place) => [place.name, place] as const))('uses an index for %s', async (_, place) => {
    const index = `ix_${place.table}_mentions`;
    const person = (transaction: Transaction) => ({ transaction, personId: 1000, baseUrl: '' });
    expect(await plansOf((transaction) => findRowKeys(person(transaction), place, { values, limit: 10 }))).toContain(
      index,
    );
    expect(await plansOf((transaction) => countRows(person(transaction), place, [{ values, limit: 10 }]))).toContain(
      index,
    );
  });

  it('uses indexes to find out which names, numbers and addresses another person has', async () => {
    const plans = await plansOf((transaction) => readPersonValues(transaction, candidate, 1000));
    for (const table of ['users', 'candidate_emails', 'candidate_addresses', 'candidate_phones', 'candidate_urls'])
      expect(plans).toContain(`ix_${table}_mentions`);
  });

  it('reads no texts that have the words of a name apart, such as a name of two very common words', async () => {
    const texts = ['Write to an employer', 'Ask An To about it', 'Ask An\n(To) about it'];
    const found = await own.database.query<{ found: boolean }>(
      `SELECT mention_words(text) @@ mention_query(ARRAY['an to']) AS found FROM unnest($1::text[]) text`,
      [texts],
    );
    expect(found.map((row) => row.found)).toEqual([false, true, true]);
  });

  it('finds texts whose words are too long together for one index entry', async () => {
    const [row] = await own.database.query<{ words: number; found: boolean; short: boolean }>(
      `SELECT length(mention_words(text)) AS words, mention_words(text) @@ mention_query(ARRAY['li wu']) AS found,
         mention_words(left(text, 200000)) @@ mention_query(ARRAY['li wu']) AS short
       FROM (SELECT string_agg(md5(n::text), ' ') || ' Li Wu' AS text FROM generate_series(1, 40000) n) long`,
    );
    expect(row).toEqual({ words: 1, found: true, short: false });
  });
});
