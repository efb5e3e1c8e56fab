import { setTimeout as sleep } from 'node:timers/promises';
import { faultTest, sized } from './support/fault-test.js';
import { raiseEvents } from './support/outbox.js';
import { randomBetween } from './support/repeat.js';

const WRITERS = 8;

faultTest(
  { number: 14, fault: 'transactions commit late and out of order', isFast: true, stage: { notifiers: 2 } },
  async (stage, report) => {
    const subscriptions = await stage.subscribeTimes(2);
    const each = sized(250, 40);
    await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        for (let turn = 0; turn < each; turn += 1) {
          const client = await stage.database.connect();
          try {
            await client.query('BEGIN');
            const events = await raiseEvents(client, 1);
            await sleep(randomBetween(0, 60));
            // Rolls back one transaction in ten. The id of its event is then never used.
            const isCommitted = Math.random() >= 0.1;
            await client.query(isCommitted ? 'COMMIT' : 'ROLLBACK');
            for (const { id } of isCommitted ? events : [])
              for (const subscription of subscriptions) stage.ledger.expect(id, subscription.id);
          } finally {
            client.release();
          }
          report.faults += 1;
        }
      }),
    );
    await stage.settled();
    report.check(await stage.verdict());
  },
);
