import {
  addHistory,
  anonymiseCandidate,
  candidates,
  deleteHistory,
  deleteObject,
  insertObject,
  lockObject,
  replaceObject,
  runStatement,
  ValidationError,
  type WriteBody,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../http/resource-controller.js';
import { type Work } from '../http/unit-of-work.js';

@Injectable()
export class CandidatesService implements ResourceWrites {
  async create({ transaction, recruiterId }: Work, body: WriteBody): Promise<number> {
    const id = await insertObject(transaction, candidates, body);
    await addHistory(transaction, { type: 'created', subjectType: 'candidate', subjectId: id, recruiterId });
    return id;
  }

  async replace({ transaction, recruiterId, settings }: Work, id: number, body: WriteBody): Promise<void> {
    await lockObject(transaction, candidates, id);
    const [candidate] = await runStatement<{ status: string }>(transaction, 'SELECT status FROM users WHERE id = $1', [id]);
    if (candidate?.status === 'anonymised') {
      throw new ValidationError(candidates.name, [{ path: '', code: 'anonymised', info: 'an anonymised candidate stays as it is' }]);
    }
    const { changes } = await replaceObject(transaction, candidates, { id, body }, settings);
    if (changes.length === 0) return;
    await addHistory(transaction, { type: 'field_change', subjectType: 'candidate', subjectId: id, recruiterId, changes });
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
      throw new ValidationError(candidates.name, [{ path: '', code: 'in_use', info: 'the candidate has live applications' }]);
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
