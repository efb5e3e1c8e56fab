import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lets stored searches have an expression. The previous release ignores it, as it ignores the parameter `where`. */
export class AddWhereToStoredSearches1795230000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} ADD COLUMN where_expression text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP COLUMN where_expression`);
  }
}

const TABLES = ['saved_searches', 'config_searches'];
