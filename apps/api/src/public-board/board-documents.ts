import { createHmac } from 'node:crypto';
import { deleteFreeDocuments, KeyRing, type Violation } from '@ats/domain';
import { message } from '@ats/message';
import { ENVIRONMENT } from '@ats/nest-app';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { type Environment } from '../config/env.js';
import { DocumentUploads } from '../documents/document-uploads.js';
import { type UploadClient } from '../documents/resumable-uploads.js';
import { networkOf } from '../limits/address.js';
import { invalidQuery, queryOf, unknownParameters } from '../request/query.js';
import { type RequestContext } from '../request/request-context.js';
import { boardUrl } from './board-answers.js';
import { boardContext, type BoardRequest, NO_CREDENTIAL } from './board-request.js';
import { BoardReader } from './board-reader.js';
import { BoardTokens } from './board-tokens.js';

/** The parameter with the token of the form, and the property of an application with the tokens of its documents. */
export const FORM_TOKEN = 'token';
export const DOCUMENTS = 'documents';

/** The answer to an upload. */
export interface BoardDocument {
  readonly document: string;
  readonly name: string;
  readonly kind: string;
  readonly media_type: string;
  readonly size: number;
}

/** The documents that an application names by the tokens of their uploads. */
export interface NamedTokens {
  readonly ids: readonly number[];
  /** Maps the id of each document to its index in the list of tokens. */
  readonly places: readonly number[];
  readonly violations: readonly Violation[];
}

const unusable = (place: number): Violation => ({
  path: `/${DOCUMENTS}/${place}`,
  code: 'invalid',
  info: message`expected the token of a document that was uploaded for this posting and that no application has`,
});

/** Takes documents of people who apply through public boards. Source: docs/reference/public-board.md, "Documents". */
@Injectable()
export class BoardDocuments {
  readonly #networkKey: Buffer;

  constructor(
    private readonly reader: BoardReader,
    private readonly tokens: BoardTokens,
    private readonly uploads: DocumentUploads,
    private readonly unitOfWork: UnitOfWork,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {
    this.#networkKey = new KeyRing(environment).derive('upload-networks').current.key;
  }

  /**
   * Stores a document that does not belong to an application yet.
   * @throws {Problem} 400 without the token of a form, 404 when the board has no such open posting
   */
  async receive({ code, id, request, language }: BoardRequest): Promise<BoardDocument> {
    const { posting } = await this.reader.posting(code, id);
    const query = this.#queryWithToken(request, id);
    const context = boardContext({ request, language }, posting, this.environment.PUBLIC_BASE_URL);
    return this.uploads.take(request, query, async (upload) => {
      const documentId = await this.unitOfWork.run(context, ({ transaction }) =>
        this.uploads.insert(transaction, upload, NO_CREDENTIAL),
      );
      const { name, kind, media_type, size } = upload;
      return { document: this.tokens.ofDocument(documentId, id), name, kind, media_type, size };
    });
  }

  /**
   * Returns the client of a resumable upload. Later requests have no token: whoever knows the URL of the upload is its
   * client.
   * @throws {Problem} 400 for the first request without the token of a form, 404 when the board has no such open
   *   posting
   */
  async uploadClient({ code, id, request, language }: BoardRequest): Promise<UploadClient> {
    const { posting } = await this.reader.posting(code, id);
    const query = request.method === 'POST' ? this.#queryWithToken(request, id) : queryOf(request);
    const unknown = unknownParameters(DOCUMENTS, query, request.method === 'POST' ? [FORM_TOKEN] : []);
    if (unknown.length > 0) throw invalidQuery(unknown);
    return {
      context: boardContext({ request, language }, posting, this.environment.PUBLIC_BASE_URL),
      owner: { credentialId: NO_CREDENTIAL, postingId: id, networkDigest: this.#digestOf(request) },
      url: `${boardUrl(this.environment, code)}/postings/${id}/documents/uploads`,
      nameOf: (documentId) => this.tokens.ofDocument(documentId, id),
    };
  }

  /** The network of the client is stored as a keyed digest, because an address is personal data. */
  #digestOf(request: FastifyRequest): Buffer {
    return createHmac('sha256', this.#networkKey).update(networkOf(request)).digest();
  }

  /** Checks the token of the form, and returns the other parameters. @throws {Problem} 400 */
  #queryWithToken(request: FastifyRequest, id: number): URLSearchParams {
    const query = queryOf(request);
    const [token = '', ...others] = query.getAll(FORM_TOKEN);
    query.delete(FORM_TOKEN);
    const info = others.length > 0 ? message`expected one value` : this.tokens.formFault(token, id);
    if (info) throw invalidQuery([{ resource: DOCUMENTS, path: '', parameter: FORM_TOKEN, code: 'invalid', info }]);
    return query;
  }

  /** Reads the tokens of the documents that an application names. */
  read(tokens: unknown, postingId: number): NamedTokens {
    const given: readonly unknown[] = Array.isArray(tokens) ? tokens : [];
    const opened = given.map((token, place) => ({
      place,
      id: typeof token === 'string' ? this.tokens.documentId(token, postingId) : undefined,
    }));
    const known = opened.flatMap(({ id, place }) => (id === undefined ? [] : [{ id, place }]));
    return {
      ids: known.map(({ id }) => id),
      places: known.map(({ place }) => place),
      // Reports only the texts that are not valid tokens. The schema reports the elements that are not texts.
      violations: opened
        .filter(({ id, place }) => id === undefined && typeof given[place] === 'string')
        .map(({ place }) => unusable(place)),
    };
  }

  /**
   * Deletes the documents of an application that was dropped. Another application could otherwise name them, and its
   * answer would reveal whether the first one was dropped.
   */
  async drop({ ids }: NamedTokens, context: RequestContext): Promise<void> {
    if (ids.length === 0) return;
    await this.unitOfWork.run(context, ({ transaction }) => deleteFreeDocuments(transaction, ids, NO_CREDENTIAL));
  }
}

/** Changes a violation of `document_ids` so that it points at the token of the document in the body. */
export function atToken(violation: Violation, { places }: NamedTokens): Violation {
  const [, index] = /^\/document_ids\/(\d+)$/.exec(violation.path) ?? [];
  return index === undefined ? violation : unusable(places[Number(index)] ?? 0);
}
