import { beforeAll, describe, expect, test } from '@jest/globals';
import { EventReader } from '../support/event-reader.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { type Change, Feed } from './feed.js';

const { api, make } = useApi();
const feed = new Feed(api);
let origin: string;
beforeAll(async () => {
  origin = `http://127.0.0.1:${await api.listen()}`;
});

const open = (query: string, headers?: Record<string, string>, token?: string): Promise<EventReader<Change>> =>
  EventReader.open<Change>(`${origin}/api/v1/changes${query}`, {
    token: token ?? api.adminToken,
    ...(headers && { headers }),
  });

describe('a stream of changes', () => {
  test('sends each change with the token of the position after it', async () => {
    const stream = await open('?since=now&resources=job_boards');
    expect([stream.status, stream.contentType]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const one = await make.jobBoard();
    const seen = await stream.withData();
    expect(seen).toMatchObject({ event: 'change', data: { resource: 'job_boards', id: one.id, change: 'created' } });
    const two = await make.jobBoard();
    expect((await stream.withData())?.data?.id).toBe(two.id);
    stream.close();
    expect((await feed.read({ since: String(seen?.id) })).items.map(({ id }) => id)).toEqual([two.id]);
  });

  test('continues after Last-Event-ID, without gaps or repetitions', async () => {
    const since = await feed.now({ resources: 'job_boards' });
    const made = [await make.jobBoard(), await make.jobBoard(), await make.jobBoard()];
    const first = await open(`?since=${since}`);
    const [one, two] = [await first.withData(), await first.withData()];
    first.close();
    const second = await open('?since=now', { 'last-event-id': String(two?.id) });
    const three = await second.withData();
    second.close();
    expect([one, two, three].map((event) => event?.data?.id)).toEqual(made.map(({ id }) => id));
  });

  test('answers errors as JSON', async () => {
    const stream = await open('?since=yesterday');
    expect([stream.status, stream.contentType]).toEqual([400, 'application/json; charset=utf-8']);
    stream.close();
    const outdated = await open('');
    expect(outdated.status).toBe(400);
    outdated.close();
  });

  test('ends when the credential is revoked', async () => {
    const { id, token } = await make.credential({ scopes: ['job_boards:read'] });
    const stream = await open('?since=now', {}, String(token));
    expectStatus(204, await api.delete(`/credentials/${String(id)}`));
    await make.jobBoard();
    expect(await stream.withData()).toBeUndefined();
  });

  test('is replaced by a page of JSON for a client that prefers JSON', async () => {
    const headers = { accept: 'application/json, text/event-stream;q=0.5' };
    expect((await api.get('/changes?since=now', { headers })).headers['content-type']).toContain('application/json');
    expect((await api.get('/changes?since=now', { headers: { accept: '*/*' } })).status).toBe(200);
    expect((await api.get('/changes?since=now', { headers: { accept: 'text/csv' } })).status).toBe(406);
  });
});
