import { randomUUID } from 'node:crypto';
import { type Readable } from 'node:stream';
import contentDisposition from 'content-disposition';
import {
  cleanDocumentName,
  documents,
  insertObject,
  queueScan,
  readItem,
  resourceUrl,
  type StoredAnswer,
  ValidationError,
} from '@ats/domain';
import { CommitUnknownError, type Transaction } from '@ats/postgres';
import { message } from '@ats/message';
import { ENVIRONMENT } from '@ats/nest-app';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { type Environment } from '../config/env.js';
import { created } from '../request/answer.js';
import { checkBody } from '../request/body.js';
import { invalidQuery, queryOf, unknownParameters } from '../request/query.js';
import { type RequestContext } from '../request/request-context.js';
import { Problem } from '../vocabulary/problem.js';
import { DocumentScans } from './document-scans.js';
import { DocumentStore, StoreError } from './document-store.js';
import { type Measured, MeasuredContent, tooLarge } from './measured-content.js';
import { reasonOf } from './reason.js';
import { type Upload, UPLOAD_PARAMETERS, uploadSchema } from './upload.dto.js';
import { FILE_PART, readUpload } from './upload-parts.js';

const FORM_DATA = /^multipart\/form-data\b/i;

type Keep = (content: Readable) => Promise<void>;

/** An upload whose bytes are stored under `key`. */
export interface StoredUpload extends Upload, Measured {
  readonly key: string;
}

/** Stores uploaded files. Source: docs/reference/documents.md, "Uploads". */
@Injectable()
export class DocumentUploads {
  readonly #maxBytes: number;
  readonly #log = new Logger('documents');

  constructor(
    private readonly store: DocumentStore,
    private readonly scans: DocumentScans,
    private readonly unitOfWork: UnitOfWork,
    @Inject(ENVIRONMENT) environment: Environment,
  ) {
    this.#maxBytes = environment.DOCUMENT_MAX_BYTES;
  }

  /** Stores the document of a client with a credential. It throws like `take`. */
  receive(request: FastifyRequest, context: RequestContext): Promise<StoredAnswer> {
    return this.take(request, queryOf(request), (upload) =>
      this.unitOfWork.answer(context, async ({ transaction, credentialId, settings }) => {
        const id = await this.insert(transaction, upload, credentialId);
        const body = await readItem(transaction, documents, id, settings);
        return created(resourceUrl(settings.baseUrl, documents.paths[0], id), { body });
      }),
    );
  }

  /**
   * Stores the bytes of a request first and its row last, so that there is never a row without bytes. Bytes without a
   * row, which a crash can leave, are swept.
   * @param query  the parameters of the upload
   * @param add  inserts the row with `insert`
   * @throws {Problem} 413 for too many bytes, 503 when the store is full or unavailable
   * @throws {ValidationError} with all violations of the properties
   */
  async take<Result>(
    request: FastifyRequest,
    query: URLSearchParams,
    add: (upload: StoredUpload) => Promise<Result>,
  ): Promise<Result> {
    const key = randomUUID();
    let measured: Measured | undefined;
    const keep: Keep = async (content) => {
      const measuring = new MeasuredContent(content.iterator({ destroyOnReturn: false }), this.#maxBytes);
      await this.store.write(key, measuring.bytes());
      measured = await measuring.result();
    };
    try {
      const upload = await this.#read(request, query, keep);
      if (!measured || measured.size === 0) throw noFile();
      const result = await add({ ...upload, ...measured, key });
      this.scans.wake();
      return result;
    } catch (error) {
      // When the outcome of the commit is unknown, the row may exist, so its bytes are kept.
      if (!(error instanceof CommitUnknownError)) await this.store.delete(key).catch(() => undefined);
      if (!(error instanceof StoreError)) throw error;
      this.#log.error(`a document could not be stored: ${reasonOf(error.cause)}`);
      throw new Problem(503, message`The service is not available at the moment`);
    }
  }

  /** Inserts the row of an upload. @returns its id */
  async insert(
    transaction: Transaction,
    { key, kind, name, ...measured }: StoredUpload,
    credentialId: number,
  ): Promise<number> {
    const scan = this.scans.isOn ? 'pending' : 'skipped';
    const columns = { ...measured, scan, storage_key: key, credential_id: credentialId };
    const id = await insertObject(transaction, documents, { kind, name }, columns);
    if (scan === 'pending') await queueScan(transaction, id);
    return id;
  }

  async #read(request: FastifyRequest, query: URLSearchParams, keep: Keep): Promise<Upload> {
    const { headers } = request.raw;
    const type = headers['content-type'] ?? '';
    const isForm = FORM_DATA.test(type);
    const known = isForm ? [] : UPLOAD_PARAMETERS.map(({ name }) => name);
    const unknown = unknownParameters(documents.name, query, known);
    if (unknown.length > 0) throw invalidQuery(unknown);
    const body = request.body as Readable | undefined;
    if (isForm && body) {
      const { fields, fileName } = await readUpload(body, type, keep);
      const checked = checkBody(uploadSchema, { ...(fileName && { name: fileName }), ...fields });
      if (checked.violations) throw new ValidationError(documents.name, checked.violations);
      return checked.data;
    }
    const upload = uploadOf(query, headers['content-disposition']);
    if (!body) throw noFile();
    if (Number(headers['content-length']) > this.#maxBytes) throw tooLarge(this.#maxBytes);
    try {
      await keep(body);
    } catch (error) {
      // Reads the rest of the body, because the client receives the answer only after it has sent everything.
      body.resume();
      throw error;
    }
    return upload;
  }
}

const noFile = (): ValidationError =>
  new ValidationError(documents.name, [
    { path: `/${FILE_PART}`, code: 'missing', info: message`expected a file that is not empty` },
  ]);

/** Returns the properties of a raw upload. @throws {Problem} 400 that names every invalid parameter */
function uploadOf(query: URLSearchParams, disposition: string | undefined): Upload {
  const fileName = disposition === undefined ? '' : fileNameIn(disposition);
  const repeated = UPLOAD_PARAMETERS.filter(({ name }) => query.getAll(name).length > 1);
  const checked = checkBody(uploadSchema, { ...(fileName && { name: fileName }), ...Object.fromEntries(query) });
  const violations = [
    ...(checked.violations ?? []).map(({ path, code, info }) => ({
      code,
      ...(info && { info }),
      parameter: path.slice(1),
    })),
    ...repeated.map(({ name }) => ({ code: 'invalid', parameter: name, info: message`expected one value` })),
  ];
  if (!checked.violations && violations.length === 0) return checked.data;
  throw invalidQuery(violations.map((violation) => ({ ...violation, resource: documents.name, path: '' })));
}

/**
 * Returns the file name in a `Content-Disposition` header (RFC 6266). Empty without the header, and for a malformed
 * header.
 */
function fileNameIn(disposition: string): string {
  try {
    return cleanDocumentName(contentDisposition.parse(disposition).parameters['filename'] ?? '');
  } catch {
    return '';
  }
}
