// @group long: `npm test` skips this file, because a released migration does not change
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Database, migrate, runStatement, type Transaction } from '@ats/postgres';
import { Dice } from '../../test/dice.js';
import { until } from '../../test/until.js';
import { asApiRole, useTestDatabase } from '../../test/test-database.js';
import { replaceSubscription } from '../notification/subscriptions/subscriptions.js';
import { deleteTopic } from '../notification/topics/topics.js';
import { lockTopicIndex } from '../notification/topics/topic-index-lock.js';
import { migrations } from './index.js';

const INDEX = 'IndexEndpointsOfSubscriptions1795220770001';
const before = migrations.findIndex(({ name }) => name === 'CreateNotificationEndpoints1795220770000');
const URLS = ['https://a.example.com/hook', 'https://a.example.com/other', 'https://b.example.com:8443/'];

let asApi: Database | undefined;
afterAll(() => asApi?.close());
const own = useTestDatabase({ poolSize: 6 });
beforeAll(async () => {
  const role = new URL(asApiRole(own.url)).username;
  // Until `migrate` ends, the role of a running API has no privileges on a new table. REVOKE restores this state.
  await own.database.query(`REVOKE ALL ON notification_endpoints FROM ${role};
    INSERT INTO users (id, type, firstname, lastname, email)
      SELECT id, 'recruiter', 'R', 'R', id || '@example.com' FROM generate_series(901, 902) id;
    INSERT INTO credentials (id, name, key_id, token_digest, scopes, user_id, recruiter_id)
      SELECT id, 'c', 'key' || id, '', '{}', id, id FROM generate_series(901, 902) id`);
  asApi = await Database.connect({
    url: asApiRole(own.url),
    applicationName: 'api of the previous release',
    migrations,
    poolSize: 3,
  });
});
afterEach(() => own.database.query('DELETE FROM notification_topics; DELETE FROM notification_endpoints'));

interface Key {
  readonly topicId: number;
  readonly id: number;
}

const SUBSCRIPTIONS = 'SELECT topic_id AS "topicId", id FROM notification_subscriptions ORDER BY id';
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

/** Runs a write of the API, which takes the lock of the topic index. */
async function write(run: (transaction: Transaction) => Promise<unknown>): Promise<void> {
  if (!asApi) throw new Error('the API is not connected');
  await asApi.transaction(async (transaction) => {
    await lockTopicIndex(transaction);
    await run(transaction);
  });
}

const sql = (text: string, parameters: readonly unknown[]): Promise<void> =>
  write((transaction) => runStatement(transaction, text, parameters));

interface Choice extends Key {
  readonly url: string;
  /** The id of a credential, or null. */
  readonly owner: number | null;
}

type Change = (choice: Choice) => Promise<unknown>;

/** The statements with which release 0.1.0 writes subscriptions. */
const PREVIOUS = {
  create: ({ topicId, url }) =>
    sql(
      `INSERT INTO notification_subscriptions
         (topic_id, created_dt, updated_dt, start_dt, end_dt, active_from_dt, destination_url, destination_origin)
       SELECT t.id, clock.now, clock.now, COALESCE($2, clock.now), $3, GREATEST($2, clock.now), $4, $5
       FROM (SELECT ${NOW} AS now) clock, notification_topics t WHERE t.id = $1
       RETURNING id, uuid, created_dt, destination_url`,
      [topicId, null, null, url, new URL(url).origin],
    ),
  replace: ({ topicId, id, url }) =>
    sql(
      `UPDATE notification_subscriptions
       SET start_dt = COALESCE($3, ${NOW}), end_dt = $4, destination_url = $5, destination_origin = $6,
         updated_dt = ${NOW},
         active_from_dt = CASE WHEN $3 > ${NOW} THEN $3 ELSE LEAST(active_from_dt, ${NOW}) END
       WHERE id = $1 AND topic_id = $2 RETURNING id`,
      [id, topicId, null, null, url, new URL(url).origin],
    ),
  disable: ({ id }) =>
    sql(
      `UPDATE notification_subscriptions SET disabled_dt = ${NOW}, disabled_reason = $2, updated_dt = ${NOW}
       WHERE id = $1 AND disabled_dt IS NULL RETURNING id`,
      [id, 'requested'],
    ),
  delete: ({ topicId, id }) =>
    sql('DELETE FROM notification_subscriptions WHERE id = $1 AND topic_id = $2 RETURNING id', [id, topicId]),
  deleteTopic: ({ topicId }) =>
    write(async (transaction) => {
      await runStatement(transaction, 'DELETE FROM notification_subscriptions WHERE topic_id = $1', [topicId]);
      await runStatement(transaction, 'DELETE FROM notification_topics WHERE id = $1', [topicId]);
    }),
  count: ({ id }) =>
    own.database.query(
      `UPDATE notification_subscriptions s SET last_sequence = s.last_sequence + 1,
         consecutive_failures = s.consecutive_failures + 1, last_success_dt = now() WHERE id = $1`,
      [id],
    ),
} satisfies Readonly<Record<string, Change>>;

/**
 * Like {@link PREVIOUS}, but deletes one subscription instead of a topic with all its subscriptions. The topic then
 * still has subscriptions that wait for the migration.
 */
const PREVIOUS_ONE = { ...PREVIOUS, deleteTopic: PREVIOUS.delete };

/** The statements of this release. SQL attaches a shared endpoint, because no code does so yet. */
const CURRENT = {
  replaceWithOwner: ({ topicId, id, url, owner }) => {
    const values = { start_dt: null, end_dt: null, destination_url: url, owner_id: owner };
    return write((transaction) => replaceSubscription(transaction, { topicId, id }, values));
  },
  deleteTopicByCode: ({ topicId }) => write((transaction) => deleteTopic(transaction, topicId)),
  share: ({ id }) =>
    own.database.query('UPDATE notification_endpoints SET own_subscription_id = NULL WHERE own_subscription_id = $1', [
      id,
    ]),
  rename: ({ id }) =>
    own.database.query(`UPDATE notification_endpoints SET name = 'named' WHERE own_subscription_id = $1`, [id]),
  attach: ({ id }) =>
    own.database.query(
      `WITH shared AS (SELECT id FROM notification_endpoints WHERE own_subscription_id IS NULL LIMIT 1),
         moved AS (UPDATE notification_subscriptions s SET endpoint_id = shared.id FROM shared WHERE s.id = $1
           RETURNING s.id)
       DELETE FROM notification_endpoints WHERE own_subscription_id = (SELECT id FROM moved)`,
      [id],
    ),
  detach: ({ id }) =>
    own.database.query('UPDATE notification_subscriptions SET endpoint_id = NULL WHERE id = $1', [id]),
} satisfies Readonly<Record<string, Change>>;

async function addTopic(): Promise<number> {
  const [topic] = await own.database.query<{ id: number }>(
    `INSERT INTO notification_topics (type, name) VALUES ('POSTING_CREATE', 'a topic') RETURNING id`,
  );
  return topic?.id ?? 0;
}

/** Makes a random change of a random subscription. Returns its name, for the message of a failing test. */
async function change(dice: Dice, changes: Readonly<Record<string, Change>>): Promise<string> {
  const [topics, subscriptions] = [
    await own.database.query<{ id: number }>('SELECT id FROM notification_topics ORDER BY id'),
    await own.database.query<Key>(SUBSCRIPTIONS),
  ];
  const key = subscriptions.length > 0 ? dice.one(subscriptions) : { id: 0, topicId: 0 };
  const isNew = subscriptions.length === 0 || dice.chance(0.3);
  const name = isNew ? 'create' : dice.one(Object.keys(changes));
  const topicId = name === 'create' ? (topics.length > 0 ? dice.one(topics).id : await addTopic()) : key.topicId;
  await changes[name]?.({ id: key.id, topicId, url: dice.one(URLS), owner: dice.one([null, 901, 902]) });
  return `${name} ${key.id}`;
}

/** Finds subscriptions without an endpoint, and own endpoints that differ from their subscription. */
const violations = (): Promise<object[]> =>
  own.database.query(
    `SELECT s.id, 'has no endpoint' AS because FROM notification_subscriptions s
     WHERE NOT EXISTS (SELECT FROM notification_endpoints e WHERE e.id = s.endpoint_id)
     UNION ALL SELECT e.own_subscription_id, 'differs from its own endpoint' FROM notification_endpoints e
       LEFT JOIN notification_subscriptions s ON s.id = e.own_subscription_id
       LEFT JOIN credentials c ON c.id = s.owner_id
     WHERE e.own_subscription_id IS NOT NULL AND (e.id, e.destination_url, e.owner_id, e.name)
       IS DISTINCT FROM (s.endpoint_id, s.destination_url, c.recruiter_id,
         CASE e.name WHEN 'named' THEN e.name ELSE split_part(s.destination_origin, '//', 2) END)`,
  );

/** Migrates like a release that has only the first `count` migrations. */
async function migrateTo(count = migrations.length): Promise<void> {
  const options = { url: own.url, migrations: migrations.slice(0, count), poolSize: 1, statementTimeoutMs: 0 };
  const database = await Database.connect({ ...options, applicationName: 'migrating' });
  try {
    await migrate(database.dataSource, { say: () => undefined });
  } finally {
    await database.close();
  }
}

const countMissing = async (): Promise<number> =>
  (await own.database.query('SELECT FROM notification_subscriptions WHERE endpoint_id IS NULL')).length;

/** Removes the endpoints from the schema. Then adds subscriptions, of which one in ten has an owner. */
async function addToFormerSchema(count: number): Promise<void> {
  for (let undone = migrations.length; undone > before; undone--) await own.database.dataSource.undoLastMigration();
  await own.database.query(
    `INSERT INTO notification_subscriptions (topic_id, start_dt, active_from_dt, destination_url, destination_origin,
       owner_id)
     SELECT $1, now(), now(), 'https://a.example.com/' || n, 'https://a.example.com', CASE n % 10 WHEN 0 THEN 901 END
     FROM generate_series(1, $2::integer) n`,
    [await addTopic(), count],
  );
}

/**
 * Returns a digest of all columns except `endpoint_id`. It ignores null values, because later migrations add columns
 * without values.
 */
const digestOfOthers = async (): Promise<object[]> => [
  ...(await own.database.query(
    `SELECT md5(string_agg(jsonb_strip_nulls(to_jsonb(s) - 'endpoint_id')::text, '' ORDER BY id))
     FROM notification_subscriptions s`,
  )),
  ...(await own.database.query('SELECT count(*) FROM notification_subscription_revisions')),
];

describe('existing subscriptions', () => {
  it('get endpoints in batches, even after an interruption or beside a locked row, and keep their values', async () => {
    await addToFormerSchema(2_500);
    const digest = await digestOfOthers();
    await migrateTo(migrations.findIndex(({ name }) => name === INDEX) + 1);
    const client = await own.database.pool.connect();
    try {
      await client.query(`BEGIN; SELECT FROM notification_subscriptions WHERE destination_url LIKE '%/7' FOR UPDATE`);
      const interrupted = migrateTo().then(
        () => 'ended',
        () => 'interrupted',
      );
      await until(async () => (await countMissing()) === 1);
      await own.database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'migrating'`,
      );
      expect(await interrupted).toBe('interrupted');
      const made = await own.database.query('SELECT id, name FROM notification_endpoints ORDER BY id');
      const migrated = migrateTo();
      await client.query('COMMIT');
      await migrated;
      expect(await violations()).toEqual([]);
      const after = await own.database.query('SELECT id, name FROM notification_endpoints ORDER BY id');
      expect([made.length, after.length]).toEqual([2_499, 2_500]);
      expect(after.slice(0, -1)).toEqual(made);
    } finally {
      client.release();
    }
    expect(await digestOfOthers()).toEqual(digest);
    const batches = await own.database.query<{ rows: number }>(
      'SELECT count(*)::integer AS rows FROM notification_endpoints GROUP BY xmin ORDER BY 1',
    );
    expect(batches.map(({ rows }) => rows)).toEqual([1, 249, ...Array.from({ length: 9 }, () => 250)]);
  });

  it.each([1, 2, 3])('get endpoints while the previous release writes subscriptions (seed %i)', async (seed) => {
    await addToFormerSchema(3_000);
    let isOver = false;
    let changed = 0;
    const clients = [0, 1].map(async (client) => {
      const dice = new Dice(10 * seed + client);
      while (!isOver) {
        await change(dice, PREVIOUS_ONE);
        changed++;
      }
    });
    await until(() => Promise.resolve(changed > 5));
    await migrateTo().finally(() => (isOver = true));
    await Promise.all(clients);
    expect(await violations()).toEqual([]);
    expect(await countMissing()).toBe(0);
  });
});

describe('a subscription', () => {
  it.each(Array.from({ length: 24 }, (_, seed) => [seed]))(
    'always has an endpoint, whatever the previous and this release write (seed %i)',
    async (seed) => {
      const dice = new Dice(seed);
      const done: string[] = [];
      for (let step = 0; step < 60; step++) {
        done.push(await change(dice, { ...PREVIOUS, ...(seed % 2 === 1 && CURRENT) }));
        expect([done.slice(-5), await violations()]).toEqual([done.slice(-5), []]);
      }
    },
  );

  it('keeps its endpoint when the destination changes, and loses it when the subscription is deleted', async () => {
    const topicId = await addTopic();
    const read = (): Promise<object[]> =>
      own.database.query('SELECT id, name, destination_url, owner_id FROM notification_endpoints');
    const [url = '', , other = ''] = URLS;
    await PREVIOUS.create({ id: 0, topicId, url, owner: null });
    const [key] = await own.database.query<Key>(SUBSCRIPTIONS);
    const [made] = await read();
    expect(made).toMatchObject({ name: 'a.example.com', destination_url: url, owner_id: null });
    if (!key) throw new Error('there is no subscription');
    await PREVIOUS.replace({ ...key, url: other, owner: null });
    expect(await read()).toEqual([{ ...made, name: 'b.example.com:8443', destination_url: other }]);
    await CURRENT.replaceWithOwner({ ...key, url: other, owner: 902 });
    expect(await read()).toEqual([{ ...made, name: 'b.example.com:8443', destination_url: other, owner_id: 902 }]);
    await PREVIOUS.delete({ ...key, url: other, owner: null });
    expect(await read()).toEqual([]);
  });

  it('cannot lose its endpoint, because its endpoint cannot be deleted', async () => {
    await PREVIOUS.create({ id: 0, topicId: await addTopic(), url: URLS[0] ?? '', owner: null });
    await expect(own.database.query('DELETE FROM notification_endpoints')).rejects.toMatchObject({
      constraint: 'fk_notification_subscriptions_endpoint',
    });
  });
});
