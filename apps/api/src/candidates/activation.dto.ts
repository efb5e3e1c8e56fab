import { isActivationToken } from '@ats/domain';
import { message, packed } from '@ats/message';
import { z } from 'zod';

/** The body of `POST /candidates/activate`. Source: docs/reference/communications.md, "Account activation". */
export const activationSchema = z.strictObject({
  token: z
    .string()
    .refine(isActivationToken, { error: packed(message`expected a token of 43 letters, digits, - and _`) })
    .describe('The token from the link in the e-mail, the value of `token=`.'),
});

/** An example for the OpenAPI document. */
export const EXAMPLE = { token: 'pX0vSy3Y8eUuQ0nV4mJ2bLr6cTz1wKd9HfGaE7iOqNs' };
