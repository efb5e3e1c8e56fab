import { boolean, datetime, id, localisedText, text } from '../vocabulary/attribute.js';
import { objectType } from '../vocabulary/object-type.js';
import { toOne } from '../vocabulary/relation.js';

/** One state of a process. Source: CONTRACT.md 7. */
export const state = objectType({
  name: 'state',
  table: 'states',
  isSmall: true,
  properties: {
    id: id(),
    state: text(),
    name: localisedText(),
    phase: text(),
    is_terminal: boolean(),
  },
});

export const process = objectType({
  name: 'process',
  table: 'processes',
  isSmall: true,
  properties: { id: id(), name: localisedText() },
});

/** Where an application stands in its main process; lives in the application's row. */
export const processState = objectType({
  name: 'process_state',
  label: 'state.name',
  properties: {
    entered_dt: datetime({ column: 'state_entered_dt' }),
    state: toOne('state'),
  },
});

/** What a move of state can fail with. CONTRACT.md 7. */
export const STATE_ERROR_CODES = {
  invalid_transition: 'the process does not allow this move; the info lists the moves it allows',
  state_conflict: 'the present state is not from_state',
} as const;
