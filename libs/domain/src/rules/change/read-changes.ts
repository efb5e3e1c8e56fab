import { type PageReads } from '@ats/postgres';
import { getResource, type Resource } from '../../vocabulary/resource.js';
import { type ChangeKind, followedResources } from './followed-resources.js';

/** One change, as clients see it. Source: docs/reference/changes.md. */
export interface ShownChange {
  readonly resource: string;
  readonly id: number;
  readonly uuid: string;
  readonly url: string;
  readonly change: ChangeKind;
  readonly dt: string;
}

/** A place in the feed: after the change with the id `position`. */
export interface FeedPosition {
  readonly position: number;
  /** Leaves out changes that were made and committed before this moment. */
  readonly since?: Date | undefined;
}

export interface ChangesRequest extends FeedPosition {
  readonly resources: readonly string[];
  readonly limit: number;
  /** The recruiter whose private items are shown. */
  readonly viewerId: number;
}

export interface FoundChange extends ShownChange {
  readonly position: number;
}

export interface ChangesPage {
  readonly changes: readonly FoundChange[];
  /** Where the next page begins. */
  readonly position: number;
  readonly hasMore: boolean;
}

/** The state of the feed. */
export interface FeedState {
  /** Names the sequence of positions. A position of another epoch has no meaning. */
  readonly epoch: string;
  /** The position before the first change that is stored. */
  readonly first: number;
  /** The position after the last change. */
  readonly last: number;
}

type Reading = PageReads['reading'];

interface Row {
  readonly id: number;
  readonly resource: string;
  readonly item_id: number;
  readonly item_uuid: string;
  readonly change: ChangeKind;
  readonly dt: Date;
  readonly keys: Readonly<Record<string, unknown>> | null;
}

/** The rows that one statement reads at most. It bounds the cost of a request for a resource that changes rarely. */
const MIN_WINDOW = 5_000;

/**
 * A change that was published later than this after its time may come from a long transaction, which was not committed
 * when a client asked for changes since a later moment.
 */
const LATE = '1 second';

export async function readFeedState(reading: Reading): Promise<FeedState> {
  const [row] = await reading.query<FeedState>({
    text: `SELECT epoch, deleted_id AS first,
       greatest(deleted_id, (SELECT id FROM changes ORDER BY id DESC LIMIT 1)) AS last FROM change_feed`,
    parameters: [],
  });
  if (!row) throw new Error('the changes feed has no state');
  return row;
}

/**
 * Finds the place from which on the feed has all changes that were committed at a moment or later.
 * @returns undefined when some of these changes are no longer stored
 */
export async function findPosition(reading: Reading, since: Date): Promise<number | undefined> {
  const [row] = await reading.query<{ position: number }>({
    text: `SELECT coalesce((SELECT id FROM changes WHERE published_dt < $1 ORDER BY published_dt DESC, id DESC LIMIT 1),
       deleted_id) AS position FROM change_feed WHERE complete_from_dt < $1`,
    parameters: [since],
  });
  return row?.position;
}

/** The resources of the changes after a position, among all resources. */
export async function changedResources(reading: Reading, position: number): Promise<ReadonlySet<string>> {
  const rows = await reading.query<{ resource: string }>({
    text: 'SELECT DISTINCT resource FROM changes WHERE id > $1',
    parameters: [position],
  });
  return new Set(rows.map(({ resource }) => resource));
}

/** Reads the changes after a position, oldest first. */
export async function readChanges(reading: Reading, baseUrl: string, request: ChangesRequest): Promise<ChangesPage> {
  const { position, since, resources, limit, viewerId } = request;
  const window = Math.max(MIN_WINDOW, limit + 1);
  const [page] = await reading.query<{ size: number | null; last: number | null; rows: Row[] }>({
    text: CHANGES_STATEMENT,
    parameters: [position, window, resources, viewerId, since ?? null, limit + 1],
  });
  if (!page) throw new Error('the aggregate returned no row');
  const changes = page.rows.slice(0, limit).map((row) => shown(row, baseUrl));
  const isCut = page.rows.length > limit;
  return {
    changes,
    position: (isCut ? changes.at(-1)?.position : page.last) ?? position,
    hasMore: isCut || page.size === window,
  };
}

/** The rows after a position that one statement reads at most. */
const WINDOW = 'SELECT * FROM changes WHERE id > $1 ORDER BY id LIMIT $2';

/** Reads no further than the page. The end of the window only counts when the page is not full. */
const CHANGES_STATEMENT = `
WITH found AS MATERIALIZED (
  SELECT id, resource, item_id, item_uuid, change, dt, keys FROM (${WINDOW}) read
  WHERE resource = ANY ($3) AND ${visibleTo('$4')}
    AND ($5::timestamptz IS NULL OR dt >= $5 OR published_dt - dt > '${LATE}')
  ORDER BY id LIMIT $6),
page AS (SELECT count(*) >= $6 AS is_full, coalesce(jsonb_agg(f ORDER BY f.id), '[]') AS rows FROM found f)
SELECT rows,
  CASE WHEN NOT is_full THEN (SELECT count(*) FROM (${WINDOW}) read)::integer END AS size,
  CASE WHEN NOT is_full THEN (SELECT max(id) FROM (${WINDOW}) read) END AS last
FROM page`;

/** SQL that is true when a recruiter may know of the change: the item was visible before or after it. */
function visibleTo(viewer: string): string {
  const rules = followedResources().flatMap(({ name, ownerColumn, sharedColumn }) => {
    if (ownerColumn === undefined || sharedColumn === undefined) return [];
    const isHidden = (keys: string): string =>
      `(${keys} ->> '${sharedColumn}' = 'false' AND (${keys} ->> '${ownerColumn}')::bigint <> ${viewer})`;
    return [`(resource <> '${name}' OR NOT (${isHidden('keys')} AND (old_keys IS NULL OR ${isHidden('old_keys')})))`];
  });
  return [...rules, 'true'].join(' AND ');
}

function shown({ id, resource, item_id, item_uuid, change, dt, keys }: Row, baseUrl: string): FoundChange {
  return {
    position: id,
    resource,
    id: item_id,
    uuid: item_uuid,
    url: urlOf(getResource(resource), { ...keys, id: item_id }, baseUrl),
    change,
    dt: new Date(dt).toISOString(),
  };
}

const urlOf = ({ type, fixed }: Resource, keys: Readonly<Record<string, unknown>>, baseUrl: string): string =>
  String(type.attributes['url']?.memory({ ...type.fixed, ...fixed, ...keys }, { ...NO_OTHERS, baseUrl }));

/** The settings that no URL depends on. */
const NO_OTHERS = { now: new Date(0), timeZone: 'UTC', language: 'en', defaultLanguage: 'en' };
