import { EVENT_TYPES } from '../src/objects/event-types.js';
import { type RandomValues } from './random-values.js';
import { type Row } from './random-row.js';

export function randomTopic(values: RandomValues): Row {
  const more = {
    description: values.maybe(values.text),
    expression: values.maybe(values.text),
    datapaths: [],
    past_datapaths: [],
    revision: 1,
  };
  return { ...values.common('notification_topics'), type: values.dice.one(EVENT_TYPES), name: values.text(), ...more };
}

export function randomEndpoint(values: RandomValues, recruiters: readonly Row[]): Row {
  return {
    ...values.common('notification_endpoints'),
    name: values.text(),
    destination_url: values.maybe(() => `https://example.com/${values.text()}`),
    owner_id: values.maybe(() => values.dice.one(recruiters)['id']),
    ordering: values.dice.one(['subject', 'none', 'strict']),
  };
}

export function randomCertificate(values: RandomValues, recruiters: readonly Row[]): Row {
  return {
    ...values.common('client_certificates'),
    name: values.text(),
    certificate: values.text(),
    subject: values.text(),
    issuer: values.text(),
    serial_number: values.text(),
    fingerprint: values.text(),
    valid_from_dt: '2026-01-01T00:00:00.000Z',
    valid_to_dt: values.dice.one(['2026-02-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']),
    owner_id: values.maybe(() => values.dice.one(recruiters)['id']),
  };
}

export function randomSubscription(values: RandomValues, topics: readonly Row[], endpoints: readonly Row[]): Row {
  const { dice } = values;
  const disabled = dice.chance(0.3)
    ? { disabled_dt: '2026-03-01T00:00:00Z', disabled_reason: dice.one(['gone', 'failing', 'requested']) }
    : {};
  return {
    ...values.common('notification_subscriptions'),
    topic_id: dice.one(topics)['id'],
    endpoint_id: dice.one(endpoints)['id'],
    start_dt: '2026-01-01T00:00:00.000Z',
    end_dt: values.maybe(() => dice.one(['2026-02-01T00:00:00.000Z', '9000-01-01T00:00:00.000Z'])),
    active_from_dt: dice.one(['2026-01-01T00:00:00.000Z', '8000-01-01T00:00:00.000Z']),
    destination_url: values.maybe(() => `https://example.com/${values.text()}`),
    destination_origin: 'https://example.com',
    last_sequence: 0,
    max_in_flight: 4,
    in_flight_limit: 4,
    limit_successes: 0,
    is_recovering: false,
    consecutive_failures: 0,
    disabled_dt: null,
    disabled_reason: null,
    ...disabled,
  };
}

/** Makes a delivery. Its event time lies in the first partition, which always exists. */
export function randomDelivery(values: RandomValues, subscriptions: readonly Row[]): Row {
  const { dice } = values;
  const { id, uuid, ...times } = values.common('notification_deliveries');
  const subscription = dice.one(subscriptions);
  return {
    ...times,
    id,
    message_id: uuid,
    occurred_dt: dice.one(['2026-03-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z']),
    event_id: values.maybe(() => id),
    subscription_id: subscription['id'],
    topic_id: subscription['topic_id'],
    topic_revision: 1,
    sequence: dice.below(5),
    body: values.text(),
    status: dice.one(['due', 'queued', 'delivered', 'held', 'exhausted', 'cancelled']),
    next_attempt_dt: values.moment(),
    queued_dt: '2026-03-01T00:00:00.000Z',
    finished_dt: values.maybe(values.moment),
    request_id: values.maybe(values.text),
    attempts: 0,
    failures: 0,
    requeues: 0,
    lane: 'hot',
    reason: 'auto',
    keeps_answers: true,
  };
}

export function randomAttempt(values: RandomValues, { id: delivery_id, occurred_dt }: Row, attempt: number): Row {
  const { dice } = values;
  return {
    id: values.id('notification_attempts'),
    delivery_id,
    occurred_dt,
    attempt,
    started_dt: values.moment(),
    reason: dice.one(['auto', 'manual', 'ping']),
    state: 'done',
    url: `https://example.com/${values.text()}`,
    duration_ms: values.maybe(() => dice.below(3)),
    status_code: values.maybe(() => dice.one([200, 500])),
    error: values.maybe(() => dice.one(['status', 'timeout'])),
    response_excerpt: values.maybe(values.text),
    is_truncated: dice.chance(0.5),
    worker: 'spec',
  };
}

export function randomRedelivery(values: RandomValues, subscriptions: readonly Row[]): Row {
  const { dice } = values;
  const subscription = dice.one(subscriptions);
  return {
    ...values.common('notification_redeliveries'),
    topic_id: subscription['topic_id'],
    subscription_id: subscription['id'],
    since_dt: values.moment(),
    until_dt: values.moment(),
    delivery_status: values.maybe(() => dice.one(['due', 'exhausted'])),
    status: dice.one(['running', 'done']),
    last_sequence: 1,
    cursor_sequence: 0,
    total: dice.below(3),
    redelivered: dice.below(3),
    skipped: dice.below(3),
  };
}

export function randomEvent(values: RandomValues, recruiters: readonly Row[]): Row {
  const { dice } = values;
  const [subject_type, facts] = dice.one([
    ['posting', {}],
    ['application', { 'application.app_type': 'vacancy_application' }],
    ['application', { 'application.app_type': 'event_application' }],
    ['opportunity', { 'opportunity.kind': 'vacancy' }],
    ['opportunity', { 'opportunity.kind': 'event' }],
  ] as const);
  return {
    id: values.id('domain_events'),
    type: dice.one(EVENT_TYPES),
    subject_type,
    subject_id: 1 + dice.below(5),
    recruiter_id: dice.one(recruiters)['id'],
    occurred_dt: values.moment(),
    time_zone: 'UTC',
    facts,
    status: 'done',
    tries: 0,
  };
}
