import { type PoolClient } from 'pg';
import { Database } from '@ats/postgres';
import { type KnownItem } from '../src/facts/form-items.js';
import { Dice } from './dice.js';
import { knownItems } from './random-forms.js';
import { ObjectGraph } from './object-graph.js';
import { randomPools } from './random-pools.js';
import { type Pools, type Row } from './random-row.js';
import { RandomRows } from './random-rows.js';
import { RandomValues } from './random-values.js';
import { createTestDatabase } from './test-database.js';

/** The same random objects in a database and in memory. */
export interface RandomObjects {
  /** A connection inside one transaction, so that `now()` does not change. */
  readonly client: PoolClient;
  readonly graph: ObjectGraph;
  readonly pools: Pools;
  /** Maps the id of each form item to the item. */
  readonly items: ReadonlyMap<string, KnownItem>;
  readonly now: Date;
  close(): Promise<void>;
}

/** Makes random objects. The same seed makes the same objects. */
export async function makeRandomObjects(seed: number): Promise<RandomObjects> {
  const testDatabase = await createTestDatabase();
  const database = await Database.connect({ url: testDatabase.url, applicationName: 'spec' });
  const client = await database.pool.connect();
  const close = async (): Promise<void> => {
    await client.query('ROLLBACK');
    client.release();
    await database.close();
    await testDatabase.drop();
  };
  try {
    return { client, ...(await fill(client, seed)), close };
  } catch (error) {
    // Closes the connection, because an open one would keep the test process alive.
    await close();
    throw new Error(`cannot make random objects from seed ${seed}`, { cause: error });
  }
}

async function fill(client: PoolClient, seed: number): Promise<Omit<RandomObjects, 'client' | 'close'>> {
  await client.query('BEGIN');
  const {
    rows: [clock],
  } = await client.query<{ now: Date }>('SELECT now() AS now');
  const now = clock?.now ?? new Date(NaN);
  const dice = new Dice(seed);
  const pools = randomPools(dice);
  const seeded = {
    processes: await allRows(client, 'processes'),
    states: await allRows(client, 'states'),
    systems: await allRows(client, 'systems'),
  };
  const rows = new RandomRows(new RandomValues(dice, pools), seeded).make();
  for (const [table, of] of Object.entries(rows)) {
    const columns = await writtenColumns(client, table);
    await client.query(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(of)],
    );
  }
  return {
    graph: new ObjectGraph({ ...rows, ...seeded }, now),
    pools,
    items: new Map(knownItems(rows).map((item) => [String(item.id), item])),
    now,
  };
}

async function allRows(client: PoolClient, table: string): Promise<readonly Row[]> {
  const { rows } = await client.query<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM ${table} t`);
  return rows.map(({ row }) => row);
}

/** Returns the columns of a table, except generated columns. */
async function writtenColumns(client: PoolClient, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND attgenerated = '' AND NOT attisdropped`,
    [table],
  );
  return rows.map(({ name }) => `"${name}"`).join(', ');
}
