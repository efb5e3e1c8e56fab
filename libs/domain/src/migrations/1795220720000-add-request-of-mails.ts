import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Which request wrote an e-mail (`X-Request-Id`), so that its attempts can be found in the log. Null of what the release before writes. */
export class AddRequestOfMails1795220720000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outgoing_mails ADD COLUMN request_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outgoing_mails DROP COLUMN request_id');
  }
}
