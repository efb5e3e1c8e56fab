import { schemas, variable } from '@ats/configuration';

const MAX_LIMIT = 1024 * 1024 * 1024;

/** A path that is not empty. */
const path = schemas.readBy((text) => (text.trim() === '' ? null : text), 'must be the path of a folder');

/** The variables of documents. Source: docs/reference/documents.md. */
export const documentVariables = {
  DOCUMENTS_FOLDER: variable({
    schema: path,
    description:
      'The folder with the bytes of documents. All processes of the API need the same one. Keep it on a lasting volume.',
    default: '.data/documents',
  }),
  DOCUMENT_MAX_BYTES: variable({
    schema: schemas.wholeNumber({ least: 1, most: MAX_LIMIT, unit: 'bytes' }),
    description: 'The most bytes of a document.',
    default: String(25 * 1024 * 1024),
  }),
} as const;
