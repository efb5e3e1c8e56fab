import { afterEach, describe, expect, it } from '@jest/globals';
import { Dice } from '../../../test/dice.js';
import { useTopics } from '../../../test/topic-fixtures.js';
import { NotFoundError } from '../../vocabulary/validation-error.js';
import { joinEndpoint, leaveEndpoint, rotateEndpointKey, rotateSigningKey, shareEndpoint } from './endpoint-keys.js';
import { insertSigningKey, readKeysOf, type SigningKeys } from './signing-keys.js';
import { deleteSubscription, enableSubscription, replaceSubscription } from './subscriptions.js';

const { own, secretBox, write, addTopic, addSubscription } = useTopics();
afterEach(() => own.database.query('DELETE FROM notification_subscriptions; DELETE FROM notification_endpoints'));

interface Made {
  readonly topicId: number;
  readonly id: number;
  readonly endpointId: number;
  readonly key: string;
}

async function add(url = 'https://receiver.example.com/hook'): Promise<Made> {
  const { subscription, signingKey } = await addSubscription((await addTopic()).id, { destination_url: url });
  const { id, topic_id: topicId } = subscription;
  return { topicId, id, endpointId: await endpointOf(id), key: signingKey };
}

async function endpointOf(id: number): Promise<number> {
  const [row] = await own.database.query<{ endpointId: number }>(
    'SELECT endpoint_id AS "endpointId" FROM notification_subscriptions WHERE id = $1',
    [id],
  );
  return row?.endpointId ?? 0;
}

const keysOf = (id: number): Promise<SigningKeys> =>
  write((transaction) => readKeysOf(transaction, { type: 'subscription', id: id }, secretBox));
const keysOfEndpoint = (id: number): Promise<SigningKeys> =>
  write((transaction) => readKeysOf(transaction, { type: 'endpoint', id: id }, secretBox));
const share = (id: number): Promise<void> => write((transaction) => shareEndpoint(transaction, id, secretBox));
const join = (id: number, endpointId: number): Promise<void> =>
  write((transaction) => joinEndpoint(transaction, id, endpointId, secretBox));

const countKeys = async (): Promise<object | undefined> =>
  (
    await own.database.query<object>(
      `SELECT (SELECT count(*) FROM notification_subscription_keys) AS own,
         (SELECT count(*) FROM notification_endpoint_keys) AS shared`,
    )
  )[0];

describe('an endpoint with one subscription', () => {
  it('shows the key of the subscription, before and after it becomes a shared endpoint', async () => {
    const { id, endpointId, key } = await add();
    expect([await keysOf(id), await keysOfEndpoint(endpointId)]).toEqual([
      { current: key, next: null },
      await keysOf(id),
    ]);
    expect(await countKeys()).toEqual({ own: 1, shared: 0 });
    await share(endpointId);
    expect([await keysOf(id), await keysOfEndpoint(endpointId)]).toEqual([
      { current: key, next: null },
      await keysOf(id),
    ]);
    expect(await countKeys()).toEqual({ own: 0, shared: 1 });
  });

  it('keeps a rotation in progress when it becomes a shared endpoint; a second call changes nothing', async () => {
    const { topicId, id, endpointId } = await add();
    await write((transaction) => rotateSigningKey(transaction, { topicId, id }, { overlapSeconds: 60, secretBox }));
    const before = await keysOf(id);
    await share(endpointId);
    const stored = await own.database.query('SELECT * FROM notification_endpoint_keys ORDER BY id');
    await share(endpointId);
    expect(await keysOf(id)).toEqual(before);
    expect(await own.database.query('SELECT * FROM notification_endpoint_keys ORDER BY id')).toEqual(stored);
    await own.database.query(
      `UPDATE notification_endpoint_keys
       SET active_from_dt = active_from_dt - interval '60 s', expires_dt = expires_dt - interval '60 s'`,
    );
    expect(await keysOf(id)).toEqual({ current: before.next?.key, next: null });
  });

  it('is not picked by notifiers of the previous release after it becomes a shared endpoint', async () => {
    const { id, endpointId } = await add();
    await own.database.query('UPDATE notification_subscriptions SET in_flight_limit = 2, is_recovering = true');
    await share(endpointId);
    const read = (): Promise<object[]> =>
      own.database.query(
        `SELECT LEAST(max_in_flight, in_flight_limit) AS picked, is_recovering FROM notification_subscriptions`,
      );
    expect(await read()).toEqual([{ picked: 0, is_recovering: false }]);
    await own.database.query(
      `UPDATE notification_subscriptions
       SET disabled_dt = now(), disabled_reason = 'failing', consecutive_failures = 9`,
    );
    await write((transaction) => enableSubscription(transaction, id));
    expect(await read()).toEqual([{ picked: 0, is_recovering: false }]);
  });

  it('stays when its subscription is deleted after it became a shared endpoint', async () => {
    const { topicId, id, endpointId, key } = await add();
    await share(endpointId);
    await write((transaction) => deleteSubscription(transaction, { topicId, id }));
    expect((await keysOfEndpoint(endpointId)).current).toBe(key);
  });

  it.each(['rotateEndpointKey', 'shareEndpoint'] as const)(
    'is reported as missing by %s when it does not exist',
    async (name) => {
      const call =
        name === 'shareEndpoint'
          ? share(1e9)
          : write((transaction) => rotateEndpointKey(transaction, 1e9, { overlapSeconds: 0, secretBox }));
      await expect(call).rejects.toMatchObject({ name: 'NotFoundError' });
    },
  );
});

describe('a subscription that joins an endpoint', () => {
  it('has the keys and the destination of the endpoint, and loses its own key and endpoint', async () => {
    const [first, second] = [await add('https://a.example.com/1'), await add('https://b.example.com/2')];
    await join(second.id, first.endpointId);
    expect(await keysOf(second.id)).toEqual({ current: first.key, next: null });
    expect(await countKeys()).toEqual({ own: 0, shared: 1 });
    expect(
      await own.database.query(
        `SELECT destination_url, destination_origin, endpoint_id, max_in_flight FROM notification_subscriptions`,
      ),
    ).toEqual(
      [1, 2].map(() => ({
        destination_url: 'https://a.example.com/1',
        destination_origin: 'https://a.example.com',
        endpoint_id: first.endpointId,
        max_in_flight: 0,
      })),
    );
    expect(await own.database.query('SELECT id, own_subscription_id AS own FROM notification_endpoints')).toEqual([
      { id: first.endpointId, own: null },
    ]);
  });

  it('does not change when it joins its own endpoint', async () => {
    const { id, endpointId } = await add();
    await join(id, endpointId);
    expect(await countKeys()).toEqual({ own: 1, shared: 0 });
  });

  it('rotates the key of all subscriptions of the endpoint, and sets their `updated_dt`', async () => {
    const [first, second] = [await add(), await add()];
    await join(second.id, first.endpointId);
    await own.database.query(`UPDATE notification_subscriptions SET updated_dt = '2026-01-01'`);
    await own.database.query(`UPDATE notification_endpoints SET updated_dt = '2026-01-01'`);
    await write((transaction) => rotateSigningKey(transaction, second, { overlapSeconds: 60, secretBox }));
    const keys = await keysOf(second.id);
    expect(keys).toEqual({ current: first.key, next: { key: expect.any(String), fromDt: expect.any(Date) } });
    expect([await keysOf(first.id), await keysOfEndpoint(first.endpointId)]).toEqual([keys, keys]);
    expect(
      await own.database.query(
        `SELECT FROM (SELECT updated_dt FROM notification_subscriptions UNION ALL
           SELECT updated_dt FROM notification_endpoints) t WHERE updated_dt > '2026-01-02'`,
      ),
    ).toHaveLength(3);
  });

  it('gets a new key when it leaves the endpoint, which keeps its keys', async () => {
    const [first, second] = [await add(), await add()];
    await join(second.id, first.endpointId);
    // This statement rotates the key of a subscription as the previous release does.
    await write((transaction) => insertSigningKey(transaction, { type: 'subscription', id: second.id }, secretBox));
    expect((await keysOf(second.id)).current).toBe(first.key);
    const key = await write((transaction) => leaveEndpoint(transaction, second.id, secretBox));
    expect(await keysOf(second.id)).toEqual({ current: key, next: null });
    expect([first.key, second.key]).not.toContain(key);
    expect((await keysOf(first.id)).current).toBe(first.key);
    expect(await countKeys()).toEqual({ own: 1, shared: 1 });
    expect(await write((transaction) => leaveEndpoint(transaction, second.id, secretBox))).toBeNull();
    expect((await keysOf(second.id)).current).toBe(key);
    expect(
      await own.database.query('SELECT max_in_flight FROM notification_subscriptions WHERE id = $1', [second.id]),
    ).toEqual([{ max_in_flight: 4 }]);
  });

  it('never deadlocks with concurrent key rotations, replacements and moves', async () => {
    const made = [await add(), await add(), await add(), await add()];
    const shared = made[0]?.endpointId ?? 0;
    const work = [0, 1, 2, 3].map(async (seed) => {
      const dice = new Dice(seed);
      for (let step = 0; step < 15; step++) {
        const { topicId, id } = dice.one(made);
        await dice.one([
          () => join(id, shared),
          () => write((transaction) => leaveEndpoint(transaction, id, secretBox)),
          () =>
            write((transaction) => rotateSigningKey(transaction, { topicId, id }, { overlapSeconds: 0, secretBox })),
          () =>
            write((transaction) =>
              replaceSubscription(
                transaction,
                { topicId, id },
                { start_dt: null, end_dt: null, destination_url: `https://receiver.example.com/${dice.below(9)}` },
              ),
            ),
        ])();
      }
    });
    await share(shared);
    await Promise.all(work);
    for (const { id } of made) expect(await keysOf(id)).toEqual(await keysOfEndpoint(await endpointOf(id)));
  });
});

it.each(['endpoint', 'subscription'] as const)(
  'reading the keys of an unknown %s throws a NotFoundError',
  async (type) => {
    const read = write((transaction) => readKeysOf(transaction, { type, id: 999_999 }, secretBox));
    await expect(read).rejects.toThrow(NotFoundError);
  },
);
