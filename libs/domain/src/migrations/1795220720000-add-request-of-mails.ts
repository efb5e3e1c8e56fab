import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the id of the request that queued an e-mail (`X-Request-Id`), so that operators can find the attempts to send
 * the e-mail in the log. Null in rows that the previous release writes.
 */
export class AddRequestOfMails1795220720000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outgoing_mails ADD COLUMN request_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outgoing_mails DROP COLUMN request_id');
  }
}
