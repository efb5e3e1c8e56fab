import {
  deleteObject,
  insertObject,
  NotFoundError,
  replaceObject,
  savedSearches,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { runStatement } from '@ats/postgres';
import { message } from '@ats/message';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';
import { Problem } from '../vocabulary/problem.js';
import { checkSearch, SEARCH_TEXTS, searchViolations } from './search-definition.js';

/** Write rules of saved searches. Recruiters read their own and all shared searches, and change only their own. */
@Injectable()
export class SavedSearchesService implements ResourceWrites {
  readonly texts = SEARCH_TEXTS;

  async create(work: Work, body: WriteBody): Promise<number> {
    await checkSearch(work, savedSearches, body);
    return insertObject(work.transaction, savedSearches, body, { owner_id: work.recruiterId });
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<string | undefined> {
    await this.lock(work, id);
    await checkSearch(work, savedSearches, body, id);
    const target = { id, body, ownerId: work.recruiterId };
    return (await replaceObject(work.transaction, savedSearches, target, work.settings)).text;
  }

  /**
   * Returns the violations of the search parameters. The body may have other violations. A 403 for a search of another
   * recruiter takes precedence over the violations.
   */
  async violations(work: Work, given: WriteBody, ownId?: number): Promise<readonly Violation[]> {
    if (ownId !== undefined) await this.lock(work, ownId);
    return searchViolations(work, savedSearches, given, ownId);
  }

  async remove(work: Work, id: number): Promise<void> {
    await this.lock(work, id);
    await deleteObject(work.transaction, savedSearches, id);
  }

  /**
   * Locks a search for its owner.
   * @throws {NotFoundError} when the recruiter can read no such search
   * @throws {Problem} 403 when another recruiter owns it and shares it
   */
  async lock({ transaction, recruiterId }: Work, id: number): Promise<void> {
    const [found] = await runStatement<{ owner_id: number }>(
      transaction,
      'SELECT owner_id FROM saved_searches WHERE id = $1 AND (owner_id = $2 OR is_shared) FOR UPDATE',
      [id, recruiterId],
    );
    if (!found) throw new NotFoundError(savedSearches.type.name, id);
    if (found.owner_id !== recruiterId) throw new Problem(403, message`Only the owner of a saved search can change it`);
  }
}
