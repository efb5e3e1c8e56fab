import {
  collectionNames,
  deleteObject,
  insertObject,
  lockObject,
  replaceObject,
  rowsOf,
  selections,
  ValidationError,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { message } from '@ats/message';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';

@Injectable()
export class SelectionsService implements ResourceWrites {
  create({ transaction }: Work, body: WriteBody): Promise<number> {
    return insertObject(transaction, selections, body);
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<string | undefined> {
    // The lock prevents new members until the transaction ends.
    await lockObject(work.transaction, selections, id);
    const violations = await this.violations(work, body, id);
    if (violations.length > 0) throw new ValidationError(selections.name, violations);
    return (await replaceObject(work.transaction, selections, { id, body }, work.settings)).text;
  }

  /** The collection of a selection with members cannot be changed. */
  async violations({ transaction }: Work, { resource }: WriteBody, ownId = 0): Promise<readonly Violation[]> {
    const selection = rowsOf<{ id: number; resource: string; member_count: number }>(transaction, selections.type);
    const kept = await selection.findOneBy({ id: ownId });
    const isMoved = typeof resource === 'string' && collectionNames().includes(resource) && resource !== kept?.resource;
    if (!kept || kept.member_count === 0 || !isMoved) return [];
    return [
      {
        path: '/resource',
        code: 'invalid',
        info: message`the selection has members: remove them first`,
        infoForReaders: message`the selection has ${kept.member_count} members, all of them ${kept.resource}: remove them first`,
      },
    ];
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    await deleteObject(transaction, selections, id);
  }
}
