import { describe, expect, test } from '@jest/globals';
import { message, packed } from '@ats/message';
import { z } from 'zod';
import { dateSchema, integerSchema, momentSchema } from '../vocabulary/value-schema.js';
import { emailAddress } from '../objects/email-address.js';
import { ISSUE_MESSAGES, issueMessage, unknownPropertyMessage } from './issue-message.js';

const said = (schema: z.ZodType, value: unknown) =>
  (schema.safeParse(value, ISSUE_MESSAGES).error?.issues ?? []).map((issue) => String(issueMessage(issue)));

describe('issueMessage', () => {
  test.each<[z.ZodType, unknown, string]>([
    [z.string(), 1, 'expected a text'],
    [z.number(), '1', 'expected a number'],
    [z.int(), 1.5, 'expected a whole number'],
    [z.boolean(), 'yes', 'expected true or false'],
    [z.array(z.string()), {}, 'expected a list'],
    [z.strictObject({}), [], 'expected a JSON object'],
    [z.date(), 'x', 'expected another value'],
    [z.string().max(3), 'four', 'expected at most 3 characters'],
    [z.string().min(1), '', 'expected a text that is not empty'],
    [z.string().min(2), 'a', 'expected at least 2 characters'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'expected at most 2 elements'],
    [z.array(z.string()).min(2), [], 'expected at least 2 elements'],
    [z.number().min(5), 4, 'expected at least 5'],
    [z.number().max(5), 6, 'expected at most 5'],
    [z.enum(['a', 'b']), 'c', 'expected one of a, b'],
    [z.strictObject({}), { a: 1 }, 'unknown property'],
    [z.string().regex(/^a$/), 'b', 'expected a text in another format'],
    [z.union([z.string(), z.number()]), true, 'expected another value'],
    [z.string().refine(() => false), 'a', 'expected another value'],
    [emailAddress, 'a', 'expected an e-mail address'],
    [dateSchema, '2026-02-30', 'expected a date as YYYY-MM-DD'],
    [dateSchema, '0000-01-01', 'expected a date as YYYY-MM-DD'],
    [momentSchema, '2026-02-30', 'expected a timestamp as YYYY-MM-DDThh:mm:ss.sssZ'],
    [momentSchema, '0000-01-01T00:00:00Z', 'expected a timestamp as YYYY-MM-DDThh:mm:ss.sssZ'],
    [integerSchema(1, 5), 1.5, 'expected a whole number'],
    [integerSchema(1, 5), '1', 'expected a whole number'],
    [integerSchema(1, 5), 6, 'expected a whole number from 1 to 5'],
    [integerSchema(1, 5), 1e300, 'expected a whole number from 1 to 5'],
    [z.string().refine(() => false, { error: packed(message`expected ${'more'}`) }), 'a', 'expected more'],
    [z.array(z.string().max(1)), ['a', 'bb'], 'expected at most 1 characters'],
    [z.string({ error: 'a text without a translation' }), 1, 'expected another value'],
  ])('describes issue %# in a translatable text', (schema, value, expected) => {
    expect(said(schema, value)).toEqual([expected]);
  });

  test.each([
    ['opportunityid', 'unknown property; did you mean "opportunity_id"?'],
    ['Tags', 'unknown property; did you mean "tags"?'],
    ['nonsense', 'unknown property'],
  ])('suggests a similar allowed name for the unknown property %s', (name, expected) => {
    const schema = z.object({
      part: z.strictObject({ opportunity_id: z.int().optional(), tags: z.string().nullish() }),
    });
    const [issue] = schema.safeParse({ part: { [name]: 1 } }, ISSUE_MESSAGES).error?.issues ?? [];
    expect(issue && String(unknownPropertyMessage(issue, name))).toBe(expected);
  });

  test('describes the issue of each alternative of a union', () => {
    const [issue] =
      z.union([z.string().max(1), z.strictObject({ a: z.string() })]).safeParse({ a: 1 }, ISSUE_MESSAGES).error
        ?.issues ?? [];
    expect(issue?.code === 'invalid_union' ? issue.errors.map(([inner]) => String(issueMessage(inner))) : []).toEqual([
      'expected a text',
      'expected a text',
    ]);
  });
});
