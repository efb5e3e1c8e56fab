import {
  insertObject,
  lockObject,
  recruiters,
  replaceObject,
  rowsOf,
  ValidationError,
  type WriteBody,
} from '@ats/domain';
import { message } from '@ats/message';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';
import { keepWriters } from '../credentials/keep-writers.js';

@Injectable()
export class RecruitersService implements ResourceWrites {
  create({ transaction }: Work, body: WriteBody): Promise<number> {
    return insertObject(transaction, recruiters, body);
  }

  /**
   * Replaces a recruiter.
   * @throws {Problem} 409 when no lasting credential that can write credentials would be left
   * @throws {ValidationError} `anonymised` for an anonymised recruiter, who must not become active again
   */
  async replace({ transaction, settings }: Work, id: number, body: WriteBody): Promise<void> {
    await lockObject(transaction, recruiters, id);
    const users = rowsOf<{ id: number; status: string }>(transaction, recruiters.type);
    if (await users.existsBy({ id, status: 'anonymised' }))
      throw new ValidationError(recruiters.name, [
        { path: '', code: 'anonymised', info: message`an anonymised recruiter cannot be changed` },
      ]);
    const change = async (): Promise<void> => {
      await replaceObject(transaction, recruiters, { id, body }, settings);
    };
    await (body['is_active'] === false ? keepWriters(transaction, change) : change());
  }
}
