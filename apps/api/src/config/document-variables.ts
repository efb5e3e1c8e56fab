import { schemas, variable } from '@ats/configuration';

const MAX_LIMIT = 1024 * 1024 * 1024;

/** A path that is not empty. */
const path = schemas.readBy((text) => (text.trim() === '' ? null : text), 'must be the path of a folder');

/** The address of a `clamd`. */
const scanner = schemas.readBy((text) => {
  const { protocol, hostname, port, pathname } = new URL(text);
  const isTcp = protocol === 'tcp:' && hostname !== '' && port !== '';
  const isUnix = protocol === 'unix:' && hostname === '' && pathname.length > 1;
  return isTcp || isUnix ? text : null;
}, 'must be an address such as tcp://clamav:3310 or unix:///run/clamav/clamd.ctl');

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
  CLAMAV_URL: variable({
    schema: scanner,
    description: 'The address of a `clamd` of ClamAV, which scans new documents before anyone can download them.',
    whenAbsent: 'documents are not scanned',
    example: 'tcp://clamav:3310',
  }),
} as const;
