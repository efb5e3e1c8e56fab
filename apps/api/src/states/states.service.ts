import { Database, lockObject, NotFoundError, readItem, type ReadSettings, type Resource, runStatement, stateStatement } from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type Work } from '../http/unit-of-work.js';

@Injectable()
export class StatesService {
  constructor(private readonly database: Database) {}

  /** The present state with the states that may follow, as JSON text. @throws {NotFoundError} */
  async read(resource: Resource, id: number, settings: ReadSettings): Promise<string> {
    const [row] = await this.database.query<{ body: string }>(stateStatement(resource, settings), [id]);
    if (!row) throw new NotFoundError(resource.type.name, id);
    return row.body;
  }

  /** What `If-Match` of a move may name, held until its end: the item, or its state as it is read at the same path. */
  async locked({ transaction, settings }: Work, resource: Resource, id: number): Promise<readonly string[]> {
    await lockObject(transaction, resource, id);
    const [state] = await runStatement<{ body: string }>(transaction, stateStatement(resource, settings), [id]);
    return [await readItem(transaction, resource, id, settings), state?.body ?? ''];
  }
}
