import {
  checkTopicExpression,
  createSubscription,
  createTopic,
  type EventType,
  EVENT_ROOTS,
  type EventSubject,
  modelForTexts,
  type OperatorEventCause,
  SecretBox,
  SIGNING_KEY_PURPOSE,
  type Subscription,
  type Topic,
} from '@ats/domain';
import { type Database, runStatement } from '@ats/postgres';

export const SECRET_KEY = 'a secret key of more than 32 characters';
export const BASE_URL = 'https://ats.example.com';

/** The cause of events that the notifier raises. */
export const BY_NOTIFIER: OperatorEventCause = { recruiterId: null, settings: { baseUrl: BASE_URL, language: 'en' } };

export const secretBox = new SecretBox(SECRET_KEY, SIGNING_KEY_PURPOSE);

/** The worker that stores the finished attempts of the tests. */
export const WORKER = { workerName: 'test', baseUrl: BASE_URL };

/** Adds recruiters. The notifier raises events only when there is a recruiter. */
export async function addRecruiters(database: Database, ...ids: readonly number[]): Promise<void> {
  await database.query(
    `INSERT INTO users (id, type, firstname, lastname, email)
     SELECT id, 'recruiter', 'R', 'R', id || '@example.com' FROM unnest($1::bigint[]) id`,
    [ids],
  );
}

export interface SubscribedTopic {
  readonly topic: Topic;
  readonly subscription: Subscription;
  readonly signingKey: string;
}

/** Creates a topic with one subscription. Every option has a default. */
export async function subscribe(
  database: Database,
  {
    type = 'STATE_CHANGE_APPLICATION',
    expression = null,
    url = 'https://receiver.example.com/',
    start = null,
    end = null,
    topicId,
  }: {
    readonly type?: EventType;
    readonly expression?: string | null;
    readonly url?: string;
    readonly start?: Date | null;
    readonly end?: Date | null;
    readonly topicId?: number;
  } = {},
): Promise<SubscribedTopic> {
  return database.transaction(async (transaction) => {
    const model = await modelForTexts(
      (text, parameters) => runStatement(transaction, text, parameters),
      expression === null ? [] : [expression],
    );
    const { datapaths } = checkTopicExpression(type, expression, model);
    const topic = await createTopic(transaction, { type, name: 'a topic', description: null, expression, datapaths });
    const created = await createSubscription(
      transaction,
      topicId ?? topic.id,
      { start_dt: start, end_dt: end, destination_url: url },
      secretBox,
    );
    if (!created) throw new Error('the topic was not created');
    return { topic, ...created };
  });
}

const FACTS: Readonly<Partial<Record<EventSubject, Readonly<Record<string, unknown>>>>> = {
  application: {
    'application.app_type': 'vacancy_application',
    'application.main_process_state.state.state': 'interview',
  },
  opportunity: { 'opportunity.kind': 'vacancy' },
  posting: { 'posting.job_board.id': 11, 'posting.vacancy.id': 12 },
  notification_subscription: { 'notification_subscription.topic.id': 13 },
  notification_delivery: { 'notification_delivery.topic_id': 13, 'notification_delivery.subscription.id': 14 },
};

export interface EventFixture {
  readonly type?: EventType;
  readonly subjectId?: number;
  readonly recruiterId?: number;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly occurred?: Date;
  readonly requestId?: string;
}

/**
 * Adds an event in the same way as the API.
 * @returns the id of the event
 */
export async function recordEvent(
  database: Database,
  {
    type = 'STATE_CHANGE_APPLICATION',
    subjectId = 7,
    recruiterId = 3,
    facts = {},
    occurred,
    requestId,
  }: EventFixture = {},
): Promise<number> {
  const root = EVENT_ROOTS[type];
  const [row] = await database.query<{ id: number }>(
    `INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts, occurred_dt, request_id)
     VALUES ($1, $2, $3, $4, 'UTC', $5, COALESCE($6, clock_timestamp()), $7) RETURNING id`,
    [
      type,
      root,
      subjectId,
      recruiterId,
      JSON.stringify({ [`${root}.id`]: subjectId, ...FACTS[root], ...facts }),
      occurred ?? null,
      requestId ?? null,
    ],
  );
  if (!row) throw new Error('the INSERT of a test row returned no row');
  return row.id;
}

export interface DeliveryRow {
  readonly id: number;
  readonly occurred_dt: Date;
  readonly event_id: number;
  readonly subscription_id: number;
  readonly sequence: number;
  readonly status: string;
  readonly attempts: number;
  readonly failures: number;
  readonly requeues: number;
  readonly lane: string;
  readonly body: string;
  readonly topic_revision: number;
  readonly request_id: string | null;
  readonly last_status_code: number | null;
  readonly last_error: string | null;
  /** Milliseconds from now to the next attempt. */
  readonly wait_ms: number | null;
}

export const readDeliveries = (database: Database): Promise<DeliveryRow[]> =>
  database.query(`SELECT *, (extract(epoch FROM next_attempt_dt - clock_timestamp()) * 1000)::integer AS wait_ms
                  FROM notification_deliveries ORDER BY id`);

export interface AttemptRow {
  readonly attempt: number;
  readonly state: string;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly response_excerpt: string | null;
  readonly is_truncated: boolean;
  readonly duration_ms: number | null;
  readonly request_headers: Readonly<Record<string, string>> | null;
}

export const readAttempts = (database: Database): Promise<AttemptRow[]> =>
  database.query('SELECT * FROM notification_attempts ORDER BY id');
