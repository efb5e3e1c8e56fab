import { beforeAll, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { SecretBox } from '../../writing/secret-box.js';
import { ANSWER_PURPOSE, claimIdempotencyKey } from './idempotency-keys.js';

const own = useTestDatabase();
const secretBox = new SecretBox('a secret key of more than 32 characters', ANSWER_PURPOSE);

beforeAll(() =>
  own.database.query(`WITH owner AS (
      INSERT INTO users (type, firstname, lastname, email) VALUES ('recruiter', 'R', 'R', 'r@example.com') RETURNING id
    )
    INSERT INTO credentials (id, name, key_id, token_digest, scopes, user_id, recruiter_id)
      SELECT 1, 'c', 'abcdefgh', '', '{}', id, id FROM owner`),
);

/** Makes the claim older by a number of seconds, as if this time had passed. */
const pass = (key: string, seconds: number): Promise<unknown> =>
  own.database.query('UPDATE idempotency_keys SET created_dt = created_dt - make_interval(secs => $1) WHERE key = $2', [
    seconds,
    key,
  ]);

it.each([0, 0.2, 0.5, 1, 2, 5, 10, 14])(
  'a client that waits for Retry-After gets the key that a process claimed %s seconds ago within four repetitions',
  async (age) => {
    const request = { credentialId: 1, key: `died ${age}`, digest: Buffer.from('same') };
    const claim = () => claimIdempotencyKey(own.database, request, secretBox);
    expect(await claim()).toMatchObject({ kind: 'claimed' });
    await pass(request.key, age);
    const pauses: number[] = [];
    for (let result = await claim(); result.kind === 'in_flight'; result = await claim()) {
      pauses.push(result.retryAfter);
      await pass(request.key, result.retryAfter);
    }
    expect(pauses.length).toBeLessThanOrEqual(4);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1);
    // Another request must not wait much longer than the claim lasts.
    expect(pauses.reduce((sum, pause) => sum + pause, age)).toBeLessThan(17);
  },
);
