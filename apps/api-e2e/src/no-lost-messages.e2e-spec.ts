// @group long: kills and restarts processes many times
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { applyTo, type Item, openVacancy, subscribe, type SubscriptionItem } from './support/api-client.js';
import { bodyOf, checkSignature, Receiver } from './support/receiver.js';
import { Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

const RECOVERY_MS = 100_000;

let service: Service;
let receiver: Receiver;
let application: Item;
let subscription: SubscriptionItem;

beforeAll(async () => {
  service = await Service.start({ DELIVERY_SCHEDULE: Array.from({ length: 11 }, () => 1).join() });
});
afterAll(() => service.stop());
beforeEach(async () => {
  receiver = await Receiver.start();
  application = await applyTo(service.client, await openVacancy(service.client));
  subscription = await subscribe(service.client, { type: 'STATE_CHANGE_APPLICATION' }, receiver.url);
});
afterEach(() => receiver.stop());

const move = (id: number, state: string): Promise<Item> =>
  service.client.put(`/applications/${id}/process_state`, { state });

/** Expects one signed message for each application. A repeated message must have the same body. */
function expectAllDelivered(ids: readonly number[]): void {
  const bodies = new Map<string, string>();
  for (const message of receiver.messages) {
    checkSignature(message, subscription.signing_key);
    const { message_id } = bodyOf(message);
    expect([message_id, bodies.get(message_id) ?? message.body]).toEqual([message_id, message.body]);
    bodies.set(message_id, message.body);
  }
  const delivered = [...bodies.values()].map((body) => (JSON.parse(body) as { details: { id: number } }).details.id);
  expect(delivered.sort((a, b) => a - b)).toEqual([...ids].sort((a, b) => a - b));
}

/** Waits for one more message. */
const receiveAgain = (): Promise<unknown> => receiver.receive(receiver.messages.length + 1, RECOVERY_MS);

describe('no message is lost', () => {
  it('when the notifier is killed before it reads the event', async () => {
    await service.endNotifiers('SIGKILL');
    await move(application.id, 'interview');
    await service.startNotifiers();
    await receiver.receive(1, RECOVERY_MS);
    expectAllDelivered([application.id]);
  });

  it('when the notifier is killed before the destination answers', async () => {
    receiver.answerWith(() => undefined);
    await move(application.id, 'interview');
    await receiver.receive(1);
    await service.endNotifiers('SIGKILL');
    receiver.answerWith((_, response) => response.writeHead(204).end());
    const again = receiveAgain();
    await service.startNotifiers();
    await again;
    expectAllDelivered([application.id]);
  });

  it('when Redis is flushed between the change and the delivery', async () => {
    // The destination refuses the first attempt. Redis then has a job for the second attempt when it is flushed.
    receiver.answerWith((_, response) => response.writeHead(503).end());
    await move(application.id, 'interview');
    await receiver.receive(1);
    await service.redis.flushall();
    receiver.answerWith((_, response) => response.writeHead(204).end());
    await receiveAgain();
    expectAllDelivered([application.id]);
  });

  it('when the notifier is killed and Redis is flushed repeatedly under load', async () => {
    const vacancy = await openVacancy(service.client);
    const ids: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const applications = await Promise.all(Array.from({ length: 14 }, () => applyTo(service.client, vacancy)));
      ids.push(...applications.map(({ id }) => id));
      const before = receiver.messages.length;
      const moves = Promise.all(applications.map(({ id }) => move(id, 'in_review')));
      await receiver.receive(before + 3, RECOVERY_MS);
      await service.endNotifiers('SIGKILL');
      await service.redis.flushall();
      await service.startNotifiers();
      await moves;
    }
    const arrived = (): number => new Set(receiver.messages.map((message) => bodyOf(message).details.id)).size;
    await waitUntil(`${ids.length} messages`, RECOVERY_MS, () => arrived() >= ids.length);
    expectAllDelivered(ids);
  });

  it('when Redis is full during the change', async () => {
    // Makes Redis refuse every command that needs memory, as a full Redis does.
    await service.redis.config('SET', 'maxmemory', '1');
    try {
      await move(application.id, 'interview');
    } finally {
      await service.redis.config('SET', 'maxmemory', '0');
    }
    await receiver.receive(1, RECOVERY_MS);
    expectAllDelivered([application.id]);
  });

  it('when the notifier gets SIGTERM, because it finishes the attempts that it began', async () => {
    await service.killer.stop();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    receiver.answerWith((_, response) => void released.then(() => response.writeHead(204).end()));
    await move(application.id, 'interview');
    await receiver.receive(1);
    const ends = service.notifiers.map((app) => app.end('SIGTERM'));
    release();
    expect(new Set(await Promise.all(ends))).toEqual(new Set([0]));
    const { rows } = await service.database.query(
      'SELECT status, attempts FROM notification_deliveries WHERE subscription_id = $1',
      [subscription.id],
    );
    expect(rows).toEqual([{ status: 'delivered', attempts: 1 }]);
    expectAllDelivered([application.id]);
    await service.startNotifiers();
  });
});
