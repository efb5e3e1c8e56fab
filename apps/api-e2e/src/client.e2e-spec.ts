// @group long: runs the examples of a README as processes, and starts Chromium
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  ApiError,
  type Change,
  changes,
  type Client,
  clientCredentials,
  createClient,
  candidatesDelete,
  documentsCreate,
  documentsGetLink,
  candidatesList,
  candidatesGetHistory,
  credentialsGetMe,
  vacanciesList,
  items,
  pages,
  candidatesPatch,
  candidatesCreate,
  candidatesQuery,
  credentialsCreate,
  vacanciesCreate,
} from '@ats/client';
import { type Message, readMessage } from '@ats/client/webhooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { subscribe } from './support/api-client.js';
import { Browser } from './support/browser.js';
import { Receiver } from './support/receiver.js';
import { SINGLE, Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

const ROOT = join(__dirname, '../../..');
const execute = promisify(execFile);

let service: Service;
let client: Client;

beforeAll(async () => {
  service = await Service.start({}, SINGLE);
  client = createClient({ baseUrl: service.client.baseUrl, token: service.client.token });
});
afterAll(() => service.stop());

let serial = 0;
const person = (lastname = 'Vandersloot') => ({
  firstname: 'Xanthippe',
  lastname,
  email: `xanthippe.${(serial += 1)}@example.com`,
});
const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('calls of the client', () => {
  it('create, read, change and delete an item', async () => {
    const { data, response } = await vacanciesCreate({ client, body: { title: 'Gardener' } });
    expect(response.status).toBe(201);
    expect(data).toMatchObject({ title: 'Gardener' });
    const found = await vacanciesList({ client, query: { search: ['/title=Gardener'] } });
    expect(found.data).toMatchObject([{ id: data.id }]);
  });

  it('give one item for a POST that is repeated with its idempotency key', async () => {
    const options = { client, body: person(), headers: { 'Idempotency-Key': 'only-once' } } as const;
    const first = await candidatesCreate(options);
    const second = await candidatesCreate(options);
    expect(second.data).toEqual(first.data);
    expect(second.response.headers.get('idempotency-replayed')).toBe('true');
  });

  it('throw the violations of an invalid body with their pointers', async () => {
    const error = await thrownBy(candidatesCreate({ client, body: { ...person(), email: 'nowhere' } }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 422,
      code: 'invalid',
      violations: [{ resource: 'candidates', path: '/email' }],
    });
  });

  it('throw the name of an invalid parameter', async () => {
    const error = await thrownBy(candidatesList({ client, query: { sort: ['lastnam'] } }));
    expect(error).toMatchObject({ status: 400, violations: [{ parameter: 'sort' }] });
  });

  it('sign in with access tokens', async () => {
    const body = { name: 'Mirror', recruiter_id: 1, scopes: ['candidates:read' as const] };
    const { data } = await credentialsCreate({ client, body });
    const { key_id: keyId, token } = data as { key_id: string; token: string };
    const signIn = clientCredentials({ keyId, token });
    const own = createClient({ baseUrl: service.client.baseUrl, signIn });
    expect((await credentialsGetMe({ client: own })).data).toMatchObject({ scopes: ['candidates:read'] });
    expect(await thrownBy(candidatesCreate({ client: own, body: person() }))).toMatchObject({ status: 403 });
  });
});

describe('an upload with the client', () => {
  const name = 'Zoë “CV”.txt';

  it('stores the bytes and the name of a file', async () => {
    const { data } = await documentsCreate({
      client,
      body: new File(['first\r\n'], name),
      query: { kind: 'cv', name },
    });
    expect(data).toMatchObject({ kind: 'cv', name, media_type: 'text/plain', size: 7 });
    const link = await documentsGetLink({ client, path: { id: (data as { id: number }).id } });
    expect(await (await fetch(link.data.url)).text()).toBe('first\r\n');
  });

  it('is refused without a kind', async () => {
    const refused = thrownBy(documentsCreate({ client, body: new Blob(['first']), query: { name } }));
    expect(await refused).toMatchObject({ status: 400, violations: [{ parameter: 'kind', code: 'missing' }] });
  });

  it('sends the file that a user has chosen in a page', async () => {
    const bundle = await build({
      stdin: { contents: `export { createClient, documentsCreate } from '@ats/client';`, resolveDir: ROOT },
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'ats',
    });
    const browser = await Browser.start();
    try {
      const { origin } = new URL(service.client.baseUrl);
      await browser.open(`${origin}/console`);
      await browser.waitFor(`location.origin === '${origin}' && document.body`);
      await browser.evaluate(`${bundle.outputFiles[0]?.text} window.ats = ats;
        document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'chosen' }));`);
      await browser.choose('#chosen', join(ROOT, 'LICENSE'));
      const stored = await browser.evaluate(`(async () => {
        const [body] = document.querySelector('#chosen').files;
        const client = ats.createClient({ baseUrl: '', token: '${service.client.token}' });
        return (await ats.documentsCreate({ client, body, query: { kind: 'other', name: body.name } })).data;
      })()`);
      expect(stored).toMatchObject({ name: 'LICENSE', size: statSync(join(ROOT, 'LICENSE')).size });
    } finally {
      await browser.stop();
    }
  });
});

describe('pages of the client', () => {
  it('contain every item once, for a GET and for a long query', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { data } = await candidatesCreate({ client, body: person('Paged') });
      ids.push((data as { id: number }).id);
    }
    const query = { search: ['/lastname=Paged'], sort: ['id!asc'], per_page: 2 };
    const found: number[] = [];
    for await (const { id } of items(candidatesList, { client, query })) found.push(id);
    expect(found).toEqual(ids);

    const sizes: number[] = [];
    const body = {
      ...query,
      search: [...query.search, `/id={${Array.from({ length: 900 }, (_, id) => id + 1).join(',')}}`],
    };
    for await (const page of pages(candidatesQuery, { client, body })) sizes.push(page.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(ids.filter((id) => id <= 900).length);
  });

  it('contain the entries of a history', async () => {
    const { data } = await candidatesCreate({ client, body: person() });
    const { id } = data as { id: number };
    await candidatesPatch({ client, path: { id }, body: { firstname: 'Robin' } });
    const types: string[] = [];
    for await (const entry of items(candidatesGetHistory, { client, path: { id } })) types.push(entry.type);
    expect(types.length).toBeGreaterThan(1);
  });
});

describe('changes that the client reads', () => {
  it('continue in order from a stored token, including changes that are made while the client waits', async () => {
    const stop = new AbortController();
    const [first] = await collect(changes({ client, resources: ['candidates'], follow: false }));
    const since = first?.next ?? '';
    const created = (await candidatesCreate({ client, body: person() })).data as { id: number };
    const found: Change[] = [];
    const following = (async () => {
      for await (const batch of changes({ client, since, signal: stop.signal })) found.push(...batch.items);
    })().catch((error: unknown) => error);
    await waitUntil('the first change', 30_000, () => found.length === 1);
    await candidatesDelete({ client, path: { id: created.id } });
    await waitUntil('the second change', 30_000, () => found.length === 2);
    stop.abort();
    expect(await following).toBe(stop.signal.reason);
    expect(found.map(({ id, change }) => [id, change])).toEqual([
      [created.id, 'created'],
      [created.id, 'deleted'],
    ]);
  });
});

it('a receiver verifies a notification with the client, and gets its typed body', async () => {
  const receiver = await Receiver.start();
  try {
    const { signing_key: key } = await subscribe(service.client, { type: 'CANDIDATE_CREATE' }, receiver.url);
    const created = (await candidatesCreate({ client, body: person() })).data as { id: number };
    const [{ body, headers } = { body: '', headers: {} }] = await receiver.receive(1);
    const message: Message = readMessage({ body, headers, keys: [key] });
    expect(message).toMatchObject({ type: 'CANDIDATE_CREATE' });
    expect(JSON.stringify(message)).toContain(`/candidates/${created.id}`);
  } finally {
    await receiver.stop();
  }
});

it('the examples of the README print the output that the README shows', async () => {
  const readme = readFileSync(join(ROOT, 'libs/client/README.md'), 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const env = { ...process.env, ATS_URL: service.client.baseUrl, ATS_TOKEN: service.client.token };
  const outputs: string[] = [];
  for (const [, code = ''] of readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
    const file = join(folder, `example-${outputs.length}.mts`);
    writeFileSync(file, code);
    outputs.push((await execute(process.execPath, [file], { cwd: folder, env })).stdout);
  }
  rmSync(folder, { recursive: true, force: true });
  expect(outputs[0]).toMatch(/^created .*\/api\/v1\/candidates\/\d+\n(Robin\n)+$/);
  expect(outputs).toContain('Gardener since 2016\n');
  expect(outputs.at(-1)).toMatch(/^(\w+\n)+$/);
});

async function collect<Item>(iterator: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of iterator) found.push(item);
  return found;
}
