import { z } from 'zod';

export const GRANT_TYPE = 'client_credentials';

/** The form of a token request, for the reference. `TokenEndpoint` checks it, with the errors of RFC 6749. */
export const tokenRequestSchema = z.object({
  grant_type: z.literal(GRANT_TYPE),
  scope: z
    .string()
    .optional()
    .describe(
      'Scopes, separated by spaces. Each must be included in a scope of the credential. Defaults to all of them.',
    ),
  client_id: z
    .string()
    .optional()
    .describe('The `key_id` of the credential, unless the client uses Basic authentication.'),
  client_secret: z
    .string()
    .optional()
    .describe('The token of the credential, unless the client uses Basic authentication.'),
});
