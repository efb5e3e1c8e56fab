import { quoteLiteral } from '@ats/search-query';
import { datetime, localisedText } from '../../vocabulary/attribute.js';
import { formatValue, sqlSettings, tableOf, type ReadSettings } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { API_PREFIX } from '../../vocabulary/resource-url.js';

/**
 * A page of one subject's history, newest first, as JSON text `{ items, has_more }` in `body`; parameters: the greatest
 * number of entries, subject type, subject id, the id that all entries come before. Source: CONTRACT.md 5, `history`.
 */
export const historyStatement = (resource: Resource, settings: ReadSettings): string =>
  pageOf('DESC', entries(resource, settings, 'WHERE h.subject_type = $2 AND h.subject_id = $3 AND h.id < $4'));

/**
 * A page of the history of a whole collection, oldest first; parameters: the greatest number of entries, subject type, the
 * id that all entries come after, the id that none is beyond.
 */
export function historyFeedStatement(resource: Resource, settings: ReadSettings): string {
  const fixed = Object.entries({ ...resource.type.fixed, ...resource.fixed });
  const ofCollection = fixed.map(([column, value]) => ` AND o.${column} = ${quoteLiteral(value)}`).join('');
  const condition = `JOIN ${tableOf(resource.type)} o ON o.id = h.subject_id${ofCollection}
    WHERE h.subject_type = $2 AND h.id > $3 AND h.id <= $4`;
  return pageOf('ASC', entries(resource, settings, condition));
}

function entries(resource: Resource, settings: ReadSettings, condition: string): string {
  const object = (columns: string): string => `(SELECT row_to_json(o) FROM (SELECT ${columns}) o)`;
  const reference = (id: string, path: string): string =>
    `CASE WHEN ${id} IS NOT NULL THEN ${object(`${id} AS id, ${quoteLiteral(`${settings.baseUrl}${API_PREFIX}/${path}/`)} || ${id} AS url`)} END`;
  const stateName = localisedText()('name');
  const state = (alias: string): string =>
    `CASE WHEN ${alias}.id IS NOT NULL THEN
      ${object(`${alias}.state, ${alias}.id AS state_id, ${stateName.sql(alias, sqlSettings(settings))} AS name`)} END`;
  return `
    SELECT h.id, h.type, ${formatValue('h.date', datetime()('date'))} AS date,
      ${reference('h.recruiter_id', 'recruiters')} AS "user", ${reference('h.subject_id', resource.paths[0])} AS subject,
      ${state('f')} AS "from", ${state('t')} AS "to", h.comment, h.changes
    FROM history_entries h
    LEFT JOIN states f ON f.id = h.from_state_id
    LEFT JOIN states t ON t.id = h.to_state_id
    ${condition}`;
}

/** One more than asked for tells whether there are more. */
const pageOf = (order: 'ASC' | 'DESC', text: string): string =>
  `SELECT '{"items":[' || coalesce(string_agg(entry, ',' ORDER BY rank) FILTER (WHERE rank <= $1::integer), '')
      || '],"has_more":' || (count(*) > $1::integer)::text || '}' AS body
    FROM (SELECT row_to_json(e)::text AS entry, row_number() OVER (ORDER BY e.id ${order}) AS rank
      FROM (${text} ORDER BY h.id ${order} LIMIT $1::integer + 1) e) ranked`;
