import { quoteLiteral } from '@ats/search-query';
import { datetime, localisedText } from '../model/attribute.js';
import { formatValue, sqlSettings, type ReadSettings } from '../model/representation-sql.js';
import { type Resource } from '../model/resource.js';
import { API_PREFIX } from '../model/resource-url.js';

/**
 * A page of one subject's history, newest first, as JSON text `{ items, has_more }` in `body`; parameters: subject type,
 * subject id, the id that all entries come before, the greatest number of entries. Source: CONTRACT.md 5, `history`.
 */
export function historyStatement(resource: Resource, settings: ReadSettings): string {
  const object = (columns: string): string => `(SELECT row_to_json(o) FROM (SELECT ${columns}) o)`;
  const reference = (id: string, path: string): string =>
    `CASE WHEN ${id} IS NOT NULL THEN ${object(`${id} AS id, ${quoteLiteral(`${settings.baseUrl}${API_PREFIX}/${path}/`)} || ${id} AS url`)} END`;
  const stateName = localisedText()('name');
  const state = (alias: string): string =>
    `CASE WHEN ${alias}.id IS NOT NULL THEN
      ${object(`${alias}.state, ${alias}.id AS state_id, ${stateName.sql(alias, sqlSettings(settings))} AS name`)} END`;
  const entries = `
    SELECT h.id, h.type, ${formatValue('h.date', datetime()('date'))} AS date,
      ${reference('h.recruiter_id', 'recruiters')} AS "user", ${reference('h.subject_id', resource.paths[0])} AS subject,
      ${state('f')} AS "from", ${state('t')} AS "to", h.comment, h.changes
    FROM history_entries h
    LEFT JOIN states f ON f.id = h.from_state_id
    LEFT JOIN states t ON t.id = h.to_state_id
    WHERE h.subject_type = $1 AND h.subject_id = $2 AND h.id < $3
    ORDER BY h.id DESC LIMIT $4::integer + 1`;
  // One more than asked for tells whether there are more.
  return `SELECT json_build_object(
      'items', coalesce(json_agg(entry ORDER BY id DESC) FILTER (WHERE rank <= $4::integer), '[]'),
      'has_more', count(*) > $4::integer)::text AS body
    FROM (SELECT e.id, to_json(e) AS entry, row_number() OVER (ORDER BY e.id DESC) AS rank FROM (${entries}) e) ranked`;
}
