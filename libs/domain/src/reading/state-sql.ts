import { quoteLiteral } from '@ats/search-query';
import { API_PREFIX } from '../vocabulary/resource-url.js';
import { type RowSource } from '../vocabulary/resource.js';
import { formatValue, sqlSettings, tableOf, type ReadSettings } from './representation-sql.js';
import { process, processState, state } from '../objects/state.model.js';

const STATE_PROPERTIES = ['state', 'state_id', 'name', 'phase', 'id', 'is_terminal'] as const;
type StateProperty = (typeof STATE_PROPERTIES)[number];

/**
 * SQL for the columns of a state object.
 * @param alias  alias of the row of `states`
 */
function stateColumns(alias: string, settings: ReadSettings, properties: readonly StateProperty[]): string {
  const read = (name: string): string => state.attributes[name]?.sql(alias, sqlSettings(settings)) ?? 'NULL';
  return properties.map((name) => `${read(name === 'state_id' ? 'id' : name)} AS ${name}`).join(', ');
}

const rowToJson = (columns: string): string => `(SELECT row_to_json(o) FROM (SELECT ${columns}) o)`;

/**
 * SQL for a state as JSON.
 * @param alias  alias of the row of `states`
 */
export const stateObject = (
  alias: string,
  settings: ReadSettings,
  properties: readonly StateProperty[] = STATE_PROPERTIES,
): string => rowToJson(stateColumns(alias, settings, properties));

/** SQL for the moves that the object `t` may make: rows `m`, each with its target state `s`. */
export const allowedMoves = ({ type }: RowSource): string =>
  `state_moves m JOIN states s ON s.id = m.to_state_id
   WHERE m.from_state_id = t.state_id
     AND (m.opportunity_kind IS NULL OR m.opportunity_kind = ${type.table === 'opportunities' ? 't.kind' : 'NULL'})`;

/**
 * Makes the statement that reads an item's state and the states that may follow, as JSON text in `body`. `$1` is the
 * item's id. Source: docs/reference/states.md, "Moves".
 */
export function stateStatement(source: RowSource, settings: ReadSettings): string {
  const { type } = source;
  const fixed = Object.entries({ ...type.fixed, ...source.fixed }).map(
    ([column, value]) => ` AND t.${column} = ${quoteLiteral(value)}`,
  );
  const enteredDt = processState.attributes['entered_dt'];
  const entered = enteredDt ? formatValue(enteredDt.sql('t', sqlSettings(settings)), enteredDt) : 'NULL';
  return `SELECT row_to_json(r)::text AS body FROM (
    SELECT ${stateColumns('c', settings, STATE_PROPERTIES)}, ${entered} AS entered_dt,
      coalesce((SELECT json_agg(${stateObject('s', settings)} ORDER BY m.position)
        FROM ${allowedMoves(source)}), '[]') AS allowed
    FROM ${tableOf(type)} t JOIN states c ON c.id = t.state_id WHERE t.id = $1${fixed.join('')}) r`;
}

/**
 * Makes the statement that reads processes with their states and moves, each as JSON text in `body`. `$1` is the id of
 * one process, or null for all processes. Source: docs/reference/states.md, "Catalogue".
 */
export function processStatement(settings: ReadSettings): string {
  const name = process.attributes['name']?.sql('p', sqlSettings(settings)) ?? 'NULL';
  const url = `${quoteLiteral(`${settings.baseUrl}${API_PREFIX}/processes/`)} || p.id`;
  const next = rowToJson('n.id, n.state AS key, n.state, m.opportunity_kind');
  const one = `${stateColumns('s', settings, ['id', 'state', 'name', 'phase', 'is_terminal'])}, s.state AS key,
    s.is_initial, s.outcome, coalesce((SELECT json_agg(${next} ORDER BY m.position)
      FROM state_moves m JOIN states n ON n.id = m.to_state_id WHERE m.from_state_id = s.id), '[]') AS next`;
  return `SELECT ${rowToJson(`p.id, ${url} AS url, p.key, ${name} AS name,
      coalesce((SELECT json_agg(${rowToJson(one)} ORDER BY s.id) FROM states s WHERE s.process_id = p.id), '[]')
        AS states`)}::text AS body
    FROM processes p WHERE $1::bigint IS NULL OR p.id = $1 ORDER BY p.id`;
}
