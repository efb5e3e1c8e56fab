import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the function with which the API's database role creates the partitions of one day of the delivery log, so that a
 * test message can be stored even if no notifier ran for days. The role cannot create tables itself: the function runs
 * with the rights of its owner, and does nothing else. The number is the advisory lock of partitions.
 */
export class LetTheApiCreateDeliveryDays1795220768000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE FUNCTION create_delivery_day(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET TimeZone = 'UTC' AS $$
DECLARE
  parent text;
  child text;
BEGIN
  PERFORM pg_advisory_xact_lock(4711004);
  FOREACH parent IN ARRAY ARRAY['notification_deliveries', 'notification_attempts'] LOOP
    CONTINUE WHEN EXISTS (
      SELECT FROM pg_inherits
        JOIN pg_class partition ON partition.oid = inhrelid
        CROSS JOIN LATERAL pg_get_expr(partition.relpartbound, partition.oid) bound
        CROSS JOIN LATERAL (SELECT (regexp_match(bound, $x$FROM \\('([^']+)'\\)$x$))[1]::timestamptz AS lower,
          (regexp_match(bound, $x$TO \\('([^']+)'\\)$x$))[1]::timestamptz AS upper) period
      WHERE inhparent = parent::regclass AND (lower IS NULL OR lower <= day) AND day < upper);
    child := parent || '_' || to_char(day, 'YYYYMMDD');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) WITH (fillfactor = 80,
      autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
      autovacuum_analyze_scale_factor = 0.05)', child, parent);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, child,
      day::timestamptz, (day + 1)::timestamptz);
  END LOOP;
END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION create_delivery_day(date)');
  }
}
