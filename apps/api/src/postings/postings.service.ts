import {
  addHistory,
  deleteHistory,
  deleteObject,
  insertObject,
  storePostingStatus,
  postings,
  replaceObject,
  rowsOf,
  vacancies,
  type WriteBody,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';

@Injectable()
export class PostingsService implements ResourceWrites {
  async create(work: Work, body: WriteBody): Promise<number> {
    const { transaction, recruiterId } = work;
    const id = await insertObject(transaction, postings, body, await titleOf(work, body));
    await storePostingStatus(transaction, id);
    await addHistory(transaction, { type: 'created', subjectType: 'posting', subjectId: id, recruiterId });
    return id;
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<void> {
    const { transaction, recruiterId, settings } = work;
    const { changes } = await replaceObject(
      transaction,
      postings,
      { id, body, extra: await titleOf(work, body) },
      settings,
    );
    if (changes.length === 0) return;
    await storePostingStatus(transaction, id);
    await addHistory(transaction, {
      type: 'field_change',
      subjectType: 'posting',
      subjectId: id,
      recruiterId,
      changes,
    });
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    await deleteObject(transaction, postings, id);
    await deleteHistory(transaction, 'posting', [id]);
  }
}

/**
 * Returns the title of a vacancy as the default title of its posting. Returns no title when the body has one.
 * Source: docs/reference/resources.md, "Required properties".
 */
async function titleOf({ transaction }: Work, body: WriteBody): Promise<{ readonly title?: string }> {
  if (body['title'] !== undefined) return {};
  const vacancy = await rowsOf<{ id: number; title: string; kind: string }>(transaction, vacancies.type).findOne({
    select: { title: true },
    where: { id: Number(body['vacancy_id']), kind: 'vacancy' },
  });
  // The title is empty when the vacancy does not exist. The posting is then rejected with a violation of `vacancy_id`.
  return { title: vacancy?.title ?? '' };
}
