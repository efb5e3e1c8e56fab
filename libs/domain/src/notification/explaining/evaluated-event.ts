import { type EvaluationContext } from '@ats/datapath';
import { type EventSubject, type EventType } from '../../objects/event-types.js';
import { isPersonal } from '../../objects/personal-datapaths.js';

/** Anything that runs a statement and gives its rows. */
export type RunRows = <Row extends object>(text: string, parameters: readonly unknown[]) => Promise<Row[]>;

/** An event with what was stored of it: nothing that is judged by this is read from anywhere else. */
export interface EvaluatedEvent {
  readonly id: number;
  readonly type: EventType;
  readonly subject_type: EventSubject;
  readonly subject_id: number;
  readonly occurred_dt: Date;
  readonly time_zone: string;
  /** Its facts lack what they said of a person. */
  readonly is_anonymised: boolean;
  /** What it carried; those datapaths alone that were asked for. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** What it lacked and was read when it was matched. */
  readonly late_facts: Readonly<Record<string, unknown>>;
}

/** The columns of {@link EvaluatedEvent} from `domain_events e`; `datapaths` is the parameter that says which facts are wanted. */
export const evaluatedEventColumns = (
  datapaths: string,
): string => `e.id, e.type, e.subject_type, e.subject_id, e.occurred_dt, e.time_zone,
  e.anonymised_dt IS NOT NULL AS is_anonymised, ${wantedFacts('e.facts', datapaths)} AS facts,
  COALESCE((SELECT ${wantedFacts('l.facts', datapaths)} FROM notification_late_facts l WHERE l.event_id = e.id), '{}') AS late_facts`;

const wantedFacts = (facts: string, datapaths: string): string =>
  `COALESCE((SELECT jsonb_object_agg(key, value) FROM jsonb_each(${facts}) WHERE key = ANY(${datapaths})), '{}')`;

/** Where the value of a datapath comes from. `blanked`: it was recorded, and is gone with the person that it was about. */
export type FactSource = 'event' | 'late' | 'blanked' | 'none';

export function sourceOf({ facts, late_facts, is_anonymised }: EvaluatedEvent, datapath: string): FactSource {
  const source = Object.hasOwn(facts, datapath) ? 'event' : Object.hasOwn(late_facts, datapath) ? 'late' : 'none';
  return source !== 'none' && is_anonymised && isPersonal(datapath) ? 'blanked' : source;
}

/** What the event is judged on: its own facts and its own clock. A value that is not there makes unknown what depends on it. */
export const contextOf = (event: EvaluatedEvent): EvaluationContext => ({
  now: event.occurred_dt,
  timeZone: event.time_zone,
  valueOf: (datapath) => {
    const source = sourceOf(event, datapath);
    if (source === 'event') return event.facts[datapath];
    if (source === 'late') return event.late_facts[datapath];
    throw new Error(`not recorded: ${datapath}`);
  },
});
