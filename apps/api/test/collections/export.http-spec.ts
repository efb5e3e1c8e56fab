// @group sample: npm test runs a quarter of its tests
import { connect, type Socket } from 'node:net';
import { Database } from '@ats/postgres';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Exports } from '../../src/collections/exports.js';
import { type Answer, type Item } from '../support/answer.js';
import { eventually } from '../support/eventually.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const NDJSON = 'application/x-ndjson';
const lines = ({ text }: Answer): readonly Item[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Item);
const accept = (type: string, version?: string) => ({
  headers: { accept: type, ...(version !== undefined && { 'api-version': version }) },
});
const rows = ({ text }: Answer): readonly string[] => text.split('\r\n').slice(0, -1);
const openExports = (): number => api.app.get(Database).exporting.state('exporting').busy;

let vacancies: readonly Item[];

beforeAll(async () => {
  const made: Item[] = [];
  for (const [title, department] of [
    ['=1+1', 'A'],
    ['Two, "three"', 'B'],
    ['-5', 'A'],
    ['plain', '@b'],
  ] as const)
    made.push(await make.vacancy({ title, department }));
  vacancies = made;
});

describe('an export as NDJSON', () => {
  test('has each item of all pages as a line, in the representation of pages and in the order of id', async () => {
    const page = expectStatus(200, await api.get('/vacancies?sort=id!asc')).items;
    const answer = expectStatus(200, await api.get('/vacancies', accept(NDJSON)));
    expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(lines(answer)).toEqual(page);
    expect(lines(expectStatus(200, await api.get('/vacancies?format=ndjson')))).toEqual(page);
    expect(lines(expectStatus(200, await api.post('/vacancies/query', { format: 'ndjson' })))).toEqual(page);
  });

  test('has the representation of the requested minor version', async () => {
    const page = expectStatus(200, await api.get('/vacancies?sort=id!asc', accept('application/json', '1.3'))).items;
    const older = expectStatus(200, await api.get('/vacancies', accept(NDJSON, '1.3')));
    expect(lines(older)).toEqual(page);
    const system = expectStatus(200, await api.get('/systems', accept('application/json', '1.3'))).items;
    expect(String(system[0]?.['domain'])).not.toContain('.');
    expect(lines(await api.get('/systems', accept(NDJSON, '1.3')))).toEqual(system);
  });

  test('combines search, where, sort, layout and fields', async () => {
    const layout = await make.layout({ resource: 'vacancies', columns: [{ title: 'T', datapath: 'vacancy.title' }] });
    const query = `where=vacancy.department=="A"&sort=title!desc&layout=${layout.id}&fields=department`;
    const page = expectStatus(200, await api.get(`/vacancies?${query}`)).items;
    expect(page).toHaveLength(2);
    expect(lines(await api.get(`/vacancies?format=ndjson&${query}`))).toEqual(page);
    expect(lines(await api.get('/vacancies?format=ndjson&search=/department=B'))).toHaveLength(1);
  });

  test('may have more items than a page', async () => {
    await api.database.query(
      `INSERT INTO job_boards (name, code) SELECT 'Board ' || n, 'export-' || n FROM generate_series(1, 1500) n`,
    );
    const found = lines(await api.get('/job_boards?format=ndjson&fields=id'));
    expect(found.length).toBeGreaterThanOrEqual(1_500);
    const ids = found.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((left, right) => left - right));
  });

  test('continues after an id, and only in the order of ids', async () => {
    const [first, second] = vacancies;
    const rest = lines(await api.get(`/vacancies?format=ndjson&after=${second?.id}`));
    expect(rest.map(({ id }) => id)).toEqual(vacancies.slice(2).map(({ id }) => id));
    expect(lines(await api.get('/vacancies?format=ndjson&after=0'))).toHaveLength(vacancies.length);
    for (const query of [`after=${first?.id}&sort=title!asc`, 'after=x', 'page=1', 'per_page=10', 'after=1&after=2'])
      expect((await api.get(`/vacancies?format=ndjson&${query}`)).status).toBe(400);
  });

  test('has the computed properties that pages show for endpoints', async () => {
    await make.endpoint();
    const page = expectStatus(200, await api.get('/notification_endpoints')).items;
    expect(lines(await api.get('/notification_endpoints?format=ndjson'))).toEqual(page);
    expect(Object.keys(lines(await api.get('/notification_endpoints?format=ndjson&fields=name'))[0] ?? {})).toEqual([
      'id',
      'name',
    ]);
  });

  test('is empty when no item matches', async () => {
    expect(expectStatus(200, await api.get('/vacancies?format=ndjson&search=/title=none')).text).toBe('');
  });
});

describe('an export as CSV', () => {
  test('has a column for each value of the schema, with the names of nested ones joined by a dot', async () => {
    const application = await make.application({ rating: 4 });
    const answer = expectStatus(200, await api.get('/applications', accept('text/csv')));
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    const [header = '', row = ''] = rows(answer);
    const titles = header.split(',');
    expect(titles).toEqual(expect.arrayContaining(['id', 'rating', 'user.id', 'user.firstname', 'opportunity.title']));
    expect(titles).not.toContain('tags');
    expect(row.split(',')[titles.indexOf('rating')]).toBe('4');
    expect(row.split(',')[0]).toBe(String(application.id));
  });

  test('escapes texts that a spreadsheet would evaluate, and quotes separators', async () => {
    const answer = expectStatus(200, await api.get('/vacancies?format=csv&fields=title,department'));
    const ids = vacancies.map(({ id }) => id);
    const body = rows(answer);
    const titles = (body[0] ?? '').split(',');
    const at = (name: string, row: number): string => (body[row] ?? '').split(',')[titles.indexOf(name)] ?? '';
    expect([...titles].sort()).toEqual(['department', 'id', 'title']);
    expect(at('id', 1)).toBe(String(ids[0]));
    expect(at('title', 1)).toBe("'=1+1");
    expect(body[2]).toContain('"Two, ""three"""');
    expect(at('title', 3)).toBe("'-5");
    expect(at('department', 4)).toBe("'@b");
  });

  test('has the titles of a layout, and the fields before them', async () => {
    const layout = await make.layout({
      resource: 'vacancies',
      columns: [
        { title: 'Name', datapath: 'vacancy.title' },
        { title: 'Team', datapath: 'vacancy.department' },
      ],
    });
    const query = `/vacancies?format=csv&search=/department=B&layout=${layout.id}`;
    expect(rows(await api.get(query))).toEqual(['Name,Team', '"Two, ""three""",B']);
    expect(rows(await api.get(`${query}&fields=id`))).toEqual([
      'id,Name,Team',
      `${vacancies[1]?.id},"Two, ""three""",B`,
    ]);
  });

  test('has only its header line when no item matches', async () => {
    expect(rows(await api.get('/vacancies?format=csv&fields=id&search=/title=none'))).toEqual(['id']);
  });
});

describe('the format of an export', () => {
  test('is the value of the parameter, else the type that Accept prefers', async () => {
    const typeOf = async (query: string, type: string) =>
      String((await api.get(`/vacancies${query}`, accept(type))).headers['content-type']).split(';')[0];
    expect(await typeOf('', '*/*')).toBe('application/json');
    expect(await typeOf('', 'text/csv, application/json')).toBe('text/csv');
    expect(await typeOf('', 'text/csv;q=0.1, application/json')).toBe('application/json');
    expect(await typeOf('?format=csv', 'application/json')).toBe('text/csv');
    expect(await typeOf('?format=json', 'text/csv')).toBe('application/json');
  });

  test('gets 400 when its name is unknown, and 406 when its media type is not served', async () => {
    expect(expectStatus(400, await api.get('/vacancies?format=xml')).problem.errors?.[0]?.parameter).toBe('format');
    expectStatus(406, await api.get('/vacancies', accept('application/xml')));
    expectStatus(400, await api.get('/vacancies?format=csv&fields=nmae'));
    expectStatus(400, await api.get(`/vacancies/${vacancies[0]?.id}?format=csv`));
  });

  test('is in the headers of the answer to HEAD, which has no items', async () => {
    const head = await api.request('HEAD', '/api/v1/vacancies?format=csv');
    expect(expectStatus(200, head).headers['content-type']).toMatch(/^text\/csv/);
    expect(head.text).toBe('');
  });
});

test('an export reads items in smaller parts when they are too large for one statement', async () => {
  const large = await Promise.all([make.vacancy({ department: 'L' }), make.vacancy({ department: 'L' })]);
  const ids = large.map(({ id }) => id);
  const length = 20_000_000;
  await api.database.query(`UPDATE opportunities SET description_plain = repeat('x', ${length}) WHERE id = ANY($1)`, [
    ids,
  ]);
  const found = lines(await api.get('/vacancies?format=ndjson&fields=description&search=/department=L'));
  expect(found.map(({ description }) => String(description).length)).toEqual([length, length]);
  expectStatus(400, await api.get('/vacancies?fields=description&search=/department=L'));
  await api.database.query('UPDATE opportunities SET description_plain = NULL WHERE id = ANY($1)', [ids]);
});

describe('the audit log of exports', () => {
  test('has one entry for an export, with the number of items', async () => {
    expectStatus(200, await api.get('/vacancies?format=ndjson&search=/department=A'));
    await eventually(async () => {
      const { items } = await api.get('/audit_entries?action=exported&sort=id!desc&per_page=1');
      expect(items[0]).toMatchObject({ collection: 'vacancies', item_count: 2, outcome: 'done' });
    });
  });
});

describe('a client of an export', () => {
  const sockets: Socket[] = [];
  let port: number;

  beforeAll(async () => {
    port = await api.listen();
    await api.database.query(
      `INSERT INTO job_boards (name, code)
       SELECT repeat(md5(n::text), 1000), 'large-' || n FROM generate_series(1, 1500) n`,
    );
  });
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

  const send = (path: string): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.adminToken}\r\n\r\n`);
    return socket;
  };

  test('that reads nothing is disconnected, which frees the connection to the database', async () => {
    Object.assign(api.app.get(Exports), { stalledMs: 300 });
    const socket = send('/job_boards?format=ndjson').pause();
    await eventually(() => Promise.resolve(expect(openExports()).toBe(1)));
    await eventually(() => Promise.resolve(expect(openExports()).toBe(0)));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk)).resume();
    await new Promise((resolve) => socket.once('close', resolve));
    // A complete chunked answer ends with an empty chunk.
    expect(Buffer.concat(chunks).toString().endsWith('0\r\n\r\n')).toBe(false);
    await eventually(async () => {
      const { items } = await api.get('/audit_entries?action=exported&outcome=failed&sort=id!desc');
      expect(items[0]).toMatchObject({ collection: 'job_boards' });
    });
  });

  test('that disconnects frees the connection to the database at once', async () => {
    Object.assign(api.app.get(Exports), { stalledMs: 600_000 });
    const socket = send('/job_boards?format=ndjson').pause();
    await eventually(() => Promise.resolve(expect(openExports()).toBe(1)));
    socket.destroy();
    await eventually(() => Promise.resolve(expect(openExports()).toBe(0)));
  });

  test('that reads slowly gets every item of one moment', async () => {
    Object.assign(api.app.get(Exports), { stalledMs: 600_000 });
    const before = lines(await api.get('/job_boards?format=ndjson&fields=id')).length;
    const socket = send('/job_boards?format=ndjson&fields=id,code,name').pause();
    await eventually(() => Promise.resolve(expect(openExports()).toBe(1)));
    await api.database.query(`UPDATE job_boards SET code = 'changed-' || id WHERE code LIKE 'large-%'`);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString())).resume();
    await eventually(() => Promise.resolve(expect(text.endsWith('0\r\n\r\n')).toBe(true)));
    expect(text.match(/"code":"large-/g)).toHaveLength(1_500);
    expect(text).not.toContain('changed-');
    expect(text.match(/^\{"id":/gm)).toHaveLength(before);
  });
});
