// @group long: starts Chromium, and installs it when it is missing
import { freePort } from '@ats/domain/testing';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { App } from './support/app.js';
import { BusyEndpoint } from './support/busy-endpoint.js';
import { ConsolePage } from './support/console-page.js';
import { recordTasks } from './support/tasks.js';
import { waitUntil } from './support/wait-until.js';

jest.setTimeout(300_000);

const PER_SECOND = 200;
const MESSAGES = 2_000;
/** A phone is about four times slower than the machine of the test. */
const SLOWDOWN = 4;

let endpoint: BusyEndpoint;
let server: App;
let web: ConsolePage;

beforeAll(async () => {
  endpoint = await BusyEndpoint.start();
  const port = await freePort();
  server = new App({
    script: 'apps/console/dist/server/main.js',
    environment: { CONSOLE_PORT: String(port), CONSOLE_API_URL: endpoint.origin },
    url: `http://127.0.0.1:${port}`,
  });
  await server.start('live');
  web = await ConsolePage.start(server.url, { allowed: [endpoint.origin] });
  await web.signIn('token', 'webhooks/log?endpoint=1');
});
afterAll(async () => {
  await web.stop();
  await server.end('SIGTERM');
  await endpoint.stop();
});

test('the delivery log reads the list once for many messages, and renders only rows in sight', async () => {
  const { page } = web;
  await page.locator('.badge.good[role=status]').waitFor();
  const tasks = await recordTasks(page, async () => {
    const lists = endpoint.lists;
    endpoint.send(PER_SECOND);
    await waitUntil('all messages are sent', 120_000, () => Promise.resolve(endpoint.sent >= MESSAGES));
    await page.locator('tr[data-index="0"]').waitFor();
    // The page must not read the list for each message, but once for many messages.
    expect(endpoint.lists - lists).toBeLessThan(endpoint.sent / 20);
    expect(await page.locator('tr[data-index]').count()).toBeLessThan(60);
  });
  // These figures are printed but not checked, because a busy machine needs longer.
  console.log(`delivery log, ${PER_SECOND} deliveries/s, ${endpoint.sent} messages: ${tasks}`);
  expect(web.faults).toEqual([]);
});

test('the delivery log is interactive after its first load', async () => {
  const { page } = web;
  const session = await page.context().newCDPSession(page);
  for (const rate of [1, SLOWDOWN]) {
    await session.send('Emulation.setCPUThrottlingRate', { rate });
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      await page.goto('about:blank');
      const startedAt = performance.now();
      await page.goto(`${server.url}/console/webhooks/log?endpoint=1`, { waitUntil: 'commit' });
      await page.locator('tr[data-index="0"]').waitFor();
      await page.locator('select[name=status]').focus();
      times.push(Math.round(performance.now() - startedAt));
    }
    console.log(`interactive with a processor ${rate} times slower, ms: ${times.join(', ')}`);
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  expect(web.faults).toEqual([]);
});
