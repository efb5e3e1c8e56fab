import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { type Change, Feed } from './feed.js';

const { api, make } = useApi();
const feed = new Feed(api);
let origin: string;
beforeAll(async () => {
  origin = `http://127.0.0.1:${await api.listen()}`;
});

interface Event {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: Change | undefined;
}

/** An open stream, as a browser reads it. */
class Stream {
  readonly #controller = new AbortController();
  #reader: ReadableStreamDefaultReader<string> | undefined;
  #text = '';
  status = 0;
  contentType: string | null = null;

  async open(query: string, headers: Record<string, string> = {}, token = api.adminToken): Promise<this> {
    const response = await fetch(`${origin}/api/v1/changes${query}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
      signal: this.#controller.signal,
    });
    this.status = response.status;
    this.contentType = response.headers.get('content-type');
    this.#reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    return this;
  }

  /** The next event; undefined at the end of the stream. */
  async next(): Promise<Event | undefined> {
    while (!this.#text.includes('\n\n')) {
      const read = await this.#reader?.read();
      if (!read || read.done) return undefined;
      this.#text += read.value;
    }
    const end = this.#text.indexOf('\n\n');
    const lines = this.#text.slice(0, end).split('\n');
    this.#text = this.#text.slice(end + 2);
    const field = (name: string): string | undefined =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const data = field('data');
    return {
      id: field('id'),
      event: field('event'),
      data: data === undefined ? undefined : (JSON.parse(data) as Change),
    };
  }

  /** The next change. Skips events without data. */
  async change(): Promise<Event | undefined> {
    for (;;) {
      const event = await this.next();
      if (!event || event.data) return event;
    }
  }

  close(): void {
    this.#controller.abort();
  }
}

describe('a stream of changes', () => {
  test('sends each change with the token of the place after it', async () => {
    const stream = await new Stream().open('?since=now&resources=job_boards');
    expect([stream.status, stream.contentType]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const one = await make.jobBoard();
    const seen = await stream.change();
    expect(seen).toMatchObject({ event: 'change', data: { resource: 'job_boards', id: one.id, change: 'created' } });
    const two = await make.jobBoard();
    expect((await stream.change())?.data?.id).toBe(two.id);
    stream.close();
    expect((await feed.read({ since: String(seen?.id) })).items.map(({ id }) => id)).toEqual([two.id]);
  });

  test('continues behind Last-Event-ID, without gaps and without repeating', async () => {
    const since = await feed.now({ resources: 'job_boards' });
    const made = [await make.jobBoard(), await make.jobBoard(), await make.jobBoard()];
    const first = await new Stream().open(`?since=${since}`);
    const [one, two] = [await first.change(), await first.change()];
    first.close();
    const second = await new Stream().open('?since=now', { 'last-event-id': String(two?.id) });
    const three = await second.change();
    second.close();
    expect([one, two, three].map((event) => event?.data?.id)).toEqual(made.map(({ id }) => id));
  });

  test('answers errors as JSON', async () => {
    const stream = await new Stream().open('?since=yesterday');
    expect([stream.status, stream.contentType]).toEqual([400, 'application/json; charset=utf-8']);
    stream.close();
    const outdated = await new Stream().open('');
    expect(outdated.status).toBe(400);
    outdated.close();
  });

  test('ends when the credential is revoked', async () => {
    const { id, token } = await make.credential({ scopes: ['job_boards:read'] });
    const stream = await new Stream().open('?since=now', {}, String(token));
    expectStatus(204, await api.delete(`/credentials/${String(id)}`));
    await make.jobBoard();
    expect(await stream.change()).toBeUndefined();
  });

  test('is JSON for a client that accepts both and prefers JSON', async () => {
    const headers = { accept: 'application/json, text/event-stream;q=0.5' };
    expect((await api.get('/changes?since=now', { headers })).headers['content-type']).toContain('application/json');
    expect((await api.get('/changes?since=now', { headers: { accept: '*/*' } })).status).toBe(200);
    expect((await api.get('/changes?since=now', { headers: { accept: 'text/csv' } })).status).toBe(406);
  });
});
