import {
  ACTIVATION_TOKEN_PURPOSE,
  activateAccount,
  addHistory,
  anonymiseCandidate,
  cancelActivation,
  candidates,
  deleteHistory,
  deleteObject,
  insertObject,
  lockObject,
  replaceObject,
  SecretBox,
  startActivation,
  ValidationError,
  type WriteBody,
} from '@ats/domain';
import { runStatement, type Transaction } from '@ats/postgres';
import { message } from '@ats/message';
import { Inject, Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-controller.js';
import { type Work } from '../collections/unit-of-work.js';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';

@Injectable()
export class CandidatesService implements ResourceWrites {
  readonly #secretBox: SecretBox;

  constructor(@Inject(ENVIRONMENT) environment: Environment) {
    this.#secretBox = new SecretBox(environment.SECRET_KEY, ACTIVATION_TOKEN_PURPOSE);
  }

  async create(work: Work, body: WriteBody): Promise<number> {
    if (!work.compatibilityFlags.has('account_activation')) return this.add(work, body);
    const id = await this.add(work, body, 'pending_activation');
    await this.#sendLink(work, id);
    return id;
  }

  /** A candidate who is sent no link, whatever the version: SPEC.md 9 knows of `POST /candidates` alone. @returns the id */
  async add(
    { transaction, recruiterId }: Work,
    body: WriteBody,
    status: 'active' | 'pending_activation' = 'active',
  ): Promise<number> {
    const id = await insertObject(transaction, candidates, body, { status });
    await addHistory(transaction, { type: 'created', subjectType: 'candidate', subjectId: id, recruiterId });
    return id;
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<void> {
    const { transaction, recruiterId, settings, compatibilityFlags } = work;
    const status = await lockedStatus(transaction, id);
    if (status === 'anonymised') {
      throw new ValidationError(candidates.name, [
        { path: '', code: 'anonymised', info: message`an anonymised candidate stays as it is` },
      ]);
    }
    const { changes } = await replaceObject(transaction, candidates, { id, body }, settings);
    if (changes.length === 0) return;
    await addHistory(transaction, {
      type: 'field_change',
      subjectType: 'candidate',
      subjectId: id,
      recruiterId,
      changes,
    });
    if (status !== 'pending_activation' || !changes.some(({ path }) => path === '/email')) return;
    // The link would prove the old address.
    if (compatibilityFlags.has('account_activation')) await this.#sendLink(work, id);
    else await cancelActivation(transaction, id);
  }

  /**
   * On behalf of the candidate who has followed the link. @returns the candidate's id
   * @throws {ValidationError} alike for each token that activates nobody
   */
  async activate({ transaction, recruiterId }: Work, token: string): Promise<number> {
    const id = await activateAccount(transaction, token, recruiterId);
    if (id !== null) return id;
    const info = message`the link is no longer valid: it was used or taken back, has expired, or was never made`;
    throw new ValidationError(candidates.name, [{ path: '/token', code: 'invalid', info }]);
  }

  /** For who has lost the link or comes too late: the one sent before works no longer. @throws {ValidationError} `not_pending` */
  async resendActivation(work: Work, id: number): Promise<void> {
    const status = await lockedStatus(work.transaction, id);
    if (status !== 'pending_activation') {
      throw new ValidationError(candidates.name, [
        {
          path: '',
          code: 'not_pending',
          info: message`the status of the candidate is ${status}, not pending_activation`,
        },
      ]);
    }
    await this.#sendLink(work, id);
  }

  /** In the language of the request: a careers site sends on that of its visitor. */
  #sendLink({ transaction, settings }: Work, userId: number): Promise<void> {
    return startActivation(transaction, { userId, language: settings.language }, this.#secretBox);
  }

  /** Takes the ended applications along, and all that is kept elsewhere; a live one keeps the candidate. CONTRACT.md 11. */
  async remove({ transaction, recruiterId }: Work, id: number): Promise<void> {
    // Held from here on, so that nobody can apply in between.
    await lockObject(transaction, candidates, id);
    const applications = await runStatement<{ id: number; is_live: boolean }>(
      transaction,
      'SELECT id, is_live FROM applications WHERE user_id = $1 FOR UPDATE',
      [id],
    );
    if (applications.some(({ is_live }) => is_live)) {
      throw new ValidationError(candidates.name, [
        { path: '', code: 'in_use', info: message`the candidate has live applications` },
      ]);
    }
    // Events and kept answers stay behind: afterwards nobody could ask that the person be taken out of them.
    await anonymiseCandidate(transaction, id, recruiterId);
    const applicationIds = applications.map((application) => application.id);
    await deleteHistory(transaction, 'application', applicationIds);
    await runStatement(transaction, 'DELETE FROM applications WHERE id = ANY($1)', [applicationIds]);
    await deleteHistory(transaction, 'candidate', [id]);
    await deleteObject(transaction, candidates, id);
  }
}

/** Stays as it is until the transaction ends. @throws {NotFoundError} */
async function lockedStatus(transaction: Transaction, id: number): Promise<string> {
  await lockObject(transaction, candidates, id);
  const [candidate] = await runStatement<{ status: string }>(transaction, 'SELECT status FROM users WHERE id = $1', [
    id,
  ]);
  if (!candidate) throw new Error('a locked candidate has no row');
  return candidate.status;
}
