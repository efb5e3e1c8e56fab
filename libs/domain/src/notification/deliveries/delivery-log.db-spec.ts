import { readCollectionQuery } from '@ats/search-query';
import { describe, expect, it } from '@jest/globals';
import { addSubscription } from '../../../test/notification-fixtures.js';
import { useTestDatabase } from '../../../test/test-database.js';
import { collectionStatements } from '../../reading/collection-statement.js';
import { searchSubject } from '../../reading/search-subject.js';
import { DELIVERY_STATUSES, notificationDeliveries } from '../../objects/delivery.model.js';

const own = useTestDatabase();

describe('the delivery log of a subscription', () => {
  it('finds undelivered messages by an index without reading the delivered ones', async () => {
    const { database } = own;
    const subscription = await addSubscription(database);
    await database.query(
      `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id, topic_revision, sequence, body, status)
       SELECT now(), gen_random_uuid(), n, $1, $2, 1, n, '{}', CASE n % 1000 WHEN 0 THEN 'exhausted' ELSE 'delivered' END FROM generate_series(1, 5000) n`,
      [subscription.id, subscription.topicId],
    );
    await database.query('ANALYZE notification_deliveries');
    const statements = collectionStatements(notificationDeliveries, {
      baseUrl: 'https://ats.example.com',
      language: 'en',
    });
    const planOf = async (status: string): Promise<string> => {
      const query = readCollectionQuery(searchSubject(notificationDeliveries.type), {
        search: [`/status={${status}}`],
        sort: notificationDeliveries.order ?? [],
      });
      if (query.violations) throw new Error('the query of this test is invalid');
      const { text, parameters } = statements.keys({ query, limit: 100, ownerId: subscription.id });
      return JSON.stringify(await database.query(`EXPLAIN ${text}`, parameters));
    };
    const found: string[] = [];
    for (const status of DELIVERY_STATUSES)
      if ((await planOf(status)).includes('ix_notification_deliveries_ended')) found.push(status);
    expect(found).toEqual(['held', 'exhausted', 'cancelled']);
  });
});
