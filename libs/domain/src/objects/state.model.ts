import { boolean, datetime, id, localisedText, text } from '../vocabulary/attribute.js';
import { objectType } from '../vocabulary/object-type.js';
import { toOne } from '../vocabulary/relation.js';

/** One state of a process. Source: docs/reference/states.md. */
export const state = objectType({
  name: 'state',
  table: 'states',
  isSmall: true,
  properties: {
    id: id(),
    state: text({ listed: 'rows' }),
    name: localisedText(),
    phase: text({ listed: 'rows' }),
    is_terminal: boolean(),
    is_initial: boolean(),
  },
});

/** SQL condition that is true when the state in the row `alias` is a state of opportunities, not of applications. */
export const isOfOpportunities = (alias: string): string =>
  `${alias}.process_id IN (SELECT id FROM processes WHERE key = 'opportunity')`;

export const process = objectType({
  name: 'process',
  table: 'processes',
  isSmall: true,
  properties: { id: id(), key: text({ listed: 'rows' }), name: localisedText() },
});

/** The state of an application in its process, stored in the application's row. */
export const processState = objectType({
  name: 'process_state',
  label: 'state.name',
  properties: {
    entered_dt: datetime({ column: 'state_entered_dt' }),
    state: toOne('state', { among: (alias) => `NOT (${isOfOpportunities(alias)})` }),
  },
});

/**
 * Returns the parts of a state that representations show, for the `shows` of a relation.
 * @param state  datapath of the state
 * @param enteredDt  datapath of the time when the object entered the state
 */
export const shownState = (state: string, enteredDt: string): Readonly<Record<string, string>> => ({
  state: `${state}.state`,
  state_id: `${state}.id`,
  name: `${state}.name`,
  phase: `${state}.phase`,
  entered_dt: enteredDt,
  id: `${state}.id`,
  is_terminal: `${state}.is_terminal`,
});

/** The error codes of a request that moves an object to another state. Source: docs/reference/states.md. */
export const STATE_ERROR_CODES = {
  invalid_transition: 'the process does not allow this move; `info` lists the allowed moves',
  state_conflict: 'the current state is not `from_state`',
} as const;
