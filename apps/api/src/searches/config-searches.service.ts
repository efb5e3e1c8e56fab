import { configSearches, deleteObject, insertObject, replaceObject, type ValidationFault, type WriteBody } from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../http/resource-controller.js';
import { type Work } from '../http/unit-of-work.js';
import { checkSearch, searchFaults } from './search-definition.js';

/** Searches for everybody. */
@Injectable()
export class ConfigSearchesService implements ResourceWrites {
  async create({ transaction, scopes }: Work, body: WriteBody): Promise<number> {
    checkSearch(configSearches, body, scopes);
    return insertObject(transaction, configSearches, body);
  }

  async replace({ transaction, scopes, settings }: Work, id: number, body: WriteBody): Promise<void> {
    checkSearch(configSearches, body, scopes);
    await replaceObject(transaction, configSearches, { id, body }, settings);
  }

  /** Of its texts, whatever else is wrong with the body. */
  faults(_work: Work, given: WriteBody): Promise<readonly ValidationFault[]> {
    return Promise.resolve(searchFaults(given));
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    await deleteObject(transaction, configSearches, id);
  }
}
