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

type Keep = (content: AsyncIterable<Buffer>) => Promise<void>;

/** Inserts the row of an upload whose bytes are stored. */
type Add<Result> = (upload: StoredUpload) => Promise<Result>;

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

  /** Stores the document of a client with a credential. It throws the same errors as `take`. */
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
   * Stores the bytes of a request first and the row last, so that no row ever lacks its bytes. The sweeper deletes the
   * bytes without a row that a crash can leave.
   * @param query  the parameters of the upload
   * @param add  stores the row of the upload with {@link insert} in its transaction; runs after the bytes are stored
   * @throws {Problem} 413 for too many bytes, 503 when the store is full or unavailable
   * @throws {ValidationError} with all violations of the properties
   */
  take<Result>(request: FastifyRequest, query: URLSearchParams, add: Add<Result>): Promise<Result> {
    return this.#keepFor(add, (keep) => this.#read(request, query, keep));
  }

  /** Stores a document, like `take`, from bytes that have arrived before. */
  takeContent<Result>(content: AsyncIterable<Buffer>, upload: Upload, add: Add<Result>): Promise<Result> {
    return this.#keepFor(add, async (keep) => {
      await keep(content);
      return upload;
    });
  }

  /** Makes a document of bytes that are stored under a key already. They stay stored when `add` fails. */
  takeStored<Result>(upload: StoredUpload, add: Add<Result>): Promise<Result> {
    return this.storing(async () => {
      const result = await add(upload);
      this.scans.wake();
      return result;
    });
  }

  /** Runs work with the store. @throws {Problem} 503 when the store is full or unavailable */
  async storing<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#log.error(`the bytes of a document could not be written to the document store: ${reasonOf(error.cause)}`);
      throw new Problem(503, message`The service is not available at the moment`);
    }
  }

  /** Passes a new key to `read`, which stores bytes under it, and then adds their row. */
  #keepFor<Result>(add: Add<Result>, read: (keep: Keep) => Promise<Upload>): Promise<Result> {
    const key = randomUUID();
    let measured: Measured | undefined;
    return this.storing(async () => {
      try {
        const upload = await read(async (content) => {
          const measuring = new MeasuredContent(content, this.#maxBytes);
          await this.store.write(key, measuring.bytes());
          measured = await measuring.result();
        });
        if (!measured || measured.size === 0) throw noFile();
        const result = await add({ ...upload, ...measured, key });
        this.scans.wake();
        return result;
      } catch (error) {
        // Keeps the bytes when the outcome of the commit is unknown, because their row may exist.
        if (!(error instanceof CommitUnknownError)) await this.store.delete(key).catch(() => undefined);
        throw error;
      }
    });
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
      const { fields, fileName } = await readUpload(body, type, (file) => keep(chunksOf(file)));
      const checked = checkBody(uploadSchema, { ...(fileName && { name: fileName }), ...fields });
      if (checked.violations) throw new ValidationError(documents.name, checked.violations);
      return checked.data;
    }
    const upload = uploadOf(query, headers['content-disposition']);
    if (!body) throw noFile();
    if (Number(headers['content-length']) > this.#maxBytes) throw tooLarge(this.#maxBytes);
    try {
      await keep(chunksOf(body));
    } catch (error) {
      // Reads and discards the rest of the body, because the client reads the answer only after it has sent everything.
      body.resume();
      throw error;
    }
    return upload;
  }
}

/**
 * Returns the chunks of a stream. The stream stays open when they are not read to the end, so that the rest can be read
 * and discarded later.
 */
const chunksOf = (body: Readable): AsyncIterable<Buffer> => body.iterator({ destroyOnReturn: false });

export const noFile = (): ValidationError =>
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
    ...repeated.map(({ name }) => ({ code: 'invalid' as const, parameter: name, info: message`expected one value` })),
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
