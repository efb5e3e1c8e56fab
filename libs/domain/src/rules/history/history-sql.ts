import { applications } from '../../objects/application.model.js';
import { boundedRows } from '../../reading/json-text.js';
import { quoteLiteral } from '@ats/search-query';
import { datetime } from '../../vocabulary/attribute.js';
import { formatValue, type ReadSettings } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { stateObject } from '../../reading/state-sql.js';
import { API_PREFIX } from '../../vocabulary/resource-url.js';

/**
 * SQL that reads a page of one subject's history, newest first. The column `body` has the JSON text `{ items, has_more
 * }`. `ids` and `size` are the ids and the number of the subjects. Parameters: the maximum number of entries, the
 * subject's type, the subject's id, and an upper bound of the entry ids (exclusive).
 * Source: docs/reference/history.md, "Reading the history of an item".
 */
export const historyStatement = (resource: Resource, settings: ReadSettings): string =>
  pageOf(
    'DESC',
    entries(
      resource,
      settings,
      `SELECT * FROM history_entries WHERE subject_type = $2 AND subject_id = $3 AND id < $4
       ORDER BY id DESC LIMIT $1::integer + 1`,
    ),
  );

/**
 * SQL that reads a page of the history of all applications of a collection, oldest first, with the same columns.
 * Parameters: the maximum number of entries, the entry id after which the page begins, and the high-water mark that no
 * entry exceeds. Source: docs/reference/history.md, "Feed".
 */
export function historyFeedStatement(resource: Resource, settings: ReadSettings): string {
  // Each part is a range of the index `ix_history_entries_feed`, so a page reads no entries of another collection.
  const part = (isOfCollection: string): string =>
    `(SELECT * FROM history_entries WHERE subject_type = 'application' AND ${isOfCollection} AND id > $2 AND id <= $3
      ORDER BY collection, id LIMIT $1::integer + 1)`;
  const parts = [part(`collection = ${quoteLiteral(resource.name)}`)];
  // Only tombstones and the entries of event applications store the name of their collection.
  if (resource === applications) parts.push(part('collection IS NULL'));
  return pageOf('ASC', entries(resource, settings, parts.join(' UNION ALL ')));
}

/** SQL for the shown columns of the given rows of `history_entries`. */
function entries(resource: Resource, settings: ReadSettings, rows: string): string {
  const object = (columns: string): string => `(SELECT row_to_json(o) FROM (SELECT ${columns}) o)`;
  const reference = (id: string, path: string): string =>
    `CASE WHEN ${id} IS NOT NULL THEN
      ${object(`${id} AS id, ${quoteLiteral(`${settings.baseUrl}${API_PREFIX}/${path}/`)} || ${id} AS url`)} END`;
  const state = (alias: string): string =>
    `CASE WHEN ${alias}.id IS NOT NULL THEN
      ${stateObject(alias, settings, ['state', 'state_id', 'name', 'id', 'is_terminal'])} END`;
  return `
    SELECT h.id, h.type, ${formatValue('h.date', datetime()('date'))} AS date,
      ${reference('h.recruiter_id', 'recruiters')} AS "user",
      ${reference('h.subject_id', resource.paths[0])} AS subject,
      ${state('f')} AS "from", ${state('t')} AS "to", h.comment, h.changes
    FROM (${rows}) h
    LEFT JOIN states f ON f.id = h.from_state_id
    LEFT JOIN states t ON t.id = h.to_state_id`;
}

/** SQL for a page of entries. It reads one more row than the limit; that row shows that further entries exist. */
const pageOf = (order: 'ASC' | 'DESC', text: string): string =>
  `SELECT '{"items":[' || coalesce(string_agg(entry, ',' ORDER BY rank) FILTER (WHERE rank <= $1::integer), '')
      || '],"has_more":' || (count(*) > $1::integer)::text || '}' AS body,
      coalesce(array_agg(DISTINCT subject_id) FILTER (WHERE rank <= $1::integer), '{}')::text AS ids,
      count(DISTINCT subject_id) FILTER (WHERE rank <= $1::integer) AS size
    FROM (SELECT b.text AS entry, b.subject_id, row_number() OVER (ORDER BY b.id ${order}) AS rank
      FROM (${boundedRows(textsOf(order, text), ['id', 'subject_id'])}) b) ranked`;

const textsOf = (order: 'ASC' | 'DESC', text: string): string =>
  `SELECT row_to_json(e)::text AS text, e.id, (e.subject ->> 'id')::bigint AS subject_id
    FROM (${text} ORDER BY h.id ${order} LIMIT $1::integer + 1) e`;
