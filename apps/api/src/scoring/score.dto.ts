import { idSchema, integerSchema, optionalProperty } from '@ats/domain';
import { z } from 'zod';

/** The body of `POST /applications/<id>/score`, which may be left out. */
export const scoreSchema = z.strictObject({});

const MAX_SCORED = 1_000;

const after = optionalProperty(idSchema) as z.ZodType<number | undefined>;
const limit = optionalProperty(integerSchema(1, MAX_SCORED)) as z.ZodType<number | undefined>;

/** The body of `POST /vacancies/<id>/score` and `POST /events/<id>/score`, which may be left out. */
export const scorePartSchema = z.strictObject({
  after_id: after.describe(
    'Go on after this application: the `next_after_id` of the answer before. From the first one unless told.',
  ),
  limit: limit.describe(
    `How many to score at most; ${MAX_SCORED} unless told. Fewer are when they take longer than about a second.`,
  ),
});

/** @returns which applications of the opportunity are asked for */
export const scorePart = (
  given: z.output<typeof scorePartSchema>,
): { readonly afterId: number; readonly limit: number } => ({
  afterId: given.after_id ?? 0,
  limit: given.limit ?? MAX_SCORED,
});
