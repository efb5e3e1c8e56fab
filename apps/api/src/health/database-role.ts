import { type HealthWarning, withinCheckTime } from '@ats/nest-app';
import { Database, schemaRights } from '@ats/postgres';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';

const log = new Logger('database');

export const DATABASE_ROLE_WARNING = 'database_role';

/** Warns when the role of the API's connections can change the schema. The API needs no such role. */
@Injectable()
export class DatabaseRole implements OnApplicationBootstrap {
  #isLogged = false;

  constructor(private readonly database: Database) {}

  /** Logs the warning at the start. When the database is unavailable, the next health check logs it. */
  onApplicationBootstrap(): void {
    void this.readWarnings();
  }

  /** Reads the rights of the role. Never rejects and takes at most two seconds. */
  async readWarnings(): Promise<readonly HealthWarning<typeof DATABASE_ROLE_WARNING>[]> {
    const right = await withinCheckTime(this.#read());
    if (right === undefined) return [];
    const info = `the database role of the API can change the schema: it ${right}`;
    if (!this.#isLogged) log.warn(info);
    this.#isLogged = true;
    return [{ code: DATABASE_ROLE_WARNING, info }];
  }

  async #read(): Promise<string | undefined> {
    return schemaRights((text, parameters) => this.database.query(text, parameters));
  }
}
