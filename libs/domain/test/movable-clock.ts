import pg from 'pg';

/**
 * The service takes every time from PostgreSQL. So a test can let days pass: functions with the names of PostgreSQL's
 * clock functions come first in the search path of the test's database. These functions add an interval that the test
 * stores in a table. Statements and column defaults of the product stay unchanged.
 */
const CLOCK = `
CREATE SCHEMA movable_clock;
CREATE TABLE movable_clock.shift (by interval NOT NULL, stopped_at timestamptz);
INSERT INTO movable_clock.shift VALUES ('0');
CREATE FUNCTION movable_clock.now() RETURNS timestamptz LANGUAGE sql STABLE
  AS 'SELECT coalesce(stopped_at, pg_catalog.now()) + by FROM movable_clock.shift';
CREATE FUNCTION movable_clock.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
  AS 'SELECT coalesce(stopped_at, pg_catalog.statement_timestamp()) + by FROM movable_clock.shift';
CREATE FUNCTION movable_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
  AS 'SELECT coalesce(stopped_at, pg_catalog.clock_timestamp()) + by FROM movable_clock.shift';
`;

/**
 * Sets the search path of a database. The search path is a setting of the database itself, so a copy of the database
 * does not have it.
 */
export const movableClockPath = (name: string): string =>
  `ALTER DATABASE ${name} SET search_path = public, movable_clock, pg_catalog`;

/** Installs the movable clock. Call it before the migrations, so that column defaults use the clock too. */
export async function installMovableClock(administrator: pg.Client, name: string, url: string): Promise<void> {
  await administrator.query(movableClockPath(name));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(CLOCK);
  } finally {
    await client.end();
  }
}

/**
 * Moves the clock of a database for all its connections.
 * @param ms added to the current time of the clock
 */
export const moveClock = async (
  database: { query(text: string, parameters: readonly unknown[]): Promise<unknown> },
  ms: number,
): Promise<void> =>
  void (await database.query(`UPDATE movable_clock.shift SET by = by + $1 * interval '1 millisecond'`, [ms]));

/** Stops the clock of a database. Then only `moveClock` moves it, so that a test can rely on exact times. */
export const stopClock = async (database: { query(text: string): Promise<unknown> }): Promise<void> =>
  void (await database.query(`UPDATE movable_clock.shift SET stopped_at = date_trunc('second', pg_catalog.now())`));

/** Moves the clock to noon (UTC), so that no day begins during a test that counts days. */
export const moveClockToNoon = async (database: { query(text: string): Promise<unknown> }): Promise<void> =>
  void (await database.query(
    `UPDATE movable_clock.shift SET by = by + date_trunc('day', now(), 'UTC') + interval '12 hours' - now()`,
  ));
