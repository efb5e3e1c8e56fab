// @group sample: npm test runs a quarter of its tests
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { selfSigned } from '../../test/certificates.js';
import { subscriptionValues, topicValues } from '../../test/topic-fixtures.js';
import { useTestDatabase } from '../../test/test-database.js';
import { runStatement } from '@ats/postgres';
import {
  CLIENT_CERTIFICATE_PURPOSE,
  createClientCertificate,
  openClientCertificate,
  type SealedCertificate,
} from '../notification/subscriptions/client-certificates.js';
import {
  CUSTOM_HEADERS_PURPOSE,
  readCustomHeaders,
  replaceCustomHeaders,
} from '../notification/subscriptions/custom-headers.js';
import {
  AUTHENTICATION_PURPOSE,
  readAuthentication,
  replaceAuthentication,
} from '../notification/subscriptions/endpoint-authentication.js';
import { rotateSigningKey, shareEndpoint } from '../notification/subscriptions/endpoint-keys.js';
import { readKeysOf, SIGNING_KEY_PURPOSE, type SigningKeys } from '../notification/subscriptions/signing-keys.js';
import { createSubscription } from '../notification/subscriptions/subscriptions.js';
import { createTopic } from '../notification/topics/topics.js';
import { startActivation } from '../rules/account-activation/account-activation.js';
import { ACTIVATION_TOKEN_PURPOSE, openActivationToken } from '../rules/account-activation/activation-mail.js';
import { ANSWER_PURPOSE, claimIdempotencyKey, keepAnswer } from '../rules/idempotency/idempotency-keys.js';
import { ensureBootstrapCredential } from '../rules/credential/bootstrap.js';
import { entitySchemas } from '../writing/entities.js';
import { insertObject } from '../writing/write-object.js';
import { candidates } from '../objects/user.model.js';
import { KeyRing, type KeySettings } from '../writing/key-ring.js';
import { SecretBox } from '../writing/secret-box.js';
import { resealValues, SEALED_COLUMNS } from './reseal-values.js';

const own = useTestDatabase({ entities: entitySchemas(), poolSize: 5 });
const FORMER = 'the former key, which has at least 32 characters';
const NEXT = 'the next key, which also has at least 32 characters';
const OTHER = 'a key of nobody, which has at least 32 characters';
const beforeSwap = { SECRET_KEY: FORMER, SECRET_KEY_PREVIOUS: NEXT };
const afterSwap = { SECRET_KEY: NEXT, SECRET_KEY_PREVIOUS: FORMER };
const silent = (): void => undefined;

afterEach(() =>
  own.database.query(`TRUNCATE notification_topics, notification_subscriptions, notification_datapaths,
    notification_topic_revisions, notification_subscription_revisions, outgoing_mails, account_activations,
    idempotency_keys CASCADE`),
);

interface Made {
  readonly topicId: number;
  readonly id: number;
  readonly endpointId: number;
  readonly key: string;
}

async function addSubscription(settings: KeySettings): Promise<Made> {
  return own.database.transaction(async (transaction) => {
    const topic = await createTopic(transaction, topicValues(null));
    const box = new SecretBox(settings, SIGNING_KEY_PURPOSE);
    const created = await createSubscription(transaction, topic.id, subscriptionValues(), box);
    if (!created) throw new Error('the topic is gone');
    const { id } = created.subscription;
    const [row] = await runStatement<{ endpointId: number }>(
      transaction,
      'SELECT endpoint_id AS "endpointId" FROM notification_subscriptions WHERE id = $1',
      [id],
    );
    return { topicId: topic.id, id, endpointId: row?.endpointId ?? 0, key: created.signingKey };
  });
}
async function addShared(settings: KeySettings): Promise<Made> {
  const made = await addSubscription(settings);
  await share(made, settings);
  return made;
}
const share = ({ endpointId }: Made, settings: KeySettings): Promise<void> =>
  own.database.transaction((transaction) =>
    shareEndpoint(transaction, endpointId, new SecretBox(settings, SIGNING_KEY_PURPOSE)),
  );
const keysOf = (id: number, settings: KeySettings): Promise<SigningKeys> =>
  own.database.transaction((transaction) =>
    readKeysOf(transaction, { type: 'subscription', id: id }, new SecretBox(settings, SIGNING_KEY_PURPOSE)),
  );

const HEADERS = { 'x-api-key': 'a secret value' };
const headerBoxes = (settings: KeySettings) => ({
  ofSecret: new SecretBox(settings, CUSTOM_HEADERS_PURPOSE),
  ofSigningKeys: new SecretBox(settings, SIGNING_KEY_PURPOSE),
  keepsSecret: true,
});
const OAUTH = { token_url: 'https://id.example.com/', client_id: 'a', client_secret: 'b', scope: null };
const authenticationBox = (settings: KeySettings): SecretBox => new SecretBox(settings, AUTHENTICATION_PURPOSE);
const setHeaders = ({ endpointId }: Made, settings: KeySettings): Promise<void> =>
  own.database.transaction(async (transaction) => {
    await replaceCustomHeaders(transaction, endpointId, HEADERS, headerBoxes(settings));
    await replaceAuthentication(transaction, endpointId, OAUTH, {
      ofSecret: authenticationBox(settings),
      ofSigningKeys: new SecretBox(settings, SIGNING_KEY_PURPOSE),
      keepsSecret: true,
    });
  });
const certificateBox = (settings: KeySettings): SecretBox => new SecretBox(settings, CLIENT_CERTIFICATE_PURPOSE);
const PAIR = selfSigned({ host: 'client.example.com' });
const addCertificate = (settings: KeySettings): Promise<number> =>
  own.database.transaction((transaction) => {
    const body = { name: 'Bank', certificate: PAIR.cert, private_key: PAIR.key };
    return createClientCertificate(transaction, body, certificateBox(settings));
  });
async function certificateKey(settings: KeySettings): Promise<string | undefined> {
  const [row] = await own.database.query<SealedCertificate>(
    'SELECT id, certificate, sealed_private_key AS "sealedKey" FROM client_certificates',
  );
  return row && openClientCertificate(row, certificateBox(settings)).private_key;
}
const authenticationOf = ({ endpointId }: Made, settings: KeySettings): Promise<object | null> =>
  own.database.transaction((transaction) => readAuthentication(transaction, endpointId, authenticationBox(settings)));
const headersOf = ({ endpointId }: Made, settings: KeySettings): Promise<object> =>
  own.database.transaction((transaction) => readCustomHeaders(transaction, endpointId, headerBoxes(settings).ofSecret));

let serial = 0;
const addActivation = (settings: KeySettings): Promise<unknown> =>
  own.database.transaction(async (transaction) => {
    const person = { firstname: 'Ada', lastname: 'Byron', email: `ada.${++serial}@example.com` };
    const userId = await insertObject(transaction, candidates, person, { status: 'pending_activation' });
    const box = new SecretBox(settings, ACTIVATION_TOKEN_PURPOSE);
    return startActivation(transaction, { userId, language: 'en', recruiterId: 1 }, box);
  });

async function credentialId(): Promise<number> {
  const token = `ats_Resealing_${'r'.repeat(43)}`;
  await own.database.transaction((transaction) => ensureBootstrapCredential(transaction, token));
  const [row] = await own.database.query<{ id: number }>(`SELECT id FROM credentials WHERE key_id = 'Resealing'`);
  return row?.id ?? 0;
}
const requestOf = (id: number, key: string) => ({ credentialId: id, key, digest: Buffer.from(key) });
async function addAnswer(id: number, key: string, settings: KeySettings): Promise<void> {
  const box = new SecretBox(settings, ANSWER_PURPOSE);
  const claimed = await claimIdempotencyKey(own.database, requestOf(id, key), box);
  if (claimed.kind !== 'claimed') throw new Error('the key is taken');
  await own.database.transaction((transaction) =>
    keepAnswer(transaction, claimed.claim, { status: 201, headers: {}, body: key }, box),
  );
}

const reseal = (settings: KeySettings, say: (line: string) => void = silent) =>
  resealValues(own.database, { keys: new KeyRing(settings), say });
const countsOf = async (settings: KeySettings): Promise<readonly number[]> =>
  (await reseal(settings)).map(({ resealed }) => resealed);

describe('the command reseal', () => {
  it('knows every column of the database that has encrypted values', async () => {
    const columns = await own.database.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'bytea' AND column_name LIKE 'sealed%'`,
    );
    expect(columns.map(({ name }) => name).sort()).toEqual(
      SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort(),
    );
  });

  it('encrypts the values of all columns with the current key, once', async () => {
    const credential = await credentialId();
    const made = [
      await addSubscription({ SECRET_KEY: FORMER }),
      await addSubscription(beforeSwap),
      await addShared({ SECRET_KEY: FORMER }),
    ];
    await addActivation({ SECRET_KEY: FORMER });
    for (const key of ['b', 'a']) await addAnswer(credential, key, beforeSwap);
    const current = [await addSubscription(afterSwap), await addShared(afterSwap)];
    for (const one of made.slice(2)) await setHeaders(one, { SECRET_KEY: FORMER });
    await addCertificate({ SECRET_KEY: FORMER });

    expect(await countsOf(afterSwap)).toEqual([2, 1, 1, 1, 1, 1, 2]);
    expect(await countsOf(afterSwap)).toEqual([0, 0, 0, 0, 0, 0, 0]);

    const last = { SECRET_KEY: NEXT };
    for (const { id, key } of [...made, ...current]) expect((await keysOf(id, last)).current).toBe(key);
    for (const one of made.slice(2))
      expect([await headersOf(one, last), await authenticationOf(one, last)]).toEqual([HEADERS, OAUTH]);
    expect(await certificateKey(last)).toBe(PAIR.key);
    const [mail] = await own.database.query<{ sealed_token: Buffer; activation_id: number }>(
      'SELECT sealed_token, activation_id FROM outgoing_mails',
    );
    const box = new SecretBox(last, ACTIVATION_TOKEN_PURPOSE);
    expect(openActivationToken(mail?.sealed_token ?? Buffer.alloc(0), mail?.activation_id ?? 0, box)).toMatch(/^\S+$/);
    const repeated = await claimIdempotencyKey(
      own.database,
      requestOf(credential, 'a'),
      new SecretBox(last, ANSWER_PURPOSE),
    );
    expect(repeated).toMatchObject({ kind: 'answered', answer: { body: 'a' } });
  });

  it('changes nothing and reports no value when only one key is used', async () => {
    await addSubscription({ SECRET_KEY: FORMER });
    const [{ resealed, unknown } = { resealed: -1, unknown: [''] }] = await reseal({ SECRET_KEY: FORMER });
    expect([resealed, unknown]).toEqual([0, []]);
  });

  it('continues where an interrupted run ended; two runs at the same time change each value once', async () => {
    const credential = await credentialId();
    const answers = Array.from({ length: 130 }, (_, index) => `key ${index}`);
    for (const key of answers) await addAnswer(credential, key, { SECRET_KEY: FORMER });
    const interrupt = (line: string): void => {
      if (line.startsWith('idempotency_keys: 50 of')) throw new Error('interrupted');
    };
    await expect(reseal(afterSwap, interrupt)).rejects.toThrow('interrupted');
    const both = await Promise.all([countsOf(afterSwap), countsOf(afterSwap)]);
    expect(both.reduce((sum, [, , , , , , answered = 0]) => sum + answered, 0)).toBe(answers.length - 50);
  });

  it('loses no change of an app that rotates, moves and creates keys meanwhile', async () => {
    const made: Made[] = [];
    for (let index = 0; index < 60; index++) made.push(await addSubscription({ SECRET_KEY: FORMER }));
    const expected = new Map(made.map(({ id, key }) => [id, key]));
    let isRunning = true;
    const write = async (): Promise<void> => {
      const box = new SecretBox(afterSwap, SIGNING_KEY_PURPOSE);
      for (let index = 0; isRunning; index = (index + 1) % made.length) {
        const subscription = made[index];
        if (!subscription) break;
        const { id } = subscription;
        if (index % 3 === 0) await share(subscription, afterSwap);
        const { current } = await own.database.transaction(async (transaction) => {
          await rotateSigningKey(transaction, subscription, { overlapSeconds: 0, secretBox: box });
          return readKeysOf(transaction, { type: 'subscription', id: id }, box);
        });
        expected.set(id, current);
        const added = await addSubscription(afterSwap);
        expected.set(added.id, added.key);
      }
    };
    const writing = write();
    await reseal(afterSwap).finally(() => (isRunning = false));
    await writing;
    for (const [id, key] of expected) expect((await keysOf(id, { SECRET_KEY: NEXT })).current).toBe(key);
  });

  it('waits for values that an app has locked', async () => {
    const { id, key } = await addSubscription({ SECRET_KEY: FORMER });
    const client = await own.database.pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM notification_subscription_keys FOR UPDATE');
    let lines = 0;
    const counts = reseal(afterSwap, (line) => {
      // The command prints its first line after its first pass, which has skipped the locked row. Then this commit
      // releases the row.
      if (line.includes('0 of 1') && lines++ === 0) void client.query('COMMIT').finally(() => client.release());
    });
    expect((await counts).map(({ resealed, locked }) => [resealed, locked])[0]).toEqual([1, 0]);
    expect((await keysOf(id, { SECRET_KEY: NEXT })).current).toBe(key);
  });
});

describe('npm run reseal', () => {
  const run = (settings: Readonly<Record<string, string>>): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      const env = { PATH: process.env['PATH'], DATABASE_URL: own.url, ...settings };
      const command = join(__dirname, '../../dist/cli/reseal.js');
      const child = execFile(process.execPath, [command], { env }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
      );
    });

  it('prints its progress and ends with 0, and fails while a value of an unknown key is left', async () => {
    await addSubscription({ SECRET_KEY: FORMER });
    const first = await run(afterSwap);
    expect(first).toMatchObject({
      code: 0,
      output: expect.stringContaining('SECRET_KEY decrypts every stored secret'),
    });
    expect(first.output).toContain('notification_subscription_keys: 1 of 1 values re-encrypted');
    const { id } = await addSubscription({ SECRET_KEY: OTHER });
    const last = await run(afterSwap);
    expect(last.code).toBe(1);
    expect(last.output).toMatch(/neither key opens 1 values, in the rows with id \d+\n/);
    expect(last.output).toContain('SECRET_KEY does not decrypt 1 stored secrets');
    await own.database.query('DELETE FROM notification_subscriptions WHERE id = $1', [id]);
  });

  it('refuses a second key that equals the first one', async () => {
    const equal = await run({ SECRET_KEY: NEXT, SECRET_KEY_PREVIOUS: `${NEXT}\n` });
    expect(equal).toMatchObject({ code: 1, output: expect.stringContaining('must be another key than SECRET_KEY') });
  });
});
