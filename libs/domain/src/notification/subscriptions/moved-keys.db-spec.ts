// @group split: npm test runs four of the random sequences
import { afterEach, describe, expect, it } from '@jest/globals';
import { Dice } from '../../../test/dice.js';
import { useTopics } from '../../../test/topic-fixtures.js';
import { resealValues } from '../../cli/reseal-values.js';
import { KeyRing } from '../../writing/key-ring.js';
import { SecretBox } from '../../writing/secret-box.js';
import { joinEndpoint, leaveEndpoint, rotateEndpointKey, rotateSigningKey, shareEndpoint } from './endpoint-keys.js';
import { readKeysOf, SIGNING_KEY_PURPOSE, type SigningKeys } from './signing-keys.js';
import { createSubscription, deleteSubscription } from './subscriptions.js';

const { own, write, addTopic } = useTopics();
afterEach(() => own.database.query('DELETE FROM notification_subscriptions; DELETE FROM notification_endpoints'));

async function endpointOf(id: number): Promise<number> {
  const [row] = await own.database.query<{ endpointId: number }>(
    'SELECT endpoint_id AS "endpointId" FROM notification_subscriptions WHERE id = $1',
    [id],
  );
  return row?.endpointId ?? 0;
}

const keysOf = (id: number, box: SecretBox): Promise<SigningKeys> =>
  write((transaction) => readKeysOf(transaction, { type: 'subscription', id: id }, box));
const keysOfEndpoint = (id: number, box: SecretBox): Promise<SigningKeys> =>
  write((transaction) => readKeysOf(transaction, { type: 'endpoint', id: id }, box));

describe('the keys of all subscriptions and endpoints', () => {
  const SETTINGS = ['a', 'b', 'c'].map((text) => text.repeat(40));

  it.each(Array.from({ length: process.env['TEST_ALL'] === '1' ? 40 : 4 }, (_, seed) => [seed]))(
    'stay readable with the expected texts while they are moved, rotated and resealed (seed %i)',
    async (seed) => {
      const dice = new Dice(seed);
      let current = 0;
      const settings = () => ({
        SECRET_KEY: SETTINGS[current % 3] ?? '',
        SECRET_KEY_PREVIOUS: SETTINGS[(current + 2) % 3] ?? '',
      });
      let box = new SecretBox(settings(), SIGNING_KEY_PURPOSE);
      /**
       * `endpoints` maps the id of each subscription to its endpoint id. `expected` maps the id of each endpoint to the
       * expected texts of its current and next key.
       */
      const endpoints = new Map<number, number>();
      const expected = new Map<number, readonly (string | null)[]>();
      const topics = new Map<number, number>();
      const note = async (endpointId: number): Promise<void> => {
        const { current: now, next } = await keysOfEndpoint(endpointId, box);
        expected.set(endpointId, [now, next?.key ?? null]);
      };
      const create = async (): Promise<void> => {
        const topicId = (await addTopic()).id;
        const created = await write((transaction) =>
          createSubscription(
            transaction,
            topicId,
            { start_dt: null, end_dt: null, destination_url: `https://${dice.below(3)}.example.com/` },
            box,
          ),
        );
        if (!created) throw new Error('the topic of this test does not exist');
        const endpointId = await endpointOf(created.subscription.id);
        topics.set(created.subscription.id, topicId);
        endpoints.set(created.subscription.id, endpointId);
        expected.set(endpointId, [created.signingKey, null]);
      };
      const isOwn = async (endpointId: number): Promise<boolean> =>
        (
          await own.database.query(
            'SELECT FROM notification_endpoints WHERE id = $1 AND own_subscription_id IS NOT NULL',
            [endpointId],
          )
        ).length > 0;
      /**
       * Checks the result of a rotation: without an overlap the current key changes at once, otherwise there is a next
       * key.
       */
      const rotated = async (endpointId: number, overlapSeconds: number): Promise<void> => {
        const [before] = expected.get(endpointId) ?? [];
        await note(endpointId);
        const [now, next] = expected.get(endpointId) ?? [];
        expect([now === before, next !== null]).toEqual([overlapSeconds > 0, overlapSeconds > 0]);
      };
      const change = (id: number, endpointId: number): readonly (() => Promise<void>)[] => [
        create,
        () => write((transaction) => shareEndpoint(transaction, endpointId, box)),
        async () => {
          const other = dice.one([...expected.keys()]);
          const wasOwn = await isOwn(endpointId);
          await write((transaction) => joinEndpoint(transaction, id, other, box));
          endpoints.set(id, other);
          if (wasOwn && other !== endpointId) expected.delete(endpointId);
        },
        async () => {
          const key = await write((transaction) => leaveEndpoint(transaction, id, box));
          if (key === null) return;
          const made = await endpointOf(id);
          endpoints.set(id, made);
          expected.set(made, [key, null]);
        },
        async () => {
          const overlapSeconds = dice.one([0, 600]);
          const path = { topicId: topics.get(id) ?? 0, id };
          await write((transaction) => rotateSigningKey(transaction, path, { overlapSeconds, secretBox: box }));
          await rotated(endpointId, overlapSeconds);
        },
        async () => {
          const overlapSeconds = dice.one([0, 600]);
          await write((transaction) => rotateEndpointKey(transaction, endpointId, { overlapSeconds, secretBox: box }));
          await rotated(endpointId, overlapSeconds);
        },
        async () => {
          current++;
          const columns = await resealValues(own.database, { keys: new KeyRing(settings()), say: () => undefined });
          expect(columns.flatMap(({ unknown }) => unknown)).toEqual([]);
          box = new SecretBox({ SECRET_KEY: settings().SECRET_KEY }, SIGNING_KEY_PURPOSE);
        },
        async () => {
          const wasOwn = await isOwn(endpointId);
          await write((transaction) => deleteSubscription(transaction, { topicId: topics.get(id) ?? 0, id }));
          endpoints.delete(id);
          if (wasOwn) expected.delete(endpointId);
        },
      ];
      for (const _ of [1, 2, 3]) await create();
      for (let step = 0; step < 30; step++) {
        if (endpoints.size < 2) await create();
        const [id, endpointId] = dice.one([...endpoints]);
        await dice.one(change(id, endpointId))();
        for (const [known, endpoint] of endpoints) {
          const { current: now, next } = await keysOf(known, box);
          expect([now, next?.key ?? null]).toEqual(expected.get(endpoint));
        }
        for (const [endpoint, texts] of expected) {
          const { current: now, next } = await keysOfEndpoint(endpoint, box);
          expect([now, next?.key ?? null]).toEqual(texts);
        }
      }
    },
  );
});
