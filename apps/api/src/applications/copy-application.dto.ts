import { idSchema, optionalProperty } from '@ats/domain';
import { z } from 'zod';

/** The body of `POST /applications/<id>/copy`. Source: docs/reference/scoring.md, "Copies". */
export const copySchema = z.strictObject({
  opp_id: idSchema.describe(
    'Id of the opportunity of the copy. It must be open, and a vacancy or an event like that of the original.',
  ),
  run_config_autoscoring: (optionalProperty(z.boolean()) as z.ZodType<boolean | undefined>).describe(
    'True scores the copy by the scoring rules of its opportunity. Defaults to false.',
  ),
});
