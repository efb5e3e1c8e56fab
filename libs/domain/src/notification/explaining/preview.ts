import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type CompiledExpression } from '@ats/datapath';
import { type Database } from '@ats/postgres';
import { notificationEventSubject } from '../../objects/event.model.js';
import { type EventType } from '../../objects/event-types.js';
import { type ReadSettings, sqlSettings } from '../../reading/representation-sql.js';
import { contextOf, type EvaluatedEvent, evaluatedEventColumns, isStored } from './evaluated-event.js';
import { truthOf } from './evaluation.js';

export interface PreviewRequest {
  readonly type: EventType;
  readonly compiled: CompiledExpression;
  /** The maximum number of events. The newest ones are taken. */
  readonly limit: number;
}

/** One event of a preview. Source: docs/reference/notifications.md, "Preview". */
export interface PreviewedEvent {
  readonly event_id: number;
  readonly occurred_dt: Date;
  readonly subject: { readonly id: number; readonly url: string | null };
  /** Null when the result depends on a value that `not_recorded` lists. */
  readonly matched: boolean | null;
  /** Maps each datapath to its value, in the order of the expression. */
  readonly values: Readonly<Record<string, unknown>>;
  /**
   * Datapaths without a stored value, which are null in `values`. No topic used them when the event was recorded, or
   * the value was removed when a person was anonymised.
   */
  readonly not_recorded: readonly string[];
}

export interface Preview {
  readonly evaluated: number;
  readonly matched: number;
  /** The number of events whose result is unknown. */
  readonly unknown: number;
  /** The evaluated events, newest first. */
  readonly events: readonly PreviewedEvent[];
}

export interface PreviewResult {
  readonly preview: Preview;
  /** Ids of the users whose data the values may contain. */
  readonly people: readonly number[];
}

export const MAX_PREVIEWED_EVENTS = 1_000;
/**
 * Maximum number of characters in the values of all events together. One rich text may have a megabyte, and an
 * expression may read many of them.
 */
const MAX_CHARACTERS = 4_000_000;
const MAX_MS = 3_000;
const EVENTS_AT_ONCE = 50;

/**
 * Evaluates an expression on the newest events of a type, with the values and the time of each event. It stops after 3
 * seconds or 4 million characters of values, but evaluates at least one event. `evaluated` is the number of evaluated
 * events. Source: docs/reference/notifications.md, "Preview".
 */
export async function previewTopic(
  database: Database,
  { type, compiled, limit }: PreviewRequest,
  settings: ReadSettings,
): Promise<PreviewResult> {
  const events: PreviewedEvent[] = [];
  const people = new Set<number>();
  const result = (): PreviewResult => ({ preview: toPreview(events), people: [...people] });
  const until = performance.now() + MAX_MS;
  let characters = 0;
  let before = Number.MAX_SAFE_INTEGER;
  while (events.length < limit && characters < MAX_CHARACTERS) {
    const wanted = Math.min(EVENTS_AT_ONCE, limit - events.length);
    const rows = await readEvents(
      database,
      { type, datapaths: compiled.datapaths, before, limit: wanted, characters: MAX_CHARACTERS - characters },
      settings,
    );
    for (const row of rows) {
      // At least one event is evaluated, even if a slow read has used all the time.
      if (events.length > 0 && performance.now() > until) return result();
      events.push(preview(row, compiled));
      if (row.user_id !== null) people.add(row.user_id);
      await letOthersRun();
    }
    const last = rows.at(-1);
    if (!last || rows.length < wanted) break;
    before = last.id;
    characters += rows.reduce((sum, row) => sum + row.characters, 0);
  }
  return result();
}

const toPreview = (events: readonly PreviewedEvent[]): Preview => ({
  evaluated: events.length,
  matched: events.filter(({ matched }) => matched === true).length,
  unknown: events.filter(({ matched }) => matched === null).length,
  events,
});

function preview(event: PreviewRow, compiled: CompiledExpression): PreviewedEvent {
  const { valueOf } = contextOf(event);
  return {
    event_id: event.id,
    occurred_dt: event.occurred_dt,
    subject: { id: event.subject_id, url: event.subject_url },
    matched: truthOf(compiled, event),
    values: Object.fromEntries(
      compiled.datapaths.map((datapath) => [datapath, isStored(event, datapath) ? valueOf(datapath) : null]),
    ),
    not_recorded: compiled.datapaths.filter((datapath) => !isStored(event, datapath)),
  };
}

type PreviewRow = EvaluatedEvent & {
  readonly subject_url: string | null;
  readonly user_id: number | null;
  readonly characters: number;
};

interface EventsRequest {
  readonly type: EventType;
  readonly datapaths: readonly string[];
  readonly before: number;
  readonly limit: number;
  /** The number of characters that may still be read. The event that exceeds it is the last event of the preview. */
  readonly characters: number;
}

function readEvents(
  database: Database,
  { type, datapaths, before, limit, characters }: EventsRequest,
  settings: ReadSettings,
): Promise<PreviewRow[]> {
  const url = notificationEventSubject.attributes['url'];
  if (!url) throw new Error('the object type of an event subject has no attribute url');
  return database.reading.query<PreviewRow>({
    text: `
SELECT * FROM (
  SELECT e.*, sum(characters) OVER (ORDER BY id DESC) - characters AS characters_before FROM (
    SELECT e.*, length(facts::text) AS characters FROM (
      SELECT ${evaluatedEventColumns('$2')}, ${url.sql('e', sqlSettings(settings))} AS subject_url,
        CASE e.subject_type WHEN 'candidate' THEN e.subject_id
          ELSE coalesce(e.facts ->> 'application.user.id', e.facts ->> 'communication.candidate.id')::bigint
        END AS user_id
      FROM domain_events e WHERE e.type = $1 AND e.id < $3 ORDER BY e.id DESC LIMIT $4) e) e) e
WHERE characters_before < $5 ORDER BY id DESC`,
    parameters: [type, datapaths, before, limit, characters],
  });
}
