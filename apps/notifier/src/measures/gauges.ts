import { type Database } from '@ats/domain';
import { Gauge, type Registry } from 'prom-client';
import { type Breaker } from './backlog.js';
import { metricName } from './instruments.js';
import { type Reading } from './reading.js';
import { type Readings } from './readings.js';

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

interface GaugeDescription {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Looked at when it is asked for. No samples: not known. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/** What is looked at when somebody asks, and left out when it is not known: no number is better than one that is wrong. */
export function addGauges(registry: Registry, readings: Readings, database: Database): void {
  const gauges = [...outboxGauges(readings), ...breakerGauges(readings), ...jobGauges(readings), ...reconciliationGauges(readings), ...mailGauges(readings), ...connectionGauges(database), upGauge(readings)];
  for (const gauge of gauges) addGauge(registry, gauge);
}

function outboxGauges({ outbox }: Readings): GaugeDescription[] {
  return [
    { name: 'outbox_events', help: 'Events that are not matched yet, 100,000 at most', read: () => one(outbox, ({ events }) => events) },
    { name: 'outbox_oldest_age_seconds', help: 'Age of the oldest event that is not matched yet; 0 when there is none', read: () => one(outbox, ({ oldestAge }) => oldestAge) },
    { name: 'quarantined_events', help: 'Events set aside because they could not be matched', read: () => one(outbox, ({ quarantined }) => quarantined) },
  ];
}

function breakerGauges({ breakers }: Readings): GaugeDescription[] {
  const labelNames = ['breaker'];
  const byState = (pick: (breaker: Breaker) => number) => () =>
    many(breakers, (states) => states.map((breaker) => ({ labels: { breaker: breaker.state }, value: pick(breaker) })));
  return [
    { name: 'subscriptions', help: 'Subscriptions by the state of their breaker', labelNames, read: byState(({ subscriptions }) => subscriptions) },
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
    { name: 'direct_mode', help: '1 while Redis is away and this process sends without it', read: () => [{ value: Number(readings.isDirect()) }] },
  ];
}

function reconciliationGauges({ reconciliation }: Readings): GaugeDescription[] {
  return [
    {
      name: 'reconciliation_difference',
      help: 'Missing and unexpected deliveries that were found and that nobody has dealt with',
      read: () => one(reconciliation, ({ difference }) => difference),
    },
    { name: 'reconciliation_lag_seconds', help: 'How long ago the next event to be compared was matched; 0 when all are', read: () => one(reconciliation, ({ lag }) => lag) },
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
    { name: 'oldest_due_mail_age_seconds', help: 'For how long the oldest due e-mail has been due; 0 when none is', read: () => one(mail, ({ oldestDueAge }) => oldestDueAge) },
    { name: 'mail_refused', help: '1 while e-mails wait because of the login, the sender or the certificate', read: () => one(mail, ({ isRefused }) => Number(isRefused)) },
  ];
}

function connectionGauges({ pool }: Database): GaugeDescription[] {
  return [
    {
      name: 'postgres_connections',
      help: 'Connections of this process to PostgreSQL',
      labelNames: ['state'],
      read: () => [
        { labels: { state: 'idle' }, value: pool.idleCount },
        { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
      ],
    },
    { name: 'postgres_connections_max', help: 'Connections that this process may have', read: () => [{ value: pool.options.max }] },
    { name: 'postgres_waiting', help: 'Statements of this process that wait for a connection', read: () => [{ value: pool.waitingCount }] },
  ];
}

/** Looked at last, after everybody else has asked. */
function upGauge(readings: Readings): GaugeDescription {
  const { outbox, breakers, reconciliation, jobs, mail } = readings;
  return {
    name: 'reading_up',
    help: 'Whether what the servers know was to be had in time',
    labelNames: ['reading'],
    read: async () => {
      const named = Object.entries({ outbox, breakers, reconciliation, jobs, ...(mail && { mail }) });
      await Promise.all(named.map(([, reading]) => reading.get()));
      return named.map(([reading, { isUp }]) => ({ labels: { reading }, value: Number(isUp) }));
    },
  };
}

async function many<T>(reading: Reading<T>, toSamples: (value: T) => readonly Sample[]): Promise<readonly Sample[]> {
  const value = await reading.get();
  return value === null ? [] : toSamples(value);
}

const one = <T>(reading: Reading<T>, pick: (value: T) => number): Promise<readonly Sample[]> => many(reading, (value) => [{ value: pick(value) }]);

function addGauge(registry: Registry, { name, help, labelNames = [], read }: GaugeDescription): void {
  new Gauge({
    name: metricName(name),
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const samples = await read();
      this.reset();
      if (labelNames.length === 0) this.remove(); // a gauge without labels is reset to 0
      for (const { labels, value } of samples) this.set({ ...labels }, value);
    },
  });
}
