import {
  ACTIVATION_TOKEN_PURPOSE,
  activateAccount,
  addCandidate,
  applications as vacancyApplications,
  bodyViolations,
  cancelActivation,
  changeCandidate,
  candidates,
  buryApplications,
  deleteHistory,
  deleteObject,
  documentViolations,
  eventApplications,
  lockForChange,
  lockObject,
  noteChanges,
  readItem,
  type ReadSettings,
  type Removal,
  removePersonalData,
  rowsOf,
  SecretBox,
  secondsUntilNextLink,
  startActivation,
  ValidationError,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { runStatement, type Transaction } from '@ats/postgres';
import { message } from '@ats/message';
import { Inject, Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';
import { Problem } from '../vocabulary/problem.js';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';

@Injectable()
export class CandidatesService implements ResourceWrites {
  readonly #secretBox: SecretBox;

  constructor(@Inject(ENVIRONMENT) environment: Environment) {
    this.#secretBox = new SecretBox(environment, ACTIVATION_TOKEN_PURPOSE);
  }

  async create(work: Work, { document_ids, ...body }: WriteBody): Promise<number> {
    const { transaction, recruiterId, credentialId, compatibilityFlags } = work;
    const added = { recruiterId, documents: { given: document_ids, credentialId } };
    if (!compatibilityFlags.has('account_activation')) return addCandidate(transaction, body, added);
    const id = await addCandidate(transaction, body, { ...added, status: 'pending_activation' });
    await this.#sendLink(work, id, { isNew: true });
    return id;
  }

  async violations(
    { transaction, credentialId }: Work,
    given: WriteBody,
    ownId?: number,
  ): Promise<readonly Violation[]> {
    const { document_ids, ...body } = given;
    const ofBody = await bodyViolations(transaction, candidates, body, ownId);
    if (ownId !== undefined) return ofBody;
    return [...ofBody, ...(await documentViolations(transaction, { given: document_ids, credentialId }))];
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<string | undefined> {
    const { transaction, recruiterId, settings, compatibilityFlags } = work;
    const present = work.present ?? (await lockedRepresentation(transaction, id, settings));
    const { status } = JSON.parse(present) as { readonly status: string };
    if (status === 'anonymised') {
      throw new ValidationError(candidates.name, [
        { path: '', code: 'anonymised', info: message`an anonymised candidate cannot be changed` },
      ]);
    }
    const { changes, text } = await changeCandidate(transaction, { id, body, present, recruiterId }, settings);
    if (status === 'pending_activation' && changes.some(({ path }) => path === '/email')) {
      // An activation link proves that the candidate owns the e-mail address. A new address therefore invalidates the
      // link.
      if (compatibilityFlags.has('account_activation')) await this.#sendLink(work, id);
      else await cancelActivation(transaction, id);
    }
    return text;
  }

  /**
   * Activates the account that a token belongs to.
   * @returns the candidate's id
   * @throws {ValidationError} `invalid` at `/token`, the same for every token that activates no account
   */
  async activate({ transaction, recruiterId }: Work, token: string): Promise<number> {
    const id = await activateAccount(transaction, token, recruiterId);
    if (id !== null) return id;
    const info = message`the token is not valid: it was used or withdrawn, has expired, or never existed`;
    throw new ValidationError(candidates.name, [{ path: '/token', code: 'invalid', info }]);
  }

  /**
   * Sends another activation link. Earlier links stop working.
   * @throws {ValidationError} `not_pending` when the account does not wait for its activation
   * @throws {Problem} 429 when the candidate got two links within the last minute
   */
  async resendActivation(work: Work, id: number): Promise<void> {
    const status = await lockedStatus(work.transaction, id);
    if (status !== 'pending_activation') {
      throw new ValidationError(candidates.name, [
        {
          path: '',
          code: 'not_pending',
          info: message`the account does not wait for its activation`,
          infoForReaders: message`the status of the candidate is ${status}, not pending_activation`,
        },
      ]);
    }
    const seconds = await secondsUntilNextLink(work.transaction, id);
    if (seconds > 0)
      throw new Problem(429, message`Too many activation links for this candidate: try again in ${seconds} s`, {
        headers: { 'retry-after': String(seconds) },
        details: { limit: 'activation_links' },
      });
    await this.#sendLink(work, id);
  }

  /** Sends the link in the language of the request, because a careers site forwards the language of its visitor. */
  #sendLink({ transaction, settings, recruiterId }: Work, userId: number, { isNew = false } = {}): Promise<void> {
    const { language } = settings;
    return startActivation(transaction, { userId, language, recruiterId, isNew }, this.#secretBox);
  }

  /**
   * Deletes a candidate with all ended applications and all stored personal data.
   * @throws {ValidationError} `in_use` while a live application exists
   * Source: docs/reference/resources.md, "Deletion".
   */
  async remove(work: Work, id: number): Promise<void> {
    await this.removal(work, id);
  }

  async removal({ transaction, recruiterId }: Work, id: number): Promise<readonly Removal[]> {
    // The lock prevents new applications until the transaction ends.
    await lockObject(transaction, candidates, id);
    const applications = await runStatement<{ id: number; is_live: boolean; app_type: string }>(
      transaction,
      'SELECT id, is_live, app_type FROM applications WHERE user_id = $1 FOR UPDATE',
      [id],
    );
    const [live, ...others] = applications.filter(({ is_live }) => is_live);
    if (live) {
      const resource = live.app_type === 'event_application' ? eventApplications.name : vacancyApplications.name;
      const existing = others.length === 0 ? { existing: { resource, id: live.id } } : {};
      throw new ValidationError(candidates.name, [
        { path: '', code: 'in_use', info: message`the candidate has live applications`, ...existing },
      ]);
    }
    const applicationIds = applications.map((application) => application.id);
    // Records the events before the rows are deleted, because the events need the last values of the rows. The events
    // contain no personal values.
    await noteChanges(transaction, { root: vacancyApplications.type.name, change: 'delete', ids: applicationIds });
    await noteChanges(transaction, { root: candidates.type.name, change: 'delete', ids: [id] });
    // Anonymises the events and stored answers, which stay after the deletion. This must happen before the deletion,
    // because it needs the rows of the candidate.
    const report = await removePersonalData(transaction, id);
    const kinds = [vacancyApplications, eventApplications].map(({ name, fixed }) => {
      const items = applications.filter(({ app_type }) => app_type === fixed['app_type']);
      return { name, items, ids: items.map((application) => application.id) };
    });
    for (const { name, ids } of kinds)
      report.addCount(
        'history_entries',
        'deleted',
        await buryApplications(transaction, { collection: name, ids, recruiterId }),
      );
    report.addCount('history_entries', 'deleted', await deleteHistory(transaction, 'candidate', [id]));
    report.addItems(
      'communications',
      'deleted',
      await runStatement(transaction, 'DELETE FROM communications WHERE user_id = $1 RETURNING id', [id]),
    );
    await runStatement(transaction, 'DELETE FROM applications WHERE id = ANY($1)', [applicationIds]);
    for (const { name, items } of kinds) report.addItems(name, 'deleted', items);
    await deleteObject(transaction, candidates, id);
    report.addItems(candidates.name, 'deleted', [{ id }]);
    return report.removals;
  }
}

/** Locks the candidate until the transaction ends and returns its status. @throws {NotFoundError} */
async function lockedStatus(transaction: Transaction, id: number): Promise<string> {
  await lockObject(transaction, candidates, id);
  const candidate = await rowsOf<{ id: number; status: string }>(transaction, candidates.type).findOneOrFail({
    select: { status: true },
    where: { id },
  });
  return candidate.status;
}

/** Locks a candidate until the transaction ends, and returns its representation. @throws {NotFoundError} */
async function lockedRepresentation(transaction: Transaction, id: number, settings: ReadSettings): Promise<string> {
  await lockForChange(transaction, candidates, id);
  return readItem(transaction, candidates, id, settings);
}
