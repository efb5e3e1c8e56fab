import { setTimeout as sleep } from 'node:timers/promises';
import { keepAnswer, setTransactionRequest, type ReadSettings, type StoredAnswer } from '@ats/domain';
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

/** What a write works with. */
export interface Work {
  readonly transaction: Transaction;
  readonly recruiterId: number;
  /** What the caller may read and write. */
  readonly scopes: ReadonlySet<string>;
  readonly settings: ReadSettings;
  /** Compatibility flags in force. */
  readonly compatibilityFlags: ReadonlySet<CompatibilityFlag>;
  /** In which form the caller reads, as part of an `ETag`. */
  readonly variant: string;
}

/** The condition of a PUT or DELETE. */
export interface Precondition {
  /** The header. Without it nothing is locked and everything may be written. */
  readonly ifMatch: string | undefined;
  /** Locks the item until the end of the write, and returns the representations that `If-Match` may name. */
  readonly locked: (work: Work) => Promise<readonly string[]>;
}

const MAX_TRIES = 5;
/** Long enough for the other transaction to wake up and take the lock that it waits for: a newcomer may overtake it. */
const RETRY_MS = 30;

/** Runs each write of the API in one transaction of its own. */
@Injectable()
export class UnitOfWork {
  constructor(
    private readonly database: Database,
    private readonly counts: CountCache,
    private readonly credentials: CredentialStore,
    /** Where there is a replica. */
    @Optional() private readonly written?: WrittenPositions,
  ) {}

  /** `work` is done from the start when a deadlock has undone it. */
  async run<T>(context: RequestContext, work: (work: Work) => Promise<T>): Promise<T> {
    const { actor, settings, compatibilityFlags } = context;
    const unit = {
      recruiterId: actor.recruiterId,
      scopes: actor.scopes,
      settings,
      compatibilityFlags,
      variant: variantOf(context),
    };
    for (let tries = 1; ; tries++) {
      let committed: CommitPosition | undefined;
      try {
        const result = await this.database.transaction((transaction) => {
          if (this.written) committed = withCommitPosition(transaction);
          setTransactionRequest(transaction, { requestId: context.requestId, traceparent: currentTraceparent() });
          return work({ transaction, ...unit });
        });
        this.counts.noteWrite(actor.credentialId);
        this.credentials.forget();
        if (committed?.position !== undefined) await this.written?.note(actor.credentialId, committed.position);
        return result;
      } catch (error) {
        if (tries === MAX_TRIES || !isDeadlock(error)) throw error;
        await sleep(RETRY_MS * tries * (1 + Math.random()));
      }
    }
  }

  /** A PUT or DELETE, as long as `If-Match` allows it. @throws {Problem} 412 when `If-Match` names another representation */
  write<T>(context: RequestContext, { ifMatch, locked }: Precondition, work: (work: Work) => Promise<T>): Promise<T> {
    return this.run(context, async (unit) => {
      await checkPrecondition(unit, ifMatch, locked);
      return work(unit);
    });
  }

  /** A POST: its answer is kept together with what it did, so that a repetition finds both or neither. */
  answer(context: RequestContext, work: (work: Work) => Promise<StoredAnswer>): Promise<StoredAnswer> {
    return this.run(context, async (unit) => {
      const answer = await work(unit);
      const { idempotency, settings } = context;
      if (!idempotency) return answer;
      // Whoever asks again may do so in another language.
      const kept = { ...answer, headers: { ...answer.headers, 'content-language': settings.language } };
      if (!(await keepAnswer(unit.transaction, idempotency.claim, kept, idempotency.secretBox))) {
        throw new Problem(409, message`Another request with this Idempotency-Key has taken over`);
      }
      return answer;
    });
  }
}

/** @throws {Problem} 412 when `If-Match` names another representation than those that the item has now */
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
    message`If-Match is not the ETag of the item as it is now, read without a layout, in this version and language: read it again before writing it`,
  );
}

/** PostgreSQL has ended one of two transactions that waited for each other; done again, it finds the way free. */
const isDeadlock = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  ['40P01', '40001'].includes(String((error as { readonly code?: unknown }).code));
