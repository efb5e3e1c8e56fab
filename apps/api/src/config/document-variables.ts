import { type Requirement, schemas, variable } from '@ats/configuration';

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

/** A text that is not empty. */
export const word = schemas.readBy((text) => (text.trim() === '' ? null : text.trim()), 'must not be empty');

/** The variables of documents. Source: docs/reference/documents.md. */
export const documentVariables = {
  DOCUMENTS_STORE: variable({
    schema: schemas.oneOf(['folder', 's3']),
    description:
      'The place of the bytes of documents: `folder`, or `s3` for a bucket of a service with the protocol S3.',
    default: 'folder',
  }),
  DOCUMENTS_FOLDER: variable({
    schema: path,
    description:
      'The folder with the bytes of documents, with the store `folder`. All processes of the API need the same one. ' +
      'Keep it on a lasting volume.',
    default: '.data/documents',
  }),
  DOCUMENTS_S3_BUCKET: variable({
    schema: word,
    description: 'The bucket with the bytes of documents, with the store `s3`. Nothing else should be in it.',
    whenAbsent: 'the store must be `folder`',
    example: 'ats-documents',
  }),
  DOCUMENTS_S3_ENDPOINT: variable({
    schema: schemas.serverUrl(['http:', 'https:']),
    description: 'The address of the S3 service.',
    whenAbsent: 'the service of Amazon in the region',
    example: 'https://s3.example.com',
  }),
  DOCUMENTS_S3_REGION: variable({
    schema: word,
    description: 'The region of the bucket. Some services accept any region.',
    default: 'us-east-1',
  }),
  DOCUMENTS_S3_KEY_ID: variable({
    schema: word,
    description: 'The id of the access key for the bucket.',
    whenAbsent:
      'the AWS client looks for credentials: variables of AWS, or the role of the machine or of its service account',
    example: 'AKIAIOSFODNN7EXAMPLE',
  }),
  DOCUMENTS_S3_SECRET: variable({
    schema: word,
    description: 'The secret of the access key in `DOCUMENTS_S3_KEY_ID`.',
    whenAbsent: 'see `DOCUMENTS_S3_KEY_ID`',
    isSecret: true,
  }),
  DOCUMENTS_S3_PATH_STYLE: variable({
    schema: schemas.flag,
    description:
      'True when the bucket is in the path of the address, and not in the host name. MinIO and Garage need it.',
    default: 'false',
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

/** Requires a bucket for the store `s3`. Requires the id and the secret of an access key together. */
export const documentRequirements: readonly Requirement<
  Pick<
    typeof documentVariables,
    'DOCUMENTS_STORE' | 'DOCUMENTS_S3_BUCKET' | 'DOCUMENTS_S3_KEY_ID' | 'DOCUMENTS_S3_SECRET'
  >
>[] = [
  {
    variable: 'DOCUMENTS_S3_BUCKET',
    with: ['DOCUMENTS_STORE'],
    violation: ({ DOCUMENTS_STORE, DOCUMENTS_S3_BUCKET }) =>
      DOCUMENTS_STORE === 's3' && DOCUMENTS_S3_BUCKET === undefined
        ? 'must be set, because DOCUMENTS_STORE is s3'
        : null,
  },
  {
    variable: 'DOCUMENTS_S3_KEY_ID',
    with: ['DOCUMENTS_S3_SECRET'],
    violation: ({ DOCUMENTS_S3_KEY_ID, DOCUMENTS_S3_SECRET }) =>
      DOCUMENTS_S3_SECRET !== undefined && DOCUMENTS_S3_KEY_ID === undefined
        ? 'must be set, because DOCUMENTS_S3_SECRET is set'
        : null,
  },
  {
    variable: 'DOCUMENTS_S3_SECRET',
    with: ['DOCUMENTS_S3_KEY_ID'],
    violation: ({ DOCUMENTS_S3_KEY_ID, DOCUMENTS_S3_SECRET }) =>
      DOCUMENTS_S3_KEY_ID !== undefined && DOCUMENTS_S3_SECRET === undefined
        ? 'must be set, because DOCUMENTS_S3_KEY_ID is set'
        : null,
  },
];
