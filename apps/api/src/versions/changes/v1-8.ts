import { type ApiVersionDeclaration } from '../api-version.js';

export const version: ApiVersionDeclaration = {
  version: '1.8',
  date: '2025-04-01',
  status: 'preview',
  changelog:
    '`POST /candidates` no longer sends an e-mail with an activation link: candidates are `active` at once. ' +
    '`POST /candidates/activate` and `POST /candidates/<id>/resend_activation` are removed.',
  upgrade:
    'Expect `active` in place of `pending_activation`, and do not send activation tokens any more. ' +
    'If candidates must confirm their e-mail address, send them an e-mail yourself.',
  changes: [
    {
      endpoints: [
        'POST /api/v1/candidates',
        'PUT /api/v1/candidates/:id',
        'PATCH /api/v1/candidates/:id',
        'POST /api/v1/candidates/activate',
        'POST /api/v1/candidates/:id/resend_activation',
      ],
      compatibilityFlag: 'account_activation',
    },
    {
      endpoints: ['POST /api/v1/candidates'],
      operation: (operation) => ({
        ...operation,
        description:
          'The candidate is `pending_activation` and gets an e-mail with an activation link. ' +
          'The link makes the candidate `active`. ' +
          'See [POST /candidates/activate](#operation/candidates.activate).',
      }),
    },
    {
      endpoints: ['PUT /api/v1/candidates/:id', 'PATCH /api/v1/candidates/:id'],
      operation: (operation) => ({
        ...operation,
        description: `${operation.description ?? ''} A \`pending_activation\` candidate gets a new activation link when \`email\` changes.`,
      }),
    },
  ],
};
