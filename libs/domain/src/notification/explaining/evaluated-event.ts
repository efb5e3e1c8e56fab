import { type EvaluationContext } from '@ats/datapath';
import { type EventSubject, type EventType } from '../../objects/event-types.js';
import { DELIVERY_SUBSCRIPTION } from '../../objects/event-subjects.js';
import { isPersonalValue } from '../../objects/personal-datapaths.js';

/** Runs a statement and returns its rows. */
export type RunRows = <Row extends object>(text: string, parameters: readonly unknown[]) => Promise<Row[]>;

/**
 * An event with its stored values. Explanations and the reconciliation use only these values to evaluate expressions.
 */
export interface EvaluatedEvent {
  readonly id: number;
  readonly type: EventType;
  readonly subject_type: EventSubject;
  readonly subject_id: number;
  readonly occurred_dt: Date;
  readonly time_zone: string;
  /** True when personal values of the snapshot were removed. */
  readonly is_anonymised: boolean;
  /**
   * The snapshot of the event. It has only the values at the requested datapaths and, for an event about a delivery,
   * the id of the subscription.
   */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Values that the snapshot lacked, and that matching therefore read from the database. */
  readonly late_facts: Readonly<Record<string, unknown>>;
}

/**
 * SQL for the columns of {@link EvaluatedEvent} from `domain_events e`.
 * @param datapaths  the SQL parameter with the requested datapaths
 */
export const evaluatedEventColumns = (
  datapaths: string,
): string => `e.id, e.type, e.subject_type, e.subject_id, e.occurred_dt, e.time_zone,
  e.anonymised_dt IS NOT NULL AS is_anonymised, ${requestedValues('e.facts', datapaths)} AS facts,
  COALESCE((SELECT ${requestedValues('l.facts', datapaths)}
    FROM notification_late_facts l WHERE l.event_id = e.id), '{}') AS late_facts`;

const requestedValues = (facts: string, datapaths: string): string =>
  `COALESCE((SELECT jsonb_object_agg(key, value) FROM jsonb_each(${facts}) WHERE key = ANY(${datapaths} || '{${DELIVERY_SUBSCRIPTION}}'::text[])),
    '{}')`;

/**
 * Where the value of a datapath comes from. `blanked` means that the value was removed when the person was anonymised.
 */
export type ValueSource = 'event' | 'late' | 'blanked' | 'none';

export function sourceOf({ facts, late_facts, is_anonymised }: EvaluatedEvent, datapath: string): ValueSource {
  const source = Object.hasOwn(facts, datapath) ? 'event' : Object.hasOwn(late_facts, datapath) ? 'late' : 'none';
  return source !== 'none' && is_anonymised && isPersonalValue(datapath) ? 'blanked' : source;
}

/** False for a value that was never stored, or that was removed when the person was anonymised. */
export const isStored = (event: EvaluatedEvent, datapath: string): boolean =>
  ['event', 'late'].includes(sourceOf(event, datapath));

/**
 * Returns a context that evaluates expressions with the stored values and at the time of the event. A result that
 * depends on a missing value is unknown.
 */
export const contextOf = (event: EvaluatedEvent): EvaluationContext => ({
  now: event.occurred_dt,
  timeZone: event.time_zone,
  valueOf: (datapath) => {
    const source = sourceOf(event, datapath);
    if (source === 'event') return event.facts[datapath];
    if (source === 'late') return event.late_facts[datapath];
    throw new Error(`the snapshot of the event lacks the value of ${datapath}`);
  },
});
