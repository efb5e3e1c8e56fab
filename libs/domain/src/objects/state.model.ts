import { boolean, datetime, id, localisedText, text } from '../vocabulary/attribute.js';
import { objectType } from '../vocabulary/object-type.js';
import { toOne } from '../vocabulary/relation.js';

/**
 * The states of each process that the migrations write, each with its phase. They are only the documented values: the
 * service reads processes and their states from the rows, and operators may add rows.
 * Source: docs/reference/states.md, "Own processes and states".
 */
export const KNOWN_PHASES = {
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

type KnownProcess = keyof typeof KNOWN_PHASES;
export const KNOWN_PROCESSES = Object.keys(KNOWN_PHASES) as readonly KnownProcess[];

/** Returns the keys and the phases of all known states of some processes. */
const knownOf = (...processes: readonly KnownProcess[]) => ({
  state: [...new Set(processes.flatMap((key) => Object.keys(KNOWN_PHASES[key])))],
  phase: [...new Set(processes.flatMap((key) => Object.values<string>(KNOWN_PHASES[key])))],
});

export const KNOWN_STATES = knownOf(...KNOWN_PROCESSES);

/** SQL condition that is true when the state in the row `alias` is a state of opportunities, not of applications. */
const isOfOpportunities = (alias: string): string =>
  `${alias}.process_id IN (SELECT id FROM processes WHERE key = 'opportunity')`;

/** The states that a relation from an opportunity leads to. */
export const OPPORTUNITY_STATES = { among: isOfOpportunities, known: knownOf('opportunity') };

/** The states that a relation from an application leads to, whether it is to a vacancy or to an event. */
const APPLICATION_STATES = {
  among: (alias: string) => `NOT (${isOfOpportunities(alias)})`,
  known: knownOf('main', 'event_application'),
};

/** The outcomes of applications, which follow from their states. */
export const OUTCOMES = ['pending', 'hired', 'declined', 'withdrawn', 'attended', 'no_show'] as const;

/** One state of a process. Source: docs/reference/states.md. */
export const state = objectType({
  name: 'state',
  table: 'states',
  isSmall: true,
  properties: {
    id: id(),
    state: text({ listed: 'rows', known: KNOWN_STATES.state }),
    name: localisedText(),
    phase: text({ listed: 'rows', known: KNOWN_STATES.phase }),
    is_terminal: boolean(),
    is_initial: boolean(),
  },
});

export const process = objectType({
  name: 'process',
  table: 'processes',
  isSmall: true,
  properties: { id: id(), key: text({ listed: 'rows', known: KNOWN_PROCESSES }), name: localisedText() },
});

/** The state of an application in its process, stored in the application's row. */
export const processState = objectType({
  name: 'process_state',
  label: 'state.name',
  properties: {
    entered_dt: datetime({ column: 'state_entered_dt' }),
    state: toOne('state', APPLICATION_STATES),
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
