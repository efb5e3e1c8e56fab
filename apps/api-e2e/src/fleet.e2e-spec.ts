// @group long: restarts a whole fleet under load
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ApiClient, applyTo, type Item, openVacancy, subscribe } from './support/api-client.js';
import { bodyOf, checkSignature, Receiver } from './support/receiver.js';
import { FLEET, Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

const WRITERS = 4;
/** Number of kills of each kind of process. */
const ROUNDS = 2;
/** Maximum number of concurrent requests to one subscription by all notifiers together. */
const IN_FLIGHT = 4;
const RECOVERY_MS = 200_000;
/** Timeout in ms of each test. It is long, because each restart takes seconds, and more on a busy machine. */
jest.setTimeout(900_000);

let service: Service;

beforeAll(async () => {
  service = await Service.start({ DELIVERY_SCHEDULE: '1,1,1,1,1' }, FLEET);
});
afterAll(() => service.stop());

const move = (client: ApiClient, { id }: Item, state: string): Promise<Item> =>
  client.put(`/applications/${id}/process_state`, { state });

interface FeedItem {
  readonly sequence: number;
  readonly message_id: string;
  readonly body: string;
}

/**
 * Reads the messages of a subscription after a sequence number. Polls until `shouldStop` is true and no message is
 * left.
 */
async function readMessages(
  client: ApiClient,
  subscriptionUrl: string,
  shouldStop: () => boolean,
  after = 0,
): Promise<readonly FeedItem[]> {
  const read: FeedItem[] = [];
  for (let hasMore = true; hasMore || !shouldStop(); ) {
    const page = await client.get<{ readonly items: readonly FeedItem[]; readonly has_more: boolean }>(
      `${subscriptionUrl}/messages?after=${read.at(-1)?.sequence ?? after}&per_page=20`,
    );
    read.push(...page.items);
    hasMore = page.has_more;
  }
  return read;
}

describe('two APIs behind a proxy, and two notifiers', () => {
  it('lose and repeat no change while random processes are killed and restarted', async () => {
    const { client, killer } = service;
    const receiver = await Receiver.start();
    const vacancy = await openVacancy(client);
    const { signing_key, url } = await subscribe(client, { type: 'STATE_CHANGE_APPLICATION' }, receiver.url);
    const moves = new Map<number, number>();
    const isDone = (): boolean =>
      (['api', 'notifier'] as const).every((kind) => killer.count(kind) >= ROUNDS) || killer.hasFailed;
    killer.start();
    const write = async (): Promise<void> => {
      while (!isDone()) {
        const application = await applyTo(client, vacancy);
        moves.set(application.id, 0);
        for (const state of ['in_review', 'interview', 'on_hold', 'interview']) {
          await move(client, application, state);
          moves.set(application.id, (moves.get(application.id) ?? 0) + 1);
        }
      }
    };
    let isWriting = true;
    const reading = readMessages(client, url, () => !isWriting);
    await Promise.all(Array.from({ length: WRITERS }, write)).finally(() => (isWriting = false));
    await killer.stop();
    await reading;

    const expected = [...moves.values()].reduce((sum, count) => sum + count, 0);
    const arrived = (): Map<string, { id: number; sequence: number; body: string }> =>
      new Map(
        receiver.messages.map((message) => [
          bodyOf(message).message_id,
          {
            id: bodyOf(message).details.id,
            sequence: Number(message.headers['x-service-notify-sequence']),
            body: message.body,
          },
        ]),
      );
    await waitUntil(
      `${expected} messages of ${moves.size} applications`,
      RECOVERY_MS,
      () => arrived().size >= expected,
    );

    const byApplication = new Map<number, number>();
    for (const { id } of arrived().values()) byApplication.set(id, (byApplication.get(id) ?? 0) + 1);
    expect(byApplication).toEqual(moves);
    expect([...arrived().values()].map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(
      Array.from({ length: expected }, (_, index) => index + 1),
    );
    for (const message of receiver.messages) {
      checkSignature(message, signing_key);
      expect(message.body).toBe(arrived().get(bodyOf(message).message_id)?.body);
    }
    // Reading during the kills must have returned each received message exactly once and in order.
    const read = [...(await reading), ...(await readMessages(client, url, () => true, (await reading).length))];
    expect(read.map(({ sequence }) => sequence)).toEqual(Array.from({ length: expected }, (_, index) => index + 1));
    expect(new Map(read.map(({ message_id, body }) => [message_id, body]))).toEqual(
      new Map([...arrived()].map(([id, { body }]) => [id, body])),
    );
    const applications = await client.request('GET', '/applications?per_page=1');
    expect(applications.headers.get('x-total-count')).toBe(String(moves.size));
    const notifierKills = killer.count('notifier', 'SIGKILL');
    expect([notifierKills, killer.count('api', 'SIGKILL')]).not.toContain(0);
    const duplicates = receiver.messages.length - expected;
    expect(duplicates).toBeLessThanOrEqual(notifierKills * IN_FLIGHT);
    const proxyCounts = JSON.stringify(service.proxy.counts);
    console.log(
      `${killer.kills.length} kills, ${expected} messages, ${duplicates} duplicates, proxy counts ${proxyCounts}`,
    );
    await receiver.stop();
  });

  it('fail no request while the APIs restart one after the other under load', async () => {
    const { client: retrying, proxy, apis } = service;
    const client = new ApiClient(retrying.baseUrl, retrying.token);
    const vacancy = await openVacancy(client);
    const before = { ...proxy.counts };
    let isRestarting = true;
    const work = async (): Promise<void> => {
      while (isRestarting) {
        const application = await applyTo(client, vacancy);
        await move(client, application, 'in_review');
        await client.get(`/applications/${application.id}`);
        await client.get<readonly Item[]>('/applications?per_page=5');
      }
    };
    const workers = Promise.all(Array.from({ length: WRITERS }, work));
    try {
      for (const api of apis) {
        expect(await api.end('SIGTERM')).toBe(0);
        await api.start();
        await waitUntil('the proxy sees it serving', 60_000, () => proxy.areAllServing);
      }
    } finally {
      isRestarting = false;
    }
    // Throws when a request of the workers was not successful.
    await workers;
    const { badGateway, unavailable, repeated } = proxy.counts;
    expect({ badGateway, unavailable, repeated }).toEqual({
      badGateway: before.badGateway,
      unavailable: before.unavailable,
      repeated: before.repeated,
    });
  });
});
