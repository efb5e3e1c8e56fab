import pg from 'pg';

/**
 * PostgreSQL owns every time of the service. To let days pass within a test, functions of the same names stand before
 * PostgreSQL's own in the search path of the test's database, and add what the test has put into a table. Statements and
 * defaults of columns are the ones of the product, unchanged.
 */
const CLOCK = `
CREATE SCHEMA movable_clock;
CREATE TABLE movable_clock.shift (by interval NOT NULL);
INSERT INTO movable_clock.shift VALUES ('0');
CREATE FUNCTION movable_clock.now() RETURNS timestamptz LANGUAGE sql STABLE
  AS 'SELECT pg_catalog.now() + by FROM movable_clock.shift';
CREATE FUNCTION movable_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
  AS 'SELECT pg_catalog.clock_timestamp() + by FROM movable_clock.shift';
`;

/** A setting of the database itself: a copy of it does not have it. */
export const movableClockPath = (name: string): string =>
  `ALTER DATABASE ${name} SET search_path = public, movable_clock, pg_catalog`;

/** Before the migrations, so that the defaults of columns follow the clock too. */
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
 * Lets time pass for everybody connected to a database with a movable clock.
 * @param ms from where the clock stands now
 */
export const moveClock = async (
  database: { query(text: string, parameters: readonly unknown[]): Promise<unknown> },
  ms: number,
): Promise<void> =>
  void (await database.query(`UPDATE movable_clock.shift SET by = by + $1 * interval '1 millisecond'`, [ms]));

/** As far from midnight as can be (UTC): a test that counts days is not to see one begin. */
export const moveClockToNoon = async (database: { query(text: string): Promise<unknown> }): Promise<void> =>
  void (await database.query(
    `UPDATE movable_clock.shift SET by = by + date_trunc('day', now(), 'UTC') + interval '12 hours' - now()`,
  ));
