import { isDeepStrictEqual } from 'node:util';

/** Tables to which writes add rows, and the columns by which new rows are found. */
const LOGS = { domain_events: 'id', history_entries: 'id', change_inbox: 'id' };
/** Tables whose rows are compared when they are new or changed. */
const ITEMS = ['job_boards', 'users', 'opportunities', 'applications'];
/** Values that differ between two equal writes: ids, times and texts with a number. */
const VOLATILE =
  /^(?:id|uuid|reference|email(?:_folded)?|request_id|transaction_id|subject_id|user_id|item_id|item_uuid|owner_id|date|dt|\w+_dt|\w*search_text)$/;

/**
 * Checks that a write of each side leaves the same rows: items, values, history, events and changes of the feed. The
 * same values are written before each of both writes, so that the old values are the same, too.
 * @throws {Error} that shows the first difference
 */
export async function assertSameRows(database, sides, { title, check }) {
  const [first] = sides;
  const left = [];
  for (const { client } of sides) {
    await check(first.client, 1);
    const mark = await marks(database);
    await check(client, 2);
    left.push(await rowsSince(database, mark));
  }
  const [api, limit] = left;
  if (api.length === 0) throw new Error(`${title}: the API wrote no rows`);
  if (isDeepStrictEqual(api, limit)) return;
  const place = api.findIndex((row, index) => !isDeepStrictEqual(row, limit[index]));
  const shown = [api, limit].map((rows) => JSON.stringify(rows[place]));
  throw new Error(
    `${title}: the API left ${api.length} rows and the limit ${limit.length}; they differ:\n  api:   ${shown[0]}\n  limit: ${shown[1]}`,
  );
}

async function marks({ query }) {
  const logs = {};
  for (const [table, key] of Object.entries(LOGS)) {
    const [{ mark }] = await query(`SELECT coalesce(max(${key}), 0) AS mark FROM ${table}`);
    logs[table] = mark;
  }
  const [{ mark }] = await query(`SELECT pg_current_xact_id()::text AS mark`);
  return { logs, transaction: mark };
}

/** Returns the rows that are newer than the marks, without values that differ between two equal writes. */
async function rowsSince({ query }, { logs, transaction }) {
  const found = [];
  for (const [table, key] of Object.entries(LOGS)) {
    const rows = await query(`SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${key} > $1 ORDER BY ${key}`, [
      logs[table],
    ]);
    found.push(...rows.map(({ row }) => ({ table, ...row })));
  }
  for (const table of [...ITEMS, 'application_form_values']) {
    const rows = await query(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE age(xmin) <= age(($1::text::bigint % 4294967296)::text::xid)`,
      [transaction],
    );
    found.push(...rows.map(({ row }) => ({ table, ...row })));
  }
  return found.map(steady).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** Replaces values that differ between two equal writes. The names stay. */
function steady(value) {
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      VOLATILE.test(name.split('.').at(-1)) && one !== null ? '…' : steady(one),
    ]),
  );
}
