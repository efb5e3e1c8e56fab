import { documentChangeViolations, documents, replaceDocument } from '@ats/domain';
import { plainWrites } from '../collections/plain-writes.js';
import { type ResourceWrites } from '../collections/resource-writes.js';

/** The write rules of documents. Uploads create them. Source: docs/reference/documents.md, "Owners". */
export const documentWrites: ResourceWrites = {
  remove: plainWrites(documents).remove,
  replace: ({ transaction, credentialId, settings }, id, body) =>
    replaceDocument(transaction, { id, body, credentialId }, settings),
  violations: async ({ transaction, credentialId }, body, id) =>
    id === undefined ? [] : documentChangeViolations(transaction, { id, body, credentialId }),
};
