import { cleanText, idSchema, KNOWN_STATES, openList, type StateMove } from '@ats/domain';
import { message, packed } from '@ats/message';
import { z } from 'zod';
import { isGiven, evenIfInvalid } from '../request/body.js';

const stateKey = cleanText(64).min(1).nullish();
/** Describes a key of a state. The documented keys are no closed list, see {@link openList}. */
const describedKey = (description: string) =>
  stateKey.meta({ description, minLength: 1, maxLength: 64, anyOf: [openList(KNOWN_STATES.state), { type: 'null' }] });

/**
 * The body of `PUT …/process_state` and `PUT …/state`: it names the target state by key or by id.
 * Source: docs/reference/states.md, "Moves".
 */
export const stateMoveSchema = z
  .strictObject({
    state: describedKey('Key of the target state. Required without `state_id`.'),
    state_id: idSchema.nullish().describe('Id of the target state. Required without `state`.'),
    from_state: describedKey(
      'Key of the state that you expect now. The move is refused when the item is in another state.',
    ),
    comment: cleanText(10_000).nullish().describe('A comment for the history entry of the move.'),
  })
  .refine(({ state, state_id }) => isGiven(state) || isGiven(state_id), {
    ...evenIfInvalid,
    path: ['state'],
    error: packed(message`expected state or state_id`),
  })
  .refine(({ state, state_id }) => !isGiven(state) || !isGiven(state_id), {
    ...evenIfInvalid,
    path: ['state_id'],
    error: packed(message`expected either state or state_id, not both`),
  });

/** A body that names exactly one target. Other properties are ignored. */
export const stateTargetSchema = z
  .object({ state: stateKey, state_id: idSchema.nullish() })
  .refine(({ state, state_id }) => isGiven(state) !== isGiven(state_id));

export const targetOf = ({ state, state_id }: z.output<typeof stateTargetSchema>): StateMove['target'] =>
  typeof state === 'string' ? { state } : { stateId: state_id ?? 0 };

const state = {
  state: { ...openList(KNOWN_STATES.state), description: 'The key of the state.' },
  state_id: { type: 'integer', description: 'The same as `id`.' },
  name: { type: 'string', description: 'The name in the language of the answer.' },
  phase: openList(KNOWN_STATES.phase),
  id: { type: 'integer' },
  is_terminal: { type: 'boolean', description: 'True when no state may follow.' },
} as const;

/** The answer of `GET …/state`. Source: docs/reference/states.md, "Moves". */
export const STATE_SCHEMA = {
  name: 'state',
  schema: {
    type: 'object',
    properties: {
      ...state,
      entered_dt: { type: 'string', format: 'date-time' },
      allowed: {
        type: 'array',
        items: { type: 'object', properties: state, required: Object.keys(state), additionalProperties: false },
      },
    },
    required: [...Object.keys(state), 'entered_dt', 'allowed'],
    additionalProperties: false,
  },
} as const;
