import { boolean, datetime, id, localisedText, text } from '../vocabulary/attribute.js';
import { objectType } from '../vocabulary/object-type.js';
import { toOne } from '../vocabulary/relation.js';

/** The states of each process by their keys, each with its phase: the rows that the migrations write. */
export const PHASES = {
  main: {
    submitted: 'new',
    in_review: 'screening',
    assessment: 'assessment',
    interview: 'interview',
    offer_made: 'offer',
    offer_accepted: 'offer',
    on_hold: 'on_hold',
    hired: 'hired',
    rejected: 'closed',
    withdrawn: 'closed',
  },
  event_application: {
    registered: 'new',
    waitlisted: 'on_hold',
    confirmed: 'confirmed',
    attended: 'closed',
    no_show: 'closed',
    declined: 'closed',
    cancelled: 'closed',
  },
  opportunity: {
    draft: 'draft',
    open: 'open',
    on_hold: 'on_hold',
    closed: 'closed',
    filled: 'closed',
    completed: 'closed',
    cancelled: 'closed',
    archived: 'archived',
  },
} as const;

export type ProcessKey = keyof typeof PHASES;
type Keys = [string, ...string[]];
export const PROCESS_KEYS = Object.keys(PHASES) as [ProcessKey, ...ProcessKey[]];

/** Returns the keys and the phases of all states of some processes. */
const listsOf = (...processes: readonly ProcessKey[]) => ({
  state: [...new Set(processes.flatMap((key) => Object.keys(PHASES[key])))] as Keys,
  phase: [...new Set(processes.flatMap((key) => Object.values<string>(PHASES[key])))] as Keys,
});

/** The closed lists of states: of all processes, of both kinds of applications, and of opportunities. */
export const STATES = listsOf(...PROCESS_KEYS);
export const APPLICATION_STATES = listsOf('main', 'event_application');
export const OPPORTUNITY_STATES = listsOf('opportunity');

/** The outcomes of applications, which follow from their states. */
export const OUTCOMES = ['pending', 'hired', 'declined', 'withdrawn', 'attended', 'no_show'] as const;

/** One state of a process. Source: docs/reference/states.md. */
export const state = objectType({
  name: 'state',
  table: 'states',
  isSmall: true,
  properties: {
    id: id(),
    state: text({ values: STATES.state }),
    name: localisedText(),
    phase: text({ values: STATES.phase }),
    is_terminal: boolean(),
    is_initial: boolean(),
  },
});

export const process = objectType({
  name: 'process',
  table: 'processes',
  isSmall: true,
  properties: { id: id(), key: text({ values: PROCESS_KEYS }), name: localisedText() },
});

/** The state of an application in its process, stored in the application's row. */
export const processState = objectType({
  name: 'process_state',
  label: 'state.name',
  properties: {
    entered_dt: datetime({ column: 'state_entered_dt' }),
    state: toOne('state', { values: APPLICATION_STATES }),
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
