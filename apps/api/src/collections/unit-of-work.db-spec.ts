import { SNAPSHOT } from '@ats/postgres';
import { useTestDatabase } from '@ats/domain/testing';
import { describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '../../test/support/manual-clock.js';
import { AccessTokens } from '../request/access-tokens.js';
import { CredentialStore } from '../request/credential-store.js';
import { type RequestContext } from '../request/request-context.js';
import { CountCache, type CountResult } from './count-cache.js';
import { UnitOfWork, type Work } from './unit-of-work.js';

const own = useTestDatabase();

const contextOf = (credentialId: number): RequestContext => ({
  requestId: `request-${credentialId}`,
  address: '127.0.0.1',
  actor: { credentialId, keyId: 'abcdefgh', userId: 1, recruiterId: 1, scopes: new Set() },
  version: '1.9',
  compatibilityFlags: new Set(),
  settings: { baseUrl: 'https://jobs.example.com', language: 'en' },
});

describe('UnitOfWork', () => {
  const clock = new ManualClock();
  const counts = new CountCache(2, clock);
  const write =
    (code: string) =>
    async ({ transaction }: Work) =>
      void (await transaction.query('INSERT INTO job_boards (name, code) VALUES ($1, $1)', [code]));

  /** Makes a count, and advances the clock meanwhile, so that the count looks slow and is cached. */
  const run = async (): Promise<CountResult> => {
    const [row] = await own.database.counting.query<CountResult>({
      text: `SELECT count(*) AS total, ${SNAPSHOT} AS snapshot FROM job_boards`,
      parameters: [],
    });
    await clock.advance(100);
    return row ?? { total: Number.NaN, snapshot: '' };
  };
  const countFor = (credentialId: number) =>
    counts.count({ key: 'boards', snapshot: 'another', since: clock.now(), credentialId, run });

  const openStore = (): CredentialStore =>
    new CredentialStore(
      own.database,
      new AccessTokens({ SECRET_KEY: 'a key of this test' }, 'https://jobs.example.com'),
    );

  test('reports each write to the count cache after its commit', async () => {
    const unitOfWork = new UnitOfWork(own.database, counts, openStore());
    expect(await countFor(1)).toBe(0);
    await clock.advance(1);
    await expect(
      unitOfWork.run(contextOf(1), async (work) =>
        write('undone')(work).then(() => Promise.reject(new Error('refused'))),
      ),
    ).rejects.toThrow('refused');
    await unitOfWork.run(contextOf(2), write('two'));
    await clock.advance(1);
    expect(await countFor(1)).toBe(0);
    expect(await countFor(2)).toBe(1);
  });

  test('clears the cache of credentials after each write, unless the write changes no credential', async () => {
    const credentials = openStore();
    const clear = jest.spyOn(credentials, 'clear');
    const unitOfWork = new UnitOfWork(own.database, counts, credentials);
    const unconditional = { ifMatch: undefined, locked: () => Promise.resolve([]) };
    await unitOfWork.write(contextOf(1), unconditional, write('kept'), { keepsCredentials: true });
    expect(clear).not.toHaveBeenCalled();
    await unitOfWork.write(contextOf(1), unconditional, write('cleared'));
    expect(clear).toHaveBeenCalledTimes(1);
  });
});
