import { quoteLiteral } from '@ats/search-query';
import { type RowSource } from '../../vocabulary/resource.js';
import { formatValue, sqlSettings, tableOf, type ReadSettings } from '../../reading/representation-sql.js';
import { processState, state } from '../../objects/state.model.js';

/** SQL of a state as JSON. @param alias of the row of `states` */
export function stateObject(alias: string, settings: ReadSettings): string {
  const read = (name: string): string => state.attributes[name]?.sql(alias, sqlSettings(settings)) ?? 'NULL';
  return `(SELECT row_to_json(o) FROM (
    SELECT ${read('state')} AS state, ${read('id')} AS state_id, ${read('name')} AS name,
      ${read('phase')} AS phase) o)`;
}

/** The moves that the object `t` may make: rows `m` with their target state `s`. */
export const allowedMoves = ({ type }: RowSource): string =>
  `state_moves m JOIN states s ON s.id = m.to_state_id
   WHERE m.from_state_id = t.state_id
     AND (m.opportunity_kind IS NULL OR m.opportunity_kind = ${type.table === 'opportunities' ? 't.kind' : 'NULL'})`;

/**
 * A statement that reads an item's state and the states that may follow, as JSON text in `body`. `$1` is the item's id.
 * Source: docs/reference/states.md, "Moves".
 */
export function stateStatement(source: RowSource, settings: ReadSettings): string {
  const { type } = source;
  const fixed = Object.entries({ ...type.fixed, ...source.fixed }).map(
    ([column, value]) => ` AND t.${column} = ${quoteLiteral(value)}`,
  );
  const enteredDt = processState.attributes['entered_dt'];
  const entered = enteredDt ? formatValue(enteredDt.sql('t', sqlSettings(settings)), enteredDt) : 'NULL';
  return `SELECT row_to_json(r)::text AS body FROM (
    SELECT c.state, c.id AS state_id, ${state.attributes['name']?.sql('c', sqlSettings(settings)) ?? 'NULL'} AS name,
      c.phase, ${entered} AS entered_dt,
      coalesce((SELECT json_agg(${stateObject('s', settings)} ORDER BY m.position)
        FROM ${allowedMoves(source)}), '[]') AS allowed
    FROM ${tableOf(type)} t JOIN states c ON c.id = t.state_id WHERE t.id = $1${fixed.join('')}) r`;
}
