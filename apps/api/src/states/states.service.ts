import {
  lockObject,
  NotFoundError,
  type ReadSettings,
  type Resource,
  stateStatement,
  targetViolations,
  type Violation,
} from '@ats/domain';
import { Database, runStatement } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { stateTargetSchema, targetOf } from './state.dto.js';
import { currentRepresentations, type Work } from '../collections/unit-of-work.js';

@Injectable()
export class StatesService {
  constructor(private readonly database: Database) {}

  /** Reads the present state and the states that may follow, as JSON text. @throws {NotFoundError} */
  async read(resource: Resource, id: number, settings: ReadSettings): Promise<string> {
    const [row] = await this.database.query<{ body: string }>(stateStatement(resource, settings), [id]);
    if (!row) throw new NotFoundError(resource.type.name, id);
    return row.body;
  }

  /** Returns the violation of the target state in a body. The schema reports the other violations. */
  async violations(
    { transaction }: Work,
    resource: Resource,
    id: number,
    given: Readonly<Record<string, unknown>>,
  ): Promise<readonly Violation[]> {
    const body = stateTargetSchema.safeParse(given);
    return body.success ? targetViolations(transaction, resource, { id, target: targetOf(body.data) }) : [];
  }

  /**
   * Locks the item. Returns the texts whose `ETag` a move accepts in `If-Match`: the representations of the item, and
   * the answer of `GET` at the path of the state.
   */
  async locked(work: Work, resource: Resource, id: number): Promise<readonly string[]> {
    const { transaction, settings } = work;
    await lockObject(transaction, resource, id);
    const [state] = await runStatement<{ body: string }>(transaction, stateStatement(resource, settings), [id]);
    return [...(await currentRepresentations(work, resource, id)), state?.body ?? ''];
  }
}
