import { type PageReads } from '@ats/postgres';
import { getResource } from '../../vocabulary/resource.js';
import { followedResources } from './followed-resources.js';

/** A place in the feed: after the change with the id `position`. */
export interface FeedPosition {
  readonly position: number;
  /**
   * Tells the change at the position from another one with the same id, which a server has after a failover that lost
   * changes. It is absent in tokens of older releases, and before the first change.
   */
  readonly mark?: string | undefined;
}

/** A place in the feed, and what a chain of requests has to leave out from there. */
export interface FeedStart extends FeedPosition {
  /** Leaves out changes that were made and committed before this moment. */
  readonly since?: Date | undefined;
}

export interface ChangesRequest extends FeedStart {
  /** See {@link FeedState}. */
  readonly epoch: string;
  readonly resources: readonly string[];
  readonly limit: number;
  /** The recruiter whose private items are shown. */
  readonly viewerId: number;
}

/** A change, and the place after it. */
export interface FoundChange extends FeedPosition {
  /** The change as JSON. Source: docs/reference/changes.md. */
  readonly json: string;
}

/** Changes, and the place where the next page begins. */
export interface ChangesPage extends FeedPosition {
  readonly changes: readonly FoundChange[];
  readonly hasMore: boolean;
}

/** The state of the feed. The position is that after the last change. */
export interface FeedState extends FeedPosition {
  /** Names the sequence of positions. A position of another epoch has no meaning. */
  readonly epoch: string;
}

type Reading = PageReads['reading'];

/** The rows that one statement reads at most. It bounds the cost of a request for a resource that changes rarely. */
const MIN_WINDOW = 5_000;

/**
 * A change that was published more than this time after it was made may come from a long transaction. A client may have
 * asked for changes since a later moment before that transaction committed.
 */
const LATE = '1 second';

/** SQL for the milliseconds of `dt`. */
const MS = `(date_part('epoch', dt) * 1000)::bigint`;

/** SQL for the mark of a row of `changes`, see {@link FeedPosition}. */
const MARK = `${MS} || '-' || left(item_uuid::text, 8)`;

/** SQL that joins the last row of the feed to `change_feed`, and the columns with the place after it. */
const LAST_ROW = `LEFT JOIN LATERAL (SELECT id, ${MARK} AS mark FROM changes ORDER BY id DESC LIMIT 1) last
  ON true`;
const LAST = 'greatest(deleted_id, last.id) AS position, last.mark';

/** SQL columns of {@link Known} for the position `$1`, from `change_feed`. */
const KNOWN = `deleted_id AS first, (SELECT ${MARK} FROM changes WHERE id = $1) AS here`;

/** The state of the feed that decides whether a position is known. */
interface Known {
  readonly epoch: string;
  /** The position before the first change that is stored. */
  readonly first: number;
  /** The mark of the change at the position. Null when it is not stored. */
  readonly here: string | null;
}

/** True when all changes after the place are stored. Retention also deletes the change at `first`. */
function isKnown({ epoch, position, mark }: FeedState, { first, here, ...known }: Known): boolean {
  if (known.epoch !== epoch) return false;
  return here === null ? position === first : position >= first && (mark === undefined || mark === here);
}

/** Reads the state of the feed. */
export async function readFeedState(reading: Reading): Promise<FeedState> {
  const [row] = await reading.query<FeedState>({
    text: `SELECT epoch, ${LAST} FROM change_feed ${LAST_ROW}`,
    parameters: [],
  });
  if (!row) throw new Error('the changes feed has no state');
  return { ...row, mark: row.mark ?? undefined };
}

/**
 * Finds the place from which on the feed has all changes that were committed at a moment or later.
 * @returns undefined when some of these changes are no longer stored
 */
export async function findPosition(reading: Reading, since: Date): Promise<FeedState | undefined> {
  const [row] = await reading.query<FeedState>({
    text: `SELECT epoch, coalesce(before.id, deleted_id) AS position, before.mark FROM change_feed
       LEFT JOIN LATERAL (SELECT id, ${MARK} AS mark FROM changes WHERE published_dt < $1
         ORDER BY published_dt DESC, id DESC LIMIT 1) before ON true
       WHERE complete_from_dt < $1`,
    parameters: [since],
  });
  return row && { ...row, mark: row.mark ?? undefined };
}

/** The changes that the feed has after a place. */
export interface News {
  readonly state: FeedState;
  /** The resources that have changes. */
  readonly resources: ReadonlySet<string>;
}

/**
 * Looks for changes of all resources after a place.
 * @returns undefined when changes after it are no longer stored, or when the server does not know the place
 */
export async function readNews(reading: Reading, from: FeedState): Promise<News | undefined> {
  const [row] = await reading.query<FeedState & Known>({
    text: `SELECT epoch, ${KNOWN}, ${LAST} FROM change_feed ${LAST_ROW}`,
    parameters: [from.position],
  });
  if (!row || !isKnown(from, row)) return undefined;
  const { epoch, position, mark } = row;
  const rows =
    position > from.position
      ? await reading.query<{ resource: string }>({
          text: 'SELECT DISTINCT resource FROM changes WHERE id > $1',
          parameters: [from.position],
        })
      : [];
  return {
    state: { epoch, position, mark: mark ?? undefined },
    resources: new Set(rows.map(({ resource }) => resource)),
  };
}

/**
 * Reads the changes after a position, oldest first.
 * @returns undefined when changes after the position are no longer stored, or when the server does not know the position
 */
export async function readChanges(
  reading: Reading,
  baseUrl: string,
  request: ChangesRequest,
): Promise<ChangesPage | undefined> {
  const { position, mark, epoch, since, resources, limit, viewerId } = request;
  const window = Math.max(MIN_WINDOW, limit + 1);
  const [page] = await reading.query<PageRow>({
    text: CHANGES_STATEMENT,
    parameters: [position, window, resources, viewerId, since ?? null, limit + 1],
  });
  if (!page) throw new Error('the aggregate returned no row');
  if (!isKnown({ epoch, position, mark }, page)) return undefined;
  const read = rowReader(baseUrl);
  const lines = page.lines?.split('\n') ?? [];
  const isCut = lines.length > limit;
  const changes = (isCut ? lines.slice(0, limit) : lines).map(read);
  const last = isCut ? changes.at(-1) : (page.last ?? undefined);
  return {
    changes,
    position: last?.position ?? position,
    mark: last ? last.mark : mark,
    hasMore: isCut || page.size === window,
  };
}

interface PageRow extends Known {
  /** The changes, see `LINE`. Null when there is none. */
  readonly lines: string | null;
  /** The number of rows of the window. Null when the page is full. */
  readonly size: number | null;
  /** The last row of the window. Null when the page is full, and when the window is empty. */
  readonly last: { readonly position: number; readonly mark: string } | null;
}

/** The rows after a position that one statement reads at most. */
const WINDOW = 'SELECT * FROM changes WHERE id > $1 ORDER BY id LIMIT $2';

/**
 * SQL for a row as one line, with tabs between the values. PostgreSQL makes one text of a page several times as fast as
 * JSON or a row for each change. No value has a line break or a tab: JSON escapes them. The last value may be absent.
 */
const LINE = `concat_ws(E'\\t', id, resource, item_id, item_uuid, change, ${MS}, keys)`;

/** Reads no further than the page. The end of the window is used only when the page is not full. */
const CHANGES_STATEMENT = `
WITH page AS (
  SELECT count(*) >= $6 AS is_full, string_agg(${LINE}, E'\\n' ORDER BY id) AS lines FROM (
    SELECT id, resource, item_id, item_uuid, change, dt, keys FROM (${WINDOW}) read
    WHERE resource = ANY ($3) AND ${visibleTo('$4')}
      AND ($5::timestamptz IS NULL OR dt >= $5 OR published_dt - dt > '${LATE}')
    ORDER BY id LIMIT $6) found)
SELECT epoch, ${KNOWN}, lines,
  CASE WHEN NOT is_full THEN (SELECT count(*) FROM (${WINDOW}) read)::integer END AS size,
  CASE WHEN NOT is_full THEN (
    SELECT jsonb_build_object('position', id, 'mark', ${MARK}) FROM (${WINDOW}) read ORDER BY id DESC LIMIT 1
  ) END AS last
FROM page, change_feed`;

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

/** A change of a page. Only the last one of a page needs its place, so the place is read on demand. */
class LineChange implements FoundChange {
  constructor(
    readonly json: string,
    private readonly id: string,
    private readonly ms: string,
    private readonly uuid: string,
  ) {}

  get position(): number {
    return Number(this.id);
  }

  get mark(): string {
    return `${this.ms}-${this.uuid.slice(0, 8)}`;
  }
}

/** Returns a function that reads a line of a page. Neighbours often have the same resource and the same time. */
function rowReader(baseUrl: string): (line: string) => FoundChange {
  let known = { resource: '', head: '', url: '' };
  let time = { ms: '', dt: '' };
  return (line) => {
    const [id = '', resource = '', itemId = '', uuid = '', change, ms = '', keys] = line.split('\t');
    if (ms !== time.ms) time = { ms, dt: new Date(Number(ms)).toISOString() };
    if (resource !== known.resource)
      known = {
        resource,
        head: `{"resource":${JSON.stringify(resource)},"id":`,
        url: `","url":${JSON.stringify(urlOf(resource, { id: 0 }, baseUrl)).slice(0, -2)}`,
      };
    const url =
      keys === undefined
        ? `${known.url}${itemId}"`
        : `","url":${JSON.stringify(urlOf(resource, { ...(JSON.parse(keys) as Keys), id: Number(itemId) }, baseUrl))}`;
    const json = `${known.head}${itemId},"uuid":"${uuid}${url},"change":"${change}","dt":"${time.dt}"}`;
    return new LineChange(json, id, ms, uuid);
  };
}

type Keys = Readonly<Record<string, unknown>>;

function urlOf(name: string, keys: Keys, baseUrl: string): string {
  const { type, fixed } = getResource(name);
  return String(type.attributes['url']?.memory({ ...type.fixed, ...fixed, ...keys }, { ...NO_OTHERS, baseUrl }));
}

/** The settings that no URL depends on. */
const NO_OTHERS = { now: new Date(0), timeZone: 'UTC', language: 'en', defaultLanguage: 'en' };
