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
  it('is the last entry when nobody is writing', async () => {
    expect(await historyHighWaterMark(own.database)).toBe(0);
    await add();
    await add();
    expect(await historyHighWaterMark(own.database)).toBe(2);
  });

  it('is unknown while an entry that has its id is not committed', async () => {
    await own.database.transaction(async (transaction) => {
      await addHistory(transaction, entry);
      expect(await historyHighWaterMark(own.database)).toBe(0);
    });
    expect(await historyHighWaterMark(own.database)).toBe(3);
  });

  it('lets a reader who goes on after the last id miss nothing, however writers overlap', async () => {
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
      const horizon = await historyHighWaterMark(own.database);
      seen.push(...(await readIds(seen.at(-1) ?? 3, horizon)));
    };
    while (isWriting) await readOn();
    await done;
    await readOn();
    expect(seen).toEqual(await readIds(3, Number.MAX_SAFE_INTEGER));
    expect(seen).toHaveLength(90);
  });
});
