import { expect } from '@jest/globals';
import { type Item } from '../support/api-client.js';
import { waitUntil } from '../support/wait-until.js';
import { faultTest, sized } from './support/fault-test.js';

faultTest(
  { number: 18, fault: 'destination answers 410, subscription is enabled again', isFast: true },
  async (stage, report) => {
    const { url } = await stage.subscribe();
    const others = await stage.subscribe();
    stage.destinations.answerWith(
      ({ subscriptionId }, response) => void response.writeHead(subscriptionId === others.id ? 204 : 410).end(),
    );
    const before = sized(50, 10);
    await stage.raise(before);
    report.faults += 1;
    await stage.settled();
    const subscription = await stage.client.get<Item & { status: string; disabled_reason: string }>(url);
    expect(subscription).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });

    // Later messages to the disabled subscription are held and not sent.
    const attempted = stage.destinations.receptions.length;
    await stage.raise(before);
    await stage.settled();
    expect(stage.destinations.receptions.length - attempted).toBe(before);
    expect(
      await stage.count(`SELECT count(*) FROM notification_deliveries WHERE subscription_id = $1 AND status = 'held'`, [
        subscription.id,
      ]),
    ).toBe(2 * before);

    stage.destinations.answerWith((_, response) => void response.writeHead(204).end());
    const released = stage.destinations.receptions.length;
    const enabledAt = performance.now();
    await stage.client.post(`${url}/enable`, {});
    await waitUntil(
      'all messages are delivered',
      300_000,
      async () => (await stage.count(`SELECT count(*) FROM notification_deliveries WHERE status <> 'delivered'`)) === 0,
    );
    report.note(
      `${2 * before} held messages were sent in order within ${((performance.now() - enabledAt) / 1_000).toFixed(1)} s`,
    );
    const sequences = stage.destinations.receptions.slice(released).map(({ sequence }) => sequence);
    expect(sequences).toEqual(Array.from({ length: 2 * before }, (_, index) => index + 1));
    await stage.settled();
    report.check(await stage.verdict());
  },
);
