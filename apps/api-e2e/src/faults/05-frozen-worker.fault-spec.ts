import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App } from '../support/app.js';
import { waitUntil } from '../support/wait-until.js';
import { HeldAnswers } from './support/answers.js';
import { faultTest } from './support/fault-test.js';

const LEASE_MS = 45_000;
const SUBSCRIPTIONS = 8;
const EVENTS = 8;

faultTest(
  {
    number: 5,
    fault: 'worker frozen (SIGSTOP) for 2 leases',
    isInAllModes: true,
    stage: { notifiers: 2, settings: { DELIVERY_SCHEDULE: '20,20,20,20,20' } },
  },
  async (stage, report) => {
    const { destinations, notifiers } = stage;
    const subscriptions = await stage.subscribeTimes(SUBSCRIPTIONS);
    // Half of the subscriptions refuse repeated messages. Their deliveries can end only with the late answer to the
    // first attempt of the frozen worker.
    const refusing = new Set(subscriptions.slice(0, SUBSCRIPTIONS / 2).map(({ id }) => id));
    const held = new HeldAnswers();
    let isResumed = false;
    destinations.answerWith((reception, response, exchange) => {
      if (reception.attempt > 1 && refusing.has(reception.subscriptionId) && !isResumed) response.writeHead(503).end();
      else held.answer(reception, response, exchange);
    });
    await stage.raise(EVENTS);
    const inFlight = Math.min(stage.mostInFlight(SUBSCRIPTIONS), EVENTS * SUBSCRIPTIONS);
    // Waits until all claimed messages are sent. If a worker was frozen before it sends a message, the first attempt of
    // this message would never end.
    await waitUntil(
      'as many messages as possible are in flight, and every claimed message is sent',
      300_000,
      async () =>
        destinations.receptions.length >= inFlight &&
        (await stage.count(`SELECT count(*) FROM notification_deliveries WHERE status IN ('queued', 'sending')`)) ===
          destinations.receptions.length,
    );
    const { notifier: frozen, running } = await busiest(notifiers);
    const other = notifiers.find((notifier) => notifier !== frozen);
    frozen.signal('SIGSTOP');
    report.faults += 1;
    held.release();
    const frozenAt = performance.now();
    // The other worker delivers its own messages. The messages of the frozen worker wait until the leases of this
    // worker expire.
    await waitUntil('the leases of the frozen worker have expired and a message was repeated', 3 * LEASE_MS, () =>
      destinations.receptions.some(({ attempt }) => attempt > 1),
    );
    await sleep(Math.max(0, 2 * LEASE_MS - (performance.now() - frozenAt)));
    const refused = destinations.receptions.filter(({ statusCode }) => statusCode === 503).length;
    frozen.signal('SIGCONT');
    // The resumed worker reads the late answers to its attempts before these attempts time out. Each answer counts,
    // although the worker has lost the lease of its delivery.
    await waitUntil(
      'every late answer is stored',
      300_000,
      async () =>
        (await stage.count(
          `SELECT count(*) FROM notification_attempts
           WHERE attempt = 1 AND (state <> 'done' OR status_code IS DISTINCT FROM 204)`,
        )) === 0,
    );
    isResumed = true;
    await stage.settled();
    expect(await stage.count(`SELECT count(*) FROM notification_deliveries WHERE status <> 'delivered'`)).toBe(0);
    report.note(`${running} attempts were frozen, and ${refused} repetitions were refused`);
    report.note('late answers to the frozen worker finished their deliveries');
    expect(other?.pid).toBeDefined();
    report.check(await stage.verdict(), { duplicatesAtMost: inFlight });
  },
);

interface BusyNotifier {
  readonly notifier: App;
  /** Number of attempts that the notifier is running. */
  readonly running: number;
}

/** Returns the notifier with the most running attempts. On a busy machine, the other notifier may have very few. */
async function busiest(notifiers: readonly App[]): Promise<BusyNotifier> {
  const all = await Promise.all(
    notifiers.map(async (notifier) => ({ notifier, running: await countRunning(notifier) })),
  );
  return all.reduce((most, one) => (one.running > most.running ? one : most));
}

async function countRunning({ url }: App): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lanes = [...text.matchAll(/^ats_notifier_deliveries_in_flight\{.*\} (\d+)$/gm)];
  return lanes.reduce((sum, [, count]) => sum + Number(count), 0);
}
