import {
  ANSWER_PURPOSE,
  candidates,
  claimIdempotencyKey,
  isIdempotencyKeyTaken,
  releaseIdempotencyKey,
  SecretBox,
  type StoredAnswer,
} from '@ats/domain';
import { Database } from '@ats/postgres';
import { message } from '@ats/message';
import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { catchError, from, type Observable, of, switchMap, throwError } from 'rxjs';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { AuditLog } from '../audit/audit-log.js';
import { Metrics } from '../metrics/metrics.js';
import { Problem } from '../vocabulary/problem.js';
import { sendAnswer } from './answer.js';
import { type RequestContext } from './request-context.js';
import { digestOf, formerDigestOf } from './request-digest.js';

/** HTTP methods of writes that need no idempotency key. */
const WITHOUT_KEY = ['PUT', 'PATCH', 'DELETE'];
const KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * Handles `Idempotency-Key` on every POST: a repeated request gets the stored answer instead of being executed twice.
 * Only answers of successful writes are stored. A rejected request leaves its key unused. PUT, PATCH and DELETE need no
 * key, and are rejected with the key of a POST. A POST that reads a page ignores the key.
 * Source: docs/reference/resources.md, "Idempotency keys".
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  readonly #secretBox: SecretBox;

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly audit: AuditLog,
    @Inject(ENVIRONMENT) environment: Environment,
  ) {
    this.#secretBox = new SecretBox(environment, ANSWER_PURPOSE);
  }

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const key = request.headers['idempotency-key'];
    if (key === undefined || !request.context) return next.handle();
    if (WITHOUT_KEY.includes(request.method)) {
      return from(this.#refuseTaken(request.context, key)).pipe(switchMap(() => next.handle()));
    }
    if (request.method !== 'POST' || request.routeOptions.config.takesQueryInBody) return next.handle();
    if (typeof key !== 'string' || !KEY.test(key))
      throw new Problem(400, message`The header Idempotency-Key must have 1 to 255 printable ASCII characters`);
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    return from(this.#claim(request, request.context, key)).pipe(
      switchMap((result) => {
        if (result.kind === 'answered') {
          this.metrics.answerReplayed();
          this.#noteRead(request, result.answer);
          sendAnswer(reply.header('idempotency-replayed', 'true'), result.answer);
          return of(undefined);
        }
        const { claim } = result;
        const { shownOnce } = request.routeOptions.config;
        if (request.context)
          request.context = { ...request.context, idempotency: { claim, secretBox: this.#secretBox, shownOnce } };
        return next
          .handle()
          .pipe(
            catchError((error: unknown) =>
              from(releaseIdempotencyKey(this.database, claim)).pipe(switchMap(() => throwError(() => error))),
            ),
          );
      }),
    );
  }

  /** Records the read of people whom a replayed answer shows. The handler itself has recorded only the first answer. */
  #noteRead({ context, routeOptions }: FastifyRequest, { people: ids = [] }: StoredAnswer): void {
    if (!context || ids.length === 0 || routeOptions.config.showsPersonalItemOf) return;
    this.audit.personalDataRead(context, { collection: candidates.name, itemIds: ids, itemCount: ids.length });
  }

  async #claim(request: FastifyRequest, { actor }: RequestContext, key: string) {
    const result = await claimIdempotencyKey(
      this.database,
      { credentialId: actor.credentialId, key, ...digestsOf(request, actor) },
      this.#secretBox,
    );
    if (result.kind === 'mismatch') throw mismatch();
    if (result.kind === 'in_flight')
      throw new Problem(409, message`The first request with this Idempotency-Key is still being carried out`, {
        headers: { 'retry-after': String(result.retryAfter) },
      });
    return result;
  }

  async #refuseTaken({ actor }: RequestContext, key: string | string[]): Promise<void> {
    if (typeof key !== 'string' || !KEY.test(key)) return;
    if (await isIdempotencyKeyTaken(this.database, { credentialId: actor.credentialId, key })) throw mismatch();
  }
}

/**
 * Returns the digests of a request. For an access token they contain its scopes, because a stored answer to its
 * credential may show more than the access token allows.
 */
const digestsOf = (
  request: FastifyRequest,
  { accessEndsDt, scopes }: RequestContext['actor'],
): { readonly digest: Buffer; readonly formerDigest: Buffer | null } =>
  request.routeOptions.config.streamsBody
    ? { digest: digestOf(withoutBytes(request), accessEndsDt ? scopes : undefined), formerDigest: null }
    : accessEndsDt
      ? { digest: digestOf(request, scopes), formerDigest: null }
      : { digest: digestOf(request), formerDigest: formerDigestOf(request) };

/** The headers that describe a resumable upload. */
const UPLOAD_HEADERS = ['upload-length', 'upload-metadata'];

/** Replaces a streamed body by its length and its description, because its bytes are not in memory. */
const withoutBytes = ({
  method,
  url,
  raw: { headers },
}: FastifyRequest): Pick<FastifyRequest, 'method' | 'url' | 'body'> => ({
  method,
  url,
  body: {
    length: headers['content-length'] ?? null,
    ...Object.fromEntries(UPLOAD_HEADERS.flatMap((name) => (name in headers ? [[name, headers[name]]] : []))),
  },
});

const mismatch = (): Problem =>
  new Problem(422, message`Validation failed`, {
    errors: [
      {
        resource: 'request',
        path: '',
        code: 'idempotency_mismatch',
        info: message`the Idempotency-Key was used for another request`,
      },
    ],
  });
