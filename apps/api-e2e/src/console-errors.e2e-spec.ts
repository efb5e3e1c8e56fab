// @group long: starts Chromium, and installs it when it is missing
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { applyTo, type Item, openVacancy } from './support/api-client.js';
import { ConsolePage } from './support/console-page.js';
import { SINGLE, Service } from './support/service.js';

jest.setTimeout(300_000);

let service: Service;
let web: ConsolePage;
let origin: string;
let application: Item;
let topic: Item;

beforeAll(async () => {
  service = await Service.start({}, SINGLE);
  const { client } = service;
  application = await applyTo(client, await openVacancy(client));
  topic = await client.post('/notification_topics', { name: 'Applications', type: 'APPLICATION_CREATE' });
  origin = new URL(client.baseUrl).origin;
  web = await ConsolePage.start(origin);
  await web.signIn(client.token, 'data');
});
afterEach(async () => {
  await web.page.context().setOffline(false);
  await web.page.unrouteAll();
});
afterAll(async () => {
  await web.stop();
  await service.stop();
});

const answer = (status: number, errors: readonly object[] = []) => ({
  status,
  json: { message: 'made up', request_id: 'request-1', errors },
});

/** Runs a test in a browser of its own, signed in with a credential that has only these scopes. */
async function withScopes(scopes: readonly string[], test: (narrow: ConsolePage) => Promise<void>): Promise<void> {
  const { token } = await service.client.post<Item & { token: string }>('/credentials', { name: 'Narrow', scopes });
  const narrow = await ConsolePage.start(origin);
  try {
    await narrow.signIn(token);
    await test(narrow);
    expect(narrow.faults).toEqual([]);
  } finally {
    await narrow.stop();
  }
}

/** The client sends each request at most three times. */
const ATTEMPTS = 3;
const tryAgain = () => web.page.getByRole('button', { name: 'Try again' });

it('a page of a table that could not be loaded is requested again only when the user tries again', async () => {
  const { page } = web;
  await service.database.query(
    `INSERT INTO users (firstname, lastname, email, status, type)
     SELECT 'Row', 'Number' || n, 'row' || n || '@example.com', 'active', 'candidate' FROM generate_series(1, 1000) n`,
  );
  const pages: string[] = [];
  await page.route('**/api/v1/candidates?*', (route) => {
    const number = new URL(route.request().url()).searchParams.get('page') ?? '1';
    pages.push(number);
    return number === '1' ? route.continue() : route.fulfill(answer(400));
  });
  await web.open('data/candidates');
  await page.getByText(/^Items: 1,001/).waitFor();
  await page.getByRole('region', { name: 'Candidates' }).focus();
  await page.keyboard.press('End');
  await tryAgain().waitFor();
  await page.getByText('Not loaded').first().waitFor();
  // The view renders several times after the error. No rendering may request the page again.
  await page.evaluate(FRAMES);
  const failed = pages.filter((number) => number !== '1');
  expect(failed).toHaveLength(new Set(failed).size);
  await page.unrouteAll();
  await tryAgain().click();
  await page.getByText('row1000@example.com').waitFor();
  expect(await page.locator('.problem').count()).toBe(0);
});

it('the data area can be loaded again after an error', async () => {
  const { page } = web;
  for (const [path, route, text] of [
    ['data/candidates', '**/api/v1/candidates?*', 'Xanthippe'],
    ['data', '**/openapi.json*', 'Vacancies'],
    ['data/candidates', '**/openapi.json*', 'Xanthippe'],
    ['data/candidates', '**/api/v1/schemas/candidates', 'Xanthippe'],
  ] as const) {
    await page.route(route, (request) => request.fulfill(answer(503)));
    await web.open(path);
    await page.locator('.problem', { hasText: 'request-1' }).waitFor();
    await page.unrouteAll();
    await tryAgain().click();
    await page.locator('main').getByText(text, { exact: true }).first().waitFor();
    expect(await page.locator('.problem').count()).toBe(0);
  }
});

it('a page of one item that could not be loaded has a heading', async () => {
  const { page } = web;
  const body = { name: 'Broken', destination_url: 'https://example.com/' };
  const endpoint = await service.client.post('/notification_endpoints', body);
  for (const path of [
    `webhooks/topics/${topic.id}`,
    `webhooks/endpoints/${endpoint.id}`,
    `applications/applications/${application.id}`,
    `data/applications/${application.id}`,
  ]) {
    await page.route(/\/api\/v1\/\w+\/\d+$/, (request) => request.fulfill(answer(503)));
    await web.open(path);
    await page.locator('.problem', { hasText: 'request-1' }).first().waitFor();
    expect(await web.axe()).toEqual([]);
    await page.unrouteAll();
  }
});

it('a view that could not be loaded offline is loaded when the browser is online again', async () => {
  const { page } = web;
  await web.open('data/candidates');
  await page.getByText(/^Items: /).waitFor();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.context().setOffline(true);
  await page.getByRole('region', { name: 'Candidates' }).focus();
  await page.keyboard.press('End');
  await tryAgain().waitFor();
  await page.evaluate(FRAMES);
  const counts = new Map<string, number>();
  for (const url of requests) counts.set(url, (counts.get(url) ?? 0) + 1);
  expect(Math.max(...counts.values())).toBeLessThanOrEqual(ATTEMPTS);
  await page.context().setOffline(false);
  await page.getByText('row1000@example.com').waitFor();
  await tryAgain().waitFor({ state: 'detached' });
});

it('the console says when an address has no view, or no application', async () => {
  const { page } = web;
  for (const path of [`candidates/${application.id}`, 'applications/999999', 'nothing/1']) {
    await web.open(`applications/${path}`);
    await page.getByText('There is no such application').waitFor();
  }
  for (const path of ['applications/applications/abc', 'webhooks/endpoints/abc']) {
    await web.open(path);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  }
  expect(web.faults).toEqual([]);
});

it('the page of an application leaves out the timeline without the scope of the history', async () => {
  await withScopes(['applications:read'], async ({ page, errors }) => {
    await page.goto(`${origin}/console/applications/applications/${application.id}`);
    await page.getByText('All properties').waitFor();
    expect(await page.getByRole('heading', { name: 'Timeline' }).count()).toBe(0);
    expect(errors).toEqual([]);
  });
});

it('a topic can be read, but not changed or previewed, without the scope to write', async () => {
  await withScopes(['notifications:read'], async (narrow) => {
    const { page } = narrow;
    expect(await page.locator('main').getByRole('link', { name: 'Subscribe' }).count()).toBe(0);
    await narrow.open(`webhooks/topics/${topic.id}`);
    await page.locator('dd', { hasText: 'APPLICATION_CREATE' }).waitFor();
    expect(await page.locator('main').getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Preview with past events' }).count()).toBe(0);
    expect(await narrow.axe()).toEqual([]);
    await narrow.open('webhooks/topics/new');
    expect(await page.locator('main').textContent()).toContain('notifications:create');
  });
});

it('the form of a new credential offers only scopes that the user has, and shows an error below them', async () => {
  await withScopes(['credentials:read', 'credentials:create', 'vacancies:write'], async (narrow) => {
    const { page } = narrow;
    await narrow.open('administration/credentials');
    await page.getByRole('button', { name: 'New credential' }).click();
    const dialog = page.getByRole('dialog');
    const scopes = dialog.getByRole('checkbox');
    await scopes.first().waitFor();
    const offered = await Promise.all((await scopes.all()).map((scope) => scope.getAttribute('value')));
    expect(offered).toEqual(expect.arrayContaining(['credentials:read', 'vacancies:write', 'vacancies:create']));
    expect(offered.filter((scope) => !/^(credentials|vacancies):/.test(scope ?? ''))).toEqual([]);
    await dialog.getByLabel('Name').fill('Report');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.locator('#error-scopes:not(:empty)').waitFor();
    expect(await narrow.axe()).toEqual([]);
  });
});

it('a double click on the button of a form creates one topic', async () => {
  const { page } = web;
  const created: string[] = [];
  page.on('request', (request) => void (request.method() === 'POST' && created.push(new URL(request.url()).pathname)));
  await web.open('webhooks/topics/new');
  await page.getByLabel('Name').fill('Created once');
  await page.getByRole('button', { name: 'Create the topic' }).dblclick();
  await page.waitForURL(/\/topics\/\d+$/);
  expect(created.filter((path) => path === '/api/v1/notification_topics')).toHaveLength(1);
});

it('a typed condition stays when a user sorts the table, until the user resets the query', async () => {
  const { page } = web;
  await web.open('data/candidates');
  await page.getByText('Search and columns').click();
  await page.getByRole('button', { name: 'Add condition' }).click();
  const value = page.getByLabel('Value', { exact: true });
  await value.fill('Vandersloot');
  await page.getByRole('columnheader').getByRole('button').first().click();
  await page.waitForURL(/sort=/);
  await page.locator('th[aria-sort=ascending]').waitFor();
  expect(await value.inputValue()).toBe('Vandersloot');
  await page.getByRole('button', { name: 'Reset' }).click();
  await value.waitFor({ state: 'detached' });
});

it('the title of the window names the collection, and the item by its id', async () => {
  const { page } = web;
  const { id } = application['user'] as Item;
  await web.open('data/candidates');
  await page.waitForFunction('document.title === "Candidates · Console"');
  await web.open(`data/candidates/${id}`);
  await page.waitForFunction(`document.title === "Candidate #${id} · Console"`);
});

it('the menu of a phone has a name, and the Escape key closes it', async () => {
  const { page } = web;
  await page.setViewportSize({ width: 390, height: 844 });
  await web.open('data');
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  await menu.click();
  await page.getByRole('navigation').getByRole('link', { name: 'Data' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('navigation').waitFor({ state: 'hidden' });
  await page.locator('.menu-button:focus').waitFor();
  expect(await web.axe()).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
});

/** Waits for ten frames. */
const FRAMES = `(async () => {
  for (let frame = 0; frame < 10; frame += 1) await new Promise(requestAnimationFrame);
})()`;
