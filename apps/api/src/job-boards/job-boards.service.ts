import {
  deleteObject,
  insertObject,
  jobBoards,
  lockObject,
  replaceObject,
  ValidationError,
  type WriteBody,
} from '@ats/domain';
import { runStatement } from '@ats/postgres';
import { message } from '@ats/message';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-controller.js';
import { type Work } from '../collections/unit-of-work.js';

@Injectable()
export class JobBoardsService implements ResourceWrites {
  create({ transaction }: Work, body: WriteBody): Promise<number> {
    return insertObject(transaction, jobBoards, body);
  }

  async replace({ transaction, settings }: Work, id: number, body: WriteBody): Promise<void> {
    await replaceObject(transaction, jobBoards, { id, body }, settings);
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    // Held from here on, so that nothing can be posted on it in between.
    await lockObject(transaction, jobBoards, id);
    const used = await runStatement(transaction, 'SELECT 1 FROM postings WHERE job_board_id = $1 LIMIT 1', [id]);
    if (used.length > 0)
      throw new ValidationError(jobBoards.name, [
        { path: '', code: 'in_use', info: message`the job board has postings` },
      ]);
    await deleteObject(transaction, jobBoards, id);
  }
}
