// @group long: kills processes while candidates use activation links
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Item } from './support/api-client.js';
import { MailServer } from './support/mail-server.js';
import { Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

const WAIT_MS = 100_000;

let service: Service;
let server: MailServer;

beforeAll(async () => {
  server = await MailServer.start();
  service = await Service.start({ SMTP_URL: server.url, LOG_LEVEL: 'trace' });
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});

/** Repeats a request until the answer is below 500, as a person reloads a page. */
async function browse(address: string | URL, init: RequestInit = {}): Promise<Response> {
  let page: Response | undefined;
  await waitUntil(`${String(address)} answers`, WAIT_MS, async () => {
    page = await fetch(address, init);
    return page.status < 500;
  });
  return page as Response;
}

/** Submits the form of a page, as a browser does. The page has only one form. */
function press(page: string, address: string): Promise<Response> {
  const [, action = ''] = /<form method="post" action="([^"]*)">/.exec(page) ?? [];
  const body = new URLSearchParams();
  for (const [, name = '', value = ''] of page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g))
    body.append(name, value);
  return browse(new URL(action, address), { method: 'POST', body });
}

/** Returns the rows of all tables as one text. */
async function dump(): Promise<string> {
  const { rows: tables } = await service.database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const answers = await Promise.all(
    tables.map(({ name }) =>
      service.database.query<{ text: string | null }>(`SELECT string_agg(t::text, E'\\n') AS text FROM ${name} t`),
    ),
  );
  return answers.flatMap(({ rows }) => rows.map(({ text }) => text ?? '')).join('\n');
}

it('a candidate becomes active by opening the link in the e-mail and pressing the button', async () => {
  const email = 'ada@example.com';
  const candidate = await service.client.post('/candidates', { firstname: 'Ada', lastname: 'Byron', email });
  expect(candidate['status']).toBe('pending_activation');

  const [received] = await server.receive(1);
  expect(received?.to).toEqual([email]);
  const [, link = ''] = /<a href="([^"]+)">Activate your account<\/a>/.exec(received?.mail.html ?? '') ?? [];
  expect(received?.mail.text).toContain(link);
  const token = new URL(link).searchParams.get('token') ?? '';
  expect(token).toMatch(/^[\w-]{43}$/);

  const statusOf = async ({ id }: Item): Promise<unknown> => (await service.client.get(`/candidates/${id}`))['status'];
  const page = await browse(link);
  expect(page.status).toBe(200);
  expect(await statusOf(candidate)).toBe('pending_activation');

  await waitUntil('the e-mail is stored as sent', WAIT_MS, async () => {
    const { rows } = await service.database.query<{ status: string }>('SELECT status FROM outgoing_mails');
    return rows.length === 1 && rows[0]?.status === 'sent';
  });
  const done = await (await press(await page.text(), link)).text();
  // `press` sends the request again when the API was killed before it answered. If the killed API had activated the
  // account, the second answer is the page for an invalid link.
  const isPressedAgain =
    service.killer.count('api', 'SIGKILL') > 0 &&
    done.includes('If you have activated your account already, there is nothing more to do');
  if (!isPressedAgain) expect(done).toContain('<h1>Your account is active</h1>');
  expect(await statusOf(candidate)).toBe('active');
  const again = await service.client.request('POST', '/candidates/activate', { token });
  expect(again.status).toBe(422);

  await service.killer.stop();
  const metrics = await Promise.all(
    [...service.apis, ...service.notifiers].map(async ({ url }) => (await fetch(`${url}/metrics`)).text()),
  );
  const digits = Buffer.from(token).toString('hex');
  for (const text of [
    await dump(),
    await again.text(),
    service.outputOf('api'),
    service.outputOf('notifier'),
    ...metrics,
  ]) {
    expect(text).not.toBe('');
    expect([token, digits].filter((form) => text.includes(form))).toEqual([]);
  }
  // Checks this log entry only without kills, because a notifier can be killed between sending the e-mail and logging.
  if (service.killer.count('notifier', 'SIGKILL') === 0)
    await waitUntil('the activation is logged', WAIT_MS, () =>
      service.outputOf('notifier').includes('"activation_id"'),
    );
});
