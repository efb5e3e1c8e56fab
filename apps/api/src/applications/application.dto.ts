import { applications, candidates, formValuesSchema, idSchema, optionalProperty, writeSchema } from '@ats/domain';
import { message, packed } from '@ats/message';
import { isGiven, whateverElse } from '../request/body.js';

/** The body of a new or replaced application: `user_id`, or a `candidate` that is made with it. Source: CONTRACT.md 5 and 11. */
export const applicationSchema = writeSchema(applications.type)
  .extend({
    user_id: optionalProperty(idSchema).describe('The candidate, if there is one already.'),
    candidate: optionalProperty(writeSchema(candidates.type)).describe('Else the candidate to create.'),
    form_values: optionalProperty(formValuesSchema.shape.form_values).describe(
      'Values of forms to set, as `POST …/form_values` takes them; those that are not named stay.',
    ),
  })
  .refine((body) => isGiven(body['user_id']) || isGiven(body.candidate), {
    ...whateverElse,
    path: ['user_id'],
    error: packed(message`expected user_id or candidate`),
  })
  .refine((body) => !isGiven(body['user_id']) || !isGiven(body.candidate), {
    ...whateverElse,
    path: ['candidate'],
    error: packed(message`expected either user_id or candidate, not both`),
  });
