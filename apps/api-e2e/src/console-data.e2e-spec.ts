// @group long: starts Chromium, and installs it when it is missing
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { applyTo, type Item, openVacancy } from './support/api-client.js';
import { ConsolePage } from './support/console-page.js';
import { SINGLE, Service } from './support/service.js';
import { FRAMES, recordTasks, SCROLL } from './support/tasks.js';

jest.setTimeout(300_000);

let service: Service;
let browser: ConsolePage;
let origin: string;
let vacancy: Item;
let application: Item;

beforeAll(async () => {
  service = await Service.start({}, SINGLE);
  vacancy = await openVacancy(service.client);
  application = await applyTo(service.client, vacancy);
  origin = new URL(service.client.baseUrl).origin;
  browser = await ConsolePage.start(origin);
  await browser.signIn(service.client.token, 'data');
});
afterAll(async () => {
  await browser.stop();
  await service.stop();
});

it('the datapaths of a collection are loaded only for its query builder, because they use up the rate limit', async () => {
  const { page } = browser;
  const asked: string[] = [];
  const note = (request: { url(): string }): void => void asked.push(new URL(request.url()).pathname);
  page.on('request', note);
  await browser.open('data/candidates');
  await page.getByText('Items: 1', { exact: true }).waitFor();
  expect(asked).toContain('/api/v1/candidates');
  expect(asked).not.toContain('/api/v1/datapaths');
  const request = page.waitForRequest('**/api/v1/datapaths?**');
  await page.getByText('Search and columns').click();
  await request;
  page.off('request', note);
});

it('a user filters a collection, opens an item by keyboard, and sees an error at its field', async () => {
  const { page, faults } = browser;
  await browser.open('data/candidates');
  await page.getByText('Items: 1', { exact: true }).waitFor();
  await page.getByText('Search and columns').click();
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByLabel('Datapath').fill('candidate.last');
  await page.locator('datalist option[value="candidate.lastname"]').waitFor({ state: 'attached' });
  await page.getByLabel('Datapath').fill('candidate.lastname');
  await page.getByLabel('Value', { exact: true }).fill('Vandersloot');
  await page.getByLabel('Value', { exact: true }).press('Tab');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/#search=candidate.lastname%3DVandersloot/);
  await page.reload();
  await page.getByText('Items: 1', { exact: true }).waitFor();

  await page.getByRole('region', { name: 'Candidates' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.locator('tbody a:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Xanthippe Vandersloot' }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Email', { exact: true }).first().fill('no address');
  await page.getByRole('button', { name: 'Save' }).click();
  const field = page.locator('[data-path="/email"]');
  await field.locator('.error:not(:empty)').waitFor();
  await field.getByRole('textbox').fill('x.vandersloot@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('x.vandersloot@example.com').waitFor();
  expect(faults).toEqual([]);
});

it('the table has the chosen columns in the chosen order', async () => {
  const { page } = browser;
  await browser.open('data/candidates#columns=id');
  await page.getByText('Search and columns').click();
  // In the representation, the first name is before the last name.
  for (const name of ['Lastname', 'Firstname']) await page.getByLabel(name, { exact: true }).check();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/columns=id%2Clastname%2Cfirstname$/);
  const headings = page.getByRole('region', { name: 'Candidates' }).getByRole('columnheader');
  expect(await headings.allInnerTexts()).toEqual(['ID', 'Lastname', 'Firstname']);
});

it('the console completes the expression of a search', async () => {
  const { page } = browser;
  await browser.open('data/applications');
  await page.getByText('Search and columns').click();
  await page.locator('ats-expression-editor button:enabled').waitFor();
  await page.locator('#expression').focus();
  await page.keyboard.type('application.i');
  await page.locator('.cm-tooltip-autocomplete [role=option]', { hasText: 'id' }).first().waitFor();
  await page.keyboard.type('d>0');
  await page.keyboard.press('Shift+Alt+f');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/where=application.id/);
  await page.getByText('Items: 1', { exact: true }).waitFor();
});

it('the console shows which applications match a scoring rule while it is typed, and stores the rule', async () => {
  const { page, faults } = browser;
  await browser.open(`data/vacancies/${vacancy.id}`);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const rules = page.locator('ats-scoring-rules');
  await rules.locator('#expression').focus();
  await page.keyboard.type('application.id > 0');
  const match = rules.locator('ats-object-preview li', { hasText: `application.id = ${application.id}` });
  await match.getByRole('link', { name: /^Xanthippe Vandersloot: / }).waitFor();
  await rules.getByLabel('Points').fill('7');
  expect(await browser.axe()).toEqual([]);
  const shots = process.env['CONSOLE_SCREENSHOTS'];
  if (shots) await page.screenshot({ path: `${shots}/scoring-rules.png`, fullPage: true });
  // The console shows only the first line of an error. The service also sends lines that mark the position.
  await rules.locator('.cm-content').fill('application.idd > 0');
  await rules.getByRole('button', { name: 'Save' }).click();
  const error = rules.locator('ats-expression-editor #error', { hasText: 'idd' });
  await error.waitFor();
  expect(String(await error.textContent()).trim()).not.toContain('\n');
  await rules.locator('.cm-content').fill('application.id > 0');
  await rules.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect((await service.client.get(`/vacancies/${vacancy.id}`))['scoring_rules']).toEqual([
    { expression: 'application.id > 0', points: 7 },
  ]);
  expect(faults).toEqual([]);
});

it('the console exports the items of the query that is shown', async () => {
  const { page } = browser;
  await browser.open('data/candidates#search=%2Flastname%3DNobody');
  // Removes the file dialog of the operating system, which a test cannot answer. The console then downloads the file.
  await page.evaluate('delete window.showSaveFilePicker; delete Window.prototype.showSaveFilePicker');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  expect(text.split('\r\n').map((line) => line.split(',')[0])).toEqual(['id', '']);
  await browser.open('data/candidates');
  await page.evaluate('delete window.showSaveFilePicker; delete Window.prototype.showSaveFilePicker');
  const list = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export JSON' }).click();
  expect((await list).suggestedFilename()).toBe('candidates.json');
  const items = JSON.parse(readFileSync(await (await list).path(), 'utf8')) as Item[];
  expect(items).toMatchObject([{ lastname: 'Vandersloot' }]);
});

it('a user moves an application, and its timeline shows the move', async () => {
  const { page } = browser;
  await browser.open(`applications/applications/${application.id}`);
  await page.getByLabel('Comment on the move').fill('Looks good');
  await page.getByRole('button', { name: 'Interview', exact: true }).click();
  await page.getByRole('region', { name: 'Timeline' }).getByText('Looks good').waitFor();
  expect(await service.client.get(`/applications/${application.id}/process_state`)).toMatchObject({
    state: 'interview',
  });
});

it('a question of a form appears when the typed answers fulfil its condition', async () => {
  const { page } = browser;
  const own = await applyTo(service.client, await openVacancy(service.client));
  const { opportunity } = await service.client.get<{ opportunity: Item }>(`/applications/${own.id}`);
  await service.client.post('/forms', {
    name: 'Screening',
    resource: 'applications',
    opportunity_ids: [opportunity.id],
    sections: [
      {
        name: 'Licence',
        items: [
          { key: 'licence', label: 'Licence', type: 'boolean' },
          { key: 'since', label: 'Years', type: 'integer', visible_if: 'application.formdata.licence == true' },
        ],
      },
    ],
  });
  await browser.open(`applications/applications/${own.id}`);
  const years = page.getByLabel('Years', { exact: true });
  await years.waitFor({ state: 'detached' });
  await page.getByLabel('Licence', { exact: true }).selectOption({ label: 'Yes' });
  await years.fill('4');
  await page.getByRole('button', { name: 'Save the answers' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await page.getByLabel('Licence', { exact: true }).selectOption({ label: 'No' });
  await years.waitFor({ state: 'detached' });
});

it('a table of 10,000 rows scrolls to its end', async () => {
  const { page } = browser;
  await service.database.query(
    `INSERT INTO users (firstname, lastname, email, status, type)
     SELECT 'Row', 'Number' || n, 'row' || n || '@example.com', 'active', 'candidate' FROM generate_series(1, 10000) n`,
  );
  await browser.open('data/candidates');
  await page.getByText(/^Items: 10,0/).waitFor();
  const tasks = await recordTasks(page, () => page.evaluate<undefined>(SCROLL));
  // The test prints these figures but does not check them, because a busy machine needs longer.
  console.log(`${FRAMES} frames of scrolling: ${tasks}`);
  await page.getByRole('region', { name: 'Candidates' }).focus();
  await page.keyboard.press('End');
  await page.getByText('row10000@example.com').waitFor();
});

it('the page of an item shows lists of objects and nested collections as tables', async () => {
  const { page } = browser;
  const { client } = service;
  const topic = await client.post('/notification_topics', { name: 'Below', type: 'APPLICATION_CREATE' });
  await client.post(`/notification_topics/${topic.id}/subscriptions`, { destination_url: 'https://example.com/below' });
  await browser.open(`data/notification_topics/${topic.id}`);
  const below = page.locator('section', { has: page.getByRole('heading', { name: 'Subscriptions', exact: true }) });
  await below.locator('tbody tr', { hasText: 'https://example.com/below' }).waitFor();
  expect(await browser.axe()).toEqual([]);
  const layout = await client.post('/layouts', {
    name: 'Two',
    resource: 'candidates',
    columns: [
      { title: 'Family name', datapath: 'candidate.lastname' },
      { title: 'First', datapath: 'candidate.firstname' },
    ],
  });
  await browser.open(`data/layouts/${layout.id}`);
  const rows = page.getByRole('region', { name: 'Columns' }).locator('tbody tr');
  await rows.filter({ hasText: 'Family name' }).filter({ hasText: 'candidate.lastname' }).waitFor();
  expect(await rows.count()).toBe(2);
  expect(await browser.axe()).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 900 });
});

it('the console shows a new token once, and can revoke its credential', async () => {
  const { page } = browser;
  await browser.open('administration/credentials');
  await page.getByRole('button', { name: 'New credential' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Report');
  await dialog.getByLabel('candidates:read', { exact: true }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  const token = await dialog.locator('pre').textContent();
  await page.keyboard.press('Escape');
  // Waits for the element, because a closed dialog no longer has a role, and the page removes it a moment later.
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(String(token));
  await page.getByRole('button', { name: 'Revoke Report' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Revoked', { exact: true }).waitFor();
});

it('the console shows and requests only what the scopes of the credential allow', async () => {
  const { token } = await service.client.post('/credentials', { name: 'Narrow', scopes: ['vacancies:read'] });
  const narrow = await ConsolePage.start(origin);
  try {
    const { page } = narrow;
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await narrow.signIn(String(token), 'data');
    await page.getByRole('link', { name: 'Vacancies', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Candidates', exact: true }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Credentials' }).count()).toBe(0);
    await narrow.open('data/candidates');
    await page.getByText('There is no such collection').waitFor();
    await narrow.open(`data/vacancies/${vacancy.id}`);
    await page.getByText('Your credential may not change this.').waitFor();
    expect(requests.filter((url) => url.includes('/api/v1/candidates'))).toEqual([]);
    expect(narrow.faults).toEqual([]);
  } finally {
    await narrow.stop();
  }
});

const VIEWS = () => [
  'data',
  'data/vacancies',
  `data/vacancies/${vacancy.id}`,
  `applications/applications/${application.id}`,
  'administration/credentials',
  'administration/audit',
  'administration/system',
  'administration/boards',
];
it.each([
  ['en', 'light'],
  ['en', 'dark'],
  ['ar', 'light'],
  ['ar', 'dark'],
])('the accessibility checker axe finds no violation in %s, %s', async (language, theme) => {
  const { page, faults } = browser;
  await page.evaluate(`localStorage.setItem('ats-console-language', '${language}')`);
  await page.evaluate(`localStorage.setItem('ats-console-theme', '${theme}')`);
  for (const path of VIEWS()) {
    await browser.open(path);
    const loading = page.locator('main').getByText(/^(Loading|جارٍ)/);
    while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'hidden' });
    expect({ path, violations: await browser.axe(), faults }).toEqual({ path, violations: [], faults: [] });
  }
});
