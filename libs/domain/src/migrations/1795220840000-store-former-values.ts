import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds the calls of CHANGED and WAS in topics, so that events store the results of these calls. */
export class StoreFormerValues1795220840000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE notification_topics ADD COLUMN past_datapaths text[] NOT NULL DEFAULT '{}';
CREATE TABLE notification_past_datapaths (
  event_type text NOT NULL,
  datapath text NOT NULL,
  CONSTRAINT pk_notification_past_datapaths PRIMARY KEY (event_type, datapath)
);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP TABLE notification_past_datapaths;
ALTER TABLE notification_topics DROP COLUMN past_datapaths;`);
  }
}
