import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the function that adds up the bytes of an answer within one transaction, and fails the statement when the sum
 * exceeds `most` bytes. The sum is a setting of the transaction, because no other state survives from row to row
 * without keeping the rows. The previous release does not call the function.
 */
export class BoundAnswers1795220766000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE FUNCTION count_answer_bytes(bytes integer, most integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  total bigint := coalesce(nullif(current_setting('ats.answer_bytes', true), ''), '0')::bigint + bytes;
BEGIN
  IF total > most THEN
    RAISE EXCEPTION 'the answer is too large' USING ERRCODE = 'ATS32';
  END IF;
  PERFORM set_config('ats.answer_bytes', total::text, true);
  RETURN true;
END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION count_answer_bytes(integer, integer)');
  }
}
