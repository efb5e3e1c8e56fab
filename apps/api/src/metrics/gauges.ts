import { type Outbox } from '@ats/domain';
import { type Database, type Replica, type ReplicaMeasures } from '@ats/postgres';
import { addPoolGauges, addReadingGauge, type Instruments, type Reading, readOne } from '@ats/telemetry';

interface Watched {
  readonly database: Database;
  readonly outbox: Reading<Outbox>;
  /** The replica. Undefined when none is configured. */
  readonly replica: Replica | undefined;
}

/**
 * Adds the gauges whose values are read when `/metrics` is requested. A gauge without a known value is not published.
 */
export function addGauges(instruments: Instruments, { database, outbox, replica }: Watched): void {
  addPoolGauges(instruments, () => database.pools);
  addOutboxGauges(instruments, outbox);
  if (replica) addReplicaGauges(instruments, () => replica.measures);
  addReadingGauge(instruments, { outbox });
}

/** The API publishes the gauges of the outbox, as the notifier does, so that operators notice when no notifier runs. */
function addOutboxGauges(instruments: Instruments, outbox: Reading<Outbox>): void {
  instruments.observedGauge({
    name: 'outbox_events',
    help: 'Events that are not matched yet, counted up to 100,000',
    read: () => readOne(outbox, ({ events }) => events),
  });
  instruments.observedGauge({
    name: 'outbox_oldest_age_seconds',
    help: 'Age of the oldest event that is not matched yet; 0 when there is none',
    read: () => readOne(outbox, ({ oldestAge }) => oldestAge),
  });
  instruments.observedGauge({
    name: 'quarantined_events',
    help: 'Quarantined events, which could not be matched after 5 tries',
    read: () => readOne(outbox, ({ quarantined }) => quarantined),
  });
}

function addReplicaGauges(instruments: Instruments, read: () => ReplicaMeasures): void {
  instruments.observedGauge({
    name: 'replica_up',
    help: '1 while collections are read from the replica',
    read: () => [{ value: Number(read().isUp) }],
  });
  instruments.observedGauge({
    name: 'replica_lag_seconds',
    help: 'Maximum age of the data that the replica shows',
    read: () => {
      const { lagSeconds } = read();
      return lagSeconds === undefined ? [] : [{ value: lagSeconds }];
    },
  });
  instruments.observedCounter({
    name: 'replica_reads_total',
    help: 'Reads that began on the replica',
    read: () => [{ value: read().reads }],
  });
  instruments.observedCounter({
    name: 'replica_fallbacks_total',
    help: 'Reads that the primary answered in place of the replica, by reason',
    labelNames: ['reason'],
    read: () => Object.entries(read().fallbacks).map(([reason, value]) => ({ labels: { reason }, value })),
  });
}
