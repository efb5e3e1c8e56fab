// @group long: restores a base backup
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@ats/domain/testing';
import { Redis } from 'ioredis';
import { ApiClient, applyTo, type Item, openVacancy, subscribe, type SubscriptionItem } from './support/api-client.js';
import { App, run, type Settings } from './support/app.js';
import { ArchivedServer } from './support/archived-server.js';
import { bodyOf, Receiver } from './support/receiver.js';
import { waitUntil } from './support/wait-until.js';

/** The number of a Redis database that no other test uses. */
const REDIS_DATABASE = 9;

let server: ArchivedServer;
let receiver: Receiver;
let redis: Redis;
let apps: readonly App[];
let client: ApiClient;
let environment: Settings;

beforeAll(async () => {
  [server, receiver] = await Promise.all([ArchivedServer.start(), Receiver.start()]);
  await server.run('postgres', 'CREATE DATABASE ats');
  const redisUrl = Object.assign(new URL(process.env['TEST_REDIS_URL'] ?? ''), { pathname: `/${REDIS_DATABASE}` }).href;
  redis = new Redis(redisUrl);
  const [port, notifierPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const token = `ats_Restoring1_${randomBytes(32).toString('base64url')}`;
  environment = {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: server.url('ats'),
    REDIS_URL: redisUrl,
    PORT: String(port),
    NOTIFIER_PORT: String(notifierPort),
    PUBLIC_BASE_URL: url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    BOOTSTRAP_TOKEN: token,
    RATE_LIMIT: '0',
    ALLOW_HTTP_DESTINATIONS: 'true',
    ALLOW_PRIVATE_DESTINATIONS: 'true',
  };
  await run('libs/domain/dist/cli/migrate.js', environment);
  apps = [
    new App({ script: 'apps/api/dist/main.js', environment, url }),
    new App({ script: 'apps/notifier/dist/main.js', environment, url: `http://127.0.0.1:${notifierPort}` }),
  ];
  client = new ApiClient(`${url}/api/v1`, token);
  await Promise.all(apps.map((app) => app.start()));
});
afterAll(async () => {
  await Promise.all((apps ?? []).map((app) => app.end('SIGTERM')));
  await redis?.quit();
  await receiver?.stop();
  await server?.stop();
});

interface SentMessage {
  readonly sequence: number;
  readonly message_id: string;
}

const sent = (): readonly SentMessage[] =>
  receiver.messages.map((message) => ({
    sequence: Number(message.headers['x-service-notify-sequence']),
    message_id: bodyOf(message).message_id,
  }));
const applications = (): Promise<readonly Item[]> =>
  client.get<readonly Item[]>('/applications?per_page=1000&sort=id!asc');
const invite = ({ id }: Item): Promise<Item> => client.put(`/applications/${id}/process_state`, { state: 'interview' });

test('a server that is restored to a point in time never reuses an id or sequence that was assigned later', async () => {
  const vacancy = await openVacancy(client);
  const subscription = await subscribe(client, { type: 'STATE_CHANGE_APPLICATION' }, receiver.url);

  const kept = await writeDuring(vacancy, () => server.backUp());
  await invite(kept[0] as Item);
  await receiver.receive(1);
  const before = await applications();
  const [{ moment } = { moment: '' }] = await server.run<{ moment: string }>(
    'ats',
    'SELECT clock_timestamp()::text AS moment',
  );
  await sleep(20);
  const lost = await applyTo(client, vacancy);
  await invite(lost);
  await receiver.receive(2);
  await server.archiveAll();
  await server.loseAndRestore(moment);

  await Promise.all(apps.map((app) => app.end('SIGKILL')));
  await redis.flushdb();
  expect(await run('libs/domain/dist/cli/migrate.js', environment)).toContain('the schema is up to date');
  expect(await run('libs/domain/dist/cli/after-restore.js', environment)).toMatch(/^\d+ id sequences were moved/);
  await Promise.all(apps.map((app) => app.start()));

  expect(await applications()).toEqual(before);
  expect((await client.request('GET', `/applications/${lost.id}`)).status).toBe(404);
  const next = await applyTo(client, vacancy);
  expect(next.id).toBeGreaterThan(lost.id);
  await invite(next);
  await expectNewMessage(subscription, next);
});

/** Creates applications until `work` ends, and one more after that. */
async function writeDuring(vacancy: Item, work: () => Promise<void>): Promise<readonly Item[]> {
  let isOver = false;
  const done = work().finally(() => (isOver = true));
  const made: Item[] = [];
  do made.push(await applyTo(client, vacancy));
  while (!isOver);
  await done;
  return [...made, await applyTo(client, vacancy)];
}

/**
 * Expects that a new message continues the feed after a restore. The receiver has a message that is missing in the
 * restored database. The new message must have another `message_id`, and must come after the highest sequence number
 * that the receiver has.
 */
async function expectNewMessage({ id, topic }: SubscriptionItem, { id: applicationId }: Item): Promise<void> {
  const known = new Set(
    sent()
      .slice(0, 2)
      .map(({ message_id }) => message_id),
  );
  const last = Math.max(
    ...sent()
      .slice(0, 2)
      .map(({ sequence }) => sequence),
  );
  const findNew = () => receiver.messages.map(bodyOf).find(({ details }) => details.id === applicationId);
  await waitUntil('the new message is there', 100_000, () => findNew() !== undefined);
  const found = findNew()?.message_id;
  expect(known).not.toContain(found);
  const { items } = await client.get<{ readonly items: readonly SentMessage[] }>(
    `/notification_topics/${topic.id}/subscriptions/${id}/messages?after=${last}`,
  );
  expect(items.map(({ message_id }) => message_id)).toEqual([found]);
}
