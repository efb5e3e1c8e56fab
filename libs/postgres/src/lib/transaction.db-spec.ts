import { expect, it } from '@jest/globals';
import { useEmptyDatabase } from '../../test/test-server.js';
import { runRepeated } from './transaction.js';

const own = useEmptyDatabase({ poolSize: 1 });

it('runRepeated prepares a text from its third use on', async () => {
  const text = 'SELECT $1::integer AS repeated';
  const countAfterUse = (value: number): Promise<unknown> =>
    own.database.transaction(async (transaction) => {
      expect(await runRepeated(transaction, text, [value])).toEqual([{ repeated: value }]);
      const [row] = await transaction.query<{ count: number }[]>(
        'SELECT count(*)::integer FROM pg_prepared_statements WHERE statement = $1',
        [text],
      );
      return row?.count;
    });
  const counts = [await countAfterUse(1), await countAfterUse(2), await countAfterUse(3), await countAfterUse(4)];
  expect(counts).toEqual([0, 0, 1, 1]);
});
