import { waitUntil } from '../support/wait-until.js';
import { answerAfter } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';
import { type Item } from '../support/api-client.js';

/** Default maximum of concurrent requests to one subscription. A kill can repeat only as many messages. */
const CAP = 4;

faultTest(
  { number: 32, fault: 'notifier killed during a redelivery', stage: { notifiers: 2 } },
  async (stage, report) => {
    const { destinations, client } = stage;
    const events = sized(2_000, 300);
    const subscription = await stage.subscribe();
    await stage.raise(events);
    await stage.settled();
    report.check(await stage.verdict());

    const first = destinations.receptions.length;
    destinations.answerWith(answerAfter(10));
    const redelivery = await client.post(
      `/notification_topics/${subscription.topic.id}/subscriptions/${subscription.id}/redeliver`,
      { since_dt: subscription['created_dt'] },
    );
    const again = (): number => destinations.receptions.length - first;
    const kills = sized(4, 2);
    for (; report.faults < kills; report.faults += 1) {
      await waitUntil(
        'a part of the redelivery has arrived',
        600_000,
        () => again() >= ((report.faults + 1) * events) / (kills + 2),
      );
      const notifier = stage.notifiers[report.faults % 2];
      await notifier?.end('SIGKILL');
      await notifier?.start();
    }
    await waitUntil(
      'the redelivery is done',
      600_000,
      async () => (await client.get<Item & { status: string }>(redelivery.url)).status !== 'running',
    );
    await stage.settled();
    // The redelivery must send each message. Only messages in flight at a kill may arrive more than once.
    report.check(await stage.verdict(destinations.receptions.slice(first)), { duplicatesAtMost: report.faults * CAP });
  },
);
