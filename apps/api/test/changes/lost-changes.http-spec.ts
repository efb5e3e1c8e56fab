import { beforeAll, expect, test } from '@jest/globals';
import { EventReader } from '../support/event-reader.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { type Change, Feed, namesOf } from './feed.js';

const { api, make } = useApi();
const feed = new Feed(api);
let origin: string;
beforeAll(async () => {
  origin = `http://127.0.0.1:${await api.listen()}`;
});

/**
 * Removes the last change. This simulates a failover to a standby that had not received it. The next change then gets
 * the same position.
 */
async function loseLastChange(): Promise<void> {
  const [row] = await api.database.query<{ id: number }>(
    'DELETE FROM changes WHERE id = (SELECT max(id) FROM changes) RETURNING id',
  );
  await api.database.query(`SELECT setval(pg_get_serial_sequence('changes', 'id'), ${Number(row?.id)}, false)`);
}

test('a token whose change a restore has lost gets 410, before and after another change gets its position', async () => {
  const before = await feed.now();
  await make.jobBoard();
  const { next } = await feed.read({ since: before });
  await loseLastChange();
  expect((await feed.ask({ since: next })).status).toBe(410);
  const board = await make.jobBoard();
  await feed.now();
  expect((await feed.ask({ since: next })).status).toBe(410);
  // A token from before the lost change still works: its client has read only changes that the server still has.
  expect(namesOf(await feed.read({ since: before }))).toEqual([`created job_boards ${board.id}`]);
});

test('a waiting request gets 410 and a stream ends when the change before its position is lost', async () => {
  await make.jobBoard();
  const since = await feed.now();
  const stream = await EventReader.open<Change>(`${origin}/api/v1/changes?since=${since}`, { token: api.adminToken });
  await stream.next();
  const waiting = feed.ask({ since, wait: 60 });
  await loseLastChange();
  // The waiting request ends with 410 as soon as the watch notices the lost change. Otherwise it would get an empty
  // list after a minute.
  expectStatus(410, await waiting);
  expect(await stream.withData()).toBeUndefined();
});

test('a stream continues after changes of resources that it does not show', async () => {
  const shown = await feed.now({ resources: 'job_boards' });
  const stream = await EventReader.open<Change>(`${origin}/api/v1/changes?since=${shown}`, { token: api.adminToken });
  await stream.next();
  await make.candidate();
  await make.form();
  const all = await feed.now();
  const board = await make.jobBoard();
  const seen = await stream.withData();
  stream.close();
  expect(seen?.data).toMatchObject({ resource: 'job_boards', id: board.id });
  expect((await feed.read({ since: all })).items.map(({ id }) => id)).toEqual([board.id]);
  expect((await feed.read({ since: String(seen?.id) })).items).toEqual([]);
});

test('a token before a deleted change gets 410, even while the change of the token is still stored', async () => {
  const before = await feed.now();
  await make.jobBoard();
  const { next } = await feed.read({ since: before });
  await make.jobBoard();
  await feed.now();
  // Deletes a later change and keeps an earlier one. Retention can do this after the clock was set back, because it
  // deletes by time.
  await api.database.query(
    `WITH deleted AS (DELETE FROM changes WHERE id = (SELECT max(id) FROM changes) RETURNING id)
     UPDATE change_feed SET deleted_id = deleted.id FROM deleted`,
  );
  expect((await feed.ask({ since: next })).status).toBe(410);
});
