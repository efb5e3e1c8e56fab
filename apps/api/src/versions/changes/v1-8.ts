import { type ApiVersionDeclaration } from '../api-version.js';

export const version: ApiVersionDeclaration = {
  version: '1.8',
  date: '2025-04-01',
  status: 'preview',
  changelog: '`POST /candidates` no longer starts the activation of an account (an e-mail that asks for a password).',
  upgrade: 'Ask candidates for a password yourself, where they need one.',
  changes: [{ endpoints: ['POST /api/v1/candidates'], behaviour: 'account_activation' }],
};
