import { configSearches, deleteObject, insertObject, replaceObject, type Violation, type WriteBody } from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';
import { checkSearch, SEARCH_TEXTS, searchViolations } from './search-definition.js';

/** Write rules of configured searches, which all recruiters share. */
@Injectable()
export class ConfigSearchesService implements ResourceWrites {
  readonly texts = SEARCH_TEXTS;

  async create(work: Work, body: WriteBody): Promise<number> {
    await checkSearch(work, configSearches, body);
    return insertObject(work.transaction, configSearches, body);
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<string | undefined> {
    await checkSearch(work, configSearches, body, id);
    return (await replaceObject(work.transaction, configSearches, { id, body }, work.settings)).text;
  }

  /** Returns the violations of the search parameters in a body. The schema reports the other violations. */
  violations(work: Work, given: WriteBody, ownId?: number): Promise<readonly Violation[]> {
    return searchViolations(work, configSearches, given, ownId);
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    await deleteObject(transaction, configSearches, id);
  }
}
