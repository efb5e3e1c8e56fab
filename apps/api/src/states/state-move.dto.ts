import { type StateMove } from '@ats/domain';
import { z } from 'zod';

const stateKey = z.string({ error: 'expected the key of a state' }).regex(/^[a-z_]{1,64}$/, { error: 'expected the key of a state' });

/** The body of `PUT …/process_state` and `PUT …/state`: the target by key or by id. Source: CONTRACT.md 7. */
export const stateMoveSchema = z
  .strictObject({
    state: stateKey.optional(),
    state_id: z.int({ error: 'expected the id of a state' }).positive({ error: 'expected the id of a state' }).optional(),
    from_state: stateKey.nullish(),
    comment: z
      .string({ error: 'expected a text' })
      .max(10_000, { error: 'expected at most 10000 characters' })
      .refine((text) => !text.includes('\u0000'), { error: 'a text cannot contain the null character' })
      .nullable()
      .optional(),
  })
  .superRefine(({ state, state_id }, context) => {
    if (state === undefined && state_id === undefined) {
      context.addIssue({ code: 'custom', path: ['state'], message: 'expected state or state_id' });
    }
    if (state !== undefined && state_id !== undefined) {
      context.addIssue({ code: 'custom', path: ['state_id'], message: 'expected either state or state_id, not both' });
    }
  });

export const targetOf = ({ state, state_id }: z.output<typeof stateMoveSchema>): StateMove['target'] =>
  state === undefined ? { stateId: state_id ?? 0 } : { state };
