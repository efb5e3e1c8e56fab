import { describe, expect, it } from '@jest/globals';
import { useTopics } from '../../../test/topic-fixtures.js';
import { type Transaction } from '@ats/postgres';
import { lockSubscriptionRow } from '../redelivery/redeliver.js';
import { rotateSigningKey } from './endpoint-keys.js';
import { readKeysOf, type SigningKeys } from './signing-keys.js';
import { type Subscription } from './subscriptions.js';

const { own, secretBox, write, addTopic, addSubscription } = useTopics();

const keysOf = (id: number): Promise<SigningKeys> =>
  write((transaction) => readKeysOf(transaction, { type: 'subscription', id: id }, secretBox));

const pathOf = ({ topic_id: topicId, id }: Subscription) => ({ topicId, id });

describe('a signing key', () => {
  it('has 64 hexadecimal characters, can be read again, and is stored encrypted', async () => {
    const { subscription, signingKey } = await addSubscription((await addTopic()).id);
    expect(signingKey).toMatch(/^[0-9a-f]{64}$/);
    expect(await keysOf(subscription.id)).toEqual({ current: signingKey, next: null });
    const [stored] = await own.database.query<{ sealed_key: Buffer }>(
      'SELECT sealed_key FROM notification_subscription_keys',
    );
    expect(stored?.sealed_key.includes(signingKey)).toBe(false);
    expect(stored?.sealed_key.includes(Buffer.from(signingKey, 'hex'))).toBe(false);
  });

  it('stays in use beside its successor until the overlap ends', async () => {
    const { subscription, signingKey } = await addSubscription((await addTopic()).id);
    await write((transaction) =>
      rotateSigningKey(transaction, pathOf(subscription), { overlapSeconds: 60, secretBox }),
    );
    const keys = await keysOf(subscription.id);
    expect(keys.current).toBe(signingKey);
    expect(keys.next?.key).toMatch(/^[0-9a-f]{64}$/);
    expect(keys.next?.key).not.toBe(signingKey);
    await own.database.query(
      `UPDATE notification_subscription_keys
       SET active_from_dt = active_from_dt - interval '60 s', expires_dt = expires_dt - interval '60 s'`,
    );
    expect(await keysOf(subscription.id)).toEqual({ current: keys.next?.key, next: null });
  });

  it('is replaced immediately by a rotation without an overlap', async () => {
    const { subscription, signingKey } = await addSubscription((await addTopic()).id);
    await write((transaction) => rotateSigningKey(transaction, pathOf(subscription), { overlapSeconds: 0, secretBox }));
    const keys = await keysOf(subscription.id);
    expect(keys.current).not.toBe(signingKey);
    expect(keys.next).toBeNull();
  });

  it('is not put back in use by a rotation that waited for the rotation that replaced the key', async () => {
    const { subscription } = await addSubscription((await addTopic()).id);
    const key = { topicId: subscription.topic_id, id: subscription.id };
    const rotate = async (transaction: Transaction, overlapSeconds: number): Promise<void> => {
      await lockSubscriptionRow(transaction, key);
      await rotateSigningKey(transaction, pathOf(subscription), { overlapSeconds, secretBox });
    };
    const old = (await keysOf(subscription.id)).current;
    await write(async (second) => {
      // This statement fixes the start of the transaction `second`, which starts before `first` but rotates the key
      // later.
      await second.query('SELECT now()');
      await write((first) => rotate(first, 0));
      await rotate(second, 86_400);
    });
    const { current, next } = await keysOf(subscription.id);
    expect([current, next?.key]).not.toContain(old);
  });

  it('stays in use when a second rotation begins before the overlap of the first has ended', async () => {
    const { subscription, signingKey } = await addSubscription((await addTopic()).id);
    await write((transaction) =>
      rotateSigningKey(transaction, pathOf(subscription), { overlapSeconds: 60, secretBox }),
    );
    const first = await keysOf(subscription.id);
    await write((transaction) =>
      rotateSigningKey(transaction, pathOf(subscription), { overlapSeconds: 120, secretBox }),
    );
    const second = await keysOf(subscription.id);
    expect(second.current).toBe(signingKey);
    expect(second.next?.key).not.toBe(first.next?.key);
    expect(await own.database.query('SELECT count(*) AS n FROM notification_subscription_keys')).toEqual([{ n: 2 }]);
  });
});
