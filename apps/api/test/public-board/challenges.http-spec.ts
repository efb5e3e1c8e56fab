// @group sample: npm test runs a quarter of its tests
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';
import { formToken, publicPosting } from '../support/public-boards.js';
import { useApi } from '../support/use-api.js';

const SECRET = 'secret of the API';
const { api, make } = useApi();
let verifier: Server;
let guarded: Api;
let path: string;
let posting: Item;
/** The requests that the challenge service has received, and the answers that it gives. */
let asked: URLSearchParams[] = [];
let answer: () => string = () => '';
let status = 200;
/** The time in ms after which the challenge service answers. */
let wait = 0;
let number = 0;

async function verify(request: IncomingMessage, response: ServerResponse): Promise<void> {
  asked.push(new URLSearchParams(await text(request)));
  await sleep(wait);
  response.writeHead(status, { 'content-type': 'application/json' }).end(answer());
}

beforeAll(async () => {
  verifier = createServer((request, response) => void verify(request, response));
  await once(verifier.listen(0, '127.0.0.1'), 'listening');
  guarded = await api.beside({
    BOARD_CHALLENGE_URL: `http://127.0.0.1:${(verifier.address() as AddressInfo).port}/siteverify`,
    BOARD_CHALLENGE_SECRET: SECRET,
    BOARD_CHALLENGE_SITE_KEY: 'key of the page',
    BOARD_APPLICATION_LIMIT: 0,
  });
  const made = await publicPosting(make);
  posting = made.posting;
  path = `/public/v1/boards/${made.code}/postings/${posting.id}`;
});
afterAll(async () => {
  await guarded.app.close();
  verifier.close();
});
beforeEach(() => {
  asked = [];
  status = 200;
  wait = 0;
  answer = () => JSON.stringify({ success: asked.at(-1)?.get('response') === 'solved' });
});

const apply = (properties: object, to = guarded): Promise<Answer> =>
  to.request('POST', `${path}/applications`, {
    token: null,
    body: {
      candidate: { firstname: 'Ada', lastname: 'Lovelace', email: `proof-${++number}@example.com` },
      token: formToken(posting.id),
      ...properties,
    },
  });
const countApplications = async (): Promise<number> =>
  (await api.get(`/applications?search=/posting/id=${posting.id}`)).items.length;
const placesIn = ({ status: code, item }: Answer): unknown => [
  code,
  (item['errors'] as readonly Item[]).map(({ path: place }) => place),
];

describe('a board with a challenge service', () => {
  test('takes an application with a proof, which the service verifies', async () => {
    const before = await countApplications();
    expect((await apply({ proof: 'solved' })).status).toBe(202);
    expect(asked.map((query) => Object.fromEntries(query))).toEqual([{ secret: SECRET, response: 'solved' }]);
    expect(await countApplications()).toBe(before + 1);
  });

  test('refuses an application without a valid proof', async () => {
    const before = await countApplications();
    expect(placesIn(await apply({}))).toEqual([422, ['/proof']]);
    expect(placesIn(await apply({ proof: '' }))).toEqual([422, ['/proof']]);
    expect(asked).toEqual([]);
    expect(placesIn(await apply({ proof: 'guessed' }))).toEqual([422, ['/proof']]);
    expect(await countApplications()).toBe(before);
  });

  test('does not use up the proof of a body with other violations', async () => {
    expect(placesIn(await apply({ proof: 'solved', token: 'none' }))).toEqual([422, ['/token']]);
    expect(placesIn(await apply({ proof: 'solved', candidate: { firstname: 'Ada' } }))).toEqual([
      422,
      ['/candidate/lastname', '/candidate/email'],
    ]);
    expect(asked).toEqual([]);
  });

  test('refuses a proof for another page, whatever the code of the service', async () => {
    answer = () => '{"success":false,"error-codes":["sitekey-secret-mismatch"]}';
    expect(placesIn(await apply({ proof: 'solved elsewhere' }))).toEqual([422, ['/proof']]);
  });

  test('adds the time of the service to the time of the answer', async () => {
    const delay = 400;
    wait = delay;
    const start = performance.now();
    expect((await apply({ proof: 'solved' })).status).toBe(202);
    // Without a challenge service, an answer takes a whole number of seconds. The delay of the service is added to this
    // time.
    expect(performance.now() - start).toBeGreaterThanOrEqual(1_000 + delay);
  });

  test.each([
    ['is not available', 500, ''],
    ['sends no JSON', 200, '<html>'],
    ['sends other JSON', 200, '{"ok":true}'],
    ['refuses the secret', 200, '{"success":false,"error-codes":["invalid-input-secret"]}'],
  ])('answers 503 while the service %s', async (_, code, body) => {
    const before = await countApplications();
    [status, answer] = [code, () => body];
    expect((await apply({ proof: 'solved' })).status).toBe(503);
    expect(guarded.log.join('')).toContain('the challenge service gave no result');
    expect(guarded.log.join('')).not.toContain(SECRET);
    expect(await countApplications()).toBe(before);
  });

  test('shows the key for the page in the form', async () => {
    const schemaOf = async (from: Api): Promise<{ properties: Item; required: readonly string[] }> =>
      (await from.request('GET', `${path}/form`, { token: null })).item['schema'] as never;
    const { properties, required } = await schemaOf(guarded);
    expect(properties['proof']).toMatchObject({ type: 'string', 'x-site-key': 'key of the page' });
    expect(required).toContain('proof');
    const { properties: without, required: others } = await schemaOf(api);
    expect(without).not.toHaveProperty('proof');
    expect(others).not.toContain('proof');
  });
});

test('a board without a challenge service takes applications without a proof', async () => {
  expect((await apply({}, api)).status).toBe(202);
  expect(asked).toEqual([]);
});
