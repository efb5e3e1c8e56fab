// @group long: starts Chromium, and installs it when it is missing
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type Item } from './support/api-client.js';
import { makeCertificate } from './support/certificate.js';
import { ConsolePage } from './support/console-page.js';
import { deliverApplication } from './support/delivered-application.js';
import { Receiver } from './support/receiver.js';
import { SINGLE, Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

jest.setTimeout(300_000);

const WAIT_MS = 60_000;

let service: Service;
let receiver: Receiver;
let web: ConsolePage;
let application: Item;
let topic: Item;
let endpoint: Item;

beforeAll(async () => {
  [service, receiver] = await Promise.all([Service.start({}, SINGLE), Receiver.start()]);
  const { client } = service;
  ({ application, topic, endpoint } = await deliverApplication(client, receiver.url));
  web = await ConsolePage.start(new URL(client.baseUrl).origin);
  await web.signIn(client.token);
});
afterAll(async () => {
  await web.stop();
  await receiver.stop();
  await service.stop();
});

it('the overview and an endpoint show their attempts and latencies as charts and as tables', async () => {
  await web.open('webhooks');
  await web.page.locator('.figure', { hasText: 'Endpoints' }).getByText('1', { exact: true }).waitFor();
  expect(await web.figuresOf('Attempts of the last day')).toMatch(/\t1\t0(\n|$)/);
  expect(await web.figuresOf('Success rate')).toMatch(/\t100(\n|$)/);
  expect(await web.figuresOf('Backlog by endpoint')).toMatch(/\t0(\n|$)/);
  // A chart that has only one bar shows the name of the bar only once.
  const axis = web.page.locator('ats-chart', { hasText: 'Backlog by endpoint' }).locator('.axis bdi');
  expect(await axis.last().innerText()).toBe('');
  await web.open(`webhooks/endpoints/${endpoint.id}`);
  expect(await web.figuresOf('Attempts of the last day')).toMatch(/\t1\t0(\n|$)/);
  expect(await web.figuresOf('Latency')).toMatch(/\t\d[\d,.]*\t\d[\d,.]*(\n|$)/);
  expect(await web.axe()).toEqual([]);
});

it('an integrator sends a test message and rotates the signing key by keyboard', async () => {
  const { page } = web;
  await web.open(`webhooks/endpoints/${endpoint.id}`);
  const before = receiver.messages.length;
  await web.press('Send a test message');
  await waitUntil('the test message arrives', WAIT_MS, () => Promise.resolve(receiver.messages.length > before));
  await web.press('Rotate the key');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Seconds for which the old key stays valid').fill('60');
  expect(await web.axe()).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByText('The key is being rotated.').waitFor();
  for (const key of ['Signing key', 'Next key']) await page.getByRole('button', { name: `Show: ${key}` }).waitFor();
  const { next_signing_key: next } = await service.client.get(`/notification_endpoints/${endpoint.id}`);
  expect(typeof next).toBe('string');
});

it('an integrator stores a client certificate by keyboard, and each refused field shows the reason', async () => {
  const { page } = web;
  const [pair, other, expired] = [makeCertificate(), makeCertificate(), makeCertificate(-1)];
  await web.open(`webhooks/endpoints/${endpoint.id}`);
  await page.locator('#field-authentication').selectOption('client_certificate');
  await web.press('Add a certificate');
  const dialog = page.getByRole('dialog');
  const store = async (certificate: string, key: string): Promise<void> => {
    await dialog.getByLabel('Certificate (PEM)').fill(certificate);
    await dialog.getByLabel('Private key (PEM)').fill(key);
    await dialog.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
  };
  await dialog.getByLabel('Name').fill('Bank');
  await store(pair.cert, other.key);
  await dialog.locator('#error-private_key:not(:empty)').waitFor();
  await store(expired.cert, expired.key);
  await dialog.locator('#error-certificate:not(:empty)').waitFor();
  expect(await web.axe()).toEqual([]);
  await store(pair.cert, pair.key);
  await dialog.waitFor({ state: 'detached' });
  const [certificate] = await service.client.get<Item[]>('/client_certificates');
  // The form shows the new certificate and has selected it.
  await page.getByText('CN=localhost').first().waitFor();
  expect(await page.locator('#field-certificate_id').inputValue()).toBe(String(certificate?.id));
  expect(await web.axe()).toEqual([]);
  await web.press('Save');
  await page.locator('.toast[data-shown]').waitFor();
  expect(await service.client.get(`/notification_endpoints/${endpoint.id}`)).toMatchObject({
    authentication: { type: 'client_certificate', certificate_id: certificate?.id },
  });
  await page.getByRole('link', { name: 'Show or renew the certificate' }).click();
  await page.getByRole('heading', { name: 'Bank' }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Private key').fill(other.key);
  await web.press('Save');
  await page.locator('#error-private_key:not(:empty)').waitFor();
  await web.open(`webhooks/endpoints/${endpoint.id}`);
  await page.locator('#field-authentication').selectOption('none');
  await web.press('Save');
  await page.locator('.toast[data-shown]').waitFor();
});

it('the preview of a topic shows the past events that match, and the values of each event', async () => {
  const { page } = web;
  await web.open(`webhooks/topics/${topic.id}`);
  await web.press('Preview with past events');
  await page.getByText('1 of 1 events match.').waitFor();
  const event = page.locator('ats-topic-form details.card');
  await event.locator('summary').focus();
  await page.keyboard.press('Enter');
  expect(await event.locator('dl').innerText()).toMatch(new RegExp(`application.id\\s+${application.id}`));
  expect(await web.axe()).toEqual([]);
});

it('a user saves a search, uses it again, shows a layout, and counts by a value', async () => {
  const { page } = web;
  await service.client.post('/layouts', {
    name: 'Names',
    resource: 'candidates',
    columns: [{ title: 'Family name', datapath: 'candidate.lastname' }],
  });
  await web.open('data/candidates#search=candidate.lastname%3DVandersloot');
  await web.press('Save this search');
  await page.getByRole('dialog').getByLabel('Name').fill('Family');
  await page.keyboard.press('Enter');
  await page.waitForURL(/saved_search=\d+/);
  const [saved] = await service.client.get<Item[]>('/saved_searches');
  expect(saved).toMatchObject({ name: 'Family', search: ['candidate.lastname=Vandersloot'] });
  await web.open('data/candidates');
  await page.getByLabel('Saved search').selectOption({ label: 'Family' });
  await page.waitForURL(new RegExp(`saved_search=${saved?.id}`));
  await page.getByLabel('Layout').selectOption({ label: 'Names' });
  await page.getByRole('columnheader', { name: 'Family name' }).waitFor();
  await page.locator('tbody', { hasText: 'Vandersloot' }).waitFor();
  await page.getByLabel('Count by').selectOption('candidate.lastname');
  const bars = page.locator('.bars li', { hasText: 'Vandersloot' });
  expect(await bars.innerText()).toMatch(/1$/);
  expect(await web.axe()).toEqual([]);
});

it('the list of collections shows its API call', async () => {
  await web.open('data');
  await web.press('Show the API call');
  await web.page.getByRole('dialog').locator('pre', { hasText: "/openapi.json'" }).waitFor();
});

it('a user stores the chosen columns as a layout, and the table uses it', async () => {
  const { page } = web;
  await web.open('data/candidates#columns=id,lastname,updated_dt');
  await web.press('Save the columns as a layout');
  await page.getByRole('dialog').getByLabel('Name').fill('Changes');
  expect(await web.axe()).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL(/layout=\d+/);
  await page.getByRole('columnheader', { name: 'Lastname' }).waitFor();
  await page.locator('tbody', { hasText: 'Vandersloot' }).waitFor();
  const [layout] = await service.client.get<Item[]>('/layouts?search=layout.name=Changes');
  expect(layout).toMatchObject({
    columns: [
      { title: 'ID', datapath: 'candidate.id' },
      { title: 'Lastname', datapath: 'candidate.lastname' },
      { title: 'Updated', datapath: 'candidate.updated_dt' },
    ],
  });
});

it('a user writes a message about an application, with a preview of its placeholders', async () => {
  const { page } = web;
  await web.open(`applications/applications/${application.id}`);
  const messages = page.getByRole('region', { name: 'Messages' });
  await messages.getByLabel('Type').selectOption('note');
  await messages.getByLabel('Text').fill('Called {{ application.user.lastname }}');
  await messages.getByRole('button', { name: 'Preview' }).click();
  await messages.getByText('Called Vandersloot').waitFor();
  await messages.getByLabel('Text').fill('Called back');
  await messages.getByRole('button', { name: 'Send' }).focus();
  await page.keyboard.press('Enter');
  await messages.locator('li', { hasText: 'Called back' }).waitFor();
  const parts = messages.locator('li', { hasText: 'Called back' }).locator('.muted bdi');
  expect((await parts.allInnerTexts()).slice(0, 2)).toEqual(['Note', 'outgoing']);
});

it('an administrator publishes a board, changes the settings, and finds both in the audit log', async () => {
  const { page } = web;
  const board = await service.client.post('/job_boards', { code: 'main', name: 'Main board' });
  await web.open('administration/boards');
  await page.getByLabel('Public Main board').focus();
  await page.keyboard.press('Space');
  await page.getByRole('link', { name: /Open postings.*Main board/ }).waitFor();
  expect(await service.client.get(`/job_boards/${board.id}`)).toMatchObject({ is_public: true });
  await web.open('administration/system');
  await web.press('Edit');
  await page.getByLabel('Name', { exact: true }).fill('Garden centre');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Garden centre' }).waitFor();
  await web.open('administration/audit');
  const entry = page.locator('tbody tr', { hasText: 'settings' }).first();
  await entry.waitFor();
  // An audit entry has only the id of its credential. The table reads the name of the credential.
  const { name } = await service.client.get<Item & { name: string }>('/me');
  await entry.getByRole('link', { name, exact: true }).waitFor();
  await entry.getByRole('link', { name: /^Recruiter #\d+$/ }).waitFor();
  await entry.getByRole('rowheader').getByRole('link').click();
  await page.getByRole('link', { name: /^System #\d+$/ }).waitFor();
  // No credential can change an entry, so the page does not say that another credential could.
  expect(await page.getByText('Your credential may not change this.').count()).toBe(0);
});

it.each(['en', 'ar'])('the parts of boards begin at the same place in each row, in %s', async (language) => {
  const { page } = web;
  await service.client.post('/job_boards', { code: `closed-${language}`, name: 'Closed board', is_active: false });
  await page.locator('header select').first().selectOption(language);
  await web.open('administration/boards');
  await page.locator(`[data-board=closed-${language}] .badge`).waitFor();
  const starts = await page.evaluate<number[][]>(BOARD_STARTS);
  expect(starts.length).toBeGreaterThan(1);
  expect(new Set(starts.map(String)).size).toBe(1);
  expect(starts[0]?.[0]).toBeLessThan(30);
  await page.locator('header select').first().selectOption('en');
});

/** Maps a language to the label of the value `personal_data_read` of audit entries. */
const READ: Readonly<Record<string, string>> = {
  en: 'Personal data read',
  de: 'Personenbezogene Daten gelesen',
  fr: 'Données personnelles lues',
  es: 'Datos personales leídos',
  ar: 'قُرئت بيانات شخصية',
};

it.each([
  ['de', 'ltr', 'Endpunkte'],
  ['fr', 'ltr', 'Points de réception'],
  ['es', 'ltr', 'Destinos'],
  ['ar', 'rtl', 'نقاط الاستقبال'],
  ['en', 'ltr', 'Endpoints'],
])('the views have texts in the language %s, and are not wider than a phone', async (language, direction, title) => {
  const { page } = web;
  await page.locator('header select').first().selectOption(language);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of [`webhooks/endpoints/${endpoint.id}`, 'data/candidates', 'administration/credentials']) {
    await web.open(path);
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([
      language,
      direction,
    ]);
    // The column headings of the tables are translated, too.
    if (language === 'de' && path.startsWith('data/'))
      await page.getByRole('columnheader', { name: 'Nachname' }).waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect({ path, fits: Number(width) <= 390 }).toEqual({ path, fits: true });
  }
  await web.open('webhooks/endpoints');
  expect(await page.locator('main h1').innerText()).toBe(title);
  // The descriptions of all collections are translated, and so are the values of closed lists.
  await web.open('data');
  await page.locator('.collections li').first().waitFor();
  expect(await page.locator('main [lang=en]').count()).toBe(0);
  await web.open('data/audit_entries');
  await page
    .locator('tbody td', { hasText: READ[language] ?? '' })
    .first()
    .waitFor();
  await page.setViewportSize({ width: 1280, height: 900 });
});

/** Returns the distances in pixels of the name, the code and the switch of each board from the start of its row. */
const BOARD_STARTS = `[...document.querySelectorAll('[data-board]')].map((row) => {
  const outer = row.getBoundingClientRect();
  return ['a bdi', '.code bdi', 'input'].map((part) => {
    const inner = row.querySelector(part).getBoundingClientRect();
    return Math.round(document.documentElement.dir === 'rtl' ? outer.right - inner.right : inner.left - outer.left);
  });
})`;

it('no view caused a script error, a violation of the policy, or a request to another origin', () => {
  expect(web.faults).toEqual([]);
});
