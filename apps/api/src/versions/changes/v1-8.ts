import { type ApiVersionDeclaration } from '../api-version.js';

export const version: ApiVersionDeclaration = {
  version: '1.8',
  date: '2025-04-01',
  status: 'preview',
  changelog:
    '`POST /candidates` no longer starts the activation of an account, which is an e-mail with a link: candidates are `active` at once, and `POST /candidates/activate` and `POST /candidates/<id>/resend_activation` are gone.',
  upgrade:
    'Expect `active` where `pending_activation` was, and stop sending tokens of links. Where candidates have to confirm their address, write to them yourself.',
  changes: [
    {
      endpoints: [
        'POST /api/v1/candidates',
        'PUT /api/v1/candidates/:id',
        'POST /api/v1/candidates/activate',
        'POST /api/v1/candidates/:id/resend_activation',
      ],
      behaviour: 'account_activation',
    },
    {
      endpoints: ['POST /api/v1/candidates'],
      operation: (operation) => ({
        ...operation,
        description:
          'The candidate is `pending_activation`, and is sent an e-mail with a link; who follows it is `active`. See [POST /candidates/activate](#operation/post_candidates_activate).',
      }),
    },
    {
      endpoints: ['PUT /api/v1/candidates/:id'],
      operation: (operation) => ({
        ...operation,
        description: `${operation.description ?? ''} Another is sent to the new address.`,
      }),
    },
  ],
};
