// @group sample: npm test runs a quarter of its tests
import { FORBIDDEN_ANSWERS, NameServer } from '@ats/destination-guard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Networks } from '@ats/destination-guard';
import { type Answer } from '../support/answer.js';
import { Api } from '../support/api-harness.js';
import { expectStatus, Factories } from '../support/factories.js';
import { retryIfSlow } from '../support/retry-if-slow.js';

let nameServer: NameServer;
let api: Api;
let make: Factories;

beforeAll(async () => {
  nameServer = await NameServer.start();
  api = await Api.start({
    NOTIFIER_DNS_SERVERS: [nameServer.address],
    NOTIFIER_ALLOW_CIDRS: Networks.of('10.20.0.0/16'),
  });
  make = new Factories(api);
});
beforeEach(() => {
  nameServer.know = () => null;
});
afterAll(async () => {
  await api.close();
  await nameServer.stop();
});

/**
 * Time limit in ms for looking up a name. A name whose answer comes later is accepted, because the answer for one of
 * its two address families may be missing.
 */
const LOOK_UP_MS = 500;

const destination_url = 'https://receiver.example.com/hook';

/**
 * Sends two requests with this destination. One creates a subscription, and the other replaces an existing one.
 * @returns both answers
 */
async function write(url: string): Promise<readonly Answer[]> {
  const { id } = await make.topic();
  const path = `/notification_topics/${id}/subscriptions`;
  const existing = expectStatus(201, await api.post(path, { destination_url: 'https://nowhere.example.com/' })).item;
  return [
    await api.post(path, { destination_url: url }),
    await api.put(`${path}/${existing.id}`, { destination_url: url }),
  ];
}

describe('the host name of a destination', () => {
  test.each([...FORBIDDEN_ANSWERS])(
    'is rejected when it resolves to %s, without revealing the address',
    async (_, addresses) => {
      nameServer.know = (name) => (name === 'receiver.example.com' ? addresses : null);
      await retryIfSlow(LOOK_UP_MS, async () => {
        for (const { status, problem, text } of await write(destination_url)) {
          expect([status, problem.errors]).toEqual([
            422,
            [
              {
                resource: 'notification_subscriptions',
                path: '/destination_url',
                code: 'invalid',
                info: 'expected a host whose IP addresses are all public',
              },
            ],
          ]);
          expect(addresses.filter((address) => text.includes(address))).toEqual([]);
        }
      });
    },
  );

  test('is rejected when it is an alias of a name with a private IP address', async () => {
    nameServer.know = (name) =>
      name === 'receiver.example.com' ? { aliasOf: 'inside.example' } : name === 'inside.example' ? ['10.0.0.1'] : null;
    await retryIfSlow(LOOK_UP_MS, async () => {
      for (const answer of await write(destination_url))
        expect(answer.violations).toEqual(['invalid /destination_url']);
    });
  });

  test('is reported together with other violations when its address is private', async () => {
    nameServer.know = () => ['127.0.0.1'];
    const { id } = await make.topic();
    await retryIfSlow(LOOK_UP_MS, async () => {
      const answer = await api.post(`/notification_topics/${id}/subscriptions`, {
        destination_url,
        end_dt: '2020-01-01T00:00:00Z',
      });
      expect([...answer.violations].sort()).toEqual(['invalid /destination_url', 'invalid /end_dt']);
    });
  });

  test.each([
    ['public addresses', ['8.8.8.8', '2606:4700::1111']],
    ['addresses that this service may send to', ['10.20.0.1']],
    ['nothing', []],
    ['no name', null],
    ['a failure of its own servers', 'failure' as const],
  ])('is accepted when it resolves to %s', async (_, known) => {
    nameServer.know = () => known;
    expect((await write(destination_url)).map(({ status }) => status)).toEqual([201, 200]);
  });

  test('is accepted while the resolver is unavailable', async () => {
    const other = await Api.start();
    try {
      const { id } = await new Factories(other).topic();
      expectStatus(201, await other.post(`/notification_topics/${id}/subscriptions`, { destination_url }));
    } finally {
      await other.close();
    }
  });
});
