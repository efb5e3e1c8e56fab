import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Number of event applications whose history one statement changes. */
const BATCH = 500;

/** Stores the collection in the existing history entries of event applications. */
export class FillCollectionsOfHistory1795281000004 implements MigrationInterface {
  // Each batch is a transaction of its own. After an interruption, finished batches have no rows to change.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (let ids: unknown[] = [0]; ids.length > 0; ) {
      const rows = (await runner.query(
        `SELECT id FROM applications WHERE app_type = 'event_application' AND id > $1 ORDER BY id LIMIT ${BATCH}`,
        [ids.at(-1)],
      )) as readonly { readonly id: unknown }[];
      ids = rows.map(({ id }) => id);
      await runner.query(
        `UPDATE history_entries SET collection = 'event_applications'
         WHERE subject_type = 'application' AND subject_id = ANY($1) AND collection IS NULL`,
        [ids],
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE history_entries SET collection = NULL WHERE collection = 'event_applications' AND type <> 'deleted'`,
    );
  }
}
