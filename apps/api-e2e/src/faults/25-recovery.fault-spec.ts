import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { answerAfter } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';

const CAP = 4;

faultTest(
  {
    number: 25,
    fault: 'destination recovers with a backlog of an hour',
    stage: { settings: { DELIVERY_SCHEDULE: '3600,3600' } },
  },
  async (stage, report) => {
    const { destinations } = stage;
    const subscription = await stage.subscribe();
    destinations.answerWith((_, response) => void response.writeHead(503).end());
    await stage.raise(sized(300, 100));
    await waitUntil('the destination has failed five times', 300_000, () => destinations.receptions.length >= 5);
    report.faults += 1;
    const before = await waitForFirstAttempts(stage);

    // Makes the next attempts due now. Otherwise they would be due in an hour.
    destinations.answerWith(answerAfter(100));
    await stage.database.query(
      `UPDATE notification_deliveries SET next_attempt_dt = clock_timestamp() - interval '1 second'
       WHERE status = 'due'`,
    );
    await stage.settled();
    const inFlight = destinations.receptions.slice(before).map((reception) => reception.inFlight);
    // The notifier may send one request at first, then two and then four at the same time to a recovered destination.
    expect(inFlight[0]).toBe(1);
    expect(inFlight[1]).toBe(1);
    expect(Math.max(...inFlight.slice(0, 3))).toBeLessThanOrEqual(2);
    expect(Math.max(...inFlight)).toBeLessThanOrEqual(CAP);
    const firstOf = (limit: number): number => inFlight.findIndex((count) => count >= limit) + 1;
    report.note(
      `an hour was skipped in the database; of ${inFlight.length} messages, two were in flight from ${firstOf(2)} on ` +
        `and ${CAP} from ${firstOf(CAP)} on`,
    );
    expect(destinations.mostInFlight.get(subscription.id)).toBeLessThanOrEqual(CAP);
    report.check(await stage.verdict());
  },
);

/**
 * Resolves when each message has had its first attempt.
 * @returns the number of requests that the destinations have received by then
 */
async function waitForFirstAttempts(stage: Parameters<Parameters<typeof faultTest>[1]>[0]): Promise<number> {
  await waitUntil(
    'every message had its first attempt',
    600_000,
    async () =>
      (await stage.count(`SELECT count(*) FROM notification_deliveries WHERE attempts = 0 OR status <> 'due'`)) === 0 &&
      (await stage.count(`SELECT count(*) FROM domain_events WHERE status = 'new'`)) === 0,
  );
  return stage.destinations.receptions.length;
}
