// @group sample: npm test runs a quarter of its tests
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { useEmptyDatabase } from '../../test/test-server.js';
import { type BodyPiece, inPieces, joinPieces } from './answer-pieces.js';
import { MAX_ANSWER_BYTES } from './answer-size.js';
import { ReadPool } from './read-pool.js';

const own = useEmptyDatabase();
let pool: ReadPool;

const openPool = (): ReadPool =>
  new ReadPool({
    url: own.url,
    applicationName: 'spec pool',
    size: 1,
    statementTimeoutMs: 120_000,
    connectionTimeoutMs: 60_000,
  });

beforeAll(() => {
  pool = openPool();
});
afterAll(() => pool.close());

interface Row extends BodyPiece {
  readonly size: number | null;
}

const readRows = (unit: string, count: number): Promise<Row[]> =>
  pool.query<Row>({
    text: inPieces('SELECT repeat($1::text, $2::integer) AS body, 7 AS size', ['size']),
    parameters: [unit, count],
    textsAsBytes: true,
  });

const LEAST_IN_PIECES = 256 * 1024 + 1;

describe('the body of an answer', () => {
  it('is the same in pieces as in one text', async () => {
    const units = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 7 }).filter((unit) => !unit.includes('\0'));
    await fc.assert(
      fc.asyncProperty(units, fc.nat(600_000), async (unit, bytes) => {
        const count = Math.ceil(bytes / Buffer.byteLength(unit));
        expect(joinPieces(await readRows(unit, count)).equals(Buffer.from(unit.repeat(count)))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('comes in pieces when it is longer than 256 KiB, and in one row otherwise', async () => {
    expect(await readRows('x', LEAST_IN_PIECES - 1)).toHaveLength(1);
    expect(await readRows('x', LEAST_IN_PIECES)).toHaveLength(5);
  });

  it('is joined by the numbers of the pieces, in any order of the rows', async () => {
    const rows = await readRows('0123456789', 50_000);
    expect(joinPieces(rows.reverse()).toString()).toBe('0123456789'.repeat(50_000));
  });

  it('comes with the further columns in the first row only', async () => {
    const rows = await readRows('x', LEAST_IN_PIECES);
    expect(rows.map(({ part, size }) => [part, size])).toEqual([0, 1, 2, 3, 4].map((part) => [part, part ? null : 7]));
  });

  it('can have the maximum size of an answer', async () => {
    // The text must be shorter than the limit, because the numbers of the pieces count towards it, too.
    const most = MAX_ANSWER_BYTES - 4_096;
    expect(joinPieces(await readRows('x', most))).toHaveLength(most);
    await expect(readRows('x', MAX_ANSWER_BYTES + 1)).rejects.toThrow('larger than an answer may be');
  });
});

describe('while a long answer arrives', () => {
  it('the process reads a small part of the answer in each turn of the event loop', async () => {
    const sockets: Socket[] = [];
    const note = (message: unknown): void => void sockets.push((message as { readonly socket: Socket }).socket);
    subscribe('net.client.socket', note);
    const reading = openPool();
    const most = { bytes: 0 };
    let isOn = true;
    let before = 0;
    const look = (): void => {
      const read = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
      most.bytes = Math.max(most.bytes, read - before);
      before = read;
      if (isOn) setImmediate(look);
    };
    look();
    try {
      await reading.query({ text: "SELECT repeat('x', 16777216) AS body", parameters: [] });
    } finally {
      isOn = false;
      unsubscribe('net.client.socket', note);
      await reading.close();
    }
    look();
    expect(before).toBeGreaterThan(16_777_216);
    // Some bytes may arrive after the pause, because a paused socket still fills its buffer.
    expect(most.bytes).toBeLessThan(4 * 65_536);
  });
});
