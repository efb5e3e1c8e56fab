import { Database, historyStatement, type HistorySubject, itemStatement, NotFoundError, type Resource } from '@ats/domain';
import { parsePageParameters } from '@ats/pagination';
import { Injectable } from '@nestjs/common';
import { type ProblemDetail } from '../http/problem.js';
import { faultyQuery, unknownParameters } from '../http/query.js';
import { type RequestContext } from '../http/request-context.js';

export interface HistoryOf {
  readonly resource: Resource;
  readonly subject: HistorySubject;
  readonly id: number;
}

const ID = /^[1-9]\d{0,15}$/;

@Injectable()
export class HistoryService {
  constructor(private readonly database: Database) {}

  /**
   * The newest entries before `before_id`, as JSON text `{ items, has_more }`.
   * @throws {NotFoundError} when the collection has no such item
   * @throws {Problem} 400 for parameters that are unknown or wrong
   */
  async page({ resource, subject, id }: HistoryOf, query: URLSearchParams, { settings }: RequestContext): Promise<string> {
    const faults = unknownParameters('history', query, ['per_page', 'before_id']);
    const parameters = parsePageParameters(query);
    if (parameters.faults) faults.push(...parameters.faults.map((fault) => ({ resource: 'history', path: '', ...fault })));
    const beforeId = readBeforeId(query, faults);
    if (parameters.faults || faults.length > 0) throw faultyQuery(faults);
    const [item] = await this.database.query(itemStatement(resource, settings), [id]);
    if (!item) throw new NotFoundError(resource.type.name, id);
    const [row] = await this.database.query<{ body: string }>(historyStatement(resource, settings), [
      subject,
      id,
      beforeId ?? Number.MAX_SAFE_INTEGER,
      parameters.perPage,
    ]);
    return row?.body ?? '{"items":[],"has_more":false}';
  }
}

function readBeforeId(query: URLSearchParams, faults: ProblemDetail[]): number | null {
  const texts = query.getAll('before_id');
  const [text] = texts;
  if (text === undefined) return null;
  const id = ID.test(text) ? Number(text) : NaN;
  if (texts.length === 1 && Number.isSafeInteger(id)) return id;
  const info = texts.length > 1 ? `expected once, found ${texts.length} times` : `expected the id of an entry, found ${JSON.stringify(text.slice(0, 40))}`;
  faults.push({ resource: 'history', path: '', parameter: 'before_id', code: 'invalid', info });
  return null;
}
