import { beforeAll, describe, expect, it } from '@jest/globals';
import { Dice } from '../../test/dice.js';
import { randomRow } from '../../test/random-row.js';
import { randomPools } from '../../test/random-pools.js';
import { moveClockToNoon, useTestDatabase } from '../../test/test-database.js';
import { EVENT_TYPES, EVENT_ROOTS } from '../objects/event-types.js';
import { readDatapaths, standardDatapaths } from '../facts/read-datapaths.js';
import { calendarDate } from '../objects/calendar-date.js';
import { type MemoryContext } from '../vocabulary/attribute-options.js';
import { getObjectType, objectModel } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { formatValue, sqlSettings, tableOf } from './representation-sql.js';

const own = useTestDatabase({ hasMovableClock: true });

beforeAll(async () => {
  await moveClockToNoon(own.database);
  await own.database.query(ROWS);
  for (const name of new Set(computed.map(([typeName]) => typeName))) await fillIfEmpty(getObjectType(name));
});

/** Inserts a row that the description of the type defines, unless `ROWS` has a row of its table. */
async function fillIfEmpty(type: ObjectType): Promise<void> {
  const table = tableOf(type);
  if ((await idsIn(table)).length > 0) return;
  const targets = Object.values(type.relations).map(({ target }) => getObjectType(target).table ?? '');
  const ids = new Map<string, readonly number[]>();
  for (const target of targets.filter(Boolean)) ids.set(target, await idsIn(target));
  const dice = new Dice(1);
  const row = randomRow(type, {
    dice,
    pools: randomPools(dice),
    id: 1,
    idsOf: ({ table: of = '' }) => ids.get(of) ?? [],
  });
  const columns = Object.keys(row).join(', ');
  await own.database.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_record(NULL::${table}, $1)`,
    [JSON.stringify(row)],
  );
}

const idsIn = async (table: string): Promise<readonly number[]> =>
  (await own.database.query<{ id: number }>(`SELECT id FROM ${table}`)).map(({ id }) => id);

/**
 * Rows that reach every branch of every computed attribute: each status of a posting, each kind, each moment with and
 * without a value.
 */
const ROWS = `
  UPDATE systems SET timezone = 'Pacific/Auckland';
  INSERT INTO users (id, type, firstname, lastname, email) VALUES
    (11, 'candidate', 'Zoë', 'O''Hara', 'a@example.com'), (12, 'recruiter', 'Li', 'Wei', 'b@example.com');
  INSERT INTO opportunities (id, kind, title, state_id, process_id) VALUES
    (21, 'vacancy', 'One', 302, 1), (22, 'event', 'Two', 302, 2);
  INSERT INTO job_boards (id, name, code) VALUES (31, 'Board', 'board');
  INSERT INTO postings (id, title, job_board_id, vacancy_id, is_withdrawn, opening_date, closing_date) VALUES
    (41, 'withdrawn', 31, 21, true, system_today(), NULL), (42, 'scheduled', 31, 21, false, system_today() + 1, NULL),
    (43, 'opens today', 31, 21, false, system_today(), NULL),
    (44, 'closes today', 31, 21, false, system_today() - 9, system_today()),
    (45, 'closed yesterday', 31, 21, false, system_today() - 9, system_today() - 1);
  INSERT INTO applications (id, app_type, opportunity_id, user_id, state_id, submitted_dt, state_entered_dt) VALUES
    (51, 'vacancy_application', 21, 11, 101, now() - interval '3 days 1 minute', now() - interval '23 hours'),
    (52, 'event_application', 22, 11, 201, NULL, now());
  INSERT INTO layouts (id, name, resource) VALUES (91, 'Layout', 'applications');
  INSERT INTO layout_columns (id, layout_id, position, title, datapath, type, is_many) VALUES
    (92, 91, 0, '{"en": "One"}', 'application.id', 'integer', false);
  INSERT INTO message_templates (id, name, subject, body, body_plain) VALUES (94, 't', '', '', '');
  INSERT INTO communications (id, type, body, body_plain, user_id, author_id) VALUES (95, 'note', '', '', 11, 12);
  INSERT INTO documents (id, name, kind, media_type, size, sha256, application_id, candidate_id) VALUES
    (111, 'a.pdf', 'cv', 'application/pdf', 1, repeat('0', 64), 51, NULL),
    (112, 'b.pdf', 'cv', 'application/pdf', 1, repeat('0', 64), NULL, 11),
    (113, 'c.pdf', 'cv', 'application/pdf', 1, repeat('0', 64), NULL, NULL);
  INSERT INTO forms (id, name, resource) VALUES (101, 'Form', 'vacancies');
  INSERT INTO client_certificates
      (id, name, certificate, subject, issuer, serial_number, fingerprint, valid_from_dt, valid_to_dt)
    VALUES (121, 'c', '', '', '', '', '', now(), now());
  INSERT INTO notification_topics (id, type, name) VALUES (61, 'POSTING_CREATE', 'Topic');
  INSERT INTO notification_subscriptions (id, topic_id, start_dt, active_from_dt, destination_url, destination_origin)
    VALUES (71, 61, now(), now(), 'https://example.com/', 'https://example.com');
  INSERT INTO notification_deliveries (id, occurred_dt, message_id, subscription_id, topic_id, topic_revision, sequence,
      body, status, next_attempt_dt, queued_dt)
    SELECT number, '2026-01-01', gen_random_uuid(), 71, 61, 1, number, '{}', status, now(), now()
    FROM unnest(ARRAY['due', 'queued', 'delivered']) WITH ORDINALITY AS given (status, number);
  INSERT INTO notification_redeliveries (id, topic_id, subscription_id, since_dt, until_dt, last_sequence, total)
    VALUES (72, 61, 71, now(), now(), 0, 0);
  INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts) VALUES
    ('POSTING_CREATE', 'posting', 41, 12, 'UTC', '{}'),
    ('STATE_CHANGE_OPPORTUNITY', 'opportunity', 22, 12, 'UTC', '{"opportunity.kind": "event"}'),
    ('STATE_CHANGE_APPLICATION', 'application', 51, 12, 'UTC', '{"application.app_type": "vacancy_application"}'),
    ('STATE_CHANGE_APPLICATION', 'application', 52, 12, 'UTC', '{"application.app_type": "event_application"}'),
    ('CANDIDATE_ANONYMISATION_DUE', 'candidate', 11, 12, 'UTC', '{}');
  INSERT INTO credentials (id, name, key_id, token_digest, scopes, user_id, recruiter_id) VALUES
    (81, 'c', 'abcdefgh', '', '{}', 12, 12);
  INSERT INTO saved_searches (id, name, resource, owner_id) VALUES (91, 's', 'candidates', 12);
  INSERT INTO config_searches (id, name, resource) VALUES (92, 's', 'candidates');
  INSERT INTO selections (id, name, resource) VALUES (93, 's', 'candidates');
`;

/**
 * Computed attributes that depend on other rows. This spec skips these attributes; other specs compare them with the
 * whole service.
 */
const NEEDS_OTHER_ROWS = new Set([
  'opportunity.application_count',
  'vacancy.application_count',
  'event.application_count',
  'posting.accepts_applications',
  'notification_endpoint.subscription_count',
  'notification_subscription.status',
]);

const computed = objectModel.types.flatMap((type) =>
  Object.entries(type.attributes)
    .filter(([name, attribute]) => type.table && !attribute.column && !NEEDS_OTHER_ROWS.has(`${type.name}.${name}`))
    .map(([name]) => [type.name, name] as const),
);

describe('computed attributes', () => {
  it.each(computed)('%s.%s has the same value in memory and in SQL', async (typeName, name) => {
    const type = getObjectType(typeName);
    const attribute = type.attributes[name];
    if (!attribute) throw new Error('the table of attributes is made from the model');
    const context = {
      baseUrl: 'https://ats.example.com',
      language: 'en',
      defaultLanguage: 'en',
      timeZone: 'Pacific/Auckland',
    };
    const fixed = Object.entries(type.fixed).map(([column, value]) => ` AND t.${column} = '${value}'`);
    const sql = formatValue(attribute.sql('t', sqlSettings(context)), attribute);
    const rows = await own.database.query<{ row: Record<string, unknown>; now: Date; value: unknown }>(
      `SELECT to_jsonb(t) AS row, now() AS now, ${sql} AS value
       FROM ${tableOf(type)} t WHERE true${fixed.join('')}`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { row, now, value } of rows) {
      const memory: MemoryContext = { ...context, now };
      expect([row['id'], attribute.memory(row, memory)]).toEqual([row['id'], value]);
    }
  });

  it('cover every status of a posting', async () => {
    const status = getObjectType('posting').attributes['status'];
    const rows = await own.database.query<{ status: string }>(
      `SELECT ${status?.sql('t', {}) ?? ''} AS status FROM postings t ORDER BY id`,
    );
    expect(rows.map((row) => row.status)).toEqual(['withdrawn', 'scheduled', 'live', 'live', 'expired']);
  });
});

describe('calendarDate', () => {
  it.each([
    ['2026-11-21T10:59:59.999Z', 'Pacific/Auckland', '2026-11-21'],
    ['2026-11-21T11:00:00.000Z', 'Pacific/Auckland', '2026-11-22'],
    ['2026-11-21T04:59:59.999Z', 'America/New_York', '2026-11-20'],
    ['2026-11-21T00:00:00.000Z', 'UTC', '2026-11-21'],
  ])('%s in %s is %s', (moment, timeZone, date) => {
    expect(calendarDate(new Date(moment), timeZone)).toBe(date);
  });
});

describe('standard datapaths', () => {
  it.each([
    ['application', 51],
    ['opportunity', 22],
    ['posting', 44],
  ] as const)(
    'include all attributes of every %s, and those of directly related objects that are not costly',
    async (root, id) => {
      const datapaths = standardDatapaths(root);
      const values = await readDatapaths(
        (text, parameters) => own.database.query(text, parameters),
        { type: root, id },
        datapaths,
        {
          baseUrl: 'https://ats.example.com',
          language: 'en',
        },
      );
      expect(Object.keys(values ?? {})).toEqual(datapaths);
      expect(values?.[`${root}.id`]).toBe(id);
      const type = getObjectType(root);
      for (const name of Object.keys(type.attributes)) expect(datapaths).toContain(`${root}.${name}`);
      for (const [relation, { target, many }] of Object.entries(type.relations)) {
        if (many) continue;
        for (const [name, { isOnDemand }] of Object.entries(getObjectType(target).attributes))
          expect([name, datapaths.includes(`${root}.${relation}.${name}`)]).toEqual([name, isOnDemand !== true]);
      }
    },
  );

  it('leave out the inactivity of a related candidate, which is costly to compute', () => {
    const all = EVENT_TYPES.flatMap((type) => standardDatapaths(EVENT_ROOTS[type]));
    expect(new Set(all.filter((datapath) => datapath.endsWith('.inactive_since_dt')))).toEqual(
      new Set(['candidate.inactive_since_dt']),
    );
  });

  it('give null for a missing object', async () => {
    const values = await readDatapaths(
      (text, parameters) => own.database.query(text, parameters),
      { type: 'posting', id: 999 },
      ['posting.id'],
      {
        baseUrl: '',
        language: 'en',
      },
    );
    expect(values).toBeNull();
  });

  it('include the ids that messages of their type contain', () => {
    expect(standardDatapaths('posting')).toEqual(
      expect.arrayContaining(['posting.job_board.id', 'posting.vacancy.id']),
    );
    for (const type of EVENT_TYPES) expect(standardDatapaths(EVENT_ROOTS[type])).toContain(`${EVENT_ROOTS[type]}.id`);
  });
});
