import { boundedRows } from '../../reading/json-text.js';
import { quoteLiteral } from '@ats/search-query';
import { datetime } from '../../vocabulary/attribute.js';
import { formatValue, tableOf, type ReadSettings } from '../../reading/representation-sql.js';
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
  pageOf('DESC', entries(resource, settings, 'WHERE h.subject_type = $2 AND h.subject_id = $3 AND h.id < $4'));

/**
 * SQL that reads a page of a collection's history, oldest first, with the same columns. Parameters: the maximum number
 * of entries, the subject's type, the entry id after which the page begins, and the high-water mark that no entry
 * exceeds. Source: docs/reference/history.md, "Feed".
 */
export function historyFeedStatement(resource: Resource, settings: ReadSettings): string {
  const fixed = Object.entries({ ...resource.type.fixed, ...resource.fixed });
  const ofCollection = fixed.map(([column, value]) => ` AND o.${column} = ${quoteLiteral(value)}`).join('');
  // A tombstone stores the name of its collection, because its subject no longer exists.
  const condition = `LEFT JOIN ${tableOf(resource.type)} o ON o.id = h.subject_id${ofCollection}
    WHERE h.subject_type = $2 AND h.id > $3 AND h.id <= $4
      AND (o.id IS NOT NULL OR h.collection = ${quoteLiteral(resource.name)})`;
  return pageOf('ASC', entries(resource, settings, condition));
}

function entries(resource: Resource, settings: ReadSettings, condition: string): string {
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
    FROM history_entries h
    LEFT JOIN states f ON f.id = h.from_state_id
    LEFT JOIN states t ON t.id = h.to_state_id
    ${condition}`;
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
