// @group split: npm test runs a few of the sequences
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CredentialStore } from '../../src/request/credential-store.js';
import { type Answer } from '../support/answer.js';
import { isLong } from '../support/long-part.js';
import { useApi } from '../support/use-api.js';
import { Chains, type CreateRequest, type Credentials, type Granted, type Sender } from './credential-chains.js';
import { ALL_SCOPES, sequences } from './credential-commands.js';

const { api, make } = useApi();
const RUNS = isLong ? 400 : 12;

const granted = ({ item }: Answer): Granted => ({
  id: item.id,
  token: String(item['token']),
  scopes: item['scopes'] as readonly string[],
  recruiterId: (item['recruiter'] as { readonly id: number }).id,
  expiresDt: item['expires_dt'] === null ? null : new Date(item['expires_dt'] as string),
  allowedCidrs: item['allowed_cidrs'] as readonly string[],
});

/** The credentials of one sequence in the API. The first credential makes all of them. */
class CredentialsOfApi implements Credentials {
  readonly hasOtherWriters = true;
  readonly #ids: number[] = [];

  private constructor(readonly recruiterIds: readonly number[]) {}

  static async open(): Promise<readonly [CredentialsOfApi, Granted]> {
    const recruiters = [await make.recruiter(), await make.recruiter(), await make.recruiter()];
    const own = new CredentialsOfApi(recruiters.map(({ id }) => id));
    const root = granted(
      await api.post('/credentials', { name: 'Root', scopes: ALL_SCOPES, recruiter_id: own.recruiterIds[0] }),
    );
    own.#ids.push(root.id);
    return [own, root];
  }

  async create({ credential, address }: Sender, request: CreateRequest): Promise<Granted | null> {
    const body = {
      name: 'Child',
      scopes: request.scopes,
      ...(request.recruiterId !== null && { recruiter_id: request.recruiterId }),
      expires_dt: request.expiresDt?.toISOString() ?? null,
      allowed_cidrs: request.allowedCidrs,
    };
    const answer = await api.post('/credentials', body, { token: credential.token, remoteAddress: address });
    expect([201, 401, 403, 422]).toContain(answer.status);
    if (answer.status !== 201) return null;
    this.#ids.push(answer.item.id);
    // Reads the new credential with the administrator's credential, because its maker may lack the scope to read it.
    const { item } = await api.get(`/credentials/${answer.item.id}`);
    expect((item['created_by'] as { readonly id: number }).id).toBe(credential.id);
    return { ...granted(await api.get(`/credentials/${answer.item.id}`)), token: String(answer.item['token']) };
  }

  async revoke({ credential, address }: Sender, { id }: Granted, keepChildren: boolean): Promise<boolean> {
    const query = keepChildren ? '?keep_children=true' : '';
    const answer = await api.delete(`/credentials/${id}${query}`, { token: credential.token, remoteAddress: address });
    expect([204, 401, 403]).toContain(answer.status);
    return answer.status === 204;
  }

  async setActive(recruiterId: number, isActive: boolean): Promise<boolean> {
    const { status } = await api.request('PATCH', `/api/v1/recruiters/${recruiterId}`, {
      body: { is_active: isActive },
    });
    return status === 200;
  }

  async pass(hours: number): Promise<void> {
    await api.database.query(
      `UPDATE credentials SET expires_dt = expires_dt - make_interval(hours => $2) WHERE id = ANY ($1)`,
      [this.#ids, hours],
    );
    // Clears the cache of credentials, because it would notice the change only after a second.
    api.app.get(CredentialStore).clear();
  }

  accepts(senders: readonly Sender[]): Promise<readonly boolean[]> {
    return Promise.all(
      senders.map(async ({ credential: { token }, address }) => {
        const { status } = await api.get('/scopes', { token, remoteAddress: address });
        expect([200, 401]).toContain(status);
        return status === 200;
      }),
    );
  }
}

test('no credential works beyond its makers after random operations', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(sequences, async (commands) => {
      const [credentials, root] = await CredentialsOfApi.open();
      const chains = new Chains(credentials, [root]);
      for (const command of commands) await chains.run(command);
      accepted += chains.accepted;
      expect(chains.violations).toEqual([]);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(accepted).toBeGreaterThan(RUNS);
}, 600_000);
