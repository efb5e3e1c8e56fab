import { type PageReads } from '@ats/postgres';
import { ChangeLines, type FeedPosition, LINE, MARK } from './change-lines.js';
import { followedResources } from './followed-resources.js';

/** The position at which a request starts, and the time before which it leaves out changes. */
export interface FeedStart extends FeedPosition {
  /** The feed leaves out changes that were made and committed before this time. */
  readonly since?: Date | undefined;
}

export interface ChangesRequest extends FeedStart {
  /** The epoch of the position, see {@link FeedState}. */
  readonly epoch: string;
  readonly resources: readonly string[];
  readonly limit: number;
  /** The recruiter who reads. Private items of this recruiter are shown. */
  readonly viewerId: number;
}

/** A page of changes, and the position at which the next page begins. */
export interface ChangesPage extends FeedPosition {
  readonly changes: ChangeLines;
  readonly hasMore: boolean;
}

/** The state of the feed. Its position is the position after the last change. */
export interface FeedState extends FeedPosition {
  /** Names a sequence of positions. Positions of another epoch are meaningless. */
  readonly epoch: string;
}

type Reading = PageReads['reading'];

/**
 * Minimum number of rows that one statement may read. A limit bounds the cost of a request for a resource that rarely
 * changes.
 */
const MIN_WINDOW = 5_000;

/**
 * A change counts as late when it was published more than this time after it was made: it may come from a long
 * transaction. A client that asked for all changes since a time between both moments has not seen the change. So the
 * filter for old changes lets late changes pass.
 */
const LATE = '1 second';

/**
 * SQL that joins the last row of the feed to `change_feed`. `LAST` has the columns with the position after this row.
 */
const LAST_ROW = `LEFT JOIN LATERAL (SELECT id, ${MARK} AS mark FROM changes ORDER BY id DESC LIMIT 1) last
  ON true`;
const LAST = 'greatest(deleted_id, last.id) AS position, last.mark';

/** SQL columns that fill {@link Known} for the position `$1`, from `change_feed`. */
const KNOWN = `deleted_id AS first, (SELECT ${MARK} FROM changes WHERE id = $1) AS here`;

/** The data with which the service decides whether it knows a position of the feed. */
interface Known {
  readonly epoch: string;
  /** The position before the oldest change that is still stored. */
  readonly first: number;
  /** The mark of the change at the requested position. Null when this change is not stored. */
  readonly here: string | null;
}

/**
 * True when the server knows a position and still stores all changes after it. It does not need the change at the
 * position itself, which may be deleted.
 */
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
  if (!row) throw new Error('the table change_feed has no row: run the migrations');
  return { ...row, mark: row.mark ?? undefined };
}

/**
 * Finds the position after which the feed has all changes that were committed at a given time or later.
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

/** The current state of the feed, and the resources that have changes after a position. */
export interface News {
  readonly state: FeedState;
  /** The names of the resources that have changes after the position. */
  readonly resources: ReadonlySet<string>;
}

/**
 * Finds out which resources have changes after a position.
 * @returns undefined when changes after the position are no longer stored, or when the server does not know the
 *   position
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
  if (!page) throw new Error('the query for a page of the changes feed returned no row');
  if (!isKnown({ epoch, position, mark }, page)) return undefined;
  const isCut = page.found > limit;
  const found = new ChangeLines(page.lines ?? '', page.found, baseUrl);
  const changes = isCut ? found.withoutLast() : found;
  const last = isCut ? changes.end : (page.last ?? undefined);
  return {
    changes,
    position: last?.position ?? position,
    mark: last ? last.mark : mark,
    hasMore: isCut || page.size === window,
  };
}

interface PageRow extends Known {
  /** The number of changes in the page, at most one more than the limit. */
  readonly found: number;
  /** The changes of the page as text, see {@link LINE}. Null when there are none. */
  readonly lines: string | null;
  /** The number of rows that were read. Null when the page is full. */
  readonly size: number | null;
  /** The last row that was read. Null when the page is full, or when there are no rows. */
  readonly last: { readonly position: number; readonly mark: string } | null;
}

/** SQL for the rows after the position `$1`, at most `$2` rows. */
const WINDOW = 'SELECT * FROM changes WHERE id > $1 ORDER BY id LIMIT $2';

/**
 * The statement that reads a page. A full page ends at its last change; any other page ends at the last row that was
 * read.
 */
const CHANGES_STATEMENT = `
WITH page AS (
  SELECT count(*)::integer AS found, string_agg(${LINE}, E'\\n' ORDER BY id) AS lines FROM (
    SELECT * FROM (${WINDOW}) read
    WHERE resource = ANY ($3) AND ${visibleTo('$4')}
      AND ($5::timestamptz IS NULL OR dt >= $5 OR published_dt - dt > '${LATE}')
    ORDER BY id LIMIT $6) found)
SELECT epoch, ${KNOWN}, found, lines,
  CASE WHEN found < $6 THEN (SELECT count(*) FROM (${WINDOW}) read)::integer END AS size,
  CASE WHEN found < $6 THEN (
    SELECT jsonb_build_object('position', id, 'mark', ${MARK}) FROM (${WINDOW}) read ORDER BY id DESC LIMIT 1
  ) END AS last
FROM page, change_feed`;

/**
 * SQL that is true when a recruiter may know of the change. The item must have been visible to the recruiter before or
 * after the change.
 */
function visibleTo(viewer: string): string {
  const rules = followedResources().flatMap(({ name, ownerColumn, sharedColumn }) => {
    if (ownerColumn === undefined || sharedColumn === undefined) return [];
    const isHidden = (keys: string): string =>
      `(${keys} ->> '${sharedColumn}' = 'false' AND (${keys} ->> '${ownerColumn}')::bigint <> ${viewer})`;
    return [`(resource <> '${name}' OR NOT (${isHidden('keys')} AND (old_keys IS NULL OR ${isHidden('old_keys')})))`];
  });
  return [...rules, 'true'].join(' AND ');
}
