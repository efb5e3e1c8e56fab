import { setTimeout as sleep } from 'node:timers/promises';
import {
  hasRichText,
  keepAnswer,
  type ReadSettings,
  readItem,
  type Resource,
  setTransactionRequest,
  type StoredAnswer,
  UniqueConflictError,
} from '@ats/domain';
import { type CommitPosition, Database, type Transaction, withCommitPosition } from '@ats/postgres';
import { message } from '@ats/message';
import { currentTraceparent } from '@ats/telemetry';
import { Injectable, Optional } from '@nestjs/common';
import { entityTag, matchesTag } from '../request/answer.js';
import { CredentialStore } from '../request/credential-store.js';
import { type RequestContext, variantOf } from '../request/request-context.js';
import { type CompatibilityFlag } from '../vocabulary/compatibility-flag.js';
import { Problem } from '../vocabulary/problem.js';
import { CountCache } from './count-cache.js';
import { WrittenPositions } from './written-positions.js';

/** The transaction of a write, and the parts of the request context that a write needs. */
export interface Work {
  readonly transaction: Transaction;
  readonly credentialId: number;
  readonly recruiterId: number;
  /** The scopes that the request has. */
  readonly scopes: ReadonlySet<string>;
  /** Expiry of the request's access token, if it has one. */
  readonly accessEndsDt?: Date;
  readonly settings: ReadSettings;
  /**
   * The representation of the item before a PUT or PATCH, with `settings`, as JSON text. Absent until the transaction
   * has locked the item with `ResourceWrites.lock` and read it.
   */
  readonly present?: string;
  /**
   * True when a PUT or PATCH changes no text that contains datapaths. Such a write needs no scopes for the datapaths,
   * see `ResourceWrites.texts`.
   */
  readonly keepsTexts?: boolean;
  /** Compatibility flags that are in force for the request. */
  readonly compatibilityFlags: ReadonlySet<CompatibilityFlag>;
  /** Version and language of the request. They are part of an `ETag`. */
  readonly variant: string;
}

/** The condition under which a PUT, PATCH or DELETE runs. */
export interface Precondition {
  /** The `If-Match` header. Without it the item is not locked, and the write is always allowed. */
  readonly ifMatch: string | undefined;
  /** Locks the item until the end of the write. Returns the representations whose `ETag` `If-Match` may contain. */
  readonly locked: (work: Work) => Promise<readonly string[]>;
}

interface WriteOptions {
  /** True when the write changes no row on which a cached credential depends. The cache of credentials then stays. */
  readonly keepsCredentials?: boolean;
}

/** Thrown to roll back the transaction of a dry run. */
const ROLLED_BACK = new Error('the transaction of a dry run is rolled back');

const MAX_ATTEMPTS = 5;
/**
 * Pause in ms before a retry. During the pause, the other transaction of a deadlock can take the lock that it waits
 * for.
 */
const RETRY_MS = 30;

/** Runs each write of the API in one transaction of its own. */
@Injectable()
export class UnitOfWork {
  constructor(
    private readonly database: Database,
    private readonly counts: CountCache,
    private readonly credentials: CredentialStore,
    /** The positions of the last writes of credentials. Present when a replica is configured. */
    @Optional() private readonly written?: WrittenPositions,
  ) {}

  /**
   * Runs `work` in a transaction. After a deadlock it runs again from the start. After a conflict with a concurrent
   * write it runs once more, so that its checks find what the other request wrote.
   */
  async run<T>(
    context: RequestContext,
    work: (work: Work) => Promise<T>,
    { keepsCredentials = false }: WriteOptions = {},
  ): Promise<T> {
    const { actor, settings, compatibilityFlags } = context;
    const unit = {
      credentialId: actor.credentialId,
      recruiterId: actor.recruiterId,
      scopes: actor.scopes,
      ...(actor.accessEndsDt && { accessEndsDt: actor.accessEndsDt }),
      settings,
      compatibilityFlags,
      variant: variantOf(context),
    };
    for (let attempt = 1; ; attempt++) {
      let committed: CommitPosition | undefined;
      try {
        const result = await this.database.transaction((transaction) => {
          if (this.written) committed = withCommitPosition(transaction);
          setTransactionRequest(transaction, {
            requestId: context.requestId,
            settings,
            traceparent: currentTraceparent(),
            client: { credentialId: actor.credentialId, recruiterId: actor.recruiterId, address: context.address },
          });
          return work({ transaction, ...unit });
        });
        this.counts.noteWrite(actor.credentialId);
        if (!keepsCredentials) this.credentials.clear();
        if (committed?.position !== undefined) await this.written?.note(actor.credentialId, committed.position);
        return result;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !(isDeadlock(error) || (attempt === 1 && isRace(error)))) throw error;
        await sleep(RETRY_MS * attempt * (1 + Math.random()));
      }
    }
  }

  /**
   * Runs a PUT, PATCH or DELETE if `If-Match` allows it.
   * @throws {Problem} 412 when `If-Match` does not name a current representation of the item
   */
  write<T>(
    context: RequestContext,
    { ifMatch, locked }: Precondition,
    work: (work: Work) => Promise<T>,
    options?: WriteOptions,
  ): Promise<T> {
    const checked = async (unit: Work): Promise<T> => {
      await checkPrecondition(unit, ifMatch, locked);
      return work(unit);
    };
    return this.run(context, checked, options);
  }

  /**
   * Runs a write and rolls it back, so that nothing changes.
   * @returns the result of the write
   */
  async dryRun<T>(context: RequestContext, work: (work: Work) => Promise<T>, precondition?: Precondition): Promise<T> {
    const results: T[] = [];
    try {
      await this.run(context, async (unit) => {
        if (precondition) await checkPrecondition(unit, precondition.ifMatch, precondition.locked);
        results.push(await work(unit));
        throw ROLLED_BACK;
      });
    } catch (error) {
      if (error !== ROLLED_BACK) throw error;
    }
    return results.at(-1) as T;
  }

  /**
   * Runs a POST and stores its answer in the same transaction. A repeated request then finds the change and the answer,
   * or neither.
   */
  answer(context: RequestContext, work: (work: Work) => Promise<StoredAnswer>): Promise<StoredAnswer> {
    return this.run(context, async (unit) => {
      const answer = await work(unit);
      const { idempotency, settings } = context;
      if (!idempotency) return answer;
      // Stores the language of the answer, too. A repeated request gets the answer in this language, even if the
      // request asks for another language.
      const { shownOnce = [] } = idempotency;
      const body = shownOnce.length > 0 ? withoutSecrets(answer.body, shownOnce) : answer.body;
      const kept = { ...answer, body, headers: { ...answer.headers, 'content-language': settings.language } };
      if (!(await keepAnswer(unit.transaction, idempotency.claim, kept, idempotency.secretBox))) {
        throw new Problem(
          409,
          message`Another request with this Idempotency-Key has started, so this request was not carried out`,
        );
      }
      return answer;
    });
  }
}

const withoutSecrets = (json: string, names: readonly string[]): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(JSON.parse(json) as object).filter(([name]) => !names.includes(name))),
  );

/** Checks `If-Match`. @throws {Problem} 412 when it names no current representation of the item */
async function checkPrecondition(
  work: Work,
  ifMatch: string | undefined,
  locked: Precondition['locked'],
): Promise<void> {
  if (ifMatch === undefined) return;
  const bodies = await locked(work);
  if (bodies.some((body) => matchesTag(ifMatch, entityTag(body, work.variant)))) return;
  throw new Problem(
    412,
    message`If-Match is not the current ETag: read the item again without layout and fields, in this version and language`,
  );
}

/** True for a deadlock or a serialisation failure, after which the transaction can run again. */
const isDeadlock = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  ['40P01', '40001'].includes(String((error as { readonly code?: unknown }).code));

const isRace = (error: unknown): boolean => error instanceof UniqueConflictError;

/** Returns both representations whose `ETag` `If-Match` may contain: with rich texts as plain text, and as HTML. */
export async function currentRepresentations(
  { transaction, settings }: Work,
  resource: Resource,
  id: number,
  ownerId?: number,
): Promise<readonly string[]> {
  const plain = await readItem(transaction, resource, id, settings, ownerId);
  return hasRichText(resource.type)
    ? [plain, await readItem(transaction, resource, id, { ...settings, richText: 'html' }, ownerId)]
    : [plain];
}
