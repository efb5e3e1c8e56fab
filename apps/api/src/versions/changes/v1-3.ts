import { type ApiVersionDeclaration } from '../api-version.js';
import { readFormData } from '../form-data.js';

export const version: ApiVersionDeclaration = {
  version: '1.3',
  date: '2021-09-16',
  status: 'stable',
  changelog:
    'Bulk form values endpoints take a JSON body. ' +
    'Before, the body was `multipart/form-data` with one part, `items`, that contains JSON.',
  upgrade: 'Send `Content-Type: application/json` with the object `{ "items": [...] }` as the body.',
  changes: [
    {
      endpoints: ['POST */bulk_form_values'],
      request: { media: { type: 'multipart/form-data', read: readFormData } },
      operation: (operation) => ({
        ...operation,
        ...(operation.body && { body: { ...operation.body, mediaType: 'multipart/form-data' } }),
      }),
    },
  ],
};
