// @group sample: npm test runs a quarter of its tests
import { createTestDatabase, type TestDatabase } from '@ats/domain/testing';
import { Database } from '@ats/postgres';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AuditBuffer, type AuditBufferOptions, FLUSH_MS } from './audit-buffer.js';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.connect({ url: testDatabase.url, applicationName: 'audit-spec' });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const entry = {
  action: 'personal_data_read',
  occurredAt: new Date(),
  credentialId: 1,
  recruiterId: 1,
  address: '198.51.100.7',
  requestId: 'r',
  itemIds: '{4,7}',
} as const;

let results: Record<'written' | 'dropped', number>;
let log: string[];
let transactions: number[];
beforeEach(async () => {
  results = { written: 0, dropped: 0 };
  log = [];
  transactions = [];
  await setReadOnly(false);
  await testDatabaseQuery('DELETE FROM audit_entries');
});

const testDatabaseQuery = (text: string): Promise<object[]> => database.query(text);
const count = async (): Promise<number> => (await testDatabaseQuery('SELECT id FROM audit_entries')).length;

/** Makes the database read-only, or writable again, for new connections. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  // The connection that runs these statements may itself be read-only. The first statement therefore makes it writable.
  await database.query(
    `SET default_transaction_read_only = off; COMMIT;
     DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${isReadOnly}', current_database()); END $$`,
  );
}

const open = (options: Partial<AuditBufferOptions> = {}, own = database): AuditBuffer =>
  new AuditBuffer({
    database: own,
    log: { warn: (line: string) => void log.push(line), error: (line: string) => void log.push(String(line)) },
    note: (result, entries) => void (results[result] += entries),
    noteTransaction: (transaction) => void transactions.push(transaction),
    ...options,
  });

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('the audit buffer writes entries in batches, in their order', async () => {
  const buffer = open();
  for (let item = 1; item <= 1_200; item++) buffer.add({ ...entry, itemIds: `{${item}}`, itemCount: 1 });
  await until(() => results.written === 1_200);
  const rows = await database.query<{ item: string }>('SELECT item_ids[1] AS item FROM audit_entries ORDER BY id');
  expect(rows.map(({ item }) => Number(item))).toEqual(Array.from({ length: 1_200 }, (_, index) => index + 1));
  expect([buffer.size, buffer.ageSeconds, log]).toEqual([0, 0, []]);
});

test('the audit buffer writes entries that arrive during and after a slow batch', async () => {
  const buffer = open();
  const holder = await database.pool.connect();
  await holder.query('BEGIN; LOCK TABLE audit_entries IN SHARE MODE');
  buffer.add(entry);
  const isWaiting = async (): Promise<boolean> =>
    (await testDatabaseQuery(`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'audit_entries'::regclass`))
      .length > 0;
  await until(isWaiting);
  buffer.add(entry);
  // Waits until the second entry is due. The timer of the first entry must not prevent a timer for later entries.
  await new Promise((resolve) => setTimeout(resolve, 2 * FLUSH_MS));
  await holder.query('COMMIT');
  holder.release();
  await until(() => results.written === 2);
  buffer.add(entry);
  await until(() => results.written === 3);
});

test('the audit buffer reports the number of the transaction that added a batch', async () => {
  const buffer = open();
  for (let item = 1; item <= 2; item++) buffer.add(entry);
  await until(() => results.written === 2);
  const added = await testDatabaseQuery('SELECT DISTINCT xmin::text FROM audit_entries');
  expect(added).toEqual([{ xmin: String(transactions[0]) }]);
  expect(transactions).toHaveLength(1);
});

test('the audit buffer writes its last entries when it is closed', async () => {
  const buffer = open({ closeMs: 60_000 });
  buffer.add(entry);
  await buffer.close();
  expect(await count()).toBe(1);
});

test('the audit buffer keeps a limited number of entries while the database accepts no writes', async () => {
  await setReadOnly(true);
  const readOnly = await Database.connect({ url: testDatabase.url, applicationName: 'audit-spec-read-only' });
  try {
    const buffer = open({ maxBytes: 4_100 }, readOnly);
    for (let item = 1; item <= 15; item++) buffer.add(entry);
    await until(() => buffer.ageSeconds > 0.3);
    expect([buffer.size, results]).toEqual([10, { written: 0, dropped: 5 }]);
    // Ends only the read-only connections. A writable connection may be writing the entries at this moment.
    const [{ pids } = { pids: [] }] = await database.query<{ pids: number[] }>(
      `SELECT coalesce(array_agg(pid), '{}') AS pids FROM pg_stat_activity WHERE application_name = $1`,
      ['audit-spec-read-only'],
    );
    await setReadOnly(false);
    await database.query('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid', [pids]);
    await until(() => buffer.size === 0);
    expect([await count(), results]).toEqual([10, { written: 10, dropped: 5 }]);
    expect(log).toEqual(['the database refuses audit entries, so they are dropped', 'dropped 5 audit entries']);
  } finally {
    await readOnly.close();
  }
});

test('the audit buffer drops entries that the database refuses, and writes later ones', async () => {
  const buffer = open();
  buffer.add({ ...entry, itemIds: 'no list' });
  await until(() => results.dropped === 1);
  buffer.add(entry);
  await until(() => results.written === 1);
  expect(await count()).toBe(1);
});
