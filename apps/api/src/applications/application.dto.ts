import { applications, candidates, writeSchema } from '@ats/domain';
import { type z } from 'zod';

/** The body of a new or replaced application: `user_id`, or a `candidate` that is made with it. Source: CONTRACT.md 5 and 11. */
export const applicationSchema = writeSchema(applications.type)
  .partial({ user_id: true })
  .extend({ candidate: writeSchema(candidates.type).optional() })
  .superRefine((body, context) => {
    const user: unknown = body['user_id'];
    if (user === undefined && body.candidate === undefined) {
      context.addIssue({ code: 'custom', path: ['user_id'], message: 'expected user_id or candidate' });
    }
    if (user !== undefined && body.candidate !== undefined) {
      context.addIssue({ code: 'custom', path: ['candidate'], message: 'expected either user_id or candidate, not both' });
    }
  });

export type ApplicationBody = z.output<typeof applicationSchema>;
