import { idSchema, integerSchema, optionalProperty } from '@ats/domain';
import { z } from 'zod';

/** The optional body of `POST /applications/<id>/score`. */
export const scoreSchema = z.strictObject({});

const MAX_SCORED = 1_000;

const after = optionalProperty(idSchema) as z.ZodType<number | undefined>;
const limit = optionalProperty(integerSchema(1, MAX_SCORED)) as z.ZodType<number | undefined>;

/** The optional body of `POST /vacancies/<id>/score` and `POST /events/<id>/score`. */
export const scorePartSchema = z.strictObject({
  after_id: after.describe(
    'Scores applications after this id: the `next_after_id` of the previous answer. Defaults to the first application.',
  ),
  limit: limit.describe(
    `Maximum number of applications to score. Defaults to ${MAX_SCORED}. Scoring stops earlier after about a second.`,
  ),
});

/** Adds the defaults to a valid body. */
export const scorePart = (
  given: z.output<typeof scorePartSchema>,
): { readonly afterId: number; readonly limit: number } => ({
  afterId: given.after_id ?? 0,
  limit: given.limit ?? MAX_SCORED,
});
