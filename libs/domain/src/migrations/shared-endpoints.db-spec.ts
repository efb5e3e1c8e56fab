import { afterEach, describe, expect, it } from '@jest/globals';
import { useTopics } from '../../test/topic-fixtures.js';
import { shareEndpoint } from '../notification/subscriptions/endpoint-keys.js';
import { replaceEndpoint } from '../notification/subscriptions/endpoints.js';

const { own, secretBox, write, addTopic, addSubscription } = useTopics();
afterEach(() => own.database.query('DELETE FROM notification_subscriptions; DELETE FROM notification_endpoints'));

describe('a subscription of a shared endpoint', () => {
  it('keeps the destination of its endpoint, even when the previous release replaces the subscription', async () => {
    const topic = await addTopic();
    const destination_url = 'https://a.example.com/hook';
    const { subscription } = await addSubscription(topic.id, { destination_url });
    await write((transaction) => shareEndpoint(transaction, subscription.endpoint_id, secretBox));
    const replaceAsBefore = (): Promise<object[]> =>
      // Release 0.1.0 replaces a subscription with this statement.
      own.database.query(
        `UPDATE notification_subscriptions
         SET start_dt = now(), end_dt = '2099-01-01', destination_url = $3, destination_origin = $4, updated_dt = now()
         WHERE id = $1 AND topic_id = $2`,
        [subscription.id, topic.id, 'https://b.example.com:8443/', 'https://b.example.com:8443'],
      );
    await replaceAsBefore();
    const read = (): Promise<object[]> =>
      own.database.query(
        'SELECT destination_url AS url, destination_origin AS origin, end_dt FROM notification_subscriptions',
      );
    const end_dt = new Date('2099-01-01');
    expect(await read()).toEqual([{ url: destination_url, origin: 'https://a.example.com', end_dt }]);
    const values = { name: 'named', destination_url: 'https://c.example.com/', owner_id: null, emails_owner: false };
    await write((transaction) => replaceEndpoint(transaction, subscription.endpoint_id, values, secretBox));
    expect(await read()).toEqual([{ url: values.destination_url, origin: 'https://c.example.com', end_dt }]);
    for (const [url, origin] of [
      ['https://D.example.com:443/hook?a', 'https://d.example.com'],
      ['https://e.example.com:8443', 'https://e.example.com:8443'],
    ]) {
      await own.database.query('UPDATE notification_endpoints SET destination_url = $1', [url]);
      await replaceAsBefore();
      expect(await read()).toEqual([{ url, origin, end_dt }]);
    }
  });
});

describe('the schema', () => {
  it('has no foreign key that was not checked for existing rows', async () => {
    expect(await own.database.query('SELECT conname FROM pg_constraint WHERE NOT convalidated')).toEqual([]);
  });

  it('counts the shared endpoints of one owner without reading those of other owners', async () => {
    await own.database.query(
      `INSERT INTO users (id, type, firstname, lastname, email)
         SELECT id, 'recruiter', 'R', 'R', id || '@example.com' FROM generate_series(901, 902) id;
       INSERT INTO notification_endpoints (name, destination_url, owner_id, own_subscription_id)
         SELECT 'own', 'https://a.example.com/', 901, -n FROM generate_series(1, 5000) n
         UNION ALL SELECT 'shared', 'https://a.example.com/', 902, NULL FROM generate_series(1, 5000)
         UNION ALL SELECT 'shared', 'https://a.example.com/', 901, NULL FROM generate_series(1, 20);
       ANALYZE notification_endpoints`,
    );
    const plan = await own.database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT 1 FROM notification_endpoints WHERE own_subscription_id IS NULL AND owner_id = 901
       OFFSET 999 LIMIT 1`,
    );
    expect(plan.map((row) => row['QUERY PLAN']).join(' ')).toContain('ix_notification_endpoints_shared');
  });
});
