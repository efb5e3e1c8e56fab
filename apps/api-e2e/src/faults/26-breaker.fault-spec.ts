import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/wait-until.js';
import { faultTest, sized } from './support/fault-test.js';

const CAP = 4;
const FAILURES_UNTIL_PROBING = 5;

faultTest(
  {
    number: 26,
    fault: 'destination fails, is probed, and recovers',
    stage: { notifiers: 2, settings: { DELIVERY_SCHEDULE: '30,30,30,30' } },
  },
  async (stage, report) => {
    const { destinations } = stage;
    const subscription = await stage.subscribe();
    const events = sized(60, 40);
    destinations.answerWith((_, response) => void setTimeout(() => response.writeHead(500).end(), 100));
    await stage.raise(events);
    await waitUntil(
      'the destination is probed',
      300_000,
      () => destinations.receptions.length >= FAILURES_UNTIL_PROBING + 2 * CAP,
    );
    report.faults += 1;
    await sleep(1_000);
    destinations.answerWith((_, response) => void setTimeout(() => response.writeHead(204).end(), 100));
    await stage.settled();
    // Skips the requests that may be in flight at the fifth failure. From then on, only one request at a time may be
    // sent until one succeeds.
    const { receptions } = destinations;
    const firstSuccess = receptions.findIndex(({ statusCode }) => statusCode === 204);
    const probes = receptions.slice(FAILURES_UNTIL_PROBING + CAP, firstSuccess + 1);
    expect(probes.length).toBeGreaterThan(0);
    expect(probes.filter(({ inFlight }) => inFlight > 1)).toEqual([]);
    // A message that only waited must have no attempt, so the number of attempts equals the number of requests.
    expect(await stage.count('SELECT sum(attempts) FROM notification_deliveries')).toBe(receptions.length);
    expect(
      await stage.count('SELECT consecutive_failures FROM notification_subscriptions WHERE id = $1', [subscription.id]),
    ).toBe(0);
    const afterRecovery = await stage.count('SELECT count(*) FROM notification_deliveries WHERE attempts = 1');
    report.note(
      `${firstSuccess} failures, the last ${probes.length - 1} one at a time; ` +
        `${afterRecovery} of ${events} messages had their first attempt after the recovery`,
    );
    report.check(await stage.verdict());
  },
);
