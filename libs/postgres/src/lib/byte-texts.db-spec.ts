import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useEmptyDatabase } from '../../test/test-server.js';
import { ReadPool } from './read-pool.js';

const own = useEmptyDatabase();
let pool: ReadPool;

beforeAll(() => {
  pool = new ReadPool({
    url: own.url,
    applicationName: 'spec pool',
    size: 1,
    statementTimeoutMs: 120_000,
    connectionTimeoutMs: 60_000,
  });
});
afterAll(() => pool.close());

const TEXTS = ['', 'plain', 'Zoë', '学生 🎓', '\u00c3\u00a9', 'é'.repeat(70_000)];
/** SQL that returns one text as values of several types. */
const text = 'SELECT $1::text AS text, ARRAY[$1::text] AS list, json_build_object($1::text, $1::text) AS json';

describe('texts of a read pool', () => {
  it.each(TEXTS)('are decoded in values of every type: %.20s', async (value) => {
    expect(await pool.query({ text, parameters: [value] })).toEqual([
      { text: value, list: [value], json: { [value]: value } },
    ]);
  });

  it.each(TEXTS)('are returned as bytes on request, but not in values of other types: %.20s', async (value) => {
    expect(await pool.query({ text, parameters: [value], textsAsBytes: true })).toEqual([
      { text: Buffer.from(value), list: [value], json: { [value]: value } },
    ]);
  });

  it('are decoded in errors', async () => {
    const parameters = ['Zoë 🎓'];
    await expect(pool.query({ text: 'SELECT $1::text::integer', parameters })).rejects.toMatchObject({
      message: 'invalid input syntax for type integer: "Zoë 🎓"',
    });
  });
});
