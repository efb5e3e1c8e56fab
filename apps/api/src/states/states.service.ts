import { Database, NotFoundError, type ReadSettings, type Resource, stateStatement } from '@ats/domain';
import { Injectable } from '@nestjs/common';

@Injectable()
export class StatesService {
  constructor(private readonly database: Database) {}

  /** The present state with the states that may follow, as JSON text. @throws {NotFoundError} */
  async read(resource: Resource, id: number, settings: ReadSettings): Promise<string> {
    const [row] = await this.database.query<{ body: string }>(stateStatement(resource, settings), [id]);
    if (!row) throw new NotFoundError(resource.type.name, id);
    return row.body;
  }
}
