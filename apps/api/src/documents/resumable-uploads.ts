import { randomUUID } from 'node:crypto';
import { type Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import {
  addUpload,
  deleteUpload,
  type DocumentUpload,
  findUpload,
  finishUpload,
  lockUpload,
  MAX_OPEN_UPLOADS,
  type NewUploadOwner,
  unlockUpload,
} from '@ats/domain';
import { message } from '@ats/message';
import { ENVIRONMENT } from '@ats/nest-app';
import { Database } from '@ats/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { Server, type Upload } from '@tus/server';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { type Environment } from '../config/env.js';
import { created } from '../request/answer.js';
import { type RequestContext } from '../request/request-context.js';
import { Problem } from '../vocabulary/problem.js';
import { DocumentStore, StoreError } from './document-store.js';
import { DocumentUploads, noFile, type StoredUpload } from './document-uploads.js';
import { MeasuredContent, tooLarge } from './measured-content.js';
import { ArrivingBody } from './resumable-parts.js';
import { DOCUMENT_HEADER, expiredUpload, noUpload, tusProblem, usedHeaders } from './tus-protocol.js';
import { type UploadMetadata, uploadOfMetadata } from './upload-metadata.js';
import { type HeldLock, UploadRows } from './upload-rows.js';

/** The client that sends a request of the tus protocol. */
export interface UploadClient {
  readonly context: RequestContext;
  readonly owner: NewUploadOwner;
  /** URL to which `POST` adds uploads. */
  readonly url: string;
  /** Returns the text that names a finished document to the client: its id or a token. */
  readonly nameOf: (documentId: number) => string;
}

/** Thrown to roll back a second document of the same upload. */
const FINISHED = new Error('another request has already created the document of this upload');
/** Longest time in ms that a request waits for a document that another request is making. */
const FINISH_WAIT_MS = 10_000;
/** Interval in ms at which a waiting request looks for this document. */
const FINISH_POLL_MS = 500;
/** Interval in ms at which a request renews its lock while it makes a document. */
const KEEP_LOCK_MS = 3_000;

/**
 * Receives documents in several requests with the protocol tus 1.0, whose rules `@tus/server` keeps. A finished upload
 * becomes a document like an upload in one request. Source: docs/reference/documents.md, "Resumable uploads".
 */
@Injectable()
export class ResumableUploads {
  readonly #maxBytes: number;

  constructor(
    private readonly database: Database,
    private readonly store: DocumentStore,
    private readonly uploads: DocumentUploads,
    private readonly unitOfWork: UnitOfWork,
    @Inject(ENVIRONMENT) environment: Environment,
  ) {
    this.#maxBytes = environment.DOCUMENT_MAX_BYTES;
  }

  /**
   * Answers a request of the tus protocol.
   * @param uuid  the upload; absent for a `POST`
   */
  async answer(request: FastifyRequest, reply: FastifyReply, client: UploadClient, uuid?: string): Promise<void> {
    const body = new ArrivingBody(request.body as Readable | undefined);
    try {
      const answer = await this.uploads.storing(() => this.#serve(request, body, client, uuid));
      void reply.status(answer.status).headers(answer.headers).send(answer.body);
    } finally {
      void body.discard();
    }
  }

  async #serve(request: FastifyRequest, body: ArrivingBody, client: UploadClient, uuid = randomUUID() as string) {
    const { method } = request;
    const headers = usedHeaders(request);
    let kept: string | undefined;
    const rows = new UploadRows({
      database: this.database,
      store: this.store,
      owner: client.owner,
      content: body.bytes,
      hasContent: request.body !== undefined,
      add: async (upload, lock) => {
        const added = await this.#add(client, upload, lock);
        kept = added.body;
        return added.row;
      },
    });
    let failure: unknown;
    const server = new Server({
      path: '/',
      datastore: rows,
      locker: { newLock: (id) => rows.lockFor(method, id) },
      maxSize: this.#maxBytes,
      namingFunction: () => uuid,
      getFileIdFromRequest: () => uuid,
      generateUrl: () => `${client.url}/${uuid}`,
      onResponseError: (_request, error) => void (failure = error),
    });
    // Passes no body to the tus package, because `rows` reads the bytes of the request itself. Each stream between them
    // would cost as much as writing the bytes.
    const answer = await server.handleWeb(new Request(`http://localhost/${uuid}`, { method, headers }));
    if (answer.status >= 400) {
      // Deletes the upload of a failed POST, because the client does not know its URL. With an idempotency key, a
      // repeated POST gets the URL, so the upload stays.
      if (kept !== undefined && request.headers['idempotency-key'] === undefined)
        await this.database.transaction((transaction) => deleteUpload(transaction, uuid));
      throw tusProblem(answer.status, failure, rows.row?.size ?? this.#maxBytes);
    }
    const { row } = rows;
    const isReceived = row !== undefined && Number(answer.headers.get('upload-offset') ?? NaN) === row.size;
    const documentId = isReceived ? await this.#finish(client, row, rows.held) : undefined;
    return {
      status: answer.status,
      headers: {
        ...answerHeaders(answer.headers),
        ...(documentId !== undefined && { [DOCUMENT_HEADER]: client.nameOf(documentId) }),
        ...(kept !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
      },
      body: kept,
    };
  }

  /**
   * Adds the row of a new upload, and stores the answer for a repeated `Idempotency-Key`.
   * @returns the row and the body of the answer
   */
  async #add(
    { context, owner, url }: UploadClient,
    { id, size = 0, metadata = {} }: Upload,
    lock: string | null,
  ): Promise<{ readonly row: DocumentUpload; readonly body: string }> {
    uploadOfMetadata(metadata);
    if (size === 0) throw noFile();
    const location = `${url}/${id}`;
    let row: DocumentUpload | undefined;
    const { body } = await this.unitOfWork.answer(context, async ({ transaction }) => {
      const upload = { uuid: id, size, metadata: JSON.stringify(metadata), lock };
      row = (await addUpload(transaction, upload, owner)) ?? undefined;
      if (!row)
        throw new Problem(
          429,
          message`There are ${MAX_OPEN_UPLOADS} unfinished uploads already: finish or delete some of them`,
          { headers: { 'retry-after': '60' } },
        );
      return created(location, { body: JSON.stringify({ url: location }) });
    });
    if (!row) throw new Error('the unit of work ended without the row of the upload');
    return { row, body };
  }

  /**
   * Makes the document of a complete upload. When another request is making it, waits for that request.
   * @param held  the lock of this request, when it has stored the last bytes
   * @returns the id of the document; undefined when the other request takes too long
   */
  async #finish(client: UploadClient, complete: DocumentUpload, held?: HeldLock): Promise<number | undefined> {
    if (held) return this.#makeDocument(client, complete, held);
    const { uuid } = complete;
    const lock = randomUUID();
    const until = performance.now() + FINISH_WAIT_MS;
    for (;;) {
      const { document_id: id } = await this.#find(client, uuid);
      if (id !== null) return id;
      const locked = await this.#lock(client, uuid, lock);
      // Another request may have made the document before this request got the lock.
      if (locked) return locked.document_id ?? this.#makeDocument(client, locked, { key: lock, measured: undefined });
      if (performance.now() > until) return undefined;
      await setTimeout(FINISH_POLL_MS);
    }
  }

  /**
   * Makes the document of a complete upload. The bytes of an upload with one part stay where they are. Several parts are
   * copied.
   */
  async #makeDocument(client: UploadClient, row: DocumentUpload, { key: lock, measured }: HeldLock): Promise<number> {
    const { uuid, size, metadata, part_keys } = row;
    const [key = ''] = part_keys;
    const upload = uploadOfMetadata(JSON.parse(metadata ?? '{}') as UploadMetadata);
    const keeping = setInterval(() => void this.#lock(client, uuid, lock).catch(() => undefined), KEEP_LOCK_MS);
    try {
      if (size > this.#maxBytes) throw tooLarge(this.#maxBytes);
      const content = this.#contentOf(row);
      const add = (stored: StoredUpload): Promise<number> => {
        if (stored.size !== size)
          throw new StoreError(new Error('the document store has fewer bytes of the upload than it confirmed'));
        return this.unitOfWork.run(client.context, async ({ transaction }) => {
          const id = await this.uploads.insert(transaction, stored, client.owner.credentialId);
          if (!(await finishUpload(transaction, uuid, id))) throw FINISHED;
          return id;
        });
      };
      if (part_keys.length > 1) return await this.uploads.takeContent(content, upload, add);
      const properties = measured ?? (await new MeasuredContent(content, this.#maxBytes).readAll());
      return await this.uploads.takeStored({ ...upload, ...properties, key }, add);
    } catch (error) {
      await this.database.transaction((transaction) => unlockUpload(transaction, uuid, lock));
      const { document_id: id } = await this.#find(client, uuid);
      if (id !== null) return id;
      throw error;
    } finally {
      clearInterval(keeping);
    }
  }

  #lock({ owner }: UploadClient, uuid: string, lock: string): Promise<DocumentUpload | null> {
    return this.database.transaction((transaction) => lockUpload(transaction, { uuid, lock }, owner));
  }

  async #find({ owner }: UploadClient, uuid: string): Promise<DocumentUpload> {
    const row = await this.database.transaction((transaction) => findUpload(transaction, uuid, owner));
    if (!row) throw noUpload();
    if (row.metadata === null) throw expiredUpload();
    return row;
  }

  async *#contentOf({ part_keys }: DocumentUpload): AsyncIterable<Buffer> {
    for (const key of part_keys) {
      const part = await this.store.read(key);
      if (!part) throw new StoreError(new Error('the document store has lost a part of the upload'));
      try {
        yield* part as AsyncIterable<Buffer>;
      } catch (error) {
        throw new StoreError(error);
      }
    }
  }
}

const ANSWERED = ['location', 'upload-offset', 'upload-length', 'upload-metadata', 'upload-expires', 'cache-control'];

const answerHeaders = (headers: Headers): Readonly<Record<string, string>> =>
  Object.fromEntries([...headers].filter(([name]) => ANSWERED.includes(name)));
