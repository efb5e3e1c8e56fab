import { type Database } from '@ats/postgres';
import { addPoolGauges, addReadingGauge, type Instruments, readMany as many, readOne as one } from '@ats/telemetry';
import { type Breaker, LATE_SECONDS } from '../delivery/store/circuit-breakers.js';
import { type Readings } from './readings.js';

type GaugeDescription = Parameters<Instruments['observedGauge']>[0];

/**
 * Adds the gauges whose values are read at each scrape. A gauge whose value is unknown is left out, because a wrong
 * number would be worse.
 */
export function addGauges(instruments: Instruments, readings: Readings, database: Database): void {
  for (const gauge of [
    ...outboxGauges(readings),
    ...breakerGauges(readings),
    ...jobGauges(readings),
    ...reconciliationGauges(readings),
    ...mailGauges(readings),
  ])
    instruments.observedGauge(gauge);
  addPoolGauges(instruments, () => database.pools);
  const { outbox, breakers, reconciliation, jobs, mail } = readings;
  addReadingGauge(instruments, { outbox, breakers, reconciliation, jobs, ...(mail && { mail }) });
}

function outboxGauges({ outbox }: Readings): GaugeDescription[] {
  return [
    {
      name: 'outbox_events',
      help: 'Events that are not matched yet, counted up to 100,000',
      read: () => one(outbox, ({ events }) => events),
    },
    {
      name: 'outbox_oldest_age_seconds',
      help: 'Age of the oldest event that is not matched yet; 0 when there is none',
      read: () => one(outbox, ({ oldestAge }) => oldestAge),
    },
    {
      name: 'quarantined_events',
      help: 'Quarantined events, which could not be matched after 5 tries',
      read: () => one(outbox, ({ quarantined }) => quarantined),
    },
  ];
}

function breakerGauges({ breakers }: Readings): GaugeDescription[] {
  const labelNames = ['breaker'];
  const byState = (pick: (breaker: Breaker) => number) => () =>
    many(breakers, (states) => states.map((breaker) => ({ labels: { breaker: breaker.state }, value: pick(breaker) })));
  return [
    {
      name: 'subscriptions',
      help: 'Subscriptions by the state of their circuit breaker',
      labelNames,
      read: byState(({ subscriptions }) => subscriptions),
    },
    {
      name: 'subscriptions_late',
      help: `Subscriptions whose oldest due delivery has been due for more than ${LATE_SECONDS} seconds`,
      labelNames,
      read: byState(({ late }) => late),
    },
    {
      name: 'oldest_due_age_p99_seconds',
      help: '99th percentile of the age of the oldest due delivery of each subscription',
      labelNames,
      read: byState(({ oldestDueP99 }) => oldestDueP99),
    },
    {
      name: 'oldest_due_age_max_seconds',
      help: 'Age of the oldest due delivery of all subscriptions',
      labelNames,
      read: byState(({ oldestDueMax }) => oldestDueMax),
    },
  ];
}

function jobGauges(readings: Readings): GaugeDescription[] {
  return [
    {
      name: 'bull_jobs',
      help: 'Jobs of all notifiers in Redis, by lane and state',
      labelNames: ['lane', 'state'],
      read: () =>
        many(readings.jobs, (lanes) =>
          lanes.flatMap(({ lane, waiting, active }) => [
            { labels: { lane, state: 'waiting' }, value: waiting },
            { labels: { lane, state: 'active' }, value: active },
          ]),
        ),
    },
    {
      name: 'direct_mode',
      help: '1 while Redis is unavailable and this process sends without it',
      read: () => [{ value: Number(readings.isDirect()) }],
    },
  ];
}

function reconciliationGauges({ reconciliation }: Readings): GaugeDescription[] {
  return [
    {
      name: 'reconciliation_difference',
      help: 'Missing and unexpected deliveries in findings of reconciliation that are not deleted',
      read: () => one(reconciliation, ({ difference }) => difference),
    },
    {
      name: 'reconciliation_lag_seconds',
      help: 'Time since the last compared event was matched; 0 when all events are compared',
      read: () => one(reconciliation, ({ lag }) => lag),
    },
    {
      name: 'reconciliation_idle_seconds',
      help: 'Time since a notifier last compared deliveries with the expected ones',
      read: () => many(reconciliation, ({ idle }) => (idle === null ? [] : [{ value: idle }])),
    },
  ];
}

/** Returns the gauges of e-mails. Without `SMTP_URL`, the list is empty. */
function mailGauges({ mail }: Readings): GaugeDescription[] {
  if (!mail) return [];
  return [
    {
      name: 'oldest_due_mail_age_seconds',
      help: 'Age of the oldest due e-mail; 0 when none is due',
      read: () => one(mail, ({ oldestDueAge }) => oldestDueAge),
    },
    {
      name: 'mail_refused',
      help: '1 while e-mails wait because of the login, the sender, relaying, the certificate or SECRET_KEY',
      read: () => one(mail, ({ isRefused }) => Number(isRefused)),
    },
  ];
}
