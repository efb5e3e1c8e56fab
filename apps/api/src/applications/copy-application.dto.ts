import { idSchema, optionalProperty } from '@ats/domain';
import { z } from 'zod';

/** The body of `POST /applications/<id>/copy`. Source: docs/reference/scoring.md, "Copies". */
export const copySchema = z.strictObject({
  opp_id: idSchema.describe(
    'Id of the opportunity of the copy. It must be open. The copy of an application to a vacancy needs a vacancy, ' +
      'and the copy of an application to an event needs an event.',
  ),
  run_config_autoscoring: (optionalProperty(z.boolean()) as z.ZodType<boolean | undefined>).describe(
    'True scores the copy by the scoring rules of its opportunity. Defaults to false.',
  ),
});
