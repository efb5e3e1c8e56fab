import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, applyTo, type Item, openVacancy, subscribe } from './support/api-client.js';
import { bodyOf, checkSignature, Receiver } from './support/receiver.js';
import { FLEET, Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

const WRITERS = 4;
/** One API and one notifier each. */
const ROUNDS = 2;
/** Of a subscription, by all notifiers together. */
const IN_FLIGHT = 4;
const RECOVERY_MS = 90_000;

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

/** Reads the messages of a subscription from a sequence on, page by page, until it is to stop and there are no more. */
async function readOn(
  client: ApiClient,
  subscriptionUrl: string,
  isToStop: () => boolean,
  after = 0,
): Promise<readonly FeedItem[]> {
  const read: FeedItem[] = [];
  for (let hasMore = true; hasMore || !isToStop(); ) {
    const page = await client.get<{ readonly items: readonly FeedItem[]; readonly has_more: boolean }>(
      `${subscriptionUrl}/messages?after=${read.at(-1)?.sequence ?? after}&per_page=20`,
    );
    read.push(...page.items);
    hasMore = page.has_more;
  }
  return read;
}

describe('two APIs behind a proxy, and two notifiers', () => {
  it('lose nothing and do nothing twice while one of each is killed and started again, at random', async () => {
    const { client, killer } = service;
    const receiver = await Receiver.start();
    const vacancy = await openVacancy(client);
    const { signing_key, url } = await subscribe(client, { type: 'STATE_CHANGE_APPLICATION' }, receiver.url);
    const moves = new Map<number, number>();
    const areEnough = (): boolean =>
      (['api', 'notifier'] as const).every((kind) => killer.count(kind) >= ROUNDS) || killer.hasFailed;
    killer.start();
    const write = async (): Promise<void> => {
      while (!areEnough()) {
        const application = await applyTo(client, vacancy);
        moves.set(application.id, 0);
        for (const state of ['in_review', 'interview', 'on_hold', 'interview']) {
          await move(client, application, state);
          moves.set(application.id, (moves.get(application.id) ?? 0) + 1);
        }
      }
    };
    let areWriting = true;
    const reading = readOn(client, url, () => !areWriting);
    await Promise.all(Array.from({ length: WRITERS }, write)).finally(() => (areWriting = false));
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
    // Whoever reads instead of being told has the same, in order and each once, although it was read while all of this happened.
    const read = [...(await reading), ...(await readOn(client, url, () => true, (await reading).length))];
    expect(read.map(({ sequence }) => sequence)).toEqual(Array.from({ length: expected }, (_, index) => index + 1));
    expect(new Map(read.map(({ message_id, body }) => [message_id, body]))).toEqual(
      new Map([...arrived()].map(([id, { body }]) => [id, body])),
    );
    const applications = await client.request('GET', '/applications?per_page=1');
    expect(applications.headers.get('x-total-count')).toBe(String(moves.size));
    const deaths = killer.count('notifier', 'SIGKILL');
    expect([deaths, killer.count('api', 'SIGKILL')]).not.toContain(0);
    const duplicates = receiver.messages.length - expected;
    expect(duplicates).toBeLessThanOrEqual(deaths * IN_FLIGHT);
    console.log(
      `${killer.kills.length} killed, ${expected} messages, ${duplicates} of them twice, ${JSON.stringify(service.proxy.counts)}`,
    );
    await receiver.stop();
  });

  it('are restarted one after the other under load without a single request that fails', async () => {
    const { client: persistent, proxy, apis } = service;
    const client = new ApiClient(persistent.baseUrl, persistent.token);
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
        await waitUntil('the proxy knows it', 10_000, () => proxy.isWhole);
      }
    } finally {
      isRestarting = false;
    }
    // Every answer was one of success, or it would have thrown.
    await workers;
    const { badGateway, nobody, repeated } = proxy.counts;
    expect({ badGateway, nobody, repeated }).toEqual({
      badGateway: before.badGateway,
      nobody: before.nobody,
      repeated: before.repeated,
    });
  });
});
