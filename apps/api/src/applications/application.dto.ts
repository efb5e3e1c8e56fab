import {
  applications,
  candidates,
  documentIdsSchema,
  formValuesSchema,
  idSchema,
  ON_EXISTING_CANDIDATE,
  optionalProperty,
  writeSchema,
} from '@ats/domain';
import { message, packed } from '@ats/message';
import { z } from 'zod';
import { isGiven, evenIfInvalid } from '../request/body.js';
import { type ValueScopes } from '../vocabulary/operation.js';

/**
 * The body of a replaced application. It names a candidate by `user_id`, or has a new `candidate` inline.
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

/**
 * The body of a new application. Source: docs/reference/resources.md, "Applying for a known person".
 */
export const newApplicationSchema = applicationSchema
  .safeExtend({
    on_existing_candidate: optionalProperty(z.enum(ON_EXISTING_CANDIDATE)).describe(
      'What happens when a candidate with the e-mail address of `candidate` exists. `refuse` (the default): 422 ' +
        '`already_exists` at `/candidate/email`. `use`: the stored person applies, and the given values are ignored. ' +
        '`update`: the given properties replace those of the stored person, who applies; this needs the scope ' +
        '`candidates:write`. With `use` and `update`, the whole answer needs the scope `candidates:read`, too.',
    ),
    document_ids: optionalProperty(documentIdsSchema).describe(
      'Ids of documents that the same credential uploaded before, and that have no owner yet. They belong to the new ' +
        'application.',
    ),
  })
  .refine((body) => !isGiven(body.on_existing_candidate) || isGiven(body.candidate), {
    ...evenIfInvalid,
    path: ['on_existing_candidate'],
    error: packed(message`this property is allowed only together with candidate`),
  });

/**
 * The scopes that some values of `on_existing_candidate` need, because their answers show values of a stored person.
 */
export const MODE_SCOPES: readonly ValueScopes[] = [
  { property: 'on_existing_candidate', values: ['update'], needs: 'candidates:write', shows: 'candidates:read' },
  { property: 'on_existing_candidate', values: ['use'], shows: 'candidates:read' },
];
