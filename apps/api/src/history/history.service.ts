import {
  historyFeedStatement,
  historyHighWaterMark,
  historyStatement,
  type HistorySubject,
  type Resource,
  showsPersonalData,
} from '@ats/domain';
import { Database } from '@ats/postgres';
import { parsePageParameters } from '@ats/pagination';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { readIdParameter } from '../request/id-parameter.js';
import { invalidQuery, parameterProblem, unknownParameters } from '../request/query.js';
import { type RequestContext } from '../request/request-context.js';

export interface HistoryOf {
  readonly resource: Resource;
  readonly subject: HistorySubject;
}

interface HistoryPage {
  readonly body: string;
  readonly ids: string;
  readonly size: number;
}

@Injectable()
export class HistoryService {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Reads the newest entries of one item before `before_id`, as JSON text `{ items, has_more }`.
   * @throws {NotFoundError} when the collection has no such item
   * @throws {Problem} 400 for unknown or invalid parameters
   */
  async page(
    { resource, subject }: HistoryOf,
    id: number,
    query: URLSearchParams,
    context: RequestContext,
  ): Promise<string> {
    const { perPage, id: beforeId } = readParameters(query, 'before_id');
    await this.reader.mustExist(resource, id);
    const parameters = [perPage, subject, id, beforeId ?? Number.MAX_SAFE_INTEGER];
    return this.#read(resource, context, { statement: historyStatement(resource, context.settings), parameters });
  }

  /**
   * Reads the entries of a collection of applications after `since_id` and up to the high-water mark, oldest first. A
   * client that continues from the last id therefore never misses an entry that commits late.
   * @throws {Problem} 400 for unknown or invalid parameters
   */
  async feed(resource: Resource, query: URLSearchParams, context: RequestContext): Promise<string> {
    const { perPage, id: sinceId } = readParameters(query, 'since_id');
    const parameters = [perPage, sinceId ?? 0, await historyHighWaterMark(this.database)];
    return this.#read(resource, context, { statement: historyFeedStatement(resource, context.settings), parameters });
  }

  async #read(
    resource: Resource,
    context: RequestContext,
    { statement, parameters }: { readonly statement: string; readonly parameters: readonly unknown[] },
  ): Promise<string> {
    const [row] = await this.database.reading.query<HistoryPage>({ text: statement, parameters });
    if (!row) throw new Error('the query for a page of the history returned no row');
    const { body, ids, size } = row;
    if (showsPersonalData(resource))
      this.audit.personalDataRead(context, { collection: resource.name, itemIds: ids, itemCount: size });
    return body;
  }
}

function readParameters(
  query: URLSearchParams,
  idParameter: 'before_id' | 'since_id',
): { readonly perPage: number; readonly id: number | null } {
  const violations = unknownParameters('history', query, ['per_page', idParameter]);
  const parameters = parsePageParameters(query);
  if (parameters.violations)
    violations.push(...parameters.violations.map((violation) => parameterProblem('history', violation)));
  const given = readIdParameter(query, idParameter, { least: 0 });
  if (given?.violation !== undefined)
    violations.push({ resource: 'history', path: '', parameter: idParameter, code: 'invalid', info: given.violation });
  if (parameters.violations || violations.length > 0) throw invalidQuery(violations);
  return { perPage: parameters.perPage, id: given?.id ?? null };
}
