import { type Database } from '@ats/postgres';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { type AttemptReason, type ClaimedDelivery } from '../src/delivery/store/claimed-deliveries.js';
import { type FinishedAttempt } from '../src/delivery/store/finish-attempts.js';
import { outcomeOf } from './attempts.js';

const MAX_IN_FLIGHT = 4;
const URL = 'https://receiver.example.com/';

/** Maps a state of a delivery to the SQL that gives the delivery this state while its attempt runs. */
const DELIVERY_STATES = {
  owned: `status = 'sending'`,
  due: `status = 'due', next_attempt_dt = now(), lease_token = NULL`,
  'queued again': `status = 'queued', queued_dt = now(), lease_token = NULL, requeues = 1`,
  'claimed again': `attempts = attempts + 1, lease_token = gen_random_uuid()`,
  delivered: `status = 'delivered', finished_dt = now(), lease_token = NULL`,
  held: `status = 'held', lease_token = NULL, requeues = 2`,
  cancelled: `status = 'cancelled', finished_dt = now(), lease_token = NULL`,
  exhausted: `status = 'exhausted', finished_dt = now(), lease_token = NULL, failures = 3`,
  anonymised: `keeps_answers = false`,
} as const;

/** Maps a state to the SQL that gives it to a subscription, before its attempts or while they run. */
const SUBSCRIPTION_STATES = {
  plain: 'limit_successes = 3',
  failing: 'consecutive_failures = 2, first_failure_dt = now()',
  probed: 'consecutive_failures = 6, first_failure_dt = now()',
  'failing for days': `consecutive_failures = 9, first_failure_dt = now() - interval '6 days'`,
  overloaded: 'in_flight_limit = 2, limit_successes = 18',
  shared: 'max_in_flight = 0',
  'shared and overloaded': 'max_in_flight = 0, in_flight_limit = 2, limit_successes = 18',
  recovering: 'in_flight_limit = 2, is_recovering = true',
  released: 'released_sequence = 1',
  moved: `destination_url = 'https://elsewhere.example.com/'`,
  disabled: `disabled_dt = now(), disabled_reason = 'requested'`,
  troubled: 'troubled_dt = now()',
  deleted: '',
} as const;

const one = <Key extends string>(table: Readonly<Record<Key, unknown>>): fc.Arbitrary<Key> =>
  fc.constantFrom(...(Object.keys(table) as Key[]));

/**
 * Generates the first state of a table more often than the other states, so that many random worlds contain plain
 * cases.
 */
const often = <Key extends string>(table: Readonly<Record<Key, unknown>>, weight: number): fc.Arbitrary<Key> =>
  fc.oneof({ weight, arbitrary: fc.constant(Object.keys(table)[0] as Key) }, { weight: 1, arbitrary: one(table) });

const delivery = fc.record({
  state: often(DELIVERY_STATES, 2),
  reason: fc.constantFrom<AttemptReason>('auto', 'auto', 'manual', 'recover', 'ping'),
  attempts: fc.integer({ min: 1, max: 3 }),
  statusCode: fc.constantFrom(200, 204, 204, 204, 500, 503, 410),
  excerpt: fc.constantFrom('', 'ok', 'quote " backslash \\ brace { comma , null', 'é 😀'),
  hasInterrupted: fc.boolean(),
});

const subscription = fc.record({
  state: often(SUBSCRIPTION_STATES, 1),
  deliveries: fc.array(delivery, { minLength: 1, maxLength: 4 }),
});

/** Generates random worlds: subscriptions and deliveries whose attempts have ended but are not stored yet. */
export const finishedWorld = fc.array(subscription, { minLength: 1, maxLength: 4 });

const success = {
  state: 'owned',
  reason: 'auto',
  attempts: 1,
  statusCode: 204,
  excerpt: '',
  hasInterrupted: false,
} as const;

/**
 * A world with two successes. `finishSuccesses` stores the first success, and leaves the second one to
 * `finishAttempts`.
 */
export const worldOfBothPaths: Description = [
  { state: 'plain', deliveries: [success] },
  { state: 'failing', deliveries: [success] },
];

type Description = typeof finishedWorld extends fc.Arbitrary<infer World> ? World : never;
type DeliveryDescription = Description[number]['deliveries'][number];

/** The rows of one random world. Two worlds from the same description differ only in ids and times. */
export class FinishedWorld {
  readonly finished: FinishedAttempt[] = [];
  private readonly subscriptions: number[] = [];

  private constructor(private readonly database: Database) {}

  static async create(database: Database, description: Description): Promise<FinishedWorld> {
    const world = new FinishedWorld(database);
    for (const { state, deliveries } of description) {
      const id = await world.subscribe();
      for (const [index, one] of deliveries.entries()) await world.addDelivery(id, index + 1, one);
      if (state === 'deleted') await database.query('DELETE FROM notification_subscriptions WHERE id = $1', [id]);
      else
        await database.query(`UPDATE notification_subscriptions SET ${SUBSCRIPTION_STATES[state]} WHERE id = $1`, [id]);
    }
    return world;
  }

  private async subscribe(): Promise<number> {
    const [row] = await this.database.query<{ id: number }>(
      `WITH topic AS (
         INSERT INTO notification_topics (type, name) VALUES ('STATE_CHANGE_APPLICATION', 'a topic') RETURNING id
       )
       INSERT INTO notification_subscriptions (topic_id, start_dt, active_from_dt, destination_url, destination_origin,
         max_in_flight, in_flight_limit)
       SELECT id, now(), now(), $1, 'https://receiver.example.com', $2, $2 FROM topic RETURNING id`,
      [URL, MAX_IN_FLIGHT],
    );
    if (!row) throw new Error('the INSERT of a test row returned no row');
    this.subscriptions.push(row.id);
    return row.id;
  }

  private async addDelivery(subscriptionId: number, sequence: number, given: DeliveryDescription): Promise<void> {
    const isPing = given.reason === 'ping';
    const [row] = await this.database.query<ClaimedDelivery>(
      `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id, topic_revision,
         subject_type, subject_id, sequence, body, status, attempts, failures, reason, lease_token, lease_until_dt,
         lease_worker)
       VALUES (now(), gen_random_uuid(), $1, $2, 1, 1, 'application', 7, $3, '{}', 'sending', $4::integer,
         $4::integer - 1, $5, $6, clock_timestamp() + interval '45 seconds', 1)
       RETURNING *, date_trunc('milliseconds', clock_timestamp()) AS claimed_dt`,
      [isPing ? null : this.finished.length, subscriptionId, sequence, given.attempts, given.reason, randomUUID()],
    );
    if (!row) throw new Error('the INSERT of a test row returned no row');
    await this.database.query(`UPDATE notification_deliveries SET ${DELIVERY_STATES[given.state]} WHERE id = $1`, [
      row.id,
    ]);
    // Only an attempt that has lost its claim can be logged as interrupted.
    if (given.hasInterrupted && !['owned', 'anonymised'].includes(given.state)) await this.interrupt(row);
    this.finished.push({
      delivery: {
        ...row,
        destination_url: URL,
        claimedAt: 0,
        secrets: { keys: [], sealedHeaders: null, sealedAuthentication: null, certificate: null },
      },
      outcome: outcomeOf(given.statusCode, {
        answer: {
          statusCode: given.statusCode,
          headers: { 'x-answer': given.excerpt },
          retryAfter: null,
          excerpt: given.excerpt,
          isTruncated: given.excerpt === 'ok',
        },
        remoteAddress: given.excerpt === '' ? null : '192.0.2.1',
        resolveMs: given.excerpt === '' ? null : 1,
      }),
      requestHeaders: { 'x-sent': given.excerpt },
      delayMs: 60_000,
    });
  }

  private async interrupt({ id, occurred_dt: occurred, attempts, reason }: ClaimedDelivery): Promise<void> {
    await this.database.query(
      `INSERT INTO notification_attempts (occurred_dt, delivery_id, attempt, reason, state, url, worker, error)
       VALUES ($1, $2, $3, $4, 'interrupted', $5, 'dead', 'interrupted')`,
      [occurred, id, attempts, reason, URL],
    );
  }

  /** Returns all rows of this world without ids. Instead of a time, it returns whether the time is set. */
  async rows(): Promise<Readonly<Record<string, readonly object[]>>> {
    const ids = this.finished.map(({ delivery: { id } }) => id);
    const read = (text: string, values: readonly number[]): Promise<object[]> => this.database.query(text, [values]);
    return {
      deliveries: await read(
        `SELECT array_position($1::bigint[], id) AS nr, status, attempts, failures, requeues, reason, last_status_code,
           last_error, keeps_answers, lease_token IS NULL AS is_free, lease_until_dt IS NULL AS has_no_lease,
           lease_worker, queued_dt IS NULL AS is_not_queued, next_attempt_dt IS NULL AS has_no_next,
           finished_dt IS NULL AS is_unfinished
         FROM notification_deliveries WHERE id = ANY($1) ORDER BY id`,
        ids,
      ),
      attempts: await read(
        `SELECT array_position($1::bigint[], delivery_id) AS nr, attempt, reason, state, url, resolve_ms, headers_ms,
           duration_ms, remote_address, status_code, error, request_headers, response_headers, response_excerpt,
           is_truncated, worker
         FROM notification_attempts WHERE delivery_id = ANY($1) ORDER BY delivery_id, attempt`,
        ids,
      ),
      subscriptions: await read(
        `SELECT array_position($1::bigint[], id) AS nr, consecutive_failures, first_failure_dt IS NULL AS has_not_failed,
           last_success_dt IS NULL AS has_no_success, average_latency_ms, in_flight_limit, limit_successes,
           is_recovering, released_sequence, disabled_reason, troubled_dt IS NULL AS is_not_troubled
         FROM notification_subscriptions WHERE id = ANY($1) ORDER BY id`,
        this.subscriptions,
      ),
      events: await read(
        `SELECT array_position($1::bigint[], subject_id) AS nr, type FROM domain_events
         WHERE subject_type = 'notification_subscription' AND subject_id = ANY($1) ORDER BY subject_id, id`,
        this.subscriptions,
      ),
    };
  }
}
