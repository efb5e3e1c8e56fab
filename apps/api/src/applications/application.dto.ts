import { applications, candidates, formValuesSchema, idSchema, optionalProperty, writeSchema } from '@ats/domain';
import { message, packed } from '@ats/message';
import { isGiven, evenIfInvalid } from '../request/body.js';

/**
 * The body of a new or replaced application. It names a candidate by `user_id`, or has a new `candidate` inline.
 * Source: docs/reference/resources.md, "Candidates and users".
 */
export const applicationSchema = writeSchema(applications.type)
  .extend({
    user_id: optionalProperty(idSchema).describe('Id of an existing candidate. Required without `candidate`.'),
    candidate: optionalProperty(writeSchema(candidates.type)).describe(
      'A new candidate, created in the same transaction. Required without `user_id`.',
    ),
    form_values: optionalProperty(formValuesSchema.shape.form_values).describe(
      'Form values to set, in the format of `POST …/form_values`. Other values stay unchanged.',
    ),
  })
  .refine((body) => isGiven(body['user_id']) || isGiven(body.candidate), {
    ...evenIfInvalid,
    path: ['user_id'],
    error: packed(message`expected user_id or candidate`),
  })
  .refine((body) => !isGiven(body['user_id']) || !isGiven(body.candidate), {
    ...evenIfInvalid,
    path: ['candidate'],
    error: packed(message`expected either user_id or candidate, not both`),
  });
