import { describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { addHistory } from './history.js';
import { historyHighWaterMark } from './history.js';

const own = useTestDatabase();

const entry = { type: 'created', subjectType: 'application', subjectId: 1, recruiterId: null } as const;
const add = (): Promise<void> => own.database.transaction((transaction) => addHistory(transaction, entry));
const readIds = async (after: number, upTo: number): Promise<number[]> =>
  (
    await own.database.query<{ id: number }>('SELECT id FROM history_entries WHERE id > $1 AND id <= $2 ORDER BY id', [
      after,
      upTo,
    ])
  ).map(({ id }) => id);

describe('historyHighWaterMark', () => {
  it('is the id of the last entry when no transaction writes', async () => {
    expect(await historyHighWaterMark(own.database)).toBe(0);
    await add();
    await add();
    expect(await historyHighWaterMark(own.database)).toBe(2);
  });

  it('stays 0 while a transaction with an earlier id is open', async () => {
    await own.database.transaction(async (transaction) => {
      await addHistory(transaction, entry);
      expect(await historyHighWaterMark(own.database)).toBe(0);
    });
    expect(await historyHighWaterMark(own.database)).toBe(3);
  });

  it('lets a reader that continues after the last id read every entry while writers overlap', async () => {
    let isWriting = true;
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let round = 0; round < 15; round += 1) {
        await own.database.transaction(async (transaction) => {
          await addHistory(transaction, entry);
          await transaction.query('SELECT pg_sleep($1)', [((writer * 7 + round * 3) % 10) / 1000]);
        });
      }
    });
    const done = Promise.all(writers).finally(() => (isWriting = false));
    const seen: number[] = [];
    const readOn = async (): Promise<void> => {
      const highWaterMark = await historyHighWaterMark(own.database);
      seen.push(...(await readIds(seen.at(-1) ?? 3, highWaterMark)));
    };
    while (isWriting) await readOn();
    await done;
    await readOn();
    expect(seen).toEqual(await readIds(3, Number.MAX_SAFE_INTEGER));
    expect(seen).toHaveLength(90);
  });
});
