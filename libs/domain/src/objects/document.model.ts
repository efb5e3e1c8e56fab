import { message } from '@ats/message';
import { integer, text } from '../vocabulary/attribute.js';
import { eventsOf } from '../vocabulary/event-declaration.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';
import { documentNameSchema } from './document-name.js';

export const DOCUMENT_KINDS = ['cv', 'cover_letter', 'portfolio', 'other'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** The results of the virus scan. A document that is `pending` or `infected` cannot be downloaded. */
export const SCAN_RESULTS = ['pending', 'clean', 'infected', 'skipped'] as const;
export type ScanResult = (typeof SCAN_RESULTS)[number];

const OWNERS = ['application', 'candidate'] as const;

/**
 * A file of an application or a candidate. The bytes are in the document store. Source: docs/reference/documents.md.
 */
export const document = objectType({
  name: 'document',
  table: 'documents',
  searchText: 'search_text',
  scopes: ['documents'],
  properties: {
    ...identity(urlIn('documents')),
    name: text({
      shown: true,
      personal: true,
      write: 'required',
      schema: documentNameSchema,
      // Events do not have the file name: it often names a person, and events outlive their subjects.
      inFacts: false,
      description: 'The file name, without a path.',
    }),
    kind: text({ shown: true, write: 'required', values: DOCUMENT_KINDS }),
    media_type: text({
      shown: true,
      content: 'code',
      description: 'The media type of the content. The service detects it; the name and the sent type do not count.',
    }),
    size: integer({ shown: true, description: 'The number of bytes.' }),
    sha256: text({ shown: true, content: 'code', isPlain: true, description: 'SHA-256 of the bytes, in hexadecimal.' }),
    scan: text({
      shown: true,
      values: SCAN_RESULTS,
      description: 'The result of the virus scan. `skipped`: the service had no scanner when the file arrived.',
    }),
    owner: text({
      shown: true,
      nullable: true,
      values: OWNERS,
      description:
        'The kind of object that has the document. Null until the document gets one, which never changes. ' +
        'Documents without an owner are deleted after 24 hours.',
      computed: {
        sql: (alias) =>
          `CASE WHEN ${alias}.application_id IS NOT NULL THEN 'application'
            WHEN ${alias}.candidate_id IS NOT NULL THEN 'candidate' END`,
        memory: ({ application_id, candidate_id }) =>
          (application_id ?? null) !== null ? 'application' : (candidate_id ?? null) !== null ? 'candidate' : null,
      },
    }),
    application: toOne('application', { shows: ['id', 'url'], nullable: true, write: 'optional' }),
    candidate: toOne('candidate', { shows: ['id', 'url'], nullable: true, write: 'optional' }),
  },
  privateColumns: { storage_key: { type: 'uuid' }, credential_id: { type: 'bigint' } },
});

export const documents = resource({
  name: 'documents',
  type: document,
  describe: {
    group: 'Recruitment',
    title: 'Documents',
    text: 'Files of applications and candidates, such as CVs. Upload a file, then name its id in `document_ids`.',
    example: { name: 'cv.pdf', kind: 'cv' },
  },
});

export const documentEvents = eventsOf('document', {
  DOCUMENT_CREATE: { on: 'create', text: message`A document was uploaded.` },
  DOCUMENT_UPDATE: { on: 'update', text: message`Properties of a document changed, such as its owner.` },
  DOCUMENT_DELETE: { on: 'delete', text: message`A document was deleted.` },
});
