import { type Pool, type PoolClient } from 'pg';

/** An event as the API commits it, with the columns that matching reads. */
export interface OutboxEvent {
  readonly id: number;
  readonly type: string;
  /** `details.id` of the event's messages. By default, each event has a different subject. */
  readonly subjectId: number;
  readonly facts: Readonly<Record<string, unknown>>;
  /** Time of the event. With null, it is the time of the insert. */
  readonly occurred: Date | null;
}

/** The snapshot of an event without one of its own. {@link raiseEvents} adds `application.id`. */
const FACTS = {
  'application.app_type': 'vacancy_application',
  'application.main_process_state.state.state': 'interview',
} as const;

let lastSubject = 1_000_000;

/**
 * Inserts events of applications. The applications need not exist, because matching reads only the snapshots of events.
 * @param subjects  number of different subjects, which the events have in turn
 */
export async function raiseEvents(
  database: Pool | PoolClient,
  count: number,
  partial: Partial<OutboxEvent> = {},
  subjects: number = count,
): Promise<readonly OutboxEvent[]> {
  const { type = 'STATE_CHANGE_APPLICATION', facts = {}, occurred = null } = partial;
  const firstSubject = lastSubject + 1;
  lastSubject += subjects;
  const drafts = Array.from({ length: count }, (_, index) => {
    const subjectId = partial.subjectId ?? firstSubject + (index % subjects);
    return { type, subjectId, occurred, facts: { 'application.id': subjectId, ...FACTS, ...facts } };
  });
  const { rows } = await database.query<{ id: string; position: string }>(
    `WITH given AS (
       SELECT nextval(pg_get_serial_sequence('domain_events', 'id')) AS id, e.*
       FROM unnest($2::bigint[], $3::jsonb[]) WITH ORDINALITY AS e (subject_id, facts, position)
     ), stored AS (
       INSERT INTO domain_events (id, type, subject_type, subject_id, recruiter_id, time_zone, facts, occurred_dt)
       SELECT id, $1, 'application', subject_id, 3, 'UTC', facts, COALESCE($4, clock_timestamp()) FROM given
     )
     SELECT id, position FROM given`,
    [type, drafts.map(({ subjectId }) => subjectId), drafts.map((draft) => JSON.stringify(draft.facts)), occurred],
  );
  const ids = new Map(rows.map(({ id, position }) => [Number(position) - 1, Number(id)]));
  return drafts.map((draft, index) => {
    const id = ids.get(index);
    if (id === undefined) throw new Error('INSERT INTO domain_events returned no row');
    return { id, ...draft };
  });
}
