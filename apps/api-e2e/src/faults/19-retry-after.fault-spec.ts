import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { faultTest } from './support/fault-test.js';

/** Seconds between the first and the second attempt by the schedule: without jitter, and with the largest jitter. */
const SCHEDULED = [60, 72] as const;
const DAY = 86_400;
/** Returns a function that makes an HTTP date `seconds` after the time of the answer. */
const inSeconds = (seconds: number) => (): string => new Date(Date.now() + seconds * 1_000).toUTCString();

/** Values of `Retry-After`, each with the minimum and the maximum number of seconds between the attempts. */
const CASES: readonly (readonly [retryAfter: string | null | (() => string), least: number, most: number])[] = [
  [null, ...SCHEDULED],
  ['120', 120, 120],
  ['0', ...SCHEDULED],
  ['1', ...SCHEDULED],
  [String(10 * 365 * DAY), DAY, DAY],
  ['9'.repeat(100), DAY, DAY],
  ['-5', ...SCHEDULED],
  ['1e9', ...SCHEDULED],
  ['soon', ...SCHEDULED],
  ['in 2036', ...SCHEDULED],
  ['', ...SCHEDULED],
  ['\u00ff\u00fe', ...SCHEDULED],
  [inSeconds(3_600), 3_598, 3_600], // A wait may be a little shorter, because an HTTP date has whole seconds.
  [inSeconds(-3_600), ...SCHEDULED],
  [inSeconds(10 * 365 * DAY), DAY, DAY],
  ['Sat, 99 Nov 2026 09:01:00 GMT', ...SCHEDULED],
];

faultTest(
  {
    number: 19,
    fault: 'destinations answer 429 and 503 with Retry-After',
    isFast: true,
    stage: { settings: { DELIVERY_SCHEDULE: '60' } },
  },
  async (stage, report) => {
    const cases = [429, 503].flatMap((status) =>
      CASES.map(([retryAfter, least, most]) => ({ status, retryAfter, least, most })),
    );
    const bySubscription = new Map<number, (typeof cases)[number]>();
    for (const one of cases) bySubscription.set((await stage.subscribe()).id, one);
    stage.destinations.answerWith(({ subscriptionId }, response) => {
      const { status = 500, retryAfter = null } = bySubscription.get(subscriptionId) ?? {};
      const value = typeof retryAfter === 'function' ? retryAfter() : retryAfter;
      response.writeHead(status, value === null ? {} : { 'retry-after': value }).end();
    });
    await stage.raise(1);
    await waitUntil(
      'each message had an attempt',
      300_000,
      async () => (await stage.count('SELECT count(*) FROM notification_attempts')) === cases.length,
    );
    report.faults += cases.length;

    const { rows } = await stage.database.query<{ subscription_id: string; least: string; most: string }>(
      `SELECT d.subscription_id, extract(epoch FROM d.next_attempt_dt - clock_timestamp()) AS least,
       extract(epoch FROM d.next_attempt_dt - a.started_dt) AS most
     FROM notification_deliveries d JOIN notification_attempts a ON a.delivery_id = d.id`,
    );
    // The wait for the second attempt must be in its range. It began between the start of the first attempt and now. So
    // the minimum is checked from the start of the attempt, and the maximum from now.
    const outside = rows.filter(({ subscription_id, ...wait }) => {
      const { least = 0, most = 0 } = bySubscription.get(Number(subscription_id)) ?? {};
      return Number(wait.most) < least || Number(wait.least) > most;
    });
    expect(
      outside.map(({ subscription_id, ...wait }) => ({ ...bySubscription.get(Number(subscription_id)), ...wait })),
    ).toEqual([]);
    expect(rows).toHaveLength(cases.length);
  },
);
