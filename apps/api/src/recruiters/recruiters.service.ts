import { insertObject, recruiters, replaceObject, type WriteBody } from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-controller.js';
import { type Work } from '../collections/unit-of-work.js';

/** Recruiters are never deleted, since events and history name them: `is_active` ends their time. CONTRACT.md 11. */
@Injectable()
export class RecruitersService implements ResourceWrites {
  create({ transaction }: Work, body: WriteBody): Promise<number> {
    return insertObject(transaction, recruiters, body);
  }

  async replace({ transaction, settings }: Work, id: number, body: WriteBody): Promise<void> {
    await replaceObject(transaction, recruiters, { id, body }, settings);
  }
}
