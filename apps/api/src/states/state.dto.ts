import { cleanText, idSchema, type StateMove } from '@ats/domain';
import { message, packed } from '@ats/message';
import { z } from 'zod';
import { isGiven, evenIfInvalid } from '../request/body.js';

const stateKey = z.string({ error: packed(message`expected the key of a state`) }).regex(/^[a-z_]{1,64}$/);

/**
 * The body of `PUT …/process_state` and `PUT …/state`: the target by key or by id.
 * Source: docs/reference/states.md, "Moves".
 */
export const stateMoveSchema = z
  .strictObject({
    state: stateKey.nullish().describe('Key of the target state. Required without `state_id`.'),
    state_id: idSchema.nullish().describe('Id of the target state. Required without `state`.'),
    from_state: stateKey
      .nullish()
      .describe('Key of the state that you expect now. The move is refused when the item is in another state.'),
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

export const targetOf = ({ state, state_id }: z.output<typeof stateMoveSchema>): StateMove['target'] =>
  typeof state === 'string' ? { state } : { stateId: state_id ?? 0 };

const state = {
  state: { type: 'string' },
  state_id: { type: 'integer' },
  name: { type: 'string' },
  phase: { type: 'string' },
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
