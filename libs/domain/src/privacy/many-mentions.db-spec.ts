import { beforeAll, expect, test } from '@jest/globals';
import { useTestDatabase } from '../../test/test-database.js';
import { candidates } from '../objects/user.model.js';
import { entitySchemas } from '../writing/entities.js';
import { insertObject } from '../writing/write-object.js';
import { anonymiseCandidate } from './anonymise.js';

/**
 * The number of texts that contain the name. They fill several batches. There are fewer than 1,000, because a name in
 * more texts is not searched for.
 */
const COUNT = 900;

const own = useTestDatabase({ entities: entitySchemas() });
let candidateId = 0;

beforeAll(async () => {
  await own.database.query(
    `INSERT INTO selections (name, resource) SELECT 'List ' || n || ' for Quillonia', 'applications'
     FROM generate_series(1, $1::integer) n`,
    [COUNT],
  );
  await own.database.transaction(async (transaction) => {
    const person = { firstname: 'Quillonia', lastname: 'Vexworth', email: 'qv.secret@example.com' };
    candidateId = await insertObject(transaction, candidates, person);
  });
});

/**
 * Anonymises the candidate.
 * @returns the number of remaining mentions, and the executed statements
 */
const anonymised = (isEverywhere: boolean): Promise<readonly [remaining: number, statements: number]> =>
  own.database.transaction(async (transaction) => {
    let statements = 0;
    const counting = new Proxy(transaction, {
      get(target, name) {
        if (name === 'query') statements += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const how = { recruiterId: null, baseUrl: 'https://ats.example.com', isEverywhere };
    const { remaining } = await anonymiseCandidate(counting, candidateId, how);
    return [remaining.length, statements];
  });

test('anonymising remembers a name in many texts with few statements, and can replace it later', async () => {
  const [remaining, statements] = await anonymised(false);
  expect(remaining).toBe(COUNT);
  expect(statements).toBeLessThan(150);
  const [{ count } = { count: 0 }] = await own.database.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM anonymised_mentions WHERE person_id = $1',
    [candidateId],
  );
  expect(count).toBe(COUNT);

  const [left, clearing] = await anonymised(true);
  expect(left).toBe(0);
  expect(clearing).toBeLessThan(50);
  const mentions = await own.database.query(
    `SELECT name FROM selections WHERE name ILIKE '%quillonia%'
     UNION ALL SELECT row_key FROM anonymised_mentions WHERE person_id = $1`,
    [candidateId],
  );
  expect(mentions).toEqual([]);
});
