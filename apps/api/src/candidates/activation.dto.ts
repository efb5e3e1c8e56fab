import { isActivationToken } from '@ats/domain';
import { message, packed } from '@ats/message';
import { z } from 'zod';

/** The body of `POST /candidates/activate`. Source: CONTRACT.md 9, below 1.8. */
export const activationSchema = z.strictObject({
  token: z
    .string()
    .refine(isActivationToken, { error: packed(message`expected a token of 43 letters, digits, - and _`) })
    .describe('What the link in the e-mail has behind `token=`.'),
});

/** For the reference. */
export const EXAMPLE = { token: 'pX0vSy3Y8eUuQ0nV4mJ2bLr6cTz1wKd9HfGaE7iOqNs' };
