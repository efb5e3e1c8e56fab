import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { after } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';

const CAP = 4;

faultTest(
  {
    number: 25,
    fault: 'a destination comes back to a backlog of an hour',
    stage: { settings: { DELIVERY_SCHEDULE: '3600,3600' } },
  },
  async (stage, report) => {
    const { destinations } = stage;
    const subscription = await stage.subscribe();
    destinations.answerWith((_, response) => void response.writeHead(503).end());
    await stage.raise(sized(300, 100));
    await waitUntil('it is known to be down', 60_000, () => destinations.receptions.length >= 5);
    report.faults += 1;
    const before = await waitUntilQuiet(stage);

    // An hour later.
    destinations.answerWith(after(100));
    await stage.database.query(
      `UPDATE notification_deliveries SET next_attempt_dt = clock_timestamp() - interval '1 second' WHERE status = 'due'`,
    );
    await stage.settled();
    const inFlight = destinations.receptions.slice(before).map((reception) => reception.inFlight);
    // The first goes alone; then there are two, then four.
    expect(inFlight[0]).toBe(1);
    expect(inFlight[1]).toBe(1);
    expect(Math.max(...inFlight.slice(0, 3))).toBeLessThanOrEqual(2);
    expect(Math.max(...inFlight)).toBeLessThanOrEqual(CAP);
    const firstOf = (limit: number): number => inFlight.findIndex((count) => count >= limit) + 1;
    report.note(
      `an hour was skipped in the database; two in flight from message ${firstOf(2)} on, ${CAP} from message ${firstOf(CAP)} on, of ${inFlight.length}`,
    );
    expect(destinations.mostInFlight.get(subscription.id)).toBeLessThanOrEqual(CAP);
    report.check(await stage.verdict());
  },
);

/** Until nothing that is due is left: all have been tried once. @returns how many requests that were */
async function waitUntilQuiet(stage: Parameters<Parameters<typeof faultTest>[1]>[0]): Promise<number> {
  await waitUntil(
    'every one was tried once',
    600_000,
    async () =>
      (await stage.count(`SELECT count(*) FROM notification_deliveries WHERE attempts = 0 OR status <> 'due'`)) === 0 &&
      (await stage.count(`SELECT count(*) FROM domain_events WHERE status = 'new'`)) === 0,
  );
  return stage.destinations.receptions.length;
}
