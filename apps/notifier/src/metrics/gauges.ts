import { type Database } from '@ats/postgres';
import { addPoolGauges, addReadingGauge, type Instruments, readMany as many, readOne as one } from '@ats/telemetry';
import { type Breaker, LATE_SECONDS } from '../delivery/store/circuit-breakers.js';
import { type Readings } from './readings.js';

type GaugeDescription = Parameters<Instruments['observedGauge']>[0];

/** What is looked at when somebody asks, and left out when it is not known: no number is better than one that is wrong. */
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
      help: 'Events that are not matched yet, 100,000 at most',
      read: () => one(outbox, ({ events }) => events),
    },
    {
      name: 'outbox_oldest_age_seconds',
      help: 'Age of the oldest event that is not matched yet; 0 when there is none',
      read: () => one(outbox, ({ oldestAge }) => oldestAge),
    },
    {
      name: 'quarantined_events',
      help: 'Events set aside because they could not be matched',
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
      help: 'Subscriptions by the state of their breaker',
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
      help: 'For how long the oldest due delivery of a subscription has been due: of 99 in 100 subscriptions no longer than this',
      labelNames,
      read: byState(({ oldestDueP99 }) => oldestDueP99),
    },
    {
      name: 'oldest_due_age_max_seconds',
      help: 'The same of the subscription that waits longest',
      labelNames,
      read: byState(({ oldestDueMax }) => oldestDueMax),
    },
  ];
}

function jobGauges(readings: Readings): GaugeDescription[] {
  return [
    {
      name: 'bull_jobs',
      help: 'Jobs in Redis, for all notifiers',
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
      help: '1 while Redis is away and this process sends without it',
      read: () => [{ value: Number(readings.isDirect()) }],
    },
  ];
}

function reconciliationGauges({ reconciliation }: Readings): GaugeDescription[] {
  return [
    {
      name: 'reconciliation_difference',
      help: 'Missing and unexpected deliveries that were found and that nobody has dealt with',
      read: () => one(reconciliation, ({ difference }) => difference),
    },
    {
      name: 'reconciliation_lag_seconds',
      help: 'How long ago the next event to be compared was matched; 0 when all are',
      read: () => one(reconciliation, ({ lag }) => lag),
    },
    {
      name: 'reconciliation_idle_seconds',
      help: 'Time since any notifier has compared deliveries with what they should be',
      read: () => many(reconciliation, ({ idle }) => (idle === null ? [] : [{ value: idle }])),
    },
  ];
}

/** None where no e-mails are sent. */
function mailGauges({ mail }: Readings): GaugeDescription[] {
  if (!mail) return [];
  return [
    {
      name: 'oldest_due_mail_age_seconds',
      help: 'For how long the oldest due e-mail has been due; 0 when none is',
      read: () => one(mail, ({ oldestDueAge }) => oldestDueAge),
    },
    {
      name: 'mail_refused',
      help: '1 while e-mails wait because of the login, the sender or the certificate',
      read: () => one(mail, ({ isRefused }) => Number(isRefused)),
    },
  ];
}
