import { moveClock } from '@ats/domain/testing';
import { SIGNATURE_HEADER, verify } from '@ats/webhook-signing';
import { expect } from '@jest/globals';
import { type SubscriptionItem } from '../support/api-client.js';
import { waitUntil } from '../support/wait-until.js';
import { faultTest } from './support/fault-test.js';
import { makeClockMovable } from './support/movable-stage.js';
import { RawDestination, type RawMessage, toReception } from './support/raw-destination.js';
import { type Stage } from './support/stage.js';

const STATUSES = [500, 502, 503, 400, 404];
/** Seconds from each failed attempt to the next. There are 12 attempts. Source: `docs/reference/notifications.md`. */
const SCHEDULE = [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400];
const JITTER = 0.2;
const ATTEMPT_MS = 120_000;
const settings = { DELIVERY_SCHEDULE: SCHEDULE.join() };

interface Row {
  readonly id: string;
  readonly status: string;
  readonly failures: number;
  /** Time of the database in milliseconds since 1970. */
  readonly now: number;
  readonly next: number | null;
  readonly started: number;
  readonly duration_ms: number;
}

/** Returns all deliveries, each with its last attempt. */
const readDeliveries = async (stage: Stage): Promise<readonly Row[]> => {
  const { rows } = await stage.database.query<Row>(
    `SELECT d.id, d.status, d.failures, a.duration_ms,
       extract(epoch FROM clock_timestamp())::float8 * 1000 AS now,
       extract(epoch FROM d.next_attempt_dt)::float8 * 1000 AS next,
       extract(epoch FROM a.started_dt)::float8 * 1000 AS started
     FROM notification_deliveries d JOIN notification_attempts a ON a.delivery_id = d.id AND a.attempt = d.attempts
     WHERE d.status IN ('due', 'exhausted') ORDER BY d.id`,
  );
  return rows;
};

/** Resolves with all deliveries when each has failed `times` times. */
async function waitForFailures(stage: Stage, times: number): Promise<readonly Row[]> {
  let rows: readonly Row[] = [];
  await waitUntil(`each delivery has failed ${times} times`, ATTEMPT_MS, async () => {
    rows = await readDeliveries(stage);
    return rows.length === STATUSES.length && rows.every(({ failures }) => failures === times);
  });
  return rows;
}

/**
 * Checks a signature for the time in its header. The clock of the database is days ahead of the clock of this process.
 */
function checkSignature({ head, body }: RawMessage, keys: readonly string[]): void {
  const header = new RegExp(`^${SIGNATURE_HEADER}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  verify({
    body,
    headers: { [SIGNATURE_HEADER]: header },
    keys,
    toleranceSeconds: 0,
    now: new Date(header.split(',')[0] ?? ''),
  });
}

faultTest(
  { number: 17, fault: 'every attempt of the schedule fails: 12 over 71 h', stage: { settings } },
  async (stage, report) => {
    await makeClockMovable(stage);
    const messages: RawMessage[] = [];
    const destinations = await Promise.all(
      STATUSES.map((status) =>
        RawDestination.start((socket, message) => {
          messages.push(message);
          stage.destinations.receptions.push(toReception(message, status));
          socket.write(`HTTP/1.1 ${status} Failed\r\ncontent-length: 0\r\n\r\n`);
        }),
      ),
    );
    try {
      const subscriptions: SubscriptionItem[] = [];
      for (const { port } of destinations)
        subscriptions.push(await stage.subscribe({ url: `http://127.0.0.1:${port}/hook` }));
      await stage.raise(1);
      let expectedAt = new Map<string, number>();
      let first = 0;
      for (const [index, seconds] of SCHEDULE.entries()) {
        const rows = await waitForFailures(stage, index + 1);
        first ||= Math.min(...rows.map(({ started }) => started));
        for (const { id, status, now, next, started, duration_ms } of rows) {
          expect(status).toBe('due');
          expect(started).toBeGreaterThanOrEqual(expectedAt.get(id) ?? 0);
          // The wait for the next attempt must match the schedule. It began between the end of the last attempt and
          // now. So the minimum is checked from the end of the attempt, and the maximum from now.
          expect((next ?? 0) - started - duration_ms).toBeGreaterThanOrEqual(seconds * 1_000);
          expect((next ?? 0) - now).toBeLessThanOrEqual(seconds * 1_000 * (1 + JITTER));
        }
        expectedAt = new Map(rows.map(({ id, next }) => [id, next ?? 0]));
        const [latest = 0, now = 0] = [Math.max(...expectedAt.values()), rows[0]?.now];
        await moveClock(stage.database, latest - now);
      }
      const last = await waitForFailures(stage, SCHEDULE.length + 1);
      expect(last.map(({ status, next }) => ({ status, next }))).toEqual(
        STATUSES.map(() => ({ status: 'exhausted', next: null })),
      );
      const hours = (Math.max(...last.map(({ started }) => started)) - first) / 3_600_000;
      report.note(`first to last attempt: ${hours.toFixed(1)} h (70.7 h plus up to 20 % jitter)`);
      expect(hours).toBeGreaterThanOrEqual(SCHEDULE.reduce((sum, seconds) => sum + seconds, 0) / 3_600);

      expect(await stage.count('SELECT count(*) FROM notification_subscriptions WHERE disabled_dt IS NOT NULL')).toBe(
        0,
      );
      report.faults = messages.length;
      expect(messages).toHaveLength(STATUSES.length * (SCHEDULE.length + 1));
      for (const message of messages)
        checkSignature(
          message,
          subscriptions.map(({ signing_key }) => signing_key),
        );
      report.check(await stage.verdict());
    } finally {
      await Promise.all(destinations.map((destination) => destination.stop()));
    }
  },
);
