import { idSchema, optionalProperty } from '@ats/domain';
import { z } from 'zod';

/** The body of `POST /applications/<id>/copy`. Source: CONTRACT.md 5, `copy`. */
export const copySchema = z.strictObject({
  opp_id: idSchema.describe(
    'The vacancy or event that the copy is for: one of the kind that the application is for, and open.',
  ),
  run_config_autoscoring: (optionalProperty(z.boolean()) as z.ZodType<boolean | undefined>).describe(
    'Whether to score the copy by the rules of that vacancy or event; false unless told.',
  ),
});
