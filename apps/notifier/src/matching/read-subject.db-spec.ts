import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { TestAttempts } from '../../test/attempts.js';
import { addRecruiters, readDeliveries } from '../../test/fixtures.js';
import { useStage } from '../../test/running-notifier.js';
import { type ClaimedEvent } from './claimed-events.js';
import { createReadSubject } from './read-subject.js';

const stage = useStage();
const attempts = new TestAttempts(stage);
beforeAll(() => addRecruiters(stage.database, 12));
afterEach(() => stage.reset());

describe('the current values of a delivery', () => {
  it('are searched only in the partition of the day that the snapshot of the event names', async () => {
    await attempts.finish(await attempts.sending(500), null);
    const [delivery] = await readDeliveries(stage.database);
    const [event] = await stage.database.query<ClaimedEvent>('SELECT * FROM domain_events ORDER BY id DESC LIMIT 1');
    if (!event || !delivery) throw new Error('the delivery raised no event');
    const path = 'notification_delivery.sequence';
    const read = (): ReturnType<ReturnType<typeof createReadSubject>> =>
      stage.database.transaction((transaction) => createReadSubject('')(transaction, event, [path]));
    expect(await read()).toEqual({ [path]: delivery.sequence });
    await stage.database.query(
      `UPDATE domain_events SET facts = facts || '{"notification_delivery.occurred_dt": "2020-01-01T00:00:00.000Z"}'`,
    );
    expect(await read()).toBeNull();
  });
});
